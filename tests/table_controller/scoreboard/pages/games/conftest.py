"""Finished games in a league, and the pages that show them."""

import datetime
import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from firmware.fakes import FakeClock
from firmware.wire import NODES
from table_controller.game import NORMAL, Action, Ruleset, apply, new_game
from table_controller.league import League, open_league
from table_controller.league.seasons import seasons
from table_controller.record.entries import FORMAT, Acted, Row, Started, Undone
from table_controller.record.finished import FinishedGame, finished_game
from table_controller.scoreboard import create_app
from table_controller.scoreboard.pages.games.routes import Past
from tests.table_controller.game.proof.conftest import Evening
from tests.table_controller.golden_record import GAMES, NAMES, golden_rows

BEGAN = datetime.datetime(2026, 3, 12, 18, 30, tzinfo=datetime.UTC)
SEED = hashlib.sha256(b"seven").hexdigest()
GOLDEN = sorted(path.stem for path in GAMES.glob("*.json"))
TODAY = datetime.date(2026, 12, 1)


def journal(
    entries: Iterable[Action | Undone],
    ruleset: Ruleset = NORMAL,
    *,
    names: tuple[str, ...] = NAMES,
    game: str = "20260312-183000-1",
    began: datetime.datetime = BEGAN,
) -> list[Row]:
    """Return the rows of the journal of a game in which this was done, an entry each second."""
    states = [new_game(ruleset)]
    start = Started(FORMAT, "1.4.0", game, ruleset, names, SEED, NODES[:10])
    rows = [Row(1, began.isoformat(timespec="milliseconds"), start, (), None)]
    for number, entry in enumerate(entries, start=2):
        at = began + datetime.timedelta(seconds=number - 1)
        utc = at.isoformat(timespec="milliseconds")
        if isinstance(entry, Undone):
            del states[entry.keep + 1 :]
            rows.append(Row(number, utc, entry, (), None))
        else:
            state, told = apply(states[-1], entry)
            states.append(state)
            rows.append(Row(number, utc, Acted(entry), told, None))
    return rows


def random_game(seed: int, wild: float = 0.0) -> FinishedGame:
    """Return a game of random players, with *wild* ones among them and a host."""
    evening = Evening(seed, wild)
    actions = [action for _, action, _, _ in evening.whole()]
    rows = journal(actions, evening.state.ruleset, game=f"20260312-183000-{seed:08x}")
    return finished_game(rows, "t1")


@pytest.fixture(scope="session")
def first() -> FinishedGame:
    """The first golden game."""
    return finished_game(golden_rows(), "t1")


@pytest.fixture(scope="session")
def golden_games() -> tuple[FinishedGame, ...]:
    """All of them."""
    return tuple(
        finished_game(golden_rows(name, game=f"20261130-180000-{name[5:]}"), "t1")
        for name in GOLDEN
    )


@pytest.fixture(scope="session")
def played() -> Callable[..., FinishedGame]:
    """Return a game of random players: ``played(seed, wild)``."""
    return random_game


@pytest.fixture(scope="session")
def journal_of() -> Callable[..., list[Row]]:
    return journal


@pytest.fixture
def league(tmp_path: Path, clock: FakeClock) -> Iterator[League]:
    league = open_league(tmp_path / "league.db", clock)
    yield league
    league.close()


@pytest.fixture
def past(league: League, tmp_path: Path) -> Past:
    """Where the pages look: a league, and a folder of journals."""
    return Past(
        league, tmp_path / "journal", lambda: True, lambda: seasons((), {2025, 2026}, TODAY)
    )


@pytest.fixture
def site(hub: Any, past: Past) -> SimpleNamespace:
    """The pages: ``site.keep(game)`` takes one in, ``site.get(path)`` is an answer."""
    client = create_app(hub, "en", past=past).test_client()

    def keep(*games: FinishedGame) -> None:
        for game in games:
            assert past.league.games.keep(game)

    return SimpleNamespace(get=client.get, keep=keep, past=past)


@pytest.fixture(scope="session")
def renamed() -> Callable[..., FinishedGame]:
    """Return a game with other names or ids: ``renamed(game, {seat: (id, name)})``."""

    def changed(game: FinishedGame, people: dict[int, tuple[str, str]]) -> FinishedGame:
        seats = tuple(
            replace(seat, player=people[seat.seat][0], name=people[seat.seat][1])
            if seat.seat in people
            else seat
            for seat in game.seats
        )
        return replace(game, seats=seats)

    return changed

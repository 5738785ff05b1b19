"""A league with seasons of real games, played by the golden ones' rules, and its pages."""

import datetime
import itertools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from firmware.card import SeasonCard
from firmware.fakes import FakeClock
from table_controller.league import Entry, League, open_league
from table_controller.league.seasons import seasons
from table_controller.record.finished import FinishedGame, finished_game
from table_controller.scoreboard import create_app
from table_controller.scoreboard.pages.games.routes import Past
from tests.table_controller.golden_record import GAMES, golden_rows

TODAY = datetime.date(2026, 11, 30)
CUP = SeasonCard("cup", "Кубок клуба", datetime.date(2026, 9, 1), datetime.date(2026, 12, 31), True)
FIRST = datetime.date(2026, 9, 4)
PEOPLE = (
    ("Anna", "Вега", "Nord"), ("Борис", "", "Nord"), ("Clara", "", "=Süd"), ("Дмитрий", "", ""),
    ("Elena", "Lena", "Nord"), ("=1+1", "", "=Süd"), ("Галина", "", ""), ("Hugo", "", "Nord"),
    ("Ирина Константиновна", "", ""), ("<b>Jan</b>", "", "=Süd"), ("שירה", "", ""),
    ("Wolfgang Amadeus Kastner", "", "Klub der freundlichen Nachbarn e. V."),
)  # fmt: skip
"""(name, nick, club): among them what is no harm in a name, and must not do any."""


@pytest.fixture(scope="session")
def golden_games() -> tuple[FinishedGame, ...]:
    """The golden games that have a result."""
    names = sorted(path.stem for path in GAMES.glob("*.json"))
    games = (finished_game(golden_rows(name), "t1") for name in names)
    return tuple(game for game in games if not game.void and len(game.seats) == 10)


@pytest.fixture
def league(tmp_path: Path, clock: FakeClock) -> Iterator[League]:
    league = open_league(tmp_path / "league.db", clock)
    yield league
    league.close()


@pytest.fixture
def site(
    hub: Any, league: League, tmp_path: Path, golden_games: tuple[FinishedGame, ...]
) -> SimpleNamespace:
    """The pages of a league: ``site.play(count)`` has its players play, ``site.get(path)`` reads.

    ``site.ids`` are the players'; ``site.app`` parts can be served.
    """
    past = Past(
        league, tmp_path / "journal", lambda: True, lambda: seasons((CUP,), {2025, 2026}, TODAY)
    )
    ids: list[str] = []
    numbers = itertools.count(1)

    def join(people: Sequence[tuple[str, str, str]] = PEOPLE) -> None:
        ids.extend(league.players.add(Entry(*each)).id for each in people)

    def play(count: int, *, gap: int = 7, guests: int = 0) -> None:
        """Let ten of the players, the last *guests* of them as guests, play so many games."""
        for _ in range(count):
            number = next(numbers)
            golden = golden_games[number % len(golden_games)]
            day = FIRST + datetime.timedelta(days=gap * ((number - 1) // 2))
            ten = [ids[(number * 3 + at * (1 + number % 2)) % len(ids)] for at in range(10)]
            ten = list(dict.fromkeys(ten + ids))[:10]
            seats = tuple(
                replace(
                    seat,
                    player=player if seat.seat <= 10 - guests else "",
                    name="" if seat.seat <= 10 - guests else f"Guest {seat.seat}",
                )
                for seat, player in zip(golden.seats, ten, strict=True)
            )
            game = replace(
                golden,
                game=f"{day:%Y%m%d}-180000-{number}",
                day=day,
                began_utc=f"{day}T18:00:{number % 60:02}.000+00:00",
                ended_utc=f"{day}T19:00:{number % 60:02}.000+00:00",
                seats=seats,
            )
            assert league.games.keep(game)

    client = create_app(hub, "en", past=past).test_client()
    return SimpleNamespace(
        join=join, play=play, get=client.get, ids=ids, league=league, past=past, hub=hub
    )


@pytest.fixture
def club(site: SimpleNamespace) -> SimpleNamespace:
    """The pages of a club of twelve that has played twenty games."""
    site.join()
    site.play(20)
    return site


@pytest.fixture
def tables() -> Callable[[str], Any]:
    """Read a page: its tables as lists of rows of texts."""
    import re
    from html import unescape

    def read(page: str) -> list[list[list[str]]]:
        def plain(html: str) -> str:
            return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html))).strip()

        return [
            [
                [plain(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)]
                for row in re.findall(r"<tr[^>]*>(.*?)</tr>", table, re.DOTALL)
            ]
            for table in re.findall(r"<table[^>]*>(.*?)</table>", page, re.DOTALL)
        ]

    return read

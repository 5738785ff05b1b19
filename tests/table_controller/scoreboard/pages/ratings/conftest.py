"""A league with seasons of real games, played by the golden ones' rules, and its pages."""

import datetime
import itertools
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from html import unescape
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


class Playing:
    """Lets the players of a league play."""

    def __init__(self, league: League, games: Sequence[FinishedGame]) -> None:
        self.league = league
        self.ids: list[str] = []
        self._games = games
        self._numbers = itertools.count(1)

    def join(self, people: Sequence[tuple[str, str, str]] = PEOPLE) -> None:
        """Let *people* be players of the league."""
        self.ids += [self.league.players.add(Entry(*each)).id for each in people]

    def play(self, count: int, *, guests: int = 0) -> None:
        """Play so many games, two an evening, one a week; the last *guests* seats have guests."""
        for _ in range(count):
            number = next(self._numbers)
            golden = self._games[number % len(self._games)]
            # Of many players all have a seat before the season is over.
            many = len(self.ids) > 20
            day = FIRST + datetime.timedelta(days=(number - 1) // 2 * (1 if many else 7))
            start = number * (10 if many else 3)
            ten = [self.ids[(start + at) % len(self.ids)] for at in range(10)]
            seats = tuple(
                replace(seat, player=who, name="")
                if seat.seat <= 10 - guests
                else replace(seat, player="", name=f"Guest {seat.seat}")
                for seat, who in zip(golden.seats, ten, strict=True)
            )
            game = replace(
                golden,
                game=f"{day:%Y%m%d}-180000-{number}",
                day=day,
                began_utc=f"{day}T18:00:{number % 60:02}.000+00:00",
                ended_utc=f"{day}T19:00:{number % 60:02}.000+00:00",
                seats=seats,
            )
            assert self.league.games.keep(game)


@pytest.fixture(scope="session")
def played(
    tmp_path_factory: pytest.TempPathFactory, golden_games: tuple[FinishedGame, ...]
) -> tuple[Path, list[str]]:
    """A league's file in which a club of twelve has played twenty games, and their ids."""
    file = tmp_path_factory.mktemp("played") / "league.db"
    league = open_league(file, FakeClock())
    playing = Playing(league, golden_games)
    playing.join()
    playing.play(20)
    league.close()
    return file, playing.ids


@pytest.fixture
def pages(
    hub: Any, tmp_path: Path, clock: FakeClock, golden_games: tuple[FinishedGame, ...]
) -> Iterator[Callable[[], SimpleNamespace]]:
    """Open the pages of the league in ``tmp_path``, which is made if it is not there."""
    opened = []

    def site() -> SimpleNamespace:
        league = open_league(tmp_path / "league.db", clock)
        opened.append(league)
        told = Past(
            league, tmp_path / "journal", lambda: True, lambda: seasons((CUP,), {2025, 2026}, TODAY)
        )
        client = create_app(hub, "en", past=told).test_client()
        playing = Playing(league, golden_games)
        return SimpleNamespace(
            get=client.get, league=league, past=told, hub=hub, file=tmp_path / "league.db",
            ids=playing.ids, join=playing.join, play=playing.play,
        )  # fmt: skip

    yield site
    for each in opened:
        each.close()


@pytest.fixture
def site(pages: Callable[[], SimpleNamespace]) -> SimpleNamespace:
    """The pages of an empty league: ``site.get(path)`` reads, ``site.play(count)`` plays."""
    return pages()


@pytest.fixture
def club(
    pages: Callable[[], SimpleNamespace], played: tuple[Path, list[str]], tmp_path: Path
) -> SimpleNamespace:
    """The pages of a club of twelve that has played twenty games."""
    shutil.copy(played[0], tmp_path / "league.db")
    site = pages()
    site.ids += played[1]
    return site


@pytest.fixture
def tables() -> Callable[[str], Any]:
    """Read a page: its tables as lists of rows of texts."""

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

"""A league of its own for each test: in a file, and in a PostgreSQL."""

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy

from firmware.fakes import FakeClock
from table_controller.league import Entry, League, open_league

TODAY = datetime.date(2026, 11, 30)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "league.db"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.proof)])
def where(request: pytest.FixtureRequest) -> Path | str:
    """Where the league is kept: a file, or a URL."""
    return place(request)


def place(request: pytest.FixtureRequest) -> Path | str:
    """Return an empty place of the kind that *request* has as its parameter."""
    if request.param == "sqlite":
        return request.getfixturevalue("path")
    return request.getfixturevalue("cluster").emptied()


@pytest.fixture
def league(where: Path | str, clock: FakeClock) -> Iterator[League]:
    league = open_league(where, clock)
    yield league
    league.close()


@pytest.fixture
def club(league: League) -> League:
    """A league with some players."""
    for name in ("Anna", "Борис", "Émile", "Алёна", "Straße", "100%"):
        league.players.add(Entry(name))
    return league


def ask(where: Path | str, query: str) -> list[tuple[object, ...]]:
    """Return what *query* finds, past the program."""
    url = where if isinstance(where, str) else f"sqlite:///{where}"
    engine = sqlalchemy.create_engine(url)
    try:
        with engine.begin() as db:
            found = db.exec_driver_sql(query)
            return [tuple(row) for row in found] if found.returns_rows else []
    finally:
        engine.dispose()

"""A league in a file of its own."""

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.fakes import FakeClock
from table_controller.league import Entry, League, open_league

TODAY = datetime.date(2026, 11, 30)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "league.db"


@pytest.fixture
def league(path: Path, clock: FakeClock) -> Iterator[League]:
    league = open_league(path, clock)
    yield league
    league.close()


@pytest.fixture
def club(league: League) -> League:
    """A league with some players."""
    for name in ("Anna", "Борис", "Émile", "Алёна", "Straße", "100%"):
        league.players.add(Entry(name))
    return league

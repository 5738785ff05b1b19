"""The file: private, copied before it is brought up to date, told by name."""

import shutil
import sqlite3
import stat

import pytest

from firmware.errors import LeagueError
from table_controller.league import Entry, open_league
from table_controller.league.store import SCHEMA, Store

from .conftest import ask
from .test_store import VERSION, step


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def where(path):
    return path


def test_the_file_is_its_owners_alone_and_the_files_beside_it_too(league, path):
    league.players.add(Entry("Anna"))
    there = sorted(path.parent.iterdir())
    assert [each.name for each in there] == ["league.db", "league.db-shm", "league.db-wal"]
    assert [mode(each) for each in there] == [0o600] * 3


def test_a_file_that_others_could_read_is_shut(league, path, clock):
    league.close()
    path.chmod(0o644)
    open_league(path, clock).close()
    assert mode(path) == 0o600


def test_every_connection_writes_through_to_the_disk_and_knows_foreign_keys(league):
    with league.players._store.writing() as db:
        found = [
            db.exec_driver_sql(f"pragma {each}").scalar()
            for each in ("journal_mode", "synchronous", "foreign_keys")
        ]
    assert found == ["wal", 2, 1]


def test_an_older_file_is_copied_before_it_is_changed(league, path, clock, tmp_path):
    league.players.add(Entry("Anna"))
    league.close()
    schema = shutil.copytree(SCHEMA, tmp_path / "schema")
    step(schema, 1, "create table hat (id text);\n")
    Store(path, clock, schema=schema).close()
    copy = path.with_name(f"league.version-{VERSION}.db")
    assert mode(copy) == 0o600
    assert ask(copy, "select name from player") == [("Anna",)]
    assert ask(copy, "select max(version) from schema_version") == [(VERSION,)]


def test_a_file_of_a_newer_program_is_not_written_to(league, path, clock, tmp_path):
    league.close()
    schema = shutil.copytree(SCHEMA, tmp_path / "schema")
    step(schema, 1, "create table hat (id text);\n")
    Store(path, clock, schema=schema).close()
    before = path.read_bytes()
    with pytest.raises(LeagueError, match="newer program"):
        open_league(path, clock)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"not a database at all" * 100, None])
def test_what_is_no_league_is_refused_and_left_alone(path, clock, content):
    path.parent.mkdir()
    if content is None:
        db = sqlite3.connect(path)
        db.execute("create table mine (x)")
        db.close()
    else:
        path.write_bytes(content)
    with pytest.raises(LeagueError, match="not a"):
        open_league(path, clock)
    assert content is None or path.read_bytes() == content


def test_a_folder_in_its_place_is_told_by_name(path, clock):
    path.mkdir(parents=True)
    with pytest.raises(LeagueError, match=r"league\.db"):
        open_league(path, clock)

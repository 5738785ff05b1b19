"""The file: private, brought up to date once, never read by an older program."""

import shutil
import sqlite3
import stat
import threading

import pytest

from firmware.errors import LeagueError
from table_controller.league import Entry, open_league
from table_controller.league.store import SCHEMA, Store

from .conftest import TODAY


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def ask(path, query):
    db = sqlite3.connect(path)
    try:
        return db.execute(query).fetchall()
    finally:
        db.close()


@pytest.fixture
def schema(tmp_path):
    """The kit's own files, to which a test adds."""
    return shutil.copytree(SCHEMA, tmp_path / "schema")


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


def test_what_was_kept_is_there_the_next_time(league, path, clock):
    made = league.players.add(Entry("Анна", "Лиса", "Nord"))
    league.close()
    again = open_league(path, clock)
    assert again.find() == (made,)
    again.close()
    assert [row[:2] for row in ask(path, "select * from schema_version")] == [
        (1, "001_players_bars_appeals.sql")
    ]


def test_an_older_file_is_copied_then_brought_up_to_date(league, path, clock, schema):
    league.players.add(Entry("Anna"))
    league.close()
    (schema / "002_hats.sql").write_text(
        "create table hat (id text primary key);\nalter table player add column hat text;\n"
    )
    store = Store(path, clock, schema=schema)
    store.close()
    assert ask(path, "select name, hat from player") == [("Anna", None)]
    assert ask(path, "select max(version) from schema_version") == [(2,)]
    copy = path.with_name("league.version-1.db")
    assert mode(copy) == 0o600
    assert ask(copy, "select name from player") == [("Anna",)]
    assert ask(copy, "select max(version) from schema_version") == [(1,)]


def test_a_step_that_fails_leaves_the_file_as_it_was(league, path, clock, schema):
    league.players.add(Entry("Anna"))
    league.close()
    (schema / "002_hats.sql").write_text("create table hat (id text);\n")
    (schema / "003_bad.sql").write_text("create table coat (id text);\nalter table nobody x;\n")
    with pytest.raises(LeagueError, match="syntax error"):
        Store(path, clock, schema=schema)
    assert ask(path, "select max(version) from schema_version") == [(1,)]
    tables = {name for (name,) in ask(path, "select name from sqlite_master where type='table'")}
    assert not {"hat", "coat"} & tables
    open_league(path, clock).close()


def test_a_file_of_a_newer_program_is_refused_and_left_alone(league, path, clock, schema):
    league.close()
    (schema / "002_hats.sql").write_text("create table hat (id text);\n")
    Store(path, clock, schema=schema).close()
    before = path.read_bytes()
    with pytest.raises(LeagueError, match=r"newer program wrote it \(version 2, this one .* 1\)"):
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
    assert content is not None or ask(path, "select name from sqlite_master") == [("mine",)]


def test_a_folder_in_its_place_is_told_by_name(path, clock):
    path.mkdir(parents=True)
    with pytest.raises(LeagueError, match=r"league\.db"):
        open_league(path, clock)


def test_an_error_repeats_no_name(club, path):
    db = sqlite3.connect(path)
    db.execute("drop table player")
    db.close()
    with pytest.raises(LeagueError, match="no such table: player") as error:
        club.find("Secretive")
    assert "ecretive" not in f"{error.value} {error.value.__cause__}"


def test_many_threads_and_a_second_program_write_side_by_side(league, path, clock):
    other = open_league(path, clock)
    errors = []

    def write(each, number):
        try:
            for n in range(10):
                each.players.add(Entry(f"P{number} {n}"))
                each.bars.held(TODAY)
        except Exception as error:  # noqa: BLE001 - told below
            errors.append(error)

    threads = [threading.Thread(target=write, args=((league, other)[n % 2], n)) for n in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    other.close()
    assert errors == []
    assert len(league.find()) == 80

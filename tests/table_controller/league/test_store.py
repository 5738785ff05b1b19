"""The store, in a file and in a PostgreSQL: brought up to date once, one writer at a time."""

import shutil
import threading

import pytest

from firmware.errors import LeagueError
from table_controller.league import Entry, open_league
from table_controller.league.store import SCHEMA, Store

from .conftest import TODAY, ask, place

VERSION = len(list(SCHEMA.glob("*.sql")))


@pytest.fixture(params=["sqlite", "postgres"])
def where(request):
    """Both in the fast tests, too."""
    return place(request)


@pytest.fixture
def schema(tmp_path):
    """The kit's own files, to which a test adds."""
    return shutil.copytree(SCHEMA, tmp_path / "schema")


def step(schema, number, text):
    (schema / f"{VERSION + number:03d}_step.sql").write_text(text)


def test_what_was_kept_is_there_the_next_time(league, where, clock):
    made = league.players.add(Entry("Анна", "Лиса", "Nord"))
    league.close()
    again = open_league(where, clock)
    assert again.find() == (made,)
    again.close()
    found = ask(where, "select version, file from schema_version order by version")
    assert found == [(n, file.name) for n, file in enumerate(sorted(SCHEMA.glob("*.sql")), 1)]


def test_an_older_league_is_brought_up_to_date(league, where, clock, schema):
    league.players.add(Entry("Anna"))
    league.close()
    step(schema, 1, "create table hat (id text primary key);\nalter table player add hat text;\n")
    Store(where, clock, schema=schema).close()
    assert ask(where, "select name, hat from player") == [("Anna", None)]
    assert ask(where, "select max(version) from schema_version") == [(VERSION + 1,)]


def test_a_step_that_fails_leaves_the_league_as_it_was(league, where, clock, schema):
    league.players.add(Entry("Anna"))
    league.close()
    step(schema, 1, "create table hat (id text);\n")
    step(schema, 2, "create table coat (id text);\nalter table nobody x;\n")
    with pytest.raises(LeagueError, match="syntax error"):
        Store(where, clock, schema=schema)
    assert ask(where, "select max(version) from schema_version") == [(VERSION,)]
    for table in ("hat", "coat"):
        with pytest.raises(Exception, match=table):
            ask(where, f"select * from {table}")
    open_league(where, clock).close()


def test_a_newer_programs_league_is_refused_and_left_alone(league, where, clock, schema):
    league.players.add(Entry("Anna"))
    league.close()
    step(schema, 1, "create table hat (id text);\n")
    Store(where, clock, schema=schema).close()
    newer = rf"newer program wrote it \(version {VERSION + 1}, this one .* {VERSION}\)"
    with pytest.raises(LeagueError, match=newer):
        open_league(where, clock)
    assert ask(where, "select name from player") == [("Anna",)]


def test_tables_of_another_program_are_refused_and_left_alone(where, path, clock):
    path.parent.mkdir()
    ask(where, "create table mine (x integer)")
    with pytest.raises(LeagueError, match="not a league's"):
        open_league(where, clock)
    assert ask(where, "select * from mine") == []
    with pytest.raises(Exception, match="player"):
        ask(where, "select * from player")


def test_two_programs_bring_it_up_to_date_at_once(where, clock, schema):
    step(schema, 1, "create table hat (id text primary key);\n")
    together, errors = threading.Barrier(4), []

    def program():
        together.wait()
        try:
            Store(where, clock, schema=schema).close()
        except Exception as error:  # noqa: BLE001 - told below
            errors.append(error)

    in_turn([threading.Thread(target=program) for _ in range(4)])
    assert errors == []
    versions = ask(where, "select version from schema_version order by version")
    assert versions == [(n,) for n in range(1, VERSION + 2)]


def test_an_error_repeats_no_name(club, where):
    ask(where, "alter table player rename to nobody")
    with pytest.raises(LeagueError, match="player") as error:
        club.find("Secretive")
    assert "ecretive" not in f"{error.value} {error.value.__cause__}"


def test_a_writer_is_alone_from_its_first_word(league, where, clock):
    """What it reads before it writes is what the writer before it left."""
    other = open_league(where, clock)
    inside, errors = threading.Event(), []

    def second():
        inside.wait()
        try:
            other.players.add(Entry("anna"))
        except Exception as error:  # noqa: BLE001 - told below
            errors.append(str(error))

    thread = threading.Thread(target=second)
    thread.start()
    with league.players._store.writing() as db:
        db.exec_driver_sql("select count(*) from player").scalar()
        inside.set()
        thread.join(0.3)
        assert thread.is_alive(), "two write at once"
        row = "'a1', 'Anna', 'anna', '', '', '', 'now'"
        db.exec_driver_sql(
            "insert into player (id, name, name_key, nick, nick_key, club, created_utc) "
            f"values ({row})"
        )
    thread.join(10)
    other.close()
    assert errors == ["Anna: there is a player of that name"]
    assert [each.name for each in league.find()] == ["Anna"]


def test_many_threads_and_a_second_program_write_side_by_side(league, where, clock):
    other = open_league(where, clock)
    errors = []

    def write(each, number):
        try:
            for n in range(10):
                each.players.add(Entry(f"P{number} {n}"))
                each.bars.held(TODAY)
        except Exception as error:  # noqa: BLE001 - told below
            errors.append(error)

    in_turn([threading.Thread(target=write, args=((league, other)[n % 2], n)) for n in range(8)])
    other.close()
    assert errors == []
    assert len(league.find()) == 80


def in_turn(threads):
    for each in threads:
        each.start()
    for each in threads:
        each.join()


@pytest.mark.parametrize("password", ["Tr0u@bador", "@Tr0ubador", "a@b@bador", "Tr0:u@bador"])
def test_a_password_with_an_at_sign_is_told_by_no_message(password, clock):
    """What stands behind its @ was taken for the server's name and logged as such."""
    with pytest.raises(LeagueError, match="write %40 for each @") as error:
        open_league(f"postgresql+psycopg://mafia:{password}@127.0.0.1:1/league", clock)
    assert "bador" not in str(error.value)
    escaped = password.replace("@", "%40")
    with pytest.raises(LeagueError, match=r"127\.0\.0\.1:1/league: .*refused"):
        open_league(f"postgresql+psycopg://mafia:{escaped}@127.0.0.1:1/league", clock)

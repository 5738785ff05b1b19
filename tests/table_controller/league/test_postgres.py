"""A club's server: away, restarted, silent; what it is told stays private."""

import os
import signal
import socket
import subprocess
import sys

import pytest

from firmware.clock import SystemClock
from firmware.errors import LeagueError
from table_controller.league import Entry, open_league

SLOW_S = 20.0
"""Longer than the longest deadline, which a call has to keep."""


@pytest.fixture
def where(cluster):
    return cluster.emptied()


@pytest.fixture
def stopped(cluster):
    """A server that the test stops is there again for the next one."""
    yield cluster
    if cluster.server.poll() is not None:
        cluster.start()


def test_a_server_that_is_away_is_told_and_found_again_when_it_is_back(stopped, where, clock):
    stopped.stop()
    with pytest.raises(LeagueError, match=r"league 127\.0\.0\.1:\d+/club_\w+: .*refused"):
        open_league(where, clock)
    league = open_league(where, clock, later=True)
    for _ in range(2):
        with pytest.raises(LeagueError, match="refused"):
            league.find()
    stopped.start()
    assert league.players.add(Entry("Анна")).name == "Анна"
    # Restarted between two calls, and nobody notices.
    stopped.stop()
    stopped.start()
    assert [each.name for each in league.find("анн")] == ["Анна"]
    league.close()


def test_a_server_that_dies_in_a_transaction_keeps_none_of_it(stopped, league, where):
    def write():
        with league.players._store.writing() as db:
            insert(db, "Anna")
            stopped.stop()
            insert(db, "Boris")

    with pytest.raises(LeagueError) as error:
        write()
    assert "Boris" not in str(error.value)
    stopped.start()
    assert league.find() == ()


def insert(db, name):
    db.exec_driver_sql(
        "insert into player (id, name, name_key, nick, nick_key, club, created_utc) "
        f"values ('{name}', '{name}', '{name}', '', '', '', '')"
    )


@pytest.mark.proof
def test_a_server_that_falls_silent_is_given_up(stopped, league):
    """It is up, its socket takes what comes, and nothing is answered."""
    assert league.find() == ()
    clock, children = SystemClock(), stopped.children()
    began_s = clock.now_s()
    for pid in children:
        os.kill(pid, signal.SIGSTOP)
    try:
        with pytest.raises(LeagueError, match=r"has not answered|timeout"):
            league.find()
        assert clock.now_s() - began_s < SLOW_S
    finally:
        for pid in children:
            os.kill(pid, signal.SIGCONT)
    assert league.find() == ()


@pytest.mark.proof
def test_an_address_that_takes_calls_and_says_nothing_is_given_up(clock):
    real = SystemClock()
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        began_s = real.now_s()
        with pytest.raises(LeagueError, match="timeout"):
            open_league(f"postgresql+psycopg://a:b@127.0.0.1:{deaf.getsockname()[1]}/c", clock)
        assert real.now_s() - began_s < SLOW_S


@pytest.mark.proof
def test_a_writer_that_never_ends_is_not_waited_for_for_ever(league, where, clock):
    other, real = open_league(where, clock), SystemClock()
    with league.players._store.writing():
        began_s = real.now_s()
        with pytest.raises(LeagueError, match="lock timeout"):
            other.players.add(Entry("Anna"))
        assert real.now_s() - began_s < SLOW_S
        assert other.find() == ()
    other.players.add(Entry("Anna"))
    other.close()


def test_no_error_repeats_the_password_or_a_name(cluster, where, clock, league):
    league.players.add(Entry("Secretive"))
    columns = "name, name_key, nick, nick_key, club, created_utc"
    with (
        pytest.raises(LeagueError, match="duplicate key") as twice,
        league.players._store.writing() as db,
    ):
        db.exec_driver_sql(f"insert into player (id, {columns}) select 'x', {columns} from player")
    wrong = where.replace(cluster.password, "Tr0ubador")
    with pytest.raises(LeagueError, match="password authentication failed") as refused:
        open_league(wrong, clock)
    with pytest.raises(LeagueError, match=r"league\.url") as no_url:
        open_league("postgresql+psycopg://mafia:Tr0ubador@h:port/x", clock)
    for error in (twice, refused, no_url):
        chain = [error.value, error.value.__cause__]
        told = " ".join(map(str, chain))
        assert not [each for each in ("ecretive", "Tr0ubador", cluster.password) if each in told]


def test_the_password_may_stand_elsewhere(cluster, where, clock):
    bare = where.replace(f":{cluster.password}", "")
    with pytest.raises(LeagueError, match="password"):
        open_league(bare, clock)
    league = open_league(bare, clock, password=cluster.password)
    assert league.find() == ()
    league.close()


def test_a_database_that_keeps_not_every_letter_is_refused(cluster, clock):
    url = cluster.new("encoding 'SQL_ASCII' locale 'C'")
    with pytest.raises(LeagueError, match="encoding is SQL_ASCII; expected UTF8"):
        open_league(url, clock)
    count = "select count(*) from pg_tables where schemaname = 'public'"
    assert cluster.do(count, database=url.rpartition("/")[2]) == [(0,)]


def test_names_are_sorted_as_a_file_sorts_them(league):
    """The database's own order is a German one: it would mix capitals, hyphens and alphabets."""
    for name in ("b c", "B-a", "bb", "Äa", "az", "яя", "Ёж", "Жж"):
        league.players.add(Entry(name))
    keys = [each.name for each in league.find()]
    assert keys == ["az", "B c".lower(), "B-a", "bb", "Äa", "Ёж", "Жж", "яя"]


def test_without_the_driver_it_is_told_what_to_install(tmp_path):
    script = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from table_controller.league import open_league\n"
        "from firmware.clock import SystemClock\n"
        "try: open_league('postgresql+psycopg://a@h/c', SystemClock())\n"
        "except Exception as error: print(type(error).__name__, error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, cwd=tmp_path
    )
    assert done.stdout.startswith("LeagueError league h/c: ")
    assert "mafia-table-kit[club]" in done.stdout

"""A table whose league is on a club's server: the card's, found by commands, never waited for."""

import socket

import pytest
from click.testing import CliRunner

from firmware.card import LeagueCard, LinkCard, TableCard, save
from firmware.clock import SystemClock
from firmware.errors import LeagueError
from table_controller.__main__ import table
from table_controller.host.people import CHECK_S, People
from table_controller.league import open_card_league

LINK = LinkCard("127.0.0.1", 1, password="secret")


def card(folder, url, password=""):
    (folder / "data").mkdir(exist_ok=True)
    made = TableCard(
        table="club", link=LINK, data_dir=str(folder / "data"), league=LeagueCard(url, password)
    )
    save(folder / "kit.toml", made)
    return made


def run(folder, *arguments):
    done = CliRunner().invoke(table, [*arguments, "--card", str(folder / "kit.toml")])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, done.stderr


def test_commands_of_two_tables_work_on_one_league(cluster, tmp_path):
    url = cluster.emptied()
    bare = url.replace(f":{cluster.password}", "")
    for name, where, password in (("one", url, ""), ("two", bare, cluster.password)):
        (tmp_path / name).mkdir()
        card(tmp_path / name, where, password)
    assert run(tmp_path / "one", "players", "add", "Анна")[1] == "Анна is added\n"
    assert run(tmp_path / "two", "players", "list")[1] == "Анна\n"
    assert not list(tmp_path.glob("*/data/league.db"))
    # Said to be elsewhere, it is a file there.
    data = str(tmp_path / "two" / "data")
    assert CliRunner().invoke(table, ["players", "list", "--data", data]).stdout == ""


def test_a_command_tells_of_a_server_that_is_away_without_its_password(tmp_path, caplog):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
        card(tmp_path, f"postgresql+psycopg://mafia:Tr0ub@127.0.0.1:{port}/club")
        code, out, told = run(tmp_path, "players", "list")
    assert (code, out) == (1, "")
    assert f"league 127.0.0.1:{port}/club: " in told + caplog.text
    assert "Tr0ub" not in told + caplog.text


def test_a_server_that_says_nothing_keeps_the_loop_a_moment_at_most(tmp_path):
    clock = SystemClock()
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        url = f"postgresql+psycopg://a:b@127.0.0.1:{deaf.getsockname()[1]}/c"
        league = open_card_league(card(tmp_path, url), clock, later=True)
        people, began_s = People(league), clock.now_s()
        people.check(("Anna",), ("9f2c61a0b4d7",))
        assert clock.now_s() - began_s < CHECK_S + 1.0
        with pytest.raises(LeagueError):
            league.open()
    league.close()

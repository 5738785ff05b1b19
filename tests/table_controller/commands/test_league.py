"""``mafia-table players`` and ``mafia-table appeals``."""

import contextlib

import pytest
from click.testing import CliRunner

from firmware.clock import SystemClock
from table_controller.__main__ import table
from table_controller.league import FILE, Case, open_league

GAME = "20261130-200000-aabbccdd"


@pytest.fixture
def run(tmp_path):
    """Runs a command; returns exit code, what it printed and why it refused."""

    def command(*arguments):
        done = CliRunner().invoke(table, [*map(str, arguments), "--data", str(tmp_path)])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done.exit_code, done.stdout, done.stderr

    return command


@pytest.fixture
def league(tmp_path):
    with contextlib.closing(open_league(tmp_path / FILE, SystemClock())) as league:
        yield league


def test_players_are_added_listed_found_and_renamed(run):
    assert run("players", "add", " Дора ", "--nick", "Лиса", "--club", "Nord")[:2] == (
        0, "Дора is added\n",
    )  # fmt: skip
    run("players", "add", "Anna")
    assert run("players", "list") == (0, "Anna\nДора  Лиса  Nord\n", "")
    assert run("players", "find", "ДОР") == (0, "Дора  Лиса  Nord\n", "")
    assert run("players", "rename", "дора", "Dora") == (0, "Дора is Dora now\n", "")
    assert run("players", "list")[1] == "Anna\nDora  Лиса  Nord\n"


def test_what_cannot_be_is_told_in_the_readers_language_with_an_exit_code(run, caplog):
    run("players", "add", "Anna")
    code, out, _ = run("players", "add", "ANNA", "--language", "de")
    assert (code, out) == (1, "")
    assert run("players", "find", "x")[0] == 1
    assert run("players", "rename", "Nobody", "x")[0] == 1
    assert run("appeals", "show", "x")[0] == 1
    assert run("players", "list")[1] == "Anna\n"


def test_a_file_is_read_in_twice_and_changes_nothing_the_second_time(run, tmp_path):
    file = tmp_path / "club.csv"
    file.write_text("name,nick\nAnna,Fox\nБорис,\n", encoding="utf-8-sig")
    assert run("players", "import", file)[1] == "2 added, 0 changed, 0 known already\n"
    assert run("players", "import", file)[1] == "0 added, 0 changed, 2 known already\n"


def test_of_a_file_with_faults_all_are_told_and_the_good_lines_are_read_in(run, tmp_path):
    file = tmp_path / "club.csv"
    file.write_text(f"name,nick\n,Wolf\nAnna,Fox\n{'b' * 30},{'n' * 30}\n", encoding="utf-8")
    tried = run("players", "import", file, "--check")
    assert tried[:2] == (
        3, "Nothing was written. It would be: 1 added, 0 changed, 0 known\n",
    )  # fmt: skip
    assert run("players", "list")[1] == ""
    code, out, told = run("players", "import", file)
    assert (code, out) == (3, "1 added, 0 changed, 0 known already\n")
    assert told == tried[2]
    assert [line.partition(": ")[2] for line in told.splitlines()] == [
        "line 2, name: expected something here",
        f"line 4, name: '{'b' * 24}…': 30 letters; expected 24 at most",
        f"line 4, nick: '{'n' * 24}…': 30 letters; expected 24 at most",
    ]
    assert run("players", "list")[1] == "Anna  Fox\n"


def test_of_a_file_without_a_good_line_nothing_is_read_in(run, tmp_path):
    file = tmp_path / "club.csv"
    file.write_bytes("name\nАнна\n".encode("cp1251"))
    code, out, told = run("players", "import", file)
    assert (code, out) == (1, "")
    assert "line 2 is not utf-8" in told
    assert run("players", "import", file, "--encoding", "windows-1251")[0] == 0
    assert run("players", "list")[1] == "Анна\n"


def test_a_player_is_barred_and_the_bar_lifted(run, league):
    run("players", "add", "Anna")
    bar = ("players", "bar", "anna", "--reason", "Threats", "--by", "Olga")
    assert run(*bar, "--for-good", "--offence", "threats")[1] == "Anna: barred for good\n"
    assert run("players", "list")[1] == "Anna  barred for good\n"
    assert league.bar_of("Anna", league.today()).offence == "threats"
    text = run("players", "unbar", "Anna", "--by", "Pjotr", "--why", "Enough.")[1]
    assert text == "Anna: the bar for good is lifted\n"
    assert run("players", "list")[1] == "Anna\n"
    assert run("players", "unbar", "Anna", "--by", "Pjotr")[0] == 1
    text = run(*bar, "--until", "2199-02-03", "--language", "de")[1]
    assert "3. Februar 2199" in text


@pytest.mark.parametrize(
    "how",
    [(), ("--for-good", "--until", "2199-01-01"), ("--until", "tomorrow"), ("--until", "")],
)
def test_how_long_a_bar_holds_has_to_be_said_once(run, league, how):
    run("players", "add", "Anna")
    code, _, why = run("players", "bar", "Anna", "--reason", "x", "--by", "Olga", *how)
    assert code == 2
    assert "--until" in why
    assert league.bars.all() == ()


def test_appeals_are_listed_shown_and_decided(run, league):
    run("players", "add", "Anna")
    made = league.appeals.take(Case("Anna", GAME, 4, "threats"), text="No.\nNo!", by="Olga")
    other = league.appeals.take(Case("Guest", GAME, 5, "bets"), text="No.", by="Olga")
    decide = ("appeals", "decide", other.id, "rejected", "--reasons", "Yes.", "--by", "Pjotr")
    code, shown, _ = run(*decide)
    assert code == 0
    assert shown.splitlines()[0] == f"{other.id}  rejected  Guest  {GAME}  seat 5  Offering bets"
    assert run(*decide)[0] == 1
    assert run("appeals", "list")[1].splitlines() == [
        f"{made.id}  open  Anna  {GAME}",
        f"{other.id}  rejected  Guest  {GAME}",
    ]
    assert run("appeals", "list", "--open")[1].splitlines() == [f"{made.id}  open  Anna  {GAME}"]
    lines = run("appeals", "show", made.id)[1].splitlines()
    assert lines[1].endswith("Olga, taken down:")
    assert lines[2:] == ["    No.", "    No!"]


def test_a_folder_that_is_no_tables_is_not_made_one(tmp_path):
    nowhere = tmp_path / "nowhere"
    done = CliRunner().invoke(table, ["players", "list", "--data", str(nowhere)])
    assert done.exit_code == 1
    assert not nowhere.exists()

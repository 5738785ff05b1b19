"""``mafia-table rules``, and a club's file of rules wherever it is taken."""

import re

import pytest
from click.testing import CliRunner

from firmware.errors import CardError
from firmware.words import catalogue
from table_controller.__main__ import table
from table_controller.commands.rulesheet import read_ruleset, sheet
from table_controller.game import NORMAL, TURBO
from table_controller.game.rulefile import lines


@pytest.fixture
def rules():
    """Runs the command; returns exit code and lines."""

    def run(*options):
        done = CliRunner().invoke(table, ["rules", *map(str, options)])
        return done.exit_code, done.output.splitlines()

    return run


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "club.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def cells(lines_, key):
    (line,) = [line for line in lines_ if line.startswith(f"{key} ")]
    return [cell for cell in line.split("  ") if cell]


def test_the_sheet_tells_each_key_once_in_columns(rules):
    code, told = rules()
    assert code == 0
    assert told[0] == "Rules in force, mode normal"
    assert told[1].split() == ["key", "value", "unit", "standing", "meaning"]
    assert [line.split()[0] for line in told[2:]] == [line.key for line in lines(NORMAL)]
    starts = {line.index(standing) for line in told[2:] for standing in (" fixed ", " default ")
              if standing in line}  # fmt: skip
    assert starts == {told[1].index("standing") - 1}


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("speech_s", ["60", "s", "fixed", "a speech"]),
        ("ballot_s", ["5", "s", "default", "the call of a candidate"]),
        ("points.win_town", ["[100, 135]", "hundredths", "fixed", "win of the town"]),
        ("lift_two_of_four", ["true", "default", "two tied of four living: a lift is held"]),
        ("motion_share", ["[1, 2]", "default",
                          "more than this part of the voters passes a motion"]),
    ],
)  # fmt: skip
def test_a_line_has_value_unit_standing_meaning(rules, key, said):
    _, told = rules()
    assert [cell.strip() for cell in cells(told, key)[1:]] == said


def test_turbo_has_its_own_numbers(rules):
    code, told = rules("--turbo")
    assert code == 0
    assert told[0] == "Rules in force, mode turbo"
    assert [cell.strip() for cell in cells(told, "speech_s")[1:3]] == ["25", "s"]


def test_a_file_shows_what_it_changes(rules, file):
    code, told = rules("--ruleset", file("ballot_s = 6\n[points]\nmiss = [0, 0]"), "--turbo")
    assert code == 0
    assert [cell.strip() for cell in cells(told, "ballot_s")[1:4]] == ["6", "s", "changed from 3"]
    assert "changed from [-10, -20]" in "\n".join(told)
    assert sum("changed from" in line for line in told) == 2


def test_the_sheet_is_spoken_in_russian(rules):
    code, told = rules("--language", "ru")
    assert code == 0
    assert told[0] == "Действующие правила, режим normal"
    assert [cell.strip() for cell in cells(told, "speech_s")[1:]] == [
        "60",
        "с",
        "неизменно",
        "речь",
    ]
    for line in sheet(TURBO, catalogue("ru")).splitlines()[2:]:
        assert (
            re.search(r"[a-z]", line.split(maxsplit=1)[1].replace("true", "").replace("false", ""))
            is None
        )


def test_a_wrong_file_is_one_line_and_exit_78(rules, file):
    code, (line,) = rules("--ruleset", file("ballot_s = 0"))
    assert code == 78
    assert line.endswith("club.toml: ballot_s = 0: expected a number from 1 to 600 s")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ballot_s = 0", "club.toml: ballot_s = 0: expected a number from 1 to 600 s"),
        ("ballot_s = ", "club.toml: Invalid value"),
        ("# \udcff", "club.toml: 'utf-8' codec"),
    ],
)
def test_an_error_names_the_file(tmp_path, text, says):
    path = tmp_path / "club.toml"
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(CardError, match=says):
        read_ruleset(path, turbo=False)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CardError, match=r"club\.toml: No such file"):
        read_ruleset(tmp_path / "club.toml", turbo=False)


@pytest.mark.parametrize("command", ["run", "demo", "simulate"])
def test_other_commands_refuse_the_wrong_file_too(command, file, tmp_path):
    path = file("mafia = 4")
    options = {
        "run": ["--card", tmp_path / "kit.toml"],
        "demo": [],
        "simulate": ["--games", "1"],
    }[command]
    if command == "run":
        text = 'kind = "table"\ntable = "club"\ndata_dir = "data"\n'
        text += '[link]\nhost = "127.0.0.1"\nport = 1\npassword = "x"\n'
        options[1].write_text(text)
    done = CliRunner().invoke(table, [command, *map(str, options), "--ruleset", str(path)])
    assert done.exit_code == 78
    assert done.exception is None or isinstance(done.exception, SystemExit)

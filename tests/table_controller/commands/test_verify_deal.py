"""``mafia-table verify-deal``, and the same by hand and by a stranger's twenty lines."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from table_controller import deal
from table_controller.__main__ import table
from table_controller.commands.verify_deal import list_before_the_draw, read_record
from table_controller.record.entries import FORMAT
from table_controller.record.examine import examine

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests" / "golden" / "journals" / f"{FORMAT}.db"
PAGE = (ROOT / "table_controller" / "deal.md").read_text("utf-8")


def block(language):
    return re.search(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[1]


@pytest.fixture(scope="module")
def entries():
    return [json.loads(msgspec.json.encode(row)) for row in examine(GOLDEN).rows]


@pytest.fixture
def write(tmp_path, entries):
    """Write the record, changed by *change*; returns its path."""

    def written(change=lambda lines: None):
        lines = json.loads(json.dumps(entries))
        change(lines)
        path = tmp_path / "record.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        return path

    return written


def run(*arguments, **options):
    done = CliRunner().invoke(table, ["verify-deal", *map(str, arguments)], **options)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, done.stderr


def deal_of(lines):
    return next(
        line["entry"]["action"]
        for line in lines
        if line["entry"].get("action", {}).get("do") == "deal"
    )


def swap_roles(lines):
    """Let the don be somebody else."""
    roles = deal_of(lines)["roles"]
    don = roles.index("don")
    roles[don], roles[don - 1] = roles[don - 1], roles[don]


def other_seed(lines):
    """Deal by another seed, roles and all, as who wants to hide the announced one would."""
    lines[0]["entry"]["seed"] = "11" * 32
    deal_of(lines)["roles"] = [str(role) for role in deal.roles(bytes.fromhex("11" * 32))]


def commitment_of(entries):
    return deal.commitment(bytes.fromhex(entries[0]["entry"]["seed"]))


@pytest.mark.parametrize("language", ["en", "ru", "de"])
def test_each_step_of_a_good_deal_is_told(write, entries, language):
    code, out, why = run(write(), "--commitment", commitment_of(entries), "--language", language)
    assert (code, why) == (0, "")
    for said in (entries[0]["entry"]["seed"], commitment_of(entries), "5 7 8 1 6 2 9 10 3 4"):
        assert said in out
    assert [line[:1] for line in out.splitlines() if line[:1].isdigit()] == list("1234")


def test_the_seats_of_a_good_deal_are_told_with_their_roles(write):
    out = run(write())[1]
    assert "5  Elena: don\n" in out
    assert "1  Anna: sheriff\n" in out


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (swap_roles, "other cards than the seed makes"),
        (other_seed, "does not end with its first 8 digits"),
    ],
)
def test_a_record_that_was_changed_is_told(write, change, fault):
    code, out, why = run(write(change))
    assert code == 1
    assert "WRONG: " in out
    assert fault in why


def test_a_seed_that_is_not_the_announced_one_is_told_even_with_a_fitting_name(write, entries):
    def rename(lines):
        other_seed(lines)
        lines[0]["entry"]["game"] = "x-" + commitment_of(lines)[:8]

    path = write(rename)
    assert run(path)[0] == 0
    code, _, why = run(path, "--commitment", commitment_of(entries))
    assert code == 1
    assert "you have kept another one" in why


def test_a_second_deal_after_an_undo_is_checked_too(write):
    def again(lines):
        second = json.loads(json.dumps(lines[:12][-1]))
        lines.append(second)
        roles = second["entry"]["action"]["roles"]
        roles.reverse()

    assert run(write(again))[0] == 1


def test_without_a_kept_commitment_it_says_what_is_left_to_compare(write):
    assert "only you can compare" in run(write())[1]


@pytest.mark.parametrize(
    "record",
    [b"", b"\n", b"{}", b"SQLite format 3\0", b'{"entry": []}\n', b"\xff\xfe\n", b"[" * 100_000],
)
def test_what_is_no_record_is_one_line(tmp_path, record):
    path = tmp_path / "record"
    path.write_bytes(record)
    code, out, why = run(path)
    assert (code, out) == (1, "")
    assert why.count("\n") == 1


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda lines: lines[0]["entry"].update(seed="zz"), "seed = 'zz'"),
        (lambda lines: lines[0]["entry"].update(names=["Anna"]), "1 names"),
        (lambda lines: lines[0]["entry"]["names"].__setitem__(0, "\x1b[2J"), "one line each"),
        (lambda lines: lines.__delitem__(slice(5, None)), "gives no cards"),
    ],
)
def test_what_a_record_lacks_is_named(write, change, fault):
    code, out, why = run(write(change))
    assert (code, out) == (1, "")
    assert fault in why


def test_a_record_comes_from_a_pipe_too(write):
    assert run("-", input=write().read_bytes())[0] == 0


def test_a_commitment_that_is_none_is_a_wrong_option(write):
    assert run(write(), "--commitment", "abc")[0] == 2


def test_of_seats_that_the_club_fixed_no_draw_is_told(write):
    def fix(lines):
        lines[0]["entry"]["fixed"] = True

    code, drawn, _ = run(write())
    assert (code, "Before it:" in drawn, "had fixed them" in drawn) == (0, True, False)
    code, fixed, _ = run(write(fix))
    assert (code, "Before it:" in fixed, "had fixed them" in fixed) == (0, False, True)


def test_the_seating_leads_back_to_the_list_of_players():
    names, seed = tuple("ABCDEFGHIJ"), deal.rehearsal_seed(4)
    start = {"entry": "started", "game": "g", "seed": seed.hex()}
    start["names"] = deal.seating(seed, names)
    dealt = {"entry": "acted", "action": {"do": "deal", "roles": deal.roles(seed)}}
    lines = b"".join(msgspec.json.encode({"entry": entry}) + b"\n" for entry in (start, dealt))
    assert list_before_the_draw(read_record(lines)) == names


# ---- without the kit ----


@pytest.mark.parametrize(("change", "code"), [(lambda lines: None, 0), (swap_roles, 1)])
def test_a_stranger_needs_plain_python_only(write, entries, change, code):
    done = subprocess.run(
        [sys.executable, "-I", "-c", block("python"), write(change), commitment_of(entries)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == code, done.stderr
    assert "5 Elena don\n" in done.stdout
    assert len(block("python").splitlines()) <= 22


@pytest.mark.skipif(not shutil.which("xxd"), reason="no xxd here: apt install xxd")
def test_a_stranger_needs_a_shell_only(entries):
    seed = entries[0]["entry"]["seed"]
    told = subprocess.run(
        ["sh", "-euc", block("sh"), "sh", seed],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout.splitlines()
    assert told[0].split()[1] == commitment_of(entries)
    assert [int(line.split()[-1]) for line in told[1:]] == [5, 7, 8, 1, 6, 2, 9, 10, 3, 4]

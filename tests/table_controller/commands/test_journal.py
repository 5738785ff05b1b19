"""``mafia-table journal``, ``backup`` and ``restore``."""

import contextlib
import datetime
import shutil
import sqlite3
import stat
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from table_controller.__main__ import table
from table_controller.game import actions, apply
from table_controller.record.backups import write_journal
from table_controller.record.entries import FORMAT, Acted, Row
from table_controller.record.examine import examine
from table_controller.record.journals import Journals

GOLDEN = Path(__file__).parents[2] / "golden" / "journals" / f"{FORMAT}.db"
GAME = "20260102-180000-5c2f45be"
UTC = datetime.datetime(2026, 1, 3, 20, 0, 0, tzinfo=datetime.UTC)
RUNNING = "20260103-180000-aa"
KEPT = 150
"""Entries of the game that is not over."""


@pytest.fixture
def data(tmp_path):
    """A table's data: a game that is over, and one that is being played."""
    folder = tmp_path / "journal"
    folder.mkdir(mode=0o700)
    shutil.copyfile(GOLDEN, folder / f"{GAME}.db")
    raw = examine(GOLDEN).raw[:KEPT]
    first = msgspec.structs.replace(
        raw[0], body=raw[0].body.replace(GAME.encode(), RUNNING.encode())
    )
    write_journal(folder / f"{RUNNING}.db", [first, *raw[1:]])
    (folder / "current").write_text(RUNNING)
    return tmp_path


@pytest.fixture
def run(data):
    """Runs a command; returns exit code, what it printed and why it refused."""

    def command(*arguments):
        done = CliRunner().invoke(table, [*map(str, arguments), "--data", str(data)])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done.exit_code, done.stdout, done.stderr

    return command


@pytest.fixture
def played(data):
    with contextlib.closing(Journals(data / "journal")) as journals:
        yield journals


def test_finished_games_are_listed_and_no_other(run):
    code, out, _ = run("journal", "list")
    assert code == 0
    assert out.splitlines()[0] == f"{GAME}  203 entries  The town wins"
    assert RUNNING not in out
    assert "1" in out.splitlines()[1]


@pytest.mark.parametrize("command", ["show", "verify", "export"])
def test_of_a_game_that_is_not_over_nothing_is_shown(run, command, data):
    code, out, why = run("journal", command, RUNNING)
    assert (code, out) == (1, "")
    assert RUNNING in why
    assert "not over" in why
    assert "seed" not in why


def test_of_a_game_that_the_host_ended_nothing_is_shown_until_the_next_has_begun(run, data):
    folder = data / "journal"
    with contextlib.closing(Journals(folder)) as journals:
        journal = journals.current()
        state = examine(journal.path).state
        _, events = apply(state, actions.Void())
        journal.append(Acted(actions.Void()), events, UTC)
        journal.close()
    for command in ("show", "verify", "export"):
        code, out, why = run("journal", command, RUNNING)
        assert (code, out) == (1, "")
        assert "until the next game begins" in why
    assert RUNNING not in run("journal", "list")[1]
    (folder / "current").write_text(GAME)
    assert run("journal", "show", RUNNING)[0] == 0


@pytest.mark.parametrize("name", ["nobody", "../lock", ""])
def test_a_game_that_is_not_there_is_refused_by_name(run, name):
    code, out, why = run("journal", "show", name)
    assert (code, out) == (1, "")
    assert repr(name) in why


def test_a_finished_game_is_shown_an_entry_a_line(run):
    code, out, _ = run("journal", "show", GAME)
    assert code == 0
    assert len(out.splitlines()) == 203
    assert "ready seat=1" in out
    assert "seat 3 has node-11" in out


def test_a_finished_game_is_exported_whole(run, tmp_path):
    target = tmp_path / "game.jsonl"
    assert run("journal", "export", GAME, "--to", target)[0] == 0
    lines = target.read_bytes().splitlines()
    assert [msgspec.json.decode(line, type=Row) for line in lines] == examine(GOLDEN).rows
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    code, _, why = run("journal", "export", GAME, "--to", target)
    assert code == 1
    assert "nothing is overwritten" in why


def test_verify_finds_what_is_damaged_and_what_the_rules_do_not_make(run, data):
    assert run("journal", "verify")[:2] == (0, f"{GAME}  whole\n")
    path = data / "journal" / f"{GAME}.db"
    found = examine(path)
    other = msgspec.structs.replace(found.raw[50], events=b"[]")
    write_journal(path, [*found.raw[:50], other, *found.raw[51:]])
    code, out, why = run("journal", "verify", GAME)
    assert code == 1
    assert "entry 51" in out
    assert GAME in why
    for name in (GAME, RUNNING):
        with contextlib.closing(sqlite3.connect(data / "journal" / f"{name}.db")) as db, db:
            db.execute("update entry set body = x'00' where number = 60")
    code, out, why = run("journal", "verify")
    assert code == 1
    assert out.splitlines() == [f"{GAME}  damaged", f"{RUNNING}  damaged"]


def test_finished_games_are_copied_to_a_folder_and_the_running_one_is_not(run, data, tmp_path):
    target = tmp_path / "stick"
    code, out, _ = run("backup", "--to", target)
    assert (code, out) == (0, f"{target / GAME}.db\n")
    assert [path.name for path in target.iterdir()] == [f"{GAME}.db"]
    assert examine(target / f"{GAME}.db").rows == examine(GOLDEN).rows
    assert stat.S_IMODE((target / f"{GAME}.db").stat().st_mode) == 0o600
    # What is there already is not copied twice, and nothing else is overwritten.
    assert run("backup", "--to", target)[:2] == (0, "")
    (target / f"{GAME}.db").write_bytes(b"something of theirs")
    code, _, why = run("backup", "--to", target)
    assert code == 1
    assert "nothing is overwritten" in why
    assert (target / f"{GAME}.db").read_bytes() == b"something of theirs"


def test_the_running_game_is_copied_to_the_tables_own_backups(run, data):
    code, out, _ = run("backup")
    assert code == 0
    copy = Path(out.strip())
    assert copy.parent == data / "journal" / "backups"
    assert len(examine(copy).rows) == KEPT
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert stat.S_IMODE(copy.parent.stat().st_mode) == 0o700


def test_a_backup_is_put_back_and_the_table_goes_on_with_it(run, data, tmp_path):
    copy = Path(run("backup")[1].strip())
    kept = tmp_path / "kept.db"
    shutil.copyfile(copy, kept)
    path = data / "journal" / f"{RUNNING}.db"
    write_journal(path, examine(path).raw[:20])
    code, out, _ = run("restore", kept)
    assert code == 0
    before = Path(out.splitlines()[0])
    assert before.name.endswith(f"{RUNNING}.restore.db")
    assert len(examine(before).rows) == 20
    with contextlib.closing(Journals(data / "journal")) as journals:
        journal = journals.current()
        assert journals.losses == []
        assert len(list(journal.rows())) == KEPT
        journal.close()


@pytest.mark.parametrize("content", [b"", b"\0" * 8192, b"no journal"])
def test_what_is_not_whole_is_never_put_back(run, data, tmp_path, content):
    bad = tmp_path / "bad.db"
    bad.write_bytes(content)
    before = (data / "journal" / f"{RUNNING}.db").read_bytes()
    code, _, why = run("restore", bad)
    assert code == 1
    assert "bad.db" in why
    assert (data / "journal" / f"{RUNNING}.db").read_bytes() == before


def test_a_backup_of_a_newer_program_is_never_put_back(run, tmp_path):
    newer = tmp_path / "newer.db"
    shutil.copyfile(GOLDEN, newer)
    with contextlib.closing(sqlite3.connect(newer, isolation_level=None)) as db:
        db.execute(f"pragma user_version={FORMAT + 1}")
    code, _, why = run("restore", newer)
    assert code == 1
    assert "newer program" in why


@pytest.mark.parametrize("command", [("backup",), ("restore", GOLDEN)])
def test_while_a_table_runs_nothing_is_copied_or_put_back(run, played, command):
    code, _, why = run(*command)
    assert code == 1
    assert "another table program" in why


def test_without_a_tables_data_that_is_said(tmp_path):
    for command in (("journal", "list"), ("backup",)):
        done = CliRunner().invoke(table, [*command, "--data", str(tmp_path / "no")])
        assert done.exit_code == 1
        assert "there is none" in done.stderr


def test_nothing_is_copied_to_where_others_can_read_it(run, tmp_path, monkeypatch):
    """A stick with a FAT gives every file the rights of its mount."""

    @contextlib.contextmanager
    def on_a_fat(path):
        scratch = path.with_suffix(".new")
        scratch.touch(0o644)
        yield scratch

    monkeypatch.setattr("table_controller.commands.private_file.scratch_file", on_a_fat)
    target = tmp_path / "stick"
    code, out, why = run("backup", "--to", target)
    assert (code, out) == (1, "")
    assert "others could read it there" in why
    assert not (target / f"{GAME}.db").exists()

"""``mafia-table export``, ``import``, and what ``backup`` and ``restore`` do with the league."""

import contextlib
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.clock import SystemClock
from table_controller.__main__ import table
from table_controller.commands.archive import COPIES
from table_controller.league import FILE, Entry, open_league


def run(data, *arguments):
    done = CliRunner().invoke(table, [*map(str, arguments), "--data", str(data)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, done.stderr


def names(data):
    with contextlib.closing(open_league(data / FILE, SystemClock())) as league:
        return [each.name for each in league.find()]


def with_players(folder, *wanted):
    (folder / "journal").mkdir(parents=True)
    with contextlib.closing(open_league(folder / FILE, SystemClock())) as league:
        for each in wanted:
            league.players.add(Entry(each))
    return folder


@pytest.fixture
def data(tmp_path):
    return with_players(tmp_path / "data", "Anna", "Борис")


def test_a_league_moves_to_another_machine_by_one_private_file(data, tmp_path):
    file, other = tmp_path / "league.json", with_players(tmp_path / "other")
    assert run(data, "export", file)[:2] == (0, f"{file}\n")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    code, out, told = run(other, "import", file)
    assert (code, out) == (0, f"{file} is read in\n")
    assert "  player: 2" in told.splitlines()
    assert names(other) == ["Anna", "Борис"]
    # Nothing is overwritten without being asked for.
    assert run(data, "export", file)[0] == 1
    code, out, _ = run(other, "import", file)
    assert (code, out) == (1, "")
    code, out, _ = run(other, "import", file, "--replace")
    assert code == 0
    assert Path(out.splitlines()[0]).parent == other / COPIES


def test_a_file_that_is_none_changes_nothing(data, tmp_path):
    file = tmp_path / "x.json"
    file.write_text("{}")
    code, _, _ = run(data, "import", file, "--replace")
    assert code == 1
    assert names(data) == ["Anna", "Борис"]
    assert run(tmp_path / "nowhere", "import", file)[0] == 1


def test_a_backup_has_the_league_and_restore_puts_it_back(data, tmp_path):
    code, out, _ = run(data, "backup", "--to", tmp_path / "stick")
    copy = Path(out.splitlines()[-1])
    assert (code, copy.parent) == (0, tmp_path / "stick")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    run(data, "players", "rename", "Anna", "Clara")
    code, out, _ = run(data, "restore", copy)
    assert code == 0
    assert names(data) == ["Anna", "Борис"]
    # What it took the place of is kept, and is as good a copy.
    kept = Path(out.splitlines()[0])
    assert run(data, "restore", kept)[0] == 0
    assert names(data) == ["Clara", "Борис"]


def test_the_tables_own_copies_are_kept_to_a_number(data, monkeypatch):
    monkeypatch.setattr("table_controller.commands.archive.KEPT", 3)
    for _ in range(5):
        # There is no game: that is told, and the league is copied all the same.
        assert run(data, "backup")[0] == 1
    assert len(list((data / COPIES).iterdir())) == 3


def test_a_table_without_a_league_gets_none_by_a_backup(tmp_path):
    (tmp_path / "data" / "journal").mkdir(parents=True)
    assert run(tmp_path / "data", "backup", "--to", tmp_path / "stick")[:2] == (0, "")
    assert not (tmp_path / "data" / FILE).exists()

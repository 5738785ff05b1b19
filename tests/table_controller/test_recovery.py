"""A journal that a disk, a plug or a newer program did something to."""

import contextlib
import datetime
import shutil
import sqlite3
import stat
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.words import LANGUAGES, catalogue
from table_controller.game import Phase, Winner, actions
from table_controller.record.backups import Backups, Reason
from table_controller.record.entries import FORMAT, UPGRADERS, Acted, Started, Swapped, Undone
from table_controller.record.examine import examine, finished
from table_controller.record.journals import KEPT_ASIDE, Journals, LossKind
from table_controller.record.notes import Note, write_note

GOLDEN = Path(__file__).parents[1] / "golden" / "journals"
UTC = datetime.datetime(2026, 1, 2, 20, 0, 0, tzinfo=datetime.UTC)
PAGE = 4096


@pytest.fixture
def folder(tmp_path):
    """A table's folder, whose last game is the golden one."""
    folder = tmp_path / "journal"
    folder.mkdir()
    found = examine(GOLDEN / f"{FORMAT}.db")
    shutil.copyfile(GOLDEN / f"{FORMAT}.db", folder / f"{found.start.game}.db")
    (folder / "current").write_text(found.start.game)
    return folder


@pytest.fixture
def path(folder):
    return next(folder.glob("*.db"))


@pytest.fixture
def boot(folder):
    """Starts a table on the folder; returns the rows that it goes on with, and what it lost."""

    def start():
        with contextlib.closing(Journals(folder)) as journals:
            journal = journals.current()
            rows = list(journal.rows()) if journal else None
            if journal:
                # It can be played on.
                journal.append(Swapped(1, "node-12"), (), UTC)
                journal.close()
            return rows, journals.losses

    return start


@pytest.fixture
def whole():
    return examine(GOLDEN / f"{FORMAT}.db").rows


def spoil(path, offset, content):
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(content)


def change(path, statement, *values):
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(statement, values)
    db.close()


# ---- formats ----


def test_there_is_a_golden_journal_of_each_format_and_an_upgrader_of_all_but_the_last():
    assert {path.stem for path in GOLDEN.glob("*.db")} == {str(n) for n in range(1, FORMAT + 1)}
    assert set(UPGRADERS) == set(range(1, FORMAT))


@pytest.mark.parametrize("form", range(1, FORMAT + 1))
def test_a_golden_journal_of_each_format_is_read_to_the_same_end(form, whole):
    found = examine(GOLDEN / f"{form}.db")
    assert (found.form, found.fault, found.strange) == (form, "", 0)
    assert found.rows == whole
    assert found.state.phase is Phase.OVER
    assert found.state.decided is Winner.TOWN
    assert found.state.living == (1, 2, 3, 6, 9, 10)


def test_a_game_begun_by_an_older_program_is_gone_on_with(folder, path, boot, whole):
    shutil.copyfile(GOLDEN / "1.db", path)
    assert boot() == (whole, [])
    with sqlite3.connect(path) as db:
        assert db.execute("pragma user_version").fetchone() == (FORMAT,)
    db.close()


# ---- damage ----


def test_a_whole_journal_loses_nothing(boot, whole):
    assert boot() == (whole, [])


def test_a_torn_tail_costs_what_was_in_it(path, boot, whole):
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.truncate(size - 3 * PAGE)
    rows, (loss,) = boot()
    assert 0 < len(rows) < len(whole)
    assert rows == whole[: len(rows)]
    assert loss.kind is LossKind.ENTRIES
    assert loss.kept_utc == rows[-1].utc
    assert Path(loss.aside).stat().st_size == size - 3 * PAGE


@pytest.mark.parametrize(
    "damage",
    [
        "body = cast(replace(body, '4', '5') as blob)",
        "utc = replace(utc, '18:', '19:')",
        "events = cast(replace(events, '4', '5') as blob)",
        "msgid = 'aaaa:1'",
    ],
)
def test_a_turned_bit_that_still_reads_well_is_found_and_told(path, boot, whole, damage):
    number = next(row.number for row in whole if row.entry == Acted(actions.Ready(4)))
    change(path, f"update entry set {damage} where number = ?", number)
    rows, (loss,) = boot()
    assert rows == whole[: number - 1]
    assert (loss.kind, loss.lost) == (LossKind.ENTRIES, len(whole) - number + 1)


@pytest.mark.parametrize("kept", [1, 40, 150])
def test_a_garbled_entry_ends_the_game_before_it(path, boot, whole, kept):
    change(path, "update entry set body = x'00ff' where number = ?", kept + 1)
    rows, (loss,) = boot()
    assert rows == whole[:kept]
    assert loss.kind is LossKind.ENTRIES


def test_an_entry_that_is_gone_from_the_middle_ends_the_game_before_it(path, boot, whole):
    change(path, "delete from entry where number = 60")
    assert boot()[0] == whole[:59]


@pytest.mark.parametrize("page", range(1, 13))
def test_a_zeroed_page_costs_at_most_what_was_in_it_and_after(path, boot, whole, page):
    spoil(path, page * PAGE, bytes(PAGE))
    rows, (loss,) = boot()
    if rows is None:
        assert loss.kind is LossKind.ALL
    else:
        assert rows == whole[: len(rows)]
        assert (len(rows) == len(whole)) is (loss.kind is LossKind.REPAIRED)


@pytest.mark.parametrize("content", [b"", bytes(PAGE), b"\xff" * PAGE, b"SQLite format 3\0" * 20])
def test_of_a_file_that_is_none_nothing_is_left_and_the_table_starts(path, boot, content, folder):
    path.write_bytes(content)
    rows, (loss,) = boot()
    assert rows is None
    assert loss.kind is LossKind.ALL
    assert Path(loss.aside).read_bytes() == content
    # And it is told once.
    assert boot() == (None, [])


def test_a_missing_file_is_told_and_the_table_starts_in_its_lobby(path, boot):
    path.unlink()
    rows, (loss,) = boot()
    assert rows is None
    assert loss.kind is LossKind.MISSING
    assert boot() == (None, [])


def test_the_longest_good_backup_takes_the_place_of_a_worse_file(folder, path, boot, whole):
    start = examine(path)
    backups = Backups(folder / "backups")
    backups.keep(path.stem, start.raw[:100], Reason.MORNING)
    longest = backups.keep(path.stem, start.raw[:120], Reason.MORNING)
    spoil(backups.keep(path.stem, start.raw[:150], Reason.MORNING), PAGE, bytes(PAGE))
    assert stat.S_IMODE(longest.stat().st_mode) == 0o600
    path.unlink()
    rows, (loss,) = boot()
    assert rows == whole[:120]
    assert (loss.kind, loss.kept_utc) == (LossKind.ENTRIES, whole[119].utc)


def test_a_backup_of_another_game_is_never_taken(folder, path, boot):
    found = examine(path)
    other = replace(found.raw[0], body=found.raw[0].body.replace(b"20260102", b"20250102"))
    Backups(folder / "backups").keep(path.stem, [other, *found.raw[1:50]], Reason.MORNING)
    path.unlink()
    assert boot()[0] is None


def test_a_file_of_a_newer_program_is_kept_aside_and_the_table_starts_in_its_lobby(path, boot):
    change(path, f"pragma user_version={FORMAT + 1}")
    before = path.read_bytes()
    rows, (loss,) = boot()
    assert rows is None
    assert loss.kind is LossKind.NEWER
    assert Path(loss.aside).read_bytes() == before
    assert not path.exists()


def test_a_log_lost_beside_the_file_is_missed(folder, path, boot, whole):
    journals = Journals(folder)
    journal = journals.current()
    for _ in range(3):
        journal.append(Swapped(2, "node-12"), (), UTC)
    write_note(journal.path, Note(entries=journal.entries))
    held = path.read_bytes(), path.with_suffix(".left").read_bytes()
    journal.close()
    journals.close()
    path.write_bytes(held[0])
    path.with_suffix(".left").write_bytes(held[1])
    rows, (loss,) = boot()
    assert rows == whole
    assert (loss.kind, loss.lost) == (LossKind.ENTRIES, 3)


def test_by_night_no_number_tells_how_many_entries_are_lost(path, boot, whole):
    """What is pressed at night makes entries."""
    night = next(
        row.number
        for row in whole
        if isinstance(row.entry, Acted) and isinstance(row.entry.action, actions.PressAtNight)
    )
    change(path, "update entry set body = x'00' where number = ?", night + 1)
    rows, (loss,) = boot()
    assert (len(rows), loss.lost) == (night, 0)
    assert loss.kept_utc in loss.told(catalogue("en"))


@pytest.mark.parametrize("name", [b"", b"\0" * 24, b"\xff\xfe", b"../../etc/passwd"])
def test_where_the_name_of_the_last_game_is_lost_it_is_the_newest(folder, boot, whole, name):
    (folder / "current").write_bytes(name)
    assert boot() == (whole, [])


def test_the_note_of_the_clocks_may_be_anything(path, boot, whole):
    for content in (b"", b"\0\0", b"[1,2]", b'{"entries":"x"}'):
        path.with_suffix(".left").write_bytes(content)
        rows, losses = boot()
        assert (rows[: len(whole)], losses) == (whole, [])


def test_a_repair_that_is_cut_short_loses_nothing_more(folder, path, boot, whole, monkeypatch):
    change(path, "update entry set body = x'00ff' where number = 100")

    def pulled(path, rows):
        raise KeyboardInterrupt

    monkeypatch.setattr("table_controller.record.journals.write_journal", pulled)
    with pytest.raises(KeyboardInterrupt):
        boot()
    monkeypatch.undo()
    assert boot()[0] == whole[:99]


def test_what_the_rules_refuse_is_not_believed(folder, path, boot, whole):
    found = examine(path)
    journals = Journals(folder)
    journal = journals.current()
    journal.append(Acted(actions.Ready(1)), (), UTC)
    journal.append(Undone(7000), (), UTC)
    journal.close()
    journals.close()
    rows, (loss,) = boot()
    assert rows == found.rows
    assert loss.lost == 2


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", list(LossKind))
def test_every_loss_is_told_in_words(kind, language, path, boot):
    path.unlink()
    _, (loss,) = boot()
    text = replace(loss, kind=kind, aside="/x/y", kept_utc="2026").told(catalogue(language))
    assert path.stem in text
    assert "/x/y" in text
    assert "{" not in text


# ---- kept to a number ----


def test_backups_are_kept_to_a_number_the_newest_of_them(folder, monkeypatch):
    monkeypatch.setattr("table_controller.record.backups.KEPT", 5)
    journals = Journals(folder)
    journal = journals.current()
    made = [journals.backups.make(journal, Reason.MORNING) for _ in range(8)]
    journal.close()
    journals.close()
    assert journals.backups.all() == made[3:]


def test_damaged_files_are_kept_to_a_number(folder, path, boot):
    content = path.read_bytes()
    for _ in range(KEPT_ASIDE + 3):
        path.write_bytes(content)
        change(path, "update entry set body = x'00ff' where number = 100")
        boot()
    kept = sorted(each.name for each in (folder / "damaged").iterdir())
    assert len(kept) == KEPT_ASIDE
    assert kept[-1].startswith(f"{KEPT_ASIDE + 3:06d}.")


def test_old_journals_are_kept_to_a_number(folder, path, monkeypatch):
    monkeypatch.setattr("table_controller.record.journals.KEPT_GAMES", 3)
    journals = Journals(folder)
    start = examine(path).start
    for day in range(3, 8):
        game = f"202601{day:02d}-200000-aa"
        journals.create(replace(start, format=FORMAT, game=game), UTC).close()
    assert journals.games() == [f"202601{day:02d}-200000-aa" for day in (5, 6, 7)]
    journals.close()


def test_an_old_journal_that_the_league_has_not_got_stays(folder, path, monkeypatch):
    monkeypatch.setattr("table_controller.record.journals.KEPT_GAMES", 1)
    waiting = {path.stem}
    journals = Journals(folder, waiting.__contains__)
    start = examine(path).start
    for day in (3, 4):
        game = f"202701{day:02d}-200000-aa"
        journals.create(replace(start, format=FORMAT, game=game), UTC).close()
    assert journals.games() == [path.stem, game]
    waiting.clear()
    journals.create(replace(start, format=FORMAT, game="20270105-200000-aa"), UTC).close()
    assert journals.games() == ["20270105-200000-aa"]
    journals.close()


def test_only_a_game_that_is_over_is_finished(folder, path):
    found = examine(path)
    assert finished(found, current=True)
    cut = Backups(folder / "backups").keep(path.stem, found.raw[:-1], Reason.ASKED)
    assert not finished(examine(cut), current=False)
    assert isinstance(found.rows[0].entry, Started)

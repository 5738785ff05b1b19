import datetime
import stat

import pytest
from msgspec.structs import replace

from firmware.errors import JournalError
from table_controller.game import NORMAL, actions, events
from table_controller.record.backups import Reason
from table_controller.record.entries import FORMAT, Acted, Started, Swapped
from table_controller.record.journals import Journals
from table_controller.record.notes import Note, read_note, write_note

UTC = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.UTC)
STARTED = Started(
    format=FORMAT,
    version="0",
    game="20260102-030405-abc",
    ruleset=NORMAL,
    names=tuple("ABCDEFGHIJ"),
    seed="00" * 32,
    nodes=tuple(f"node-{number:02d}" for number in range(1, 11)),
)


@pytest.fixture
def journals(tmp_path):
    journals = Journals(tmp_path / "journal")
    yield journals
    journals.close()


def test_what_was_written_is_read_back(journals):
    journal = journals.create(STARTED, UTC)
    journal.append(Acted(actions.Ready(4)), (events.SeatReady(4),), UTC, "aaaa:1")
    journal.append(Swapped(3, "node-11"), (), UTC)
    journal.close()
    again = journals.current()
    rows = list(again.rows())
    again.close()
    assert [row.entry for row in rows] == [
        STARTED,
        Acted(actions.Ready(4)),
        Swapped(3, "node-11"),
    ]
    assert rows[1].events == (events.SeatReady(4),)
    assert rows[1].msgid == "aaaa:1"
    assert rows[1].utc == "2026-01-02T03:04:05.000+00:00"


def test_one_message_is_never_written_twice(journals):
    journal = journals.create(STARTED, UTC)
    journal.append(Acted(actions.Ready(4)), (), UTC, "aaaa:1")
    with pytest.raises(JournalError, match="msgid"):
        journal.append(Acted(actions.Ready(4)), (), UTC, "aaaa:1")
    journal.close()


def test_a_second_table_on_the_same_journal_is_refused(journals, tmp_path):
    with pytest.raises(JournalError, match="another table program"):
        Journals(tmp_path / "journal")


def test_nobody_else_can_read_it(journals, tmp_path):
    journal = journals.create(STARTED, UTC)
    write_note(journal.path, Note(lefts={1: 2.5}))
    folder = tmp_path / "journal"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(journal.path.stat().st_mode) == 0o600
    journal.close()


def test_without_a_game_there_is_no_current_one(journals):
    assert journals.current() is None


def test_what_was_left_of_the_clocks_is_noted_apart(journals):
    journal = journals.create(STARTED, UTC)
    assert read_note(journal.path) == Note()
    write_note(journal.path, Note(lefts={7: 12.5}))
    assert read_note(journal.path).lefts == {7: 12.5}
    assert len(list(journal.rows())) == 1
    journal.close()


def test_no_file_of_the_journal_is_for_others(tmp_path):
    folder = tmp_path / "journal"
    folder.mkdir(mode=0o755)
    journals = Journals(folder)
    journal = journals.create(STARTED, UTC)
    write_note(journal.path, Note(lefts={1: 2.0}))
    journals.backups.make(journal, Reason.START)
    paths = [folder, *folder.rglob("*")]
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in paths}
    journal.close()
    journals.close()
    assert any(path.parent.name == "backups" for path in paths)
    assert modes == {path: 0o700 if path.is_dir() else 0o600 for path in paths}


def test_a_game_whose_first_entry_the_disk_refuses_leaves_nothing_behind(
    journals, tmp_path, monkeypatch
):
    first = journals.create(STARTED, UTC)
    first.close()

    def full(journal, *arguments):
        raise JournalError("database or disk is full")

    monkeypatch.setattr("table_controller.record.journal.Journal.append", full)
    with pytest.raises(JournalError):
        journals.create(replace(STARTED, game="20260102-040000-def"), UTC)
    assert journals.current_game() == STARTED.game
    assert journals.games() == [STARTED.game]
    assert list((tmp_path / "journal").glob("*def*")) == []

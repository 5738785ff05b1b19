"""A table that starts after its disk has failed it: it says so, and the evening goes on."""

import logging
import sqlite3

import pytest

from table_controller.game import Phase, actions
from table_controller.host.notices import NoticeKind
from table_controller.scoreboard.board import Notice


@pytest.fixture
def record(rig):
    """The journal of the rig's game, in its first day."""
    rig.to_first_day()
    rig.end_floor(rig.state.floor)
    rig.advance(5)
    return rig.table.playing._journal.path


@pytest.fixture
def again(rig, caplog):
    """Starts the table again; returns what the host is told."""

    def start():
        with caplog.at_level(logging.WARNING):
            rig.start_table()
            rig.settle()
        told = [each for each in rig.table.notices.all if each.kind is NoticeKind.RECORD]
        assert all(each.text in caplog.text for each in told)
        return [each.text for each in told]

    return start


def spoil(path, number):
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("update entry set body = x'00ff' where number = ?", (number,))
    db.close()


def test_a_lost_end_is_told_and_the_game_goes_on_from_before_it(rig, record, again):
    floor, entries = rig.state.floor, rig.table.playing._journal.entries
    rig.kill_table()
    spoil(record, entries)
    (text,) = again()
    assert "the last 1 entries" in text
    assert rig.show.notice is Notice.RECORD_LOST
    assert rig.show.board.notice is Notice.RECORD_LOST
    assert rig.state.paused
    assert rig.state.floor != floor
    rig.all_hold()
    assert not rig.state.paused
    assert rig.show.notice is Notice.NONE
    rig.end_floor(rig.state.floor)
    assert rig.state.floor == floor


def test_a_lost_file_is_taken_from_its_last_backup(rig, record, again):
    names, roles = rig.show.names, rig.state.roles
    rig.kill_table()
    record.unlink()
    (text,) = again()
    assert "goes on as it stood" in text
    assert (rig.show.names, rig.state.roles, rig.state.paused) == (names, roles, True)
    rig.all_hold()
    rig.until_phase(Phase.SPEECH)


def test_when_nothing_is_left_the_table_starts_in_its_lobby_and_plays(rig, record, again):
    game = rig.show.started.game
    rig.kill_table()
    for path in (record, *rig.journals.backups.all()):
        path.write_bytes(bytes(path.stat().st_size))
    (text,) = again()
    assert game in text
    assert "nothing of it could be read" in text
    assert rig.state is None
    rig.advance(1)
    rig.start_game()
    rig.until_phase(Phase.SPEECH)
    assert rig.show.notice is Notice.NONE


def test_a_journal_of_a_newer_program_is_told_and_kept(rig, record, again):
    rig.kill_table()
    db = sqlite3.connect(record, isolation_level=None)
    db.execute("pragma user_version=99")
    db.close()
    (text,) = again()
    assert "a newer program wrote it" in text
    assert rig.state is None
    assert list((rig.folder / "damaged").iterdir())


def test_a_whole_journal_is_no_news(rig, record, again):
    rig.kill_table()
    assert again() == []
    assert rig.show.notice is Notice.RESTARTED


def test_a_game_ended_after_a_restart_is_not_called_paused(rig, record, again):
    rig.kill_table()
    again()
    rig.table.playing.act(actions.Void(), rig.now_s)
    assert rig.phase is Phase.OVER
    assert rig.show.notice is Notice.NONE


def test_entries_lost_at_night_are_told_without_their_number(rig, record, again):
    while rig.phase is Phase.SPEECH:
        rig.end_floor(rig.state.floor)
    rig.until_phase(Phase.CALLING)
    rig.advance(6)
    entries = rig.table.playing._journal.entries
    rig.kill_table()
    spoil(record, entries - 1)
    (text,) = again()
    assert "the last" not in text
    assert rig.state.paused

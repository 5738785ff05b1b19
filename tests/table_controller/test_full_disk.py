"""The disk takes nothing: the game stands still, clearly, and goes on when it does again."""

import stat

import pytest

from firmware.errors import JournalError
from seat_node.face import Reply
from table_controller.game import SEATS, CountdownKind, Phase, actions, replay
from table_controller.host.notices import NoticeKind
from table_controller.host.orders import HostOrder
from table_controller.record.entries import Acted
from table_controller.record.examine import examine, finished
from table_controller.record.journal import Journal
from table_controller.record.journals import Journals
from table_controller.scoreboard.board import Notice


class Disk:
    full = False


@pytest.fixture
def disk(monkeypatch):
    """A disk that can be full: everything that writes to it is told so."""
    disk = Disk()

    def refusing(method):
        def write(*arguments, **options):
            if disk.full:
                raise JournalError("database or disk is full")
            return method(*arguments, **options)

        return write

    monkeypatch.setattr(Journal, "append", refusing(Journal.append))
    monkeypatch.setattr(Journal, "backup", refusing(Journal.backup))
    monkeypatch.setattr(Journals, "check_room", refusing(Journals.check_room))
    return disk


def journalled(rig):
    """The state that a table would come to which is started now."""
    journal = rig.table.playing._journal
    first, *rows = journal.rows()
    return replay(first.entry.ruleset, [row.entry.action for row in rows])


def notices(rig):
    return [notice.kind for notice in rig.table.notices.all]


def test_a_clock_that_runs_out_on_a_full_disk_stops_the_game_in_a_clear_state(rig, disk):
    rig.to_first_day()
    before = journalled(rig)
    disk.full = True
    rig.advance(120)
    assert rig.show.notice is Notice.DISK_FULL
    assert rig.show.board.notice is Notice.DISK_FULL
    assert rig.show.board.game.paused
    assert not any(clock.runs for clock in rig.show.board.clocks)
    assert {rig.seats[seat].face.scene for seat in SEATS} == {"paused"}
    assert (rig.phase, rig.state.floor) == (Phase.SPEECH, before.floor)
    assert journalled(rig) == before
    assert notices(rig) == [NoticeKind.DISK_FULL]


def test_with_room_again_the_pause_is_journalled_and_all_go_on_by_holding(rig, disk):
    rig.to_first_day()
    floor = rig.state.floor
    disk.full = True
    rig.advance(70)
    disk.full = False
    rig.advance(1.5)
    assert rig.show.notice is Notice.NONE
    assert rig.state.paused
    assert journalled(rig) == rig.state
    assert notices(rig) == [NoticeKind.DISK_FULL, NoticeKind.DISK_TAKES]
    rig.all_hold()
    assert not rig.state.paused
    # The clock had run out when the disk refused: nobody got more time than the others.
    rig.advance(0.5)
    assert rig.state.floor != floor
    assert journalled(rig) == rig.state


def test_a_press_on_a_full_disk_waits_at_its_node_and_is_answered_when_there_is_room(rig, disk):
    rig.to_first_day()
    floor = rig.state.floor
    disk.full = True
    other = next(seat for seat in SEATS if seat != floor)
    rig.shout(other)
    rig.advance(3)
    assert rig.seats[other].face.reply is Reply.WAITING
    assert rig.show.notice is Notice.DISK_FULL
    disk.full = False
    rig.advance(3)
    assert rig.seats[other].face.reply not in (Reply.PRESSED, Reply.WAITING)
    assert journalled(rig) == rig.state


def test_a_vote_that_the_disk_refused_counts_once_when_there_is_room(rig, disk):
    rig.to_first_day()
    speaker = rig.state.floor
    rig.table.playing.act(actions.Nominate(speaker, 4), rig.now_s)
    rig.end_floor(speaker)
    second = rig.state.floor
    rig.table.playing.act(actions.Nominate(second, 5), rig.now_s)
    while rig.phase is Phase.SPEECH:
        rig.end_floor(rig.state.floor)
    rig.until(lambda: rig.state.clock and rig.state.clock.kind is CountdownKind.BALLOT)
    rig.press(2)
    candidate = dict(rig.state.ballot.votes)[2]
    disk.full = True
    rig.press(3)
    before = journalled(rig)
    rig.advance(20)
    assert rig.state.paused
    assert journalled(rig) == before
    disk.full = False
    rig.advance(3)
    # RULES 1.17: votes on their way when the table paused still count.
    assert dict(rig.state.ballot.votes) == {2: candidate, 3: candidate}
    assert len(rig.state.ballot.votes) == 2
    rig.all_hold()
    rig.until_phase(Phase.FAREWELL, Phase.CALLING, Phase.NIGHTFALL, Phase.TIE_SPEECH)
    assert journalled(rig) == rig.state


def test_the_host_is_told_why_an_order_is_refused(rig, disk):
    rig.to_first_day()
    disk.full = True
    replies = []
    for action in (actions.Void(), actions.Void()):
        rig.inbox.put(HostOrder(action, replies.append))
    rig.settle()
    assert len(replies) == 2
    assert all("disk" in reply for reply in replies)
    assert rig.phase is Phase.SPEECH


def test_no_game_begins_on_a_full_disk_and_one_does_when_there_is_room(rig, disk, clock):
    disk.full = True
    rig.all_hold()
    assert rig.state is None
    rig.advance(10)
    assert notices(rig) == [NoticeKind.DISK_FULL]
    assert list(rig.folder.glob("*.db")) == []
    disk.full = False
    rig.advance(1.5)
    rig.start_game()
    assert rig.state is not None
    assert rig.phase is not Phase.SEATING


def test_a_full_disk_at_night_stops_the_night_and_its_round_is_called_again(rig, disk):
    rig.start_game()
    rig.until_phase(Phase.SPEECH)
    while rig.phase is Phase.SPEECH:
        rig.end_floor(rig.state.floor)
    rig.until_phase(Phase.CALLING)
    rig.advance(4)
    disk.full = True
    rig.advance(30)
    assert rig.state.paused
    before = journalled(rig)
    disk.full = False
    rig.advance(1.5)
    rig.all_hold()
    rig.until(lambda: not rig.state.paused)
    assert rig.state.call is not None
    assert len(before.nights) == len(rig.state.nights)
    rig.until_phase(Phase.SPEECH, Phase.FAREWELL)
    assert journalled(rig) == rig.state


def test_the_loop_does_not_spin_while_the_disk_is_full(rig, disk):
    for start in (lambda: None, rig.to_first_day):
        disk.full = False
        rig.advance(2)
        start()
        disk.full = True
        rig.advance(90 if rig.state else 1)
        if rig.state is None:
            rig.all_hold()
        rig.settle()
        assert rig.table.next_due_s() > rig.now_s
        disk.full = False
        rig.advance(2)


def test_a_table_killed_while_its_disk_was_full_comes_back_to_the_same_pause(rig, disk):
    rig.to_first_day()
    disk.full = True
    rig.advance(70)
    paused = rig.state
    rig.kill_table()
    disk.full = False
    rig.start_table()
    rig.settle()
    assert rig.state == paused


def test_a_deal_that_the_disk_refused_is_made_when_the_game_goes_on_after_a_restart_too(
    rig, monkeypatch
):
    rig.all_hold()
    rig.press(*SEATS[:9])
    append, full = Journal.append, [True]

    def refusing(journal, entry, *arguments):
        if full[0] and entry != Acted(actions.Ready(10)):
            raise JournalError("database or disk is full")
        append(journal, entry, *arguments)

    monkeypatch.setattr(Journal, "append", refusing)
    rig.press(10)
    assert (rig.phase, rig.state.paused) == (Phase.DEALING, True)
    full[0] = False
    rig.advance(2.0)
    rig.kill_table()
    rig.start_table()
    rig.advance(3.0)
    assert (rig.phase, rig.state.paused) == (Phase.DEALING, True)
    rig.all_hold()
    assert rig.phase is Phase.LOOK


def test_a_table_that_starts_on_a_full_disk_takes_up_its_game_when_there_is_room(rig, disk):
    rig.to_first_day()
    floor = rig.state.floor
    rig.kill_table()
    disk.full = True
    rig.start_table()
    rig.advance(5)
    assert rig.show.notice is Notice.DISK_FULL
    disk.full = False
    rig.advance(1.5)
    assert (rig.state.floor, rig.state.paused) == (floor, True)
    assert journalled(rig) == rig.state
    rig.all_hold()
    rig.end_floor(floor)
    assert rig.state.floor != floor


def test_backups_are_made_at_the_start_each_morning_and_at_the_end(rig):
    rig.to_first_day()
    rig.table.playing.act(actions.Void(), rig.now_s)
    backups = rig.journals.backups.of(rig.show.started.game)
    assert [path.name.split(".")[2] for path in backups] == ["start", "morning", "end"]
    assert finished(examine(backups[-1]), current=False)


def test_a_morning_makes_a_backup(rig):
    rig.to_first_day()
    while rig.phase is Phase.SPEECH:
        rig.end_floor(rig.state.floor)
    rig.until_phase(Phase.SPEECH)
    assert rig.state.day == 2
    newest = rig.journals.backups.all()[-1]
    assert newest.name.endswith(".morning.db")
    assert stat.S_IMODE(newest.stat().st_mode) == 0o600


def test_without_room_for_a_backup_the_game_goes_on(rig, monkeypatch):
    def full(journal, path):
        raise JournalError("database or disk is full")

    monkeypatch.setattr(Journal, "backup", full)
    rig.to_first_day()
    assert rig.show.notice is Notice.NONE

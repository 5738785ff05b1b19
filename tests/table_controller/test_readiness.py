"""The readiness round before the first deal."""

import sqlite3

import pytest

from firmware.wire import CUE_SIZE, Button, Lamp, PressMode, Status, TopicKind, encode
from firmware.words import LANGUAGES, catalogue
from seat_node.face import Reply
from seat_node.reports import Chair, Empty, Presence, Sight
from table_controller import aside_cues
from table_controller.game import NORMAL, SEATS, Phase, actions
from table_controller.host.orders import GoOn, HostOrder, Practice, SkipReadiness, Swap
from table_controller.practice import CANDIDATES, RESULT_S, PracticeBallot
from table_controller.readiness import ButtonState, CameraState, SeatReadiness, Stage
from tests.table_controller.conftest import Rig, SeatOnTheRig

READING_S = 4.0
"""Two names are read, 2.0 s each."""


@pytest.fixture
def rig(tmp_path, clock):
    """A table of a club that has the round."""
    rig = Rig(tmp_path / "journal", clock, readiness=True)
    yield rig
    rig.table.playing.close()
    rig.journals.close()


def order(rig, what):
    answers = []
    rig.table.take(HostOrder(what, answers.append))
    rig.settle()
    return answers[0]


def view(rig):
    return rig.table.asides.readiness.view()


def stage(rig):
    return rig.table.asides.readiness.stage


def scenes(rig):
    return {rig.seats[seat].face.scene for seat in SEATS}


def check(rig, *seats):
    """Press both buttons on *seats*."""
    rig.press(*seats)
    rig.press(*seats, button=Button.SHOUT)


def to_practice(rig):
    rig.all_hold()
    check(rig, *SEATS)
    assert stage(rig) is Stage.PRACTICE


def to_ready(rig):
    to_practice(rig)
    rig.until(lambda: stage(rig) is Stage.READY)


def journal_rows(rig):
    with sqlite3.connect(next(rig.folder.glob("*.db"))) as db:
        return db.execute("select count(*) from entry").fetchone()[0]


# ---- the check ----


def test_before_the_first_deal_each_seat_asks_for_both_buttons_under_its_name(rig):
    rig.all_hold()
    assert rig.phase is Phase.SEATING
    assert scenes(rig) == {"check"}
    assert {rig.seats[seat].face.title for seat in SEATS} == set(rig.terms.names)
    assert rig.seats[3].face.lines == ("Press VOTE", "Press SHOUT", "No camera")
    rig.press(3)
    assert rig.seats[3].face.lines == ("✓ VOTE", "Press SHOUT", "No camera")
    assert rig.seats[3].face.reply is Reply.ACCEPTED
    rig.press(3, button=Button.SHOUT)
    assert rig.seats[3].face.lines == ("✓ VOTE", "✓ SHOUT", "No camera")
    assert rig.seats[4].face.lines[0] == "Press VOTE"


def test_a_vote_of_the_check_makes_nobody_ready_for_the_deal(rig):
    rig.all_hold()
    rig.press(*SEATS)
    rig.press(*SEATS)
    assert rig.state.ready == ()
    assert rig.phase is Phase.SEATING


def test_the_hold_that_began_the_game_is_no_press_of_the_check(rig):
    rig.all_hold()
    rig.advance(1.0)
    assert all(seat.vote is ButtonState.MISSING for seat in view(rig).seats)


def test_a_vote_that_is_held_counts_when_it_comes_up(rig):
    rig.all_hold()
    rig.down(3)
    rig.advance(1.5)
    assert view(rig).seats[2].vote is ButtonState.MISSING
    rig.up(3)
    rig.advance(0.2)
    assert view(rig).seats[2].vote is ButtonState.PRESSED


def test_a_jammed_vote_is_told_and_does_not_pass(rig):
    rig.all_hold()
    rig.down(3)
    rig.advance(45.0)
    assert view(rig).seats[2].vote is ButtonState.STUCK
    assert rig.seats[3].face.lines[0] == "VOTE is stuck"
    check(rig, *(seat for seat in SEATS if seat != 3))
    rig.press(3, button=Button.SHOUT)
    assert stage(rig) is Stage.CHECK
    assert rig.show.board.readiness.missing[2] == ("vote",)


def test_the_host_reads_who_is_missing_what(rig):
    rig.all_hold()
    check(rig, 1, 2)
    rig.press(3)
    seats = {seat.seat: seat for seat in view(rig).seats}
    assert (seats[1].missing, seats[3].missing, seats[4].missing) == (
        (),
        (Button.SHOUT,),
        (Button.VOTE, Button.SHOUT),
    )
    assert seats[3].name == rig.seats[3].face.title
    assert (seats[3].user, seats[3].online, seats[3].ready) == ("node-03", True, False)
    rig.broker.lose("node-03")
    rig.settle()
    assert not view(rig).seats[2].online


def test_the_scoreboard_shows_who_is_missing_what_and_nothing_of_it_after_the_deal(rig):
    rig.all_hold()
    check(rig, 1)
    rig.press(2)
    board = rig.show.board.readiness
    assert board.stage == "check"
    assert board.missing[:3] == ((), ("shout",), ("vote", "shout"))
    check(rig, *SEATS)
    assert rig.show.board.readiness.stage == "practice"
    assert rig.show.board.readiness.missing == ()
    rig.until(lambda: stage(rig) is Stage.READY)
    assert rig.show.board.readiness is None
    rig.press(*SEATS)
    assert rig.phase is Phase.LOOK
    assert rig.show.board.readiness is None
    assert view(rig) is None


def test_a_seat_without_a_shout_button_needs_vote_alone(rig):
    status = Status(online=True, boot=f"{5:08x}", version="0.1.0", parts=("lamp", "screen"))
    rig.seats[5].link.publish(rig.topics.of(TopicKind.STATUS, "node-05"), encode(status))
    rig.settle()
    rig.all_hold()
    assert rig.seats[5].face.lines == ("Press VOTE", "No camera")
    assert view(rig).seats[4].shout is ButtonState.NOT_FITTED
    rig.press(*SEATS)
    rig.press(*(seat for seat in SEATS if seat != 5), button=Button.SHOUT)
    assert stage(rig) is Stage.PRACTICE


def test_the_camera_is_told_in_words_and_is_not_waited_for(rig):
    status = Status(
        online=True, boot=f"{5:08x}", version="0.1.0", parts=("shout", "screen", "eyes")
    )
    rig.seats[5].link.publish(rig.topics.of(TopicKind.STATUS, "node-05"), encode(status))
    rig.settle()
    rig.all_hold()
    assert rig.seats[5].face.lines[-1] == "Camera: is looking"
    seat = rig.seats[5].inbox
    seat.put(Sight("dark", 3.0, 100.0))
    rig.advance(11.0)
    assert rig.seats[5].face.lines[-1] == "Camera: too dark"
    seat.put(Sight("ok", 3.0, 100.0))
    left_s = rig.now_s
    seat.put(Chair(Presence.AWAY, left_s))
    for _ in range(11):
        rig.advance(1.0)
        seat.put(Empty(left_s, rig.now_s))
    assert rig.seats[5].face.lines[-1] == "Camera: sees nobody"
    assert view(rig).seats[4].camera is CameraState.EMPTY
    seat.put(Chair(Presence.PRESENT, rig.now_s))
    rig.advance(0.1)
    assert rig.seats[5].face.lines[-1] == "Camera: sees you"
    seat.put(Sight("dead", 0.0, 0.0))
    seat.put(Chair(Presence.UNKNOWN, rig.now_s))
    rig.advance(11.0)
    assert rig.seats[5].face.lines[-1] == "Camera: does not work"
    check(rig, *SEATS)
    assert stage(rig) is Stage.PRACTICE


@pytest.mark.parametrize(
    ("aim", "camera", "line"),
    [
        ("good", CameraState.SEES, "Camera: sees you"),
        ("closer", CameraState.CLOSER, "Camera: move closer"),
        ("farther", CameraState.FARTHER, "Camera: move back"),
        ("left", CameraState.EDGE, "Camera: aim it at you"),
        ("dark", CameraState.DARK, "Camera: too dark"),
    ],
)
def test_a_camera_that_sees_its_player_badly_says_what_to_do(rig, aim, camera, line):
    status = Status(
        online=True, boot=f"{5:08x}", version="0.1.0", parts=("shout", "screen", "eyes")
    )
    rig.seats[5].link.publish(rig.topics.of(TopicKind.STATUS, "node-05"), encode(status))
    rig.settle()
    rig.all_hold()
    rig.seats[5].inbox.put(Chair(Presence.PRESENT, rig.now_s))
    rig.seats[5].inbox.put(Sight("ok", 3.0, 100.0, aim))
    rig.advance(11.0)
    assert view(rig).seats[4].camera is camera
    assert rig.seats[5].face.lines[-1] == line


def test_what_another_device_has_shown_counts_for_that_device_alone(rig):
    rig.all_hold()
    check(rig, *SEATS[:9])
    assert order(rig, Swap(1, "node-11")) == ""
    assert view(rig).seats[0].vote is ButtonState.MISSING
    check(rig, 10)
    assert stage(rig) is Stage.CHECK
    assert order(rig, Swap(1, "node-01")) == ""
    assert stage(rig) is Stage.PRACTICE


def test_of_two_devices_with_one_name_the_one_that_plays_presses_for_the_seat(rig):
    first = rig.seats[3]
    second = rig.seats[103] = SeatOnTheRig(rig, "node-03", "bbbbbbbb")
    second.link.__enter__()
    rig.settle()
    for each in (first, second):
        if not each.link.linked and not each.link.away:
            each.link.__enter__()
            rig.settle()
    rig.all_hold(103, *(seat for seat in SEATS if seat != 3))
    assert (first.face.scene, second.face.scene) == ("taken", "check")
    check(rig, 3)
    assert view(rig).seats[2].missing == (Button.VOTE, Button.SHOUT)
    check(rig, 103)
    assert view(rig).seats[2].missing == ()


def test_a_lost_seat_holds_the_round_up_until_the_host_goes_on(rig):
    rig.all_hold()
    rig.broker.lose("node-03")
    check(rig, *(seat for seat in SEATS if seat != 3))
    rig.advance(60.0)
    assert stage(rig) is Stage.CHECK
    assert any("Seat 3" in notice.text for notice in rig.table.notices.all)
    assert order(rig, GoOn()) == ""
    assert stage(rig) is Stage.PRACTICE


def test_the_host_practises_without_those_who_are_missing(rig):
    rig.all_hold()
    check(rig, 1, 2)
    assert order(rig, Practice()) == ""
    assert scenes(rig) == {"practice"}
    rig.until(lambda: stage(rig) is Stage.READY)
    assert view(rig).seats[4].missing == (Button.VOTE, Button.SHOUT)


def test_a_press_of_the_check_that_the_link_held_back_makes_nobody_ready(rig):
    rig.all_hold()
    rig.broker.lose("node-03")
    rig.press(3)
    assert order(rig, SkipReadiness()) == ""
    rig.advance(5.0)
    rig.broker.restore("node-03")
    rig.advance(5.0)
    assert rig.seats[3].face.scene == "seating"
    assert rig.state.ready == ()
    assert view(rig).seats[2].vote is ButtonState.PRESSED
    rig.press(3)
    assert rig.state.ready == (3,)


# ---- the practice ----


def test_a_practice_is_called_in_the_times_of_a_real_vote(rig):
    to_practice(rig)
    ballot = rig.table.asides.readiness.ballot
    seen = []

    def look():
        now = (ballot.number, rig.seats[9].face.title)
        if not seen or seen[-1][0] != now:
            seen.append((now, rig.now_s))
        return stage(rig) is Stage.READY

    began_s = ballot.since_s
    rig.until(look)
    assert [title for (_, title), _ in seen[:5]] == ["Practice", "1", "Practice", "2", "Practice"]
    ends = [at_s - began_s for _, at_s in seen[1:]]
    rules = rig.state.ruleset
    first_s = READING_S + rules.ballot_s
    wanted = [READING_S, first_s, first_s + rules.ballot_gap_s]
    wanted.append(wanted[-1] + rules.ballot_s)
    wanted.append(wanted[-1] + RESULT_S)
    assert ends == pytest.approx(wanted, abs=0.11)


def test_a_practice_is_marked_as_one_and_lights_the_lamp_of_the_called(rig):
    to_practice(rig)
    face = rig.seats[9].face
    assert "Practice: it counts for nothing" in face.lines
    rig.until(lambda: rig.seats[9].face.title == "1")
    assert "Practice" in rig.seats[9].face.lines
    lamps = [rig.seats[seat].face.lamp for seat in SEATS]
    assert lamps[:3] == [Lamp.FAST, Lamp.BLINK, Lamp.OFF]
    assert rig.seats[9].face.press is PressMode.EDGE


def test_a_practice_is_called_by_the_voice(rig):
    to_practice(rig)
    rig.until(lambda: stage(rig) is Stage.READY)
    said = [(phrase.name, phrase.number, phrase.call) for phrase in rig.room.heard]
    assert said == [("practice", 0, False), ("candidate", 1, True), ("candidate", 2, True)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_cue_beside_a_game_fits_its_one_size(language):
    words, long = catalogue(language), "Щ" * 24
    for vote in ButtonState:
        for camera in CameraState:
            seat = SeatReadiness(10, long, "node-10", True, vote, vote, camera, False)
            assert len(encode(aside_cues.check(seat, words), CUE_SIZE)) == CUE_SIZE
    ballot = PracticeBallot(NORMAL, lambda length_s: length_s, 0.0)
    shown = []
    while not ballot.over:
        ballot.press(1, (ballot.since_s, ballot.since_s))
        shown += [aside_cues.practice(seat, ballot, words, ballot.since_s) for seat in SEATS]
        ballot.tick(ballot.due_s)
    shown += [aside_cues.place(10, placed, words) for placed in (0, 10)]
    shown += [aside_cues.identify(each, 10, "node-10") for each in shown]
    for each in shown:
        assert len(encode(each, CUE_SIZE)) == CUE_SIZE


def test_each_player_reads_what_became_of_the_own_press_and_nothing_stays(rig):
    to_practice(rig)
    rows = journal_rows(rig)
    rig.until(lambda: rig.seats[9].face.title == "1")
    rig.press(3)
    assert rig.seats[3].face.reply is Reply.ACCEPTED
    assert "You have voted" in rig.seats[3].face.lines
    rig.until(lambda: rig.seats[9].face.title == "Practice")
    rig.down(5)
    rig.advance(0.1)
    assert rig.seats[5].face.reply is Reply.LATE
    rig.up(5)
    rig.until(lambda: rig.seats[9].face.title == "2")
    rig.press(4)
    rig.press(3)
    assert rig.seats[3].face.reply is Reply.NOTHING
    rig.until(lambda: rig.table.asides.readiness.ballot.step.told)
    rig.settle()
    told = {seat: rig.seats[seat].face.lines[0] for seat in (3, 4, 5, 6)}
    assert told == {
        3: "Your press: accepted for seat 1",
        4: "Your press: accepted for seat 2",
        5: "Your press: too late",
        6: "No press",
    }
    rig.until(lambda: stage(rig) is Stage.READY)
    assert scenes(rig) == {"seating"}
    assert rig.state.ready == ()
    assert rig.show.board.game.ballots == ()
    assert journal_rows(rig) == rows


def test_a_practice_press_that_the_link_held_back_counts_in_its_own_window(rig):
    to_practice(rig)
    rig.until(lambda: rig.seats[9].face.title == "1")
    rig.broker.lose("node-03")
    rig.press(3)
    rig.until(lambda: rig.seats[9].face.title == "2")
    rig.broker.restore("node-03")
    rig.advance(1.2)
    assert rig.table.asides.readiness.ballot.result(3)[1] == CANDIDATES[0]


def test_the_host_repeats_the_practice_until_the_deal_and_no_longer(rig):
    to_ready(rig)
    rig.press(1, 2)
    assert rig.state.ready == (1, 2)
    assert order(rig, Practice()) == ""
    assert scenes(rig) == {"practice"}
    rig.until(lambda: stage(rig) is Stage.READY)
    assert rig.state.ready == (1, 2)
    rig.press(*SEATS[2:])
    assert rig.phase is Phase.LOOK
    assert "before the deal" in order(rig, Practice())


def test_the_host_skips_what_is_left(rig):
    rig.all_hold()
    assert order(rig, SkipReadiness()) == ""
    assert scenes(rig) == {"seating"}
    assert "nothing to skip" in order(rig, SkipReadiness())
    rig.press(*SEATS)
    assert rig.phase is Phase.LOOK


def test_a_pause_ends_the_practice_which_then_begins_anew(rig):
    to_practice(rig)
    rig.until(lambda: rig.seats[9].face.title == "2")
    assert order(rig, actions.Pause()) == ""
    assert scenes(rig) == {"paused"}
    rig.advance(30.0)
    assert order(rig, Practice()) == "The game is paused."
    assert order(rig, actions.Resume()) == ""
    assert stage(rig) is Stage.PRACTICE
    assert rig.table.asides.readiness.ballot.number == 0


# ---- when there is one ----


def test_a_rematch_has_no_round(rig):
    to_ready(rig)
    rig.press(*SEATS)
    assert order(rig, actions.Void()) == ""
    rig.all_hold()
    assert rig.phase is Phase.SEATING
    assert scenes(rig) == {"seating"}
    assert view(rig) is None
    assert rig.show.board.readiness is None


def test_a_club_without_the_round_can_still_practise(tmp_path, clock):
    rig = Rig(tmp_path / "journal", clock)
    rig.all_hold()
    assert scenes(rig) == {"seating"}
    assert order(rig, Practice()) == ""
    assert scenes(rig) == {"practice"}
    rig.until(lambda: stage(rig) is Stage.READY)
    rig.press(*SEATS)
    assert rig.phase is Phase.LOOK
    rig.table.playing.close()
    rig.journals.close()


def test_after_a_restart_before_the_deal_the_round_begins_anew_but_for_those_who_are_ready(rig):
    to_ready(rig)
    rig.press(1, 2, 3)
    assert rig.state.ready == (1, 2, 3)
    rig.kill_table()
    rig.start_table()
    rig.advance(2.0)
    rig.all_hold()
    assert not rig.state.paused
    assert stage(rig) is Stage.CHECK
    assert rig.show.board.readiness.missing[:4] == ((), (), (), ("vote", "shout"))
    check(rig, *SEATS[3:])
    rig.until(lambda: stage(rig) is Stage.READY)
    assert rig.seats[1].face.lines[-1] == "Waiting for the others"
    rig.press(*SEATS[3:])
    assert rig.phase is Phase.LOOK


def test_after_a_restart_beyond_the_deal_there_is_no_round(rig):
    to_ready(rig)
    rig.press(*SEATS)
    rig.kill_table()
    rig.start_table()
    rig.advance(2.0)
    rig.all_hold()
    assert rig.phase is Phase.LOOK
    assert view(rig) is None
    assert scenes(rig) == {"card"}
    assert order(rig, actions.Void()) == ""
    rig.all_hold()
    assert scenes(rig) == {"seating"}


def test_a_game_that_ends_before_its_deal_had_the_only_round(rig):
    rig.all_hold()
    assert scenes(rig) == {"check"}
    assert order(rig, actions.Void()) == ""
    rig.all_hold()
    assert scenes(rig) == {"seating"}


def test_a_press_of_the_game_before_that_comes_late_makes_nobody_ready_for_the_next(rig):
    to_ready(rig)
    rig.press(*SEATS)
    assert order(rig, actions.Void()) == ""
    heard = rig.show.nodes.at(5).last
    rig.broker.lose("node-05")
    rig.press(5)
    rig.table.playing.start()
    rig.advance(1.0)
    rig.broker.restore("node-05")
    rig.advance(1.0)
    assert rig.show.nodes.at(5).last == heard + 1
    assert rig.state.ready == ()
    rig.press(5)
    assert rig.state.ready == (5,)

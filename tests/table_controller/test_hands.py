"""What hands do at a whole table: numbers fill in a choice, the forbidden one is grounds."""

import pytest

from firmware.card import GesturesCard
from firmware.wire import Button, Forbidden, Gesture, GestureName
from seat_node.face import Reply
from seat_node.reports import Hand
from table_controller.game import Phase, actions
from table_controller.game.model import Offence, Source
from table_controller.host.notices import NoticeKind

FORBIDDEN = GestureName.FORBIDDEN


def show_hand(rig, seat, name, number=0, confidence=0.93):
    rig.seats[seat].inbox.put(Hand(name, number, confidence, rig.now_s))
    rig.settle()


def says_forbidden(rig, seat):
    """Let a seat say so whatever it was told to look for, as a seat that hangs behind might."""
    rig.seats[seat].seat._say(Forbidden(0.9))
    rig.settle()


def grounds(rig):
    return [(each.seat, each.offence, each.source) for each in rig.state.grounds]


def to_a_call_of_the_night(rig):
    while rig.phase is Phase.SPEECH:
        rig.end_floor(rig.state.floor)
    rig.until_phase(Phase.CALLING)


def told(rig):
    return [each for each in rig.table.notices.all if each.kind is NoticeKind.FORBIDDEN]


FINGER = (3, Offence.FORBIDDEN_GESTURE, Source.GESTURE)


# ---- the forbidden gesture ----


def test_the_forbidden_gesture_by_day_is_grounds_and_nothing_on_the_board(rig):
    rig.to_first_day()
    show_hand(rig, 3, FORBIDDEN)
    assert grounds(rig) == [FINGER]
    assert rig.show.board.seats[2].gesture == ""
    assert rig.state.fouls == (0,) * 10
    assert 3 in rig.state.living


def test_journal_and_host_learn_how_sure_the_camera_was_and_when(rig):
    rig.to_first_day()
    seen = rig.clock.wall()
    rig.broker.lose("node-03")
    show_hand(rig, 3, FORBIDDEN)
    rig.advance(2.0)
    rig.broker.restore("node-03")
    rig.advance(2.0)
    (action,) = [a for a in rig.table.playing.past.actions if isinstance(a, actions.OpenGrounds)]
    assert (action.confidence, action.seen) == (0.93, seen.isoformat(timespec="seconds"))
    (notice,) = told(rig)
    assert notice.seat == 3
    assert f"{seen:%H:%M:%S} UTC, 93 % sure" in notice.text


def test_it_is_not_lost_while_the_link_is_away_for_a_moment_and_counts_once(rig):
    rig.to_first_day()
    rig.broker.lose("node-03")
    show_hand(rig, 3, FORBIDDEN)
    rig.advance(3.0)
    assert grounds(rig) == []
    rig.broker.restore("node-03")
    rig.broker.repeat("node-03", 3)
    rig.advance(5.0)
    assert grounds(rig) == [FINGER]
    assert len(told(rig)) == 1


def test_grounds_that_are_open_are_not_opened_again(rig):
    rig.to_first_day()
    show_hand(rig, 3, FORBIDDEN)
    rig.advance(0.2)
    show_hand(rig, 3, FORBIDDEN)
    assert grounds(rig) == [FINGER]
    assert len(told(rig)) == 1


def test_at_night_it_is_nothing_nor_in_the_morning_after(rig):
    rig.to_first_day()
    to_a_call_of_the_night(rig)
    show_hand(rig, 3, FORBIDDEN)
    says_forbidden(rig, 3)
    assert grounds(rig) == []
    rig.until_phase(Phase.SPEECH)
    rig.advance(2.0)
    assert grounds(rig) == []
    assert told(rig) == []


def test_one_of_yesterday_that_arrives_today_is_nothing(rig):
    rig.to_first_day()
    while rig.state.floor != 10:
        rig.end_floor(rig.state.floor)
    rig.broker.lose("node-03")
    show_hand(rig, 3, FORBIDDEN)
    to_a_call_of_the_night(rig)
    rig.until_phase(Phase.SPEECH)
    rig.broker.restore("node-03")
    rig.advance(3.0)
    assert rig.seats[3].seat._outbox.next_due_s is None
    assert grounds(rig) == []
    show_hand(rig, 4, FORBIDDEN)
    assert [seat for seat, *_ in grounds(rig)] == [4]


def test_in_a_pause_it_is_nothing_and_from_before_a_pause_neither(rig):
    rig.to_first_day()
    rig.broker.lose("node-04")
    show_hand(rig, 4, FORBIDDEN)
    rig.advance(1.0)
    rig.table.playing.act(actions.Pause(), rig.now_s)
    rig.settle()
    show_hand(rig, 3, FORBIDDEN)
    says_forbidden(rig, 3)
    rig.advance(1.0)
    rig.table.playing.act(actions.Resume(), rig.now_s)
    rig.broker.restore("node-04")
    rig.advance(3.0)
    assert rig.seats[4].seat._outbox.next_due_s is None
    assert grounds(rig) == []
    show_hand(rig, 3, FORBIDDEN)
    assert grounds(rig) == [FINGER]


def test_of_a_seat_that_is_out_it_is_nothing(rig):
    rig.to_first_day()
    rig.table.playing.act(actions.Withdraw(3), rig.now_s)
    rig.settle()
    show_hand(rig, 3, FORBIDDEN)
    says_forbidden(rig, 3)
    assert grounds(rig) == []


def test_without_a_game_it_is_nothing(rig):
    says_forbidden(rig, 3)
    assert told(rig) == []
    assert rig.state is None


# ---- the club's table ----


def with_table(rig, **table):
    rig.show.gestures_on = GesturesCard(**table)
    rig.to_first_day()


def test_a_club_that_has_it_off_opens_no_grounds(rig):
    with_table(rig, forbidden="none")
    assert rig.seats[3].seat._wish.forbidden is None
    show_hand(rig, 3, FORBIDDEN)
    says_forbidden(rig, 3)
    assert grounds(rig) == []
    assert rig.show.board.seats[2].gesture == ""


def test_a_club_can_forbid_another_hand(rig):
    with_table(rig, forbidden="pistol", on=("number", "fist"))
    show_hand(rig, 3, FORBIDDEN)
    assert grounds(rig) == []
    show_hand(rig, 3, GestureName.PISTOL)
    assert grounds(rig) == [FINGER]


def test_only_what_is_on_is_told_and_with_what_the_club_says_it_means(rig):
    with_table(rig, on=("fist", "ok"), means={"fist": "YES"})
    show_hand(rig, 3, GestureName.THUMB_UP)
    rig.seats[4].seat._say(Gesture(GestureName.THUMB_UP))
    show_hand(rig, 5, GestureName.FIST)
    show_hand(rig, 6, GestureName.OK)
    board = rig.show.board.seats
    assert [board[seat - 1].gesture for seat in (3, 4, 5, 6)] == ["", "", "fist", "ok"]
    assert [board[seat - 1].meaning for seat in (5, 6)] == ["YES", "sheriff"]


# ---- numbers in a pick ----


def test_a_number_shown_fills_in_the_choice_and_vote_held_confirms_it(rig):
    rig.to_first_day()
    rig.press(1)
    show_hand(rig, 1, GestureName.NUMBER, 7)
    face = rig.seats[1].face
    assert (face.hand, face.rows[face.cursor].value) == (7, 7)
    rig.press(1, for_s=1.0)
    assert rig.seats[1].face.reply is Reply.ACCEPTED
    rig.end_floor(1)
    assert rig.state.nominations == ((1, 7),)


def test_a_number_shown_alone_nominates_nobody(rig):
    rig.to_first_day()
    rig.press(1)
    show_hand(rig, 1, GestureName.NUMBER, 7)
    rig.advance(20.0)
    rig.end_floor(1)
    # An open list keeps the floor for 3 s.
    rig.until(lambda: rig.state.floor == 2, 5.0)
    assert rig.state.nominations == ()


def test_a_number_that_is_not_in_the_list_is_said_and_changes_nothing(rig):
    rig.to_first_day()
    rig.table.playing.act(actions.Withdraw(7), rig.now_s)
    rig.settle()
    rig.press(1)
    show_hand(rig, 1, GestureName.NUMBER, 4)
    show_hand(rig, 1, GestureName.NUMBER, 7)
    face = rig.seats[1].face
    assert (face.hand, face.rows[face.cursor].value) == (7, 4)
    assert 7 not in [row.value for row in face.rows]


def test_without_an_open_list_a_number_chooses_nothing(rig):
    rig.to_first_day()
    show_hand(rig, 1, GestureName.NUMBER, 7)
    rig.press(1, for_s=1.0)
    assert rig.state.nominations == ()
    assert rig.seats[1].face.hand == 0


def test_two_hands_are_looked_for_in_an_open_list_only(rig):
    rig.to_first_day()
    wishes = {seat: each.seat._wish for seat, each in rig.seats.items()}
    assert {wish.two_hands for wish in wishes.values()} == {False}
    assert all(wish.gestures and wish.forbidden for wish in wishes.values())
    rig.press(1)
    assert [seat for seat, each in rig.seats.items() if each.seat._wish.two_hands] == [1]
    rig.press(1, button=Button.SHOUT)
    assert not rig.seats[1].seat._wish.two_hands


@pytest.mark.parametrize("phase", [Phase.NIGHTFALL, Phase.CALLING])
def test_by_night_no_seat_looks_for_hands(rig, phase):
    rig.to_first_day()
    while rig.phase is Phase.SPEECH:
        rig.end_floor(rig.state.floor)
    rig.until_phase(phase)
    assert [each.seat._wish.names for each in rig.seats.values()] == [()] * 10


def test_the_grounds_give_a_motion_by_themselves_and_the_room_decides(rig):
    rig.to_first_day()
    show_hand(rig, 3, FORBIDDEN)
    rig.end_floor(1)
    assert rig.phase is Phase.MOTION
    assert rig.seats[2].face.lines[:2] == ("Technical foul", "Forbidden gesture")
    rig.press(1, 2, 4, 5)
    rig.until(lambda: rig.show.board.game.decisions)
    (decision,) = rig.show.board.game.decisions
    assert (decision.seat, decision.passed, decision.needed) == (3, False, 5)
    assert rig.show.board.game.seats[2].technical_fouls == 0

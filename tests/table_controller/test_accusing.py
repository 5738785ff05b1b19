"""RULES 2.2 at the table: SHOUT held, whom, of what, and a second seat. Real seats, real table."""

import pytest
from msgspec.structs import replace

from firmware.wire import GestureName, TopicKind
from seat_node.face import Reply
from seat_node.reports import Hand
from table_controller.accusing import OFFENCES, PICK_S
from table_controller.game import SEATS, Phase, actions
from table_controller.game.decisions import Decider
from table_controller.game.model import Offence, Source
from table_controller.host.orders import HostOrder


@pytest.fixture
def day(rig):
    """The first day, seat 1 speaks."""
    rig.to_first_day()
    return rig


def hold_shout(rig, seat):
    rig.shout(seat, for_s=1.6)


def hold_vote(rig, seat):
    rig.press(seat, for_s=0.9)


def rows(rig, seat):
    return [row.value for row in rig.seats[seat].face.rows]


def choose(rig, seat, value):
    """Go down the list of *seat* to *value* and hold VOTE on it."""
    while rig.seats[seat].face.rows[rig.seats[seat].face.cursor].value != value:
        rig.press(seat)
    hold_vote(rig, seat)


def accuse(rig, by, seat, offence):
    hold_shout(rig, by)
    choose(rig, by, seat)
    choose(rig, by, OFFENCES.index(offence) + 1)


def order(rig, action):
    told = []
    rig.inbox.put(HostOrder(action, told.append))
    rig.settle()
    assert told == [""]


def host_page(rig):
    """Return all that the host reads but the clocks."""
    sheet = rig.sheets._latest.sheet
    return replace(sheet, board=replace(sheet.board, clocks=()))


def to_night(rig):
    """Play a day on which nobody is nominated."""
    while rig.phase is not Phase.NIGHTFALL:
        if rig.phase is Phase.SPEECH:
            rig.end_floor(rig.state.floor)
        rig.advance(1.0)


def made(rig):
    accusation = rig.state.accusation
    return accusation and (accusation.by, accusation.seat, accusation.offence)


# ---- the picks ----


def test_a_held_shout_opens_the_pick_and_costs_no_foul(day):
    hold_shout(day, 3)
    face = day.seats[3].face
    assert (face.scene, face.title) == ("accuse", "Accuse whom?")
    assert rows(day, 3) == [seat for seat in SEATS if seat != 3]
    assert face.reply is Reply.ACCEPTED
    assert (day.state.fouls, day.state.shouts) == ((0,) * 10, ())


def test_a_shout_let_go_before_is_a_shout(day):
    day.shout(3, for_s=1.4)
    assert (day.state.fouls[2], day.state.shouts) == (1, (3,))
    assert day.seats[3].face.rows == ()


def test_seat_and_offence_are_picked_and_all_screens_tell(day):
    accuse(day, 3, 7, Offence.BETS)
    assert made(day) == (3, 7, Offence.BETS)
    faces = {seat: each.face for seat, each in day.seats.items()}
    assert {face.title for seat, face in faces.items() if seat != 1} == {"3 accuses 7"}
    asked = {3: "A second seat must confirm", 7: "It is about you"}
    for seat in SEATS[1:]:
        assert faces[seat].lines == ("Offering bets", asked.get(seat, "VOTE: confirm"))
        assert faces[seat].left_s == 5
    # Whoever has the floor keeps its clock and its buttons, and reads it too.
    assert faces[1].lines == ("3 accuses 7: Offering bets",)
    assert faces[1].left_s > 40


def test_the_pick_shows_all_offences_in_the_rules_order(day):
    hold_shout(day, 3)
    choose(day, 3, 7)
    face = day.seats[3].face
    assert face.title == "Accuse 7 of what?"
    assert [row.value for row in face.rows] == list(range(1, 13))
    assert [row.label for row in face.rows][:2] == ["Insults", "Aggressive gestures"]


def test_a_tap_of_shout_goes_back_to_the_seats_and_then_out(day):
    hold_shout(day, 3)
    choose(day, 3, 7)
    day.shout(3)
    assert day.seats[3].face.title == "Accuse whom?"
    assert len(rows(day, 3)) == 9
    day.shout(3)
    assert day.seats[3].face.scene == "day"
    assert (day.state.fouls, made(day)) == ((0,) * 10, None)
    # It has accused nobody: it still can.
    hold_shout(day, 3)
    assert day.seats[3].face.scene == "accuse"


@pytest.mark.parametrize("accused", [0, 7])
def test_shout_held_leaves_the_pick(day, accused):
    hold_shout(day, 3)
    if accused:
        choose(day, 3, accused)
    hold_shout(day, 3)
    assert (day.seats[3].face.scene, day.seats[3].face.rows) == ("day", ())
    assert (day.state.fouls, made(day)) == ((0,) * 10, None)


def test_a_pick_that_is_left_alone_closes_by_itself(day):
    hold_shout(day, 3)
    day.advance(PICK_S - 5)
    choose(day, 3, 7)
    day.advance(PICK_S - 1.5)
    assert day.seats[3].face.scene == "accuse"
    day.advance(2.0)
    assert day.seats[3].face.scene == "day"


def test_a_number_shown_by_hand_points_at_the_seat_and_not_at_an_offence(day):
    hold_shout(day, 3)
    hand = Hand(GestureName.NUMBER, 7, 0.9, day.now_s)
    day.seats[3].inbox.put(hand)
    day.settle()
    face = day.seats[3].face
    assert face.rows[face.cursor].value == 7
    # The room is not told what is shown to the list.
    assert day.show.board.seats[2].gesture == ""
    hold_vote(day, 3)
    assert day.seats[3].face.title == "Accuse 7 of what?"
    day.shout(3)
    day.shout(3)
    day.seats[3].inbox.put(hand)
    day.settle()
    assert day.show.board.seats[2].gesture == GestureName.NUMBER


def test_the_eyes_look_for_two_hands_while_the_seat_is_picked(day):
    assert not day.show.nodes.at(3).cue.look.two_hands
    hold_shout(day, 3)
    assert day.show.nodes.at(3).cue.look.two_hands
    choose(day, 3, 7)
    assert not day.show.nodes.at(3).cue.look.two_hands


# ---- when ----


def test_in_the_own_floor_it_ends_the_floor(day):
    hold_shout(day, 1)
    assert day.state.floor == 2
    assert day.seats[1].face.rows == ()


def test_a_hold_that_began_in_the_own_floor_accuses_nobody(day):
    left_s = day.show.countdowns.left_s(day.state.clock.id, day.now_s)
    day.advance(left_s - 0.5)
    hold_shout(day, 1)
    assert day.state.floor == 2
    assert day.seats[1].face.rows == ()


def test_the_own_floor_ends_the_pick(day):
    hold_shout(day, 2)
    day.end_floor(1)
    assert day.state.floor == 2
    assert day.seats[2].face.scene == "floor"
    assert day.seats[2].face.rows == ()


def test_in_a_pause_there_is_none_and_one_that_was_open_is_gone(day):
    hold_shout(day, 3)
    order(day, actions.Pause())
    assert day.seats[3].face.scene == "paused"
    hold_shout(day, 4)
    assert {day.seats[seat].face.scene for seat in SEATS} == {"paused"}
    order(day, actions.Resume())
    assert day.seats[3].face.rows == day.seats[4].face.rows == ()
    assert day.state.fouls == (0,) * 10


def test_at_night_and_in_a_motion_shout_held_does_nothing(day):
    order(day, actions.OpenGrounds(7, Offence.INSULTS, Source.HOST))
    day.end_floor(1)
    assert day.phase is Phase.MOTION
    hold_shout(day, 3)
    assert day.seats[3].face.scene == "motion"
    assert day.state.fouls == (0,) * 10
    to_night(day)
    hold_shout(day, 3)
    assert day.seats[3].face.scene == "nightfall"
    assert made(day) is None
    assert day.table.asides.accusing.halves == ()


def test_somebody_elses_accusation_ends_the_pick(day):
    hold_shout(day, 5)
    accuse(day, 3, 7, Offence.THREATS)
    assert day.seats[5].face.scene == "accusation"
    assert day.seats[5].face.rows == ()


def test_once_a_seat_and_day(day):
    accuse(day, 3, 7, Offence.THREATS)
    day.advance(5.1)
    assert made(day) is None
    hold_shout(day, 3)
    assert day.seats[3].face.rows == ()
    assert day.state.fouls == (0,) * 10
    to_night(day)
    day.until(lambda: day.phase is Phase.SPEECH and day.state.floor != 3)
    hold_shout(day, 3)
    assert day.seats[3].face.scene == "accuse"


# ---- the second seat, and the motion ----


def test_a_second_seat_gives_grounds_and_the_room_decides_at_the_next_gap(day):
    accuse(day, 3, 7, Offence.BETS)
    day.press(5)
    assert day.seats[5].face.reply is Reply.ACCEPTED
    (grounds,) = day.show.board.game.grounds
    assert (grounds.seat, grounds.offence, grounds.source) == (7, Offence.BETS, Source.SEAT)
    assert (grounds.by, grounds.confirmed_by) == (3, 5)
    day.end_floor(1)
    assert day.phase is Phase.MOTION
    assert "Needed: 5 of 9" in day.seats[2].face.lines
    day.press(1, 2, 3, 4, 5, 6)
    assert day.show.board.game.decisions == ()
    day.until(lambda: day.show.board.game.decisions)
    (decision,) = day.show.board.game.decisions
    assert (decision.by, decision.passed, decision.yes) == (Decider.ROOM, True, (1, 2, 3, 4, 5, 6))
    assert day.show.board.game.seats[6].technical_fouls == 1


@pytest.mark.parametrize("seat", [3, 7])
def test_accuser_and_accused_cannot_confirm(day, seat):
    accuse(day, 3, 7, Offence.BETS)
    day.press(seat)
    assert day.state.grounds == ()


def test_without_a_second_seat_it_lapses_after_five_seconds(day):
    accuse(day, 3, 7, Offence.BETS)
    day.advance(4.6)
    assert made(day)
    day.advance(0.4)
    assert made(day) is None
    assert day.state.grounds == ()
    assert day.seats[5].face.scene == "day"


def test_a_press_made_before_the_accusation_confirms_nothing(day):
    hold_shout(day, 3)
    choose(day, 3, 7)
    day.down(3)
    day.advance(0.7)
    day.down(5)
    day.advance(0.2)
    assert made(day) == (3, 7, Offence.INSULTS)
    day.up(5)
    day.up(3)
    day.advance(0.2)
    assert day.state.grounds == ()
    day.press(5)
    assert len(day.state.grounds) == 1


# ---- nobody else hears of half of it ----


def test_half_an_accusation_is_on_no_other_screen_page_or_topic(day):
    told = []
    publish = day.link.publish

    def overheard(topic, payload, **options):
        told.append((day.topics.parse(topic), payload))
        return publish(topic, payload, **options)

    day.link.publish = overheard
    day.advance(1.5)
    before = {seat: each.face for seat, each in day.seats.items()}
    board, page = day.show.board, host_page(day)
    hold_shout(day, 3)
    choose(day, 3, 7)
    day.shout(3)
    choose(day, 3, 9)
    assert day.seats[3].face.title == "Accuse 9 of what?"
    users = {address.user for address, _ in told if address.kind is TopicKind.CUE}
    assert users == {day.show.nodes.at(3).user}
    assert {address.kind for address, _ in told} <= {TopicKind.CUE, TopicKind.PING}
    for seat, face in before.items():
        if seat != 3:
            now = day.seats[seat].face
            assert (now.scene, now.title, now.lines, now.rows, now.lamp, now.reply) == (
                face.scene, face.title, face.lines, face.rows, face.lamp, face.reply,
            )  # fmt: skip
    day.advance(1.5)
    assert day.seats[3].face.title == "Accuse 9 of what?"
    assert day.show.board is board
    assert host_page(day) == page
    assert day.seats[3].face.lamp == before[3].lamp
    assert {len(payload) for address, payload in told if address.kind is TopicKind.CUE} == {2048}

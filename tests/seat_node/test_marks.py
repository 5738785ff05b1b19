"""What the player sees of a press, and when: at once, with no time passing."""

import pytest

from firmware.board import Level
from firmware.signals import Reply
from firmware.wire import Answer, Button, Entry, How, Lamp, Look, Mark, Menu, Press, PressMode
from seat_node.reports import Hand

VOTE, SHOUT = Button.VOTE, Button.SHOUT


def confirm(rig, button=VOTE):
    """Close *button* and let no more time pass than makes it a press."""
    now_s = rig.clock.now_s()
    rig.seat.take(Level(button, now_s, True), now_s)
    due_s = rig.seat.next_due_s()
    assert due_s - now_s < 0.020
    rig.clock.advance(due_s - now_s)
    rig.seat.tick(rig.clock.now_s())


def mark(rig):
    return rig.faces[-1].reply


@pytest.mark.parametrize("mode", [PressMode.EDGE, PressMode.RELEASE])
@pytest.mark.parametrize("button", Button)
def test_a_press_is_marked_by_the_tick_that_confirms_it(rig, mode, button):
    rig.cue(press=mode, title="7")
    before = len(rig.faces)
    confirm(rig, button)
    assert [face.reply for face in rig.faces[before:]] == [Reply.PRESSED]


@pytest.mark.parametrize("mode", [PressMode.OFF, PressMode.NIGHT])
@pytest.mark.parametrize("button", Button)
def test_where_a_press_must_leave_no_trace_it_leaves_none(rig, mode, button):
    rig.cue(press=mode, title="7")
    before = len(rig.faces)
    confirm(rig, button)
    rig.up(button)
    rig.wait(5.0)
    assert len(rig.faces) == before


def test_an_answer_is_shown_by_the_take_that_brings_it_and_then_goes(rig):
    rig.cue(press=PressMode.EDGE)
    confirm(rig)
    assert mark(rig) is Reply.PRESSED
    rig.cue(press=PressMode.EDGE, heard=1, answer=Answer(1, Mark.ACCEPTED))
    assert mark(rig) is Reply.ACCEPTED
    rig.wait(1.6)
    assert mark(rig) is Reply.NONE


def test_a_press_without_an_answer_waits_after_a_second(rig):
    rig.cue(press=PressMode.EDGE)
    confirm(rig)
    rig.wait(0.99)
    assert mark(rig) is Reply.PRESSED
    rig.wait(0.02)
    assert mark(rig) is Reply.WAITING
    rig.cue(press=PressMode.EDGE, heard=1, answer=Answer(1, Mark.LATE))
    assert mark(rig) is Reply.LATE


def test_a_held_button_stays_marked_and_gives_way_to_the_card(rig):
    rig.cue(press=PressMode.RELEASE, on_hold=("don",))
    confirm(rig)
    rig.wait(0.7)
    assert (mark(rig), rig.shown.card) == (Reply.PRESSED, False)
    rig.wait(0.1)
    assert (mark(rig), rig.shown.card) == (Reply.NONE, True)
    rig.up()
    assert (mark(rig), rig.shown.card) == (Reply.NONE, False)


def test_a_hold_that_was_answered_shows_its_answer_while_the_button_is_still_down(rig):
    rig.cue(press=PressMode.RELEASE)
    confirm(rig, SHOUT)
    rig.wait(1.5)
    assert rig.whats == [Press(SHOUT, How.HOLD)]
    rig.cue(press=PressMode.RELEASE, heard=1, answer=Answer(1, Mark.ACCEPTED))
    assert mark(rig) is Reply.ACCEPTED


def test_a_tap_in_a_list_is_marked_while_it_lasts(rig):
    rig.cue(press=PressMode.RELEASE, menu=Menu(9, (Entry(2, "2"), Entry(5, "5"))))
    confirm(rig)
    assert mark(rig) is Reply.PRESSED
    rig.up()
    assert (mark(rig), rig.shown.cursor) == (Reply.NONE, 1)


def test_a_press_that_began_before_the_vote_was_called_is_none_in_it(rig):
    rig.cue(press=PressMode.RELEASE)
    confirm(rig)
    rig.cue(press=PressMode.EDGE)
    assert mark(rig) is Reply.NONE


@pytest.mark.parametrize("mode", PressMode)
def test_no_press_and_no_answer_changes_the_lamp(rig, mode):
    rig.cue(press=mode, lamp=Lamp.BLINK)
    before = len(rig.faces)
    for button in Button:
        rig.tap(button)
        rig.hold(button)
    for n, answer in enumerate(Mark, start=1):
        rig.cue(press=mode, lamp=Lamp.BLINK, heard=n, answer=Answer(n, answer))
        rig.wait(2.0)
    assert {face.lamp for face in rig.faces[before:]} <= {Lamp.BLINK}


# ---- a number shown by hand ----


def test_a_number_shown_by_hand_is_echoed_until_a_button_is_used(rig):
    entries = (Entry(2, "2"), Entry(5, "5"), Entry(7, "7"))
    rig.cue(press=PressMode.RELEASE, menu=Menu(9, entries), look=Look(gestures=("number",)))
    rig.seat.take(Hand("number", 7, 0.9, 1000.0), rig.clock.now_s())
    assert (rig.faces[-1].hand, rig.shown.cursor) == (7, 2)
    rig.seat.take(Hand("number", 3, 0.9, 1000.0), rig.clock.now_s())
    assert (rig.faces[-1].hand, rig.shown.cursor) == (3, 2)
    rig.tap()
    assert (rig.faces[-1].hand, rig.shown.cursor) == (0, 0)

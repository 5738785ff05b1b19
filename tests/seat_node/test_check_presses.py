"""The press test, fed with levels and times."""

import pytest

from firmware.board import Level
from firmware.finding import Outcome
from firmware.press import BOUNCE_S
from firmware.wire import Button
from seat_node.checks.presses import PRESS_S, RELEASE_S, Pressing, PressTest, pressing

BOTH = (Button.VOTE, Button.SHOUT)
VOTE, SHOUT = BOTH
START_S = 100.0


class Finger:
    """Lets time pass for a test of the buttons, and presses them."""

    def __init__(self, buttons=BOTH, closed=()):
        self.now_s = START_S
        self.test = PressTest(buttons, closed, START_S)

    def wait(self, for_s):
        end_s = self.now_s + for_s
        while self.test.wanted is not None and self.test.next_due_s <= end_s:
            self.now_s = max(self.now_s, self.test.next_due_s)
            self.test.tick(self.now_s)
        self.now_s = end_s

    def level(self, button, closed):
        self.test.feed(Level(button, self.now_s, closed))

    def press(self, button, for_s=0.2):
        self.level(button, True)
        self.wait(for_s)
        self.level(button, False)
        self.wait(0.1)


@pytest.fixture
def finger():
    return Finger()


def test_both_buttons_are_asked_for_and_work(finger):
    assert finger.test.wanted is VOTE
    finger.wait(3.0)
    finger.press(VOTE)
    assert finger.test.wanted is SHOUT
    finger.press(SHOUT)
    assert finger.test.wanted is None
    assert finger.test.results == {VOTE: Pressing.WORKS, SHOUT: Pressing.WORKS}


def test_a_press_is_followed_by_the_wish_to_let_go(finger):
    finger.level(VOTE, True)
    finger.wait(0.1)
    assert finger.test.waits_for_release
    finger.level(VOTE, False)
    finger.wait(0.1)
    assert not finger.test.waits_for_release


def test_a_button_that_nobody_presses_is_given_up_after_its_patience(finger):
    finger.wait(PRESS_S - 0.01)
    assert finger.test.wanted is VOTE
    finger.wait(0.02)
    assert finger.test.results == {VOTE: Pressing.NOTHING}
    finger.press(SHOUT)
    assert finger.test.results[SHOUT] is Pressing.WORKS


def test_a_button_that_stays_down_is_stuck(finger):
    finger.level(VOTE, True)
    finger.wait(RELEASE_S + 0.1)
    assert finger.test.results == {VOTE: Pressing.STUCK}
    finger.press(SHOUT)
    assert finger.test.results[SHOUT] is Pressing.WORKS


def test_a_button_that_was_down_from_the_start_is_stuck():
    finger = Finger(closed=(SHOUT,))
    finger.press(VOTE)
    finger.wait(PRESS_S + 1.0)
    assert finger.test.results == {VOTE: Pressing.WORKS, SHOUT: Pressing.STUCK}


def test_swapped_wires_are_told_apart_from_broken_ones(finger):
    finger.press(SHOUT)
    finger.wait(PRESS_S)
    finger.press(VOTE)
    finger.wait(PRESS_S)
    assert finger.test.results == {VOTE: Pressing.OTHER, SHOUT: Pressing.OTHER}


def test_who_presses_the_wrong_one_may_try_again(finger):
    finger.press(SHOUT)
    finger.press(VOTE)
    assert finger.test.results == {VOTE: Pressing.WORKS}


def test_letting_go_of_a_button_pressed_before_it_was_asked_for_is_no_press(finger):
    finger.level(SHOUT, True)
    finger.press(VOTE)
    finger.level(SHOUT, False)
    finger.wait(0.1)
    assert finger.test.results == {VOTE: Pressing.WORKS}
    finger.press(SHOUT)
    assert finger.test.results[SHOUT] is Pressing.WORKS


def test_a_spike_is_no_press(finger):
    finger.press(VOTE, for_s=0.001)
    assert finger.test.results == {}
    finger.wait(PRESS_S)
    assert finger.test.results == {VOTE: Pressing.NOTHING}


def test_a_pin_in_the_air_does_not_keep_the_test_for_ever(finger):
    """Levels without end, each too short for a press, and never a moment's rest."""
    levels = 0
    while finger.test.wanted is VOTE:
        finger.level(VOTE, levels % 2 == 0)
        finger.now_s += 0.001
        levels += 1
        assert levels < 60 / 0.001
    assert finger.now_s - START_S == pytest.approx(PRESS_S, abs=2 * BOUNCE_S)


def test_a_seat_with_one_button_is_asked_for_one():
    finger = Finger(buttons=(VOTE,))
    finger.press(VOTE)
    assert finger.test.results == {VOTE: Pressing.WORKS}
    assert finger.test.wanted is None


@pytest.mark.parametrize("result", list(Pressing))
def test_what_does_not_work_names_the_pin(result):
    found = pressing(str, SHOUT, result)
    assert found.part == "SHOUT"
    if result is Pressing.WORKS:
        assert (found.outcome, found.remedy) == (Outcome.FINE, "")
    else:
        assert found.outcome is Outcome.FAULT
        assert "pin 13 (GPIO27)" in found.remedy

import pytest

from seat_node.gestures import Gesture
from seat_node.steady import Steady

FIST = Gesture("fist", 0, 0.9)
TWO = Gesture("number", 2, 0.8)
THREE = Gesture("number", 3, 0.8)


def looks(steady, seen, at_s=0.0, pause_s=0.1):
    """Show *seen* one after the other; return what became steady, with its time."""
    told = []
    for index, gesture in enumerate(seen):
        now_s = round(at_s + index * pause_s, 3)
        if steadied := steady.update(gesture, now_s):
            told.append((now_s, steadied.name, steadied.number))
    return told


def test_a_gesture_held_for_half_a_second_is_told_once():
    assert looks(Steady(), [FIST] * 30) == [(0.5, "fist", 0)]


def test_a_gesture_that_is_shorter_is_not_told():
    assert looks(Steady(), [None] * 10 + [FIST] * 5 + [None] * 10) == []
    assert looks(Steady(), [None] * 8 + [FIST] * 4 + [None] * 8, pause_s=0.125) == []


def test_one_slip_in_the_middle_does_not_matter():
    assert looks(Steady(), [FIST, FIST, TWO, FIST, FIST, FIST]) == [(0.5, "fist", 0)]


def test_a_hand_that_keeps_changing_is_never_steady():
    assert looks(Steady(), [TWO, THREE] * 20) == []


def test_another_number_is_another_gesture():
    told = looks(Steady(), [TWO] * 10 + [THREE] * 10)
    assert [(name, number) for _, name, number in told] == [("number", 2), ("number", 3)]


def test_the_same_gesture_is_told_again_after_the_hand_was_away():
    told = looks(Steady(), [FIST] * 10 + [None] * 10 + [FIST] * 10)
    assert [name for _, name, _ in told] == ["fist", "fist"]


def test_a_blink_of_the_tracker_does_not_tell_it_again():
    assert len(looks(Steady(), [FIST] * 10 + [None] * 2 + [FIST] * 10)) == 1


def test_looks_across_a_pause_do_not_add_up():
    steady = Steady()
    looks(steady, [FIST] * 4)
    assert looks(steady, [FIST] * 3, at_s=5.0) == []


def test_two_looks_prove_nothing_however_far_apart():
    assert looks(Steady(), [FIST] * 2, pause_s=0.6) == []
    assert looks(Steady(), [FIST] * 3, pause_s=0.6) == [(1.2, "fist", 0)]


def test_the_slow_looks_of_idle_eyes_are_enough():
    assert looks(Steady(), [FIST] * 6, pause_s=0.2) == [(0.6, "fist", 0)]


@pytest.mark.parametrize("slip", [None, TWO])
def test_the_strict_one_is_told_only_when_no_look_disagrees(slip):
    seen = [FIST, FIST, FIST, slip, FIST, FIST, FIST, FIST]
    assert looks(Steady(), seen) == [(0.5, "fist", 0)]
    assert looks(Steady("fist"), seen) == []
    assert looks(Steady("fist"), [*seen, FIST, FIST]) == [(0.9, "fist", 0)]


@pytest.mark.parametrize("pause_s", [0.05, 1 / 12, 0.2, 0.33])
def test_the_strict_one_takes_three_looks_and_half_a_second(pause_s):
    seen = [FIST] * 20
    (told,) = looks(Steady("fist"), seen, pause_s=pause_s)
    assert told[0] >= 0.5
    assert round(told[0] / pause_s) + 1 >= 3


def test_strictness_is_for_one_gesture_only():
    seen = [TWO, TWO, TWO, FIST, TWO, TWO, TWO]
    assert [name for _, name, _ in looks(Steady("fist"), seen)] == ["number"]


def test_the_confidence_is_the_mean_of_the_agreeing_looks():
    steady = Steady()
    seen = [Gesture("fist", 0, 0.6), TWO._replace(confidence=1.0)]
    seen += [Gesture("fist", 0, confidence) for confidence in (0.6, 0.8, 0.8, 0.7)]
    told = [steady.update(gesture, index * 0.1) for index, gesture in enumerate(seen)]
    assert told[:-1] == [None] * 5
    assert round(told[-1].confidence, 6) == 0.7

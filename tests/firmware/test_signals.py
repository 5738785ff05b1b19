"""The tables of marks and of the lamp's language say all, and say it in every language."""

import itertools

import pytest

from firmware.board import PATTERNS, SeatBoard, mock_pins
from firmware.signals import LAMPS, MARKS, LampState, Reply, lamp_of
from firmware.wire import Lamp
from firmware.words import LANGUAGES, catalogue


def test_every_reply_but_two_has_a_mark():
    assert set(Reply) - MARKS.keys() == {Reply.NONE, Reply.NOTHING}


@pytest.mark.parametrize("what", ["glyph", "word", "meaning"])
def test_no_two_marks_are_alike(what):
    assert len({getattr(sign, what) for sign in MARKS.values()}) == len(MARKS)


def test_every_lamp_pattern_can_be_shown():
    assert set(PATTERNS) == set(Lamp)
    for steps in PATTERNS.values():
        assert len(steps) == 1 or all(for_s > 0 for _, for_s in steps)


def test_every_state_of_the_lamp_looks_different_from_the_others_and_from_dark():
    assert set(LAMPS) == set(LampState)
    shown = [PATTERNS[sign.lamp] for sign in LAMPS.values()] + [PATTERNS[Lamp.OFF]]
    assert all(a != b for a, b in itertools.combinations(shown, 2))
    looks = [(sign.look, sign.meaning) for sign in LAMPS.values()]
    assert len(set(looks)) == len(looks)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_lamps_or_marks_are_told_apart_in_english_only(language):
    t = catalogue(language).gettext
    for texts in (
        [t(sign.look) for sign in LAMPS.values()],
        [t(sign.meaning) for sign in LAMPS.values()],
        [t(sign.word) for sign in MARKS.values()],
        [t(sign.meaning) for sign in MARKS.values()],
    ):
        assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("several", [*itertools.combinations(LampState, 2)])
def test_of_two_states_the_earlier_in_the_table_is_shown(several):
    order = list(LAMPS)
    first = min(several, key=order.index)
    assert lamp_of(several) is lamp_of(tuple(reversed(several))) is LAMPS[first].lamp


def test_the_link_then_the_chair_then_the_floor_come_before_the_rest():
    assert list(LAMPS) == [
        LampState.UNLINKED,
        LampState.AWAY,
        LampState.FLOOR,
        LampState.CALLED,
        LampState.NOMINATED,
        LampState.MUTED,
        LampState.OUT,
    ]
    assert lamp_of(()) is Lamp.OFF


@pytest.mark.parametrize("lamp", Lamp)
def test_the_board_shows_a_pattern_as_it_stands_in_the_table(lamp):
    board = SeatBoard(mock_pins(), lambda level: None)
    board.show(Lamp.OFF if lamp is Lamp.ON else Lamp.ON, 0.0)
    board.show(lamp, 10.0)
    now_s = 10.0
    for light, for_s in PATTERNS[lamp] * 3:
        assert board.light == pytest.approx(light)
        if not for_s:
            assert board.next_due_s is None
            break
        assert board.next_due_s == pytest.approx(now_s + for_s)
        now_s = board.next_due_s
        board.tick(now_s - 0.001)
        assert board.light == pytest.approx(light)
        board.tick(now_s)
    board.close()

"""An empty chair: the seat counts, warns by screen and lamp, and hides the card."""

import pytest

from firmware.signals import LAMPS, LampState
from firmware.wire import (
    Absence,
    Button,
    ClockFace,
    Entry,
    Icon,
    Lamp,
    Layout,
    Menu,
    Presence,
    PressMode,
)
from seat_node.inbox import EyesGone

AWAY_LAMP = LAMPS[LampState.AWAY].lamp
WATCHED = Absence(warn_s=5.0, limit_s=15.0)


def chair(rig, state, ago_s=0.0):
    rig.chair(state, ago_s)


def day(rig, **fields):
    fields = {"title": "7 speaks", "lamp": Lamp.BLINK, "absence": WATCHED} | fields
    return rig.cue(press=PressMode.RELEASE, on_hold=("don",), **fields)


def test_from_five_seconds_on_screen_and_lamp_warn_and_count_down_to_the_limit(rig):
    day(rig)
    rig.wait(3.0)
    chair(rig, Presence.AWAY, ago_s=3.0)
    assert (rig.shown.scene, rig.shown.lamp) == ("test", Lamp.BLINK)
    rig.wait(1.999)
    assert (rig.shown.scene, rig.shown.lamp) == ("test", Lamp.BLINK)
    rig.wait(0.001)
    assert (rig.shown.scene, rig.shown.lamp) == ("away", AWAY_LAMP)
    seen = [rig.shown.left_s]
    before = len(rig.faces)
    for _ in range(12):
        rig.wait(1.0)
        seen.append(rig.shown.left_s)
    assert seen == [10.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.0, 0.0, 0.0]
    assert len(rig.faces) - before == 10


def test_a_second_changes_on_its_own_second(rig):
    day(rig)
    rig.wait(9.0)
    chair(rig, Presence.AWAY, ago_s=5.4)
    assert rig.shown.left_s == 10.0
    rig.wait(0.59)
    assert rig.shown.left_s == 10.0
    rig.wait(0.011)
    assert rig.shown.left_s == 9.0


def test_who_comes_back_sees_the_game_again(rig):
    day(rig)
    rig.wait(9.0)
    chair(rig, Presence.AWAY, ago_s=6.0)
    chair(rig, Presence.PRESENT)
    assert (rig.shown.scene, rig.shown.title, rig.shown.lamp) == ("test", "7 speaks", Lamp.BLINK)
    assert "away" in {face.scene for face in rig.faces}


@pytest.mark.parametrize("state", [Presence.UNKNOWN, Presence.PRESENT])
def test_unknown_is_never_away(rig, state):
    day(rig)
    chair(rig, state, ago_s=20.0)
    rig.wait(60.0)
    assert rig.shown.scene == "test"
    assert "away" not in {face.scene for face in rig.faces}
    assert rig.shown.lamp is Lamp.BLINK


def test_eyes_that_die_end_the_warning(rig):
    day(rig)
    rig.wait(9.0)
    chair(rig, Presence.AWAY, ago_s=6.0)
    assert rig.shown.scene == "away"
    rig.seat.take(EyesGone("hangs", rig.clock.now_s()), rig.clock.now_s())
    assert rig.shown.scene == "test"


@pytest.mark.parametrize("scene", ["paused", "night", "out"])
def test_without_a_word_from_the_table_nobody_is_warned(rig, scene):
    day(rig, scene=scene, absence=None)
    chair(rig, Presence.AWAY, ago_s=4.0)
    rig.wait(30.0)
    assert (rig.shown.scene, rig.shown.lamp) == (scene, Lamp.BLINK)


def test_the_warning_begins_with_the_cue_that_asks_for_it(rig):
    day(rig, absence=None)
    chair(rig, Presence.AWAY, ago_s=8.0)
    day(rig)
    rig.wait(4.999)
    assert rig.shown.scene == "test"
    rig.wait(0.001)
    assert (rig.shown.scene, rig.shown.left_s) == ("away", 10.0)


def test_who_is_in_a_list_goes_on_picking_and_is_warned_by_the_lamp(rig):
    day(rig, menu=Menu(9, (Entry(2, "2"), Entry(5, "5"))))
    rig.wait(9.0)
    chair(rig, Presence.AWAY, ago_s=6.0)
    assert (rig.shown.layout, rig.shown.lamp) == (Layout.LIST, AWAY_LAMP)
    rig.tap()
    assert rig.shown.cursor == 1


def test_no_press_changes_the_lamp_of_the_warning(rig):
    day(rig)
    rig.wait(9.0)
    chair(rig, Presence.AWAY, ago_s=6.0)
    before = len(rig.faces)
    rig.tap(Button.SHOUT)
    rig.hold()
    assert {face.lamp for face in rig.faces[before:]} == {AWAY_LAMP}


def test_a_card_is_blank_while_the_chair_is_empty(rig):
    day(rig, absence=None)
    rig.down()
    rig.wait(0.8)
    assert rig.shown.lines == ("don",)
    chair(rig, Presence.AWAY)
    assert not rig.shown.card
    assert "don" not in rig.shown.lines
    chair(rig, Presence.PRESENT)
    assert rig.shown.lines == ("don",)
    chair(rig, Presence.UNKNOWN)
    assert rig.shown.lines == ("don",)


def test_what_is_private_is_blank_while_the_chair_is_empty(rig):
    rig.cue(title="don", lines=("N1: 3 sheriff",), icon=Icon.DON, private=True)
    chair(rig, Presence.AWAY)
    shown = rig.shown
    assert (shown.scene, shown.icon) == ("test", Icon.NONE)
    assert "don" not in (shown.title, *shown.lines)
    assert not any("sheriff" in line for line in shown.lines)
    chair(rig, Presence.UNKNOWN)
    assert (rig.shown.title, rig.shown.icon) == ("don", Icon.DON)


# ---- the link ----


def test_a_lost_link_is_told_by_the_lamp_before_all_else(rig, broker):
    day(rig, lamp=Lamp.ON)
    rig.wait(9.0)
    chair(rig, Presence.AWAY, ago_s=6.0)
    assert rig.shown.lamp is AWAY_LAMP
    broker.lose("node-03")
    rig.take()
    # The absence is not counted any more; the game goes on as far as is known.
    assert rig.shown.lamp is Lamp.ON
    rig.wait(3.0)
    assert rig.shown.lamp is LAMPS[LampState.UNLINKED].lamp
    broker.restore("node-03")
    rig.take()
    assert rig.shown.lamp is Lamp.ON
    day(rig, lamp=Lamp.ON)
    rig.wait(5.0)
    assert rig.shown.lamp is AWAY_LAMP


def test_by_night_a_lost_link_leaves_the_lamp_like_all_others(rig, broker):
    rig.cue(scene="night", press=PressMode.NIGHT, clock=ClockFace(2.5))
    broker.lose("node-03")
    rig.take()
    assert rig.shown.lamp is Lamp.OFF
    rig.wait(3.0)
    assert (rig.shown.scene, rig.shown.lamp) == ("unlinked", Lamp.OFF)

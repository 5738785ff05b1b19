import logging

import pytest

from firmware.press import STUCK_S
from firmware.wire import Button, Health, PressMode, TopicKind, decode, encode
from seat_node.seat import HEALTH_S

VOTE, SHOUT = Button.VOTE, Button.SHOUT


def told(rig):
    """Return what the last health says of stuck buttons."""
    rig.wait(HEALTH_S)
    return rig.messages(TopicKind.HEALTH)[-1].stuck


def test_a_button_down_for_thirty_seconds_is_in_the_health(rig, caplog):
    rig.cue(press=PressMode.RELEASE)
    rig.down(SHOUT)
    rig.wait(STUCK_S - 2 * HEALTH_S)
    assert told(rig) == ()
    with caplog.at_level(logging.WARNING):
        assert told(rig) == (SHOUT,)
    assert "shout has been down for 30 s" in caplog.text
    caplog.clear()
    assert told(rig) == (SHOUT,)
    assert caplog.text == ""
    rig.up(SHOUT)
    assert told(rig) == ()


def test_a_button_down_at_the_start_is_logged_at_once_and_then_stuck(new_rig, caplog):
    with caplog.at_level(logging.WARNING):
        rig = new_rig(closed=(VOTE,))
    assert "vote is down at the start" in caplog.text
    rig.link_up()
    rig.wait(STUCK_S)
    assert told(rig) == (VOTE,)


@pytest.mark.parametrize("scene", ["nightfall", "meeting", "rest", "night"])
def test_by_night_the_health_says_of_buttons_what_the_day_said(rig, caplog, scene):
    rig.cue(press=PressMode.RELEASE)
    rig.down(SHOUT)
    rig.wait(STUCK_S)
    assert told(rig) == (SHOUT,)
    rig.cue(scene=scene, press=PressMode.NIGHT)
    caplog.clear()
    rig.up(SHOUT)
    rig.down(VOTE)
    rig.wait(STUCK_S)
    assert (told(rig), caplog.text) == ((SHOUT,), "")
    rig.cue(scene="morning", press=PressMode.OFF)
    assert told(rig) == (VOTE,)


def test_a_health_of_another_version_is_taken():
    older = b'{"boot":"0badcafe","up_s":20.0}'
    newer = encode(Health("0badcafe", 20.0))[:-1] + b',"mood":"fine"}'
    for payload in (older, newer):
        assert decode(TopicKind.HEALTH, payload) == Health("0badcafe", 20.0)

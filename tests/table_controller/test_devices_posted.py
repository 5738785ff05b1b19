"""What the room may know of the devices: coarse, without a word of presses, frozen by night."""

import pytest
from msgspec.structs import replace

from firmware.wire import NODES, Button, Health, Presence, Status, TopicKind, encode
from table_controller.game import NORMAL, TURBO, Phase, actions
from table_controller.scoreboard import create_app
from table_controller.scoreboard.pages.posted import Device, Sight

from .conftest import Rig

GOOD = Health(
    boot="", up_s=100.0, temperature_c=51.6, throttled=False, fps=5.0, eyes="ok", link_ms=3.7
)


def tell(rig, seat, parts=("shout", "lamp", "screen", "eyes"), **told):
    """Let the device of *seat* say how it is, and the table hear it."""
    on_rig = rig.seats[seat]
    user, boot = NODES[seat - 1], f"{seat:08x}"
    status = Status(online=True, boot=boot, version="0.1.4", parts=parts)
    on_rig.link.publish(rig.topics.of(TopicKind.STATUS, user), encode(status), retain=True)
    health = replace(GOOD, **({"boot": boot} | told))
    on_rig.link.publish(rig.topics.of(TopicKind.HEALTH, user), encode(health), qos=0)
    rig.settle()


def at(rig, seat):
    """Return what is posted of the device of *seat*."""
    return next(each for each in rig.posted.devices if each.seat == seat)


def pages(rig):
    client = create_app(rig.hub, "en", posted=rig.posted).test_client()
    return [client.get(path).text for path in ("/devices", "/rules", "/gestures")]


def test_a_device_is_told_of_in_whole_numbers_and_words(rig):
    tell(rig, 3)
    assert at(rig, 3) == Device(
        "node-03", 3, online=True, version="0.1.4", link_ms=4, temperature_c=52, throttled=False,
        fps=5, sight=Sight.SEES, lacks=(),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("word", "sight"),
    [
        ("", Sight.UNKNOWN), ("ok", Sight.SEES), ("dark", Sight.DARK), ("covered", Sight.COVERED),
        ("dead", Sight.FAILS), ("off", Sight.UNKNOWN),
    ],
)  # fmt: skip
def test_a_camera_says_how_it_sees_and_never_what(rig, word, sight):
    tell(rig, 3, eyes=word)
    seen = [at(rig, 3)]
    for presence in Presence:
        rig.show.nodes.at(3).presence = presence
        rig.settle()
        seen.append(at(rig, 3))
    assert {each.sight for each in seen} == {sight}


def test_a_seat_without_eyes_and_one_whose_camera_the_host_has_switched_off(rig):
    tell(rig, 3, parts=("screen",), fps=None, eyes="")
    assert (at(rig, 3).sight, at(rig, 3).lacks) == (Sight.NONE, ("shout", "lamp", "camera"))
    tell(rig, 4)
    rig.show.nodes.switch_camera(4, on=False)
    rig.settle()
    assert at(rig, 4).sight is Sight.OFF


def test_a_lost_device_keeps_nothing_that_may_be_untrue_by_now(rig):
    tell(rig, 3)
    rig.broker.lose("node-03")
    rig.settle()
    assert at(rig, 3) == Device("node-03", 3, online=False, version="0.1.4")


def test_a_hand_raised_for_a_moment_does_not_show_in_the_rate(rig):
    for up_s in range(6):
        tell(rig, 3, fps=5.0, up_s=float(up_s))
    before = rig.posted.devices
    tell(rig, 3, fps=12.0, up_s=50.0)
    assert rig.posted.devices == before


def test_presses_by_day_change_nothing_of_it(rig):
    rig.to_first_day()
    tell(rig, 3)
    before = rig.posted.devices
    rig.shout(3)
    rig.press(1, 2, 3)
    rig.press(4, button=Button.SHOUT, for_s=2.0)
    assert rig.posted.devices is before


def test_from_nightfall_to_morning_the_page_stands_still(rig):
    rig.start_game()
    rig.until_phase(Phase.NIGHTFALL)
    found, shown = rig.posted.devices, pages(rig)
    assert "as it was at nightfall" in shown[0]
    tell(rig, 3, temperature_c=80.0, throttled=True)
    assert rig.show.nodes.at(3).health.throttled
    rig.broker.lose("node-04")
    rig.settle()
    assert not rig.show.nodes.at(4).online
    rig.press(5, 6)
    rig.advance(5.0)
    assert rig.phase in (Phase.NIGHTFALL, Phase.MEETING)
    assert rig.posted.devices is found
    assert pages(rig) == shown
    rig.until_phase(Phase.SPEECH)
    tell(rig, 3, temperature_c=80.0, throttled=True)
    assert at(rig, 3).throttled
    assert rig.posted.devices is not found
    assert pages(rig)[0] != shown[0]


def test_a_hand_that_a_camera_saw_by_night_does_not_show_in_the_morning(rig):
    """Eyes are quicker while they see a hand, and a rate is of ten seconds that have passed."""
    rig.start_game()
    rig.until_phase(Phase.NIGHTFALL)
    devices, node = rig.table._posting._devices, rig.show.nodes.at(3)

    def in_the_morning(*rates):
        """Return what is shown once the device has told these by day."""
        for fps in rates:
            node.health = replace(GOOD, boot=node.boot, fps=fps)
            devices.look(night=False)
        return next(each.fps for each in devices.look(night=False) if each.seat == 3)

    assert in_the_morning(0.0, 5.0) == 5
    rig.settle()
    for up_s in range(5):
        tell(rig, 3, boot=node.boot, fps=12.0, up_s=float(up_s))
    assert in_the_morning() == 5
    # The first one was measured in the last seconds of the night.
    assert in_the_morning(12.0) == 5
    assert in_the_morning(8.0, 8.0, 8.0, 8.0) == 8


def test_a_table_that_starts_at_night_tells_nothing_till_morning(rig):
    rig.start_game()
    rig.until_phase(Phase.NIGHTFALL)
    rig.kill_table()
    rig.start_table()
    rig.settle()
    rig.advance(3.0)
    assert rig.posted.devices is None
    assert "Nothing is known yet" in pages(rig)[0]


def test_the_rules_are_those_of_the_game_that_runs_else_of_the_next(rig):
    turbo = replace(rig.table.lineups.now, ruleset="turbo")
    rig.to_first_day()
    rig.table.lineups.choose(turbo)
    rig.settle()
    assert rig.posted.ruleset == NORMAL
    rig.table.playing.act(actions.Void(), rig.now_s)
    rig.settle()
    assert rig.posted.ruleset == TURBO


def test_pages_are_the_same_whoever_has_which_role(tmp_path, clock):
    shown = []
    for seed in (7, 8):
        rig = Rig(tmp_path / f"journal-{seed}", clock, seed=seed)
        rig.to_first_day()
        shown.append((rig.state.roles, pages(rig)))
        rig.table.playing.close()
        rig.journals.close()
    assert shown[0][0] != shown[1][0]
    assert shown[0][1] == shown[1][1]

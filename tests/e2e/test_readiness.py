"""Real programs before the deal: devices identified and placed, the readiness round."""

import pytest

from firmware.rehearsal import Identify, Place, Practice, SkipReadiness
from firmware.wire import Button, Lamp
from firmware.words import catalogue
from table_controller.game import SEATS
from table_controller.rehearsal.bots import Bot
from table_controller.rehearsal.stage import StageError

SPEED = 20.0


@pytest.fixture
def kit(new_house, director_class):
    """A kit that steps, with the round."""
    director = director_class(new_house(step=True, readiness=True, speed=SPEED, seed=1))
    director.house.wait_ready()
    return director


def all_hold(kit):
    for panel in kit.panels.values():
        panel.push(Button.VOTE)
    kit.scenes("check")
    for panel in kit.panels.values():
        panel.release(Button.VOTE)


def test_the_host_finds_exchanged_devices_and_lets_all_try_them_before_the_deal(kit):
    stage, panels = kit.stage, kit.panels
    stage.ask(Identify(3))
    kit.scenes("identify", seats={3})
    assert (panels[3].shown.title, panels[3].shown.lamp) == ("3", Lamp.FAST)
    stage.ask(Identify(3))
    kit.scenes("idle")

    # Who sits at 3 has the device of 5, and the other way round.
    stage.ask(Place())
    for seat, chair in enumerate((1, 2, 5, 4, 3, 6, 7, 8, 9, 10), start=1):
        kit.until(lambda seat=seat: panels[10].shown.title == str(seat), f"the turn of {seat}")
        panels[chair].tap(Button.VOTE)
    kit.scenes("idle")
    stage.ask(Identify(3))
    kit.scenes("identify", seats={5})
    assert panels[5].shown.title == "3"
    stage.ask(Identify(node="node-05"))
    kit.scenes("idle")

    all_hold(kit)
    assert kit.state()["readiness"] == {"stage": "check", "missing": [["vote", "shout"]] * 10}
    for panel in panels.values():
        panel.tap(Button.VOTE)
    kit.until(lambda: kit.state()["readiness"]["missing"] == [["shout"]] * 10, "ten votes")
    assert kit.state()["game"]["phase"] == "seating"
    for panel in panels.values():
        panel.tap(Button.SHOUT)
    kit.scenes("practice")
    kit.scenes("seating")
    stage.ask(Practice())
    kit.scenes("practice")
    stage.ask(SkipReadiness())
    kit.scenes("seating")
    assert kit.state()["readiness"] is None
    for panel in panels.values():
        panel.tap(Button.VOTE)
    kit.scenes("card")
    with pytest.raises(StageError, match="morning"):
        stage.ask(Identify(3))


def test_bots_try_their_buttons_and_practise_before_they_play(new_house):
    house = new_house(readiness=True, speed=SPEED, seed=1)
    seen = {seat: [] for seat in SEATS}

    def note(panel):
        # Starting, a seat passes through whatever its link is like.
        if panel.scene in ("check", "practice", "seating", "card") and (
            panel.scene not in seen[panel.seat][-1:]
        ):
            seen[panel.seat].append(panel.scene)

    house.stage.on_shown.append(note)
    for seat, panel in house.stage.panels.items():
        Bot(panel, house.stage, catalogue("en"), 1 / SPEED, f"7 {seat}", again=False)
    house.stage.until(
        lambda: all(scenes[-1:] == ["card"] for scenes in seen.values()), 60.0, "the deal"
    )
    assert set(map(tuple, seen.values())) == {("check", "practice", "seating", "card")}

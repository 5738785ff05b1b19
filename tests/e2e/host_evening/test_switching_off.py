"""A camera, and the whole table, switched off on the console, with real programs."""

import os
import re

import pytest

from table_controller.game import SEATS, actions
from table_controller.record.examine import examine
from table_controller.rehearsal.house import AWAY, House, Settings
from tests.e2e.test_eyes import LOOK_S
from tests.e2e.test_eyes import photograph_of as photograph_of

expect = pytest.importorskip("playwright.sync_api").expect
pytestmark = [pytest.mark.browser, pytest.mark.proof]

END_S = 30.0
"""A table that was told to end has ended; patience of a test that fails."""


@pytest.mark.vision
def test_a_camera_is_switched_off_and_on(new_house, director_class, new_host, photograph_of):
    eyes = {3: photograph_of("thumb_up")}
    director = director_class(new_house(step=True, seed=1, eyes=eyes))
    director.house.wait_ready()
    host = new_host(director)
    director.begin()
    director.speech_of(1)

    def gesture():
        return director.state()["seats"][2]["gesture"]

    director.until(lambda: gesture() == "thumb_up", "the thumb of 3", LOOK_S)
    host.press(host.seat(3, "device").get_by_role("button", name="Camera off"))
    expect(host.page.locator("#seat-3")).to_contain_text("camera off")
    director.until(lambda: gesture() == "", "a camera that sees nothing", LOOK_S)
    director.until(lambda: director.panels[3].shown.lines == ("Camera off",), "the seat's word")
    host.press(host.seat(3, "device").get_by_role("button", name="Camera on"))
    expect(host.page.locator("#seat-3")).not_to_contain_text("camera off")
    # A hand is told once: only eyes that look anew tell it again.
    director.until(lambda: gesture() == "thumb_up", "the thumb again", LOOK_S)
    assert director.panels[3].shown.lines == ()


class Evening(House):
    """A house whose table is no rehearsal's: it has a machine of its own to switch off."""

    def _table_arguments(self):
        return []

    def _is_ready(self):
        self.check()
        return all(panel.scene not in AWAY for panel in self.stage.panels.values())


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Take the place of systemctl; return the file with what it was asked for."""
    asked, systemctl = tmp_path / "asked", tmp_path / "bin" / "systemctl"
    systemctl.parent.mkdir()
    systemctl.write_text(f'#!/bin/sh\necho "$@" >> {asked}\n')
    systemctl.chmod(0o755)
    monkeypatch.setenv("PATH", f"{systemctl.parent}:{os.environ['PATH']}")
    return asked


def test_the_table_is_switched_off_and_its_game_is_there_when_it_is_on_again(
    machine, director_class, new_host
):
    with Evening(Settings()) as house:
        director = director_class(house)
        house.wait_ready()
        host = new_host(director, allow=("ERR_", "403"))
        director.all_hold(*SEATS, until="seating")
        host.press(host.page.locator("#machine-panel summary"))
        off = host.page.locator("#machine-panel").get_by_role("button", name="Switch the table off")
        host.press(off)
        sure = host.page.locator("#sure-sheet")
        expect(sure).to_contain_text("The devices stay on.")
        host.press(sure.get_by_role("button", name="No, back"))
        expect(sure).to_be_hidden()
        assert director.state()["game"]["paused"] is False
        host.press(off)
        host.press(sure.get_by_role("button", name="Switch the table off"))
        house.stage.until(lambda: house.table.code is not None, END_S, "the end of the table")
        assert house.table.code == 0
        assert machine.read_text().split() == ["poweroff"]
        expect(host.page.locator("body")).to_have_class(re.compile(r"\bstale\b"))

        (path,) = (house.folder / "data" / "journal").glob("*.db")
        assert examine(path).rows[-1].entry.action == actions.Pause()
        assert all(seat.code is None for seat in house.seats.values()), "the devices stay on"

        house.table.start()
        director.scenes("paused")
        # It knows no log-in of before: the page says so, and shows nothing old as new.
        expect(host.page.locator("#shut")).to_contain_text("You are no longer logged in.")
        director.all_hold(*SEATS, until="seating")
        assert director.state()["game"]["paused"] is False

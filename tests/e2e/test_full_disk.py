"""A whole kit whose table runs out of disk in a game: a real tmpfs, full to its last byte."""

import contextlib

import pytest

from firmware.wire import Button

SIZE = "2m"

pytestmark = pytest.mark.proof


def test_a_full_disk_in_a_game_stops_it_and_room_lets_it_go_on(with_own_mounts):
    with_own_mounts(test_inside_a_disk_that_fills)


def fill(folder):
    with contextlib.suppress(OSError), (folder / "filler").open("wb", buffering=0) as file:
        while file.write(bytes(4096)):
            pass


def test_inside_a_disk_that_fills(inside, card_house, mount, director_class):
    house = card_house(
        lambda folder: mount(
            "mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=0700", "tmpfs", folder
        )
    )
    director = director_class(house)
    director.begin()
    director.speech_of(1)
    director.nominate(1, 4)
    fill(house.data)
    director.panels[7].tap(Button.SHOUT)
    director.scenes("paused")
    assert director.state()["notice"] == "disk full"
    director.until(lambda: director.panels[7].shown.waiting, "the press that waits")
    (house.data / "filler").unlink()
    director.until(lambda: director.state()["notice"] == "", "the end of the standstill")
    director.until(lambda: not director.panels[7].shown.waiting, "an answer")
    director.scenes("paused")
    # What was shown is what a table comes to that is started now.
    before = director.state()["game"]
    house.table.kill()
    house.table.start()
    house.table.first_line(30)
    director.until(lambda: (director.state() or {}).get("notice"), "the restart")
    director.scenes("paused")
    assert director.state()["game"] == before
    director.all_hold(*director.living, until="day|floor")
    director.speech_of(2)
    director.nominate(2, 5)

"""A whole kit whose table runs out of disk in a game: a real tmpfs, full to its last byte.

The mount needs a namespace of its own, so the test plays in a second pytest inside one.
"""

import contextlib
import os
import subprocess
import sys

import pytest

from firmware.wire import Button
from table_controller.rehearsal.house import House, Settings

INSIDE = "MAFIA_TEST_IN_NAMESPACE"
NAMESPACE = ("unshare", "--map-root-user", "--mount")
SIZE = "2m"

pytestmark = pytest.mark.proof


class SmallHouse(House):
    """A house whose table has its data on a tmpfs that can be filled."""

    def _start_table(self):
        self.data.mkdir()
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=0700", "tmpfs", str(self.data)],
            check=True,
        )
        super()._start_table()

    @property
    def data(self):
        return self.folder / "data"

    def fill(self):
        with contextlib.suppress(OSError), (self.data / "filler").open("wb", buffering=0) as file:
            while file.write(bytes(4096)):
                pass

    def make_room(self):
        (self.data / "filler").unlink()


@pytest.mark.skipif(INSIDE in os.environ, reason="plays outside")
def test_a_full_disk_in_a_game_stops_it_and_room_lets_it_go_on():
    try:
        subprocess.run([*NAMESPACE, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"this system gives no mount namespace: {error}")
    inner = subprocess.run(
        [*NAMESPACE, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__],
        env={**os.environ, INSIDE: "1"},
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert inner.returncode == 0, inner.stdout + inner.stderr
    assert "1 passed" in inner.stdout


@pytest.mark.skipif(INSIDE not in os.environ, reason="plays inside the namespace")
def test_inside_the_namespace(director_class):
    with SmallHouse(Settings(step=True, seed=1)) as house:
        director = director_class(house)
        director.begin()
        director.speech_of(1)
        director.nominate(1, 4)
        house.fill()
        director.panels[7].tap(Button.SHOUT)
        director.scenes("paused")
        assert director.state()["notice"] == "disk full"
        director.until(lambda: director.panels[7].shown.waiting, "the press that waits")
        house.make_room()
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

"""A camera that the host has switched off: the eyes close it and look at nothing."""

import os
import queue
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.clock import SystemClock
from firmware.fakes import FakeClock
from firmware.wire import Presence
from seat_node.eyes_link import EyesSocket
from seat_node.models import HAND_MODEL, default_directory
from seat_node.reports import OFF, Chair, Sight, Watch
from seat_node.watching import SIGHT_S, stay_shut, watch_over

SHUT = Watch(off=True)
DEADLINE_S = 60.0
"""Patience with libraries that load."""


class Line:
    """A seat that changes its wish at some moments; waiting moves the clock."""

    def __init__(self, clock, *wishes):
        self.clock, self.wishes = clock, list(wishes)
        self.told = []
        self._new = True

    @property
    def watch(self):
        due = [wish for at_s, wish in self.wishes if at_s <= self.clock.now_s()]
        return due[-1]

    def connect(self):
        new, self._new = self._new, False
        return new

    def tell(self, reports):
        self.told += [(self.clock.now_s(), report) for report in reports]

    def wait(self, patience_s):
        self.clock.advance(min(patience_s, 1.0))


class Looks:
    def __init__(self):
        self.turns_s = []

    def introduce(self, at_s):
        return []

    def turn(self, watch, now_s):
        self.turns_s.append(now_s)
        return [], now_s + 0.5


def test_eyes_that_are_switched_off_look_no_more():
    clock, looks = FakeClock(100.0), Looks()
    line = Line(clock, (0.0, Watch()), (103.0, SHUT))
    assert watch_over(looks, line, clock, hurry=False) is True
    assert 101.0 < looks.turns_s[-1] < 103.0
    assert clock.now_s() == pytest.approx(103.0, abs=0.6)


def test_they_tell_that_they_are_off_and_nothing_else_until_they_may_look():
    clock = FakeClock(100.0)
    line = Line(clock, (0.0, SHUT), (112.0, Watch()))
    stay_shut(line, clock)
    assert clock.now_s() == 112.0
    assert [at_s for at_s, report in line.told if isinstance(report, Sight)] == [
        100.0,
        100.0 + SIGHT_S,
        100.0 + 2 * SIGHT_S,
    ]
    for at_s, report in line.told:
        match report:
            case Sight():
                assert report.word == OFF
            case _:
                assert report == Chair(Presence.UNKNOWN, at_s)


def test_eyes_that_may_look_are_not_held_up():
    clock = FakeClock(100.0)
    line = Line(clock, (0.0, Watch()))
    stay_shut(line, clock)
    assert (clock.now_s(), line.told) == (100.0, [])


def opened(pid, path):
    """Tell whether the process *pid* has *path* open."""
    files = Path(f"/proc/{pid}/fd").iterdir()
    return any(os.path.realpath(file) == str(path) for file in files if file.exists())


@pytest.mark.vision
def test_the_real_process_closes_its_source_and_opens_it_again(tmp_path):
    pytest.importorskip("mediapipe")
    cv2 = pytest.importorskip("cv2")
    np = pytest.importorskip("numpy")
    if not (default_directory() / HAND_MODEL).is_file():
        pytest.skip("run mafia-seat models")
    video = tmp_path / "chair.avi"
    writer = cv2.VideoWriter(str(video), cv2.VideoWriter_fourcc(*"MJPG"), 25.0, (320, 240))
    for shade in range(50):
        writer.write(np.full((240, 320, 3), 60 + shade, dtype=np.uint8))
    writer.release()
    reports = queue.SimpleQueue()
    command = (
        sys.executable, "-m", "seat_node", "eyes", "--source", str(video),
        "--socket", str(tmp_path / "e"),
    )  # fmt: skip

    def until(word):
        """Wait for a report whose word is *word*, or any other one for None."""
        while True:
            report = reports.get(timeout=DEADLINE_S)
            if isinstance(report, Sight) and (report.word == OFF) is (word == OFF):
                return

    with EyesSocket(tmp_path / "e", reports.put, SystemClock()) as seat:
        child = subprocess.Popen(command, stderr=subprocess.PIPE)
        try:
            # Nobody has asked it to look.
            until(OFF)
            assert not opened(child.pid, video)
            seat.watch(Watch())
            until(None)
            assert opened(child.pid, video)
            seat.watch(SHUT)
            until(OFF)
            assert not opened(child.pid, video)
            seat.watch(Watch())
            until(None)
            assert opened(child.pid, video)
            assert child.poll() is None
        finally:
            child.kill()
            child.communicate(timeout=DEADLINE_S)

"""The real seat with real eyes whose camera hangs, is not there, or is pulled out."""

import importlib.util
import os
import threading

import pytest

from firmware.clock import SystemClock
from firmware.wire import Presence, Present, PressMode
from seat_node.models import default_directory, missing, read_lock

pytestmark = pytest.mark.vision

np = pytest.importorskip("numpy", reason="numpy is not installed: make vision")
cv2 = pytest.importorskip("cv2", reason="OpenCV is not installed: make vision")

CLOCK = SystemClock()
START_S = 90.0
"""Patience with eyes that start on a busy machine."""
HUNG_S = 14.5
"""By then eyes that hang are unknown; an absence would count at 15."""


@pytest.fixture(autouse=True)
def models():
    if importlib.util.find_spec("mediapipe") is None or missing(default_directory(), read_lock()):
        pytest.skip("MediaPipe or its models are not installed: make vision")


def empty_room(number):
    """Return a picture of nobody: a lit wall and a camera's noise, (480, 640, 3)."""
    wall = np.linspace(60, 200, 640)[None, :, None] * np.ones((480, 1, 3))
    noise = np.random.default_rng(number).normal(0, 4, wall.shape)
    return np.clip(wall + noise, 0, 255).astype(np.uint8)


def is_chair(state):
    return lambda what: isinstance(what, Present) and what.state is state


class Cable:
    """A video that comes through a pipe, and stops in its middle: the reader waits for ever."""

    def __init__(self, folder):
        video = folder / "room.avi"
        writer = cv2.VideoWriter(str(video), cv2.VideoWriter_fourcc(*"MJPG"), 10.0, (640, 480))
        for number in range(60):
            writer.write(empty_room(number))
        writer.release()
        self._half = video.read_bytes()
        self._half = self._half[: len(self._half) * 9 // 10]
        self.path = folder / "pipe"
        os.mkfifo(self.path)
        self.over = threading.Event()
        self._open = []

    def feed(self):
        """Let the next reader have its pictures, the last of them never whole."""
        self.over.clear()
        threading.Thread(target=self._feed, daemon=True).start()

    def _feed(self):
        pipe = self.path.open("wb", buffering=0)
        self._open.append(pipe)
        pipe.write(self._half)
        self.over.set()

    def close(self):
        for pipe in self._open:
            pipe.close()


@pytest.fixture
def cable(tmp_path):
    cable = Cable(tmp_path)
    yield cable
    cable.close()


@pytest.mark.proof
def test_public_symptom_31_a_capture_that_hangs_for_ever_and_a_seat_that_votes(start_seat, cable):
    cable.feed()
    seat = start_seat("--eyes", str(cable.path))
    seat.cue(press=PressMode.EDGE)
    seat.says(is_chair(Presence.AWAY), START_S)
    assert cable.over.wait(START_S)
    hung_s = CLOCK.now_s()
    seat.votes()
    unknown = seat.says(is_chair(Presence.UNKNOWN), START_S)
    assert unknown.made_s - hung_s < HUNG_S
    cable.feed()
    seat.votes()
    seat.says(is_chair(Presence.AWAY), START_S)


PICAMERA2 = '''
"""Behaves as picamera2 0.3.38 with and without a camera; there is one while a file is there."""

import os

import numpy as np

HERE = os.environ["CAMERA"]


class Picamera2:
    camera_controls = {"FrameDurationLimits": (33333, 120000, None)}

    def __init__(self):
        if not os.path.exists(HERE):
            raise IndexError("list index out of range")

    def create_video_configuration(self, main):
        return {"main": main}

    def configure(self, configuration):
        self.camera_configuration = lambda: configuration

    def set_controls(self, controls):
        assert controls == {"FrameRate": 15.0}

    def start(self):
        self.random = np.random.default_rng()

    def capture_array(self, name, wait):
        if not os.path.exists(HERE):
            raise RuntimeError("Camera frontend has timed out!")
        wall = np.linspace(60, 200, 640)[None, :] * np.ones((720, 1))
        wall[480:] = 128
        return np.clip(wall + self.random.normal(0, 4, wall.shape), 0, 255).astype(np.uint8)

    def close(self):
        pass
'''


@pytest.mark.proof
def test_public_symptom_32_no_camera_at_the_start_one_later_and_none_again(start_seat, tmp_path):
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "picamera2.py").write_text(PICAMERA2)
    camera = tmp_path / "camera"
    seat = start_seat(
        "--eyes", "picamera2", PYTHONPATH=str(tmp_path / "modules"), CAMERA=str(camera)
    )
    seat.cue(press=PressMode.EDGE)
    seat.health(lambda health: health.eyes == "no camera", START_S)
    seat.votes()
    camera.touch()
    seat.says(is_chair(Presence.AWAY), START_S)
    seat.health(lambda health: health.eyes == "ok", START_S)
    camera.unlink()
    seat.says(is_chair(Presence.UNKNOWN), START_S)
    seat.health(lambda health: health.eyes == "no camera", START_S)
    seat.votes()

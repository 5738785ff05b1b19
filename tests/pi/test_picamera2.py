"""The real picamera2 on libcamera's virtual pipeline, through MediaPipe to what the seat says.

Frames are photographs. Run by `make test-pi`: it writes where libcamera reads which cameras
there are, so it runs in a system of its own only.
"""

import csv
import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from firmware.wire import Gesture, Presence, Present, PressMode
from firmware.wire import Look as Wish
from seat_node.eyes_link import OWN_UNIT

if "MAFIA_VIRTUAL_CAMERA" not in os.environ:
    pytest.skip("the virtual camera is not for this system: make test-pi", allow_module_level=True)

import cv2
import numpy as np

CAMERAS = Path("/usr/share/libcamera/pipeline/virtual/virtual.yaml")
"""Where Debian's libcamera reads which virtual cameras there are, once a process."""

CAMERA = """\
%YAML 1.1
---
"Virtual0":
  supported_formats:
  - {{width: {width}, height: {height}, frame_rates: [30]}}
  frames:
    path: "{frames}/"
  location: "CameraLocationFront"
  model: "virtual"
"""
RANGE = 12.0
"""Levels of 255 by which a colour may be off: the pipeline takes JPEG's full range for video's."""
START_S = 90.0
"""Patience with eyes that start on a busy machine."""
ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(__file__).parent)}


def photograph(label):
    """Return a photograph with *label*, BGR: of the club's photographs, else a public one."""
    if "MAFIA_PHOTOS" in os.environ:
        photos = Path(os.environ["MAFIA_PHOTOS"])
        with (photos / "labels.csv").open(encoding="utf-8", newline="") as file:
            names = sorted(row["file"] for row in csv.DictReader(file) if row["label"] == label)
        return cv2.imread(str(photos / names[0]))
    names = {"face": "astronaut.png", "noface": "coffee.png"}
    if label not in names:
        pytest.skip("MAFIA_PHOTOS names no folder of labelled photographs")
    (package,) = find_spec("skimage").submodule_search_locations
    return cv2.imread(str(Path(package, "data", names[label])))


def fitted(picture, width, height):
    """Return *picture* in a grey frame of *width* x *height*, no part of it cut off."""
    scale = min(width / picture.shape[1], height / picture.shape[0])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    frame = np.full((height, width, 3), 128, np.uint8)
    top, left = (height - small.shape[0]) // 2, (width - small.shape[1]) // 2
    frame[top : top + small.shape[0], left : left + small.shape[1]] = small
    return frame


class VirtualCamera:
    """A camera that can be plugged in and pulled out, in front of a photograph."""

    def __init__(self, folder):
        self._frames = folder / "frames"
        self._frames.mkdir()
        CAMERAS.parent.mkdir(parents=True, exist_ok=True)

    def shows(self, picture, width=640, height=480):
        """Plug it in; whoever opens it next sees *picture*, with a camera's noise."""
        frame = fitted(picture, width, height).astype(np.int16)
        for number in range(12):
            noise = np.random.default_rng(number).integers(-3, 4, frame.shape)
            noisy = np.clip(frame + noise, 0, 255).astype(np.uint8)
            cv2.imwrite(str(self._frames / f"{number}.jpg"), noisy)
        CAMERAS.write_text(CAMERA.format(width=width, height=height, frames=self._frames))

    def unplug(self):
        CAMERAS.unlink(missing_ok=True)


@pytest.fixture
def camera(tmp_path):
    camera = VirtualCamera(tmp_path)
    yield camera
    camera.unplug()


SHOOT = """
import virtual_camera
import json, sys
from firmware.clock import SystemClock
from firmware.errors import BoardError
from seat_node import picamera
from seat_node.camera import choose, open_source
{before}
try:
    source = open_source(choose("picamera2"), SystemClock())
    {after}
    frames = [source.look(0.0) for _ in range(3)]
    source.close()
except BoardError as error:
    sys.exit(str(error))
rgb = frames[-1].rgb
json.dump([rgb.shape, str(rgb.dtype), rgb.flags.c_contiguous, rgb.mean((0, 1)).tolist(),
           rgb[::40, ::40].tolist()], sys.stdout)
"""


def shoot(before="", after=""):
    """Take a picture in a process of its own."""
    return subprocess.run(
        (sys.executable, "-c", SHOOT.format(before=before, after=after)),
        env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(("width", "height"), [(640, 480), (800, 600), (320, 240)])
def test_frames_are_the_photograph_in_whatever_size_the_camera_gives(camera, width, height):
    picture = photograph("face")
    camera.shows(picture, width, height)
    shape, kind, contiguous, mean, points = json.loads(shoot().stdout)
    assert (shape, kind, contiguous) == ([height, width, 3], "uint8", True)
    expected = cv2.cvtColor(fitted(picture, width, height), cv2.COLOR_BGR2RGB)
    assert np.abs(np.array(mean) - expected.mean((0, 1))).max() < RANGE
    assert np.abs(np.array(points) - expected[::40, ::40]).mean() < RANGE


def test_another_format_than_was_asked_for_is_named(camera):
    camera.shows(photograph("face"))
    done = shoot(before="picamera.FORMAT = 'YUV420'")
    assert done.returncode == 1
    assert done.stderr.endswith("the camera gives frames in NV12, expected YUV420\n")


def test_without_a_camera_the_cable_is_named(camera):
    camera.unplug()
    done = shoot()
    assert done.returncode == 1
    assert "no camera" in done.stderr.splitlines()[-1]
    assert "check its cable" in done.stderr.splitlines()[-1]


def test_a_camera_that_sends_no_frame_any_more_has_stopped(camera):
    camera.shows(photograph("face"))
    done = shoot(after="source.look(0.0); source._camera.stop()")
    assert done.returncode == 1
    assert "the camera sends no frame for 2 s: check its cable" in done.stderr


class Unit:
    """The eyes as a service of their own, started again when they end, as systemd does."""

    EYES = "import virtual_camera, seat_node.__main__ as seat; seat.main()"

    def __init__(self):
        OWN_UNIT.parent.mkdir(exist_ok=True)
        self._process = None

    def start(self):
        self.stop()
        words = ("eyes", "--source", "picamera2", "--socket", str(OWN_UNIT))
        self._process = subprocess.Popen((sys.executable, "-c", self.EYES, *words), env=ENVIRONMENT)

    def ends(self):
        return self._process.wait(START_S)

    def stop(self):
        if self._process is not None:
            self._process.kill()
            self._process.wait()


@pytest.fixture
def eyes():
    unit = Unit()
    yield unit
    unit.stop()
    # A seat's folder is there while it runs, and no longer.
    shutil.rmtree(OWN_UNIT.parent)


def chair(state):
    return lambda what: isinstance(what, Present) and what.state is state


def test_what_the_camera_sees_is_what_the_seat_says(camera, eyes, start_seat):
    seat = start_seat()
    seat.cue(press=PressMode.EDGE)
    camera.shows(photograph("face"))
    eyes.start()
    seat.says(chair(Presence.PRESENT), START_S)
    camera.shows(photograph("noface"))
    eyes.start()
    seat.says(chair(Presence.UNKNOWN), START_S)
    seat.says(chair(Presence.AWAY), START_S)
    health = seat.health(lambda health: health.eyes == "ok" and health.fps > 0, START_S)
    assert health.fps == pytest.approx(3.0, abs=1.5)


@pytest.mark.parametrize("name", ["thumb_up", "fist", "thumb_down"])
def test_a_hand_in_the_photograph_is_a_word_on_the_wire(camera, eyes, start_seat, name):
    seat = start_seat()
    seat.cue(look=Wish(gestures=("thumb_up", "fist", "thumb_down")))
    camera.shows(photograph(name))
    eyes.start()
    said = seat.says(lambda what: isinstance(what, Gesture), START_S)
    assert said.what.name == name


def test_public_symptom_32_no_camera_at_the_start_and_one_later(camera, eyes, start_seat):
    camera.unplug()
    seat = start_seat()
    seat.cue(press=PressMode.EDGE)
    eyes.start()
    seat.health(lambda health: health.eyes == "no camera", START_S)
    seat.votes()
    assert eyes.ends() == 69
    camera.shows(photograph("face"))
    eyes.start()
    seat.says(chair(Presence.PRESENT), START_S)

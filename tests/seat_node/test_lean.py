"""What the eyes' process does not load: it looks, and draws nothing."""

import contextlib
import importlib.metadata
import importlib.util
import subprocess
import sys

import pytest

from seat_node.models import default_directory, missing, read_lock

pytestmark = pytest.mark.vision

LOOK = """
import sys
from pathlib import Path
from seat_node import eyes
eyes.spare_drawing()
import cv2
import numpy
from seat_node.faces import Faces
from seat_node.hands import Hands
black = numpy.zeros((480, 640, 3), numpy.uint8)
faces, hands = Faces(Path(sys.argv[1])), Hands(Path(sys.argv[1]))
assert faces.look(black, 0.0) is None and hands.look(black, 0.0) == []
hands.close(), faces.close()
for name, module in sorted(sys.modules.items()):
    if "." not in name and getattr(module, "__file__", None):
        print(name)
with open("/proc/self/maps") as maps:
    for path in {line.split()[-1] for line in maps if ".so" in line}:
        print(path.rpartition("/")[2])
"""
UNUSED = {"matplotlib", "PIL", "sounddevice", "jax", "pandas", "scipy", "tkinter", "IPython"}
WINDOWS = ("libQt", "libgtk", "libX11", "libxcb")
"""What an OpenCV that opens windows brings along; ``make vision`` puts another in its place."""


@pytest.fixture(scope="module")
def loaded():
    """Names of the libraries that a process of eyes has loaded, Python's and others."""
    if importlib.util.find_spec("mediapipe") is None or missing(default_directory(), read_lock()):
        pytest.skip("MediaPipe or its models are not there: make vision")
    done = subprocess.run(
        [sys.executable, "-c", LOOK, str(default_directory())],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_no_library_that_draws_plays_or_trains_is_loaded(loaded):
    assert {"mediapipe", "numpy", "libmediapipe.so"} <= loaded
    assert loaded & UNUSED == set()


def test_no_library_that_opens_windows_is_loaded(loaded):
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        importlib.metadata.version("opencv-contrib-python")
        pytest.skip("the OpenCV that has windows is installed: make vision puts another there")
    assert [name for name in loaded if name.startswith(WINDOWS)] == []

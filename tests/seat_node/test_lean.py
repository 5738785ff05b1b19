"""What the eyes' process does not load: it looks, and draws nothing."""

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
"""
UNUSED = {"matplotlib", "PIL", "sounddevice", "jax", "pandas", "scipy", "tkinter", "IPython"}


def test_no_library_that_draws_plays_or_trains_is_loaded():
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
    loaded = set(done.stdout.split())
    assert {"mediapipe", "numpy"} <= loaded
    assert loaded & UNUSED == set()

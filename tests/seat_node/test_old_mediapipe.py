"""The MediaPipe of a Pi 4 sees what that of a Pi 5 sees: the real eyes on photographs, on both."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import firmware
from seat_node.checks.sight import NEW, OLD
from seat_node.models import default_directory, missing, read_lock
from seat_node.reports import Chair, Hand, Report

pytestmark = [pytest.mark.vision, pytest.mark.proof]

IMAGE = Path(firmware.__file__).parent / "image"
PINS = IMAGE / "constraints-pi4.txt"
EYES = IMAGE / "eyes.txt"

WATCH = """
import sys
from seat_node.lean import spare_drawing
spare_drawing()
import mediapipe
print(mediapipe.__version__, file=sys.stderr)
from seat_node.eyes import eyes
eyes()
"""
SHOWN = {
    "1": ("number", 1),
    "2": ("number", 2),
    "4": ("number", 4),
    "open_palm": ("number", 5),
    "fist": ("fist", 0),
    "thumb_up": ("thumb_up", 0),
    "ok_ring": ("ok", 0),
}
"""Labels of photographs of one hand, and what they mean."""
PER_LABEL = 4
EACH_S = 1.0
DEADLINE_S = 300.0

SAME = 0.9
"""Least share of the photographs of which both say the same. Measured: all 28."""


@pytest.fixture(scope="module")
def old(tmp_path_factory):
    """A folder with the old MediaPipe and what it needs."""
    if sys.version_info[:2] != (3, 11):
        pytest.skip("the card of a Pi 4 has Python 3.11")
    folder = tmp_path_factory.mktemp("old")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--no-input", "--no-deps", "--only-binary=:all:", "--target", str(folder)]
    # As on a card, with the NumPy that apt brings there.
    command += ["--constraint", str(PINS), "--requirement", str(EYES), "numpy"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_S, check=False)
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        pytest.skip(f"{OLD} cannot be installed: {' '.join(lines)}")
    return folder


@pytest.fixture(scope="module")
def album(tmp_path_factory):
    """A folder of links to photographs, an empty room last; and what each shows."""
    named = os.environ.get("MAFIA_PHOTOS")
    if not named:
        pytest.skip("MAFIA_PHOTOS names no folder of labelled photographs")
    photos = Path(named)
    with (photos / "labels.csv").open(encoding="utf-8", newline="") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: row["file"])
    shelves = [
        [row["file"] for row in rows if row["label"] == label][:PER_LABEL] for label in SHOWN
    ]
    # Neighbours differ, so that each is told of.
    shown = [file for files in zip(*shelves, strict=True) for file in files]
    shown += ["noface_coffee.jpg"] * 5
    folder = tmp_path_factory.mktemp("album")
    for index, file in enumerate(shown):
        (folder / f"{index:03d}.jpg").symlink_to(photos / file)
    return folder, list(SHOWN.values()) * PER_LABEL


def reports(album, before=()):
    """Run the eyes over *album*, modules found *before* others; return version and reports."""
    models = default_directory()
    if missing(models, read_lock()):
        pytest.skip("no models: make vision")
    paths = [*map(str, before), os.environ.get("PYTHONPATH", "")]
    arguments = ["--models", str(models), "--source", str(album), "--once", "--each", str(EACH_S)]
    done = subprocess.run(
        [sys.executable, "-c", WATCH, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    version = done.stderr.splitlines()[0]
    return version, [msgspec.json.decode(line, type=Report) for line in done.stdout.splitlines()]


def hands(told):
    """Return what was told of each photograph, by its index."""
    return {
        int(report.at_s / EACH_S + 1e-3): (report.name, report.number)
        for report in told
        if isinstance(report, Hand)
    }


def test_the_pi_4s_mediapipe_sees_the_same_presence_and_gestures(album, old):
    folder, means = album
    new_version, new = reports(folder)
    old_version, said = reports(folder, [old])
    assert (f"mediapipe=={new_version}", f"mediapipe=={old_version}") == (NEW, OLD)
    chairs = [[one.state for one in told if isinstance(one, Chair)] for told in (new, said)]
    assert chairs[0] == chairs[1]
    now, then = hands(new), hands(said)
    same = [index for index in range(len(means)) if now.get(index) == then.get(index)]
    right = [index for index in then if then[index] == means[index]]
    print(
        f"{len(means)} photographs, the same of {len(same)}; {len(then)} told, {len(right)} right"
    )
    print([(means[i], now.get(i), then.get(i)) for i in range(len(means)) if i not in same])
    assert len(same) >= SAME * len(means)
    assert len(right) >= SAME * len(then) >= SAME * SAME * len(now) > 0

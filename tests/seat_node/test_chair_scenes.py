"""Scenes at a chair, and four hours made of them: nobody is told away who sits there."""

import importlib.util
import json
import os
import random
from pathlib import Path

import pytest

from firmware.wire import Absence
from seat_node import light
from seat_node.absence import Meter
from seat_node.bodies import Torso
from seat_node.eyes import Eyes
from seat_node.frame import Frame
from seat_node.framing import Box
from seat_node.models import default_directory, missing, read_lock
from seat_node.reports import Chair, Empty, Watch
from tests.seat_node.chair_scenes import LOOKS, RECORDED, SCENES, Pictures, record

np = pytest.importorskip("numpy", reason="numpy is not installed: make vision")

LIMIT_S = 15.0
EVENING_S = 4 * 3600
SEEN = json.loads(RECORDED.read_text("utf-8"))
PICTURES = {
    light.OK: np.random.default_rng(7).integers(40, 200, (48, 64, 3), dtype=np.uint8),
    light.DARK: np.zeros((48, 64, 3), np.uint8),
}


class Recording:
    """What was recorded of scenes, one after another."""

    def __init__(self, seen, names):
        self.looks = [look for name in names for look in seen[name]]
        self.number = 0

    def frame(self, at_s):
        self.number = round(at_s * LOOKS)
        if self.number >= len(self.looks):
            return None
        return Frame(PICTURES[self.looks[self.number][0]], at_s)

    def face(self, *_):
        height = self.looks[self.number][1]
        return None if height is None else Box(0.5, 0.4, height)

    def bodies(self, *_):
        return [Torso(*torso) for torso in self.looks[self.number][2]]


class Finder:
    """A source, or a finder, of the eyes."""

    live = False

    def __init__(self, look):
        self.look = look


def absences(seen, names):
    """Let eyes and seat live through the scenes *names*; return every absence that is told."""
    recording = Recording(seen, names)
    eyes = Eyes(
        Finder(recording.frame),
        Finder(recording.face),
        Finder(lambda *_, **__: []),
        Finder(recording.bodies),
    )
    meter, told, now_s = Meter(), [], 0.0
    meter.cue(Absence(5.0, LIMIT_S), None, now_s)
    while True:
        reports, due_s = eyes.turn(Watch(), now_s)
        for report in reports:
            if isinstance(report, Chair):
                meter.state(report, now_s)
            elif isinstance(report, Empty) and (absent := meter.look(report, now_s)):
                told.append(absent)
        if due_s is None:
            return told
        now_s = due_s


def gone(names):
    """Return (since, latest since, until) of each time that the chair is empty for over 15 s."""
    times, began_s = [], 0.0
    for name in names:
        scene = SCENES[name]
        if scene.gone and scene.long_s - 8 > LIMIT_S:
            left_s = began_s + 4.0
            times.append((left_s, left_s + scene.late_s, began_s + scene.long_s - 4.0))
        began_s += scene.long_s
    return times


def compare(told, truth):
    assert len(told) == len(truth)
    for absent, (left_s, latest_s, back_s) in zip(told, truth, strict=True):
        assert left_s - 1.0 <= absent.since_s <= latest_s + 1.0
        assert LIMIT_S < absent.until_s - absent.since_s <= LIMIT_S + 1.0
        assert absent.until_s < back_s + 1e-6


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_is_an_absence_only_if_nobody_sits_there(name):
    compare(absences(SEEN, [name]), gone([name]))


def test_an_evening_of_four_hours_has_every_true_absence_and_no_other():
    chance = random.Random(5)
    names = []
    while sum(SCENES[name].long_s for name in names) < EVENING_S:
        # Most of the time people sit.
        names += chance.choices(["sits", *SCENES], [10, *[1] * len(SCENES)])
    truth = gone(names)
    assert len(truth) > 40
    compare(absences(SEEN, names), truth)


def test_a_chair_that_is_empty_from_the_start_is_away_from_the_first_look():
    empty = SEEN["leaves"][4 * LOOKS : -4 * LOOKS]
    (absent,) = absences({"empty": empty}, ["empty"])
    assert absent.since_s == pytest.approx(0.0, abs=0.01)


@pytest.mark.vision
@pytest.mark.proof
def test_the_real_mediapipe_tells_the_scenes_apart_as_recorded(tmp_path):
    for library in ("mediapipe", "cv2"):
        if importlib.util.find_spec(library) is None:
            pytest.skip(f"{library} is not installed: make vision")
    if missing(default_directory(), read_lock()) or "MAFIA_PHOTOS" not in os.environ:
        pytest.skip("no models, or MAFIA_PHOTOS names no folder of photographs")
    seen = record(Pictures(Path(os.environ["MAFIA_PHOTOS"]), tmp_path))
    for name, looks in seen.items():
        pairs = zip(looks, SEEN[name], strict=True)
        alike = sum((a[0], a[1] is None) == (b[0], b[1] is None) for a, b in pairs)
        assert alike >= 0.9 * len(looks), name
        compare(absences(seen, [name]), gone([name]))

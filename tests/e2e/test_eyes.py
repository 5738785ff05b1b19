"""A seat with eyes in a whole kit: a photograph of a hand becomes a word on the scoreboard."""

import csv
import importlib.util
import os
from pathlib import Path

import pytest

pytestmark = pytest.mark.vision

LOOK_S = 60.0
"""Patience with the eyes' first words; the libraries take seconds to load on a Pi."""


@pytest.fixture
def thumbs_up(tmp_path):
    """A folder with one photograph, of a thumb up."""
    if importlib.util.find_spec("mediapipe") is None:
        pytest.skip("mediapipe is not installed: make vision")
    if "MAFIA_PHOTOS" not in os.environ:
        pytest.skip("MAFIA_PHOTOS names no folder of labelled photographs")
    photos = Path(os.environ["MAFIA_PHOTOS"])
    with (photos / "labels.csv").open(encoding="utf-8", newline="") as file:
        names = sorted(row["file"] for row in csv.DictReader(file) if row["label"] == "thumb_up")
    (tmp_path / names[0]).symlink_to(photos / names[0])
    return tmp_path


def test_a_hand_of_a_listener_is_shown_by_day_and_gone_by_night(
    new_house, director_class, thumbs_up
):
    director = director_class(new_house(step=True, seed=1, eyes={3: str(thumbs_up)}))
    director.begin()
    director.speech_of(1)

    def gestures():
        return {seat["seat"]: seat["gesture"] for seat in director.state()["seats"]}

    director.until(lambda: gestures()[3] == "thumb_up", "the thumb of 3", LOOK_S)
    director.step_to("night", 1)
    assert not any(gestures().values())

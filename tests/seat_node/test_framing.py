import pytest

from seat_node import framing, light
from seat_node.framing import Box, Framing, judge

ROOM = 100.0
WELL = Box(0.5, 0.4, 0.19)
"""A face at 1 m in the middle."""


@pytest.mark.parametrize(
    ("face", "word"),
    [
        (WELL, framing.GOOD),
        (None, framing.NOBODY),
        (WELL._replace(height=0.11), framing.CLOSER),
        (WELL._replace(height=0.4), framing.FARTHER),
        (WELL._replace(x=0.1), framing.LEFT),
        (WELL._replace(x=0.9), framing.RIGHT),
        (WELL._replace(y=0.1), framing.UP),
        (WELL._replace(y=0.8), framing.DOWN),
    ],
)
def test_a_face_that_is_badly_placed_says_where_the_camera_should_go(face, word):
    assert judge(light.OK, ROOM, face) == word


@pytest.mark.parametrize("word", [light.DARK, light.COVERED, light.FROZEN])
def test_what_cannot_be_judged_is_told_first(word):
    assert judge(word, ROOM, WELL) == word


@pytest.mark.parametrize("face", [WELL, None])
def test_light_in_which_hands_are_lost_is_too_dark_though_a_face_is_found(face):
    assert judge(light.OK, 25.0, face) == light.DARK


def test_a_word_is_told_once_it_has_held():
    seen = Framing()
    assert seen.update(light.OK, ROOM, WELL, 10.0) == ""
    assert seen.update(light.OK, ROOM, WELL, 10.3) == ""
    assert seen.update(light.OK, ROOM, WELL, 10.7) == framing.GOOD
    assert seen.update(light.OK, ROOM, None, 11.0) == framing.GOOD
    assert seen.update(light.OK, ROOM, WELL, 11.3) == framing.GOOD
    for at_s in (12.0, 12.3, 12.7):
        seen.update(light.OK, ROOM, None, at_s)
    assert seen.word == framing.NOBODY


def test_a_face_near_a_limit_does_not_flicker():
    nearly = WELL._replace(height=0.12)
    seen = Framing()
    for at_s in (0.0, 0.7, 1.4):
        seen.update(light.OK, ROOM, nearly, at_s)
    assert seen.word == framing.CLOSER
    for at_s in (2.0, 2.7):
        seen.update(light.OK, ROOM, WELL, at_s)
    for at_s in (3.0, 3.7, 4.4):
        seen.update(light.OK, ROOM, nearly, at_s)
    assert seen.word == framing.GOOD

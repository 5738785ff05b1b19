"""Does the camera see the player well? Pure: what a look found goes in, a word comes out.

The word goes with every report on the eyes, so that the host reads it too.
"""

from typing import Final, NamedTuple

from seat_node import light

GOOD: Final = "good"
NOBODY: Final = "nobody"
CLOSER: Final = "closer"
FARTHER: Final = "farther"
UP: Final = "up"
DOWN: Final = "down"
LEFT: Final = "left"
RIGHT: Final = "right"
"""Where the camera must be pointed, as it looks itself; its left is the player's right."""

SMALL: Final = 0.13
"""Least height of a face, in widths of the picture: 83 px of 640.

Below some 70 px no face is found, and a hand is as high as a face: found from 60 px on.
"""
LARGE: Final = 0.35
"""The most: a hand raised beside a larger face is cut off by the edge."""
EDGE_X: Final = 0.22
"""A face's middle is so far from both sides: else no hand has room there."""
TOP: Final = 0.20
BOTTOM: Final = 0.65
"""How high, of the picture's height, the middle may be. A hand below 0.8 counts as resting."""
SLACK: Final = 0.9
"""What was good may come so near to a limit, in shares of it: no word flickers there."""

DIM_MEAN: Final = 40.0
"""Mean brightness, of 255, below which hands are lost.

A room's light has some 100; at 0.3 of it hands are still found, at 0.2 no more.
"""

SETTLE_S: Final = 0.6
"""A word holds so long before it is told."""


class Box(NamedTuple):
    """Where a face is."""

    x: float
    y: float
    """Its middle, 0..1 of the picture's width and height, y downwards, not mirrored."""
    height: float
    """In widths of the picture."""


class Framing:
    """Turns looks for a face into a word, ``""`` until the first has settled."""

    def __init__(self) -> None:
        self.word = ""
        self._next = ""
        self._since_s = 0.0

    def update(self, word: str, mean: float, face: Box | None, at_s: float) -> str:
        """Take a look at *at_s* and return the word that holds.

        *word* and *mean* are what :class:`~seat_node.light.Light` says of the picture.
        """
        found = judge(word, mean, face, SLACK if self.word == GOOD else 1.0)
        if found != self._next:
            self._next, self._since_s = found, at_s
        if at_s - self._since_s >= SETTLE_S:
            self.word = found
        return self.word


def judge(word: str, mean: float, face: Box | None, slack: float = 1.0) -> str:
    """Return the word for one look."""
    if word != light.OK:
        return word
    if mean < DIM_MEAN * slack:
        return light.DARK
    if face is None:
        return NOBODY
    if face.height < SMALL * slack:
        return CLOSER
    if face.height > LARGE / slack:
        return FARTHER
    if face.x < EDGE_X * slack:
        return LEFT
    if face.x > 1 - EDGE_X * slack:
        return RIGHT
    if face.y < TOP * slack:
        return UP
    return DOWN if face.y > BOTTOM / slack else GOOD

"""The measures of a hand: what its 21 landmarks say of fingers, thumb and pose.

Landmarks are in MediaPipe order: 0 wrist, 1-4 thumb, 5-8 index, 9-12 middle,
13-16 ring, 17-20 pinky, each finger from its knuckle to its tip. *World*
landmarks are metres around the hand's centre; *image* landmarks are 0..1 of
the width and height of a frame that is not mirrored, y downwards.

Source: MediaPipe Hand Landmarker (numbering). The thresholds lie in the gaps
between the fingers that are straight and those that are not on the HaGRID
photographs; the other sources only measure (see :mod:`seat_node.confusion`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

Landmarks = Sequence[Sequence[float]]
"""21 points of x, y, z."""

LANDMARKS: Final = 21

FINGERS: Final = {
    "index": (5, 6, 7, 8),
    "middle": (9, 10, 11, 12),
    "ring": (13, 14, 15, 16),
    "pinky": (17, 18, 19, 20),
}

STRAIGHT_DEG: Final = 135.0
"""Angle at the middle joint above which a finger may be straight: 142 and more; 180 is a line."""
STRAIGHT_REACH: Final = 1.52
"""Wrist-to-tip over wrist-to-knuckle of a straight finger: 1.63 and more, others to 1.44."""
CLEAR_DEG: Final = 30.0
CLEAR_REACH: Final = 0.25
"""So far from the two thresholds there is no doubt."""
FOLDED_DEG: Final = 128.0
FOLDED_REACH: Final = 1.20
"""A finger below one of these two is folded; between them and straight it is neither."""
THUMB_STRAIGHT_DEG: Final = 150.0
THUMB_OUT: Final = 1.25
"""Pinky knuckle to thumb tip over the same to the thumb's base: out 1.40-1.55, folded to 1.10."""


class Points(NamedTuple):
    """The landmarks of one hand."""

    world: Landmarks
    image: Landmarks


@dataclass(frozen=True, slots=True)
class Shape:
    """The measures of one hand that the rules look at. Angles in degrees."""

    bend: dict[str, float]
    """Angle at the middle joint of each finger; 180 is straight."""
    reach: dict[str, float]
    """Wrist to tip over wrist to knuckle of each finger."""
    thumb_bend: float
    thumb_out: float
    thumb_to_index: float
    """Thumb tip to the middle joint of the index, in palm widths."""
    thumb_index_deg: float
    pinch: float
    thumb_above: float
    thumb_below: float
    lean: float
    """Angle between the hand, wrist to middle knuckle, and upright in the frame."""
    height: float
    """Where the palm is in the frame, 0 top to 1 bottom."""

    def straight(self, finger: str) -> bool:
        """Return whether *finger* points away from the palm."""
        return self.bend[finger] > STRAIGHT_DEG and self.reach[finger] > STRAIGHT_REACH

    def folded(self, finger: str) -> bool:
        """Return whether *finger* lies in the palm."""
        return self.bend[finger] < FOLDED_DEG or self.reach[finger] < FOLDED_REACH

    def thumb(self, out: float = THUMB_OUT) -> bool:
        """Return whether the thumb is stretched out, by *out* at least."""
        return self.thumb_bend > THUMB_STRAIGHT_DEG and self.thumb_out > out

    def certainty(self) -> float:
        """Return how clearly every finger is straight or is not, 0.5-1."""
        return 0.5 + min(0.5, *(self._margin(finger) for finger in FINGERS))

    def _margin(self, finger: str) -> float:
        """Return how far *finger* is from the border of straight; 0.5 is clear."""
        bend = (self.bend[finger] - STRAIGHT_DEG) / CLEAR_DEG
        reach = (self.reach[finger] - STRAIGHT_REACH) / CLEAR_REACH
        # Straight takes both, so one that fails is enough to be sure that it is not.
        return abs(min(bend, reach)) / 2


def measure(points: Points, width: int, height: int) -> Shape:
    """Measure a hand in a frame of *width* x *height* px.

    :raises ValueError: if either half of *points* is not 21 points.
    """
    world, image = points
    if len(world) != LANDMARKS or len(image) != LANDMARKS:
        raise ValueError(f"{len(world)} world, {len(image)} image points, expected 21 of each")
    flat = [(point[0] * width, point[1] * height) for point in image]
    size = max(math.dist(flat[0], flat[9]), math.dist(flat[5], flat[17]), 1e-6)
    above = min(y for _, y in flat[5:]) - flat[4][1]
    below = flat[4][1] - max(y for _, y in (flat[0], *flat[5:]))
    palm = sum(math.dist(world[a], world[b]) for a, b in ((0, 5), (0, 17), (5, 17))) / 3
    return Shape(
        bend={
            name: _corner_deg(world[knuckle], world[middle], world[outer])
            for name, (knuckle, middle, outer, _) in FINGERS.items()
        },
        reach={
            name: _ratio(math.dist(world[0], world[tip]), math.dist(world[0], world[knuckle]))
            for name, (knuckle, _, _, tip) in FINGERS.items()
        },
        thumb_bend=_corner_deg(world[2], world[3], world[4]),
        thumb_out=_ratio(math.dist(world[4], world[17]), math.dist(world[2], world[17])),
        thumb_to_index=_ratio(math.dist(world[4], world[6]), palm),
        thumb_index_deg=_between_deg(_arrow(world[2], world[4]), _arrow(world[5], world[8])),
        pinch=_ratio(math.dist(world[4], world[8]), palm),
        thumb_above=above / size,
        thumb_below=below / size,
        lean=_between_deg(_arrow(flat[0], flat[9]), (0.0, -1.0)),
        height=sum(image[i][1] for i in (0, 5, 9, 13, 17)) / 5,
    )


def _arrow(start: Sequence[float], end: Sequence[float]) -> tuple[float, ...]:
    return tuple(b - a for a, b in zip(start, end, strict=True))


def _between_deg(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the angle between two arrows, 0-180; 90 if one has no length."""
    length = math.hypot(*one) * math.hypot(*other)
    if length == 0:
        return 90.0
    dot = sum(a * b for a, b in zip(one, other, strict=True))
    return math.degrees(math.acos(max(-1.0, min(1.0, dot / length))))


def _corner_deg(one: Sequence[float], corner: Sequence[float], other: Sequence[float]) -> float:
    """Return the angle at *corner*, 180 when the three points are a line."""
    return _between_deg(_arrow(corner, one), _arrow(corner, other))


def _ratio(length: float, unit: float) -> float:
    return length / max(unit, 1e-9)

"""Name the gesture of a hand from its 21 landmarks: plain geometry.

Landmarks are in MediaPipe order: 0 wrist, 1-4 thumb, 5-8 index, 9-12 middle,
13-16 ring, 17-20 pinky, each finger from its knuckle to its tip. *World*
landmarks are metres around the hand's centre; *image* landmarks are 0..1 of
the width and height of a frame that is not mirrored, y downwards.

Three is index, middle and ring, or thumb, index and middle. Middle, ring and
pinky is the *ok* hand and cannot be told from it.

Source: MediaPipe Hand Landmarker (numbering), RULES 3 (names). Every threshold
lies in the gap between the hands that show the gesture and those that do not,
measured on some 300 labelled photographs.
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
COUNTED: Final = (
    ("index",),
    ("index", "middle"),
    ("index", "middle", "ring"),
    ("index", "middle", "ring", "pinky"),
)
"""The straight fingers that count; any other set is no number."""

STRAIGHT_DEG: Final = 143.0
"""Angle at the middle joint above which a finger may be straight; 180 is a line."""
STRAIGHT_REACH: Final = 1.30
"""Wrist-to-tip over wrist-to-knuckle above which a straight finger points away."""
CLEAR_DEG: Final = 30.0
CLEAR_REACH: Final = 0.4
"""So far from the two thresholds there is no doubt."""
FOLDED_DEG: Final = 128.0
FOLDED_REACH: Final = 1.20
"""A finger below one of these two is folded; between them and straight it is neither."""
THUMB_STRAIGHT_DEG: Final = 150.0
THUMB_OUT: Final = 1.20
"""Pinky knuckle to thumb tip over the same to the thumb's base: out 1.27-1.5, folded 0.4-1.15."""
THUMB_ABOVE: Final = 0.25
THUMB_BELOW: Final = 0.35
"""How far, in hand sizes, the thumb's tip is clear of the rest: up 0.43-1.15, fist <= 0.06."""
THUMB_FREE: Final = 1.05
"""*THUMB_OUT* that is enough of a thumb that points up."""
THUMB_CLEAR: Final = 0.45
THUMB_ASIDE: Final = 0.70
"""Thumb tip to index in palm widths: off the index when down; stretched aside is no fist."""
PINCH: Final = 0.66
OK_BEND_DEG: Final = 158.0
"""Thumb tip to index tip in palm widths below which a bent index makes a ring."""
OK_REACH: Final = 1.40
"""A bent index whose tip is nearer to the wrist than this makes a ring, seen from any side."""
PISTOL_DEG: Final = 38.0
"""Angle between thumb and index above which the two make a pistol."""
LEAN_DEG: Final = 65.0
"""How far a raised hand leans from upright; gestures 0-40, most hands at rest 90-180."""
THUMB_UP_LEAN_DEG: Final = 110.0
"""The same of a thumb up, whose hand lies on its side: 47-86."""
THUMB_DOWN_LEAN_DEG: Final = (50.0, 165.0)
"""The same of a thumb down: 69-154."""
LOWEST: Final = 0.8
"""Height in the frame (0 top, 1 bottom) below which a hand is resting; gestures up to 0.78."""


class Points(NamedTuple):
    """The landmarks of one hand."""

    world: Landmarks
    image: Landmarks


class Gesture(NamedTuple):
    """What one hand, or two together, show."""

    name: str
    """A name of RULES 3; five fingers are the number 5, which an open palm is too."""
    number: int
    """1-10 with the name ``number``, else 0."""
    confidence: float
    """0.5-1: how clearly the least certain finger is straight or is not."""


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

    @property
    def thumb(self) -> bool:
        """Whether the thumb is stretched out."""
        return self.thumb_bend > THUMB_STRAIGHT_DEG and self.thumb_out > THUMB_OUT

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


def name_hand(shape: Shape) -> Gesture | None:
    """Name what one raised hand shows, or None when it is none of ours or at rest."""
    straight = tuple(name for name in FINGERS if shape.straight(name))
    name = _name(shape, straight)
    if name is None or not _raised(shape, name):
        return None
    number = 0
    if name == "number":
        number = len(straight) + (shape.thumb and len(straight) > 1)
    return Gesture(name, number, shape.certainty())


def name_hands(shapes: Sequence[Shape]) -> Gesture | None:
    """Name what all hands in view show together.

    Two hands that both show fingers, or a fist for none, are the sum, 1-10.
    Any other two hands are none of ours, two fists are a fist.
    """
    named = [name_hand(shape) for shape in shapes]
    if len(named) == 1:
        return named[0]
    gestures = [gesture for gesture in named if gesture is not None]
    if len(gestures) < len(named) or len(named) != 2:
        return None
    first, second = gestures
    confidence = min(first.confidence, second.confidence)
    if any(gesture.name not in ("number", "fist") for gesture in gestures):
        return None
    number = first.number + second.number
    return Gesture("number" if number else "fist", number, confidence)


def _name(shape: Shape, straight: tuple[str, ...]) -> str | None:
    """Return the name that the fingers give, without regard to where the hand is."""
    if _is_ok(shape, straight):
        return "ok"
    if straight == ("middle",):
        return "forbidden" if shape.folded("index") else None
    if not straight:
        return _folded_name(shape)
    if straight == ("index",) and shape.thumb and shape.thumb_index_deg > PISTOL_DEG:
        return "pistol"
    return "number" if straight in COUNTED else None


def _is_ok(shape: Shape, straight: tuple[str, ...]) -> bool:
    """Return whether thumb and index make a ring and the pinky is up with another."""
    if "pinky" not in straight or not {"middle", "ring"} & set(straight):
        return False
    if "index" not in straight and shape.reach["index"] < OK_REACH:
        return True
    return shape.pinch < PINCH and shape.bend["index"] < OK_BEND_DEG


def _folded_name(shape: Shape) -> str | None:
    """Name a hand none of whose fingers is straight."""
    if shape.thumb_above > THUMB_ABOVE and shape.thumb_out > THUMB_FREE:
        return "thumb_up"
    if shape.thumb_below > THUMB_BELOW and shape.thumb_to_index > THUMB_CLEAR:
        return "thumb_down"
    if not all(shape.folded(name) for name in FINGERS):
        return None
    return None if shape.thumb and shape.thumb_to_index > THUMB_ASIDE else "fist"


def _raised(shape: Shape, name: str) -> bool:
    """Return whether the hand is held up as one holds it to show *name*."""
    if shape.height > LOWEST:
        return False
    match name:
        case "thumb_down":
            least, most = THUMB_DOWN_LEAN_DEG
            return least < shape.lean < most
        case "thumb_up":
            return shape.lean < THUMB_UP_LEAN_DEG
        case _:
            return shape.lean < LEAN_DEG


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

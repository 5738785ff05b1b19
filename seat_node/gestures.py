"""Name the gesture of a hand from its measures: plain geometry.

Three is index, middle and ring, or thumb, index and middle. Middle, ring and
pinky with the index laid into the palm is a three too; with a round index it
is the *ok* hand. Five fingers are the number 5 and the open palm: which of
them, :func:`meant` tells by what is asked.

Not told: ``ring_tap``. It takes two hands, of which one hides the other's
fingers, and two hands are looked for in a pick only.

Source: RULES 3 (names). The thresholds lie in the gaps on the HaGRID
photographs; the other sources only measure (see :mod:`seat_node.confusion`).
"""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from seat_node.shape import FINGERS, THUMB_OUT, Shape
from seat_node.shape import Points as Points
from seat_node.shape import measure as measure

COUNTED: Final = (
    ("index",),
    ("index", "middle"),
    ("index", "middle", "ring"),
    ("middle", "ring", "pinky"),
    ("index", "middle", "ring", "pinky"),
)
"""The straight fingers that count; any other set is no number."""

FOLDED_INDEX: Final = ("middle", "ring", "pinky")
"""The three of those that holds the index down with the thumb."""

OPEN: Final = 5
"""The number that an open palm is too."""

FIVE_THUMB_OUT: Final = 1.20
"""How far out the thumb is that makes a five of four: 1.31-1.5, in a four to 1.01."""
THUMB_ABOVE: Final = 0.25
THUMB_BELOW: Final = 0.15
"""How far, in hand sizes, the thumb's tip is clear of the rest: up 0.60-0.96, down 0.25-0.97,
fists to 0.06 and -0.77, hands at rest to -0.32."""
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
OK_ROUND_DEG: Final = 120.0
"""An index bent more than this lies in the palm: rings 121-164, fists 73-114."""
PISTOL_DEG: Final = 38.0
"""Angle between thumb and index above which the two make a pistol."""
HOOK_REACH: Final = (1.10, 1.50)
"""Wrist to tip of an index bent to a hook: fists to 1.04, straight ones from 1.63."""
HOOK_DEG: Final = 135.0
HOOK_PALM_REACH: Final = 1.10
"""Of the other fingers, which lie in the palm: those of fists to 1.04."""
ALONE: Final = 0.52
"""How much farther than any other finger the middle one of the forbidden gesture reaches.

Bent from recorded hands 0.67 and more, any other recorded hand to 0.36 (see
tests/golden/landmarks). It accuses, so the border is on the side of not seeing it.
"""
LEAN_DEG: Final = 65.0
"""How far a raised hand leans from upright; gestures 0-40, most hands at rest 90-180."""
THUMB_UP_LEAN_DEG: Final = 110.0
"""The same of a thumb up, whose hand lies on its side: 47-86."""
THUMB_DOWN_LEAN_DEG: Final = (50.0, 165.0)
"""The same of a thumb down: 69-154."""
LOWEST: Final = 0.8
"""Height in the frame (0 top, 1 bottom) below which a hand is resting; gestures up to 0.78."""


class Gesture(NamedTuple):
    """What one hand, or two together, show."""

    name: str
    """A name of RULES 3; five fingers are the number 5, which an open palm is too."""
    number: int
    """1-10 with the name ``number``, else 0."""
    confidence: float
    """0.5-1: how clearly the least certain finger is straight or is not."""


def name_hand(shape: Shape) -> Gesture | None:
    """Name what one raised hand shows, or None when it is none of ours or at rest."""
    straight = tuple(name for name in FINGERS if shape.straight(name))
    name = _name(shape, straight)
    if name is None or not _raised(shape, name):
        return None
    number = 0
    if name == "number":
        out = FIVE_THUMB_OUT if len(straight) == len(FINGERS) else THUMB_OUT
        # A thumb beside one finger is no two: that hand is the pistol.
        thumb = straight != FOLDED_INDEX and len(straight) > 1 and shape.thumb(out)
        number = len(straight) + thumb
    return Gesture(name, number, shape.certainty())


def name_hands(shapes: Sequence[Shape]) -> Gesture | None:
    """Name what all raised hands in view show together; a hand at rest says nothing.

    Two hands that both show fingers, or a fist for none, are the sum, 1-10.
    Any other two hands are none of ours, two fists are a fist.
    """
    named = [name_hand(shape) for shape in shapes]
    gestures = [gesture for gesture in named if gesture is not None]
    # What is held up and has no name may be a number that is half shown.
    unnamed = [s for s, gesture in zip(shapes, named, strict=True) if gesture is None]
    if any(_raised(shape, "") for shape in unnamed) or len(gestures) > 2:
        return None
    if len(gestures) < 2:
        return gestures[0] if gestures else None
    if any(gesture.name not in ("number", "fist") for gesture in gestures):
        return None
    first, second = gestures
    number = first.number + second.number
    confidence = min(first.confidence, second.confidence)
    return Gesture("number" if number else "fist", number, confidence)


def meant(gesture: Gesture | None, names: Collection[str], *, pick: bool) -> Gesture | None:
    """Return what *gesture* says where only *names* are on, None for nothing.

    Five fingers are "stop" in talk and the number 5 in a *pick*. Source: RULES 3.
    """
    if gesture is None:
        return None
    if gesture.number == OPEN and not pick and "open_palm" in names:
        return Gesture("open_palm", 0, gesture.confidence)
    return gesture if gesture.name in names else None


def _name(shape: Shape, straight: tuple[str, ...]) -> str | None:
    """Return the name that the fingers give, without regard to where the hand is."""
    if _is_ok(shape, straight):
        return "ok"
    if straight == ("middle",):
        return "forbidden" if _alone(shape) else None
    if not straight:
        return _folded_name(shape)
    if straight == ("index",) and shape.thumb() and shape.thumb_index_deg > PISTOL_DEG:
        return "pistol"
    return "number" if straight in COUNTED else None


def _alone(shape: Shape) -> bool:
    """Return whether the middle finger is clearly the only one that is not in the palm."""
    others = [finger for finger in FINGERS if finger != "middle"]
    farthest = max(shape.reach[finger] for finger in others)
    return all(map(shape.folded, others)) and shape.reach["middle"] - farthest > ALONE


def _is_ok(shape: Shape, straight: tuple[str, ...]) -> bool:
    """Return whether thumb and index make a ring and the pinky is up with another."""
    if "pinky" not in straight or not {"middle", "ring"} & set(straight):
        return False
    if shape.bend["index"] < OK_ROUND_DEG:
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
    if _is_hook(shape):
        return "hook"
    if not all(map(shape.folded, FINGERS)):
        return None
    return None if shape.thumb() and shape.thumb_to_index > THUMB_ASIDE else "fist"


def _is_hook(shape: Shape) -> bool:
    """Return whether the index is half bent and the other fingers lie in the palm."""
    least, most = HOOK_REACH
    return (
        least < shape.reach["index"] < most
        and shape.bend["index"] < HOOK_DEG
        and all(shape.reach[name] < HOOK_PALM_REACH for name in FINGERS if name != "index")
    )


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

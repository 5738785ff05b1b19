"""Hands drawn as SVG from the state of their fingers: one routine for every gesture.

A hand is seen from its palm, fingers up, thumb to the left, in a box of 120 x 150. Every
finger is a thick line with round ends, drawn twice: a dark one, and a narrower light one
on it. What stands out is one outline with the palm; what is folded lies upon it.
"""

import itertools
from typing import Final, NamedTuple

Point = tuple[float, float]

WIDTH: Final = 120
HEIGHT: Final = 150
"""The box of one hand."""

_THICK: Final = 17.0
"""A finger with its outline."""
_EDGE: Final = 5.0
"""What of that is outline, both sides together."""

_BASES: Final = {"index": (41.0, 84.0), "middle": (55.0, 80.0), "ring": (69.0, 81.0)} | {
    "little": (82.0, 86.0)
}
_SPREAD: Final = {
    "index": (29.0, 34.0),
    "middle": (53.0, 22.0),
    "ring": (76.0, 29.0),
    "little": (97.0, 50.0),
}
"""Tips of fingers that are held apart, as numbers are shown."""
_CLOSED: Final = {
    "index": (40.0, 36.0),
    "middle": (55.0, 26.0),
    "ring": (70.0, 33.0),
    "little": (84.0, 50.0),
}
"""Tips of fingers that lie side by side."""
_FINGERS: Final = tuple(_BASES)

_THUMBS: Final[dict[str, tuple[Point, ...]]] = {
    "out": ((44, 116), (26, 102), (11, 80)),
    "close": ((44, 116), (30, 102), (25, 80)),
    "side": ((46, 108), (28, 100), (12, 97)),
    "ring": ((44, 116), (26, 104), (15, 84), (22, 66)),
    "across": ((42, 118), (52, 108), (72, 109)),
}
"""Ways of the thumb; ``side`` stands off at a right angle, ``across`` lies on the fingers."""


class Hand(NamedTuple):
    """The state of one hand."""

    up: tuple[str, ...] = ()
    """Fingers that are stretched."""
    thumb: str = "across"
    closed: bool = False
    """The stretched fingers lie side by side."""
    bent: tuple[tuple[str, tuple[Point, ...]], ...] = ()
    """(finger, the way it goes instead)."""


class Placed(NamedTuple):
    """A hand in its place in a picture."""

    hand: Hand
    transform: str = ""


class Picture(NamedTuple):
    """What a gesture looks like."""

    hands: tuple[Placed, ...]
    width: int = WIDTH
    height: int = HEIGHT


_COUNTS: Final = (
    Hand(),
    Hand(("index",)),
    Hand(("index", "middle")),
    Hand(("index", "middle", "ring")),
    Hand(_FINGERS),
    Hand(_FINGERS, "out"),
)
"""A hand that shows 0 to 5."""

_LEFT: Final = f"translate({2 * WIDTH} 0) scale(-1 1)"
"""The other hand, to the right of the first."""
_LYING: Final = "translate(150 0) rotate(90)"
"""Fingers to the right, thumb up."""
_POINTING: Final = "matrix(0 1 1 0 62 4)"
"""Fingers to the left, back of the hand up: touches the ring finger of the first."""
_LYING_DOWN: Final = "translate(0 120) scale(1 -1) translate(150 0) rotate(90)"

_HOOK: Final = (("index", ((41, 84), (34, 52), (36, 34), (52, 28), (60, 42))),)
_RING: Final = (("index", ((41, 84), (42, 62), (36, 50), (22, 66))),)

PICTURES: Final = {
    "thumb_up": Picture((Placed(Hand((), "side"), _LYING),), 100, WIDTH),
    "thumb_down": Picture((Placed(Hand((), "side"), _LYING_DOWN),), 100, WIDTH),
    "ok": Picture((Placed(Hand(("middle", "ring", "little"), "ring", bent=_RING)),)),
    "ring_tap": Picture(
        (
            Placed(Hand(_FINGERS, "out")),
            Placed(Hand(("index",)), _POINTING),
        ),
        2 * WIDTH,
    ),
    "hook": Picture((Placed(Hand((), bent=_HOOK)),)),
    "fist": Picture((Placed(Hand(), "translate(-22 -45) scale(1.3)"),)),
    "open_palm": Picture((Placed(Hand(_FINGERS, "close", closed=True)),)),
    "pistol": Picture((Placed(Hand(("index",), "side", closed=True), _LYING),), HEIGHT, WIDTH),
    "forbidden": Picture((Placed(Hand(("middle",), closed=True)),)),
    **{f"number-{n}": Picture((Placed(_COUNTS[n]),)) for n in range(1, 6)},
    **{
        f"number-{n}": Picture((Placed(_COUNTS[5]), Placed(_COUNTS[n - 5], _LEFT)), 2 * WIDTH)
        for n in range(6, 11)
    },
}
"""By gesture, a number with its count behind: what it looks like."""


def drawing(picture: Picture) -> str:
    """Return the inside of an SVG that shows *picture*."""
    return "".join(
        f'<g transform="{placed.transform}">{_hand(placed.hand)}</g>'
        if placed.transform
        else f"<g>{_hand(placed.hand)}</g>"
        for placed in picture.hands
    )


def _hand(hand: Hand) -> str:
    tips = _CLOSED if hand.closed else _SPREAD
    ways = {each: (_BASES[each], tips[each]) for each in hand.up} | dict(hand.bent)
    standing = [_way(way) for way in ways.values()]
    if hand.thumb != "across":
        standing.append(_way(_THUMBS[hand.thumb]))
    folded = [_folded(each) for each in _FINGERS if each not in ways]
    if hand.thumb == "across":
        folded.append(_way(_THUMBS["across"]))
    palm = (
        '<path class="{}" d="M40 84 L82 86 L84 116 L72 132 L50 132 L42 118 Z" stroke-width="{}"/>'
    )
    wrist = '<path class="{}" d="M61 120 L61 170" stroke-width="{}"/>'
    outline = "".join(_line("edge", each, _THICK) for each in standing)
    outline += wrist.format("edge", 38) + palm.format("edge solid", _THICK)
    light = "".join(_line("flesh", each, _THICK - _EDGE) for each in standing)
    light += wrist.format("flesh", 38 - _EDGE) + palm.format("flesh solid", _THICK - _EDGE)
    upon = "".join(
        _line("edge", each, _THICK) + _line("flesh", each, _THICK - _EDGE) for each in folded
    )
    return outline + light + upon


def _folded(finger: str) -> str:
    x, y = _BASES[finger]
    return _way(((x, y - 2), (x, y + 20)))


def _way(points: tuple[Point, ...]) -> str:
    """Return a path through *points*, round at the inner ones."""
    (x, y), *rest = points
    path = f"M{x:g} {y:g}"
    for at, to in itertools.pairwise(rest):
        last = to is rest[-1]
        end = to if last else ((at[0] + to[0]) / 2, (at[1] + to[1]) / 2)
        path += f" Q{at[0]:g} {at[1]:g} {end[0]:g} {end[1]:g}"
    if len(rest) == 1:
        path += f" L{rest[0][0]:g} {rest[0][1]:g}"
    return path


def _line(kind: str, path: str, width: float) -> str:
    return f'<path class="{kind}" d="{path}" stroke-width="{width:g}"/>'

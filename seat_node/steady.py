"""A gesture counts when it is held: half a second of agreeing looks.

The forbidden one accuses, so there not one look may disagree. Pure: every look
brings its own time. The looks come 5 to 12 a second.
"""

from collections import deque
from typing import Final

from seat_node.gestures import Gesture

HELD_S: Final = 0.5
"""How long a gesture must be held. Source: DESIGN 6."""

AGREE: Final = 0.8
"""Share of the looks within that time that must agree: one in five may slip."""

LOOKS_MIN: Final = 3
"""Fewer looks than this prove nothing, however far apart they are."""

GAP_S: Final = 0.7
"""Longest pause between looks over which a hand is still taken as held."""


class Steady:
    """Turns looks at a hand into gestures, each told once until the hand changes.

    Every look must agree on the one called *strict*.
    """

    def __init__(self, strict: str | None = None) -> None:
        self._strict = strict
        self._looks: deque[tuple[float, Gesture | None]] = deque()
        self._told: tuple[str, int] | None = None

    def update(self, seen: Gesture | None, at_s: float) -> Gesture | None:
        """Take a look at *at_s* and return the gesture that has just become steady.

        *seen* is None when no hand, or none of ours, was seen. The hand changes
        when another gesture, or none, has been steady as long.
        """
        if self._looks and at_s - self._looks[-1][0] > GAP_S:
            self._looks.clear()
        self._looks.append((at_s, seen))
        # One look at least HELD_S old stays: it shows that the window is covered.
        while len(self._looks) > LOOKS_MIN and at_s - self._looks[1][0] >= HELD_S:
            self._looks.popleft()
        if at_s - self._looks[0][0] < HELD_S or len(self._looks) < LOOKS_MIN:
            return None
        return self._settle()

    def _settle(self) -> Gesture | None:
        shown = [gesture and (gesture.name, gesture.number) for _, gesture in self._looks]
        key = shown[-1]
        share = 1.0 if key is not None and key[0] == self._strict else AGREE
        # The first look must agree too, else the time from first to last was not held.
        if key != shown[0] or shown.count(key) < share * len(shown) or key == self._told:
            return None
        self._told = key
        if key is None:
            return None
        agreeing = [g for _, g in self._looks if g is not None and (g.name, g.number) == key]
        confidence = sum(gesture.confidence for gesture in agreeing) / len(agreeing)
        return Gesture(*key, confidence)

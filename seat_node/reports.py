"""What the eyes tell the seat over their unix socket, and what it asks of them.

One JSON object a line. Names and numbers only, never a picture. Times are
CLOCK_MONOTONIC seconds, which both processes of one Pi share.
"""

from typing import Final

import msgspec

from firmware.wire import GestureName, Presence

NO_CAMERA: Final = "no camera"
DEAD: Final = "dead"
OFF: Final = "off"
"""Words for eyes that see nothing at all: none at their start, none any more, switched off."""


class _Report(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="report", tag=str.lower
):
    pass


class Chair(_Report, frozen=True):
    """The presence state changed (or is told anew after a connect).

    *since_s*: for away, the last moment the player was seen.
    """

    state: Presence
    since_s: float


class Empty(_Report, frozen=True):
    """One more look showed an empty chair: away still, *since_s* as :class:`Chair` said."""

    since_s: float
    at_s: float
    """When the picture was taken."""


class Hand(_Report, frozen=True):
    """A gesture became steady; told once until the hand changes."""

    name: GestureName
    number: int
    """1-10 with the name ``number``, else 0."""
    confidence: float
    at_s: float


class Sight(_Report, frozen=True):
    """How the eyes are, every 5 s and when the word changes."""

    word: str
    """``ok``, ``dark``, ``covered``, ``frozen``, ``dead``, ``no camera`` ..."""
    fps: float
    memory_mb: float
    aim: str = ""
    """How the player is in the picture, a word of :mod:`seat_node.framing`; ``""``: not looked."""


Report = Chair | Empty | Hand | Sight


class Watch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the seat asks of the eyes; the last one holds."""

    gestures: tuple[GestureName, ...] = ()
    """Those that are told."""
    forbidden: GestureName | None = None
    """The one that is told only when no look at all disagrees: it accuses."""
    two_hands: bool = False
    """Two hands add up, and five fingers are the number 5."""
    off: bool = False
    """The camera is closed; so it is too while no table has said anything yet."""

    @property
    def names(self) -> tuple[GestureName, ...]:
        """Return the gestures to look for; none: hands are not looked at."""
        return self.gestures if self.forbidden is None else (*self.gestures, self.forbidden)

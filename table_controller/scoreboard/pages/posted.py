"""What the table's loop hands to the pages that tell how it plays and how its devices are."""

import enum

import msgspec

from firmware.card import GESTURES, GesturesCard
from table_controller.game import NORMAL, Ruleset


class Sight(enum.StrEnum):
    """What a camera says of itself, in a word; nothing of what it sees."""

    NONE = "none"
    SEES = "sees"
    DARK = "dark"
    COVERED = "covered"
    FAILS = "fails"
    OFF = "off"
    """The host has switched it off."""
    UNKNOWN = "unknown"
    """It has not said yet."""


class Device(msgspec.Struct, frozen=True):
    """All that the room may know of a device. What is not known is None."""

    user: str
    seat: int
    """0: a spare."""
    online: bool
    version: str = ""
    table_version: str = ""
    """The table's, when the two do not fit each other and the device does not play."""
    link_ms: int | None = None
    """There and back."""
    temperature_c: int | None = None
    throttled: bool | None = None
    fps: int | None = None
    """Pictures a second, the middle of the last minute."""
    sight: Sight = Sight.UNKNOWN
    lacks: tuple[str, ...] = ()
    """Of: shout, lamp, screen, camera."""


class Posted:
    """The rules in force, the club's table of gestures, and the devices.

    Written by the table's loop, read by the web server's threads; each field is replaced
    whole and never changed in place. Nothing in it comes from a game's state.
    """

    def __init__(self, ruleset: Ruleset = NORMAL, gestures: GesturesCard = GESTURES) -> None:
        self.ruleset = ruleset
        """Of the game that runs, else of the one that would be dealt next."""
        self.gestures = gestures
        self.devices: tuple[Device, ...] | None = None
        """By night as nightfall found them; None: a table that started at night tells nothing."""
        self.night = False

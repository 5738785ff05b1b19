"""What a seat's screens, marks and lamp mean: the one table of each.

Screens, lamps, help page and tests read them here. Texts are English; they go
through the catalogue where they are shown.
"""

import enum
from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from firmware.wire import Lamp
from firmware.words import N_


class Scene(enum.StrEnum):
    """Every screen that a seat can show. Each has golden pictures in all languages."""

    # made by the seat
    UNLINKED = "unlinked"
    WAITING = "waiting"
    TAKEN = "taken"
    AWAY = "away"
    MISFIT = "misfit"
    # made by the table
    IDLE = "idle"
    CHECK = "check"
    PRACTICE = "practice"
    IDENTIFY = "identify"
    PLACE = "place"
    PAUSED = "paused"
    SEATING = "seating"
    CARD = "card"
    NIGHTFALL = "nightfall"
    MEETING = "meeting"
    REST = "rest"
    NIGHT = "night"
    MORNING = "morning"
    DAY = "day"
    MUTED = "muted"
    SHOUT = "shout"
    FLOOR = "floor"
    SILENT = "silent"
    READING = "reading"
    CALLED = "called"
    CANDIDATE = "candidate"
    TIE = "tie"
    LIFT = "lift"
    ACCUSE = "accuse"
    ACCUSATION = "accusation"
    MOTION = "motion"
    FAREWELL = "farewell"
    FAREWELL_PICKS = "farewell_picks"
    OUT = "out"
    OVER = "over"


class Reply(enum.StrEnum):
    """What became of the last press, as the strip under the screen says it."""

    NONE = "none"
    PRESSED = "pressed"
    WAITING = "waiting"
    ACCEPTED = "accepted"
    LATE = "late"
    NOTHING = "nothing"
    """Answered: it meant nothing. Drawn as nothing."""
    UNLINKED = "unlinked"


class Sign(NamedTuple):
    """A mark in the strip."""

    glyph: str
    """One character, the same in every language."""
    word: str
    meaning: str
    solid: bool = False
    """Dark on a lit strip: the table's word, and it stands."""


MARKS: Final[Mapping[Reply, Sign]] = {
    Reply.PRESSED: Sign("●", N_("pressed"), N_("Your seat has felt the press.")),
    Reply.WAITING: Sign(
        "…",
        N_("waiting for the table"),
        N_("No answer for a second. The press is kept and counts by when it was made."),
    ),
    Reply.ACCEPTED: Sign("✔", N_("accepted"), N_("The table has taken it."), solid=True),
    Reply.LATE: Sign("✘", N_("too late"), N_("It came too late and counts nowhere."), solid=True),
    Reply.UNLINKED: Sign(
        "▲", N_("no link"), N_("The link is lost for the moment. Presses are kept.")
    ),
}
"""Every mark; a reply that is not here is drawn as nothing."""


class LampState(enum.StrEnum):
    """What a seat's lamp can tell the room."""

    UNLINKED = "unlinked"
    AWAY = "away"
    FLOOR = "floor"
    CALLED = "called"
    NOMINATED = "nominated"
    MUTED = "muted"
    OUT = "out"


class LampSign(NamedTuple):
    """How a lamp tells it."""

    lamp: Lamp
    look: str
    meaning: str


LAMPS: Final[Mapping[LampState, LampSign]] = {
    LampState.UNLINKED: LampSign(
        Lamp.SLOW, N_("faint, one second on, one off"), N_("The seat has lost its link.")
    ),
    LampState.AWAY: LampSign(
        Lamp.DOUBLE, N_("two flashes a second"), N_("The chair is empty: come back.")
    ),
    LampState.FLOOR: LampSign(Lamp.ON, N_("lit"), N_("This seat has the floor.")),
    LampState.CALLED: LampSign(
        Lamp.FAST, N_("blinks fast"), N_("The vote against this seat is open.")
    ),
    LampState.NOMINATED: LampSign(Lamp.BLINK, N_("blinks"), N_("This seat is nominated.")),
    LampState.MUTED: LampSign(
        Lamp.FLASH, N_("a flash every two seconds"), N_("This seat has lost its speech.")
    ),
    LampState.OUT: LampSign(Lamp.DIM, N_("faint"), N_("This seat is out of the game.")),
}
"""The lamp's language. Of several states that hold, the first here is shown.

Public by day and equal by night: no press changes it.
"""


def lamp_of(states: Collection[LampState]) -> Lamp:
    """Return how the lamp shows the *states* that hold."""
    return next((sign.lamp for state, sign in LAMPS.items() if state in states), Lamp.OFF)

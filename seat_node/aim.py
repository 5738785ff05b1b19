"""What to do until the camera sees the player well: pure, reports in, a word out.

First the face must be where it should be (:mod:`seat_node.framing`), then a raised
open hand must be seen; when both have been good for a while the seat is set up.
"""

from typing import Final

from firmware.finding import Translate
from firmware.wire import GestureName, Layout
from firmware.words import N_
from seat_node import framing, light
from seat_node.face import Face
from seat_node.inbox import EyesGone
from seat_node.reports import DEAD, NO_CAMERA, Hand, Report, Sight, Watch

WAIT: Final = "wait"
SHOW: Final = "show"
"""The face is well placed: now a hand is wanted."""
NO_HAND: Final = "no hand"
FINGERS: Final = "fingers"
"""A hand is seen, not all of its fingers."""
HOLD: Final = "hold"
DONE: Final = "done"

HELD_S: Final = 2.0
"""Face and hand have been good for so long: it is set up."""
HAND_S: Final = 6.0
"""Somebody who was asked for a hand has it up by then."""
FRESH_S: Final = 10.0
"""A hand that was seen earlier is asked for again."""

WISH: Final = Watch((GestureName.OPEN_PALM, GestureName.NUMBER))
"""What the eyes are to look for."""

USELESS: Final = ("illegal instruction", "not set up")
"""Words of eyes that will not do better when they are started again."""

SAID: Final = {
    WAIT: (N_("One moment"), N_("The camera starts.")),
    framing.NOBODY: (N_("Nobody is seen"), N_("Point the camera at the player's face.")),
    framing.CLOSER: (N_("Move closer"), N_("The face is too small.")),
    framing.FARTHER: (N_("Move back"), N_("The face is too large.")),
    framing.UP: (N_("Raise the camera"), N_("The face is at the upper edge.")),
    framing.DOWN: (N_("Lower the camera"), N_("The face is at the lower edge.")),
    framing.LEFT: (N_("Turn the camera"), N_("To the player's right: the face is at the edge.")),
    framing.RIGHT: (N_("Turn the camera"), N_("To the player's left: the face is at the edge.")),
    light.DARK: (N_("Too dark"), N_("Give the player's face more light.")),
    light.COVERED: (N_("Camera covered"), N_("Open the lens cover.")),
    light.FROZEN: (N_("Picture stands still"), N_("Check both ends of the cable.")),
    SHOW: (N_("Good"), N_("Now show a raised open hand.")),
    NO_HAND: (N_("No hand is seen"), N_("Hold it up open, beside the face.")),
    FINGERS: (N_("Spread five fingers"), N_("The palm to the camera.")),
    HOLD: (N_("Good"), N_("Hold still.")),
    DONE: (N_("Good"), N_("The camera sees you well.")),
    NO_CAMERA: (N_("No camera"), N_("Check both ends of the cable.")),
    "illegal instruction": (N_("MediaPipe fails"), N_("Wrong for this CPU: mafia-seat check.")),
    "not set up": (N_("No vision here"), N_("Run: mafia-seat check")),
    DEAD: (N_("Camera fails"), N_("It is started again.")),
}
"""What each word says, in large letters and below them."""


class Aim:
    """Follows the eyes' reports, from *now_s* on."""

    def __init__(self, now_s: float) -> None:
        self._framing = WAIT
        self._since_s = now_s
        """Since when that is so."""
        self._hand_s: float | None = None
        """When an open hand was last seen to be held up."""
        self._fingers_s: float | None = None
        """And when one that shows fewer fingers."""

    def take(self, report: Report | EyesGone, now_s: float) -> None:
        """Take what the eyes say at *now_s*."""
        match report:
            case Sight():
                blind = report.word in (NO_CAMERA, DEAD)
                self._become(report.word if blind else report.aim or WAIT, now_s)
            case EyesGone():
                self._become(report.word if report.word in SAID else DEAD, now_s)
            case Hand(name=GestureName.OPEN_PALM):
                self._hand_s = now_s
            case Hand():
                self._fingers_s = now_s

    def word(self, now_s: float) -> str:
        """Return the word that holds at *now_s*, a key of :data:`SAID`."""
        if self._framing != framing.GOOD:
            return self._framing
        if self._hand_s is not None and now_s - self._hand_s <= FRESH_S:
            good_s = max(self._since_s, self._hand_s)
            return DONE if now_s - good_s >= HELD_S else HOLD
        if self._fingers_s is not None and now_s - self._fingers_s <= HAND_S:
            return FINGERS
        return SHOW if now_s - self._since_s < HAND_S else NO_HAND

    def _become(self, word: str, now_s: float) -> None:
        if word != self._framing:
            self._framing, self._since_s = word, now_s


def line_of(word: str, t: Translate) -> str:
    """Return *word* as a line of a terminal."""
    large, small = SAID[word]
    return f"{t(large)}: {t(small)}"


def face_of(word: str, t: Translate, language: str) -> Face:
    """Return *word* as the hooded screen shows it."""
    large, small = SAID[word]
    return Face(
        scene="aim", layout=Layout.TITLE, title=t(large), lines=(t(small),), language=language
    )

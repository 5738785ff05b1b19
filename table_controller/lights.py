"""The lights around the table: ten seats and one phase lamp.

:func:`frame` is pure and takes what everybody may see; what a frame looks like
is in the tables :data:`SIGNS` and :data:`TINTS`, and depends on the time only
where a light blinks. At night all ten seats are equal, those who have left too,
and nothing blinks.
"""

import enum
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol, TypeVar

from firmware.errors import BoardError
from firmware.words import N_
from table_controller.game.model import Winner
from table_controller.game.views import PublicPhase, PublicSeat, PublicView

DARK: Final = 0.0
NIGHT: Final = 0.03
"""Seen by who looks for it, and dark for who has a mask on."""
LOW: Final = 0.1
MIDDLE: Final = 0.32
FULL: Final = 1.0
"""Levels are three times apart: an eye that sees one light alone tells them."""

RETRY_S: Final = 10.0
"""Lights that failed are tried again when they change, else after this time."""

Colour = tuple[float, float, float]
"""Red, green, blue, each 0-1."""

_Shown = TypeVar("_Shown")


class Pattern(enum.StrEnum):
    """How a light spends its time."""

    STEADY = "steady"
    BLINK = "blink"
    """Half a second lit, half a second dark."""
    FAST = "fast"
    """The same, four times a second."""
    WINK = "wink"
    """Lit, and dark for a moment."""
    GLINT = "glint"
    """Lit, and bright for a moment."""
    BLIP = "blip"
    """Dark, and lit for a moment."""


_MOMENT_S: Final = 0.2
_REST_S: Final = 1.8

_STEPS: Final[Mapping[Pattern, tuple[tuple[float, float | None], ...]]] = {
    Pattern.STEADY: ((math.inf, None),),
    Pattern.BLINK: ((0.5, None), (0.5, DARK)),
    Pattern.FAST: ((0.125, None), (0.125, DARK)),
    Pattern.WINK: ((_REST_S, None), (_MOMENT_S, DARK)),
    Pattern.GLINT: ((_REST_S, None), (_MOMENT_S, FULL)),
    Pattern.BLIP: ((_REST_S, DARK), (_MOMENT_S, None)),
}
"""(seconds, level), over and over; None is the sign's own level."""


class Sign(enum.StrEnum):
    """What the light of a seat tells."""

    NIGHT = "night"
    FLOOR = "floor"
    CALLED = "called"
    GROUNDS = "grounds"
    OUT = "out"
    OFFLINE = "offline"
    READY = "ready"
    NOMINATED = "nominated"
    MUTED = "muted"
    CROWN = "crown"
    PLAYS = "plays"


class Look(NamedTuple):
    """How a sign is shown, and its meaning, a text to be translated."""

    level: float
    pattern: Pattern
    meaning: str


SIGNS: Final[Mapping[Sign, Look]] = {
    Sign.NIGHT: Look(NIGHT, Pattern.STEADY, N_("night: all seats alike")),
    Sign.FLOOR: Look(FULL, Pattern.STEADY, N_("has the floor")),
    Sign.CALLED: Look(FULL, Pattern.FAST, N_("is called in the vote")),
    Sign.GROUNDS: Look(FULL, Pattern.BLINK, N_("a motion on this seat is open or to come")),
    Sign.OUT: Look(DARK, Pattern.STEADY, N_("is out of the game")),
    Sign.OFFLINE: Look(LOW, Pattern.BLIP, N_("its device is offline")),
    Sign.READY: Look(FULL, Pattern.STEADY, N_("is ready")),
    Sign.NOMINATED: Look(MIDDLE, Pattern.STEADY, N_("is nominated")),
    Sign.MUTED: Look(LOW, Pattern.WINK, N_("loses a speech for its fouls")),
    Sign.CROWN: Look(LOW, Pattern.GLINT, N_("was given a crown")),
    Sign.PLAYS: Look(LOW, Pattern.STEADY, N_("is in the game")),
}
"""A seat that has more than one sign shows the first of this order; ready means ready
for the deal, when nobody has the floor."""


class Hue(enum.StrEnum):
    """What the phase lamp tells."""

    DEAL = "deal"
    NIGHT = "night"
    MORNING = "morning"
    SPEECHES = "speeches"
    VOTE = "vote"
    MOTION = "motion"
    FAREWELL = "farewell"
    PAUSED = "paused"
    TOWN = "town"
    MAFIA = "mafia"
    NOBODY = "nobody"


class Tint(NamedTuple):
    """The colour of a hue, and its meaning, a text to be translated."""

    colour: Colour
    meaning: str


TINTS: Final[Mapping[Hue, Tint]] = {
    Hue.DEAL: Tint((0.4, 0.4, 0.4), N_("seating and deal of roles")),
    Hue.NIGHT: Tint((0.0, 0.0, 0.1), N_("night")),
    Hue.MORNING: Tint((0.8, 0.5, 0.2), N_("morning")),
    Hue.SPEECHES: Tint((0.0, 0.6, 0.0), N_("speeches")),
    Hue.VOTE: Tint((0.8, 0.0, 0.0), N_("vote or lift")),
    Hue.MOTION: Tint((0.0, 0.5, 0.5), N_("vote on a motion")),
    Hue.FAREWELL: Tint((0.4, 0.0, 0.4), N_("farewell")),
    Hue.PAUSED: Tint((0.8, 0.3, 0.0), N_("paused")),
    Hue.TOWN: Tint((1.0, 0.0, 0.0), N_("the town has won")),
    Hue.MAFIA: Tint((0.3, 0.0, 1.0), N_("the mafia has won")),
    Hue.NOBODY: Tint((1.0, 1.0, 1.0), N_("the game has ended without a winner")),
}
"""The town's cards are red; black cannot be lit, so the mafia is violet."""

_HUES: Final[Mapping[PublicPhase, Hue]] = {
    PublicPhase.SEATING: Hue.DEAL,
    PublicPhase.LOOK: Hue.DEAL,
    PublicPhase.NIGHT: Hue.NIGHT,
    PublicPhase.MORNING: Hue.MORNING,
    PublicPhase.SPEECH: Hue.SPEECHES,
    PublicPhase.READING: Hue.VOTE,
    PublicPhase.BALLOT: Hue.VOTE,
    PublicPhase.COUNTING: Hue.VOTE,
    PublicPhase.TIE_SPEECH: Hue.SPEECHES,
    PublicPhase.LIFT: Hue.VOTE,
    PublicPhase.MOTION: Hue.MOTION,
    PublicPhase.FAREWELL: Hue.FAREWELL,
    PublicPhase.FAREWELL_PICKS: Hue.FAREWELL,
    PublicPhase.OVER: Hue.NOBODY,
}
_WINNERS: Final[Mapping[Winner, Hue]] = {
    Winner.TOWN: Hue.TOWN,
    Winner.MAFIA: Hue.MAFIA,
    Winner.DRAW: Hue.NOBODY,
}

_COUNT: Final[tuple[tuple[float, Colour], ...]] = tuple(
    (0.5, (level, level, level)) for share in (1.0, 0.5, 0.2) for level in (share, DARK)
)
"""What the phase lamp shows while stop is held: three flashes, each weaker."""


class Frame(NamedTuple):
    """What all lights tell; seat 1 first."""

    seats: tuple[Sign, ...]
    phase: Hue

    def values(self, at_s: float) -> tuple[float, ...]:
        """Return thirteen values as a board takes them: the seats, then red, green, blue."""
        return (*(_level(sign, at_s) for sign in self.seats), *TINTS[self.phase].colour)

    def change_s(self, at_s: float) -> float:
        """Return when the values change next after *at_s*; infinity: never."""
        patterns = {SIGNS[sign].pattern for sign in self.seats}
        return at_s + min(_step(_STEPS[pattern], at_s)[1] for pattern in patterns)


def frame(view: PublicView, offline: frozenset[int]) -> Frame:
    """Return the lights for *view*; *offline* are the seats whose device is not there."""
    if view.phase is PublicPhase.NIGHT:
        return Frame((Sign.NIGHT,) * len(view.seats), Hue.NIGHT)
    return Frame(tuple(_sign(view, seat, offline) for seat in view.seats), _hue(view))


def _hue(view: PublicView) -> Hue:
    if view.winner is not None:
        return _WINNERS[view.winner]
    if view.paused and view.phase is not PublicPhase.OVER:
        return Hue.PAUSED
    return _HUES[view.phase]


def _sign(view: PublicView, seat: PublicSeat, offline: frozenset[int]) -> Sign:
    number = seat.seat
    accused = {view.motion.seat} if view.motion else {each.seat for each in view.grounds}
    has = {
        # Also somebody who has just left and says farewell, or is the accused.
        Sign.FLOOR: number in (view.shout, view.floor),
        Sign.CALLED: number == view.called,
        Sign.GROUNDS: number in accused,
        Sign.OUT: not seat.living,
        Sign.OFFLINE: number in offline,
        Sign.READY: seat.ready and view.phase is PublicPhase.SEATING,
        Sign.NOMINATED: number in view.candidates or number in view.nominees,
        Sign.MUTED: seat.silenced,
        Sign.CROWN: bool(seat.crowns),
    }
    return next((sign for sign in SIGNS if has.get(sign)), Sign.PLAYS)


def _level(sign: Sign, at_s: float) -> float:
    look = SIGNS[sign]
    level, _ = _step(_STEPS[look.pattern], at_s)
    return look.level if level is None else level


def _step(
    steps: Sequence[tuple[float, _Shown]], into_s: float, *, once: bool = False
) -> tuple[_Shown, float]:
    """Return what *steps*, over and over or *once*, show after *into_s*, and for how long still."""
    whole_s = sum(length_s for length_s, _ in steps)
    if once and into_s >= whole_s:
        return steps[-1][1], math.inf
    into_s %= whole_s
    for length_s, shown in steps[:-1]:
        if into_s < length_s:
            return shown, length_s - into_s
        into_s -= length_s
    return steps[-1][1], steps[-1][0] - into_s


class LightsOut(Protocol):
    """The lights themselves. Source: :class:`firmware.board.TableLights`."""

    def set(self, values: Sequence[float]) -> None:
        """Show thirteen values in 0-1: ten seats, then red, green, blue.

        :raises BoardError: if a light cannot be written.
        """
        ...


class Lights:
    """Shows frames on *out*, and writes only what differs; None: there are no lights.

    Written is what stands at a :meth:`tick`, not what it was for a moment before.
    Lights that fail stop nothing: :attr:`fault` says why, and :meth:`report` once to whom.
    """

    def __init__(self, out: LightsOut | None, fault: str = "") -> None:
        self.fault = fault
        """Why they are dark, or wrong; ``""`` while they work."""
        self._out = out
        self._report: Callable[[str], object] | None = None
        self.told: Frame | None = None
        """What they show; None before the first game."""
        self._count_s: float | None = None
        """Since when the phase lamp counts."""
        self._tried: tuple[float, ...] | None = None
        """What was written last, or could not be."""
        self._retry_s = math.inf

    def report(self, to: Callable[[str], object]) -> None:
        """Call *to* with the first fault: at once if there is one, else when it comes."""
        self._report = to
        self._report_fault()

    def _report_fault(self) -> None:
        if self.fault and self._report is not None:
            self._report(self.fault)
            self._report = None

    def show(self, view: PublicView, offline: frozenset[int]) -> None:
        """Show *view* from the next :meth:`tick` on; *offline* are seats without their device."""
        self.told = frame(view, offline)

    def count(self, since_s: float | None) -> None:
        """Let the phase lamp count from *since_s* on; None: no more."""
        self._count_s = since_s

    def tick(self, now_s: float) -> None:
        """Write what is to be seen at *now_s*, if it differs from what is."""
        values = self._values(now_s)
        if self._out is None or (values == self._tried and now_s < self._retry_s):
            return
        self._tried = values
        try:
            self._out.set(values)
        except BoardError as error:
            self.fault, self._retry_s = str(error), now_s + RETRY_S
            self._report_fault()
        else:
            self.fault, self._retry_s = "", math.inf

    def next_due_s(self, now_s: float) -> float:
        """Return when :meth:`tick` has something to do next; infinity: never."""
        if self._out is None:
            return math.inf
        if self._values(now_s) != self._tried:
            return now_s
        due_s = self._retry_s
        if self.told is not None:
            due_s = min(due_s, self.told.change_s(now_s))
        if self._count_s is not None:
            due_s = min(due_s, now_s + _step(_COUNT, now_s - self._count_s, once=True)[1])
        return due_s

    def _values(self, now_s: float) -> tuple[float, ...]:
        dark = (DARK,) * 13
        values = self.told.values(now_s) if self.told is not None else dark
        if self._count_s is None:
            return values
        return (*values[:10], *_step(_COUNT, now_s - self._count_s, once=True)[0])

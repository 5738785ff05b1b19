"""The lights around the table: ten seats and one phase lamp.

:func:`frame` is pure and takes what everybody may see. At night all ten seats
are equal, those who have left too.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from table_controller.game.model import Winner
from table_controller.game.views import PublicPhase, PublicSeat, PublicView

DARK: Final = 0.0
"""The seat has left."""
NIGHT: Final = 0.05
"""Every seat at night."""
FAINT: Final = 0.1
"""The seat's device is offline, or its player is not ready yet."""
LIT: Final = 0.3
"""A seat in the game."""
MARKED: Final = 0.6
"""A nominee or candidate."""
FULL: Final = 1.0
"""The seat that has the floor, is called, or is ready."""

Colour = tuple[float, float, float]
"""Red, green, blue, each 0-1."""

_WHITE: Final = (0.4, 0.4, 0.4)
_BLUE: Final = (0.0, 0.0, 0.1)
_GREEN: Final = (0.0, 0.6, 0.0)
_RED: Final = (0.8, 0.0, 0.0)
_AMBER: Final = (0.8, 0.3, 0.0)

_PHASES: Final[dict[PublicPhase, Colour]] = {
    PublicPhase.SEATING: _WHITE,
    PublicPhase.LOOK: _WHITE,
    PublicPhase.NIGHT: _BLUE,
    PublicPhase.MORNING: (0.8, 0.5, 0.2),
    PublicPhase.SPEECH: _GREEN,
    PublicPhase.READING: _RED,
    PublicPhase.BALLOT: _RED,
    PublicPhase.COUNTING: _RED,
    PublicPhase.TIE_SPEECH: _GREEN,
    PublicPhase.LIFT: _RED,
    PublicPhase.FAREWELL: (0.4, 0.0, 0.4),
    PublicPhase.FAREWELL_PICKS: (0.4, 0.0, 0.4),
}
_WINNERS: Final[dict[Winner, Colour]] = {
    Winner.TOWN: (1.0, 0.0, 0.0),
    Winner.MAFIA: (0.3, 0.0, 1.0),
    Winner.DRAW: (1.0, 1.0, 1.0),
}
"""The town's cards are red; black cannot be lit, so the mafia is violet."""


class Frame(NamedTuple):
    """What all lights show."""

    seats: tuple[float, ...]
    """Ten values in 0-1, seat 1 first."""
    phase: Colour

    @property
    def values(self) -> tuple[float, ...]:
        """Thirteen values as the board takes them: the seats, then red, green, blue."""
        return (*self.seats, *self.phase)


class LightsOut(Protocol):
    """The lights themselves. Source: :class:`firmware.board.TableBoard`."""

    def set(self, values: Sequence[float]) -> None:
        """Show thirteen values in 0-1: ten seats, then red, green, blue."""
        ...


class Lights:
    """Writes a frame to *out* when it differs from the one before."""

    def __init__(self, out: LightsOut) -> None:
        self._out = out
        self._shown: Frame | None = None

    def show(self, view: PublicView, offline: frozenset[int]) -> None:
        """Show *view*; *offline* are the seats whose device is not there."""
        wanted = frame(view, offline)
        if wanted != self._shown:
            self._out.set(wanted.values)
            self._shown = wanted


def frame(view: PublicView, offline: frozenset[int]) -> Frame:
    """Return the lights for *view*; *offline* are the seats whose device is not there."""
    if view.phase is PublicPhase.NIGHT:
        return Frame((NIGHT,) * len(view.seats), _BLUE)
    return Frame(tuple(_seat(view, seat, offline) for seat in view.seats), _phase(view))


def _phase(view: PublicView) -> Colour:
    if view.winner is not None:
        return _WINNERS[view.winner]
    if view.paused:
        return _AMBER
    return _PHASES.get(view.phase, _WHITE)


def _seat(view: PublicView, seat: PublicSeat, offline: frozenset[int]) -> float:
    number = seat.seat
    if number in (view.shout, view.floor, view.called):
        # Also somebody who has just left and says farewell.
        return FULL
    if not seat.living:
        return DARK
    if number in offline:
        return FAINT
    if view.phase is PublicPhase.SEATING:
        return FULL if seat.ready else FAINT
    if number in view.candidates or number in view.nominees:
        return MARKED
    return LIT

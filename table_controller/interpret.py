"""What a seat's observation asks of the game now.

Pure: an observation and what the seat may do make an action, or nothing. Here
and only here a press gets its meaning; the engine then decides on it.
"""

import enum
import math
from typing import Final

import msgspec

from firmware.wire import Button, How, Pick, Picking, Press
from table_controller.game import Action, actions
from table_controller.game.events import (
    AccusationMade,
    BallotClosed,
    Event,
    ListRead,
    MorningCame,
    MotionClosed,
    MotionPut,
    NomineeStruck,
    Resumed,
    RollCalled,
    RoundBegan,
    VoteDropped,
    WindowClosed,
    WindowOpened,
)
from table_controller.game.views import Deed, PublicView, SeatView

MENUS: Final = (Deed.NOMINATE, Deed.BEST_MOVE, Deed.CROWN)
"""Deeds that are picked from a list."""

WINDOWS_END: Final = (
    ListRead,
    RoundBegan,
    BallotClosed,
    MotionPut,
    MotionClosed,
    NomineeStruck,
    VoteDropped,
)
"""After these no press counts for a window before them."""

NOBODY: Final = 0
"""Value of the line "nobody" in the list for the crown."""


class Late(enum.Enum):
    """The one thing an observation can be beside an action or nothing."""

    LATE = enum.auto()


class Window(msgspec.Struct):
    """When presses counted for *number*, by the table's clock; half-open."""

    number: int
    opened_s: float
    closed_s: float | None = None


class Windows:
    """The windows of the open ballot, lift or night round, and of the shouts."""

    def __init__(self) -> None:
        self._windows: list[Window] = []
        self._shouts: dict[int, float] = {}
        """Since when each seat can shout that can now."""
        self.watched_s = -math.inf
        """Since when this day has run without a pause: what eyes saw before counts no more."""
        self.accused_s = -math.inf
        """Since when the accusation is open: a press before it confirms nothing."""

    @property
    def all(self) -> tuple[Window, ...]:
        """The windows of ballot, lift or round, oldest first."""
        return tuple(self._windows)

    def recall(self, windows: tuple[Window, ...], end_s: float) -> None:
        """Take up what a table noted that ended at *end_s* or a little later."""
        self._windows = list(windows)
        self._close(end_s)

    def follow(self, events: tuple[Event, ...], at_s: float) -> bool:
        """Open and close windows as *events*, due at *at_s*, say; tell whether any did."""
        changed = False
        for event in events:
            if isinstance(event, MorningCame | Resumed):
                self.watched_s = at_s
            if isinstance(event, AccusationMade | Resumed):
                self.accused_s = at_s
            if isinstance(event, WINDOWS_END):
                self._windows.clear()
            elif isinstance(event, WindowOpened):
                self._windows.append(Window(event.number, at_s))
            elif isinstance(event, WindowClosed | RollCalled):
                self._close(at_s)
            else:
                continue
            changed = True
        return changed

    def _close(self, at_s: float) -> None:
        for window in self._windows:
            if window.closed_s is None:
                window.closed_s = at_s

    def shouts(self, seats: frozenset[int], at_s: float) -> None:
        """Note that from *at_s* on *seats* can shout, and nobody else."""
        self._shouts = {seat: self._shouts.get(seat, at_s) for seat in seats}

    def may_shout(self, seat: int, made_s: float) -> bool:
        """Return whether *seat*, which can shout now, could at *made_s*.

        A press of its own floor or of its last shout, come late, is none.
        """
        return made_s >= self._shouts.get(seat, made_s)

    def of(self, earliest_s: float, made_s: float) -> int | None:
        """Return for whom a press counts; None: nobody, nor when it may have been another's."""
        number = self.at(made_s)
        return number if earliest_s >= made_s or number == self.at(earliest_s) else None

    def at(self, made_s: float) -> int | None:
        """Return whose window was open at *made_s*; None: nobody's."""
        for window in reversed(self._windows):
            if window.opened_s <= made_s and (window.closed_s is None or made_s < window.closed_s):
                return window.number
        return None


def menu_id(view: SeatView, day: int) -> int:
    """Return the number of the list that *view*'s deed is picked from."""
    return day * 10 + MENUS.index(view.deed) if view.deed in MENUS else 0


def interpret(
    what: Press | Picking | Pick,
    when: tuple[float, float],
    view: SeatView,
    public: PublicView,
    windows: Windows,
) -> Action | Late | None:
    """Return what the seat of *view* asks for, None for nothing.

    *when*, by the table's clock, it was made: at the earliest, and most likely.
    """
    match what:
        case Press(button=Button.VOTE, how=How.EDGE):
            return _vote(when, view, public, windows)
        case Press(button=Button.VOTE, how=How.TAP | How.HOLD) if view.deed is Deed.READY:
            return actions.Ready(view.seat)
        case Press(button=Button.VOTE, how=How.TAP) if view.deed is Deed.CONFIRM:
            confirms = when[1] >= windows.accused_s
            return actions.ConfirmAccusation(view.seat) if confirms else None
        case Press(button=Button.SHOUT, how=How.EDGE | How.TAP) if view.may_shout:
            return actions.Shout(view.seat) if windows.may_shout(view.seat, when[1]) else None
        case Press(button=Button.SHOUT, how=How.HOLD) if view.own_floor:
            return actions.EndFloor(view.seat)
        case Picking(menu=menu, open=is_open) if view.deed is Deed.NOMINATE and menu == menu_id(
            view, public.day
        ):
            return actions.OpenPick(view.seat) if is_open else actions.ClosePick(view.seat)
        case Pick(menu=menu, values=values) if view.deed in MENUS and menu == menu_id(
            view, public.day
        ):
            return _pick(view, values)
        case Pick():
            return Late.LATE
    return None


def _vote(
    when: tuple[float, float], view: SeatView, public: PublicView, windows: Windows
) -> Action | Late:
    number = windows.of(*when)
    if number is None:
        return Late.LATE
    if number == 0 and public.motion is not None:
        return actions.VoteMotion(view.seat)
    if number == 0:
        return actions.VoteLift(view.seat)
    return actions.Vote(view.seat, number)


def _pick(view: SeatView, values: tuple[int, ...]) -> Action | None:
    match view.deed, values:
        case Deed.NOMINATE, ():
            return actions.TakeBackNomination(view.seat)
        case Deed.NOMINATE, (nominee,):
            return actions.Nominate(view.seat, nominee)
        case Deed.BEST_MOVE, suspects:
            return actions.GiveBestMove(view.seat, suspects)
        case Deed.CROWN, () | (0,):
            return actions.GiveCrown(view.seat, None)
        case Deed.CROWN, (target,):
            return actions.GiveCrown(view.seat, target)
    return None

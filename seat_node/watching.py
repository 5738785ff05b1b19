"""The eyes' loops: looking, switched off, and without a camera."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from firmware import service
from firmware.clock import Clock
from firmware.errors import BoardError
from firmware.wire import Presence
from seat_node.reporting import Line
from seat_node.reports import DEAD, NO_CAMERA, OFF, Chair, Report, Sight, Watch
from seat_node.vitals import resident_mb

SIGHT_S: Final = 5.0
"""Time between two reports on the eyes themselves."""

LOOK_S: Final = 8.0
"""A camera or a library that takes longer over a look or over its end has hung.

An absence is 15 s of looks.
"""


class Turn(NamedTuple):
    """What came of one turn of the eyes."""

    reports: list[Report]
    due_s: float | None
    """When the next look is due; None: the recording is over."""


class Looks(Protocol):
    """What looks. See :class:`~seat_node.eyes.Eyes`."""

    def introduce(self, at_s: float) -> list[Report]:
        """Return how everything stands, for a seat that has just connected."""
        ...

    def turn(self, watch: Watch, now_s: float) -> Turn:
        """Take the looks that are due at *now_s*.

        :raises BoardError: if the source stopped.
        """
        ...


def watch_over(eyes: Looks, line: Line, clock: Clock, *, hurry: bool) -> bool:
    """Run *eyes* on *line* until the recording ends, for ever with a camera.

    Return True when the camera is to be switched off instead. With *hurry* time is
    the recording's own, from 0, and passes as fast as the machine looks; else *clock*
    tells it.

    :raises BoardError: if the source stopped; the seat has been told.
    :raises LinkError: if the seat is gone.
    """
    now_s = 0.0 if hurry else clock.now_s()
    ready = introduced = False
    while True:
        fresh = line.connect()
        if line.watch.off:
            return True
        if fresh or not introduced:
            line.tell(eyes.introduce(now_s))
            introduced = True
        try:
            with service.ends_within(LOOK_S):
                reports, due_s = eyes.turn(line.watch, now_s)
        except BoardError:
            line.tell(blind(DEAD, now_s))
            raise
        line.tell(reports)
        if due_s is None:
            return False
        if not ready:
            # Only now is it known that camera and libraries work.
            service.notify("READY=1")
            ready = True
        line.wait(0.0 if hurry else max(0.0, due_s - clock.now_s()))
        now_s = due_s if hurry else clock.now_s()


def stay_shut(line: Line, clock: Clock) -> None:
    """Say that the camera is switched off, as long as it is.

    :raises LinkError: if the seat is gone.
    """
    told_s = -math.inf
    while True:
        fresh = line.connect()
        if not line.watch.off:
            return
        # There is nothing more to wait for: such eyes are up.
        service.notify("READY=1")
        now_s = clock.now_s()
        if fresh or now_s >= told_s + SIGHT_S:
            line.tell(blind(OFF, now_s))
            told_s = now_s
        line.wait(told_s + SIGHT_S - now_s)


def stay_blind(line: Line, clock: Clock, for_s: float) -> None:
    """Say for *for_s* that there is no camera; that is known, so the eyes are up.

    :raises LinkError: if the seat is gone.
    """
    until_s = clock.now_s() + for_s
    service.notify("READY=1")
    told = False
    while True:
        if line.connect() or not told:
            line.tell(blind(NO_CAMERA, clock.now_s()))
            told = True
        left_s = until_s - clock.now_s()
        if left_s <= 0:
            return
        line.wait(left_s)


def blind(word: str, at_s: float) -> Sequence[Report]:
    """Return the reports of eyes that see nothing, for the reason *word*."""
    return (Chair(Presence.UNKNOWN, at_s), Sight(word, 0.0, resident_mb()))

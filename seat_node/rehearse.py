"""A seat's end of the rehearsal socket: presses drive mock pins, questions go to the inbox."""

import math
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from firmware.board import SeatBoard
from firmware.clock import Clock, SystemClock
from firmware.rehearsal import Push, Refused, Release, SeatRequest
from firmware.rehearsal_socket import RehearsalServer, Reply
from firmware.wire import Button
from seat_node.inbox import Asked

FINGER_S: Final = 0.045
"""A contact stays as it is at least so long, however late its orders are read.

A busy machine can read a push and its release in one go; debouncing would take
that for noise, and no finger is so quick.
"""


def rehearsal(
    path: Path, board: SeatBoard, put: Callable[[Asked], object], clock: Clock | None = None
) -> RehearsalServer[SeatRequest]:
    """Return the server of *path*, to be entered; *board* has mock pins."""
    clock = clock or SystemClock()
    moved_s: dict[Button, float] = {}

    def move(button: Button, drive: Callable[[Button], None]) -> None:
        """Drive the contact; on the client's own thread, which may wait."""
        rest_s = moved_s.get(button, -math.inf) + FINGER_S - clock.now_s()
        if rest_s > 0:
            threading.Event().wait(rest_s)
        drive(button)
        moved_s[button] = clock.now_s()

    def handle(request: SeatRequest, reply: Reply) -> None:
        match request:
            case Push() | Release() if request.button not in board.buttons:
                reply(Refused(f"this seat has no {request.button}"))
            case Push(button=button):
                move(button, board.push)
            case Release(button=button):
                move(button, board.release)
            case _:
                put(Asked(request, reply))

    return RehearsalServer(path, SeatRequest, handle)

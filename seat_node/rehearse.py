"""A seat's end of the rehearsal socket: presses drive mock pins, questions go to the inbox."""

from collections.abc import Callable
from pathlib import Path

from firmware.board import SeatBoard
from firmware.rehearsal import Push, Refused, Release, SeatRequest
from firmware.rehearsal_socket import RehearsalServer, Reply
from seat_node.inbox import Asked


def rehearsal(
    path: Path, board: SeatBoard, put: Callable[[Asked], object]
) -> RehearsalServer[SeatRequest]:
    """Return the server of *path*, to be entered; *board* has mock pins."""

    def handle(request: SeatRequest, reply: Reply) -> None:
        match request:
            case Push() | Release() if request.button not in board.buttons:
                reply(Refused(f"this seat has no {request.button}"))
            case Push():
                board.push(request.button)
            case Release():
                board.release(request.button)
            case _:
                put(Asked(request, reply))

    return RehearsalServer(path, SeatRequest, handle)

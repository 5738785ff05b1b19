"""The rehearsal socket of a seat: mock pins to press, the screen to look at.

Source: :mod:`firmware.rehearsal`.
"""

import logging
import queue
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from firmware.board import SeatBoard
from firmware.errors import BoardError
from firmware.rehearsal import LINE_MAX, Push, Refused, Release, SeatReply, SeatRequest
from seat_node.inbox import Asked

UNREAD_MAX: Final = 10_000
"""Answers that wait for a listener who does not read; then the connection ends."""

log = logging.getLogger(__name__)


def listen(path: Path) -> socket.socket:
    """Return a socket of this user alone (0600) that listens at *path*.

    :raises BoardError: if it cannot be made there.
    """
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if path.is_socket():
            path.unlink()
        server.bind(str(path))
        path.chmod(0o600)
        server.listen()
    except OSError as error:
        server.close()
        raise BoardError(f"socket {path}: {error}") from error
    return server


class RehearsalSocket:
    """Serves *path*: presses go to *board*, questions to the inbox by *put*.

    Use as a context manager.

    :raises BoardError: on entering, if the socket cannot be made.
    """

    def __init__(self, path: Path, board: SeatBoard, put: Callable[[Asked], object]) -> None:
        self._path = path
        self._board = board
        self._put = put
        self._server: socket.socket | None = None

    def __enter__(self) -> "RehearsalSocket":
        self._server = listen(self._path)
        threading.Thread(
            target=self._accept, args=(self._server,), name="rehearsal", daemon=True
        ).start()
        return self

    def __exit__(self, *exc: object) -> None:
        if self._server is not None:
            # Wakes the thread in accept, which close alone does not.
            self._server.shutdown(socket.SHUT_RDWR)
            self._server.close()
        self._path.unlink(missing_ok=True)

    def _accept(self, server: socket.socket) -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            _Client(connection, self._board, self._put).start()


class _Client:
    """One connection, a thread to read and one to write."""

    def __init__(
        self, connection: socket.socket, board: SeatBoard, put: Callable[[Asked], object]
    ) -> None:
        self._connection = connection
        self._board = board
        self._put = put
        self._gone = False
        self._answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

    def start(self) -> None:
        """Begin to serve."""
        for work in (self._read, self._write):
            threading.Thread(target=work, name=f"rehearsal {work.__name__}", daemon=True).start()

    def tell(self, reply: SeatReply) -> bool:
        """Hand out *reply* without waiting; False: nobody listens."""
        if self._gone or self._answers.qsize() > UNREAD_MAX:
            self._hang_up()
            return False
        self._answers.put(msgspec.json.encode(reply) + b"\n")
        return True

    def _read(self) -> None:
        decoder = msgspec.json.Decoder(SeatRequest)
        with self._connection.makefile("rb") as lines:
            try:
                while (line := lines.readline(LINE_MAX)).endswith(b"\n"):
                    try:
                        self._do(decoder.decode(line))
                    except (msgspec.MsgspecError, KeyError) as error:
                        self.tell(Refused(f"{line[:80]!r}: {error}"))
            except OSError as error:
                log.info("rehearsal: %s", error)
        self._answers.put(None)

    def _do(self, request: SeatRequest) -> None:
        match request:
            case Push():
                self._board.push(request.button)
            case Release():
                self._board.release(request.button)
            case _:
                self._put(Asked(request, self.tell))

    def _write(self) -> None:
        while (answer := self._answers.get()) is not None:
            try:
                self._connection.sendall(answer)
            except OSError:
                break
        self._hang_up()

    def _hang_up(self) -> None:
        self._gone = True
        try:
            self._connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            log.debug("rehearsal: closed by the other side")
        self._connection.close()

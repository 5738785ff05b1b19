"""The eyes' end of the line to the seat: reports out, Watch commands in.

Only :data:`~seat_node.reports.Report` can be told, so no picture ever leaves.
"""

import logging
import select
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

import msgspec

from firmware.clock import Clock
from firmware.errors import LinkError
from seat_node.reports import Report, Watch

PATIENCE_S: Final = 30.0
"""Eyes whose seat has been gone so long end: nobody would ever stop them."""

RETRY_S: Final = 0.2
SEND_S: Final = 5.0
"""A seat that reads nothing for so long counts as gone."""

LINE_MAX: Final = 4096
"""Longest command in bytes."""

_log = logging.getLogger(__name__)


class Line(Protocol):
    """Where reports go and commands come from."""

    watch: Watch
    """What is asked of the eyes now."""

    def connect(self) -> bool:
        """See to it that somebody listens; return whether that is new.

        :raises LinkError: if nobody does for :data:`PATIENCE_S`.
        """
        ...

    def tell(self, reports: Sequence[Report]) -> None:
        """Send *reports*; they are lost when the listener is."""
        ...

    def wait(self, patience_s: float) -> None:
        """Pass *patience_s*, or less when a command comes."""
        ...

    def close(self) -> None:
        """Say no more."""
        ...


class PrintedLine:
    """Reports as JSON lines on standard output, for people; *watch* never changes."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self._begun = False

    def connect(self) -> bool:
        """Return True the first time."""
        begun, self._begun = self._begun, True
        return not begun

    def tell(self, reports: Sequence[Report]) -> None:
        """Print *reports*."""
        for report in reports:
            sys.stdout.write(msgspec.json.encode(report).decode() + "\n")
        sys.stdout.flush()

    def wait(self, patience_s: float) -> None:
        """Pass *patience_s*."""
        select.select([], [], [], patience_s)

    def close(self) -> None:
        """Nothing is open."""


class SocketLine:
    """A connection to the seat's unix socket at *path*, made again when it breaks.

    A new seat is given *first_s* to say what it wants before anything is told.
    """

    def __init__(self, path: Path, clock: Clock, *, first_s: float = 0.0) -> None:
        self._first_s = first_s
        self.watch = Watch()
        self._path = path
        self._clock = clock
        self._socket: socket.socket | None = None
        self._unread = b""

    def connect(self) -> bool:
        """Connect unless connected; a new seat has asked nothing yet."""
        if self._socket is not None:
            return False
        give_up_s = self._clock.now_s() + PATIENCE_S
        while True:
            connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                connection.settimeout(SEND_S)
                connection.connect(str(self._path))
            except OSError as error:
                connection.close()
                if self._clock.now_s() >= give_up_s:
                    raise LinkError(
                        f"{self._path}: {error.strerror}: no seat has listened for "
                        f"{PATIENCE_S:.0f} s; start mafia-seat run"
                    ) from error
                select.select([], [], [], RETRY_S)
                continue
            self._socket = connection
            self._unread = b""
            self.watch = Watch()
            self.wait(self._first_s)
            return True

    def tell(self, reports: Sequence[Report]) -> None:
        """Send *reports*."""
        if self._socket is None or not reports:
            return
        lines = b"".join(msgspec.json.encode(report) + b"\n" for report in reports)
        try:
            self._socket.sendall(lines)
        except OSError as error:
            self._lose(str(error))

    def wait(self, patience_s: float) -> None:
        """Wait for commands; the last of them holds."""
        if self._socket is None:
            return
        readable, _, _ = select.select([self._socket], [], [], patience_s)
        if readable:
            try:
                self._take(self._socket.recv(LINE_MAX))
            except (OSError, msgspec.MsgspecError) as error:
                self._lose(str(error))

    def close(self) -> None:
        """End the connection; what was told still arrives."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _take(self, read: bytes) -> None:
        """Take the commands in *read*, the next bytes of the stream.

        :raises OSError: if the seat closed it, or sends no end of a line.
        :raises msgspec.MsgspecError: if a line is no Watch command.
        """
        if not read:
            raise ConnectionResetError("the seat closed it")
        *lines, self._unread = (self._unread + read).split(b"\n")
        if len(self._unread) > LINE_MAX:
            raise ConnectionAbortedError(f"a command of more than {LINE_MAX} bytes")
        for line in lines:
            self.watch = msgspec.json.decode(line, type=Watch)

    def _lose(self, reason: str) -> None:
        _log.warning("lost the seat at %s: %s", self._path, reason)
        self.close()

"""One rehearsal socket as the stage has it: never waits, and comes back by itself."""

import selectors
import socket
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from firmware import rehearsal
from firmware.rehearsal import LINE_MAX, Watch

if TYPE_CHECKING:
    from table_controller.rehearsal.stage import Stage

RETRY_S: Final = 0.1
"""Wait before a socket that nobody listens on is tried again."""

Ask = rehearsal.SeatRequest | rehearsal.TableRequest


class Connection:
    """One rehearsal socket, made again whenever its program is.

    *take* gets each line that comes; *on_link* is called when :attr:`linked` changes.
    """

    def __init__(
        self,
        stage: "Stage",
        path: Path,
        take: Callable[[bytes], None],
        on_link: Callable[[], None] = lambda: None,
    ) -> None:
        self.linked = False
        self._stage = stage
        self._path = path
        self._take = take
        self._on_link = on_link
        self._socket: socket.socket | None = None
        self._unread = b""
        self._unsent = b""
        self._open = True
        stage.connections.append(self)
        stage.after(0.0, self._connect)

    def send(self, request: Ask) -> None:
        """Send *request*; it is lost while the program is away."""
        if self._socket is None:
            return
        self._unsent += msgspec.json.encode(request) + b"\n"
        self._flush()

    def close(self) -> None:
        """End the connection for good."""
        self._open = False
        self._lose()

    def _connect(self) -> None:
        if not self._open:
            return
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.setblocking(False)
        try:
            connection.connect(str(self._path))
        except OSError:
            connection.close()
            self._stage.after(RETRY_S, self._connect)
            return
        self._socket, self.linked = connection, True
        self._unread = self._unsent = b""
        self._stage.selector.register(connection, selectors.EVENT_READ, self._serve)
        self.send(Watch())
        self._on_link()

    def _serve(self) -> None:
        assert self._socket is not None
        self._flush()
        if self._socket is None:
            return
        try:
            read = self._socket.recv(LINE_MAX)
        except BlockingIOError:
            return
        except OSError:
            read = b""
        if not read:
            self._lose()
            return
        *lines, self._unread = (self._unread + read).split(b"\n")
        for line in lines:
            self._take(line)

    def _flush(self) -> None:
        assert self._socket is not None
        try:
            sent = self._socket.send(self._unsent) if self._unsent else 0
        except BlockingIOError:
            sent = 0
        except OSError:
            self._lose()
            return
        self._unsent = self._unsent[sent:]
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._unsent else 0)
        self._stage.selector.modify(self._socket, wanted, self._serve)

    def _lose(self) -> None:
        was, self.linked = self.linked, False
        if self._socket is not None:
            self._stage.selector.unregister(self._socket)
            self._socket.close()
        self._socket = None
        if not self._open:
            return
        self._stage.after(RETRY_S, self._connect)
        if was:
            self._on_link()

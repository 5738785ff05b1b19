"""The rehearsal socket: a server in each program, and the client of bots and tests.

Messages are those of :mod:`firmware.rehearsal`, one JSON object a line.
"""

import contextlib
import logging
import queue
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Generic, Self, TypeVar

import msgspec

from firmware.clock import Clock, SystemClock
from firmware.errors import BoardError, KitError, LinkError
from firmware.rehearsal import LINE_MAX, Refused, Watch

BACKLOG_MAX: Final = 1000
"""Lines that wait for a client that does not read; then it is dropped."""

MEMORY_MAX: Final = 10_000
"""Messages that a client remembers."""

PATH_MAX: Final = 107
"""Longest path in bytes. Source: unix(7), sun_path."""

log = logging.getLogger(__name__)
_Request = TypeVar("_Request")
_Reply = TypeVar("_Reply")
_Wanted = TypeVar("_Wanted")
Reply = Callable[[msgspec.Struct], None]
"""Sends an answer to who asked; never blocks, from any thread."""


class AskRefused(KitError, ValueError):
    """The program answered :class:`~firmware.rehearsal.Refused`."""


class RehearsalServer(Generic[_Request]):
    """Listens on *path*, a socket that only its owner can open. A context manager.

    *requests* is the union of messages that are understood. *handle* gets each
    with its *reply*, on the client's own thread: it only enqueues. A
    :class:`~firmware.rehearsal.Watch` goes to *handle* too, which replies with
    what is shown now; from then on the client gets all that is published.

    :raises BoardError: on entering, if *path* is too long, in use, or cannot be made.
    """

    def __init__(
        self,
        path: Path,
        requests: Any,
        handle: Callable[[_Request, Reply], None],
    ) -> None:
        self._path = path
        self._decoder: msgspec.json.Decoder[_Request] = msgspec.json.Decoder(requests)
        self._handle = handle
        self._clients: set[_Client] = set()
        self._lock = threading.Lock()
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)

    def __enter__(self) -> Self:
        try:
            self._open()
        except OSError as error:
            self._listener.close()
            raise BoardError(f"rehearsal socket {self._path}: {error}") from error
        threading.Thread(target=self._accept, name="rehearsal", daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        _close(self._listener)
        with self._lock:
            clients, self._clients = self._clients, set()
        for client in clients:
            client.close()
        self._path.unlink(missing_ok=True)

    def publish(self, message: msgspec.Struct) -> None:
        """Send *message* to every client that watches; from any thread, without waiting."""
        with self._lock:
            watching = [client for client in self._clients if client.watches]
        for client in watching:
            client.send(message)

    def _open(self) -> None:
        if len(bytes(self._path)) > PATH_MAX:
            raise OSError(f"the path has more than {PATH_MAX} bytes")
        if self._path.is_socket():
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
                if probe.connect_ex(str(self._path)) == 0:
                    raise OSError("another program listens there")
            self._path.unlink()
        self._listener.bind(str(self._path))
        # Nobody can connect before listen, so nobody sees it with wider rights.
        self._path.chmod(0o600)
        self._listener.listen()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            client = _Client(connection)
            with self._lock:
                self._clients.add(client)
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: "_Client") -> None:
        try:
            for line in _lines(client.connection):
                request = self._decoder.decode(line)
                if isinstance(request, Watch):
                    client.watches = True
                self._handle(request, client.send)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            client.send(Refused(str(error)))
        finally:
            with self._lock:
                self._clients.discard(client)
            client.finish()


class _Client:
    """One connection of the server, with the thread that writes to it."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.watches = False
        self._backlog: queue.Queue[bytes | None] = queue.Queue(BACKLOG_MAX)
        threading.Thread(target=self._write, daemon=True).start()

    def send(self, message: msgspec.Struct) -> None:
        """Send *message*, or drop the client that has not read for long."""
        try:
            self._backlog.put_nowait(msgspec.json.encode(message) + b"\n")
        except queue.Full:
            log.warning("a rehearsal client does not read; it is dropped")
            self.close()

    def finish(self) -> None:
        """Close after what is waiting has been sent."""
        try:
            self._backlog.put_nowait(None)
        except queue.Full:
            self.close()

    def close(self) -> None:
        """Close at once."""
        _close(self.connection)

    def _write(self) -> None:
        with contextlib.suppress(OSError):
            while (line := self._backlog.get()) is not None:
                self.connection.sendall(line)
        self.close()


class RehearsalClient(Generic[_Reply]):
    """Talks to a program's rehearsal socket. A context manager.

    *replies* is the union of messages that may come. Every wait has a deadline
    in seconds of *clock*, *patience_s* unless another is given.

    :raises LinkError: on entering, if no program listens on *path* in time; while
        waiting, if it has gone; TimeoutError if what is waited for does not come.
    """

    def __init__(
        self, path: Path, replies: Any, *, patience_s: float = 10.0, clock: Clock | None = None
    ) -> None:
        self._path = path
        self._decoder: msgspec.json.Decoder[_Reply] = msgspec.json.Decoder(replies)
        self._patience_s = patience_s
        self._clock = clock or SystemClock()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._came: deque[_Reply] = deque(maxlen=MEMORY_MAX)
        self._count = 0
        self._last: dict[type, int] = {}
        """Number of the last message of each type, counted from 0."""
        self._over = False
        self._watching = False
        self._news = threading.Condition()
        self._sending = threading.Lock()

    def __enter__(self) -> Self:
        end_s = self._clock.now_s() + self._patience_s
        while code := self._socket.connect_ex(str(self._path)):
            if self._clock.now_s() >= end_s:
                self._socket.close()
                raise LinkError(f"rehearsal socket {self._path}: no program listens ({code})")
            threading.Event().wait(0.02)
        threading.Thread(target=self._read, daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        _close(self._socket)

    @property
    def seen(self) -> list[_Reply]:
        """Everything that came so far, oldest first, up to :data:`MEMORY_MAX`."""
        with self._news:
            return list(self._came)

    def send(self, request: msgspec.Struct) -> None:
        """Send *request* and wait for nothing.

        :raises LinkError: if the program has gone.
        """
        try:
            with self._sending:
                self._socket.sendall(msgspec.json.encode(request) + b"\n")
        except OSError as error:
            raise LinkError(f"rehearsal socket {self._path}: {error}") from error

    def ask(
        self, request: msgspec.Struct, wanted: type[_Wanted], deadline_s: float | None = None
    ) -> _Wanted:
        """Send *request* and return the next message of type *wanted*.

        :raises AskRefused: if the program refuses.
        """
        with self._news:
            at = self._count
        self.send(request)
        end_s = self._end_s(deadline_s)
        while True:
            message, at = self._next(at, end_s)
            if isinstance(message, Refused):
                raise AskRefused(message.reason)
            if isinstance(message, wanted):
                return message

    def watch(self, kind: type[_Wanted], deadline_s: float | None = None) -> Iterator[_Wanted]:
        """Yield the last message of *kind* and every later one; each within *deadline_s*."""
        at = self._start(kind)
        while True:
            message, at = self._next(at, self._end_s(deadline_s))
            if isinstance(message, kind):
                yield message

    def wait_until(
        self,
        kind: type[_Wanted],
        wanted: Callable[[_Wanted], bool],
        deadline_s: float | None = None,
    ) -> _Wanted:
        """Return the first *wanted* message of *kind*: the last one that came, or a later one."""
        at = self._start(kind)
        end_s = self._end_s(deadline_s)
        while True:
            message, at = self._next(at, end_s)
            if isinstance(message, kind) and wanted(message):
                return message

    def _start(self, kind: type) -> int:
        """Watch if we do not yet; return the number of the first message to look at."""
        with self._news:
            watching, self._watching = self._watching, True
            # What came before we watched may long be past.
            at = self._last.get(kind, self._count) if watching else self._count
        if not watching:
            self.send(Watch())
        return at

    def _end_s(self, deadline_s: float | None) -> float:
        return self._clock.now_s() + (self._patience_s if deadline_s is None else deadline_s)

    def _next(self, at: int, end_s: float) -> tuple[_Reply, int]:
        """Return message number *at*, or the oldest kept after it, and the next number."""
        with self._news:
            while self._count <= at:
                left_s = end_s - self._clock.now_s()
                if self._over:
                    raise LinkError(f"rehearsal socket {self._path}: the program has gone")
                if left_s <= 0:
                    last = self._came[-1] if self._came else "nothing"
                    raise TimeoutError(f"{self._path}: it did not come; the last was {last}")
                self._news.wait(left_s)
            first = self._count - len(self._came)
            at = max(at, first)
            return self._came[at - first], at + 1

    def _read(self) -> None:
        try:
            for line in _lines(self._socket):
                message = self._decoder.decode(line)
                with self._news:
                    self._came.append(message)
                    self._last[type(message)] = self._count
                    self._count += 1
                    self._news.notify_all()
        except msgspec.MsgspecError:
            log.exception("rehearsal socket %s: not understood", self._path)
        finally:
            with self._news:
                self._over = True
                self._news.notify_all()


def _lines(connection: socket.socket) -> Iterator[bytes]:
    """Yield whole lines until the other side closes.

    :raises msgspec.DecodeError: if a line is longer than :data:`LINE_MAX`.
    """
    with contextlib.suppress(OSError), connection.makefile("rb") as stream:
        while line := stream.readline(LINE_MAX + 1):
            if not line.endswith(b"\n"):
                if len(line) > LINE_MAX:
                    raise msgspec.DecodeError(f"a line is longer than {LINE_MAX} bytes")
                return
            yield line


def _close(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()

"""The seat's side of the eyes: their unix socket, and their process.

The process that sees the player runs without any network where the system
allows it (``unshare``), and its death is never the seat's.
"""

import contextlib
import logging
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Final

import msgspec

from firmware import service
from firmware.clock import Clock
from firmware.errors import BoardError
from seat_node.inbox import EyesGone
from seat_node.reports import DEAD, NO_CAMERA, Report, Sight, Watch
from seat_node.vitals import resident_mb

LINE_MAX: Final = 4096
"""Longest report in bytes; a longer one ends the connection."""

OWN_UNIT: Final = Path("/run/mafia-seat/eyes.sock")
"""Where a card's eyes, a service of their own, find the seat.

Source: systemd/mafia-eyes.service.
"""

START_S: Final = 60.0
"""Eyes that say nothing for so long from their start on hang."""

HANG_S: Final = 14
"""And so do eyes that have spoken: they report at least every 5 s, and end a look that hangs."""

BACK_OFF_S: Final = (1.0, 60.0)
"""Wait before the first new start and at most; it doubles, and starts again after a minute."""

LOOK_S: Final = 1.0
"""How often the process is looked at."""

KILL_S: Final = 2.0
"""Patience with the end of a child: one that hangs in a driver stays until it wakes."""

MEMORY_MB: Final = 400.0
"""Eyes that have more resident memory leak, and are started anew.

Measured with all models: 232 MB at most, with MediaPipe 0.10.18 292. Below the MemoryMax of
systemd/mafia-eyes.service, which ends those of a card.
"""

LEAK: Final = "memory"
"""Word for eyes that were ended so."""

NO_NETWORK: Final = ("unshare", "--map-root-user", "--net")
"""Puts a process into a network of its own that has nothing in it. Source: unshare(1)."""

log = logging.getLogger(__name__)

Put = Callable[[Report | EyesGone], object]


def without_network() -> tuple[str, ...]:
    """Return the words before a command that take its network away; () where not allowed."""
    try:
        done = subprocess.run(
            (*NO_NETWORK, "true"), capture_output=True, text=True, timeout=10, check=False
        )
        if done.returncode == 0:
            return NO_NETWORK
        reason = done.stderr.strip()
    except (OSError, subprocess.TimeoutExpired) as error:
        reason = str(error)
    log.warning("the eyes keep their network, unshare does not work here: %s", reason)
    return ()


def death_word(code: int) -> str:
    """Return what health says of eyes that ended with *code*."""
    if code == -signal.SIGILL:
        return "illegal instruction"
    if code == -signal.SIGALRM:
        return "hangs"
    if code == service.Exit.UNAVAILABLE:
        return NO_CAMERA
    if code == service.Exit.USAGE:
        return "not set up"
    return DEAD


class EyesSocket:
    """Listens at *path* for one eyes process; its reports go to *put*.

    A context manager. A new connection takes the place of the old one. Eyes
    that are *alone*, a service of its own group, have nobody else to tell that
    they are gone.

    :raises BoardError: on entering, if the socket cannot be made.
    """

    def __init__(self, path: Path, put: Put, clock: Clock, *, alone: bool = False) -> None:
        self.last_s: float | None = None
        """When the last report came; None: none yet."""
        self._path = path
        self._put = put
        self._clock = clock
        self._alone = alone
        self._lock = threading.Lock()
        # No camera looks before the table has said that it may.
        self._watch = Watch(off=True)
        self._client: socket.socket | None = None
        self._server: socket.socket | None = None

    def __enter__(self) -> "EyesSocket":
        self._server = _listen(self._path, 0o660 if self._alone else 0o600)
        threading.Thread(
            target=self._accept, args=(self._server,), name="eyes socket", daemon=True
        ).start()
        return self

    def __exit__(self, *exc: object) -> None:
        if self._server is not None:
            self._server.shutdown(socket.SHUT_RDWR)
            self._server.close()
        self._replace(None)
        self._path.unlink(missing_ok=True)

    def watch(self, wish: Watch) -> None:
        """Tell the eyes what to look for, now and after each connect."""
        with self._lock:
            self._watch = wish
            self._send()

    def _accept(self, server: socket.socket) -> None:
        while True:
            try:
                client, _ = server.accept()
            except OSError:
                return
            # A read ends when nothing comes for long; a send is not affected.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", HANG_S, 0))
            self._replace(client)
            threading.Thread(
                target=self._read, args=(client,), name="eyes reports", daemon=True
            ).start()

    def _replace(self, client: socket.socket | None) -> None:
        with self._lock:
            old, self._client = self._client, client
            if old is not None:
                with contextlib.suppress(OSError):
                    old.shutdown(socket.SHUT_RDWR)
                old.close()
            self._send()

    def _send(self) -> None:
        if self._client is None:
            return
        try:
            # Eyes that do not read must not stop the seat.
            self._client.send(msgspec.json.encode(self._watch) + b"\n", socket.MSG_DONTWAIT)
        except OSError as error:
            log.warning("eyes do not listen: %s", error)

    def _read(self, client: socket.socket) -> None:
        decoder = msgspec.json.Decoder(Report)
        word = DEAD
        try:
            with client.makefile("rb") as lines:
                while (line := lines.readline(LINE_MAX)).endswith(b"\n"):
                    report = decoder.decode(line)
                    self.last_s = self._clock.now_s()
                    self._put(report)
                    if isinstance(report, Sight):
                        word = _last_word(report)
        except (OSError, ValueError) as error:
            log.warning("eyes: connection ended: %s", error)
        with self._lock:
            lost = self._client is client
            if lost:
                self._client = None
        client.close()
        if lost and self._alone:
            self._put(EyesGone(word, self._clock.now_s()))


def _last_word(sight: Sight) -> str:
    """Return what ended eyes that said *sight* last and then no more."""
    if sight.memory_mb > MEMORY_MB:
        return LEAK
    return NO_CAMERA if sight.word == NO_CAMERA else DEAD


def _listen(path: Path, mode: int) -> socket.socket:
    """Return a socket with the rights *mode* that listens at *path*."""
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if path.is_socket():
            path.unlink()
        server.bind(str(path))
        path.chmod(mode)
        server.listen()
    except OSError as error:
        server.close()
        raise BoardError(f"eyes' socket {path}: {error}") from error
    return server


class EyesProcess:
    """Keeps *command* running, says by *put* when it ended, starts it again.

    *last_s* tells when it last gave a sign of life; what it complains of goes to
    *stderr*, None: our own. A context manager; leaving it ends the process.
    """

    def __init__(
        self,
        command: Sequence[str],
        put: Put,
        clock: Clock,
        last_s: Callable[[], float | None],
        *,
        stderr: IO[bytes] | None = None,
    ) -> None:
        self._command = command
        self._put = put
        self._clock = clock
        self._last_s = last_s
        self._stderr = stderr
        self._stop = threading.Event()
        # It starts the child, so it must live as long as the program: see die_with_parent.
        self._thread = threading.Thread(target=self._live, name="eyes process", daemon=True)

    def __enter__(self) -> "EyesProcess":
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._stop.set()
        self._thread.join(2 * LOOK_S + 3.0)

    def _live(self) -> None:
        prefix = without_network()
        pause_s = BACK_OFF_S[0]
        while not self._stop.is_set():
            began_s = self._clock.now_s()
            word = self._run_once((*prefix, *self._command))
            if self._stop.is_set():
                return
            now_s = self._clock.now_s()
            self._put(EyesGone(word, now_s))
            if now_s - began_s > BACK_OFF_S[1]:
                pause_s = BACK_OFF_S[0]
            self._stop.wait(pause_s)
            pause_s = min(2 * pause_s, BACK_OFF_S[1])

    def _run_once(self, command: Sequence[str]) -> str:
        """Run the process to its end and return the word for that."""
        began_s = self._clock.now_s()
        try:
            child = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stderr=self._stderr,
                preexec_fn=service.die_with_parent(),
            )
        except OSError as error:
            log.warning("eyes cannot be started: %s", error)
            return DEAD
        while True:
            try:
                return death_word(child.wait(LOOK_S))
            except subprocess.TimeoutExpired:
                spoke_s = self._last_s() or began_s
                alive_s, limit_s = (spoke_s, HANG_S) if spoke_s > began_s else (began_s, START_S)
                hangs = self._clock.now_s() - alive_s > limit_s
                leaks = resident_mb(child.pid) > MEMORY_MB
            if hangs or leaks or self._stop.is_set():
                _end(child)
                return LEAK if leaks else "hangs"


def _end(child: "subprocess.Popen[bytes]") -> None:
    for end in (child.terminate, child.kill):
        end()
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(KILL_S)
            return


def eyes_command(source: str, path: Path) -> tuple[str, ...]:
    """Return the command that watches *source* and reports to the socket at *path*."""
    return (
        sys.executable, "-m", "seat_node", "eyes", "--source", source, "--socket", str(path),
    )  # fmt: skip

"""Life of a process: logging, signals, systemd, exit codes, no core dumps.

Source: sd_notify(3), prctl(2), core(5), sysexits.h.
"""

import contextlib
import ctypes
import enum
import faulthandler
import logging
import math
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from typing import Final

from firmware.clock import Clock
from firmware.errors import CardError, KitError

PR_SET_PDEATHSIG: Final = 1
PR_SET_DUMPABLE: Final = 4
STDERR: Final = 2

LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")
"""How much a program says, from everything to little."""

LOOKS: Final = 10
"""How often in half its limit the watchdog looks for a part that did not answer."""

log = logging.getLogger(__name__)


class Exit(enum.IntEnum):
    """What a program's end says."""

    OK = 0
    FAILURE = 1
    """Something failed that may work later; systemd starts it again."""
    USAGE = 2
    """Wrong options, a busy port, a missing file: one line says which."""
    PARTLY = 3
    """Done but for a part, and told which."""
    UNAVAILABLE = 69
    """A part is not there yet; systemd starts it again. Source: EX_UNAVAILABLE."""
    CONFIG = 78
    """The card is wrong; systemd does not start it again. Source: EX_CONFIG."""


class _OneLine(logging.Formatter):
    """A message is one line, whatever came from the wire; a traceback follows it."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        return super().formatMessage(record).replace("\n", "\\n").replace("\r", "\\r")


def start_logging(level: str = "INFO") -> None:
    """Log to stderr from *level* up: level, logger, message; the journal adds the time.

    :raises ValueError: if *level* is none of :data:`LEVELS`, in any case.
    """
    if level.upper() not in LEVELS:
        raise ValueError(f"--log-level {level!r}: expected {', '.join(LEVELS).lower()}")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_OneLine("%(levelname).1s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())


def keep_memory_private() -> None:
    """Let no core dump and no debugger show what this process knows (roles, seed)."""
    import resource  # not on Windows, where cards are made

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        # A core_pattern that is a pipe ignores the limit, not this.
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def on_stop(stop: Callable[[], object]) -> None:
    """Call *stop* at SIGTERM and SIGINT, each time; from the main thread only.

    *stop* runs between two instructions of the main thread: it sets an Event or
    puts into a SimpleQueue, and nothing that could wait for a lock.
    """

    def handle(number: int, frame: object) -> None:
        stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, handle)


def notify(text: str) -> bool:
    """Tell systemd ``READY=1``, ``WATCHDOG=1``, ``STOPPING=1`` ...; False: nobody listens."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
        try:
            channel.sendto(text.encode(), "\0" + address[1:] if address[0] == "@" else address)
        except OSError as error:
            log.warning("systemd does not hear %s: %s", text, error)
            return False
    return True


def watchdog_s() -> float | None:
    """Return how often to say ``WATCHDOG=1``: half of systemd's limit; None: it sets none."""
    micros = os.environ.get("WATCHDOG_USEC", "")
    for_us = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(micros) / 2_000_000 if micros.isdigit() and for_us else None


class Watchdog:
    """Feeds systemd's watchdog from a program's loop, while every part of it lives.

    *alive* are asked with the time, each for one part: the network thread, the
    journal. That the loop turns is shown by its calling :meth:`tick`.
    """

    def __init__(self, clock: Clock, *alive: Callable[[float], bool]) -> None:
        self._alive = alive
        self._period_s = watchdog_s()
        self._due_s = math.inf if self._period_s is None else clock.now_s()
        self._starved = False

    @property
    def due_s(self) -> float:
        """When :meth:`tick` has something to do; infinity: nobody watches."""
        return self._due_s

    def tick(self, now_s: float) -> None:
        """Say ``WATCHDOG=1`` when it is time and all live; else look again soon."""
        if self._period_s is None or now_s < self._due_s:
            return
        if all(alive(now_s) for alive in self._alive):
            self._starved = False
            self._due_s = now_s + self._period_s
            notify("WATCHDOG=1")
            return
        # What mends itself in a second must not cost the other half of the limit.
        self._due_s = now_s + self._period_s / LOOKS
        if not self._starved:
            self._starved = True
            log.warning("a part does not answer: the watchdog is not fed until it does")


@contextlib.contextmanager
def ends_within(limit_s: float) -> Iterator[None]:
    """End this process by SIGALRM if what stands inside takes longer than *limit_s*.

    So ends, too, what hangs in a library and never comes back to Python; where it
    hung is told on stderr. One at a time, in the main thread.
    """
    faulthandler.register(signal.SIGALRM, file=STDERR, chain=True)
    signal.setitimer(signal.ITIMER_REAL, limit_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)


def give_way() -> None:
    """Let others that are ready have this processor: they read what was just sent to them.

    Does nothing where there is no Linux.
    """
    if sys.platform == "linux":
        os.sched_yield()


def die_with_parent() -> Callable[[], None]:
    """Return a ``preexec_fn`` that ends the child when the thread that started it ends.

    So start such a child from a thread that lives as long as the program. Does
    nothing where there is no Linux.
    """
    parent = os.getpid()
    if sys.platform != "linux":
        return lambda: None
    libc = ctypes.CDLL(None)

    def ask() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(Exit.FAILURE)

    return ask


def run(program: Callable[[], object]) -> Exit:
    """Run *program* and return how the process ends; the kit's own errors are one line.

    Anything else is our mistake and is raised, with its traceback.
    """
    try:
        program()
    except CardError as error:
        log.error("%s", error)
        return Exit.CONFIG
    except KitError as error:
        log.error("%s", error)
        return Exit.FAILURE
    return Exit.OK

"""One program of a rehearsal: a child process with its output in files."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from firmware.clock import Clock
from firmware.errors import KitError
from firmware.service import die_with_parent

LOOK_S: Final = 0.02
"""Wait between two looks at a child that is expected to say something or to end."""

_NOT_OURS: Final = ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID")
"""Of systemd: they mean the program that started the rehearsal."""


class ChildError(KitError, ChildProcessError):
    """A program of the rehearsal ended, or does not do what it should."""


class Child:
    """The Python module *module* in a process of its own, called *name* in errors.

    It runs in a session of its own, so that Ctrl-C reaches us first, and ends
    with the thread that starts it, however that ends.
    """

    def __init__(
        self, name: str, module: str, arguments: Sequence[str], folder: Path, clock: Clock
    ) -> None:
        self.name = name
        self.log = folder / f"{name}.log"
        """What it writes to stderr, over all its starts."""
        self.out = folder / f"{name}.out"
        """What it has written to stdout since its last start."""
        self._command = [sys.executable, "-m", module, *arguments]
        self._clock = clock
        self._process: subprocess.Popen[bytes] | None = None
        self._wanted = False

    def start(self) -> None:
        """Start it, or start it again after its end."""
        self._wanted = True
        environment = {k: v for k, v in os.environ.items() if k not in _NOT_OURS}
        with self.log.open("ab") as log, self.out.open("wb") as out:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=log,
                start_new_session=True,
                preexec_fn=die_with_parent(),
                env=environment | {"PYTHONUNBUFFERED": "1"},
            )

    @property
    def pid(self) -> int:
        """Return its pid.

        :raises ChildError: if it does not run.
        """
        return self._running().pid

    @property
    def code(self) -> int | None:
        """Return how it ended, negative for a signal; None: it runs or was never started."""
        return self._process.poll() if self._process else None

    def check(self) -> None:
        """See that it runs, unless it was told to end.

        :raises ChildError: with its last words, if it does not.
        """
        if self._wanted:
            self._running()

    def first_line(self, within_s: float) -> str:
        """Return the first line that it prints.

        :raises ChildError: if it ends before, or is silent for *within_s*.
        """
        end_s = self._clock.now_s() + within_s
        while self._clock.now_s() < end_s:
            line, newline, _ = self.out.read_text(errors="replace").partition("\n")
            if newline:
                return line
            self._pause()
            self.check()
        raise ChildError(f"{self.name} says nothing within {within_s:g} s: {self.last_words()}")

    def wait(self, within_s: float) -> int:
        """Wait for its end and return its code.

        :raises ChildError: if it still runs after *within_s*, or was never started.
        """
        if self._process is None:
            raise ChildError(f"{self.name} was not started")
        try:
            return self._process.wait(within_s)
        except subprocess.TimeoutExpired as error:
            raise ChildError(
                f"{self.name} does not end within {within_s:g} s: {self.last_words()}"
            ) from error

    def terminate(self) -> None:
        """Ask it to end."""
        self._wanted = False
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it without a chance to say anything, and wait until it is gone."""
        self._wanted = False
        self._signal(signal.SIGKILL)
        if self._process is not None:
            self._process.wait()

    def freeze(self) -> None:
        """Let it stand still."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on after :meth:`freeze`."""
        self._signal(signal.SIGCONT)

    def last_words(self, lines: int = 3) -> str:
        """Return the last lines of its log."""
        text = self.log.read_text(errors="replace") if self.log.exists() else ""
        return " | ".join(text.splitlines()[-lines:]) or "it wrote nothing"

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            raise ChildError(f"{self.name} was not started")
        if self._process.poll() is not None:
            code = self._process.returncode
            raise ChildError(f"{self.name} ended with code {code}: {self.last_words()}")
        return self._process

    def _pause(self) -> None:
        assert self._process is not None
        try:
            self._process.wait(LOOK_S)
        except subprocess.TimeoutExpired:
            return

"""The program ``aplay`` as an open stream: samples in, and why it takes no more.

One stream for many phrases: a phrase then begins within some milliseconds, where
a program of its own takes tens (``make bench``), and a device without a mixer
takes voice and music together.
"""

import contextlib
import os
import select
import subprocess
import tempfile
from typing import Final

from firmware.errors import KitError
from table_controller.voice.sound import RATE

PIPE_BYTES: Final = 4096
"""What may lie in the pipe: 93 ms. The system's own 64 KiB would be 1.5 s late."""

STUCK_S: Final = 3.0
"""A device that takes nothing for so long does not play."""

PERIOD_US: Final = 20_000
BUFFER_US: Final = 200_000
"""What the device can hold; how much lies there is the writer's to say."""


class PlayerError(KitError, OSError):
    """The sound device, or the program that plays, failed."""


class Aplay:
    """A running aplay; close it."""

    def __init__(self, device: str) -> None:
        """Start it.

        :raises PlayerError: if it cannot be started.
        """
        self._device = device
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed in close()
        command = [
            "aplay", "-q", "-D", device, "-t", "raw", "-f", "S16_LE", "-r", str(RATE), "-c", "1",
            # It sounds as soon as there is something, not when the buffer is full.
            f"--period-time={PERIOD_US}", f"--buffer-time={BUFFER_US}", "--start-delay=1",
        ]  # fmt: skip
        try:
            self._program = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._complaints,
                bufsize=0,
                env={**os.environ, "LC_ALL": "C"},
            )
        except OSError as error:
            self._complaints.close()
            raise PlayerError(f"aplay: {error.strerror}") from error
        assert self._program.stdin is not None
        self._pipe = self._program.stdin.fileno()
        os.set_blocking(self._pipe, False)
        import fcntl  # not on Windows, where cards are made

        fcntl.fcntl(self._pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)

    def write(self, samples: bytes) -> None:
        """Hand *samples* over, low byte first; waits while the device is behind.

        :raises PlayerError: if aplay has ended, or takes nothing any more.
        """
        left = memoryview(samples)
        while left:
            if self._program.poll() is not None:
                raise PlayerError(self._reason())
            _, takes, _ = select.select([], [self._pipe], [], STUCK_S)
            if not takes:
                raise PlayerError(f"aplay -D {self._device}: the device takes no sound")
            try:
                left = left[os.write(self._pipe, left) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                self._program.wait()
                raise PlayerError(self._reason()) from None

    def finish(self) -> None:
        """Let what was handed over sound, and end."""
        assert self._program.stdin is not None
        self._program.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._program.wait(STUCK_S)
        self.close()

    def close(self) -> None:
        """End at once."""
        self._program.kill()
        self._program.wait()
        if self._program.stdin is not None:
            self._program.stdin.close()
        self._complaints.close()

    def _reason(self) -> str:
        self._complaints.seek(0)
        lines = self._complaints.read().decode(errors="replace").strip().splitlines()
        reason = lines[-1] if lines else f"ended with {self._program.returncode}"
        return f"aplay -D {self._device}: {reason}"

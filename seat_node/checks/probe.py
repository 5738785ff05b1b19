"""What may crash or hang is tried in a child process: the vision library, the camera.

``python -m seat_node.checks.probe vision MODELS`` and ``... camera SOURCE``.
"""

import contextlib
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from firmware import service
from firmware.clock import SystemClock
from firmware.errors import KitError

DEADLINES_S: Final = {"vision": 90.0, "camera": 20.0}
"""Patience with a child. The first import of MediaPipe from a slow card takes half a minute."""

KILL_S: Final = 2.0
"""Patience with the end of a killed child: one that hangs in a driver stays until it wakes."""


class Ended(msgspec.Struct, frozen=True):
    """How a child ended."""

    code: int | None
    """Exit code, negative for a signal; None: it hung and was killed."""
    said: str
    """Its last line."""

    @property
    def illegal_instruction(self) -> bool:
        """Whether it used an instruction that this CPU has not."""
        return self.code == -signal.SIGILL


Probe = Callable[[str, str], Ended]
"""Tries ``vision`` or ``camera`` with what they need, and returns how that ended."""


def probe(what: str, with_: str) -> Ended:
    """Run this file in a child for *what* with the argument *with_*."""
    command = (sys.executable, "-m", __name__, what, with_)
    return run_child(command, DEADLINES_S[what])


def run_child(command: Sequence[str], deadline_s: float) -> Ended:
    """Run *command*, for *deadline_s* at most."""
    # A file, not a pipe: a grandchild that keeps a pipe open would keep us waiting.
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            preexec_fn=service.die_with_parent(),
        )
        code: int | None
        try:
            code = child.wait(deadline_s)
        except subprocess.TimeoutExpired:
            code = None
            child.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(KILL_S)
        out.seek(0)
        lines = out.read().decode(errors="replace").strip().splitlines()
    return Ended(code, lines[-1] if lines else "")


def main(what: str, with_: str) -> None:
    """Do in this process what *what* says, and print what came of it."""
    service.keep_memory_private()
    try:
        _see(Path(with_)) if what == "vision" else _shoot(with_)
    except (KitError, ImportError, OSError, ValueError) as error:
        sys.exit(str(error))


def _see(models: Path) -> None:
    """Look for faces and hands in a black picture."""
    from seat_node.lean import spare_drawing

    spare_drawing()
    import numpy as np

    from seat_node.faces import Faces
    from seat_node.frame import SIZE_PX
    from seat_node.hands import Hands

    width, height = SIZE_PX
    black = np.zeros((height, width, 3), np.uint8)
    with contextlib.closing(Faces(models)) as faces, contextlib.closing(Hands(models)) as hands:
        faces.look(black, 0.0)
        hands.look(black, 0.0)


def _shoot(named: str) -> None:
    """Take one picture, and print its size and how bright it is."""
    from seat_node.camera import choose, open_source

    clock = SystemClock()
    with contextlib.closing(open_source(choose(named), clock)) as source:
        frame = source.look(clock.now_s())
    if frame is None:
        sys.exit("no picture")
    height, width, _ = frame.rgb.shape
    sys.stdout.write(f"{width}x{height} {frame.rgb.mean():.0f}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Time, and the only place that reads it.

Durations and windows are monotonic seconds. The wall clock appears in the
journal and on pages only: a Pi has no battery for it.
"""

import datetime
import time
import uuid
from pathlib import Path
from typing import Final, Protocol


class Clock(Protocol):
    """What the programs ask the time of."""

    def now_s(self) -> float:
        """Return monotonic seconds, the clock that GPIO edges are stamped with."""
        ...

    def wall(self) -> datetime.datetime:
        """Return the time of day, aware, in UTC."""
        ...

    def origin(self) -> str:
        """Return a name of what :meth:`now_s` counts from: times of one origin compare."""
        ...


_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")


class SystemClock:
    """The Pi's own clocks.

    Source: CLOCK_MONOTONIC, system wide on Linux and the stamp of kernel GPIO
    events, so times of different processes of one Pi compare.
    """

    def now_s(self) -> float:
        """Return seconds of CLOCK_MONOTONIC."""
        return time.monotonic()

    def wall(self) -> datetime.datetime:
        """Return the time of day in UTC."""
        return datetime.datetime.now(datetime.UTC)

    def origin(self) -> str:
        """Return the kernel's name of this start of the machine."""
        try:
            return _BOOT_ID.read_text(encoding="ascii").strip()
        except OSError:
            # Nothing compares with what is not known to be of one origin.
            return str(uuid.uuid4())

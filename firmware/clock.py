"""Time, and the only place that reads it.

Durations and windows are monotonic seconds. The wall clock appears in the
journal and on pages only: a Pi has no battery for it.
"""

import datetime
import time
from typing import Protocol


class Clock(Protocol):
    """What the programs ask the time of."""

    def now_s(self) -> float:
        """Return monotonic seconds, the clock that GPIO edges are stamped with."""
        ...

    def wall(self) -> datetime.datetime:
        """Return the time of day, aware, in UTC."""
        ...


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

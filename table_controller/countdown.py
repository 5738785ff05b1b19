"""The clocks that the state asks for.

The state lists the countdowns that should run; :meth:`Countdowns.follow` makes
it so. The next one starts when the last was due, not when the loop got round
to it, so an evening does not drift.
"""

from collections.abc import Callable
from dataclasses import dataclass

from table_controller.game.model import UNSCALED, Countdown


@dataclass(slots=True)
class _Running:
    countdown: Countdown
    length_s: float
    left_s: float
    """What is left at *since_s*."""
    since_s: float
    held: bool = False

    @property
    def runs(self) -> bool:
        return self.countdown.runs and not self.held

    def left_at(self, now_s: float) -> float:
        if not self.runs:
            return self.left_s
        return self.left_s - (now_s - self.since_s)


class Countdowns:
    """The countdowns of one table.

    *speed* divides their lengths in a rehearsal, except of those that wait for
    devices. With *stepping* none runs out by itself; :meth:`first` names the
    one that a step lets expire.
    """

    def __init__(self, *, speed: float = 1.0, stepping: bool = False) -> None:
        self._speed = speed
        self.stepping = stepping
        self.waits: Callable[[Countdown], bool] = lambda countdown: False
        """Whether a countdown ends when somebody says so, and not by itself."""
        self._running: dict[int, _Running] = {}

    def follow(self, wanted: tuple[Countdown, ...], at_s: float) -> None:
        """Start, hold and drop clocks so that they are *wanted* from *at_s* on."""
        kept: dict[int, _Running] = {}
        for countdown in wanted:
            running = self._running.get(countdown.id)
            if running is None:
                length_s = self._length_s(countdown)
                running = _Running(countdown, length_s, length_s, at_s)
            elif running.countdown != countdown:
                length_s = self._length_s(countdown)
                running.left_s = running.left_at(at_s) + length_s - running.length_s
                running.length_s, running.since_s = length_s, at_s
                running.countdown = countdown
            kept[countdown.id] = running
        self._running = kept

    def hold(self, held: frozenset[int], at_s: float) -> bool:
        """Let these stand from *at_s* on, whatever the state says, and no others.

        Returns whether that changes anything.
        """
        changed = False
        for id_, running in self._running.items():
            if running.held is not (id_ in held):
                running.left_s, running.since_s = running.left_at(at_s), at_s
                running.held = not running.held
                changed = True
        return changed

    def runs(self, countdown: int) -> bool:
        """Return whether *countdown* is there and does not stand."""
        running = self._running.get(countdown)
        return running is not None and running.runs

    def restore(self, countdown: int, left_s: float, length_s: float | None = None) -> None:
        """Set what is left of a countdown, after a restart.

        *length_s* is what it had in all when *left_s* was left: it may have been made
        longer or shorter since.
        """
        if running := self._running.get(countdown):
            changed_s = running.length_s - (running.length_s if length_s is None else length_s)
            running.left_s = min(left_s + changed_s, running.length_s)

    def first(self) -> tuple[float, Countdown] | None:
        """Return (due, countdown) of the running countdown that is due first."""
        due = [
            (running.since_s + running.left_s, running.countdown)
            for running in self._running.values()
            if running.runs and not self.waits(running.countdown)
        ]
        return min(due, key=lambda item: item[0], default=None)

    def next_due_s(self) -> float | None:
        """Return when a countdown will expire by itself; None: none will."""
        if self.stepping:
            return None
        first = self.first()
        return first[0] if first else None

    def left_s(self, countdown: int, now_s: float) -> float:
        """Return what is left of *countdown*, at least 0; 0 when there is none such."""
        running = self._running.get(countdown)
        return max(0.0, running.left_at(now_s)) if running else 0.0

    def length_s(self, countdown: int) -> float:
        """Return the whole length of *countdown*; 0 when there is none such."""
        running = self._running.get(countdown)
        return running.length_s if running else 0.0

    def scaled_s(self, length_s: float) -> float:
        """Return how long *length_s* of the game takes here."""
        return length_s / self._speed

    def lefts(self, now_s: float) -> dict[int, float]:
        """Return what is left of every countdown, by id."""
        return {id_: max(0.0, running.left_at(now_s)) for id_, running in self._running.items()}

    def lengths(self) -> dict[int, float]:
        """Return the whole length of every countdown, by id."""
        return {id_: running.length_s for id_, running in self._running.items()}

    def _length_s(self, countdown: Countdown) -> float:
        if countdown.kind in UNSCALED:
            return countdown.length_s
        return self.scaled_s(countdown.length_s)

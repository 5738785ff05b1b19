"""What has changed of late, so that an order that rests on an old page is refused.

Each public step of the game and each order of a host is a change and raises the
step; nothing else does, so by night a press, and by day a vote, leaves it. Two
things meet when they are about the same: a seat's fouls, one clock, the course.
"""

from collections import deque
from dataclasses import dataclass, replace
from typing import Final

from table_controller.game import Event
from table_controller.host.orders import ConsoleOrder
from table_controller.host.subjects import OTHER_GAME, changed_by, of_event, of_order

KEPT: Final = 300
"""Changes that are remembered: some ten minutes of a lively day."""

TOLD_MAX: Final = 5
"""Changes that are told with a refusal, the newest ones."""


@dataclass(frozen=True, slots=True)
class Change:
    """Something that happened, or that a host has ordered."""

    step: int
    about: frozenset[str]
    what: Event | ConsoleOrder


class Changes:
    """The last changes of the table, counted since its start."""

    def __init__(self) -> None:
        self.step = 0
        self._kept: deque[Change] = deque(maxlen=KEPT)

    def happened(self, events: tuple[Event, ...]) -> None:
        """Note what the room has seen of *events*."""
        for event in events:
            if (about := of_event(event)) is not None:
                self._add(about, event)

    def ordered(self, order: ConsoleOrder, before: int) -> None:
        """Note that a host has ordered this at step *before*, and it was done."""
        about = changed_by(order)
        if self.step > before and not isinstance(order, OTHER_GAME):
            # The room has seen what it brought: that is told, and stands for the order.
            last = self._kept.pop()
            self._kept.append(replace(last, about=last.about | about))
        else:
            self._add(about, order)

    def _add(self, about: frozenset[str], what: Event | ConsoleOrder) -> None:
        self.step += 1
        self._kept.append(Change(self.step, about, what))

    def knows(self, step: int) -> bool:
        """Tell whether all that came after *step* is remembered."""
        return self.step - len(self._kept) <= step <= self.step

    def since(self, step: int) -> tuple[Change, ...]:
        """Return what came after *step*, as far as it is remembered, oldest first."""
        return tuple(change for change in self._kept if change.step > step)

    def against(self, order: ConsoleOrder, step: int) -> tuple[Change, ...]:
        """Return what came after *step* and is about the same as *order*."""
        about = of_order(order)
        return tuple(change for change in self.since(step) if change.about & about)

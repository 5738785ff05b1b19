"""One action in the making: the state so far, its events, what comes next.

The parts of the rules (day, vote, farewell, night ...) follow each other in a
circle. None of them calls the next one: each returns what is next as a
:class:`Then`, and ``rules.py`` alone knows who begins it.
"""

import enum
from typing import Any

from msgspec.structs import replace

from table_controller.game.events import Event
from table_controller.game.model import Countdown, CountdownKind, GameState


class Then(enum.Enum):
    """What follows when a part of the game is through with an input."""

    STAY = enum.auto()
    """Nothing: wait for the next input."""
    NIGHT = enum.auto()
    MORNING = enum.auto()
    ROUND = enum.auto()
    """The round of speeches."""
    VOTE = enum.auto()
    FAREWELL = enum.auto()
    """The farewells of those in ``GameState.leaving``."""
    END = enum.auto()


class Turn:
    """A state that one action is changing, and the events that it brings."""

    __slots__ = ("events", "state")

    def __init__(self, state: GameState) -> None:
        self.state = state
        self.events: list[Event] = []

    def set(self, **changes: Any) -> None:
        """Replace these fields of the state."""
        self.state = replace(self.state, **changes)

    def tell(self, *events: Event) -> None:
        """Add *events* in the order in which they happen."""
        self.events.extend(events)

    def start(self, kind: CountdownKind, length_s: float, seat: int = 0, **changes: Any) -> None:
        """Make a new main countdown, and replace these fields of the state."""
        number = self.state.last_countdown + 1
        clock = Countdown(number, kind, length_s, True, seat)
        self.state = replace(self.state, clock=clock, last_countdown=number, **changes)

"""One action in the making: the state so far, its events, what comes next.

The parts of the rules (day, vote, farewell, night ...) follow each other in a
circle. None of them calls the next one: each returns what is next as a
:class:`Then`, and ``rules.py`` alone knows who begins it.
"""

from typing import Any

import msgspec
from msgspec.structs import replace

from table_controller.game.events import Event
from table_controller.game.model import Countdown, CountdownKind, GameState, Phase
from table_controller.game.phases import Then as Then

STAY = Then.STAY
"""Under a name of its own because it is read with every input: in Python 3.11
finding a member in its enumeration costs a third of a short action."""


class Turn(msgspec.Struct):
    """A state that one action is changing, and the events that it brings."""

    state: GameState
    events: list[Event] = []

    def set(self, **changes: Any) -> None:
        """Replace these fields of the state.

        What comes with every other input does it itself, in half the time.
        """
        self.state = replace(self.state, **changes)

    def tell(self, event: Event) -> None:
        """Add what happens next."""
        self.events.append(event)

    def start(self, kind: CountdownKind, length_s: float, seat: int = 0, **changes: Any) -> None:
        """Make a new main countdown, and replace these fields of the state."""
        clock = self.next_clock(kind, length_s, seat)
        self.state = replace(self.state, clock=clock, last_countdown=clock.id, **changes)

    def next_clock(self, kind: CountdownKind, length_s: float, seat: int = 0) -> Countdown:
        """Return the countdown that :meth:`start` would make, to be put into the state."""
        return Countdown(self.state.last_countdown + 1, kind, length_s, True, seat)


def held(state: GameState) -> Then:
    """Return what the gap has kept back; STAY outside of a gap."""
    if state.phase is not Phase.GAP:
        return STAY
    assert state.resume is not None
    return state.resume

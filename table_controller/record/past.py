"""What the present game has come by: its actions, and which of them can be taken back."""

from typing import NamedTuple

from table_controller.game import STEPS, Action, Event, Steps
from table_controller.host.sheet import PastStep


class _Deed(NamedTuple):
    action: Action
    told: tuple[Event, ...]
    utc: str


class Past:
    """The actions of one game that were not undone, with what the room has seen of them."""

    def __init__(self) -> None:
        self._deeds: list[_Deed] = []
        self._steps = Steps()

    def __len__(self) -> int:
        return len(self._deeds)

    @property
    def actions(self) -> list[Action]:
        """Return the actions, oldest first."""
        return [deed.action for deed in self._deeds]

    @property
    def points(self) -> tuple[int, ...]:
        """Return how many actions an undo can leave."""
        return self._steps.points

    @property
    def targets(self) -> tuple[int, ...]:
        """Return the points by public step, the oldest first; ``PastStep.keep`` counts them."""
        return self._steps.targets

    def add(self, action: Action, told: tuple[Event, ...], utc: str) -> None:
        """Note that *action* was accepted."""
        seen = tuple(event for event in told if isinstance(event, STEPS))
        self._deeds.append(_Deed(action, seen, utc))
        self._steps.follow(told)

    def cut(self, keep: int) -> None:
        """Forget all but the first *keep* actions."""
        del self._deeds[keep:]
        self._steps = Steps()
        for deed in self._deeds:
            self._steps.follow(deed.told)

    def steps(self) -> tuple[PastStep, ...]:
        """Return what can be taken back, newest first."""
        return tuple(
            PastStep(nth, self._deeds[step - 1].utc, self._deeds[step - 1].told)
            for step, nth in reversed(self._steps.pairs)
        )

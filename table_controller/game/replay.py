"""A game again from its actions, and how far back the host can go."""

from collections.abc import Iterable

from table_controller.game.actions import Action
from table_controller.game.events import (
    PUBLIC,
    Disqualified,
    Event,
    GameVoided,
    GroundsOpened,
    MorningCame,
    NightFell,
    TechnicalFoulGiven,
)
from table_controller.game.model import GameState
from table_controller.game.rules import apply, new_game
from table_controller.game.ruleset import Ruleset

STEPS = (*PUBLIC, Disqualified, GroundsOpened, TechnicalFoulGiven)
"""Events that the room notices."""


def replay(ruleset: Ruleset, actions: Iterable[Action]) -> GameState:
    """Return the state after *actions*, or after any prefix that is given.

    :raises IllegalAction: if one of them was never accepted in such a game.
    """
    state = new_game(ruleset)
    for action in actions:
        state, _ = apply(state, action)
    return state


class Steps:
    """The public steps of a game since its last morning call, followed action by action.

    A night is never undone: from nightfall to the morning call there is no step. The
    end of a game by the host can always be taken back, by night too: nothing was shown.

    Source: RULES 1.16.
    """

    def __init__(self) -> None:
        self._count = 0
        self._by_day = False
        self._voided = False
        self._steps: list[int] = []

    def follow(self, told: Iterable[Event]) -> None:
        """Note what the next action has *told*."""
        self._count += 1
        kinds = {type(event) for event in told}
        if not kinds.isdisjoint({MorningCame, NightFell}):
            self._steps.clear()
            self._by_day = MorningCame in kinds
        self._voided = GameVoided in kinds
        if self._by_day and not self._voided and not kinds.isdisjoint(STEPS):
            self._steps.append(self._count)

    @property
    def points(self) -> tuple[int, ...]:
        """Return how many actions an undo can leave, the least first; the present is none.

        Each stands for the moment right after a public step.
        """
        return tuple(sorted(set(self.targets)))

    @property
    def targets(self) -> tuple[int, ...]:
        """Return the points, one for each public step, in the order in which they were made.

        Where one stands in it tells of public steps alone; a point itself grows with
        each vote and each press of a night.
        """
        targets = [step for step in self._steps if step < self._count]
        return tuple([*targets, self._count - 1] if self._voided else targets)

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Return each step that can be taken back, and which of the targets is right before it.

        A step is the number of its action, counted from 1; the least first. The
        morning call itself stays.
        """
        pairs = [(step, nth) for nth, step in enumerate(self._steps[1:])]
        return tuple([*pairs, (self._count, len(self._steps))] if self._voided else pairs)


def undo_points(ruleset: Ruleset, actions: Iterable[Action]) -> tuple[int, ...]:
    """Return how many of *actions* an undo can leave, the least first.

    ``replay(ruleset, actions[:point])`` is the state then. *actions* are those that
    have not been undone before.

    :raises IllegalAction: as :func:`replay`.
    """
    steps, state = Steps(), new_game(ruleset)
    for action in actions:
        state, told = apply(state, action)
        steps.follow(told)
    return steps.points

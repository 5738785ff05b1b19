"""A game again from its actions, and how far back the host can go."""

from collections.abc import Iterable

from table_controller.game.actions import Action
from table_controller.game.events import (
    PUBLIC,
    Disqualified,
    GameVoided,
    GroundsOpened,
    MorningCame,
    NightFell,
    TechnicalFoulGiven,
)
from table_controller.game.model import GameState
from table_controller.game.rules import apply, new_game
from table_controller.game.ruleset import Ruleset

_STEPS = (*PUBLIC, Disqualified, GroundsOpened, TechnicalFoulGiven)
"""Events that the room notices."""


def replay(ruleset: Ruleset, actions: Iterable[Action]) -> GameState:
    """Return the state after *actions*, or after any prefix that is given.

    :raises IllegalAction: if one of them was never accepted in such a game.
    """
    state = new_game(ruleset)
    for action in actions:
        state, _ = apply(state, action)
    return state


def undo_points(ruleset: Ruleset, actions: Iterable[Action]) -> tuple[int, ...]:
    """Return how many of *actions* an undo can leave, the least first.

    Each stands for the moment right after a public step since the last morning
    call; ``replay(ruleset, actions[:point])`` is the state then. A night is
    never undone: from nightfall to the morning call there is no point. The
    present is none. The end of a game by the host can always be taken back, by night too:
    nothing was shown. *actions* are those that have not been undone before.

    :raises IllegalAction: as :func:`replay`.

    Source: RULES 1.16.
    """
    points: list[int] = []
    by_day, count = False, 0
    state = new_game(ruleset)
    for count, action in enumerate(actions, start=1):
        state, told = apply(state, action)
        kinds = {type(event) for event in told}
        if not kinds.isdisjoint({MorningCame, NightFell}):
            points.clear()
            by_day = MorningCame in kinds
        if by_day and not kinds.isdisjoint(_STEPS):
            points.append(count)
        if GameVoided in kinds and count - 1 not in points:
            points.append(count - 1)
    return tuple(point for point in points if point < count)

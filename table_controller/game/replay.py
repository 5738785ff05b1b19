"""A game again from its actions."""

from collections.abc import Iterable

from table_controller.game.actions import Action
from table_controller.game.model import GameState
from table_controller.game.rules import apply, new_game
from table_controller.game.ruleset import Ruleset


def replay(ruleset: Ruleset, actions: Iterable[Action]) -> GameState:
    """Return the state after *actions*, or after any prefix that is given.

    :raises IllegalAction: if one of them was never accepted in such a game.
    """
    state = new_game(ruleset)
    for action in actions:
        state, _ = apply(state, action)
    return state

"""Seating, deal and the first look at the card.

Source: RULES 1.1.
"""

from collections import Counter

from table_controller.game.actions import Deal, Ready
from table_controller.game.events import AllReady, LookBegan, RolesDealt, SeatReady
from table_controller.game.model import (
    SEATS,
    CountdownKind,
    IllegalAction,
    Phase,
    Refusal,
    Role,
)
from table_controller.game.ruleset import NORMAL
from table_controller.game.turn import STAY, Then, Turn

DECK = (
    (Role.CITIZEN,) * NORMAL.citizens
    + (Role.SHERIFF,) * NORMAL.sheriffs
    + (Role.MAFIA,) * NORMAL.mafia
    + (Role.DON,) * NORMAL.dons
)
"""The cards of a game, which no ruleset changes."""

_COUNTED = Counter(DECK)


def ready(turn: Turn, action: Ready) -> Then:
    """Note that the player of a seat is there."""
    state = turn.state
    if state.phase is not Phase.SEATING:
        raise IllegalAction(Refusal.WRONG_PHASE, f"seat {action.seat} is seated")
    if action.seat in state.ready:
        raise IllegalAction(Refusal.ALREADY_READY, f"seat {action.seat}")
    everyone = tuple(sorted((*state.ready, action.seat)))
    turn.set(ready=everyone)
    turn.tell(SeatReady(action.seat))
    if everyone == SEATS:
        turn.set(phase=Phase.DEALING)
        turn.tell(AllReady())
    return STAY


def deal(turn: Turn, action: Deal) -> Then:
    """Give the roles and let the players look."""
    if turn.state.phase is not Phase.DEALING:
        raise IllegalAction(Refusal.WRONG_PHASE, "it is not the time to deal")
    if Counter(action.roles) != _COUNTED:
        raise IllegalAction(Refusal.BAD_DEAL, f"{[str(role) for role in action.roles]}")
    turn.start(CountdownKind.LOOK, turn.state.ruleset.look_s, roles=action.roles, phase=Phase.LOOK)
    turn.tell(RolesDealt(action.roles))
    turn.tell(LookBegan())
    return STAY


def look_over(turn: Turn) -> Then:
    """End the look: masks on."""
    return Then.NIGHT

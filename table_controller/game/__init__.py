"""The rules engine: pure, no clock, no randomness, no input or output."""

from table_controller.game.actions import Action
from table_controller.game.events import Event
from table_controller.game.model import (
    SEATS,
    Cause,
    Countdown,
    CountdownKind,
    GameState,
    IllegalAction,
    Phase,
    Refusal,
    Role,
    Source,
    Team,
    Winner,
)
from table_controller.game.replay import STEPS, Steps, replay, undo_points
from table_controller.game.rules import apply, countdowns, host_actions, legal_actions, new_game
from table_controller.game.ruleset import NORMAL, TURBO, Ruleset

__all__ = [
    "NORMAL",
    "SEATS",
    "STEPS",
    "TURBO",
    "Action",
    "Cause",
    "Countdown",
    "CountdownKind",
    "Event",
    "GameState",
    "IllegalAction",
    "Phase",
    "Refusal",
    "Role",
    "Ruleset",
    "Source",
    "Steps",
    "Team",
    "Winner",
    "apply",
    "countdowns",
    "host_actions",
    "legal_actions",
    "new_game",
    "replay",
    "undo_points",
]

"""Whole games of random players, among them a host, cameras and quarrels as random as they."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import fields, replace

from table_controller.game import actions as do
from table_controller.game import events as ev
from table_controller.game.corrections import EXTENSIONS_S
from table_controller.game.model import (
    SEATS,
    GameState,
    IllegalAction,
    Offence,
    Phase,
    Refusal,
    Sanction,
    Source,
)
from table_controller.game.opening import DECK
from table_controller.game.rules import apply, countdowns, new_game
from table_controller.game.ruleset import NORMAL, TURBO, Ruleset
from table_controller.random_players import Players

STEPS_MAX = 20_000
"""No game takes so many actions."""

Step = tuple[GameState, do.Action, GameState, tuple[ev.Event, ...]]

RARE = {do.Void: 0.02, do.PutOpponentVictory: 0.2, do.Withdraw: 0.3, do.Rule: 0.5}
"""Kinds that soon end a game."""

COURSE = (do.Ready, do.Deal, do.Expire, do.EndCountdown, do.CloseBallot)
"""Kinds that the course of the game brings by itself."""

WILD = [kind for kind in do.Action.__args__ if kind not in COURSE]
WEIGHTS = [RARE.get(kind, 1.0) for kind in WILD]


def any_ruleset(chance: random.Random) -> Ruleset:
    """Return a pace with flags of any club."""
    return replace(
        chance.choice((NORMAL, TURBO)),
        few_left_short_speech=chance.random() < 0.3,
        lift_two_of_four=chance.random() < 0.7,
        lift_three_of_nine=chance.random() < 0.7,
        critical_vote_ends_game=chance.random() < 0.3,
        dq_cancels_vote=chance.random() < 0.6,
        presence_at_night=chance.random() < 0.3,
        draw_after_idle_nights=chance.choice((3, 3, 3, 2, 1, 6)),
    )


def any_action(chance: random.Random, state: GameState) -> do.Action:
    """Return a well-formed action that the course of the game would not bring."""
    (kind,) = chance.choices(WILD, WEIGHTS)
    return kind(**{field.name: _value(chance, state, kind, field.name) for field in fields(kind)})


def _value(chance: random.Random, state: GameState, kind: type, name: str) -> Any:
    match name:
        case "seat" | "by" | "speaker":
            if state.floor and chance.random() < 0.2:
                return state.floor
            return chance.choice(state.living if state.living and chance.random() < 0.8 else SEATS)
        case "candidate" | "nominee" | "target" | "number":
            nobody = (None,) if kind in (do.CorrectVote, do.CorrectNomination, do.GiveCrown) else ()
            return chance.choice((*SEATS, 0, *nobody))
        case "countdown":
            return chance.choice([*(clock.id for clock in countdowns(state)), 0])
        case "suspects":
            return tuple(chance.sample(SEATS, chance.randrange(5)))
        case "offence":
            return chance.choice(tuple(Offence))
        case "sanction":
            return chance.choice((*Sanction, Sanction.TECHNICAL_FOUL))
        case "source":
            return chance.choice(tuple(Source))
        case "severe":
            return chance.random() < 0.3
        case "confidence":
            return chance.choice((1.0, 0.8))
        case "seen":
            return ""
        case "by_s":
            return chance.choice((*EXTENSIONS_S, 1.0))
    raise AssertionError(f"{kind}: what is {name}?")


class Evening:
    """A game on its way: players who keep to the rules, and with *wild* others who do not."""

    def __init__(self, seed: int, wild: float = 0.0, ruleset: Ruleset | None = None) -> None:
        self._chance = random.Random(seed)
        self._players = Players(f"game {seed}")
        self.wild = wild
        self._split = wild and self._chance.random() < 0.3
        self.state = new_game(ruleset or any_ruleset(self._chance))
        self.steps: list[Step] = []
        self.tries = 0
        """How often it went on, or tried to: a game that stands still is told, not waited for."""
        self.refused: tuple[do.Action, Refusal] | None = None
        """What was refused last, and why."""

    @property
    def over(self) -> bool:
        return self.state.phase is Phase.OVER

    def whole(self) -> Iterator[Step]:
        """Play to the end; yield every step."""
        while not self.over:
            yield from self.on()

    def on(self) -> list[Step]:
        """Play on a little; return what steps that were."""
        self.tries += 1
        assert self.tries < STEPS_MAX, f"still in {self.state.phase} of D{self.state.day}"
        came = len(self.steps)
        incident = self.incident()
        for action in self._next() if incident is None else [incident]:
            # Somebody else may have done it before: then the next one is to be tried.
            self.take(action)
            if self.over:
                break
        return self.steps[came:]

    def incident(self) -> do.Action | None:
        """Return what somebody does now beside the course of the game; None: nothing."""
        if not self.state.roles or self._chance.random() >= self.wild:
            return None
        return any_action(self._chance, self.state)

    def take(self, action: do.Action) -> bool:
        """Try *action*; return whether it was refused, which players alone never are."""
        try:
            state, told = apply(self.state, action)
        except IllegalAction as refused:
            assert self.wild, f"refused: {action}"
            self.refused = (action, refused.refusal)
            return True
        self.steps.append((self.state, action, state, told))
        self.state = state
        return False

    def _next(self) -> list[do.Action]:
        state, chance = self.state, self._chance
        if state.paused:
            return [do.Resume()]
        clocks = [clock for clock in countdowns(state) if clock.runs]
        if len(clocks) > 1 or not (clocks or state.phase in (Phase.SEATING, Phase.DEALING)):
            if state.accusation is not None and chance.random() < 0.5:
                return [do.ConfirmAccusation(chance.choice(state.living or SEATS))]
            return [do.Expire(clocks[-1].id)]
        if clocks and clocks[0] != replace(state.clock or clocks[0], runs=True):
            return [do.Expire(clocks[0].id)]
        if state.phase is Phase.MOTION and chance.random() < 0.9:
            return [do.VoteMotion(chance.choice(state.living or SEATS))]
        if state.phase is Phase.BALLOT and self._split and not state.day % 2:
            # Sides of one size, so that ties and lifts come up.
            sides = state.ballot.candidates
            side = [
                s for s in state.living if sides[s % len(sides)] == sides[state.ballot.called - 1]
            ]
            votes = dict(state.ballot.votes)
            todo = [do.Vote(s, sides[state.ballot.called - 1]) for s in side if s not in votes]
            return todo[:1] or [do.Expire(clocks[0].id)]
        return self._players.moves(state).actions


@pytest.fixture
def evening() -> Callable[..., Evening]:
    return Evening


@pytest.fixture
def wild_action() -> Callable[..., do.Action]:
    return any_action


@pytest.fixture
def all_ruleset() -> Callable[..., Ruleset]:
    return any_ruleset


@pytest.fixture
def deck() -> tuple[Any, ...]:
    return DECK

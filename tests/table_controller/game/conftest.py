"""Builders: a game at the place that a test is about, played by short verbs."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

from table_controller.game import actions as do
from table_controller.game import events as ev
from table_controller.game import views as the_views
from table_controller.game.legal import course_actions
from table_controller.game.model import (
    SEATS,
    Countdown,
    CountdownKind,
    GameState,
    IllegalAction,
    NightRecord,
    NightRound,
    Phase,
    Refusal,
    Role,
)
from table_controller.game.rules import apply, countdowns, legal_actions, new_game
from table_controller.game.ruleset import NORMAL, TURBO, Ruleset

ROLES = (Role.CITIZEN,) * 6 + (Role.SHERIFF, Role.MAFIA, Role.MAFIA, Role.DON)
"""1-6 citizens, 7 sheriff, 8 and 9 mafia, 10 don."""

Presses = Mapping[int, Sequence[int]]


class Play:
    """A game in the hands of a test."""

    def __init__(self, state: GameState) -> None:
        self.state = state
        self.actions: list[do.Action] = []
        self.events: list[ev.Event] = []

    def act(self, *actions: do.Action) -> tuple[ev.Event, ...]:
        """Play *actions*; return the events of the last one."""
        told: tuple[ev.Event, ...] = ()
        for action in actions:
            self.state, told = apply(self.state, action)
            self.actions.append(action)
            self.events.extend(told)
        return told

    def refusal(self, action: do.Action) -> Refusal:
        """Return why *action* is refused."""
        with pytest.raises(IllegalAction) as refused:
            apply(self.state, action)
        return refused.value.refusal

    def clock(self, index: int = 0) -> Countdown:
        """Return the main countdown, or with 1 the shout's."""
        return countdowns(self.state)[index]

    def expire(self, kind: CountdownKind | None = None) -> tuple[ev.Event, ...]:
        """Let the main countdown run out; it must be of *kind*."""
        clock = self.clock()
        assert kind in (None, clock.kind)
        return self.act(do.Expire(clock.id))

    def until(self, *phases: Phase) -> "Play":
        """Let countdowns run out until one of *phases* is reached."""
        for _ in range(400):
            if self.state.phase in phases:
                return self
            clocks = [clock for clock in countdowns(self.state) if clock.runs]
            self.act(do.Expire(clocks[0].id))
        raise AssertionError(f"stuck in {self.state.phase}")

    def told(self, kind: type[Any]) -> list[Any]:
        """Return all events of *kind* so far."""
        return [event for event in self.events if isinstance(event, kind)]

    def speeches(self, nominations: Mapping[int, int] | None = None) -> "Play":
        """Play the round of speeches with these nominations (speaker: nominee)."""
        nominations = nominations or {}
        self.until(Phase.SPEECH)
        while self.state.phase is Phase.SPEECH:
            seat = self.state.floor
            if seat in nominations:
                self.act(do.Nominate(seat, nominations[seat]))
            self.act(do.EndFloor(seat))
        return self

    def ballot(self, presses: Presses) -> ev.BallotClosed:
        """Play a vote or revote that has been announced; *presses* by candidate."""
        while self.state.phase is Phase.TIE_SPEECH:
            self.act(do.EndFloor(self.state.floor))
        self.expire(CountdownKind.READ)
        while self.state.phase is Phase.BALLOT:
            told = self.events[-1]
            assert isinstance(told, ev.WindowOpened)
            for seat in presses.get(told.number, ()):
                self.act(do.Vote(seat, told.number))
            self.expire(CountdownKind.BALLOT)
            if self.state.phase is Phase.BALLOT:
                self.expire(CountdownKind.BALLOT_GAP)
        return self._closed()

    def lift(self, yes: Sequence[int]) -> ev.BallotClosed:
        """Play the lift that is called."""
        self.act(*map(do.VoteLift, yes))
        self.expire(CountdownKind.LIFT)
        return self._closed()

    def motion(self, yes: Sequence[int] = ()) -> ev.MotionClosed:
        """Play the motion that is open; *yes* press for it."""
        assert self.state.phase is Phase.MOTION
        self.act(*map(do.VoteMotion, yes))
        self.expire(CountdownKind.MOTION)
        told = self.act(do.CloseBallot())
        assert isinstance(told[0], ev.MotionClosed)
        return told[0]

    def _closed(self) -> ev.BallotClosed:
        told = self.act(do.CloseBallot())
        assert isinstance(told[0], ev.BallotClosed)
        return told[0]

    def farewell(
        self, best_move: Sequence[int] | None = None, crown: int | None = None
    ) -> tuple[ev.Event, ...]:
        """Play the farewell that is going on."""
        assert self.state.phase is Phase.FAREWELL
        seat = self.state.floor
        if best_move is not None:
            self.act(do.GiveBestMove(seat, tuple(best_move)), do.GiveCrown(seat, crown))
        told = self.act(do.EndFloor(seat))
        return told if best_move is not None else self.act(do.EndFloor(seat))

    def round(self, presses: Presses, round_: NightRound | None = None) -> "Play":
        """Play the next night round; *presses* are numbers by seat."""
        self.until(Phase.CALLING)
        assert self.state.call is not None
        assert round_ in (None, self.state.call.round)
        serial = self.state.last_call
        while self.state.phase is Phase.CALLING and self.state.last_call == serial:
            told = self.events[-1]
            if isinstance(told, ev.WindowOpened):
                for seat, numbers in presses.items():
                    self.act(
                        *(do.PressAtNight(seat, told.number) for n in numbers if n == told.number)
                    )
            self.expire()
        self.expire(CountdownKind.GATHER)
        return self

    def night(
        self,
        shots: Presses | None = None,
        don: Presses | None = None,
        sheriff: Presses | None = None,
    ) -> "Play":
        """Play a whole shooting night up to the morning."""
        for round_, presses in zip(NightRound, (shots, don, sheriff), strict=True):
            self.round(presses or {}, round_)
        assert self.state.phase is Phase.MORNING
        return self


def new(ruleset: Ruleset = NORMAL) -> Play:
    """Return a game in which nobody is seated."""
    return Play(new_game(ruleset))


def dealt(ruleset: Ruleset = NORMAL, roles: Sequence[Role] = ROLES) -> Play:
    """Return a game in which the players look at their cards."""
    play = new(ruleset)
    play.act(*map(do.Ready, SEATS), do.Deal(tuple(roles)))
    return play


def morning(
    day: int = 2, without: Sequence[int] = (), ruleset: Ruleset = NORMAL, **changes: Any
) -> Play:
    """Return the morning of *day* after a miss, with these seats gone."""
    state = dealt(ruleset).state
    clock = Countdown(1000, CountdownKind.MORNING, ruleset.morning_s, runs=True)
    return Play(
        replace(
            state,
            phase=Phase.MORNING,
            day=day,
            night=day - 1,
            living=tuple(seat for seat in SEATS if seat not in without),
            nights=(NightRecord(day - 1, (), None),) if day > 1 else (),
            clock=clock,
            last_countdown=clock.id,
            **changes,
        )
    )


def voting(
    nominees: Sequence[int], day: int = 2, without: Sequence[int] = (), ruleset: Ruleset = NORMAL
) -> Play:
    """Return a day with its speeches over and this list."""
    play = morning(day, without, ruleset)
    return play.speeches(dict(zip(play.state.living, nominees, strict=False)))


def random_play(
    seed: int, ruleset: Ruleset | None = None, roles: Sequence[Role] | None = None
) -> Iterator[tuple[GameState, do.Action, GameState, tuple[ev.Event, ...]]]:
    """Yield every step of a random whole game: before, action, after, events."""
    chance = random.Random(seed)
    if ruleset is None:
        ruleset = chance.choice((NORMAL, TURBO))
        ruleset = replace(ruleset, dq_cancels_vote=chance.random() < 0.5)
    cards = list(roles or chance.sample(ROLES, 10))
    weights = {
        do.Expire: 40,
        do.Nominate: 12,
        do.Vote: 40,
        do.EndFloor: 6,
        do.VoteLift: 20,
        do.VoteMotion: 60,
        do.ConfirmAccusation: 20,
        do.Resume: 10,
        do.Accuse: 4,
        do.OpenGrounds: 3,
        do.PutOpponentVictory: 3,
        do.Rule: 3,
        do.Withdraw: 1,
        do.Void: 0.03,
        do.GiveFoul: 3,
        do.TakeBackFoul: 3,
        do.CorrectNomination: 3,
        do.CorrectVote: 10,
        do.EndCountdown: 8,
        do.ExtendCountdown: 2,
        do.ShortenCountdown: 1,
        do.CallAgain: 3,
    }
    state = new_game(ruleset)
    while state.phase is not Phase.OVER:
        action = _choose(chance, state, weights, cards)
        after, events = apply(state, action)
        yield state, action, after, events
        state = after


def _choose(
    chance: random.Random,
    state: GameState,
    weights: Mapping[type, int],
    cards: Sequence[Role],
) -> do.Action:
    by_type: dict[type, list[do.Action]] = {}
    # All that is legal is much, and the game should get on.
    for action in (legal_actions if chance.random() < 0.06 else course_actions)(state):
        by_type.setdefault(type(action), []).append(action)
    if state.phase is Phase.DEALING and not state.paused:
        return do.Deal(tuple(cards))
    if state.call is not None and not state.paused:
        # The mafia mostly agree, so that games differ in more than misses.
        target = state.living[state.day * 7 % len(state.living)]
        owners = [do.PressAtNight(seat, target) for seat in state.mafia]
        pressed = {seat for seat, _ in state.call.presses}
        open_ = by_type.get(do.PressAtNight, [])
        todo = [press for press in owners if press in open_ and press.seat not in pressed]
        if todo and chance.random() < 0.8:
            return todo[0]
    if do.Vote in by_type and state.ballot is not None and sum(state.fouls) % 2:
        # Sides of one size, so that ties and lifts come up.
        sides = state.ballot.candidates
        by_type[do.Vote] = [
            vote for vote in by_type[do.Vote] if vote.candidate == sides[vote.seat % len(sides)]
        ] or by_type[do.Vote]
    kinds = list(by_type)
    kind = chance.choices(kinds, [weights.get(kind, 1) for kind in kinds])[0]
    return chance.choice(by_type[kind])


@pytest.fixture
def a_new_game() -> Callable[..., Play]:
    return new


@pytest.fixture
def a_dealt_game() -> Callable[..., Play]:
    return dealt


@pytest.fixture
def a_morning() -> Callable[..., Play]:
    return morning


@pytest.fixture
def a_vote() -> Callable[..., Play]:
    return voting


@pytest.fixture
def random_game() -> Callable[..., Iterator[Any]]:
    return random_play


@pytest.fixture
def views() -> ModuleType:
    return the_views


@pytest.fixture(scope="module")
def module_random_game() -> Callable[..., Iterator[Any]]:
    return random_play

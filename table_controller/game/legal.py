"""Everything that is allowed now."""

import itertools
from collections.abc import Iterator

from table_controller.game import day, floor, night, opening
from table_controller.game.actions import (
    Action,
    CloseBallot,
    ClosePick,
    Deal,
    EndFloor,
    Expire,
    GiveBestMove,
    GiveCrown,
    Nominate,
    OpenPick,
    Pause,
    PressAtNight,
    Ready,
    Resume,
    Shout,
    TakeBackNomination,
    Vote,
    VoteLift,
)
from table_controller.game.model import SEATS, BallotKind, GameState, Phase


def legal_actions(state: GameState) -> Iterator[Action]:
    """Yield every action that would be accepted now, but only one of all deals."""
    if state.phase is Phase.OVER:
        return
    if state.paused:
        yield Resume()
    else:
        yield Pause()
        yield from (Expire(clock.id) for clock in floor.countdowns(state) if clock.runs)
        yield from _legal_in_phase(state)
        yield from _legal_shouts(state)
    yield from _legal_votes(state)


def _legal_in_phase(state: GameState) -> Iterator[Action]:
    match state.phase:
        case Phase.SEATING:
            yield from (Ready(seat) for seat in SEATS if seat not in state.ready)
        case Phase.DEALING:
            yield Deal(opening.DECK)
        case Phase.SPEECH | Phase.PICKING:
            yield from _legal_in_speech(state)
        case Phase.TIE_SPEECH:
            yield EndFloor(state.floor)
        case Phase.FAREWELL | Phase.FAREWELL_PICKS:
            yield from _legal_in_farewell(state)
        case Phase.ROLL_CALL:
            yield CloseBallot()
        case Phase.CALLING | Phase.GATHERING:
            pairs = itertools.product(state.living, night.opened(state))
            yield from itertools.starmap(PressAtNight, pairs)


def _legal_in_speech(state: GameState) -> Iterator[Action]:
    seat = state.floor
    yield EndFloor(seat)
    if state.phase is Phase.SPEECH:
        yield OpenPick(seat)
    yield ClosePick(seat)
    for nominee in day.candidates(state):
        yield Nominate(seat, nominee)
    if state.choice:
        yield TakeBackNomination(seat)


def _legal_in_farewell(state: GameState) -> Iterator[Action]:
    seat = state.floor
    yield EndFloor(seat)
    if state.farewell is None or state.farewell.locked:
        return
    others = [other for other in SEATS if other != seat]
    for size in range(state.ruleset.best_move_max + 1):
        for suspects in itertools.permutations(others, size):
            yield GiveBestMove(seat, suspects)
    yield GiveCrown(seat, None)
    yield from (GiveCrown(seat, target) for target in state.living)


def _legal_shouts(state: GameState) -> Iterator[Action]:
    yield from (Shout(seat) for seat in SEATS if floor.may_shout(state, seat))


def _legal_votes(state: GameState) -> Iterator[Action]:
    ballot = state.ballot
    if ballot is None or state.phase is Phase.READING:
        return
    voted = {seat for seat, _ in ballot.votes}
    voters = [seat for seat in state.living if seat not in voted]
    if ballot.kind is BallotKind.LIFT:
        yield from map(VoteLift, voters)
    else:
        called = ballot.candidates[: ballot.called]
        yield from itertools.starmap(Vote, itertools.product(voters, called))

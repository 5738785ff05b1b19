"""Everything that is allowed now."""

import itertools
from collections.abc import Callable, Iterator

from table_controller.game import actions as do
from table_controller.game import (
    corrections,
    day,
    fairplay,
    floor,
    grounds,
    motions,
    night,
    opening,
)
from table_controller.game.actions import Action
from table_controller.game.model import (
    SEATS,
    BallotKind,
    GameState,
    Offence,
    Phase,
    Refusal,
    Sanction,
    Source,
)


def legal_actions(state: GameState) -> Iterator[Action]:
    """Yield every action that would be accepted now, but only one of all deals."""
    yield from course_actions(state)
    if state.phase is not Phase.OVER:
        yield from _fair_play(state)
        yield from _sanctions(state)
        yield from _corrections(state)


def course_actions(state: GameState) -> Iterator[Action]:
    """Yield what clocks and seats can do now, without new grounds and without the host's part.

    That is some hundred times less than all that is legal.
    """
    if state.phase is Phase.OVER:
        return
    if state.paused:
        yield do.Resume()
    else:
        yield do.Pause()
        yield from (do.Expire(clock.id) for clock in floor.countdowns(state) if clock.runs)
        yield from _legal_in_phase(state)
        yield from _legal_shouts(state)
        if state.accusation is not None:
            yield from map(do.ConfirmAccusation, _who(grounds.no_second, state))
    yield from _legal_votes(state)
    if state.motion is not None:
        yield from map(do.VoteMotion, _who(motions.no_vote, state))


def host_actions(state: GameState) -> tuple[type[Action], ...]:
    """Return the kinds of action that the host could take now, of some seat or clock at least.

    By night they depend on the phase and on what the host has done: on no role and no press.
    """
    if state.phase is Phase.OVER:
        return ()
    running = floor.countdowns(state) if state.phase in floor.BY_DAY else ()
    clocks = bool(running)
    could: dict[type[Action], bool] = {
        do.Pause: not state.paused,
        do.Resume: state.paused,
        do.EndCountdown: clocks and not state.paused,
        do.ExtendCountdown: clocks,
        do.ShortenCountdown: any(
            corrections.no_shortening(clock, corrections.EXTENSIONS_S[0]) is None
            for clock in running
        ),
        do.GiveFoul: bool(_who(floor.no_shout, state)),
        do.TakeBackFoul: bool(_who(corrections.no_take_back, state)),
        do.CorrectNomination: any(
            corrections.no_nomination(state, nomination) is None for nomination in _NOMINATIONS
        ),
        do.CorrectVote: bool(_who(corrections.no_vote, state)),
        do.CallAgain: not state.paused and corrections.can_call_again(state),
        do.OpenGrounds: any(grounds.no_grounds(state, each) is None for each in _BY_HOST),
        do.PutOpponentVictory: motions.no_stop(state) is None,
        do.Rule: bool(_who(fairplay.no_ruling, state)),
        do.Withdraw: bool(_who(fairplay.no_withdrawal, state)),
        do.Void: True,
    }
    return tuple(kind for kind, open_ in could.items() if open_)


def _legal_in_phase(state: GameState) -> Iterator[Action]:
    match state.phase:
        case Phase.SEATING:
            yield from (do.Ready(seat) for seat in SEATS if seat not in state.ready)
        case Phase.DEALING:
            yield do.Deal(opening.DECK)
        case Phase.SPEECH | Phase.PICKING:
            yield from _legal_in_speech(state)
        case Phase.TIE_SPEECH:
            yield do.EndFloor(state.floor)
        case Phase.FAREWELL | Phase.FAREWELL_PICKS:
            yield from _legal_in_farewell(state)
        case Phase.ROLL_CALL:
            yield do.CloseBallot()
        case Phase.CALLING | Phase.GATHERING:
            pairs = itertools.product(state.living, night.opened(state))
            yield from itertools.starmap(do.PressAtNight, pairs)


def _legal_in_speech(state: GameState) -> Iterator[Action]:
    seat = state.floor
    yield do.EndFloor(seat)
    if state.phase is Phase.SPEECH:
        yield do.OpenPick(seat)
    yield do.ClosePick(seat)
    for nominee in day.candidates(state):
        yield do.Nominate(seat, nominee)
    if state.choice:
        yield do.TakeBackNomination(seat)


def _legal_in_farewell(state: GameState) -> Iterator[Action]:
    seat = state.floor
    yield do.EndFloor(seat)
    if state.farewell is None or state.farewell.locked:
        return
    others = [other for other in SEATS if other != seat]
    for size in range(state.ruleset.best_move_max + 1):
        for suspects in itertools.permutations(others, size):
            yield do.GiveBestMove(seat, suspects)
    yield do.GiveCrown(seat, None)
    yield from (do.GiveCrown(seat, target) for target in state.living)


def _legal_shouts(state: GameState) -> Iterator[Action]:
    yield from (do.Shout(seat) for seat in SEATS if floor.may_shout(state, seat))


def _legal_votes(state: GameState) -> Iterator[Action]:
    ballot = state.ballot
    if ballot is None or state.phase is Phase.READING:
        return
    voted = {seat for seat, _ in ballot.votes}
    voters = [seat for seat in state.living if seat not in voted]
    if ballot.kind is BallotKind.LIFT:
        yield from map(do.VoteLift, voters)
    else:
        called = ballot.candidates[: ballot.called]
        yield from itertools.starmap(do.Vote, itertools.product(voters, called))


# ---- fair play ----


def _fair_play(state: GameState) -> Iterator[Action]:
    yield from (action for action in _GROUNDS if grounds.no_grounds(state, action) is None)
    if motions.no_stop(state) is None:
        yield from map(do.PutOpponentVictory, SEATS)
    if not state.paused:
        for by in _who(grounds.no_accuser, state):
            accusations = (do.Accuse(by, *what) for what in _DEEDS)
            yield from (each for each in accusations if grounds.no_accused(state, each) is None)


def _who(refusal: Callable[[GameState, int], Refusal | None], state: GameState) -> list[int]:
    return [seat for seat in SEATS if refusal(state, seat) is None]


_DEEDS = tuple(itertools.product(SEATS, Offence))

_GROUNDS = tuple(
    do.OpenGrounds(seat, offence, source, severe)
    for seat, offence in _DEEDS
    for source in Source
    for severe in (False, True)
    if grounds.sees(offence, source, severe=severe)
)
"""All grounds that a source other than a seat can open."""

_BY_HOST = tuple(action for action in _GROUNDS if action.source is Source.HOST)

_NOMINATIONS = tuple(
    itertools.starmap(do.CorrectNomination, itertools.product(SEATS, (None, *SEATS)))
)


def _sanctions(state: GameState) -> Iterator[Action]:
    yield do.Void()
    for seat in _who(fairplay.no_ruling, state):
        for offence in Offence:
            yield do.Rule(Sanction.TECHNICAL_FOUL, seat, offence)
            yield do.Rule(Sanction.DISQUALIFICATION, seat, offence)
    yield from map(do.Withdraw, _who(fairplay.no_withdrawal, state))


# ---- corrections ----


def _corrections(state: GameState) -> Iterator[Action]:
    yield from map(do.GiveFoul, _who(floor.no_shout, state))
    yield from map(do.TakeBackFoul, _who(corrections.no_take_back, state))
    for nomination in _NOMINATIONS:
        if corrections.no_nomination(state, nomination) is None:
            yield nomination
    for seat in _who(corrections.no_vote, state):
        for candidate in (None, *corrections.callable_(state)):
            yield do.CorrectVote(seat, candidate)
    if not state.paused and corrections.can_call_again(state):
        yield do.CallAgain()
    if state.phase in floor.BY_DAY:
        for clock in floor.countdowns(state):
            if not state.paused:
                yield do.EndCountdown(clock.id)
            for by_s in corrections.EXTENSIONS_S:
                yield do.ExtendCountdown(clock.id, by_s)
                if corrections.no_shortening(clock, by_s) is None:
                    yield do.ShortenCountdown(clock.id, by_s)

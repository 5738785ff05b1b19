"""Sanctions: technical foul, disqualification, withdrawal, Opponent Victory.

By day they take effect at once. What the host rules from nightfall to dawn
takes effect at dawn, after the shot and before the test of victory, but for a
technical foul that disqualifies nobody. The five seconds of the morning belong
to that time: the shot is fixed and not yet told.

Source: RULES 2.3, 2.4 and 2.7.
"""

from table_controller.game import day, farewell, floor, grounds, motions, outcome, tally
from table_controller.game.actions import Rule, Withdraw
from table_controller.game.events import (
    AccusationLapsed,
    Disqualified,
    OpponentVictoryGiven,
    TechnicalFoulGiven,
    VoteDropped,
    Withdrawn,
)
from table_controller.game.model import (
    Cause,
    GameState,
    IllegalAction,
    Offence,
    Phase,
    Refusal,
    Ruling,
    Sanction,
)
from table_controller.game.night import BY_NIGHT
from table_controller.game.turn import STAY, Then, Turn, held

# ---- the host rules ----


def rule(turn: Turn, action: Rule) -> Then:
    """Give a technical foul or disqualify, as the host says.

    Grounds for the same are settled with that, an open motion on them too.
    """
    state, seat = turn.state, action.seat
    refusal = no_ruling(state, seat)
    if refusal is None and action.sanction is Sanction.OPPONENT_VICTORY:
        refusal = Refusal.BAD_SANCTION
    if refusal is not None:
        raise IllegalAction(refusal, f"{action}")
    known = grounds.find(state, seat, action.offence)
    if known is not None:
        _settle(turn, known.number)
    disqualifies = action.sanction is Sanction.DISQUALIFICATION or _is_last(state, seat)
    if disqualifies and _before_dawn(state):
        turn.set(rulings=(*state.rulings, Ruling(seat, action.sanction, action.offence)))
        return STAY
    if action.sanction is Sanction.TECHNICAL_FOUL:
        return _technical_foul(turn, seat, action.offence, by_host=True)
    return _disqualify(turn, seat, action.offence, by_host=True)


def no_ruling(state: GameState, seat: int) -> Refusal | None:
    """Return why the host can rule nothing on *seat* now."""
    if not state.roles:
        return Refusal.WRONG_PHASE
    if seat in state.disqualified:
        return Refusal.DISQUALIFIED
    ruled = any(ruling.seat == seat and ruling.sanction for ruling in state.rulings)
    return Refusal.ALREADY_RULED if ruled else None


def withdraw(turn: Turn, action: Withdraw) -> Then:
    """Let a seat leave that must, without fault."""
    state, seat = turn.state, action.seat
    refusal = no_withdrawal(state, seat)
    if refusal is not None:
        raise IllegalAction(refusal, f"seat {seat}")
    if _before_dawn(state):
        turn.set(rulings=(*state.rulings, Ruling(seat, None, None)))
        return STAY
    turn.tell(Withdrawn(seat))
    return _put_out(turn, seat, Cause.WITHDRAWN)


def no_withdrawal(state: GameState, seat: int) -> Refusal | None:
    """Return why *seat* cannot be withdrawn now: it has no part in the game any more."""
    if not state.roles:
        return Refusal.WRONG_PHASE
    if seat not in state.living and seat not in state.to_speak:
        return Refusal.NOT_LIVING
    ruled = any(ruling.seat == seat for ruling in state.rulings)
    return Refusal.ALREADY_RULED if ruled else None


def _before_dawn(state: GameState) -> bool:
    return state.phase not in floor.BY_DAY or state.phase is Phase.MORNING


def _is_last(state: GameState, seat: int) -> bool:
    """Return whether the next technical foul of *seat* disqualifies it."""
    limit = state.ruleset.technical_fouls_to_disqualify
    return state.technical_fouls[seat - 1] + 1 >= limit


def _settle(turn: Turn, number: int) -> None:
    """Close the open grounds with this number, and the motion on them."""
    motion = turn.state.motion
    if motion is not None and motion.grounds == number:
        motions.close(turn)
    grounds.lapse(turn, *(each for each in turn.state.grounds if each.number == number))


def dawn(turn: Turn) -> None:
    """Carry out what the host has ruled at night; nobody is put out twice."""
    rulings = turn.state.rulings
    turn.set(rulings=())
    for ruling in rulings:
        if ruling.offence is None:
            turn.tell(Withdrawn(ruling.seat))
            if _leave(turn, ruling.seat, Cause.WITHDRAWN):
                _drop_vote(turn)
            continue
        second = ruling.sanction is Sanction.TECHNICAL_FOUL
        if second:
            _count_foul(turn, ruling.seat, ruling.offence, by_host=True)
        _tell(turn, ruling.seat, ruling.offence, by_host=True, by_second_foul=second)
        if _leave(turn, ruling.seat, Cause.DISQUALIFIED):
            _drop_vote(turn)


# ---- the table has voted ----


def count_motion(turn: Turn) -> Then:
    """Count the open motion and give what it asked for, if it passed."""
    motion = motions.motion_of(turn.state)
    passed = len(motion.votes) >= motions.needed(turn.state)
    motions.close(turn, passed=passed)
    if not passed:
        return held(turn.state)
    if motion.offence is None:
        return _opponent_victory(turn, motion.seat)
    turn.set(
        grounds=tuple(each for each in turn.state.grounds if each.number != motion.grounds),
    )
    if motion.sanction is Sanction.TECHNICAL_FOUL:
        return _technical_foul(turn, motion.seat, motion.offence, by_host=False)
    return _disqualify(turn, motion.seat, motion.offence, by_host=False)


def _opponent_victory(turn: Turn, seat: int) -> Then:
    team = turn.state.roles[seat - 1].team
    turn.tell(OpponentVictoryGiven(seat, team, after_decision=turn.state.decided is not None))
    outcome.stop(turn, team)
    return Then.END


# ---- sanctions ----


def _technical_foul(turn: Turn, seat: int, offence: Offence, *, by_host: bool) -> Then:
    second = _is_last(turn.state, seat)
    _count_foul(turn, seat, offence, by_host=by_host)
    if second:
        return _disqualify(turn, seat, offence, by_host=by_host, by_second_foul=True)
    if turn.state.phase in BY_NIGHT:
        turn.set(hushed=(*turn.state.hushed, seat))
    return held(turn.state)


def _count_foul(turn: Turn, seat: int, offence: Offence, *, by_host: bool) -> None:
    state = turn.state
    was = state.technical_fouls
    count = was[seat - 1] + 1
    turn.set(technical_fouls=(*was[: seat - 1], count, *was[seat:]))
    decided = state.decided is not None
    turn.tell(TechnicalFoulGiven(seat, count, offence, by_host, after_decision=decided))


def _disqualify(
    turn: Turn, seat: int, offence: Offence, *, by_host: bool, by_second_foul: bool = False
) -> Then:
    _tell(turn, seat, offence, by_host=by_host, by_second_foul=by_second_foul)
    return _put_out(turn, seat, Cause.DISQUALIFIED)


def _tell(turn: Turn, seat: int, offence: Offence, *, by_host: bool, by_second_foul: bool) -> None:
    """Note that *seat* is disqualified; nothing more can be asked for against it."""
    state = turn.state
    decided = state.decided is not None
    turn.tell(Disqualified(seat, offence, by_host, by_second_foul, after_decision=decided))
    turn.set(disqualified=(*state.disqualified, seat))
    accusation, motion = state.accusation, state.motion
    if accusation is not None and accusation.seat == seat:
        _drop_accusation(turn, accusation.by)
    if motion is not None and motion.seat == seat and motion.offence is not None:
        motions.close(turn)
    grounds.lapse(turn, *(each for each in turn.state.grounds if each.seat == seat))


def _drop_accusation(turn: Turn, by: int) -> None:
    turn.set(accusation=None, accusation_clock=None)
    turn.tell(AccusationLapsed(by))


# ---- a seat is put out ----


def _put_out(turn: Turn, seat: int, cause: Cause) -> Then:
    """Put *seat* out by day, at once, and return how the day goes on."""
    lived = _leave(turn, seat, cause)
    if lived:
        outcome.judge_expulsion(turn)
        if turn.state.decided is not None and not turn.state.leaving:
            return Then.END
    then = _cut(turn, seat)
    if not lived:
        return then
    under_way = tally.under_way(turn.state)
    if _drop_vote(turn) == turn.state.day and under_way:
        return tally.drop(turn)
    if turn.state.ruleset.dq_cancels_vote or turn.state.settled:
        return then
    again = tally.strike(turn, seat)
    return then if again is STAY else again


def _leave(turn: Turn, seat: int, cause: Cause) -> bool:
    """Take *seat* out, without speech, farewell, say; return whether it lived.

    One that has left already stays as it left.
    """
    state = turn.state
    lived = seat in state.living
    if lived:
        outcome.expel(turn, seat, cause)
    turn.set(
        to_speak=tuple(other for other in state.to_speak if other != seat),
        leaving=tuple(other for other in state.leaving if other != seat),
    )
    accusation = turn.state.accusation
    if accusation is not None and accusation.by == seat:
        _drop_accusation(turn, seat)
    return lived


def _drop_vote(turn: Turn) -> int:
    """Drop the first vote that is neither decided nor dropped; return its day, 0: none."""
    state = turn.state
    if not state.ruleset.dq_cancels_vote:
        return 0
    number = state.day + state.settled
    while number in state.dropped:
        number += 1
    turn.set(dropped=(*state.dropped, number))
    turn.tell(VoteDropped(number))
    return number


def _cut(turn: Turn, seat: int) -> Then:
    """End what *seat* was saying."""
    state = turn.state
    match state.phase:
        case Phase.SPEECH | Phase.PICKING:
            return day.put_out(turn, seat)
        case Phase.TIE_SPEECH if state.floor == seat:
            return tally.end_tie_speech(turn)
        case Phase.FAREWELL | Phase.FAREWELL_PICKS if state.floor == seat:
            return farewell.cut(turn)
        case _:
            return held(state)

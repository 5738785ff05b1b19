"""Motions, and the gaps of the day that they fill.

A motion is a vote for a sanction: more than half of those who may vote must
want it, for Opponent Victory two thirds. The accused does not vote and is not
counted among them; when it has left already, all the living may.

Source: RULES 2.3.
"""

from msgspec.structs import replace

from table_controller.game import floor
from table_controller.game.actions import PutOpponentVictory, VoteMotion
from table_controller.game.events import (
    MotionClosed,
    MotionPut,
    RollCalled,
    VoteCast,
    WindowClosed,
    WindowOpened,
)
from table_controller.game.model import (
    GAPS,
    CountdownKind,
    GameState,
    IllegalAction,
    Motion,
    Phase,
    Refusal,
    Sanction,
)
from table_controller.game.ruleset import Ruleset
from table_controller.game.turn import STAY, Then, Turn

WINDOW = 0
"""A motion's window has no candidate's number, as a lift's."""


# ---- gaps ----


def hold_up(turn: Turn, then: Then) -> bool:
    """Keep *then* back: while a pause or an accusation lasts, or for a motion that is due.

    The end of the game waits for nothing.
    """
    state = turn.state
    if then is Then.END:
        return False
    if state.motion is not None:
        turn.set(resume=then)
        return True
    if state.paused or (then in GAPS and state.accusation is not None):
        turn.set(phase=Phase.GAP, clock=None, resume=then)
        return True
    if then in GAPS and state.day and (motion := _due(state)) is not None:
        turn.set(resume=then, motion=motion)
        _put(turn)
        return True
    if state.resume is not None:
        turn.set(resume=None)
    return False


def _due(state: GameState) -> Motion | None:
    """Return the next motion: on the oldest grounds, then what the host has put."""
    for grounds in state.grounds:
        if not grounds.put:
            return Motion(grounds.sanction, grounds.seat, grounds.number, grounds.offence)
    if state.stop:
        return Motion(Sanction.OPPONENT_VICTORY, state.stop, 0, None)
    return None


# ---- motions ----


def put_opponent_victory(turn: Turn, action: PutOpponentVictory) -> Then:
    """Put the stopping of the game to the vote, at the next gap."""
    refusal = no_stop(turn.state)
    if refusal is not None:
        raise IllegalAction(refusal, f"seat {action.seat}")
    turn.set(stop=action.seat)
    return STAY


def no_stop(state: GameState) -> Refusal | None:
    """Return why Opponent Victory cannot be put now."""
    if state.phase not in floor.BY_DAY:
        return Refusal.WRONG_PHASE
    open_ = state.motion is not None and state.motion.sanction is Sanction.OPPONENT_VICTORY
    return Refusal.ALREADY_OPEN if state.stop or open_ else None


def _put(turn: Turn) -> None:
    """Open the motion's window, or open it again."""
    motion = motion_of(turn.state)
    turn.start(CountdownKind.MOTION, turn.state.ruleset.motion_s, phase=Phase.MOTION)
    if motion.sanction is Sanction.OPPONENT_VICTORY:
        turn.set(stop=0)
    else:
        turn.set(
            grounds=tuple(
                replace(grounds, put=True) if grounds.number == motion.grounds else grounds
                for grounds in turn.state.grounds
            )
        )
    turn.tell(MotionPut(motion.sanction, motion.seat, motion.grounds))
    turn.tell(WindowOpened(WINDOW))


def window_over(turn: Turn) -> Then:
    """Close the motion's window; every node is asked whether it has more."""
    close_window(turn)
    turn.start(CountdownKind.ROLL_CALL, turn.state.ruleset.roll_call_s, phase=Phase.ROLL_CALL)
    turn.tell(RollCalled())
    return STAY


def close_window(turn: Turn) -> None:
    """Close the motion's window, if it is open; a pause has closed it already."""
    if turn.state.phase is Phase.MOTION and not turn.state.paused:
        turn.tell(WindowClosed(WINDOW))


def call_again(turn: Turn) -> None:
    """After a pause, call the motion from its start; its votes stand."""
    if turn.state.phase is Phase.MOTION:
        _put(turn)


def vote(turn: Turn, action: VoteMotion) -> Then:
    """Take a vote for the motion."""
    refusal = no_vote(turn.state, action.seat)
    if refusal is not None:
        raise IllegalAction(refusal, f"seat {action.seat}")
    motion = motion_of(turn.state)
    turn.set(motion=replace(motion, votes=(*motion.votes, action.seat)))
    turn.tell(VoteCast(action.seat, WINDOW))
    return STAY


def no_vote(state: GameState, seat: int) -> Refusal | None:
    """Return why *seat* cannot vote for a motion now."""
    motion = state.motion
    if motion is None:
        return Refusal.WRONG_PHASE
    if seat not in state.living:
        return Refusal.NOT_LIVING
    if seat == motion.seat:
        return Refusal.NOT_FOR_YOU
    return Refusal.ALREADY_VOTED if seat in motion.votes else None


def voters(state: GameState) -> tuple[int, ...]:
    """Return who may vote in the open motion: the living but the accused."""
    accused = motion_of(state).seat
    return tuple(seat for seat in state.living if seat != accused)


def needed(state: GameState) -> int:
    """Return how many votes the open motion needs."""
    return needed_of(len(voters(state)), motion_of(state).sanction, state.ruleset)


def needed_of(count: int, sanction: Sanction, rules: Ruleset) -> int:
    """Return how many votes a motion needs in which *count* seats may vote."""
    if sanction is Sanction.OPPONENT_VICTORY:
        part, whole = rules.opponent_victory_share
        return -(-count * part // whole)
    part, whole = rules.motion_share
    return count * part // whole + 1


def close(turn: Turn, *, passed: bool | None = None) -> None:
    """Close the motion; the day stands in the gap that it has filled.

    *passed* is None when it is not counted: what it asks for is done.
    """
    close_window(turn)
    motion, living = motion_of(turn.state), turn.state.living
    turn.set(phase=Phase.GAP, motion=None)
    turn.tell(
        MotionClosed(
            motion.sanction,
            motion.seat,
            motion.grounds,
            tuple(sorted(motion.votes)),
            len(living),
            passed=bool(passed),
            counted=passed is not None,
        )
    )


def motion_of(state: GameState) -> Motion:
    """Return the motion that is open."""
    assert state.motion is not None
    return state.motion

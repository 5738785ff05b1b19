"""The calls and the votes of a ballot, a revote, a lift.

The order of the list is the order of nomination; it decides the order of the
calls and of the tie speeches and whom a missing vote goes against.

Source: RULES 1.7 and 1.9.
"""

from msgspec.structs import replace

from table_controller.game.actions import Vote, VoteLift
from table_controller.game.events import (
    CandidateCalled,
    LiftCalled,
    ListRead,
    RollCalled,
    VoteCast,
    WindowClosed,
    WindowOpened,
)
from table_controller.game.model import (
    Ballot,
    BallotKind,
    CountdownKind,
    GameState,
    IllegalAction,
    Phase,
    Refusal,
)
from table_controller.game.turn import STAY, Then, Turn

LIFT = 0
"""Stands for the whole tied set where a candidate's number would stand."""

_BALLOT, _LIFT = (Phase.BALLOT, Phase.ROLL_CALL), (Phase.LIFT, Phase.ROLL_CALL)
"""When votes are taken."""


# ---- the calls ----


def read(turn: Turn, kind: BallotKind, candidates: tuple[int, ...]) -> Then:
    """Read the list out; the ballot on it is the one that is open."""
    turn.start(
        CountdownKind.READ,
        turn.state.ruleset.read_name_s * len(candidates),
        phase=Phase.READING,
        floor=0,
        ballot=Ballot(kind, candidates),
    )
    turn.tell(ListRead(kind, candidates))
    return STAY


def call_next(turn: Turn) -> Then:
    """Call the next candidate: its window opens with the call."""
    ballot = ballot_of(turn.state)
    turn.set(ballot=replace(ballot, called=ballot.called + 1))
    return call(turn)


def call(turn: Turn) -> Then:
    """Open the window of the candidate or lift that is called."""
    ballot, rules = ballot_of(turn.state), turn.state.ruleset
    if ballot.kind is BallotKind.LIFT:
        turn.start(CountdownKind.LIFT, rules.lift_s, phase=Phase.LIFT)
        turn.tell(LiftCalled(ballot.candidates))
    else:
        turn.start(CountdownKind.BALLOT, rules.ballot_s, phase=Phase.BALLOT)
        turn.tell(CandidateCalled(ballot.candidates[ballot.called - 1]))
    turn.tell(WindowOpened(_window(ballot)))
    return STAY


def window_over(turn: Turn) -> Then:
    """Close the open window; after the last one the roll is called."""
    ballot = ballot_of(turn.state)
    rules = turn.state.ruleset
    close_window(turn)
    if ballot.kind is not BallotKind.LIFT and ballot.called < len(ballot.candidates):
        turn.start(CountdownKind.BALLOT_GAP, rules.ballot_gap_s)
    else:
        turn.start(CountdownKind.ROLL_CALL, rules.roll_call_s, phase=Phase.ROLL_CALL)
        turn.tell(RollCalled())
    return STAY


def open_window(state: GameState) -> int | None:
    """Return whose window is open (0: the lift's), or None."""
    if state.phase is Phase.LIFT:
        return LIFT
    if state.clock is not None and state.clock.kind is CountdownKind.BALLOT:
        return _window(ballot_of(state))
    return None


def may_press(state: GameState, seat: int) -> bool:
    """Return whether a VOTE press of *seat* would be a vote in the open window."""
    voted = {voter for voter, _ in ballot_of(state).votes}
    return open_window(state) is not None and seat in state.living and seat not in voted


def close_window(turn: Turn) -> None:
    """Close the open window, if any: it is over, or something cuts it; a pause has already."""
    window = open_window(turn.state)
    if window is not None and not turn.state.paused:
        turn.tell(WindowClosed(window))


def call_again(turn: Turn) -> None:
    """After a pause, call the interrupted candidate or lift from its start."""
    if open_window(turn.state) is not None:
        call(turn)
    elif turn.state.phase is Phase.ROLL_CALL:
        # Who asked the nodes may not have lived through the pause.
        turn.tell(RollCalled())


def _window(ballot: Ballot) -> int:
    return LIFT if ballot.kind is BallotKind.LIFT else ballot.candidates[ballot.called - 1]


def ballot_of(state: GameState) -> Ballot:
    """Return the ballot that is open."""
    assert state.ballot is not None
    return state.ballot


# ---- the votes ----


def vote(turn: Turn, action: Vote) -> Then:
    """Take a vote against a candidate who has been called."""
    ballot = turn.state.ballot
    if turn.state.phase not in _BALLOT or ballot is None:
        raise IllegalAction(Refusal.WRONG_PHASE, f"phase is {turn.state.phase}")
    if action.candidate not in ballot.candidates[: ballot.called]:
        raise IllegalAction(Refusal.NOT_CALLED, f"candidate {action.candidate}")
    return _cast(turn, action.seat, action.candidate)


def vote_lift(turn: Turn, action: VoteLift) -> Then:
    """Take a vote for the lift."""
    ballot = turn.state.ballot
    if turn.state.phase not in _LIFT or ballot is None or ballot.kind is not BallotKind.LIFT:
        raise IllegalAction(Refusal.WRONG_PHASE, f"phase is {turn.state.phase}")
    return _cast(turn, action.seat, LIFT)


def _cast(turn: Turn, seat: int, candidate: int) -> Then:
    ballot = ballot_of(turn.state)
    if seat not in turn.state.living:
        raise IllegalAction(Refusal.NOT_LIVING, f"seat {seat}")
    if any(voter == seat for voter, _ in ballot.votes):
        raise IllegalAction(Refusal.ALREADY_VOTED, f"seat {seat}")
    ballot = replace(ballot, votes=(*ballot.votes, (seat, candidate)))
    turn.state = replace(turn.state, ballot=ballot)
    turn.tell(VoteCast(seat, candidate))
    return STAY

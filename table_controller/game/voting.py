"""Ballots, tally, tie, revote, lift.

The order of the list is the order of nomination; it decides the order of the
calls, of the tie speeches and whom a missing vote goes against.

Source: RULES 1.7, 1.8 and 1.9.
"""

from collections import Counter

from msgspec.structs import replace

from table_controller.game import floor, outcome
from table_controller.game.actions import CloseBallot, EndFloor, Vote, VoteLift
from table_controller.game.events import (
    BallotClosed,
    CandidateCalled,
    LiftCalled,
    ListRead,
    RollCalled,
    SpeechBegan,
    SpeechEnded,
    VoteCast,
    VoteSettled,
    WindowClosed,
    WindowOpened,
)
from table_controller.game.model import (
    Ballot,
    BallotKind,
    BallotRecord,
    Cause,
    CountdownKind,
    DayRecord,
    GameState,
    IllegalAction,
    Phase,
    Refusal,
)
from table_controller.game.turn import Then, Turn

LIFT = 0
"""Stands for the whole tied set where a candidate's number would stand."""


def begin(turn: Turn) -> Then:
    """Vote on the day's list, or settle it when there is nothing to vote on."""
    nominees = turn.state.nominees
    if len(nominees) > 1:
        return _read(turn, BallotKind.VOTE, nominees)
    if nominees and turn.state.day >= turn.state.ruleset.single_leaves_from_day:
        return _settle(turn, nominees, Cause.SINGLE)
    return _settle(turn)


# ---- the calls ----


def _read(turn: Turn, kind: BallotKind, candidates: tuple[int, ...]) -> Then:
    turn.start(
        CountdownKind.READ,
        turn.state.ruleset.read_name_s * len(candidates),
        phase=Phase.READING,
        floor=0,
        ballot=Ballot(kind, candidates),
    )
    turn.tell(ListRead(kind, candidates))
    return Then.STAY


def call_next(turn: Turn) -> Then:
    """Call the next candidate: its window opens with the call."""
    ballot = _ballot(turn.state)
    turn.set(ballot=replace(ballot, called=ballot.called + 1))
    return _open_window(turn)


def _open_window(turn: Turn) -> Then:
    ballot, rules = _ballot(turn.state), turn.state.ruleset
    if ballot.kind is BallotKind.LIFT:
        turn.start(CountdownKind.LIFT, rules.lift_s, phase=Phase.LIFT)
        turn.tell(LiftCalled(ballot.candidates))
    else:
        turn.start(CountdownKind.BALLOT, rules.ballot_s, phase=Phase.BALLOT)
        turn.tell(CandidateCalled(ballot.candidates[ballot.called - 1]))
    turn.tell(WindowOpened(_window(ballot)))
    return Then.STAY


def window_over(turn: Turn) -> Then:
    """Close the open window; after the last one the roll is called."""
    ballot = _ballot(turn.state)
    rules = turn.state.ruleset
    close_window(turn)
    if ballot.kind is not BallotKind.LIFT and ballot.called < len(ballot.candidates):
        turn.start(CountdownKind.BALLOT_GAP, rules.ballot_gap_s)
    else:
        turn.start(CountdownKind.ROLL_CALL, rules.roll_call_s, phase=Phase.ROLL_CALL)
        turn.tell(RollCalled())
    return Then.STAY


def open_window(state: GameState) -> int | None:
    """Return whose window is open (0: the lift's), or None."""
    if state.phase is Phase.LIFT:
        return LIFT
    if state.clock is not None and state.clock.kind is CountdownKind.BALLOT:
        return _window(_ballot(state))
    return None


def may_press(state: GameState, seat: int) -> bool:
    """Return whether a VOTE press of *seat* would be a vote in the open window."""
    voted = {voter for voter, _ in _ballot(state).votes}
    return open_window(state) is not None and seat in state.living and seat not in voted


def close_window(turn: Turn) -> None:
    """Close the open window, if any: it is over, or a pause cuts it."""
    window = open_window(turn.state)
    if window is not None:
        turn.tell(WindowClosed(window))


def call_again(turn: Turn) -> None:
    """After a pause, call the interrupted candidate or lift from its start."""
    if open_window(turn.state) is not None:
        _open_window(turn)
    elif turn.state.phase is Phase.ROLL_CALL:
        # Who asked the nodes may not have lived through the pause.
        turn.tell(RollCalled())


def _window(ballot: Ballot) -> int:
    return LIFT if ballot.kind is BallotKind.LIFT else ballot.candidates[ballot.called - 1]


def _ballot(state: GameState) -> Ballot:
    assert state.ballot is not None
    return state.ballot


# ---- the votes ----


def vote(turn: Turn, action: Vote) -> Then:
    """Take a vote against a candidate who has been called."""
    ballot = turn.state.ballot
    if turn.state.phase not in (Phase.BALLOT, Phase.ROLL_CALL) or ballot is None:
        raise IllegalAction(Refusal.WRONG_PHASE, f"phase is {turn.state.phase}")
    if action.candidate not in ballot.candidates[: ballot.called]:
        raise IllegalAction(Refusal.NOT_CALLED, f"candidate {action.candidate}")
    return _cast(turn, action.seat, action.candidate)


def vote_lift(turn: Turn, action: VoteLift) -> Then:
    """Take a vote for the lift."""
    ballot = turn.state.ballot
    if (
        turn.state.phase not in (Phase.LIFT, Phase.ROLL_CALL)
        or ballot is None
        or ballot.kind is not BallotKind.LIFT
    ):
        raise IllegalAction(Refusal.WRONG_PHASE, f"phase is {turn.state.phase}")
    return _cast(turn, action.seat, LIFT)


def _cast(turn: Turn, seat: int, candidate: int) -> Then:
    ballot = _ballot(turn.state)
    if seat not in turn.state.living:
        raise IllegalAction(Refusal.NOT_LIVING, f"seat {seat}")
    if any(voter == seat for voter, _ in ballot.votes):
        raise IllegalAction(Refusal.ALREADY_VOTED, f"seat {seat}")
    turn.set(ballot=replace(ballot, votes=(*ballot.votes, (seat, candidate))))
    turn.tell(VoteCast(seat, candidate))
    return Then.STAY


# ---- the count ----


def close_ballot(turn: Turn, action: CloseBallot) -> Then:
    """Count now, since every living seat has answered the roll call."""
    if turn.state.phase is not Phase.ROLL_CALL:
        raise IllegalAction(Refusal.WRONG_PHASE, f"phase is {turn.state.phase}")
    return count(turn)


def count(turn: Turn) -> Then:
    """Count the ballot or lift and do what follows from it."""
    state = turn.state
    ballot = _ballot(state)
    record = _tally(state, ballot)
    turn.set(ballots=(*state.ballots, record), ballot=None)
    turn.tell(
        BallotClosed(
            record.kind,
            record.day,
            record.candidates,
            record.votes,
            record.automatic,
            record.top,
            record.living,
        )
    )
    if ballot.kind is BallotKind.LIFT:
        return _settle(turn, record.top, Cause.LIFT)
    if len(record.top) == 1:
        return _settle(turn, record.top, Cause.VOTE)
    if ballot.kind is BallotKind.REVOTE and record.top == state.ballots[-1].top:
        return _lift(turn, record.top)
    turn.set(to_speak=record.top)
    return _next_tie_speech(turn)


def _tally(state: GameState, ballot: Ballot) -> BallotRecord:
    cast = dict(ballot.votes)
    automatic: tuple[int, ...] = ()
    if ballot.kind is BallotKind.LIFT:
        top = ballot.candidates if 2 * len(cast) > len(state.living) else ()
    else:
        automatic = tuple(seat for seat in state.living if seat not in cast)
        cast |= dict.fromkeys(automatic, ballot.candidates[-1])
        votes_for = Counter(cast.values())
        most = max(votes_for.values())
        top = tuple(seat for seat in ballot.candidates if votes_for[seat] == most)
    return BallotRecord(
        day=state.day,
        kind=ballot.kind,
        candidates=ballot.candidates,
        votes=tuple(sorted(cast.items())),
        automatic=automatic,
        top=top,
        living=len(state.living),
    )


def _next_tie_speech(turn: Turn) -> Then:
    state = turn.state
    if not state.to_speak:
        return _read(turn, BallotKind.REVOTE, state.ballots[-1].top)
    seat = state.to_speak[0]
    floor.give(turn, seat, Phase.TIE_SPEECH, CountdownKind.TIE_SPEECH, state.ruleset.tie_speech_s)
    turn.tell(SpeechBegan(seat, silent=False, tie=True))
    return Then.STAY


def end_tie_speech(turn: Turn) -> Then:
    """End the open tie speech; after the last one comes the revote."""
    turn.set(to_speak=turn.state.to_speak[1:])
    turn.tell(SpeechEnded(turn.state.floor))
    return _next_tie_speech(turn)


def end_floor(turn: Turn, action: EndFloor) -> Then:
    """Let the speaker of a tie speech give up the rest."""
    floor.require(turn.state, action.seat, Phase.TIE_SPEECH)
    return end_tie_speech(turn)


def _lift(turn: Turn, tied: tuple[int, ...]) -> Then:
    rules, sizes = turn.state.ruleset, (len(tied), len(turn.state.living))
    if (
        sizes[0] == sizes[1]
        or (sizes == (2, 4) and not rules.lift_two_of_four)
        or (sizes == (3, 9) and not rules.lift_three_of_nine)
    ):
        return _settle(turn)
    turn.set(ballot=Ballot(BallotKind.LIFT, tied))
    return _open_window(turn)


def _settle(turn: Turn, leave: tuple[int, ...] = (), cause: Cause = Cause.VOTE) -> Then:
    state = turn.state
    record = DayRecord(
        day=state.day,
        order=state.order,
        silenced=state.silenced,
        nominations=state.nominations,
        leave=leave,
        mistakes_left=state.mistakes_left,
    )
    turn.set(days=(*state.days, record))
    turn.tell(VoteSettled(state.day, leave, single=cause is Cause.SINGLE))
    if not leave:
        return Then.NIGHT
    outcome.remove(turn, leave, cause)
    outcome.judge_vote(turn, leave)
    return Then.FAREWELL

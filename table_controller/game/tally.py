"""The count of a vote, tie, lift, result; and what putting a seat out does to it.

Source: RULES 1.7, 1.8, 1.9 and 2.4.
"""

from table_controller.game import floor, outcome, voting
from table_controller.game.actions import EndFloor
from table_controller.game.events import (
    BallotClosed,
    NomineeStruck,
    SpeechBegan,
    SpeechEnded,
    VoteSettled,
)
from table_controller.game.model import (
    Ballot,
    BallotKind,
    BallotRecord,
    Cause,
    CountdownKind,
    DayRecord,
    GameState,
    Phase,
)
from table_controller.game.turn import STAY, Then, Turn


def begin(turn: Turn) -> Then:
    """Vote on the day's list, or settle it when there is nothing to vote on."""
    state = turn.state
    nominees = state.nominees
    if state.day in state.dropped:
        return drop(turn)
    if len(nominees) > 1:
        return voting.read(turn, BallotKind.VOTE, nominees)
    if nominees and state.day >= state.ruleset.single_leaves_from_day:
        return _settle(turn, nominees, Cause.SINGLE)
    return _settle(turn)


# ---- the count ----


def count(turn: Turn) -> Then:
    """Count the ballot or lift and do what follows from it."""
    state = turn.state
    ballot = voting.ballot_of(state)
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
        return Then.LIFT
    return _tie(turn, record.top)


def _tie(turn: Turn, tied: tuple[int, ...]) -> Then:
    turn.set(tied=tied, to_speak=tied)
    return Then.TIE


def _tally(state: GameState, ballot: Ballot) -> BallotRecord:
    cast = dict(ballot.votes)
    automatic: tuple[int, ...] = ()
    if ballot.kind is BallotKind.LIFT:
        top = ballot.candidates if 2 * len(cast) > len(state.living) else ()
    else:
        automatic = tuple(seat for seat in state.living if seat not in cast)
        cast |= dict.fromkeys(automatic, ballot.candidates[-1])
        against = list(cast.values())
        most = max(map(against.count, ballot.candidates))
        top = tuple(seat for seat in ballot.candidates if against.count(seat) == most)
    return BallotRecord(
        day=state.day,
        kind=ballot.kind,
        candidates=ballot.candidates,
        votes=tuple(sorted(cast.items())),
        automatic=automatic,
        top=top,
        living=len(state.living),
    )


def next_speech(turn: Turn) -> Then:
    """Give the floor to the next of the tied; after the last comes the revote."""
    state = turn.state
    if not state.to_speak:
        return voting.read(turn, BallotKind.REVOTE, state.tied)
    seat = state.to_speak[0]
    floor.give(turn, seat, Phase.TIE_SPEECH, CountdownKind.TIE_SPEECH, state.ruleset.tie_speech_s)
    turn.tell(SpeechBegan(seat, silent=False, tie=True))
    return STAY


def end_tie_speech(turn: Turn) -> Then:
    """End the open tie speech; after the last one comes the revote."""
    turn.tell(SpeechEnded(turn.state.floor))
    floor.leave(turn)
    return Then.TIE


def end_floor(turn: Turn, action: EndFloor) -> Then:
    """Let the speaker of a tie speech give up the rest."""
    floor.require(turn.state, action.seat, Phase.TIE_SPEECH)
    return end_tie_speech(turn)


def lift(turn: Turn) -> Then:
    """Hold the lift, unless it would empty the table or the club has no such lift."""
    state = turn.state
    rules, sizes = state.ruleset, (len(state.tied), len(state.living))
    if (
        sizes[0] == sizes[1]
        or (sizes == (2, 4) and not rules.lift_two_of_four)
        or (sizes == (3, 9) and not rules.lift_three_of_nine)
    ):
        return _settle(turn)
    turn.set(ballot=Ballot(BallotKind.LIFT, state.tied))
    return voting.call(turn)


def _settle(turn: Turn, leave: tuple[int, ...] = (), cause: Cause = Cause.VOTE) -> Then:
    _record(turn, leave)
    turn.tell(VoteSettled(turn.state.day, leave, single=cause is Cause.SINGLE))
    if not leave:
        return Then.NIGHT
    outcome.remove(turn, leave, cause)
    outcome.judge_vote(turn, leave)
    return Then.FAREWELL


def _record(turn: Turn, leave: tuple[int, ...], *, dropped: bool = False) -> None:
    state = turn.state
    record = DayRecord(
        day=state.day,
        order=state.order,
        silenced=state.silenced,
        nominations=state.nominations,
        leave=leave,
        mistakes_left=state.mistakes_left,
        dropped=dropped,
    )
    turn.set(days=(*state.days, record), tied=())


# ---- when a seat is put out ----


def under_way(state: GameState) -> bool:
    """Return whether today's vote has begun and has no result yet."""
    return state.ballot is not None or bool(state.tied)


def drop(turn: Turn) -> Then:
    """Hold no vote today, or not the rest of it."""
    voting.close_window(turn)
    if turn.state.floor:
        turn.tell(SpeechEnded(turn.state.floor))
    turn.set(ballot=None, to_speak=(), floor=0)
    _record(turn, (), dropped=True)
    return Then.NIGHT


def strike(turn: Turn, seat: int) -> Then:
    """Take *seat*, just put out, off the list and the tied set; return what is held again.

    STAY: the vote has not begun, or goes on as it is.
    """
    state = turn.state
    listed = seat in (*state.nominees, *state.tied)
    turn.set(
        nominations=tuple(pair for pair in state.nominations if pair[1] != seat),
        tied=tuple(other for other in state.tied if other != seat),
    )
    if listed:
        turn.tell(NomineeStruck(seat))
    if state.ballot is None:
        return _without(turn, seat in state.tied)
    if state.phase is Phase.READING and seat not in state.ballot.candidates:
        return STAY
    voting.close_window(turn)
    turn.set(ballot=None)
    match state.ballot.kind:
        case BallotKind.VOTE:
            return Then.VOTE
        case BallotKind.REVOTE:
            return _without(turn, seat in state.tied, Then.TIE)
        case _:
            return _without(turn, seat in state.tied, Then.LIFT)


def _without(turn: Turn, cut: bool, again: Then = STAY) -> Then:
    """Go on with the tied set; one that was *cut* has not tied before."""
    tied = turn.state.tied
    if not cut:
        return again
    if len(tied) == 1:
        return _settle(turn, tied)
    if Then.LIFT in (again, turn.state.resume):
        return _tie(turn, tied)
    return again

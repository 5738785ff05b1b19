"""What the host can put right, with the rules' own checks.

Source: RULES 1.4, 1.6, 1.7, 1.16; the clocks by day only (1.11).
"""

from msgspec.structs import replace

from table_controller.game import floor, motions, night, tally, voting
from table_controller.game.actions import (
    CallAgain,
    CorrectNomination,
    CorrectVote,
    ExtendCountdown,
    GiveFoul,
    ShortenCountdown,
    TakeBackFoul,
)
from table_controller.game.events import (
    CountdownChanged,
    FoulGiven,
    FoulTakenBack,
    NominationChosen,
    NominationCorrected,
    VoteCorrected,
)
from table_controller.game.model import (
    SEATS,
    BallotKind,
    Countdown,
    CountdownKind,
    GameState,
    IllegalAction,
    Phase,
    Refusal,
)
from table_controller.game.turn import STAY, Then, Turn

EXTENSIONS_S = tuple(5.0 * step for step in range(1, 13))
"""By how much the host can make a countdown longer, or a floor shorter, at once, in seconds."""

LEAST_LEFT_S = 10.0
"""What is left of a floor, in seconds, when the host has made it shorter: the speaker is
still told that it ends. How much has passed is known to whoever keeps the time."""

SHORTENED = floor.SPEAKERS | {CountdownKind.SHOUT}
"""What the host can make shorter. In a window somebody may be about to press."""


# ---- fouls ----


def give_foul(turn: Turn, action: GiveFoul) -> Then:
    """Enter a shout that was made without the button: the foul, not the floor."""
    floor.check_shout(turn.state, action.seat)
    turn.tell(FoulGiven(action.seat, floor.add_foul(turn, action.seat, 1)))
    return STAY


def take_back_foul(turn: Turn, action: TakeBackFoul) -> Then:
    """Take a foul back; the speech that it cost comes back if its round has not begun."""
    refusal = no_take_back(turn.state, action.seat)
    if refusal is not None:
        raise IllegalAction(refusal, f"seat {action.seat}")
    turn.tell(FoulTakenBack(action.seat, floor.add_foul(turn, action.seat, -1)))
    return STAY


def no_take_back(state: GameState, seat: int) -> Refusal | None:
    """Return why no foul of *seat* can be taken back now."""
    if state.phase not in floor.BY_DAY:
        return Refusal.WRONG_PHASE
    if seat not in state.living:
        return Refusal.NOT_LIVING
    return None if state.fouls[seat - 1] else Refusal.NOTHING_TO_TAKE_BACK


# ---- nominations ----


def correct_nomination(turn: Turn, action: CorrectNomination) -> Then:
    """Change whom a seat has nominated, before the list is read out."""
    state, speaker, nominee = turn.state, action.speaker, action.nominee
    refusal = no_nomination(state, action)
    if refusal is not None:
        raise IllegalAction(refusal, f"{action}")
    if speaker == state.floor:
        turn.set(choice=nominee or 0)
        turn.tell(NominationChosen(speaker, nominee))
        return STAY
    chosen = dict(state.nominations) | {speaker: nominee}
    turn.set(nominations=tuple((seat, chosen[seat]) for seat in state.order if chosen.get(seat)))
    turn.tell(NominationCorrected(speaker, nominee))
    return STAY


def no_nomination(state: GameState, action: CorrectNomination) -> Refusal | None:
    """Return why this nomination cannot be changed to that now."""
    return _no_speaker(state, action.speaker) or _no_nominee(state, action)


def _no_speaker(state: GameState, speaker: int) -> Refusal | None:
    if speaker not in SEATS:
        return Refusal.NO_SUCH_SEAT
    if not state.order or state.settled or tally.under_way(state):
        return Refusal.WRONG_PHASE
    if speaker == state.floor or speaker in dict(state.nominations):
        return None
    if speaker not in state.living:
        return Refusal.NOT_LIVING
    return Refusal.NOT_SPOKEN if speaker in state.to_speak else None


def _no_nominee(state: GameState, action: CorrectNomination) -> Refusal | None:
    speaker, nominee = action.speaker, action.nominee
    if nominee is None:
        stands = state.choice if speaker == state.floor else speaker in dict(state.nominations)
        return None if stands else Refusal.NOTHING_TO_TAKE_BACK
    if nominee not in state.living:
        return Refusal.NOT_LIVING
    # What the speaker of the moment has chosen is as good as listed.
    chosen = () if speaker == state.floor else (state.choice,)
    return Refusal.ALREADY_LISTED if nominee in (*state.nominees, *chosen) else None


# ---- votes ----


def correct_vote(turn: Turn, action: CorrectVote) -> Then:
    """Change, enter or strike out the vote of a seat, until it is counted.

    The same vote again is accepted like any other, and so is none where there was
    none: a refusal would tell the host how the seat has voted.
    """
    state, seat, candidate = turn.state, action.seat, action.candidate
    refusal = no_vote(state, seat)
    if refusal is None and candidate not in (None, *callable_(state)):
        refusal = Refusal.NOT_CALLED
    if refusal is not None:
        raise IllegalAction(refusal, f"{action}")
    if state.motion is not None:
        others = tuple(voter for voter in state.motion.votes if voter != seat)
        votes = others if candidate is None else (*others, seat)
        turn.set(motion=replace(state.motion, votes=votes))
    else:
        ballot = voting.ballot_of(state)
        cast = tuple(pair for pair in ballot.votes if pair[0] != seat)
        if candidate is not None:
            cast = (*cast, (seat, candidate))
        turn.set(ballot=replace(ballot, votes=cast))
    turn.tell(VoteCorrected(seat, candidate))
    return STAY


def no_vote(state: GameState, seat: int) -> Refusal | None:
    """Return why the vote of *seat* cannot be changed now."""
    if state.motion is None and (state.ballot is None or state.phase is Phase.READING):
        return Refusal.WRONG_PHASE
    if seat not in state.living:
        return Refusal.NOT_LIVING
    accused = 0 if state.motion is None else state.motion.seat
    return Refusal.NOT_FOR_YOU if seat == accused else None


def voted(state: GameState) -> tuple[int, ...]:
    """Return who has a vote in the open ballot, lift or motion, by seat."""
    if state.motion is not None:
        return tuple(sorted(state.motion.votes))
    return tuple(sorted(seat for seat, _ in state.ballot.votes)) if state.ballot else ()


def is_yes_or_no(state: GameState) -> bool:
    """Return whether a vote that is open says yes to something, whoever gives it."""
    ballot = state.ballot
    return state.motion is not None or (ballot is not None and ballot.kind is BallotKind.LIFT)


def callable_(state: GameState) -> tuple[int, ...]:
    """Return what a vote can be for now: those called so far, 0 in a lift or motion."""
    if state.motion is not None:
        return (motions.WINDOW,)
    ballot = voting.ballot_of(state)
    if ballot.kind is BallotKind.LIFT:
        return (voting.LIFT,)
    return ballot.candidates[: ballot.called]


# ---- clocks ----


def extend_countdown(turn: Turn, action: ExtendCountdown) -> Then:
    """Make a countdown of the day longer; it keeps its id and what has passed of it."""
    clock = clock_of(turn.state, action.countdown)
    if action.by_s not in EXTENSIONS_S:
        raise IllegalAction(Refusal.BAD_EXTENSION, f"{action.by_s} s; one of {EXTENSIONS_S}")
    _change(turn, clock, action.by_s)
    return STAY


def shorten_countdown(turn: Turn, action: ShortenCountdown) -> Then:
    """Make a floor shorter; that enough is left of it has been seen to before."""
    clock = clock_of(turn.state, action.countdown)
    if action.by_s not in EXTENSIONS_S:
        raise IllegalAction(Refusal.BAD_EXTENSION, f"{action.by_s} s; one of {EXTENSIONS_S}")
    refusal = no_shortening(clock, action.by_s)
    if refusal is not None:
        raise IllegalAction(refusal, f"{clock.kind} of {clock.length_s} s")
    _change(turn, clock, -action.by_s)
    return STAY


def no_shortening(clock: Countdown, by_s: float) -> Refusal | None:
    """Return why *clock* cannot be made shorter by *by_s*, however little of it has passed."""
    if clock.kind not in SHORTENED:
        return Refusal.NO_FLOOR
    return Refusal.TOO_SHORT if clock.length_s - by_s < LEAST_LEFT_S else None


def _change(turn: Turn, clock: Countdown, by_s: float) -> None:
    name = _CLOCKS.get(clock.kind, "clock")
    turn.set(**{name: replace(clock, length_s=clock.length_s + by_s, runs=True)})
    turn.tell(CountdownChanged(clock.id, by_s))


_CLOCKS = {CountdownKind.SHOUT: "shout_clock", CountdownKind.ACCUSATION: "accusation_clock"}
"""Where a clock is that is not the main one."""


def clock_of(state: GameState, countdown: int) -> Countdown:
    """Return this countdown of the day, standing or not.

    :raises IllegalAction: by night, whose clocks are never changed, and when
        there is no such countdown.
    """
    if state.phase not in floor.BY_DAY:
        raise IllegalAction(Refusal.WRONG_PHASE, f"phase is {state.phase}")
    for clock in floor.countdowns(state):
        if clock.id == countdown:
            return clock
    raise IllegalAction(Refusal.STALE_COUNTDOWN, f"there is no countdown {countdown}")


def call_again(turn: Turn, action: CallAgain) -> Then:
    """Call the open night round, or the open call of a ballot, lift or motion, again."""
    if not can_call_again(turn.state):
        raise IllegalAction(Refusal.NOTHING_TO_CALL, f"phase is {turn.state.phase}")
    close_windows(turn)
    call_open_again(turn)
    return STAY


def can_call_again(state: GameState) -> bool:
    """Return whether something is being called."""
    by_day = state.phase is Phase.MOTION or voting.open_window(state) is not None
    return by_day or state.call is not None


def close_windows(turn: Turn) -> None:
    """Close the window that is open, if any."""
    voting.close_window(turn)
    motions.close_window(turn)
    night.close_window(turn)


def call_open_again(turn: Turn) -> None:
    """Begin again what was cut short: a ballot's call, a motion, a night round."""
    voting.call_again(turn)
    motions.call_again(turn)
    night.call_again(turn)

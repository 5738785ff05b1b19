"""Morning, the round of speeches, nominations, silences.

Source: RULES 1.3, 1.4, 1.6 and 1.12.
"""

from msgspec.structs import replace

from table_controller.game import floor, outcome
from table_controller.game.actions import (
    ClosePick,
    EndFloor,
    Nominate,
    OpenPick,
    TakeBackNomination,
)
from table_controller.game.events import (
    DayBegan,
    MissAnnounced,
    MorningCame,
    NominationChosen,
    NominationStood,
    ShotAnnounced,
    SingleNomineeWarned,
    SpeechBegan,
    SpeechEnded,
)
from table_controller.game.model import (
    SEATS,
    Cause,
    CountdownKind,
    GameState,
    IllegalAction,
    Phase,
    Refusal,
)
from table_controller.game.turn import STAY, Then, Turn


def wake(turn: Turn) -> Then:
    """Begin a morning: masks off, the cards of the living light up."""
    day = turn.state.day + 1
    turn.start(
        CountdownKind.MORNING,
        turn.state.ruleset.morning_s,
        day=day,
        phase=Phase.MORNING,
        hushed=(),
    )
    turn.tell(MorningCame(day))
    return STAY


def announce(turn: Turn) -> None:
    """Announce the night's result and let it take effect."""
    state = turn.state
    hit = state.nights[-1].hit if state.nights else None
    if hit is not None:
        turn.set(announced=hit)
        turn.tell(ShotAnnounced(hit))
        outcome.remove(turn, (hit,), Cause.SHOT)
    elif state.nights:
        turn.set(announced=0, idle_nights=state.idle_nights + 1)
        turn.tell(MissAnnounced())


def dawn(turn: Turn) -> Then:
    """Test victory, when all who leave at dawn are out."""
    outcome.judge_dawn(turn)
    if turn.state.to_speak:
        return Then.FAREWELL
    return Then.ROUND if turn.state.decided is None else Then.END


def begin_round(turn: Turn) -> Then:
    """Fix the order of speeches and who is silent, and give the first floor."""
    state = turn.state
    start = SEATS.index(state.first) + 1
    circle = SEATS[start:] + SEATS[:start]
    order = tuple(seat for seat in circle if seat in state.living)
    penalised = tuple(seat for seat in order if floor.owes_silence(state, seat))
    rules = state.ruleset
    short = rules.few_left_short_speech and len(order) <= rules.few_left
    turn.set(
        order=order,
        first=order[0],
        to_speak=order,
        silenced=() if short else penalised,
        shortened=penalised if short else (),
        silences=tuple(
            count + (seat in penalised) for seat, count in zip(SEATS, state.silences, strict=True)
        ),
    )
    turn.tell(DayBegan(state.day, order))
    return next_speech(turn)


def next_speech(turn: Turn) -> Then:
    """Give the floor to the next speaker; after the last comes the vote."""
    state = turn.state
    if not state.to_speak:
        return Then.VOTE
    seat, rules = state.to_speak[0], state.ruleset
    counts = state.day >= rules.single_leaves_from_day and state.day not in state.dropped
    if counts and len(state.to_speak) == 1 and len(state.nominations) == 1:
        turn.tell(SingleNomineeWarned(state.nominees[0]))
    if seat in state.silenced:
        floor.give(turn, seat, Phase.SPEECH, CountdownKind.SILENT, rules.silent_s)
    else:
        length_s = rules.few_left_speech_s if seat in state.shortened else rules.speech_s
        floor.give(turn, seat, Phase.SPEECH, CountdownKind.SPEECH, length_s)
    turn.tell(SpeechBegan(seat, seat in state.silenced))
    return STAY


def speech_due(turn: Turn) -> Then:
    """End the open speech, or give 3 s more to a nominee list that is still open."""
    state = turn.state
    if not state.pick_open:
        return end_speech(turn)
    turn.start(CountdownKind.PICK, state.ruleset.pick_grace_s, state.floor, phase=Phase.PICKING)
    return STAY


def end_speech(turn: Turn) -> Then:
    """End the open speech for good; the nomination that stands goes on the list."""
    state = turn.state
    seat, nominee = state.floor, state.choice
    floor.leave(turn, choice=0, pick_open=False)
    turn.tell(SpeechEnded(seat))
    if nominee:
        nominations = (*state.nominations, (seat, nominee))
        turn.state = replace(turn.state, nominations=nominations)
        turn.tell(NominationStood(seat, nominee))
    return Then.SPEECH


def put_out(turn: Turn, seat: int) -> Then:
    """End the speech of *seat*, just put out; what others say of it falls away."""
    state = turn.state
    if state.choice == seat:
        turn.set(choice=0)
        turn.tell(NominationChosen(state.floor, None))
    return end_speech(turn) if state.floor == seat else STAY


def end_floor(turn: Turn, action: EndFloor) -> Then:
    """Let the speaker, or a silenced seat in its slot, give up the rest."""
    floor.require(turn.state, action.seat, Phase.SPEECH, Phase.PICKING)
    return speech_due(turn) if turn.state.phase is Phase.SPEECH else end_speech(turn)


def open_pick(turn: Turn, action: OpenPick) -> Then:
    """Note that the speaker has the nominee list open."""
    floor.require(turn.state, action.seat, Phase.SPEECH)
    turn.set(pick_open=True)
    return STAY


def close_pick(turn: Turn, action: ClosePick) -> Then:
    """Note that the speaker left the nominee list."""
    floor.require(turn.state, action.seat, Phase.SPEECH, Phase.PICKING)
    return _picked(turn)


def nominate(turn: Turn, action: Nominate) -> Then:
    """Let the speaker choose a nominee, in place of an earlier choice."""
    state, nominee = turn.state, action.nominee
    floor.require(state, action.seat, Phase.SPEECH, Phase.PICKING)
    if nominee not in state.living:
        raise IllegalAction(Refusal.NOT_LIVING, f"nominee {nominee}")
    if nominee in state.nominees:
        raise IllegalAction(Refusal.ALREADY_LISTED, f"nominee {nominee}")
    turn.set(choice=nominee)
    turn.tell(NominationChosen(action.seat, nominee))
    return _picked(turn)


def candidates(state: GameState) -> tuple[int, ...]:
    """Return whom the speaker can nominate now."""
    listed = state.nominees
    return tuple(seat for seat in state.living if seat not in listed)


def take_back(turn: Turn, action: TakeBackNomination) -> Then:
    """Let the speaker withdraw the choice."""
    state = turn.state
    floor.require(state, action.seat, Phase.SPEECH, Phase.PICKING)
    if not state.choice:
        raise IllegalAction(Refusal.NOTHING_TO_TAKE_BACK, f"seat {action.seat}")
    turn.set(choice=0)
    turn.tell(NominationChosen(action.seat, None))
    return _picked(turn)


def _picked(turn: Turn) -> Then:
    """Close the list; a speech that waited for nothing else is over with that."""
    turn.set(pick_open=False)
    return end_speech(turn) if turn.state.phase is Phase.PICKING else STAY

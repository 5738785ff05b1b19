"""Grounds for a sanction, and the accusations of seats that may become such.

Source: RULES 2.1, 2.2 and 2.5.
"""

from msgspec.structs import replace

from table_controller.game import floor
from table_controller.game.actions import Accuse, ConfirmAccusation, OpenGrounds
from table_controller.game.events import (
    AccusationLapsed,
    AccusationMade,
    GroundsLapsed,
    GroundsOpened,
)
from table_controller.game.model import (
    Accusation,
    Countdown,
    CountdownKind,
    GameState,
    Grounds,
    IllegalAction,
    Offence,
    Refusal,
    Sanction,
    Source,
)
from table_controller.game.night import BY_NIGHT
from table_controller.game.turn import STAY, Then, Turn, held


def open_grounds(turn: Turn, action: OpenGrounds) -> Then:
    """Take up grounds that a camera or the host has; a motion follows by itself."""
    refusal = no_grounds(turn.state, action)
    if refusal is not None:
        raise IllegalAction(refusal, f"{action}")
    was = find(turn.state, action.seat, action.offence)
    if was is None:
        _take_up(turn, Accusation(0, action.seat, action.offence), action.source, action.severe)
    else:
        _tell(turn, replace(was, sanction=Sanction.DISQUALIFICATION))
    return STAY


def no_grounds(state: GameState, action: OpenGrounds) -> Refusal | None:
    """Return why these grounds cannot be opened now."""
    if not state.roles:
        return Refusal.WRONG_PHASE
    if not sees(action.offence, action.source, severe=action.severe):
        return Refusal.BAD_GROUNDS
    if action.source is not Source.HOST:
        if state.paused:
            return Refusal.PAUSED
        if state.phase not in floor.BY_DAY:
            return Refusal.WRONG_PHASE
        if action.seat not in state.living:
            return Refusal.NOT_LIVING
    if action.seat in state.disqualified:
        return Refusal.DISQUALIFIED
    was = find(state, action.seat, action.offence)
    if was is None:
        return None
    graver = action.severe and was.sanction is Sanction.TECHNICAL_FOUL and not was.put
    return None if graver else Refusal.ALREADY_OPEN


def sees(offence: Offence, source: Source, *, severe: bool) -> bool:
    """Return whether this source can say so."""
    match source:
        case Source.PRESENCE:
            return offence is Offence.AWAY and not severe
        case Source.GESTURE:
            return offence is Offence.FORBIDDEN_GESTURE and not severe
        case Source.HOST:
            return not severe or offence is Offence.FORBIDDEN_GESTURE
        case _:
            return False


def find(state: GameState, seat: int, offence: Offence) -> Grounds | None:
    """Return these grounds while their motion is still to come or open."""
    motion = 0 if state.motion is None else state.motion.grounds
    for grounds in state.grounds:
        waits = not grounds.put or grounds.number == motion
        if waits and (grounds.seat, grounds.offence) == (seat, offence):
            return grounds
    return None


def _take_up(
    turn: Turn, what: Accusation, source: Source, severe: bool = False, confirmed_by: int = 0
) -> None:
    state = turn.state
    grounds = Grounds(
        number=state.last_grounds + 1,
        seat=what.seat,
        offence=what.offence,
        sanction=Sanction.DISQUALIFICATION if severe else what.offence.sanction,
        source=source,
        by=what.by,
        confirmed_by=confirmed_by,
        day=state.day,
        by_night=state.phase in BY_NIGHT,
    )
    turn.set(last_grounds=grounds.number)
    _tell(turn, grounds)


def _tell(turn: Turn, grounds: Grounds) -> None:
    """Keep *grounds*, new or changed, and tell of them."""
    known = {other.number: other for other in turn.state.grounds} | {grounds.number: grounds}
    turn.set(grounds=tuple(known.values()))
    turn.tell(
        GroundsOpened(
            grounds.number,
            grounds.seat,
            grounds.offence,
            grounds.sanction,
            grounds.source,
            grounds.by,
            grounds.confirmed_by,
        )
    )


def lapse(turn: Turn, *which: Grounds) -> None:
    """Close grounds without a motion that passed."""
    turn.set(grounds=tuple(grounds for grounds in turn.state.grounds if grounds not in which))
    for grounds in which:
        turn.tell(GroundsLapsed(grounds.number))


def end_day(turn: Turn) -> None:
    """Let the grounds of earlier days lapse; every seat may accuse again."""
    state = turn.state
    lapse(turn, *(grounds for grounds in state.grounds if grounds.day < state.day))
    turn.set(accusers=())


# ---- accusations ----


def accuse(turn: Turn, action: Accuse) -> Then:
    """Let a seat accuse another; all see it, and a second seat can confirm it."""
    state = turn.state
    refusal = no_accuser(state, action.by) or no_accused(state, action)
    if refusal is not None:
        raise IllegalAction(refusal, f"{action}")
    number = state.last_countdown + 1
    clock = Countdown(number, CountdownKind.ACCUSATION, state.ruleset.accusation_s, True, action.by)
    turn.set(
        accusation=Accusation(action.by, action.seat, action.offence),
        accusation_clock=clock,
        last_countdown=number,
        accusers=(*state.accusers, action.by),
    )
    turn.tell(AccusationMade(action.by, action.seat, action.offence))
    return STAY


def no_accuser(state: GameState, by: int) -> Refusal | None:
    """Return why *by* cannot accuse anybody now."""
    if state.phase not in floor.BY_DAY or state.ballot is not None or state.motion is not None:
        return Refusal.WRONG_PHASE
    if state.accusation is not None:
        return Refusal.ALREADY_OPEN
    if by == state.floor:
        return Refusal.YOUR_FLOOR
    if by not in state.living:
        return Refusal.NOT_LIVING
    return Refusal.ALREADY_ACCUSED if by in state.accusers else None


def no_accused(state: GameState, action: Accuse) -> Refusal | None:
    """Return why this seat cannot be accused of this by that one."""
    if action.seat == action.by:
        return Refusal.NOT_FOR_YOU
    if action.seat in state.disqualified:
        return Refusal.DISQUALIFIED
    known = find(state, action.seat, action.offence)
    return None if known is None else Refusal.ALREADY_OPEN


def confirm(turn: Turn, action: ConfirmAccusation) -> Then:
    """Let a second seat confirm the open accusation: there are grounds."""
    refusal = no_second(turn.state, action.seat)
    if refusal is not None:
        raise IllegalAction(refusal, f"seat {action.seat}")
    accusation = turn.state.accusation
    assert accusation is not None
    turn.set(accusation=None, accusation_clock=None)
    _take_up(turn, accusation, Source.SEAT, confirmed_by=action.seat)
    return held(turn.state)


def no_second(state: GameState, seat: int) -> Refusal | None:
    """Return why *seat* cannot confirm now; the speaker's VOTE is for its own list."""
    accusation = state.accusation
    if accusation is None:
        return Refusal.NOTHING_TO_CONFIRM
    if seat not in state.living:
        return Refusal.NOT_LIVING
    if seat in (accusation.by, accusation.seat):
        return Refusal.NOT_FOR_YOU
    return Refusal.YOUR_FLOOR if seat == state.floor else None


def accusation_over(turn: Turn) -> Then:
    """Let the accusation lapse that nobody has confirmed."""
    accusation = turn.state.accusation
    assert accusation is not None
    turn.set(accusation=None, accusation_clock=None)
    turn.tell(AccusationLapsed(accusation.by))
    return held(turn.state)

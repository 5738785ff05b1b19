"""Whose floor it is, and the shouts of the others.

Source: RULES 1.5 and 1.6.
"""

from typing import Any

from msgspec.structs import replace

from table_controller.game.actions import Shout
from table_controller.game.events import ShoutBegan, ShoutEnded
from table_controller.game.model import (
    Countdown,
    CountdownKind,
    GameState,
    IllegalAction,
    Phase,
    Refusal,
)
from table_controller.game.turn import STAY, Then, Turn

BY_DAY = frozenset(
    {
        Phase.MORNING,
        Phase.SPEECH,
        Phase.PICKING,
        Phase.READING,
        Phase.BALLOT,
        Phase.TIE_SPEECH,
        Phase.LIFT,
        Phase.MOTION,
        Phase.ROLL_CALL,
        Phase.GAP,
        Phase.FAREWELL,
        Phase.FAREWELL_PICKS,
    }
)
"""From the morning call to nightfall."""

SPEAKERS = frozenset(
    {
        CountdownKind.SPEECH,
        CountdownKind.SILENT,
        CountdownKind.PICK,
        CountdownKind.TIE_SPEECH,
        CountdownKind.FAREWELL,
        CountdownKind.FAREWELL_PICKS,
    }
)
"""Clocks of a floor, which stand while somebody else shouts; all others run on."""


def countdowns(state: GameState) -> tuple[Countdown, ...]:
    """Return the clocks that the state wants: the main one, a shout's, an accusation's."""
    clocks = []
    if state.clock is not None:
        stands = state.paused or (bool(state.shouts) and state.clock.kind in SPEAKERS)
        clocks.append(_standing(state.clock) if stands else state.clock)
    if state.shout_clock is not None:
        stands = state.paused or state.motion is not None
        clocks.append(_standing(state.shout_clock) if stands else state.shout_clock)
    if state.accusation_clock is not None:
        clock = state.accusation_clock
        clocks.append(_standing(clock) if state.paused else clock)
    return tuple(clocks)


def running(state: GameState, number: int) -> Countdown | None:
    """Return the countdown with the id *number*, if it runs."""
    clock = state.clock
    if clock is not None and clock.id == number and not state.paused and not state.shouts:
        return clock
    for clock in countdowns(state):
        if clock.id == number and clock.runs:
            return clock
    return None


def _standing(clock: Countdown) -> Countdown:
    return replace(clock, runs=False)


def give(turn: Turn, seat: int, phase: Phase, kind: CountdownKind, length_s: float) -> None:
    """Give *seat* the floor; a shout of its own ends or lapses with that."""
    clock = turn.next_clock(kind, length_s, seat)
    turn.state = replace(turn.state, clock=clock, last_countdown=clock.id, phase=phase, floor=seat)
    drop(turn, (seat,))


def leave(turn: Turn, **changes: Any) -> None:
    """Take the floor from whom it is; its turn to speak is over."""
    speaker, left = turn.state.floor, turn.state.to_speak
    if speaker in left:
        left = tuple([seat for seat in left if seat != speaker])
    turn.state = replace(turn.state, to_speak=left, floor=0, **changes)


def require(state: GameState, seat: int, *phases: Phase) -> None:
    """Check that it is the floor of *seat*, in one of these phases.

    :raises IllegalAction: if it is not.
    """
    if state.phase not in phases:
        raise IllegalAction(Refusal.WRONG_PHASE, f"phase is {state.phase}")
    if state.floor != seat:
        raise IllegalAction(Refusal.NOT_YOUR_FLOOR, f"seat {seat}; the floor is {state.floor}'s")


def shout(turn: Turn, action: Shout) -> Then:
    """Open a shout, or let it wait behind the one that is open.

    The press costs the foul, also when its floor never opens: because the
    seat's own floor, its departure or the night comes first.
    """
    state, seat = turn.state, action.seat
    check_shout(state, seat)
    turn.set(shouts=(*state.shouts, seat))
    add_foul(turn, seat, 1)
    if not state.shouts:
        _open_first(turn)
    return STAY


def may_shout(state: GameState, seat: int) -> bool:
    """Return whether a SHOUT press of *seat* would be a new shout now."""
    return not state.paused and no_shout(state, seat) is None


def check_shout(state: GameState, seat: int) -> None:
    """Check that *seat* can shout here, pause or not.

    :raises IllegalAction: if it cannot.
    """
    refusal = no_shout(state, seat)
    if refusal is not None:
        raise IllegalAction(refusal, f"seat {seat}; phase is {state.phase}")


def add_foul(turn: Turn, seat: int, count: int) -> int:
    """Change the fouls of *seat* by *count*, and return what it has now."""
    was = turn.state.fouls
    fouls = was[seat - 1] + count
    turn.set(fouls=(*was[: seat - 1], fouls, *was[seat:]))
    return fouls


def no_shout(state: GameState, seat: int) -> Refusal | None:
    """Return why *seat* cannot shout here, pause or not."""
    if state.phase not in BY_DAY or state.motion is not None:
        return Refusal.WRONG_PHASE
    if seat == state.floor:
        return Refusal.YOUR_FLOOR
    if seat not in state.living:
        return Refusal.NOT_LIVING
    if seat in state.shouts:
        return Refusal.SHOUTING
    return None


def shout_over(turn: Turn) -> Then:
    """End the open shout; the next one that waits opens."""
    drop(turn, turn.state.shouts[:1])
    return STAY


def drop(turn: Turn, seats: tuple[int, ...]) -> None:
    """End or forget the shouts of *seats*; if the open one goes, the next opens."""
    was = turn.state.shouts
    if not was:
        return
    left = tuple(seat for seat in was if seat not in seats)
    if left == was:
        return
    turn.set(shouts=left)
    if was[0] in seats:
        turn.set(shout_clock=None)
        turn.tell(ShoutEnded(was[0]))
        if left:
            _open_first(turn)


def _open_first(turn: Turn) -> None:
    state = turn.state
    seat = state.shouts[0]
    number = state.last_countdown + 1
    turn.set(
        shout_clock=Countdown(number, CountdownKind.SHOUT, state.ruleset.shout_s, True, seat),
        last_countdown=number,
    )
    turn.tell(ShoutBegan(seat, state.fouls[seat - 1]))


def owes_silence(state: GameState, seat: int) -> bool:
    """Return whether fouls take the speech of *seat* in the next round to begin.

    Each multiple of three costs one round once a game, so what counts is how
    many of them there are against how many rounds they have cost already.
    """
    multiples = state.fouls[seat - 1] // state.ruleset.fouls_to_silence
    return multiples > state.silences[seat - 1]

"""The farewell: last speech, best move, crown.

Source: RULES 1.10.
"""

from msgspec.structs import replace

from table_controller.game import floor
from table_controller.game.actions import EndFloor, GiveBestMove, GiveCrown
from table_controller.game.events import (
    BestMoveGiven,
    CrownGiven,
    FarewellBegan,
    FarewellEnded,
    FarewellPicks,
)
from table_controller.game.model import (
    SEATS,
    CountdownKind,
    Farewell,
    FarewellRecord,
    GameState,
    IllegalAction,
    Phase,
    Refusal,
)
from table_controller.game.turn import STAY, Then, Turn


def begin(turn: Turn) -> Then:
    """Begin the farewell of the next who leaves; after the last the game goes on."""
    if not turn.state.to_speak:
        return _go_on(turn)
    seat = turn.state.to_speak[0]
    turn.set(farewell=Farewell(seat))
    length_s = turn.state.ruleset.farewell_s
    floor.give(turn, seat, Phase.FAREWELL, CountdownKind.FAREWELL, length_s)
    turn.tell(FarewellBegan(seat))
    return STAY


def speech_over(turn: Turn) -> Then:
    """End the speech; picks that are missing have a silent time of their own."""
    farewell = _farewell(turn.state)
    if farewell.locked:
        return end(turn)
    length_s = turn.state.ruleset.farewell_picks_s
    turn.start(CountdownKind.FAREWELL_PICKS, length_s, farewell.seat, phase=Phase.FAREWELL_PICKS)
    turn.tell(FarewellPicks(farewell.seat))
    return STAY


def end(turn: Turn) -> Then:
    """End the open farewell for good, with what was picked."""
    _lock(turn)
    return cut(turn)


def cut(turn: Turn) -> Then:
    """End the open farewell for good; what is not locked is void."""
    seat = _farewell(turn.state).seat
    floor.leave(turn, farewell=None)
    turn.tell(FarewellEnded(seat))
    return Then.NEXT_FAREWELL if turn.state.to_speak else _go_on(turn)


def _go_on(turn: Turn) -> Then:
    turn.set(leaving=())
    state = turn.state
    if state.decided is not None:
        return Then.END
    return Then.NIGHT if state.settled else Then.ROUND


def end_floor(turn: Turn, action: EndFloor) -> Then:
    """Let the seat give up the rest of its speech or of its silent time."""
    floor.require(turn.state, action.seat, Phase.FAREWELL, Phase.FAREWELL_PICKS)
    return speech_over(turn) if turn.state.phase is Phase.FAREWELL else end(turn)


def give_best_move(turn: Turn, action: GiveBestMove) -> Then:
    """Take the suspects; until both picks are given another choice replaces it."""
    seat, suspects = action.seat, action.suspects
    farewell = _open_picks(turn.state, seat)
    if (
        len(suspects) > turn.state.ruleset.best_move_max
        or len(set(suspects)) < len(suspects)
        or seat in suspects
        or not set(suspects) <= set(SEATS)
    ):
        raise IllegalAction(Refusal.BAD_BEST_MOVE, f"{suspects} of seat {seat}")
    return _given(turn, replace(farewell, best_move=suspects))


def give_crown(turn: Turn, action: GiveCrown) -> Then:
    """Take the crown; until both picks are given another choice replaces it."""
    farewell = _open_picks(turn.state, action.seat)
    if action.target is not None and action.target not in turn.state.living:
        raise IllegalAction(Refusal.BAD_CROWN, f"seat {action.target} is not living")
    return _given(turn, replace(farewell, crown=action.target, crowned=True))


def _open_picks(state: GameState, seat: int) -> Farewell:
    floor.require(state, seat, Phase.FAREWELL, Phase.FAREWELL_PICKS)
    farewell = _farewell(state)
    if farewell.locked:
        raise IllegalAction(Refusal.LOCKED, f"seat {seat}")
    return farewell


def _given(turn: Turn, farewell: Farewell) -> Then:
    turn.set(farewell=farewell)
    if farewell.best_move is None or not farewell.crowned:
        return STAY
    if turn.state.phase is Phase.FAREWELL_PICKS:
        return end(turn)
    _lock(turn)
    return STAY


def _lock(turn: Turn) -> None:
    farewell = _farewell(turn.state)
    if farewell.locked:
        return
    record = FarewellRecord(farewell.seat, farewell.best_move, farewell.crown)
    turn.set(farewell=replace(farewell, locked=True), farewells=(*turn.state.farewells, record))
    if record.best_move is not None:
        turn.tell(BestMoveGiven(record.seat, record.best_move))
    if record.crown is not None:
        turn.tell(CrownGiven(record.seat, record.crown))


def _farewell(state: GameState) -> Farewell:
    assert state.farewell is not None
    return state.farewell

"""The engine: every action, checked and played.

Pure: takes a state, returns a state. No clock, randomness, input, output.

Source: RULES 1.
"""

from collections.abc import Callable
from typing import Any

from table_controller.game import day, farewell, floor, night, opening, outcome, voting
from table_controller.game.actions import (
    Action,
    CloseBallot,
    ClosePick,
    Deal,
    EndFloor,
    Expire,
    GiveBestMove,
    GiveCrown,
    Nominate,
    OpenPick,
    Pause,
    PressAtNight,
    Ready,
    Resume,
    Shout,
    TakeBackNomination,
    Vote,
    VoteLift,
)
from table_controller.game.events import PASSING, Event, Paused, Resumed
from table_controller.game.legal import legal_actions as legal_actions
from table_controller.game.model import (
    SEATS,
    Countdown,
    CountdownKind,
    GameState,
    IllegalAction,
    Phase,
    Refusal,
)
from table_controller.game.ruleset import Ruleset
from table_controller.game.turn import Then, Turn


def new_game(ruleset: Ruleset) -> GameState:
    """Return a game in which nobody is seated yet."""
    return GameState(ruleset)


def apply(state: GameState, action: Action) -> tuple[GameState, tuple[Event, ...]]:
    """Play one action and return the new state with what happened.

    :raises IllegalAction: with a :class:`Refusal`, if the rules forbid it in
        this state. *state* is unchanged, as always.
    """
    _guard(state, action)
    turn = Turn(state)
    then = _PLAY[type(action)](turn, action)
    while then is not Then.STAY:
        then = _COURSE[then](turn)
    lasting = [event for event in turn.events if type(event) not in PASSING]
    if lasting:
        turn.set(course=(*turn.state.course, *lasting))
    return turn.state, tuple(turn.events)


def countdowns(state: GameState) -> tuple[Countdown, ...]:
    """Return the clocks that the state wants: the main one, then an open shout's."""
    return floor.countdowns(state)


def _guard(state: GameState, action: Action) -> None:
    if state.phase is Phase.OVER:
        raise IllegalAction(Refusal.GAME_OVER)
    if getattr(action, "seat", 1) not in SEATS:
        raise IllegalAction(Refusal.NO_SUCH_SEAT, f"{action}")
    if state.paused and not isinstance(action, _IN_PAUSE):
        raise IllegalAction(Refusal.PAUSED)


def _expire(turn: Turn, action: Expire) -> Then:
    for clock in floor.countdowns(turn.state):
        if clock.id == action.countdown and clock.runs:
            return _DUE[clock.kind](turn)
    raise IllegalAction(Refusal.STALE_COUNTDOWN, f"{action.countdown} does not run")


def _end_floor(turn: Turn, action: EndFloor) -> Then:
    match turn.state.phase:
        case Phase.TIE_SPEECH:
            return voting.end_floor(turn, action)
        case Phase.FAREWELL | Phase.FAREWELL_PICKS:
            return farewell.end_floor(turn, action)
        case _:
            return day.end_floor(turn, action)


def _pause(turn: Turn, action: Pause) -> Then:
    voting.close_window(turn)
    night.close_window(turn)
    turn.set(paused=True)
    turn.tell(Paused())
    return Then.STAY


def _resume(turn: Turn, action: Resume) -> Then:
    if not turn.state.paused:
        raise IllegalAction(Refusal.NOT_PAUSED)
    turn.set(paused=False)
    turn.tell(Resumed())
    voting.call_again(turn)
    night.call_again(turn)
    return Then.STAY


_IN_PAUSE = (Resume, Vote, VoteLift)
"""A vote that was on its way when the table paused still counts."""

_PLAY: dict[type[Action], Callable[[Turn, Any], Then]] = {
    Ready: opening.ready,
    Deal: opening.deal,
    Expire: _expire,
    EndFloor: _end_floor,
    OpenPick: day.open_pick,
    ClosePick: day.close_pick,
    Nominate: day.nominate,
    TakeBackNomination: day.take_back,
    Shout: floor.shout,
    Vote: voting.vote,
    VoteLift: voting.vote_lift,
    CloseBallot: voting.close_ballot,
    GiveBestMove: farewell.give_best_move,
    GiveCrown: farewell.give_crown,
    PressAtNight: night.press,
    Pause: _pause,
    Resume: _resume,
}

_DUE: dict[CountdownKind, Callable[[Turn], Then]] = {
    CountdownKind.LOOK: opening.look_over,
    CountdownKind.NIGHTFALL: night.fallen,
    CountdownKind.MEETING: night.meeting_over,
    CountdownKind.REST: night.rest_over,
    CountdownKind.CALL: night.guard_over,
    CountdownKind.WINDOW: night.call_over,
    CountdownKind.LAST_WINDOW: night.last_window_over,
    CountdownKind.GATHER: night.count,
    CountdownKind.MORNING: day.dawn,
    CountdownKind.SPEECH: day.speech_due,
    CountdownKind.SILENT: day.speech_due,
    CountdownKind.PICK: day.end_speech,
    CountdownKind.READ: voting.call_next,
    CountdownKind.BALLOT: voting.window_over,
    CountdownKind.BALLOT_GAP: voting.call_next,
    CountdownKind.ROLL_CALL: voting.count,
    CountdownKind.TIE_SPEECH: voting.end_tie_speech,
    CountdownKind.LIFT: voting.window_over,
    CountdownKind.FAREWELL: farewell.speech_over,
    CountdownKind.FAREWELL_PICKS: farewell.end,
    CountdownKind.SHOUT: floor.shout_over,
}
"""What happens when a countdown runs out."""

_COURSE: dict[Then, Callable[[Turn], Then]] = {
    Then.NIGHT: night.fall,
    Then.MORNING: day.wake,
    Then.ROUND: day.begin_round,
    Then.VOTE: voting.begin,
    Then.FAREWELL: farewell.begin,
    Then.END: outcome.end,
}
"""Who begins what comes next."""

"""The engine: every action, checked and played.

Pure: takes a state, returns a state. No clock, randomness, input, output.

Source: RULES 1.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from table_controller.game import actions as do
from table_controller.game import (
    corrections,
    day,
    fairplay,
    farewell,
    floor,
    grounds,
    motions,
    night,
    opening,
    outcome,
    tally,
    voting,
)
from table_controller.game.actions import Action
from table_controller.game.events import PASSING, Event, Paused, Resumed
from table_controller.game.legal import host_actions as host_actions
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
from table_controller.game.turn import STAY, Then, Turn, held

_OVER = Phase.OVER
"""Read with every input; see ``turn.STAY``."""


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
    while then is not STAY and not motions.hold_up(turn, then):
        then = _COURSE[then](turn)
    for event in turn.events:
        if type(event) not in PASSING:
            turn.state = replace(turn.state, course=(*turn.state.course, event))
    return turn.state, tuple(turn.events)


def countdowns(state: GameState) -> tuple[Countdown, ...]:
    """Return the clocks that the state wants: the main one, a shout's, an accusation's."""
    return floor.countdowns(state)


def _guard(state: GameState, action: Action) -> None:
    if state.phase is _OVER:
        raise IllegalAction(Refusal.GAME_OVER)
    if not 1 <= getattr(action, "seat", 1) <= len(SEATS):
        raise IllegalAction(Refusal.NO_SUCH_SEAT, f"{action}")
    if state.paused and type(action) in _NOT_IN_PAUSE:
        raise IllegalAction(Refusal.PAUSED)


def _expire(turn: Turn, action: do.Expire) -> Then:
    clock = floor.running(turn.state, action.countdown)
    if clock is not None:
        return _DUE[clock.kind](turn)
    raise IllegalAction(Refusal.STALE_COUNTDOWN, f"{action.countdown} does not run")


def _end_countdown(turn: Turn, action: do.EndCountdown) -> Then:
    return _DUE[corrections.clock_of(turn.state, action.countdown).kind](turn)


def _end_floor(turn: Turn, action: do.EndFloor) -> Then:
    match turn.state.phase:
        case Phase.TIE_SPEECH:
            return tally.end_floor(turn, action)
        case Phase.FAREWELL | Phase.FAREWELL_PICKS:
            return farewell.end_floor(turn, action)
        case _:
            return day.end_floor(turn, action)


def _close_ballot(turn: Turn, action: do.CloseBallot) -> Then:
    if turn.state.phase is not Phase.ROLL_CALL:
        raise IllegalAction(Refusal.WRONG_PHASE, f"phase is {turn.state.phase}")
    return _count(turn)


def _count(turn: Turn) -> Then:
    return tally.count(turn) if turn.state.motion is None else fairplay.count_motion(turn)


def _void(turn: Turn, action: do.Void) -> Then:
    """End the game; a result that stands already is not taken away."""
    return Then.END


def _pause(turn: Turn, action: do.Pause) -> Then:
    corrections.close_windows(turn)
    turn.set(paused=True)
    turn.tell(Paused())
    return STAY


def _resume(turn: Turn, action: do.Resume) -> Then:
    if not turn.state.paused:
        raise IllegalAction(Refusal.NOT_PAUSED)
    turn.set(paused=False)
    turn.tell(Resumed())
    corrections.call_open_again(turn)
    return held(turn.state)


def _dawn(turn: Turn) -> Then:
    day.announce(turn)
    fairplay.dawn(turn)
    return day.dawn(turn)


def _nightfall(turn: Turn) -> Then:
    grounds.end_day(turn)
    return night.fall(turn)


def _end(turn: Turn) -> Then:
    corrections.close_windows(turn)
    return outcome.end(turn)


_PLAY: dict[type[Action], Callable[[Turn, Any], Then]] = {
    do.Ready: opening.ready,
    do.Deal: opening.deal,
    do.Expire: _expire,
    do.EndFloor: _end_floor,
    do.OpenPick: day.open_pick,
    do.ClosePick: day.close_pick,
    do.Nominate: day.nominate,
    do.TakeBackNomination: day.take_back,
    do.Shout: floor.shout,
    do.Vote: voting.vote,
    do.VoteLift: voting.vote_lift,
    do.CloseBallot: _close_ballot,
    do.GiveBestMove: farewell.give_best_move,
    do.GiveCrown: farewell.give_crown,
    do.PressAtNight: night.press,
    do.Pause: _pause,
    do.Resume: _resume,
    do.OpenGrounds: grounds.open_grounds,
    do.Accuse: grounds.accuse,
    do.ConfirmAccusation: grounds.confirm,
    do.VoteMotion: motions.vote,
    do.PutOpponentVictory: motions.put_opponent_victory,
    do.Rule: fairplay.rule,
    do.Withdraw: fairplay.withdraw,
    do.Void: _void,
    do.GiveFoul: corrections.give_foul,
    do.TakeBackFoul: corrections.take_back_foul,
    do.CorrectNomination: corrections.correct_nomination,
    do.CorrectVote: corrections.correct_vote,
    do.EndCountdown: _end_countdown,
    do.ExtendCountdown: corrections.extend_countdown,
    do.ShortenCountdown: corrections.shorten_countdown,
    do.CallAgain: corrections.call_again,
}

_NOT_IN_PAUSE = frozenset(_PLAY) - {
    do.Resume,
    # A vote that was on its way when the table paused still counts.
    do.Vote,
    do.VoteLift,
    do.VoteMotion,
    # What the host does, but for the clocks that stand.
    do.OpenGrounds,
    do.PutOpponentVictory,
    do.Rule,
    do.Withdraw,
    do.Void,
    do.GiveFoul,
    do.TakeBackFoul,
    do.CorrectNomination,
    do.CorrectVote,
    do.ExtendCountdown,
    do.ShortenCountdown,
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
    CountdownKind.MORNING: _dawn,
    CountdownKind.SPEECH: day.speech_due,
    CountdownKind.SILENT: day.speech_due,
    CountdownKind.PICK: day.end_speech,
    CountdownKind.READ: voting.call_next,
    CountdownKind.BALLOT: voting.window_over,
    CountdownKind.BALLOT_GAP: voting.call_next,
    CountdownKind.ROLL_CALL: _count,
    CountdownKind.TIE_SPEECH: tally.end_tie_speech,
    CountdownKind.LIFT: voting.window_over,
    CountdownKind.FAREWELL: farewell.speech_over,
    CountdownKind.FAREWELL_PICKS: farewell.end,
    CountdownKind.SHOUT: floor.shout_over,
    CountdownKind.MOTION: motions.window_over,
    CountdownKind.ACCUSATION: grounds.accusation_over,
}
"""What happens when a countdown runs out."""

_COURSE: dict[Then, Callable[[Turn], Then]] = {
    Then.NIGHT: _nightfall,
    Then.MORNING: day.wake,
    Then.ROUND: day.begin_round,
    Then.SPEECH: day.next_speech,
    Then.VOTE: tally.begin,
    Then.TIE: tally.next_speech,
    Then.LIFT: tally.lift,
    Then.FAREWELL: farewell.begin,
    Then.NEXT_FAREWELL: farewell.begin,
    Then.END: _end,
}
"""Who begins what comes next."""

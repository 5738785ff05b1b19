"""The acquaintance night and the shooting nights.

Every living player presses once in every round; whose press means something is
known here alone, and nothing that happens depends on it before the morning.

Source: RULES 1.2 and 1.11.
"""

from msgspec.structs import replace

from table_controller.game import floor
from table_controller.game.actions import PressAtNight
from table_controller.game.events import (
    Checked,
    MafiaSlept,
    MafiaWoke,
    NightFell,
    NightPressed,
    NumberCalled,
    RoundBegan,
    RoundCalled,
    ShotsFixed,
    WindowClosed,
    WindowOpened,
)
from table_controller.game.model import (
    CheckRecord,
    CountdownKind,
    GameState,
    IllegalAction,
    NightCall,
    NightRecord,
    NightRound,
    Phase,
    Refusal,
    Role,
    Team,
)
from table_controller.game.turn import STAY, Then, Turn

BY_NIGHT = frozenset({Phase.NIGHTFALL, Phase.MEETING, Phase.REST, Phase.CALLING, Phase.GATHERING})
"""From nightfall to the morning call: for everybody the same night."""

_CALL, _WINDOW, _CALLING = CountdownKind.CALL, CountdownKind.WINDOW, Phase.CALLING
"""Read with every number that is called; see ``turn.STAY``."""


def fall(turn: Turn) -> Then:
    """Begin a night; what the day had open is over."""
    state = turn.state
    floor.drop(turn, state.shouts)
    turn.start(
        CountdownKind.NIGHTFALL,
        state.ruleset.nightfall_s,
        phase=Phase.NIGHTFALL,
        night=state.night + 1,
        order=(),
        silenced=(),
        shortened=(),
        nominations=(),
        announced=None,
    )
    turn.tell(NightFell(state.night + 1))
    return STAY


def fallen(turn: Turn) -> Then:
    """Wake the mafia in the first night; call the round of shots in the others."""
    if turn.state.night > 0:
        return _call_round(turn, NightRound.SHOTS)
    turn.start(CountdownKind.MEETING, turn.state.ruleset.meeting_s, phase=Phase.MEETING)
    turn.tell(MafiaWoke())
    return STAY


def meeting_over(turn: Turn) -> Then:
    """Let the mafia sleep again."""
    turn.start(CountdownKind.REST, turn.state.ruleset.rest_s, phase=Phase.REST)
    turn.tell(MafiaSlept())
    return STAY


def rest_over(turn: Turn) -> Then:
    """End the acquaintance night."""
    return Then.MORNING


# ---- the calls ----


def _call_round(turn: Turn, round_: NightRound) -> Then:
    serial = turn.state.last_call + 1
    turn.set(
        last_call=serial,
        phase=Phase.CALLING,
        call=NightCall(round_, turn.state.living, called=0),
    )
    turn.tell(RoundBegan(round_, serial))
    return _call_number(turn)


def _call_number(turn: Turn) -> Then:
    state, call = turn.state, _call(turn.state)
    clock = turn.next_clock(_CALL, state.ruleset.call_guard_s)
    called = replace(call, called=call.called + 1)
    turn.state = replace(state, clock=clock, last_countdown=clock.id, call=called)
    turn.tell(NumberCalled(call.round, call.numbers[call.called]))
    return STAY


def guard_over(turn: Turn) -> Then:
    """Move the window from the number called before to the one called now."""
    state, call = turn.state, _call(turn.state)
    close_window(turn)
    clock = turn.next_clock(_WINDOW, state.ruleset.call_s - state.ruleset.call_guard_s)
    turn.state = replace(state, clock=clock, last_countdown=clock.id)
    turn.tell(WindowOpened(call.numbers[call.called - 1]))
    return STAY


def call_over(turn: Turn) -> Then:
    """Call the next number; the last one's window stays open a little longer."""
    call = _call(turn.state)
    if call.called < len(call.numbers):
        return _call_number(turn)
    turn.start(CountdownKind.LAST_WINDOW, turn.state.ruleset.call_guard_s)
    return STAY


def last_window_over(turn: Turn) -> Then:
    """Gather the last answers, for the same time whoever presses."""
    close_window(turn)
    turn.start(CountdownKind.GATHER, turn.state.ruleset.gather_s, phase=Phase.GATHERING)
    turn.tell(RoundCalled(_call(turn.state).round))
    return STAY


def opened(state: GameState) -> tuple[int, ...]:
    """Return the numbers whose windows have opened in the present call."""
    if state.call is None:
        return ()
    assert state.clock is not None
    guarded = state.clock.kind is _CALL
    return state.call.numbers[: state.call.called - guarded]


def close_window(turn: Turn) -> None:
    """Close the open window, if any: the next opens, or something cuts it; a pause has already."""
    numbers = opened(turn.state)
    if turn.state.phase is _CALLING and numbers and not turn.state.paused:
        turn.tell(WindowClosed(numbers[-1]))


def call_again(turn: Turn) -> None:
    """After a pause, call the round from its start; its presses so far are void."""
    if turn.state.call is not None:
        _call_round(turn, turn.state.call.round)


# ---- the presses ----


def press(turn: Turn, action: PressAtNight) -> Then:
    """Take a press, whoever makes it, until its round is counted."""
    state = turn.state
    if state.call is None:
        raise IllegalAction(Refusal.WRONG_PHASE, f"phase is {state.phase}")
    if action.seat not in state.living:
        raise IllegalAction(Refusal.NOT_LIVING, f"seat {action.seat}")
    if action.number not in opened(state):
        raise IllegalAction(Refusal.NOT_CALLED, f"number {action.number}")
    pressed = (action.seat, action.number)
    call = replace(state.call, presses=(*state.call.presses, pressed))
    turn.state = replace(state, call=call)
    turn.tell(NightPressed(*pressed))
    return STAY


def count(turn: Turn) -> Then:
    """Count the round; after the sheriff's comes the morning."""
    round_ = _call(turn.state).round
    if round_ is NightRound.SHOTS:
        _fix_shots(turn)
        return _call_round(turn, NightRound.DON)
    if round_ is NightRound.DON:
        _check(turn, Role.DON)
        return _call_round(turn, NightRound.SHERIFF)
    _check(turn, Role.SHERIFF)
    turn.set(call=None)
    return Then.MORNING


def _fix_shots(turn: Turn) -> None:
    state = turn.state
    presses = _call(state).presses
    shots = []
    for mafioso in state.mafia:
        numbers = {number for seat, number in presses if seat == mafioso}
        shots.append((mafioso, numbers.pop() if len(numbers) == 1 else None))
    targets = {target for _, target in shots}
    hit = targets.pop() if len(targets) == 1 else None
    record = NightRecord(state.night, tuple(shots), hit)
    turn.set(nights=(*state.nights, record))
    turn.tell(ShotsFixed(record.shots, hit))


def _check(turn: Turn, role: Role) -> None:
    state = turn.state
    checker = state.living_with(role)
    numbers = [number for seat, number in _call(state).presses if seat == checker]
    if checker is None or not numbers or numbers[0] == checker:
        return
    target = state.roles[numbers[0] - 1]
    positive = target is Role.SHERIFF if role is Role.DON else target.team is Team.MAFIA
    check = CheckRecord(checker, numbers[0], positive)
    night = state.nights[-1]
    night = replace(night, checks=(*night.checks, check))
    turn.set(nights=(*state.nights[:-1], night))
    turn.tell(Checked(check.seat, check.target, check.positive))


def _call(state: GameState) -> NightCall:
    assert state.call is not None
    return state.call

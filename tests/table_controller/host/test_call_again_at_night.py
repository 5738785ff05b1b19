"""A night round that a host has called again: what was pressed before is void, and nobody learns.

Source: RULES 1.11, 1.16 and 1.17.
"""

import msgspec
import pytest

from firmware.fakes import FakeClock
from table_controller.game import SEATS, Phase, Refusal, Role, actions
from table_controller.game.terms import NightRound
from tests.table_controller.conftest import Rig
from tests.table_controller.host.conftest import Desk

pytestmark = pytest.mark.proof

ROUNDS = list(NightRound)


@pytest.fixture
def night(rig):
    """Return a function that lets a round of the first night come, its first number called."""
    rig.to_first_day()

    def to(round_):
        to_the_round(rig, round_)
        return rig

    return to


def to_the_round(rig, round_):
    while rig.phase is Phase.SPEECH:
        rig.end_floor(rig.state.floor)
    rig.until(lambda: rig.state.call is not None and rig.state.call.round is round_)


def to_the_number(rig, number):
    """Let time pass until the window of *number* is open."""
    rig.until(lambda: rig.state.call.called == number)
    rig.advance(0.5)


def owners(rig, round_):
    """Return whose presses count in the round."""
    if round_ is NightRound.SHOTS:
        return rig.state.mafia
    return (rig.state.living_with(Role.DON if round_ is NightRound.DON else Role.SHERIFF),)


def came_of(rig, round_):
    """Return what the round has come to: who was shot, or who was checked."""
    rig.until(lambda: rig.state.call is None or rig.state.call.round is not round_)
    record = rig.state.nights[-1]
    if round_ is NightRound.SHOTS:
        return record.hit
    (owner,) = owners(rig, round_)
    return next((each.target for each in record.checks if each.seat == owner), None)


@pytest.mark.parametrize("round_", ROUNDS)
@pytest.mark.parametrize("answered", [True, False], ids=["answered", "on its way"])
def test_what_was_pressed_before_does_not_count(night, host, round_, answered):
    rig = night(round_)
    target = next(seat for seat in SEATS if seat not in owners(rig, round_))
    to_the_number(rig, target)
    rig.press(*owners(rig, round_))
    if answered:
        # It rides in the answer to the next number.
        rig.advance(3.0)
        assert {seat for seat, _ in rig.state.call.presses} >= set(owners(rig, round_))
    host.look()
    assert host.order(actions.CallAgain()).why is None
    assert (rig.state.call.called, rig.state.call.presses) == (1, ())
    assert came_of(rig, round_) is None


@pytest.mark.parametrize("round_", ROUNDS)
def test_what_is_pressed_in_the_last_call_counts_alone(night, host, round_):
    rig = night(round_)
    *_, first, second = (seat for seat in SEATS if seat not in owners(rig, round_))
    to_the_number(rig, first)
    rig.press(*owners(rig, round_))
    host.look()
    assert host.order(actions.CallAgain()).why is None
    to_the_number(rig, second)
    rig.press(*owners(rig, round_))
    assert came_of(rig, round_) == second


@pytest.mark.parametrize("round_", ROUNDS)
def test_sent_twice_it_is_called_again_once_and_a_stale_order_calls_nothing(
    night, host, other, round_
):
    rig = night(round_)
    to_the_number(rig, 3)
    host.look()
    other.look()
    serial = rig.state.last_call
    once = host.order(actions.CallAgain(), id_="once")
    rig.advance(4.0)
    called = rig.state.call.called
    assert called > 1
    assert host.order(actions.CallAgain(), id_="once") == once
    answer = other.order(actions.CallAgain())
    assert str(answer.why) == "Something has changed meanwhile."
    assert [change.what for change in answer.changed] == [actions.CallAgain()]
    assert (rig.state.last_call, rig.state.call.called) == (serial + 1, called)


@pytest.mark.parametrize("round_", ROUNDS)
def test_in_a_pause_it_is_refused_and_going_on_calls_the_round_again(night, host, round_):
    rig = night(round_)
    target = next(seat for seat in SEATS if seat not in owners(rig, round_))
    to_the_number(rig, target)
    rig.press(*owners(rig, round_))
    rig.advance(3.0)
    assert rig.state.call.presses
    host.look()
    assert host.order(actions.Pause()).why is None
    host.look()
    assert "call_again" not in rig.sheets.sheet.orders
    assert host.order(actions.CallAgain()).why.refusal is Refusal.PAUSED
    serial = rig.state.last_call
    assert host.order(actions.Resume()).why is None
    assert (rig.state.last_call, rig.state.call.called) == (serial + 1, 1)
    assert came_of(rig, round_) is None


def watched_night(folder, round_, pressing):
    """Return what leaves the table in a night whose *round_* is called again at its number 5.

    *pressing* press VOTE before it, and after it at another number: each cue and message with
    its moment and size, and what the host's page is sent.
    """
    rig = Rig(folder, FakeClock())
    rig.to_first_day()
    to_the_round(rig, round_)
    host, out, began_s = Desk(rig), [], rig.now_s
    take, publish = rig.broker.take, rig.sheets.publish

    def note(link, topic, payload, qos, retain):
        out.append((round(rig.now_s - began_s, 3), topic, len(payload)))
        return take(link, topic, payload, qos, retain)

    def note_sheet(sheet):
        told = msgspec.json.encode(msgspec.structs.replace(sheet, board=None))
        out.append((round(rig.now_s - began_s, 3), "sheet", told))
        publish(sheet)

    rig.broker.take, rig.sheets.publish = note, note_sheet
    to_the_number(rig, 4)
    rig.press(*pressing) if pressing else rig.advance(0.2)
    to_the_number(rig, 5)
    host.look()
    answer = host.order(actions.CallAgain())
    out.append((round(rig.now_s - began_s, 3), "answer", answer.step, answer.why, answer.changed))
    to_the_number(rig, 2)
    rig.press(*pressing) if pressing else rig.advance(0.2)
    rig.until_phase(Phase.MORNING)
    presses = len(rig.table.playing.past.actions)
    rig.table.playing.close()
    rig.journals.close()
    # The morning may tell: what it announces is not the night's.
    return [each for each in out if each[0] < out[-1][0]], presses


@pytest.mark.parametrize("round_", ROUNDS)
def test_nothing_tells_of_a_press_before_or_after_the_round_was_called_again(tmp_path, round_):
    quiet, few = watched_night(tmp_path / "quiet" / "journal", round_, ())
    lively, many = watched_night(tmp_path / "lively" / "journal", round_, (1, 3, 6, 9))
    assert many > few
    assert len(quiet) > 100
    assert lively == quiet

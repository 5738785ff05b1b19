"""Orders as they are read, refused with what has changed, and carried out once."""

import json
import typing

import pytest

from table_controller.game import Phase, Refusal, actions
from table_controller.game.events import FoulGiven, SpeechBegan, VoteCast
from table_controller.game.terms import Offence, Sanction
from table_controller.host import orders
from table_controller.host.changes import TOLD_MAX
from table_controller.host.ordering import ANSWERS_KEPT
from table_controller.host.orders import CONSOLE_ORDERS, BadRequest, Request, read_request
from table_controller.host.subjects import of_event, of_order

# ---- as they are read ----


def body(order, **fields):
    return json.dumps({"id": "a", "step": 3, "order": order} | fields).encode()


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ({"do": "pause"}, actions.Pause()),
        ({"do": "give_foul", "seat": 4}, actions.GiveFoul(4)),
        ({"do": "extend_countdown", "countdown": 12, "by_s": 15}, actions.ExtendCountdown(12, 15)),
        (
            {"do": "shorten_countdown", "countdown": 12, "by_s": 10},
            actions.ShortenCountdown(12, 10),
        ),
        ({"do": "correct_vote", "seat": 4, "candidate": None}, actions.CorrectVote(4, None)),
        (
            {"do": "rule", "sanction": "technical_foul", "seat": 4, "offence": "bets"},
            actions.Rule(Sanction.TECHNICAL_FOUL, 4, Offence.BETS),
        ),
        (
            {"do": "open_grounds", "seat": 4, "offence": "forbidden_gesture", "severe": True},
            orders.Accuse(4, Offence.FORBIDDEN_GESTURE, severe=True),
        ),
        ({"do": "swap", "seat": 4, "node": "node-11"}, orders.Swap(4, "node-11")),
        ({"do": "identify", "node": "node-11"}, orders.Identify(node="node-11")),
        ({"do": "place", "step": "skip"}, orders.Place(orders.PlaceStep.SKIP)),
        ({"do": "place"}, orders.Place()),
        ({"do": "undo", "keep": 7}, orders.Undo(7)),
    ],
    ids=str,
)
def test_an_order_is_read(sent, read):
    assert read_request(body(sent)) == Request("a", 3, read)


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (b"", "no order"),
        (b"[]", "Expected `object`, got `array`"),
        (b"\xff", "no order"),
        (b"[" * 5000, "no order"),
        (body({"do": "fly"}), "'fly'"),
        (body({"do": "fly"}), "the orders are pause, resume"),
        (body({"seat": 4}), "missing required field `do`"),
        (body({"do": "give_foul"}), "missing required field `seat`"),
        (body({"do": "give_foul", "seat": "4"}), "Expected `int`, got `str` - at `$.order.seat`"),
        (body({"do": "give_foul", "seat": 4, "why": 1}), "unknown field `why`"),
        (body({"do": "deal", "roles": []}), "'deal'"),
        (body({"do": "expire", "countdown": 1}), "'expire'"),
        (body({"do": "press_at_night", "seat": 1, "number": 2}), "'press_at_night'"),
        (body({"do": "shout", "seat": 1}), "'shout'"),
        (body({"do": "rule", "sanction": "x", "seat": 4, "offence": "bets"}), "'x'"),
        (body({"do": "swap", "seat": 4, "node": "node-99"}), "'node-99': expected one of node-01"),
        (body({"do": "pause"}, id=""), "id of 0 letters"),
        (body({"do": "pause"}, id="x" * 65), "id of 65 letters"),
        (body({"do": "pause"}, step=-1), "step -1"),
        (body({"do": "pause"}, more=1), "unknown field `more`"),
    ],
)
def test_what_is_no_order_is_refused_with_what_was_found(sent, told):
    with pytest.raises(BadRequest) as refused:
        read_request(sent)
    assert told in str(refused.value)


def test_every_order_has_its_name_once():
    assert len(set(CONSOLE_ORDERS)) == len(CONSOLE_ORDERS)
    assert set(typing.get_args(orders.ConsoleOrder)) > set(typing.get_args(orders.TableOrder))


# ---- on the table ----


def told(answer):
    return [type(change.what) for change in answer.changed]


def test_an_order_is_done_and_its_answer_tells_the_step_after_it(rig, host):
    rig.to_first_day()
    host.look()
    answer = host.order(actions.GiveFoul(4))
    assert (answer.why, answer.step) == (None, host.step + 1)
    assert rig.state.fouls[3] == 1


def test_the_second_of_two_conflicting_orders_is_refused_with_what_changed(rig, host, other):
    rig.to_first_day()
    host.look()
    other.look()
    assert host.order(actions.GiveFoul(4)).why is None
    answer = other.order(actions.GiveFoul(4))
    assert str(answer.why) == "Something has changed meanwhile."
    assert [change.what for change in answer.changed] == [FoulGiven(4, 1)]
    assert rig.state.fouls[3] == 1
    other.look()
    assert other.order(actions.GiveFoul(4)).why is None
    assert rig.state.fouls[3] == 2


def test_a_shout_elsewhere_makes_no_host_tap_twice_and_one_of_the_same_seat_does(rig, host):
    rig.to_first_day()
    host.look()
    rig.shout(7)
    assert host.order(actions.GiveFoul(4)).why is None
    assert host.order(actions.GiveFoul(7), step=host.step).why is not None
    assert rig.state.fouls[6] == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (actions.Pause(), actions.Pause()),
        (actions.GiveFoul(4), actions.TakeBackFoul(4)),
        (actions.Void(), actions.GiveFoul(4)),
        (actions.Void(), actions.Pause()),
        (orders.Swap(4, "node-11"), orders.Swap(4, "node-12")),
        (orders.Swap(4, "node-11"), orders.Swap(5, "node-11")),
        (orders.Identify(4), orders.Identify(4)),
        (orders.Accuse(4, Offence.BETS), orders.Accuse(4, Offence.INSULTS)),
        (actions.PutOpponentVictory(4), actions.PutOpponentVictory(5)),
    ],
    ids=str,
)
def test_orders_about_the_same_conflict(rig, host, first, second):
    rig.to_first_day()
    host.look()
    assert host.order(first).why is None
    assert host.order(second).why is not None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (actions.GiveFoul(4), actions.GiveFoul(5)),
        (actions.GiveFoul(4), actions.Pause()),
        (orders.Swap(4, "node-11"), orders.Swap(5, "node-12")),
        (orders.Accuse(4, Offence.BETS), actions.GiveFoul(4)),
        (actions.Pause(), actions.GiveFoul(4)),
        (actions.Rule(Sanction.TECHNICAL_FOUL, 4, Offence.BETS), actions.GiveFoul(5)),
    ],
    ids=str,
)
def test_unrelated_orders_do_not(rig, host, first, second):
    rig.to_first_day()
    host.look()
    assert host.order(first).why is None
    assert host.order(second).why is None


def test_a_clock_that_another_host_has_made_longer_is_not_made_longer_again(rig, host):
    rig.to_first_day()
    host.look()
    (clock,) = rig.sheets.sheet.game.countdowns
    assert host.order(actions.ExtendCountdown(clock.id, 30.0)).why is None
    assert host.order(actions.ExtendCountdown(clock.id, 30.0)).why is not None
    assert rig.state.clock.length_s == 90.0


def test_what_the_rules_refuse_tells_what_has_happened_since(rig, host):
    rig.to_first_day()
    host.look()
    (clock,) = rig.sheets.sheet.game.countdowns
    rig.end_floor(1)
    answer = host.order(actions.EndCountdown(clock.id))
    assert answer.why.refusal is Refusal.STALE_COUNTDOWN
    assert SpeechBegan in told(answer)
    assert rig.state.floor == 2


def test_after_an_undo_an_old_page_orders_nothing_of_the_game(rig, host, other):
    rig.to_first_day()
    host.look()
    rig.shout(7)
    keep = rig.table.playing.past.steps()[0].keep
    other.look()
    assert other.order(orders.Undo(keep)).why is None
    answer = host.order(actions.GiveFoul(4))
    assert orders.Undo in told(answer)
    assert rig.state.fouls == (0,) * 10


def test_a_vote_entered_for_one_ballot_is_not_taken_for_the_next(rig, host, other):
    rig.to_first_day()
    host.look()
    assert host.order(orders.Accuse(5, Offence.THREATS)).why is None
    rig.end_floor(1)
    assert rig.phase is Phase.MOTION
    host.look()
    rig.until(lambda: rig.phase is Phase.SPEECH)
    other.look()
    assert other.order(orders.Accuse(6, Offence.THREATS)).why is None
    rig.end_floor(2)
    assert rig.phase is Phase.MOTION
    assert host.order(actions.CorrectVote(3, 0)).why is not None
    assert rig.sheets.sheet.game.voted == ()
    host.look()
    assert host.order(actions.CorrectVote(3, 0)).why is None
    assert rig.state.motion.votes == (3,)


def test_the_same_order_again_is_done_once_and_answered_alike(rig, host):
    rig.to_first_day()
    host.look()
    first = host.order(actions.GiveFoul(4), id_="same")
    rig.shout(7)
    again = host.order(actions.GiveFoul(4), id_="same")
    assert again == first
    assert rig.state.fouls[3] == 1


def test_a_refusal_is_remembered_too(rig, host):
    host.look()
    first = host.order(actions.Pause(), id_="same")
    assert first.why is not None
    rig.to_first_day()
    assert host.order(actions.Pause(), id_="same") == first
    assert not rig.state.paused


def test_answers_are_kept_to_a_number(rig, host):
    rig.to_first_day()
    host.look()
    host.order(actions.GiveFoul(4), id_="oldest")
    for number in range(ANSWERS_KEPT):
        host.order(actions.Resume(), id_=str(number))
    assert len(rig.table.orders._answers) == ANSWERS_KEPT
    assert "oldest" not in rig.table.orders._answers


@pytest.mark.parametrize("step", [10_000, 5])
def test_a_page_from_before_a_restart_or_of_long_ago_is_too_old(rig, host, step):
    rig.to_first_day()
    rig.table.orders.changes._kept.clear()
    answer = host.order(actions.GiveFoul(4), step=step)
    assert str(answer.why) == "The page is too old; look again."
    assert rig.state.fouls[3] == 0


def test_an_order_that_nobody_carries_out_is_refused_and_one_that_is_served_is_done(rig, host):
    rig.all_hold()
    host.look()
    if orders.Backup not in rig.table.orders.served:
        assert "cannot" in str(host.order(orders.Backup()).why)
    done = []
    rig.table.orders.serve(orders.Backup, done.append)
    assert host.order(orders.Backup()).why is None
    assert done == [orders.Backup()]
    host.look()
    assert "backup" in rig.sheets.sheet.orders


def test_secret_entries_are_about_nothing_that_a_step_would_tell():
    assert of_event(VoteCast(3, 7)) is None
    assert of_order(actions.CorrectVote(3, 7)) == of_order(actions.CorrectVote(3, None))


def test_another_order_under_a_known_id_is_not_answered_as_done(rig, host):
    rig.to_first_day()
    host.look()
    assert host.order(actions.GiveFoul(5), id_="same").why is None
    assert host.order(actions.GiveFoul(6), id_="same").why is not None
    assert rig.state.fouls == (0, 0, 0, 0, 1, 0, 0, 0, 0, 0)


def test_a_refusal_tells_a_few_changes_and_not_the_whole_evening(rig, host):
    rig.to_first_day()
    for _ in range(2 * TOLD_MAX):
        rig.table.playing.act(actions.GiveFoul(7), rig.now_s)
    host.step = 0
    answer = host.order(actions.TakeBackFoul(4))
    assert answer.why is not None
    assert len(answer.changed) == TOLD_MAX


def test_to_go_on_without_anybody_lost_changes_nothing_and_says_so(rig, host):
    rig.to_first_day()
    host.look()
    step = rig.table.playing.changes.step
    assert str(host.order(orders.GoOn()).why) == "No device is waited for."
    assert rig.table.playing.changes.step == step


def test_a_device_is_not_given_the_seat_that_it_has(rig, host):
    rig.to_first_day()
    host.look()
    step = rig.table.playing.changes.step
    assert host.order(orders.Swap(4, "node-04")).why is not None
    assert rig.table.playing.changes.step == step


def test_by_night_no_device_gets_the_card_of_another_seat(rig, host):
    rig.start_game()
    rig.until_phase(Phase.MEETING)
    host.look()
    assert host.order(orders.Swap(4, "node-11")).why is not None
    host.look()
    assert host.order(orders.GoOn()).why is not None
    host.look()
    assert host.order(actions.Pause()).why is None
    host.look()
    assert host.order(orders.Swap(4, "node-11")).why is None

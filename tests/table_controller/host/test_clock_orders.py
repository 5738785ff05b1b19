"""A clock made longer or shorter: how much is left of it the table judges, not the rules."""

import pytest

from table_controller.game import Phase, Refusal, actions
from table_controller.game.events import CountdownChanged
from table_controller.host import orders


@pytest.fixture
def speech(rig, host):
    """Return the id of the clock of the day's first speech, of which 20 s have passed."""
    rig.to_first_day()
    rig.advance(19.0)
    host.look()
    (clock,) = rig.sheets.sheet.game.countdowns
    return clock.id


def left_s(rig):
    return rig.show.countdowns.left_s(rig.state.clock.id, rig.now_s)


def test_a_speech_is_made_shorter_and_ends_so_much_earlier(rig, host, speech):
    before_s = left_s(rig)
    assert host.order(actions.ShortenCountdown(speech, 30.0)).why is None
    assert left_s(rig) == pytest.approx(before_s - 30.0)
    rig.advance(left_s(rig) - 0.1)
    assert rig.state.floor == 1
    rig.advance(0.2)
    assert rig.state.floor == 2


def test_at_least_ten_seconds_stay_and_the_refusal_tells_what_is_left(rig, host, speech):
    rig.advance(6.5)
    host.look()
    answer = host.order(actions.ShortenCountdown(speech, 30.0))
    assert str(answer.why) == "Only 34 s are left, and 10 s are to stay. End it instead."
    assert (rig.state.clock.length_s, rig.state.floor) == (60.0, 1)
    assert host.order(actions.ShortenCountdown(speech, 20.0)).why is None
    assert left_s(rig) >= 10.0


def test_the_speaker_hears_that_ten_seconds_are_left_when_they_are(rig, host, speech):
    host.order(actions.ShortenCountdown(speech, 25.0))
    rig.room.heard.clear()
    rig.until(lambda: any(each.name == "ten_seconds" for each in rig.room.heard))
    assert left_s(rig) == pytest.approx(10.0, abs=0.1)


def test_what_a_shout_lets_stand_is_made_shorter_too(rig, host, speech):
    rig.shout(5)
    host.look()
    before = {each.kind: each for each in rig.show.board.clocks}
    assert host.order(actions.ShortenCountdown(speech, 10.0)).why is None
    rig.until(lambda: not rig.state.shouts)
    assert left_s(rig) == pytest.approx(before["speech"].left_s - 10.0, abs=0.1)


@pytest.mark.parametrize("change", [actions.ExtendCountdown, actions.ShortenCountdown])
@pytest.mark.parametrize("noted", [True, False])
def test_a_changed_clock_is_so_after_a_restart_whether_it_was_noted_or_not(
    rig, host, speech, change, noted
):
    before_s = left_s(rig)
    assert host.order(change(speech, 10.0)).why is None
    if noted:
        rig.advance(1.0)
    rig.kill_table()
    rig.start_table()
    more_s = 10.0 if change is actions.ExtendCountdown else -10.0
    # What is noted is up to half a second old, and time went on until it was.
    assert left_s(rig) == pytest.approx(before_s + more_s - noted, abs=0.6)
    assert rig.state.clock.length_s == 60.0 + more_s


def test_undone_it_is_as_long_as_before_after_a_restart_too(rig, host, speech):
    rig.shout(5)
    rig.until(lambda: not rig.state.shouts)
    host.look()
    back = rig.sheets.sheet.undo[0].keep
    before_s = left_s(rig)
    assert host.order(actions.ShortenCountdown(speech, 20.0)).why is None
    host.look()
    assert host.order(orders.Undo(back)).why is None
    assert rig.state.clock.length_s == 60.0
    assert left_s(rig) == pytest.approx(before_s, abs=0.5)
    rig.kill_table()
    rig.start_table()
    assert left_s(rig) == pytest.approx(before_s, abs=0.6)


def test_a_clock_that_another_host_has_changed_is_not_changed_again(rig, host, other, speech):
    other.look()
    assert host.order(actions.ExtendCountdown(speech, 30.0)).why is None
    answer = other.order(actions.ShortenCountdown(speech, 10.0))
    assert str(answer.why) == "Something has changed meanwhile."
    assert [change.what for change in answer.changed] == [CountdownChanged(speech, 30.0)]
    other.look()
    assert other.order(actions.ShortenCountdown(speech, 10.0)).why is None
    assert rig.state.clock.length_s == 80.0


def test_by_night_and_in_a_vote_it_is_refused_as_the_rules_do(rig, host, speech):
    assert "shorten_countdown" in rig.sheets.sheet.orders
    rig.until_phase(Phase.NIGHTFALL)
    host.look()
    assert "shorten_countdown" not in rig.sheets.sheet.orders
    answer = host.order(actions.ShortenCountdown(rig.state.clock.id, 10.0))
    assert answer.why.refusal is Refusal.WRONG_PHASE

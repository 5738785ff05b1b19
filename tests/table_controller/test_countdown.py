import msgspec
import pytest

from table_controller.countdown import Countdowns
from table_controller.game import Countdown, CountdownKind


def a_speech(id_=1, *, runs=True):
    return Countdown(id_, CountdownKind.SPEECH, 60.0, runs, seat=3)


def test_a_countdown_is_due_when_its_length_has_passed():
    countdowns = Countdowns()
    countdowns.follow((a_speech(),), at_s=100.0)
    assert countdowns.next_due_s() == 160.0
    assert countdowns.left_s(1, 130.0) == 30.0


def test_the_next_one_starts_when_the_last_was_due_however_late_the_loop_is():
    countdowns = Countdowns()
    countdowns.follow((a_speech(1),), at_s=100.0)
    due_s, _ = countdowns.first()
    countdowns.follow((a_speech(2),), at_s=due_s)
    assert countdowns.next_due_s() == 220.0


def test_a_held_countdown_keeps_what_is_left():
    countdowns = Countdowns()
    countdowns.follow((a_speech(),), at_s=100.0)
    countdowns.follow((a_speech(runs=False),), at_s=120.0)
    assert countdowns.next_due_s() is None
    assert countdowns.left_s(1, 500.0) == 40.0
    countdowns.follow((a_speech(),), at_s=500.0)
    assert countdowns.next_due_s() == 540.0


def test_a_countdown_that_is_made_longer_keeps_what_has_passed():
    countdowns = Countdowns(speed=10.0)
    countdowns.follow((a_speech(),), at_s=100.0)
    longer = msgspec.structs.replace(a_speech(), length_s=70.0)
    countdowns.follow((longer,), at_s=102.0)
    assert countdowns.length_s(1) == 7.0
    assert countdowns.next_due_s() == pytest.approx(107.0)


def test_one_that_the_state_no_longer_asks_for_is_gone():
    countdowns = Countdowns()
    countdowns.follow((a_speech(),), at_s=100.0)
    countdowns.follow((), at_s=110.0)
    assert countdowns.next_due_s() is None
    assert countdowns.left_s(1, 110.0) == 0.0


def test_of_two_the_first_due_is_first():
    shout = Countdown(2, CountdownKind.SHOUT, 5.0, runs=True, seat=7)
    countdowns = Countdowns()
    countdowns.follow((Countdown(1, CountdownKind.BALLOT, 5.0, runs=True),), at_s=100.0)
    countdowns.follow((Countdown(1, CountdownKind.BALLOT, 5.0, runs=True), shout), at_s=103.0)
    assert countdowns.first()[1].id == 1


def test_speed_divides_lengths_but_not_those_that_wait_for_devices():
    countdowns = Countdowns(speed=10.0)
    countdowns.follow((a_speech(),), at_s=0.0)
    assert countdowns.next_due_s() == 6.0
    countdowns.follow((Countdown(2, CountdownKind.ROLL_CALL, 20.0, runs=True),), at_s=0.0)
    assert countdowns.next_due_s() == 20.0


def test_with_stepping_none_runs_out_by_itself():
    countdowns = Countdowns(stepping=True)
    countdowns.follow((a_speech(),), at_s=0.0)
    assert countdowns.next_due_s() is None
    assert countdowns.first()[1].id == 1


def test_what_has_been_added_or_taken_since_what_was_left_was_noted_counts_after_a_restart():
    countdowns = Countdowns(speed=10.0)
    countdowns.follow((msgspec.structs.replace(a_speech(), length_s=90.0),), at_s=0.0)
    countdowns.restore(1, 4.0, 6.0)
    assert countdowns.left_s(1, 0.0) == 7.0
    countdowns.restore(1, 8.0, 12.0)
    assert countdowns.left_s(1, 0.0) == 5.0


@pytest.mark.parametrize(("noted_s", "left_s"), [(12.5, 12.5), (1e9, 60.0)])
def test_after_a_restart_a_countdown_goes_on_with_what_was_left(noted_s, left_s):
    countdowns = Countdowns()
    countdowns.follow((a_speech(),), at_s=0.0)
    countdowns.restore(1, noted_s)
    assert countdowns.left_s(1, 0.0) == left_s

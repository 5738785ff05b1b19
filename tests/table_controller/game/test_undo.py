"""RULES 1.16: how far back the host can go."""

import pytest

from table_controller.game import actions as do
from table_controller.game import apply, new_game, replay, undo_points
from table_controller.game import events as ev
from table_controller.game.model import SEATS, Offence, Phase, Sanction
from table_controller.game.replay import Steps
from table_controller.game.ruleset import NORMAL


@pytest.fixture
def first_day(a_dealt_game):
    """Return D1, from the seating on, in its first speech."""
    return a_dealt_game().until(Phase.SPEECH)


def _points(play):
    return undo_points(NORMAL, play.actions)


def test_1_16_undo_goes_back_to_any_public_step_since_the_last_morning_call(first_day):
    play, begun = first_day, len(first_day.actions)
    play.act(do.OpenPick(1), do.Nominate(1, 4), do.EndFloor(1), do.Shout(5))
    # The morning call, the first speech; not the choice; the second speech. The present is none.
    assert _points(play) == (begun - 1, begun, begun + 3)
    assert replay(NORMAL, play.actions[: begun + 3]).floor == 2
    assert replay(NORMAL, play.actions[: begun - 1]).phase is Phase.MORNING


def test_1_16_what_the_room_notices_is_a_public_step_though_no_topic_carries_it(first_day):
    play, begun = first_day, len(first_day.actions)
    play.act(
        do.OpenGrounds(4, Offence.BETS, do.Source.HOST),
        do.Rule(Sanction.TECHNICAL_FOUL, 3, Offence.BETS),
        do.Rule(Sanction.DISQUALIFICATION, 6, Offence.BETS),
        do.OpenPick(1),
    )
    assert _points(play) == tuple(range(begun - 1, begun + 4))


def test_1_16_a_night_is_never_undone(first_day):
    play = first_day
    assert len(_points(play)) == 1
    play.until(Phase.NIGHTFALL)
    while play.state.phase is not Phase.MORNING:
        assert _points(play) == ()
        play.expire()
    assert play.state.day == 2
    morning = len(play.actions)
    play.expire()
    assert _points(play) == (morning,)


def test_1_16_before_the_first_morning_there_is_nothing_to_undo(a_dealt_game):
    play = a_dealt_game()
    while play.state.phase is not Phase.MORNING:
        assert _points(play) == ()
        play.expire()
    assert undo_points(NORMAL, ()) == ()


def test_1_16_a_game_that_has_ended_by_day_can_be_taken_up_again(first_day):
    play, begun = first_day, len(first_day.actions)
    play.act(do.Void())
    assert _points(play)[-1] == begun
    state = replay(NORMAL, play.actions[:begun])
    assert state.phase is Phase.SPEECH


@pytest.mark.parametrize("phase", [Phase.LOOK, Phase.CALLING])
def test_1_16_a_game_ended_by_night_is_taken_back_to_right_before(a_dealt_game, phase):
    play = a_dealt_game().until(phase)
    before = len(play.actions)
    play.act(do.Void())
    assert _points(play) == (before,)
    assert replay(NORMAL, play.actions[:before]).phase is phase


def test_1_16_every_point_is_a_moment_that_the_room_saw(random_game):
    for seed in range(6):
        steps = list(random_game(seed))
        actions, ruleset = [action for _, action, _, _ in steps], steps[0][0].ruleset
        length = len(actions) * 2 // 3
        known = undo_points(ruleset, actions[:length])
        states = [after for _, _, after, _ in steps]
        for point in known:
            assert replay(ruleset, actions[:point]) == states[point - 1]
            assert states[point - 1].day == states[length - 1].day


def test_1_16_what_is_played_after_an_undo_is_a_game_like_any_other(first_day):
    play, begun = first_day, len(first_day.actions)
    play.act(do.Nominate(1, 4), do.EndFloor(1))
    state = replay(NORMAL, play.actions[:begun])
    state, _ = apply(state, do.Nominate(1, 6))
    state, told = apply(state, do.EndFloor(1))
    assert ev.NominationStood(1, 6) in told
    assert new_game(NORMAL).living == SEATS == state.living


@pytest.mark.parametrize("voided", [False, True])
def test_1_16_each_step_that_can_be_taken_back_knows_the_target_right_before_it(first_day, voided):
    play, begun = first_day, len(first_day.actions)
    play.act(do.OpenPick(1), do.Nominate(1, 4), do.EndFloor(1), do.Shout(5))
    if voided:
        play.act(do.Void())
    steps, state = Steps(), new_game(NORMAL)
    for action in play.actions:
        state, told = apply(state, action)
        steps.follow(told)
    taken_back = [(begun, 0), (begun + 3, 1), (begun + 4, 2)]
    assert steps.pairs == tuple(taken_back + voided * [(begun + 5, 4)])
    assert [(step, steps.targets[nth]) for step, nth in steps.pairs] == [
        (begun, begun - 1), (begun + 3, begun), (begun + 4, begun + 3), (begun + 5, begun + 4),
    ][: 3 + voided]  # fmt: skip

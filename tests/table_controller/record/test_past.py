"""The list of what can be undone, kept action by action, is the one that a replay gives."""

import pytest

from table_controller.game import STEPS, actions, undo_points
from table_controller.game.events import (
    FoulGiven,
    GameVoided,
    MorningCame,
    NominationStood,
    SpeechBegan,
    VoteCast,
)
from table_controller.random_players import Players
from table_controller.record.past import Past


@pytest.fixture
def past():
    return Past()


def day(past, *more):
    """A morning, then one action for each event of *more*."""
    past.add(actions.Expire(1), (MorningCame(1),), "T0")
    for number, event in enumerate(more, start=1):
        past.add(actions.GiveFoul(4), (event,), f"T{number}")


def test_each_step_goes_back_to_the_one_before_it(past):
    day(past, SpeechBegan(1, silent=False), FoulGiven(4, 1), FoulGiven(4, 2))
    assert [(step.keep, step.utc) for step in past.steps()] == [(2, "T3"), (1, "T2"), (0, "T1")]
    assert past.steps()[0].told == (FoulGiven(4, 2),)
    assert past.points == (1, 2, 3)


def test_a_secret_between_two_steps_is_no_step_and_is_not_told(past):
    day(past, FoulGiven(4, 1), VoteCast(3, 7), NominationStood(2, 5))
    assert [step.keep for step in past.steps()] == [1, 0]
    assert past.targets == (1, 2)
    past.cut(3)
    assert [step.keep for step in past.steps()] == [0]
    assert VoteCast not in STEPS


def test_a_game_that_the_host_ended_by_night_can_go_on(past):
    past.add(actions.Ready(1), (), "T0")
    past.add(actions.Void(), (GameVoided(),), "T1")
    (step,) = past.steps()
    assert (step.keep, step.told) == (0, (GameVoided(),))
    past.cut(1)
    assert past.steps() == past.points == ()


@pytest.mark.parametrize("seed", range(3))
def test_kept_step_by_step_it_is_what_a_replay_gives(seed):
    from table_controller.game import NORMAL, Phase, apply, new_game

    past, state, players = Past(), new_game(NORMAL), Players(f"past {seed}")
    while state.phase is not Phase.OVER:
        for action in players.moves(state).actions:
            state, told = apply(state, action)
            past.add(action, told, "")
        if len(past) % 7 == 0:
            assert past.points == undo_points(NORMAL, past.actions)
            assert {step.keep for step in past.steps()} <= set(range(len(past.targets)))
            assert set(past.targets) == set(past.points)
    assert past.points == undo_points(NORMAL, past.actions)

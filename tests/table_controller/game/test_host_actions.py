"""What the host could do now is what is legal of it; by night it depends on no role or press."""

import pytest

from table_controller.game import (
    NORMAL,
    Phase,
    actions,
    apply,
    host_actions,
    legal_actions,
    new_game,
)
from table_controller.game.model import Offence, Source
from table_controller.game.night import BY_NIGHT
from table_controller.random_players import Players

HOSTS = {
    actions.Pause,
    actions.Resume,
    actions.EndCountdown,
    actions.ExtendCountdown,
    actions.ShortenCountdown,
    actions.GiveFoul,
    actions.TakeBackFoul,
    actions.CorrectNomination,
    actions.CorrectVote,
    actions.CallAgain,
    actions.OpenGrounds,
    actions.PutOpponentVictory,
    actions.Rule,
    actions.Withdraw,
    actions.Void,
}


def by_the_rules(state):
    """Return the kinds of the host's actions among all that is legal."""
    return {
        type(action)
        for action in legal_actions(state)
        if type(action) in HOSTS
        and not (isinstance(action, actions.OpenGrounds) and action.source is not Source.HOST)
    }


@pytest.mark.parametrize("seed", range(4))
def test_the_host_could_do_what_is_legal_at_every_step_of_a_game(seed):
    state, players, count = new_game(NORMAL), Players(f"host {seed}"), 0
    while state.phase is not Phase.OVER:
        for action in players.moves(state).actions:
            state, _ = apply(state, action)
            count += 1
            # All that is legal takes long to list; another part of the game in each seed.
            if count % 9 == seed:
                assert set(host_actions(state)) == by_the_rules(state)
                if state.phase is not Phase.OVER:
                    paused, _ = apply(state, actions.Pause())
                    assert set(host_actions(paused)) == by_the_rules(paused)
    assert host_actions(state) == ()


def test_by_night_no_press_changes_what_the_host_could_do():
    state, players, pressed = new_game(NORMAL), Players("night"), 0
    while state.phase is not Phase.OVER:
        for action in players.moves(state).actions:
            before = host_actions(state)
            state, _ = apply(state, action)
            if isinstance(action, actions.PressAtNight):
                pressed += 1
                assert host_actions(state) == before
    assert pressed > 10


def test_by_night_the_host_has_little_to_do():
    state, players = new_game(NORMAL), Players("night")
    while state.phase is not Phase.CALLING:
        for action in players.moves(state).actions:
            state, _ = apply(state, action)
    assert state.phase in BY_NIGHT
    assert set(host_actions(state)) == {
        actions.Pause,
        actions.CallAgain,
        actions.OpenGrounds,
        actions.Rule,
        actions.Withdraw,
        actions.Void,
    }


def test_grounds_that_wait_already_leave_others_open():
    state, players = new_game(NORMAL), Players("grounds")
    while state.phase is not Phase.SPEECH:
        for action in players.moves(state).actions:
            state, _ = apply(state, action)
    state, _ = apply(state, actions.OpenGrounds(1, Offence.INSULTS, Source.HOST))
    assert actions.OpenGrounds in host_actions(state)

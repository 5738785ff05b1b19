"""Golden games as they are played, plainly or by a host who disturbs them."""

from collections.abc import Callable
from typing import Any

import pytest

from table_controller.game import actions as do
from table_controller.game import countdowns
from table_controller.game.floor import BY_DAY
from table_controller.game.model import Phase
from tests.table_controller.game.golden.player import Player


class Disturber:
    """A host who pauses the game by day after every input, and puts right what was right."""

    def __init__(self, play: Any) -> None:
        self._play, self._act = play, play.act
        play.act = self.act

    def act(self, *actions: do.Action) -> Any:
        """Play *actions* as the game itself would, and disturb it after each."""
        told = ()
        for action in actions:
            if isinstance(action, do.GiveBestMove) and not action.suspects:
                self._act(do.EndFloor(action.seat))  # It thinks in silence.
            told = self._act(self._by_hand(action))
            self._correct(action)
            self._pause()
        return told

    def _by_hand(self, action: do.Action) -> do.Action:
        """End by the host's hand what would run out by day."""
        if isinstance(action, do.Expire) and self._play.state.phase in BY_DAY:
            return do.EndCountdown(action.countdown)
        return action

    def _correct(self, action: do.Action) -> None:
        state = self._play.state
        match action:
            case do.Vote(seat, candidate):
                self._act(do.CorrectVote(seat, None), do.CorrectVote(seat, candidate))
            case do.EndFloor(seat) if state.phase is Phase.SPEECH and state.nominations:
                speaker, nominee = state.nominations[-1]
                if speaker == seat:
                    self._act(do.CorrectNomination(seat, None))
                    self._act(do.CorrectNomination(seat, nominee))

    def _pause(self) -> None:
        state = self._play.state
        if state.phase in BY_DAY:
            self._act(*(do.ExtendCountdown(clock.id, 5.0) for clock in countdowns(state)[:1]))
            self._act(do.Pause(), do.Resume())


@pytest.fixture
def play_golden(a_dealt_game: Callable[..., Any]) -> Callable[..., Any]:
    """Return a player: of a golden game, to the game as it was played."""

    def played(game: Any, disturbed: bool = False) -> Any:
        roles = tuple(game.roles[seat] for seat in range(1, 11))
        play = a_dealt_game(game.rules(), roles)
        if disturbed:
            Disturber(play)
        Player(play, game).run()
        return play

    return played

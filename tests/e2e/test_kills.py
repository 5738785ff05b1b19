"""A real broker is killed, frozen and started again, alone and with programs."""

import pytest

from firmware.wire import Button
from table_controller.game import SEATS

RETURN_S = 5.0
"""Every seat can vote again so soon after the broker is back. Source: RULES 1.17."""


def game_of(director):
    """Return what the scoreboard shows of the game, without what a pause changes."""
    board = director.state()
    game = dict(board["game"])
    game.pop("countdowns")
    return game, board["seats"], board["commitment"]


def go_on(director):
    """Let all who live hold VOTE until the game goes on."""
    director.scenes("paused")
    director.news()
    director.until_state(lambda game: game["paused"], "the pause")
    living = {seat["seat"] for seat in director.state()["game"]["seats"] if seat["living"]}
    for seat in living:
        director.panels[seat].push(Button.VOTE)
    director.until_state(lambda game: not game["paused"], "the game")
    for seat in living:
        director.panels[seat].release(Button.VOTE)
    director.until(
        lambda: not any(director.panels[seat].busy(Button.VOTE) for seat in living), "fingers"
    )


@pytest.mark.proof
@pytest.mark.parametrize("how", ["kill", "freeze"])
def test_a_broker_lost_in_a_speech_pauses_it_and_it_goes_on(director, how):
    director.begin()
    director.speech_of(1)
    before = game_of(director)
    lose(director, how)
    find(director, how)
    go_on(director)
    assert game_of(director) == before
    director.scenes("floor", seats={1})


@pytest.mark.proof
@pytest.mark.parametrize("how", ["kill", "freeze"])
def test_a_broker_lost_in_a_ballot_loses_no_vote_and_counts_none_twice(director, how):
    director.begin()
    director.to_ballot(4, 5)
    director.cast(1)
    lose(director, how)
    find(director, how)
    go_on(director)
    director.called(4)
    director.cast(*(seat for seat in SEATS if seat not in (1, 9)))
    director.step_to("vote_over")
    game = director.until_state(lambda game: game["ballots"], "the count")
    (ballot,) = game["ballots"]
    assert dict(map(tuple, ballot["votes"])) == {seat: 4 for seat in SEATS if seat != 9} | {9: 5}
    assert ballot["automatic"] == [9]


@pytest.mark.proof
@pytest.mark.parametrize("how", ["kill", "freeze"])
def test_a_broker_lost_in_a_night_round_has_it_called_again(director, how):
    director.begin()
    director.step_to("number", 3)
    lose(director, how)
    find(director, how)
    go_on(director)
    assert any(said.phrase == "number" for said in director.news())
    director.step_to("morning")


@pytest.mark.proof
def test_a_table_and_a_seat_killed_while_the_broker_is_away_are_back_with_it(director):
    director.begin()
    director.to_ballot(4, 5)
    director.cast(1, 3)
    house = director.house
    lose(director, "kill")
    for program in (house.table, house.seats[3]):
        program.kill()
        program.start()
    find(director, "kill")
    go_on(director)
    director.called(4)
    assert director.lines(3)[0] == "You have voted"
    director.cast(2)
    director.step_to("vote_over")
    game = director.until_state(lambda game: game["ballots"], "the count")
    assert sorted(map(tuple, game["ballots"][0]["votes"]))[:3] == [(1, 4), (2, 4), (3, 4)]
    assert not {1, 2, 3} & set(game["ballots"][0]["automatic"])


def lose(director, how):
    """Take the broker away until the table has paused."""
    getattr(director.house.broker, how)()
    # Without the director's look at the broker, which is away.
    director.stage.until(lambda: director.state()["game"]["paused"], 15.0, "the pause")
    assert director.state()["notice"] == "link lost"


def find(director, how):
    """Bring the broker back, and see that the table soon reaches every seat."""
    broker = director.house.broker
    broker.start() if how == "kill" else broker.thaw()
    back_s = director.stage.clock.now_s()
    director.scenes("paused")
    assert director.stage.clock.now_s() - back_s < RETURN_S

"""RULES 4: the rows of the result."""

import pytest
from msgspec.structs import replace

from table_controller.game.model import Phase, Winner
from table_controller.game.scoring import Item, Row, points


@pytest.mark.parametrize(
    ("winner", "town", "mafia"),
    [
        (Winner.TOWN, Item("end", Row.WIN, 100, 135), Item("end", Row.LOSS, 0, 0)),
        (Winner.MAFIA, Item("end", Row.LOSS, 0, 0), Item("end", Row.WIN, 100, 85)),
        (Winner.DRAW, Item("end", Row.DRAW, 0, 0), Item("end", Row.DRAW, 0, 0)),
    ],
)
def test_4_a_win_a_loss_and_a_draw(a_dealt_game, winner, town, mafia):
    state = replace(a_dealt_game().state, phase=Phase.OVER, decided=winner)
    earned = points(state)
    assert [seat.seat for seat in earned] == list(range(1, 11))
    assert [seat.items for seat in earned] == [(town,)] * 7 + [(mafia,)] * 3
    assert (earned[0].classic, earned[0].max) == (town.classic, town.max)


def test_4_nothing_is_shown_before_the_game_is_over(a_dealt_game):
    state = a_dealt_game().state
    assert points(state) == ()
    assert points(replace(state, decided=Winner.TOWN)) == ()


def test_1_16_a_game_without_result_gives_no_points(a_dealt_game):
    assert points(replace(a_dealt_game().state, phase=Phase.OVER)) == ()

"""A game that the host ended is taken back as long as no other has begun; until then it is kept."""

import msgspec
import pytest

from firmware.wire import Icon
from table_controller.game import SEATS, Phase, actions
from table_controller.game.model import Offence, Source, Winner
from table_controller.host.orders import HostOrder, Undo


def order(rig, action):
    answers = []
    rig.table.take(HostOrder(action, answers.append))
    rig.settle()
    return answers[0]


def undo_the_last(rig):
    return order(rig, Undo(len(rig.table.playing.past.targets) - 1))


def test_a_game_ended_by_mistake_is_taken_up_again_where_it_was(rig):
    rig.to_first_day()
    rig.advance(20.0)
    before, left_s = rig.state, rig.show.board.clocks[0].left_s
    rig.show.everything(rig.state)
    assert order(rig, actions.Void()) == ""
    assert rig.phase is Phase.OVER
    assert undo_the_last(rig) == ""
    assert msgspec.structs.replace(rig.state, paused=False) == before
    rig.all_hold()
    (clock,) = rig.show.board.clocks
    assert clock.left_s == pytest.approx(left_s - 20.0, abs=0.1)
    rig.end_floor(1)
    assert rig.state.floor == 2


def test_a_game_ended_by_mistake_is_taken_up_again_after_a_restart_too(rig):
    rig.to_first_day()
    order(rig, actions.Void())
    rig.kill_table()
    rig.start_table()
    rig.advance(3.0)
    assert rig.phase is Phase.OVER
    assert undo_the_last(rig) == ""
    assert (rig.phase, rig.state.paused) == (Phase.SPEECH, True)


def test_a_game_ended_by_mistake_has_its_clock_back_after_a_restart_too(rig):
    rig.to_first_day()
    rig.advance(50.0)
    order(rig, actions.Void())
    rig.kill_table()
    rig.start_table()
    rig.advance(3.0)
    assert undo_the_last(rig) == ""
    (clock,) = rig.show.board.clocks
    assert clock.left_s == pytest.approx(10.0, abs=1.0)


def test_what_was_left_when_a_game_was_ended_is_not_given_to_the_next_game(rig):
    rig.to_first_day()
    rig.advance(50.0)
    order(rig, actions.Void())
    rig.start_game()
    rig.until_phase(Phase.SPEECH)
    rig.shout(3)
    before_the_shout = len(rig.table.playing.past.targets) - 1
    assert order(rig, Undo(before_the_shout)) == ""
    (clock,) = rig.show.board.clocks
    assert clock.left_s > 50.0


@pytest.mark.parametrize("phase", [Phase.SEATING, Phase.LOOK, Phase.MEETING, Phase.CALLING])
def test_a_game_ended_by_night_or_before_the_first_day_is_taken_back_too(rig, phase):
    rig.all_hold()
    if phase is not Phase.SEATING:
        rig.press(*SEATS)
    while rig.phase is not phase:
        rig.table.playing.expire()
    assert order(rig, actions.Void()) == ""
    assert undo_the_last(rig) == ""
    assert (rig.phase, rig.state.paused) == (phase, True)


def test_an_ended_game_tells_no_role_nor_card_nor_seed_while_it_can_be_taken_back(rig):
    rig.to_first_day()
    order(rig, actions.Void())
    board = rig.show.board
    assert {seat.role for seat in board.game.seats} == {None}
    assert board.seed == ""
    assert board.game.voided
    for seat in SEATS:
        face = rig.seats[seat].face
        assert (face.scene, face.icon) == ("over", Icon.NONE)
        rig.down(seat)
    rig.advance(1.0)
    assert not any(rig.seats[seat].face.card for seat in SEATS)


def test_once_the_next_game_has_begun_the_last_is_not_taken_back(rig):
    rig.to_first_day()
    order(rig, actions.Void())
    rig.all_hold()
    assert rig.phase is Phase.SEATING
    assert rig.table.playing.undo_points() == ()


def test_a_game_that_was_won_is_over(rig):
    rig.to_first_day()
    state = msgspec.structs.replace(rig.state, decided=Winner.TOWN)
    rig.table.playing.state = state
    assert order(rig, actions.Void()) == ""
    assert rig.table.playing.undo_points() == ()
    assert order(rig, Undo(1)).startswith("The game cannot go back")


def test_a_game_ended_in_its_roll_call_asks_nobody_any_more(rig):
    rig.to_first_day()
    rig.table.playing.act(actions.OpenGrounds(2, Offence.INSULTS, Source.HOST), rig.now_s)
    rig.end_floor(1)
    rig.broker.lose("node-05")
    rig.until_phase(Phase.ROLL_CALL)
    assert rig.show.ask is not None
    order(rig, actions.Void())
    assert rig.show.ask is None

"""RULES 1.10: last speech, best move, crown."""

import pytest
from msgspec.structs import replace

from table_controller.game import NORMAL, TURBO
from table_controller.game import actions as do
from table_controller.game import events as ev
from table_controller.game.model import CountdownKind, FarewellRecord, Phase, Refusal


@pytest.fixture
def leaving(a_vote):
    def at_farewell(seat=4, **options):
        return a_vote((seat,), **options)

    return at_farewell


@pytest.mark.parametrize(
    ("ruleset", "speech", "picks"), [(NORMAL, 60, 15), (TURBO, 25, 10)], ids=["normal", "turbo"]
)
@pytest.mark.parametrize("end", ["clock", "seat"])
def test_1_10_a_farewell_is_a_speech_and_silent_time_for_the_picks(
    leaving, ruleset, speech, picks, end
):
    play = leaving(4, ruleset=ruleset)
    assert (play.clock().length_s, play.clock().seat) == (speech, 4)
    told = play.act(do.EndFloor(4)) if end == "seat" else play.expire(CountdownKind.FAREWELL)
    assert told == (ev.FarewellPicks(4),)
    assert (play.clock().length_s, play.clock().seat) == (picks, 4)
    told = play.act(do.EndFloor(4)) if end == "seat" else play.expire(CountdownKind.FAREWELL_PICKS)
    assert told == (ev.FarewellEnded(4), ev.NightFell(2))
    assert play.state.floor == 0
    assert play.state.farewells == (FarewellRecord(4, None, None),)


def test_1_10_only_who_leaves_has_the_floor(leaving):
    play = leaving(4)
    assert play.refusal(do.EndFloor(5)) is Refusal.NOT_YOUR_FLOOR
    assert play.refusal(do.GiveBestMove(5, ())) is Refusal.NOT_YOUR_FLOOR
    assert play.refusal(do.GiveCrown(5, None)) is Refusal.NOT_YOUR_FLOOR
    assert play.refusal(do.Nominate(4, 5)) is Refusal.WRONG_PHASE


@pytest.mark.parametrize("order", ["best move first", "crown first"])
def test_1_10_both_lock_when_both_are_given_and_the_speech_goes_on(leaving, order):
    play = leaving(4)
    picks = [do.GiveBestMove(4, (8, 9)), do.GiveCrown(4, 7)]
    first, second = picks if order == "best move first" else reversed(picks)
    assert play.act(first) == ()
    assert play.act(second) == (ev.BestMoveGiven(4, (8, 9)), ev.CrownGiven(4, 7))
    assert play.state.phase is Phase.FAREWELL
    assert play.refusal(do.GiveBestMove(4, ())) is Refusal.LOCKED
    assert play.refusal(do.GiveCrown(4, 1)) is Refusal.LOCKED
    assert play.act(do.EndFloor(4))[0] == ev.FarewellEnded(4)
    assert play.state.farewells == (FarewellRecord(4, (8, 9), 7),)


def test_1_10_both_given_in_the_silent_time_end_it(leaving):
    play = leaving(4).until(Phase.FAREWELL_PICKS)
    play.act(do.GiveBestMove(4, (8,)))
    assert play.act(do.GiveCrown(4, None)) == (
        ev.BestMoveGiven(4, (8,)),
        ev.FarewellEnded(4),
        ev.NightFell(2),
    )


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (do.GiveBestMove(4, ()), ev.BestMoveGiven(4, ())),
        (do.GiveBestMove(4, (1, 2, 10)), ev.BestMoveGiven(4, (1, 2, 10))),
        (do.GiveCrown(4, 7), ev.CrownGiven(4, 7)),
    ],
    ids=["nobody suspected", "three", "crown"],
)
def test_1_10_what_was_given_locks_when_the_time_is_over(leaving, given, told):
    play = leaving(4)
    play.act(given)
    assert play.told(type(told)) == []
    play.act(do.EndFloor(4))
    assert play.expire(CountdownKind.FAREWELL_PICKS)[:2] == (told, ev.FarewellEnded(4))


def test_1_10_a_later_choice_replaces_the_earlier_until_it_locks(leaving):
    play = leaving(4)
    play.act(do.GiveBestMove(4, (1,)), do.GiveBestMove(4, (2,)), do.GiveCrown(4, 7))
    assert play.state.farewells == (FarewellRecord(4, (2,), 7),)


@pytest.mark.parametrize(
    "suspects",
    [(4,), (1, 1), (1, 2, 3, 5), (0,), (11,)],
    ids=["oneself", "twice", "four", "seat 0", "seat 11"],
)
def test_1_10_a_best_move_names_up_to_three_others(leaving, suspects):
    assert leaving(4).refusal(do.GiveBestMove(4, suspects)) is Refusal.BAD_BEST_MOVE


def test_1_10_how_many_a_best_move_may_name_is_data(leaving):
    play = leaving(4, ruleset=replace(NORMAL, best_move_max=1))
    assert play.refusal(do.GiveBestMove(4, (8, 9))) is Refusal.BAD_BEST_MOVE
    play.farewell((8,))
    assert play.state.farewells == (FarewellRecord(4, (8,), None),)


def test_1_10_a_best_move_may_name_the_departed(leaving):
    play = leaving(4, without=(9,))
    play.farewell((9, 8, 10), crown=1)
    assert play.state.farewells == (FarewellRecord(4, (9, 8, 10), 1),)


@pytest.mark.parametrize("target", [4, 9, 0, 11], ids=["oneself", "departed", "seat 0", "seat 11"])
def test_1_10_the_crown_goes_to_the_living(leaving, target):
    assert leaving(4, without=(9,)).refusal(do.GiveCrown(4, target)) is Refusal.BAD_CROWN


def test_1_10_those_lifted_have_farewells_in_list_order_and_no_crown_for_each_other(a_vote):
    play = a_vote((2, 1))
    sides = {2: (1, 2, 3, 4, 5), 1: (6, 7, 8, 9, 10)}
    play.ballot(sides)
    play.ballot(sides)
    play.lift(range(1, 7))
    assert play.events[-1] == ev.FarewellBegan(2)
    assert play.refusal(do.GiveCrown(2, 1)) is Refusal.BAD_CROWN
    play.act(do.GiveBestMove(2, (1,)))
    assert play.farewell((), crown=3)[-2:] == (ev.FarewellEnded(2), ev.FarewellBegan(1))
    assert play.farewell()[-2:] == (ev.FarewellEnded(1), ev.NightFell(2))


def test_1_10_mafia_give_picks_too(leaving):
    play = leaving(8)
    play.farewell((1, 2), crown=10)
    assert play.state.farewells == (FarewellRecord(8, (1, 2), 10),)

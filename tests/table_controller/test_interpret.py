import pytest

from firmware.wire import Button, How, Pick, Picking, Press
from table_controller.game import NORMAL, Phase, actions, events, new_game
from table_controller.game.events import BallotKind
from table_controller.game.views import Deed, SeatView, public_view
from table_controller.interpret import Late, Windows, interpret, menu_id

PUBLIC = public_view(new_game(NORMAL))


def a_view(**fields):
    shown = {"seat": 4, "phase": Phase.SPEECH, "living": True, "deed": Deed.NONE}
    return SeatView(**(shown | fields))


def a_ballot():
    """Two windows, [10, 15) for 6 and [15.5, 20.5) for 2."""
    windows = Windows()
    windows.follow((events.ListRead(BallotKind.VOTE, (6, 2)),), 5.0)
    windows.follow((events.CandidateCalled(6), events.WindowOpened(6)), 10.0)
    windows.follow((events.WindowClosed(6),), 15.0)
    windows.follow((events.CandidateCalled(2), events.WindowOpened(2)), 15.5)
    windows.follow((events.WindowClosed(2), events.RollCalled()), 20.5)
    return windows


def ask(what, view, *, made_s=0.0, windows=None):
    return interpret(what, (made_s, made_s), view, PUBLIC, windows or Windows())


@pytest.mark.parametrize(
    ("made_s", "number"),
    [(9.999, None), (10.0, 6), (14.999, 6), (15.0, None), (15.499, None), (15.5, 2), (20.5, None)],
)
def test_a_window_is_half_open(made_s, number):
    assert a_ballot().at(made_s) == number


def test_a_vote_is_against_the_candidate_of_its_own_time_and_not_of_its_arrival():
    edge = Press(Button.VOTE, How.EDGE)
    vote = ask(edge, a_view(deed=Deed.VOTE), made_s=12.0, windows=a_ballot())
    assert vote == actions.Vote(4, 6)


def test_a_press_in_no_window_is_too_late():
    edge = Press(Button.VOTE, How.EDGE)
    assert ask(edge, a_view(), made_s=15.2, windows=a_ballot()) is Late.LATE


def test_a_press_of_a_closed_ballot_never_counts_in_the_next_one():
    windows = a_ballot()
    windows.follow((events.BallotClosed(BallotKind.VOTE, 1, (6, 2), (), (), (6, 2), 10),), 21.0)
    windows.follow((events.ListRead(BallotKind.REVOTE, (6, 2)),), 90.0)
    windows.follow((events.WindowOpened(6),), 94.0)
    assert ask(Press(Button.VOTE, How.EDGE), a_view(), made_s=12.0, windows=windows) is Late.LATE


def test_a_press_in_the_window_of_a_lift_is_a_yes():
    windows = Windows()
    windows.follow((events.LiftCalled((6, 2)), events.WindowOpened(0)), 10.0)
    edge = Press(Button.VOTE, How.EDGE)
    assert ask(edge, a_view(), made_s=11.0, windows=windows) == actions.VoteLift(4)


def test_a_call_that_is_repeated_opens_its_window_again():
    windows = Windows()
    windows.follow((events.WindowOpened(6),), 10.0)
    windows.follow((events.WindowClosed(6), events.Paused()), 12.0)
    windows.follow((events.Resumed(), events.WindowOpened(6)), 50.0)
    assert [windows.at(at_s) for at_s in (11.0, 30.0, 51.0)] == [6, None, 6]


@pytest.mark.parametrize("how", [How.TAP, How.EDGE])
def test_shout_outside_the_own_floor_is_a_shout(how):
    assert ask(Press(Button.SHOUT, how), a_view(may_shout=True)) == actions.Shout(4)
    assert ask(Press(Button.SHOUT, how), a_view()) is None


def test_shout_held_in_the_own_floor_ends_it():
    held = Press(Button.SHOUT, How.HOLD)
    assert ask(held, a_view(own_floor=True)) == actions.EndFloor(4)
    assert ask(held, a_view(may_shout=True)) is None


def test_vote_under_the_own_name_says_ready():
    assert ask(Press(Button.VOTE, How.TAP), a_view(deed=Deed.READY)) == actions.Ready(4)


def test_a_tap_of_vote_by_day_means_nothing():
    assert ask(Press(Button.VOTE, How.TAP), a_view(deed=Deed.NOMINATE)) is None


@pytest.mark.parametrize(
    ("deed", "values", "action"),
    [
        (Deed.NOMINATE, (7,), actions.Nominate(4, 7)),
        (Deed.NOMINATE, (), actions.TakeBackNomination(4)),
        (Deed.BEST_MOVE, (1, 2, 3), actions.GiveBestMove(4, (1, 2, 3))),
        (Deed.BEST_MOVE, (), actions.GiveBestMove(4, ())),
        (Deed.CROWN, (9,), actions.GiveCrown(4, 9)),
        (Deed.CROWN, (0,), actions.GiveCrown(4, None)),
    ],
)
def test_a_pick_means_what_the_list_was_for(deed, values, action):
    view = a_view(deed=deed)
    assert ask(Pick(menu_id(view, PUBLIC.day), values), view) == action


def test_a_pick_from_a_list_that_is_gone_is_too_late():
    farewell = a_view(deed=Deed.CROWN)
    assert ask(Pick(menu_id(a_view(deed=Deed.BEST_MOVE), PUBLIC.day), (1,)), farewell) is Late.LATE
    assert ask(Pick(11, (1,)), a_view()) is Late.LATE


def test_an_open_list_of_nominees_is_told_to_the_game():
    view = a_view(deed=Deed.NOMINATE)
    menu = menu_id(view, PUBLIC.day)
    assert ask(Picking(menu, open=True), view) == actions.OpenPick(4)
    assert ask(Picking(menu, open=False), view) == actions.ClosePick(4)


def test_a_yes_to_a_lift_is_none_to_the_lift_that_is_held_again_after_a_strike():
    windows = Windows()
    windows.follow((events.LiftCalled((2, 5, 8)), events.WindowOpened(0)), 100.0)
    windows.follow((events.WindowClosed(0),), 101.0)
    assert windows.at(100.5) == 0
    again = (events.NomineeStruck(5), events.LiftCalled((2, 8)), events.WindowOpened(0))
    windows.follow(again, 103.0)
    assert (windows.at(100.5), windows.at(103.5)) == (None, 0)


def test_after_a_pause_a_yes_from_before_it_counts_for_the_same_lift():
    windows = Windows()
    windows.follow((events.LiftCalled((2, 5)), events.WindowOpened(0)), 100.0)
    windows.follow((events.WindowClosed(0), events.Paused()), 101.0)
    windows.follow((events.Resumed(), events.LiftCalled((2, 5)), events.WindowOpened(0)), 110.0)
    assert (windows.at(100.5), windows.at(105.0), windows.at(110.5)) == (0, None, 0)

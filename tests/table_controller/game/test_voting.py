"""RULES 1.7, 1.8 and 1.9: ballots, ties, lifts."""

import pytest
from msgspec.structs import replace

from table_controller.game import NORMAL, TURBO
from table_controller.game import actions as do
from table_controller.game import events as ev
from table_controller.game.events import BallotKind
from table_controller.game.model import SEATS, Cause, CountdownKind, Phase, Refusal


@pytest.mark.parametrize(
    ("ruleset", "name", "window"), [(NORMAL, 2, 5), (TURBO, 1, 3)], ids=["normal", "turbo"]
)
def test_1_7_the_list_is_read_and_its_candidates_are_called_in_order(a_vote, ruleset, name, window):
    play = a_vote((5, 2, 9), ruleset=ruleset)
    assert play.events[-1] == ev.ListRead(BallotKind.VOTE, (5, 2, 9))
    assert play.clock().length_s == 3 * name
    told = play.expire(CountdownKind.READ)
    for candidate in (5, 2, 9):
        assert told == (ev.CandidateCalled(candidate), ev.WindowOpened(candidate))
        assert play.clock().length_s == window
        told = play.expire(CountdownKind.BALLOT)
        assert told[0] == ev.WindowClosed(candidate)
        if candidate != 9:
            assert play.clock().length_s == 0.5
            told = play.expire(CountdownKind.BALLOT_GAP)
    assert told[1:] == (ev.RollCalled(),)
    assert (play.clock().kind, play.clock().length_s) == ("roll_call", 20)


def test_1_7_a_vote_counts_for_a_candidate_already_called_until_the_close(a_vote):
    play = a_vote((5, 2)).until(Phase.BALLOT)
    assert play.refusal(do.Vote(1, 2)) is Refusal.NOT_CALLED
    assert play.refusal(do.Vote(1, 6)) is Refusal.NOT_CALLED
    assert play.act(do.Vote(1, 5)) == (ev.VoteCast(1, 5),)
    assert play.refusal(do.Vote(1, 5)) is Refusal.ALREADY_VOTED
    play.expire(CountdownKind.BALLOT)
    play.act(do.Vote(3, 5))
    assert play.refusal(do.Vote(4, 2)) is Refusal.NOT_CALLED
    play.expire(CountdownKind.BALLOT_GAP)
    play.act(do.Vote(4, 5))
    assert play.refusal(do.Vote(1, 2)) is Refusal.ALREADY_VOTED
    play.expire(CountdownKind.BALLOT)
    play.act(do.Vote(5, 2), do.Vote(6, 5))
    assert play.refusal(do.VoteLift(7)) is Refusal.WRONG_PHASE
    closed = play.act(do.CloseBallot())[0]
    assert [seat for seat, candidate in closed.votes if candidate == 5] == [1, 3, 4, 6]


def test_1_7_there_is_no_vote_while_the_list_is_read(a_vote):
    play = a_vote((5, 2))
    assert play.refusal(do.Vote(1, 5)) is Refusal.WRONG_PHASE
    assert play.refusal(do.CloseBallot()) is Refusal.WRONG_PHASE


def test_1_7_departed_seats_do_not_vote(a_vote):
    play = a_vote((5, 2), without=(9,)).until(Phase.BALLOT)
    assert play.refusal(do.Vote(9, 5)) is Refusal.NOT_LIVING


@pytest.mark.parametrize("close", ["roll call", "patience"])
def test_1_7_a_missing_vote_goes_against_the_last_candidate(a_vote, close):
    play = a_vote((5, 2), without=(9,)).until(Phase.BALLOT)
    play.act(do.Vote(5, 5), do.Vote(2, 5))
    play.until(Phase.ROLL_CALL)
    if close == "patience":
        told = play.expire(CountdownKind.ROLL_CALL)
    else:
        told = play.act(do.CloseBallot())
    votes = tuple((seat, 5 if seat in (2, 5) else 2) for seat in SEATS if seat != 9)
    missing = (1, 3, 4, 6, 7, 8, 10)
    assert told[0] == ev.BallotClosed(BallotKind.VOTE, 2, (5, 2), votes, missing, (2,), 9)


def test_1_7_most_votes_leave_and_all_windows_run(a_vote):
    play = a_vote((5, 2, 9))
    closed = play.ballot({5: (1, 2, 3), 2: (4, 5, 6, 7, 8, 10), 9: ()})
    assert closed.top == (2,)
    assert closed.automatic == (9,)
    assert [event.candidate for event in play.told(ev.CandidateCalled)] == [5, 2, 9]
    assert play.events[-3:] == [
        ev.VoteSettled(2, (2,)),
        ev.SeatLeft(2, Cause.VOTE),
        ev.FarewellBegan(2),
    ]


@pytest.mark.parametrize(
    ("day", "nominees", "told"),
    [
        (1, (), [ev.VoteSettled(1, ()), ev.NightFell(1)]),
        (2, (), [ev.VoteSettled(2, ()), ev.NightFell(2)]),
        (1, (4,), [ev.VoteSettled(1, ()), ev.NightFell(1)]),
        (
            2,
            (4,),
            [
                ev.VoteSettled(2, (4,), single=True),
                ev.SeatLeft(4, Cause.SINGLE),
                ev.FarewellBegan(4),
            ],
        ),
    ],
    ids=["none, day 1", "none", "one, day 1", "one"],
)
def test_1_7_without_two_nominees_there_is_no_ballot(a_vote, day, nominees, told):
    play = a_vote(nominees, day)
    assert play.events[-len(told) :] == told
    assert play.told(ev.ListRead) == []


@pytest.mark.parametrize(
    ("ruleset", "length"), [(NORMAL, 30), (TURBO, 15)], ids=["normal", "turbo"]
)
def test_1_8_the_tied_speak_in_list_order_before_the_revote(a_vote, ruleset, length):
    play = a_vote((5, 2, 9), ruleset=ruleset)
    closed = play.ballot({5: (1, 2, 3, 4), 2: (5, 6, 7, 8), 9: (9, 10)})
    assert closed.top == (5, 2)
    assert play.events[-1] == ev.SpeechBegan(5, silent=False, tie=True)
    assert (play.clock().length_s, play.clock().seat) == (length, 5)
    assert play.refusal(do.EndFloor(2)) is Refusal.NOT_YOUR_FLOOR
    assert play.refusal(do.Nominate(5, 1)) is Refusal.WRONG_PHASE
    assert play.expire(CountdownKind.TIE_SPEECH) == (
        ev.SpeechEnded(5),
        ev.SpeechBegan(2, silent=False, tie=True),
    )
    assert play.act(do.EndFloor(2)) == (
        ev.SpeechEnded(2),
        ev.ListRead(BallotKind.REVOTE, (5, 2)),
    )
    assert play.state.floor == 0


def test_1_8_5_6_in_a_revote_the_missing_vote_goes_to_the_last_of_the_tied(a_vote):
    play = a_vote((5, 2, 9))
    play.ballot({5: (1, 2, 3, 4), 2: (5, 6, 7, 8), 9: (9, 10)})
    closed = play.ballot({5: (1, 2)})
    assert closed.candidates == (5, 2)
    assert closed.automatic == (3, 4, 5, 6, 7, 8, 9, 10)
    assert closed.top == (2,)


THIRDS = {1: (1, 2, 3), 2: (4, 5, 6), 3: (7, 8, 10)}
HALVES = {1: (1, 2, 3, 4), 2: (5, 6, 7, 8)}


def test_1_8_5_4_fewer_tied_speak_and_vote_again(a_vote):
    play = a_vote((1, 2, 3), without=(9,))
    assert play.ballot(THIRDS).top == (1, 2, 3)
    assert play.ballot({1: (1, 2, 3, 4), 2: (5, 6, 7, 8), 3: (10,)}).top == (1, 2)
    assert play.events[-1] == ev.SpeechBegan(1, silent=False, tie=True)
    assert play.ballot({1: (1, 2, 3, 4, 10), 2: (5, 6, 7, 8)}).candidates == (1, 2)
    assert play.told(ev.LiftCalled) == []
    assert play.told(ev.VoteSettled) == [ev.VoteSettled(2, (1,))]


def test_1_8_5_4_only_the_same_set_tied_again_is_lifted(a_vote):
    play = a_vote((1, 2, 3, 4), without=(9, 10))
    assert play.ballot({1: (1, 2), 2: (3, 4), 3: (5, 6), 4: (7, 8)}).top == (1, 2, 3, 4)
    assert play.ballot(HALVES).top == (1, 2)
    assert play.state.phase is Phase.TIE_SPEECH
    assert play.ballot(HALVES).top == (1, 2)
    assert play.events[-2:] == [ev.LiftCalled((1, 2)), ev.WindowOpened(0)]


@pytest.mark.parametrize(("ruleset", "length"), [(NORMAL, 5), (TURBO, 3)], ids=["normal", "turbo"])
def test_1_9_all_living_press_for_the_lift_in_one_window(a_vote, ruleset, length):
    play = a_vote((1, 2), without=(9, 10), ruleset=ruleset)
    play.ballot(HALVES)
    play.ballot(HALVES)
    assert (play.state.phase, play.clock().length_s) == (Phase.LIFT, length)
    assert play.act(do.VoteLift(1)) == (ev.VoteCast(1, 0),)
    assert play.refusal(do.VoteLift(1)) is Refusal.ALREADY_VOTED
    assert play.refusal(do.VoteLift(9)) is Refusal.NOT_LIVING
    assert play.refusal(do.Vote(3, 1)) is Refusal.WRONG_PHASE
    assert play.expire(CountdownKind.LIFT) == (ev.WindowClosed(0), ev.RollCalled())
    play.act(do.VoteLift(2))
    assert play.refusal(do.Vote(3, 1)) is Refusal.NOT_CALLED
    assert play.expire(CountdownKind.ROLL_CALL)[0] == ev.BallotClosed(
        BallotKind.LIFT, 2, (1, 2), ((1, 0), (2, 0)), (), (), 8
    )


@pytest.mark.parametrize(
    ("living", "tied", "needed"), [(10, 2, 6), (9, 3, 5), (8, 2, 5), (6, 2, 4), (4, 2, 3)]
)
def test_1_9_5_3_a_lift_needs_more_than_half(a_vote, living, tied, needed):
    without = {10: (), 9: (2,), 8: (2, 9), 6: (2, 3, 8, 9), 4: (2, 3, 4, 5, 8, 9)}[living]
    seats = [seat for seat in SEATS if seat not in without]
    sides = {seats[k]: seats[k::tied] for k in range(tied)}
    for yes in (needed - 1, needed):
        play = a_vote(seats[:tied], without=without)
        play.ballot(sides)
        play.ballot(sides)
        closed = play.lift(seats[:yes])
        assert closed.top == (tuple(seats[:tied]) if yes == needed else ())
        assert play.told(ev.VoteSettled)[-1].leave == closed.top
        assert (play.state.phase is Phase.FAREWELL) is (yes == needed)


def test_1_9_5_6_in_a_lift_a_missing_press_is_a_no(a_vote):
    play = a_vote((1, 2), without=(9, 10))
    play.ballot(HALVES)
    play.ballot(HALVES)
    closed = play.lift(())
    assert (closed.votes, closed.automatic, closed.top) == ((), (), ())
    assert play.events[-2:] == [ev.VoteSettled(2, ()), ev.NightFell(2)]


def test_1_9_5_5_a_tie_of_the_whole_table_is_not_lifted(a_vote):
    play = a_vote((1, 2, 10), without=(3, 4, 5, 6, 7, 8, 9))
    everyone = {1: (1,), 2: (2,), 10: (10,)}
    play.ballot(everyone)
    play.ballot(everyone)
    assert play.events[-2:] == [ev.VoteSettled(2, ()), ev.NightFell(2)]
    assert play.told(ev.LiftCalled) == []


@pytest.mark.parametrize(
    ("flag", "nominees", "without", "sides"),
    [
        ("lift_two_of_four", (1, 2), (3, 4, 5, 6, 8, 9), {1: (1, 2), 2: (7, 10)}),
        ("lift_three_of_nine", (1, 2, 3), (9,), THIRDS),
    ],
    ids=["two of four", "three of nine"],
)
@pytest.mark.parametrize("held", [True, False])
def test_1_9_two_of_four_and_three_of_nine_can_be_without_a_lift(
    a_vote, flag, nominees, without, sides, held
):
    play = a_vote(nominees, without=without, ruleset=replace(NORMAL, **{flag: held}))
    play.ballot(sides)
    play.ballot(sides)
    assert play.state.phase is (Phase.LIFT if held else Phase.NIGHTFALL)


@pytest.mark.parametrize("flag", ["lift_two_of_four", "lift_three_of_nine"])
def test_1_9_a_flag_forbids_its_own_lift_alone(a_vote, flag):
    play = a_vote((1, 2), without=(9, 10), ruleset=replace(NORMAL, **{flag: False}))
    play.ballot(HALVES)
    play.ballot(HALVES)
    assert play.state.phase is Phase.LIFT


def test_1_9_5_2_victory_is_tested_when_all_lifted_are_out(a_vote):
    play = a_vote((1, 2, 8), without=(3, 4, 5, 9))
    sides = {1: (1, 2), 2: (6, 7), 8: (8, 10)}
    play.ballot(sides)
    play.ballot(sides)
    play.lift((1, 2, 6, 7))
    assert play.events[-4:-1] == [ev.SeatLeft(seat, Cause.LIFT) for seat in (1, 2, 8)]
    assert play.events[-1] == ev.FarewellBegan(1)
    assert play.state.decided is None
    for _ in range(3):
        play.farewell()
    assert play.state.phase is Phase.NIGHTFALL
    assert play.state.living == (6, 7, 10)

"""RULES 2.4: what a disqualification does to the votes; `dq_cancels_vote` on and off."""

import pytest
from msgspec.structs import replace

from table_controller.game import actions as do
from table_controller.game import events as ev
from table_controller.game.model import (
    BallotKind,
    Cause,
    Offence,
    Phase,
    Sanction,
    Source,
    Winner,
)
from table_controller.game.ruleset import NORMAL
from table_controller.game.views import public_view

OFF = replace(NORMAL, dq_cancels_vote=False)
HALF = (1, 2, 3, 4, 5)
INSULT = do.OpenGrounds(7, Offence.INSULTS, Source.HOST)


def dq(seat):
    return do.Rule(Sanction.DISQUALIFICATION, seat, Offence.THREATS)


OUT = pytest.mark.parametrize(
    "out",
    [
        pytest.param(dq, id="2.4 disqualified"),
        pytest.param(do.Withdraw, id="2.4 withdrawn"),
    ],
)


def tie(a_vote, nominees=(3, 4), ruleset=NORMAL, day=2, times=1):
    """Return a vote of ten that has tied so often."""
    play = a_vote(nominees, day=day, ruleset=ruleset)
    parts = {
        nominee: tuple(range(1, 11))[index :: len(nominees)]
        for index, nominee in enumerate(nominees)
    }
    for _ in range(times):
        play.ballot(parts)
    return play


# ---- on: which vote is dropped ----


def _settled(play, day):
    return [record.dropped for record in play.state.days if record.day == day]


@OUT
def test_2_4_todays_vote_is_dropped_while_its_result_does_not_stand(a_morning, out):
    play = a_morning().until(Phase.SPEECH)
    assert ev.VoteDropped(2) in play.act(out(6))
    assert public_view(play.state).dropped == (2,)
    play.speeches({1: 3, 2: 4})
    assert play.told(ev.NominationStood) == [ev.NominationStood(1, 3), ev.NominationStood(2, 4)]
    assert play.told(ev.ListRead) == []
    assert play.told(ev.VoteSettled) == []
    assert play.state.phase is Phase.NIGHTFALL
    assert _settled(play, 2) == [True]


STAGES = {
    "while the list is read": lambda play: play.until(Phase.READING),
    "in the open ballot": lambda play: play.until(Phase.BALLOT),
    "in the roll call": lambda play: play.until(Phase.ROLL_CALL),
    "in a tie speech": lambda play: play.ballot({3: HALF}),
    "in the revote": lambda play: (play.ballot({3: HALF}), play.until(Phase.BALLOT)),
    "during the lift": lambda play: (play.ballot({3: HALF}), play.ballot({3: HALF})),
}


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: f"2.4 {stage}")
@pytest.mark.parametrize("seat", [3, 6], ids=["a candidate", "a voter"])
def test_2_4_a_vote_that_is_under_way_is_dropped_and_night_falls(a_vote, stage, seat):
    play = a_vote((3, 4))
    STAGES[stage](play)
    told = play.act(dq(seat))
    assert ev.VoteDropped(2) in told
    assert told[-1] == ev.NightFell(2)
    window = {"in the open ballot": 3, "in the revote": 3, "during the lift": 0}.get(stage)
    assert [event.number for event in told if isinstance(event, ev.WindowClosed)] == (
        [] if window is None else [window]
    )
    ended = [ev.SpeechEnded(3)] if stage == "in a tie speech" else []
    assert [event for event in told if isinstance(event, ev.SpeechEnded)] == ended
    assert play.told(ev.VoteSettled) == []
    assert play.told(ev.NomineeStruck) == []
    assert _settled(play, 2) == [True]
    view = public_view(play.state)
    assert (view.candidates, view.floor, view.leaving) == ((), 0, ())
    play.until(Phase.SPEECH)
    assert play.state.day == 3
    assert play.told(ev.FarewellBegan) == []


def test_2_4_between_tie_and_revote_in_the_gap_the_vote_is_dropped(a_vote):
    play = a_vote((3, 4))
    play.act(do.EndCountdown(play.clock().id))
    play.act(INSULT, *(do.Vote(seat, 3) for seat in HALF))
    play.until(Phase.MOTION)
    play.act(dq(6))
    assert play.state.phase is Phase.MOTION
    play.motion()
    assert play.state.phase is Phase.NIGHTFALL
    assert play.told(ev.VoteSettled) == []


def test_2_4_when_its_result_stands_tomorrows_vote_is_dropped(a_vote):
    play = a_vote((3, 4))
    play.ballot({3: range(1, 11)})
    assert play.act(dq(6))[-1] == ev.VoteDropped(3)
    play.farewell()
    play.until(Phase.SPEECH)
    play.speeches({2: 4, 4: 5})
    assert play.state.phase is Phase.NIGHTFALL
    assert (_settled(play, 2), _settled(play, 3)) == ([False], [True])


def test_2_4_one_after_another_drop_one_vote_each(a_morning):
    play = a_morning().until(Phase.SPEECH)
    for seat in (2, 3, 8):
        play.act(dq(seat))
    assert play.told(ev.VoteDropped) == [ev.VoteDropped(day) for day in (2, 3, 4)]


def test_2_4_after_a_vote_that_was_cut_the_next_one_drops_tomorrows(a_vote):
    play = a_vote((3, 4)).until(Phase.BALLOT)
    play.act(INSULT, dq(6))
    assert play.state.phase is Phase.MOTION
    assert play.act(dq(5))[-1] == ev.VoteDropped(3)
    play.motion()
    assert play.state.phase is Phase.NIGHTFALL
    assert _settled(play, 2) == [True]


def test_2_4_a_single_nominees_leaving_counts_as_a_vote(a_morning):
    play = a_morning().until(Phase.SPEECH)
    play.act(do.Nominate(1, 4))
    play.speeches()
    assert play.state.phase is Phase.FAREWELL
    play = a_morning().until(Phase.SPEECH)
    play.act(do.Nominate(1, 4), dq(6))
    play.speeches()
    assert play.state.phase is Phase.NIGHTFALL
    assert 4 in play.state.living


def test_2_4_a_day_without_a_ballot_has_its_result_when_the_list_would_have_been_read(a_morning):
    for nominee in (None, 4):
        play = a_morning().until(Phase.SPEECH)
        if nominee:
            play.act(do.Nominate(1, nominee))
        while play.state.to_speak != (10,):
            play.act(do.EndFloor(play.state.floor))
        play.act(INSULT, do.EndFloor(10))
        assert play.state.phase is Phase.MOTION
        assert ev.VoteDropped(2) in play.act(dq(6))
        play.motion()
        assert play.state.phase is Phase.NIGHTFALL
        assert len(play.state.living) == 9


def test_2_4_before_nightfall_the_result_of_a_day_without_a_ballot_stands(a_vote):
    play = a_vote((3, 4))
    play.ballot({3: HALF})
    play.ballot({3: HALF})
    play.act(INSULT)
    play.lift(())
    assert play.state.phase is Phase.MOTION
    assert play.act(dq(6))[-1] == ev.VoteDropped(3)


def test_2_4_on_a_dropped_day_the_list_stays_as_it_was_read_out(a_morning):
    play = a_morning().until(Phase.SPEECH)
    play.act(do.Nominate(1, 4), do.EndFloor(1), dq(4))
    assert play.told(ev.NomineeStruck) == []
    assert public_view(play.state).nominees == (4,)


@OUT
def test_2_4_a_seat_already_voted_out_drops_none(a_vote, out):
    play = a_vote((3, 4))
    play.ballot({3: range(1, 11)})
    play.act(out(3))
    assert play.told(ev.VoteDropped) == []


def test_2_4_a_seat_shot_drops_none_and_one_in_the_morning_drops_todays(a_vote):
    play = a_vote(())
    play.night({seat: [2] for seat in (8, 9, 10)})
    play.expire()
    assert play.state.phase is Phase.FAREWELL
    play.act(dq(5))
    assert play.told(ev.VoteDropped) == [ev.VoteDropped(3)]
    play.act(dq(2))
    assert play.told(ev.VoteDropped) == [ev.VoteDropped(3)]
    play.speeches({3: 4, 4: 6})
    assert play.state.phase is Phase.NIGHTFALL


def test_1_13_a_dropped_day_with_a_disqualification_is_no_idle_day(a_vote):
    play = a_vote(())
    assert play.state.idle_nights == 1
    play.until(Phase.SPEECH)
    assert play.state.idle_nights == 2
    play.act(dq(5))
    assert play.state.idle_nights == 0


# ---- off: the seat is struck ----


@OUT
def test_2_4_off_nothing_is_dropped(a_morning, out):
    play = a_morning(ruleset=OFF).until(Phase.SPEECH)
    play.act(out(6))
    assert play.told(ev.VoteDropped) == []
    assert play.told(ev.NomineeStruck) == []
    play.speeches({1: 3, 2: 4})
    assert play.state.phase is Phase.READING


@OUT
def test_2_4_off_the_seat_is_struck_from_the_list(a_morning, out):
    play = a_morning(ruleset=OFF).until(Phase.SPEECH)
    for nominee in (3, 4, 5):
        play.act(do.Nominate(play.state.floor, nominee), do.EndFloor(play.state.floor))
    assert ev.NomineeStruck(4) in play.act(out(4))
    assert play.state.nominations == ((1, 3), (3, 5))
    play.speeches()
    assert play.told(ev.ListRead) == [ev.ListRead(BallotKind.VOTE, (3, 5))]


@pytest.mark.parametrize(
    ("day", "leaves"),
    [pytest.param(1, False, id="2.4 on D1 nobody leaves"), pytest.param(2, True, id="2.4 from D2")],
)
def test_2_4_off_a_list_cut_to_one_is_a_single_nominee(a_vote, day, leaves):
    play = a_vote((3, 4), day=day, ruleset=OFF)
    assert play.state.phase is Phase.READING
    told = play.act(dq(3))
    assert ev.NomineeStruck(3) in told
    settled = ev.VoteSettled(day, (4,) if leaves else (), single=leaves)
    assert settled in told
    assert (ev.SeatLeft(4, Cause.SINGLE) in told) is leaves
    assert public_view(play.state).candidates == ()
    assert play.state.phase is (Phase.FAREWELL if leaves else Phase.NIGHTFALL)


def test_2_4_off_none_left_is_night(a_vote):
    play = a_vote((3, 4), ruleset=OFF)
    play.act(INSULT, dq(3))
    assert play.state.phase is Phase.MOTION
    told = play.act(dq(4))
    assert ev.NomineeStruck(4) in told
    play.motion()
    assert play.state.phase is Phase.NIGHTFALL
    assert play.told(ev.VoteSettled) == [ev.VoteSettled(2, ())]


def test_2_4_off_while_the_list_is_read_a_struck_one_is_read_again(a_vote):
    play = a_vote((3, 4, 5), ruleset=OFF)
    clock = play.clock()
    play.act(dq(9))
    assert play.clock() == clock
    assert play.act(dq(4))[-1] == ev.ListRead(BallotKind.VOTE, (3, 5))
    assert play.clock().length_s == 4


@pytest.mark.parametrize("phase", [Phase.BALLOT, Phase.ROLL_CALL], ids=lambda p: f"2.4 {p}")
@pytest.mark.parametrize("seat", [4, 9], ids=["a candidate", "a voter"])
def test_2_4_off_an_open_ballot_is_held_again(a_vote, phase, seat):
    play = a_vote((3, 4, 5), ruleset=OFF).until(Phase.BALLOT)
    play.act(do.Vote(9, 3), do.Vote(1, 3))
    play.until(phase)
    told = play.act(dq(seat))
    left = (3, 5) if seat == 4 else (3, 4, 5)
    assert told[-1] == ev.ListRead(BallotKind.VOTE, left)
    assert (ev.WindowClosed(3) in told) is (phase is Phase.BALLOT)
    assert (ev.NomineeStruck(4) in told) is (seat == 4)
    assert play.state.ballot.votes == ()
    voters = list(play.state.living)
    closed = play.ballot({5: (1, 2)})
    assert [voter for voter, _ in closed.votes] == voters


def test_2_4_off_a_tied_set_cut_to_one_leaves(a_vote):
    for stage in ("in a tie speech", "in the revote", "during the lift"):
        play = a_vote((3, 4), day=1, ruleset=OFF)
        STAGES[stage](play)
        told = play.act(dq(4))
        assert ev.NomineeStruck(4) in told
        assert ev.VoteSettled(1, (3,)) in told
        assert ev.SeatLeft(3, Cause.VOTE) in told
        assert (play.state.phase, play.state.floor) == (Phase.FAREWELL, 3)
        assert public_view(play.state).candidates == ()


def test_2_4_off_the_tied_speaker_put_out_leaves_the_other_alone(a_vote):
    play = tie(a_vote, ruleset=OFF)
    assert play.state.floor == 3
    told = play.act(dq(3))
    assert ev.SpeechEnded(3) in told
    assert ev.SeatLeft(4, Cause.VOTE) in told


def test_2_4_off_a_tied_set_that_was_cut_goes_on_without_the_seat(a_vote):
    play = tie(a_vote, (3, 4, 5, 6, 7), ruleset=OFF)
    told = play.act(dq(3))
    assert told[-2:] == (ev.NomineeStruck(3), ev.SpeechBegan(4, silent=False, tie=True))
    play.act(dq(5), do.EndFloor(4))
    assert play.state.floor == 6
    play.act(do.EndFloor(6), do.EndFloor(7))
    assert play.told(ev.ListRead)[-1] == ev.ListRead(BallotKind.REVOTE, (4, 6, 7))


def test_2_4_off_a_voter_out_between_tie_and_revote_changes_nothing_else(a_vote):
    play = tie(a_vote, ruleset=OFF)
    clock = play.clock()
    play.act(dq(9))
    assert play.clock() == clock
    play.act(do.EndFloor(3), do.EndFloor(4))
    assert play.told(ev.ListRead)[-1] == ev.ListRead(BallotKind.REVOTE, (3, 4))
    play.act(dq(1))
    play.until(Phase.BALLOT)
    play.act(dq(2))
    assert play.told(ev.ListRead)[-1] == ev.ListRead(BallotKind.REVOTE, (3, 4))
    assert play.state.phase is Phase.READING


@pytest.mark.parametrize("when", ["speech", "revote"])
def test_2_4_off_a_set_that_was_cut_is_not_the_same_set(a_vote, when):
    play = tie(a_vote, (3, 4, 5, 6, 7), ruleset=OFF)
    if when == "revote":
        play.until(Phase.BALLOT)
    for seat in (5, 6):
        play.act(dq(seat))
    play.until(Phase.BALLOT) if when == "speech" else play.expire()
    assert play.state.ballot.candidates == (3, 4, 7)
    third = {3: (1, 2, 3, 4), 4: (7, 8, 9, 10)}
    play.act(*(do.Vote(seat, 3) for seat in third[3]))
    play.expire()
    play.expire()
    play.act(*(do.Vote(seat, 4) for seat in third[4]))
    play.until(Phase.TIE_SPEECH)
    assert play.state.tied == (3, 4)
    closed = play.ballot(third)
    assert closed.top == (3, 4)
    assert play.state.phase is Phase.LIFT


def test_2_4_off_a_cut_set_that_ties_for_the_first_time_speaks_again(a_vote):
    play = tie(a_vote, (3, 4, 5, 6, 7), ruleset=OFF)
    for seat in (5, 6, 7, 8):
        play.act(dq(seat))
    assert play.state.tied == (3, 4)
    play.ballot({3: (1, 2, 3)})
    assert play.state.phase is Phase.TIE_SPEECH
    play.ballot({3: (1, 2, 3)})
    assert play.state.phase is Phase.LIFT


def test_2_4_off_a_lift_is_held_again_without_a_voter(a_vote):
    play = tie(a_vote, ruleset=OFF, times=2)
    play.act(do.VoteLift(1), do.VoteLift(9))
    told = play.act(dq(9))
    assert told[-3:] == (ev.WindowClosed(0), ev.LiftCalled((3, 4)), ev.WindowOpened(0))
    assert play.state.ballot.votes == ()
    closed = play.lift((1, 2, 3, 4, 5))
    assert (closed.living, closed.top) == (9, (3, 4))


def test_2_4_off_a_lift_whose_set_was_cut_is_a_new_tie(a_vote):
    play = tie(a_vote, (3, 4, 5, 6, 7), ruleset=OFF, times=2)
    assert play.state.phase is Phase.LIFT
    assert play.act(dq(5))[-1] == ev.SpeechBegan(3, silent=False, tie=True)
    assert play.state.tied == (3, 4, 6, 7)
    assert public_view(play.state).candidates == ()
    play.until(Phase.READING)
    assert play.told(ev.ListRead)[-1] == ev.ListRead(BallotKind.REVOTE, (3, 4, 6, 7))


@pytest.mark.parametrize(
    ("seat", "after"),
    [
        pytest.param(4, (Phase.FAREWELL, ()), id="2.4 one of two: the other leaves"),
        pytest.param(9, (Phase.LIFT, (3, 4)), id="2.4 a voter: the lift is held"),
    ],
)
def test_2_4_off_in_the_gap_before_the_lift_the_set_can_be_cut(a_vote, seat, after):
    play = tie(a_vote, ruleset=OFF).until(Phase.BALLOT)
    play.act(INSULT, *(do.Vote(voter, 3) for voter in range(1, 11, 2)))
    play.until(Phase.MOTION)
    play.act(dq(seat))
    assert play.state.phase is Phase.MOTION
    play.motion()
    assert (play.state.phase, play.state.tied) == after


def test_2_4_off_in_the_gap_before_the_lift_a_set_that_was_cut_speaks_again(a_vote):
    nominees = (3, 4, 5, 6, 7)
    play = tie(a_vote, nominees, ruleset=OFF).until(Phase.READING)
    play.act(INSULT)
    play.until(Phase.BALLOT)
    for nominee in nominees:
        play.act(*(do.Vote(voter, nominee) for voter in (nominee - 2, nominee + 3)))
        play.expire()
        if nominee != 7:
            play.expire()
    play.act(do.CloseBallot())
    assert (play.state.phase, play.state.tied) == (Phase.MOTION, nominees)
    play.act(dq(5))
    play.motion()
    assert (play.state.phase, play.state.floor) == (Phase.TIE_SPEECH, 3)
    assert play.state.to_speak == (3, 4, 6, 7)


def test_2_4_off_after_the_result_nothing_is_struck(a_vote):
    play = a_vote((3, 4), ruleset=OFF)
    play.ballot({3: range(1, 11)})
    play.act(dq(4))
    assert play.told(ev.NomineeStruck) == []
    assert play.state.phase is Phase.FAREWELL


def test_2_4_off_the_game_can_be_decided_by_the_one_who_is_left_of_a_tied_set(a_vote):
    play = a_vote((4, 5), without=(1, 2), ruleset=OFF)
    play.ballot({4: (3, 4, 5, 6)})
    play.act(dq(4))
    assert play.state.decided is Winner.MAFIA
    assert play.state.phase is Phase.FAREWELL

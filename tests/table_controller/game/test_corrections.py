"""What the host puts right: RULES 1.4, 1.6, 1.7, 1.11, 1.16 and 1.17."""

import pytest

from table_controller.game import actions as do
from table_controller.game import events as ev
from table_controller.game import host_actions
from table_controller.game.corrections import EXTENSIONS_S, LEAST_LEFT_S
from table_controller.game.model import (
    SEATS,
    CountdownKind,
    NightRound,
    Offence,
    Phase,
    Refusal,
    Sanction,
    Source,
    Winner,
)
from table_controller.game.views import host_view, public_view, seat_view

INSULT = do.OpenGrounds(4, Offence.INSULTS, Source.HOST)


@pytest.fixture
def day(a_morning):
    return a_morning().until(Phase.SPEECH)


# ---- fouls ----


def test_1_6_the_host_enters_a_shout_made_without_the_button(day):
    assert day.act(do.GiveFoul(4)) == (ev.FoulGiven(4, 1),)
    assert day.state.fouls[3] == 1
    assert day.state.shouts == ()


def test_1_6_an_entered_foul_silences_like_any_other(day):
    for _ in range(3):
        day.act(do.GiveFoul(4))
    assert public_view(day.state).seats[3].silenced
    day.until(Phase.MORNING)
    day.until(Phase.SPEECH)
    assert day.state.silenced == (4,)


def test_1_5_a_shout_is_entered_where_one_could_be_made(a_morning, a_dealt_game):
    day = a_morning(without=(9,)).until(Phase.SPEECH)
    day.act(do.Shout(5))
    assert day.refusal(do.GiveFoul(1)) is Refusal.YOUR_FLOOR
    assert day.refusal(do.GiveFoul(9)) is Refusal.NOT_LIVING
    assert day.refusal(do.GiveFoul(5)) is Refusal.SHOUTING
    assert a_dealt_game().refusal(do.GiveFoul(4)) is Refusal.WRONG_PHASE
    day.act(do.Pause(), do.GiveFoul(4), do.Resume())
    day.act(INSULT, do.EndFloor(1))
    assert day.refusal(do.GiveFoul(5)) is Refusal.WRONG_PHASE


def test_1_6_a_foul_taken_back_gives_the_speech_back_if_its_round_has_not_begun(day):
    for _ in range(3):
        day.act(do.GiveFoul(4))
    assert day.act(do.TakeBackFoul(4)) == (ev.FoulTakenBack(4, 2),)
    assert not public_view(day.state).seats[3].silenced
    day.until(Phase.MORNING)
    day.until(Phase.SPEECH)
    assert day.state.silenced == ()


def test_1_6_a_foul_taken_back_gives_nothing_back_once_the_round_has_begun(a_morning):
    play = a_morning(fouls=(0, 0, 0, 3) + (0,) * 6).until(Phase.SPEECH)
    play.act(do.TakeBackFoul(4))
    assert play.state.silenced == (4,)
    play.act(do.GiveFoul(4))
    play.until(Phase.MORNING)
    play.until(Phase.SPEECH)
    assert play.state.silenced == ()


def test_1_6_there_must_be_a_foul_of_a_living_seat_to_take_back_by_day(a_morning):
    play = a_morning(without=(9,), fouls=(1,) * 10).until(Phase.SPEECH)
    assert play.refusal(do.TakeBackFoul(9)) is Refusal.NOT_LIVING
    play.act(do.TakeBackFoul(4))
    assert play.refusal(do.TakeBackFoul(4)) is Refusal.NOTHING_TO_TAKE_BACK
    assert play.until(Phase.NIGHTFALL).refusal(do.TakeBackFoul(5)) is Refusal.WRONG_PHASE


# ---- nominations ----


def test_1_4_the_host_changes_a_nomination_before_the_list_is_read(day):
    for nominee in (3, 4, 5):
        day.act(do.Nominate(day.state.floor, nominee), do.EndFloor(day.state.floor))
    assert day.act(do.CorrectNomination(2, 6)) == (ev.NominationCorrected(2, 6),)
    assert public_view(day.state).nominees == (3, 6, 5)
    assert day.act(do.CorrectNomination(1, None)) == (ev.NominationCorrected(1, None),)
    assert day.state.nominations == ((2, 6), (3, 5))
    day.act(do.CorrectNomination(1, 1))
    assert day.state.nominations == ((1, 1), (2, 6), (3, 5))


def test_1_4_a_nomination_entered_late_has_the_place_of_its_speech(day):
    day.act(do.EndFloor(1), do.Nominate(2, 4), do.EndFloor(2), do.CorrectNomination(1, 5))
    assert public_view(day.state).nominees == (5, 4)


def test_1_4_the_choice_of_the_speaker_stays_hidden_until_its_speech_ends(day):
    before = public_view(day.state)
    assert day.act(do.CorrectNomination(1, 5)) == (ev.NominationChosen(1, 5),)
    assert public_view(day.state) == before
    assert seat_view(day.state, 1).chosen == (5,)
    day.act(do.CorrectNomination(1, 5), do.CorrectNomination(1, None))
    assert day.state.choice == 0
    assert seat_view(day.state, 1).chosen == ()
    assert day.refusal(do.CorrectNomination(1, None)) is Refusal.NOTHING_TO_TAKE_BACK


def test_1_4_the_host_leaves_a_list_open_that_the_speaker_has_open(day):
    day.act(do.OpenPick(1), do.EndFloor(1), do.CorrectNomination(1, 5))
    assert day.state.phase is Phase.PICKING
    day.expire(CountdownKind.PICK)
    assert day.state.nominations == ((1, 5),)


def test_1_4_the_rules_own_checks_hold_for_the_host_too(a_morning):
    day = a_morning(without=(9,)).until(Phase.SPEECH)
    day.act(do.Nominate(1, 3), do.EndFloor(1), do.EndFloor(2), do.Nominate(3, 4))
    assert day.refusal(do.CorrectNomination(2, 9)) is Refusal.NOT_LIVING
    assert day.refusal(do.CorrectNomination(2, 11)) is Refusal.NOT_LIVING
    assert day.refusal(do.CorrectNomination(2, 3)) is Refusal.ALREADY_LISTED
    assert day.refusal(do.CorrectNomination(2, 4)) is Refusal.ALREADY_LISTED
    assert day.refusal(do.CorrectNomination(1, 3)) is Refusal.ALREADY_LISTED
    assert day.refusal(do.CorrectNomination(2, None)) is Refusal.NOTHING_TO_TAKE_BACK
    assert day.refusal(do.CorrectNomination(4, 5)) is Refusal.NOT_SPOKEN
    assert day.refusal(do.CorrectNomination(9, 5)) is Refusal.NOT_LIVING
    assert day.refusal(do.CorrectNomination(0, 5)) is Refusal.NO_SUCH_SEAT
    assert day.refusal(do.CorrectNomination(11, None)) is Refusal.NO_SUCH_SEAT
    day.act(do.CorrectNomination(3, 5))
    assert day.state.choice == 5


def test_1_4_the_nomination_of_a_seat_that_is_gone_since_can_be_changed(day):
    day.act(do.Nominate(1, 3), do.EndFloor(1), do.Withdraw(1))
    day.act(do.CorrectNomination(1, 4))
    assert day.state.nominations == ((1, 4),)


def test_1_4_in_the_gap_before_the_list_is_read_it_can_still_be_changed(day):
    day.act(do.Nominate(1, 3))
    while day.state.to_speak != (10,):
        day.act(do.EndFloor(day.state.floor))
    day.act(INSULT, do.EndFloor(10), do.CorrectNomination(10, 4))
    day.motion()
    assert day.state.ballot.candidates == (3, 4)


def test_1_4_it_is_too_late_when_the_list_is_read_or_the_day_is_over(a_vote, a_morning):
    play = a_vote((3, 4))
    correction = do.CorrectNomination(1, 5)
    assert play.refusal(correction) is Refusal.WRONG_PHASE
    play.ballot({3: (1, 2, 3, 4, 5)})
    assert play.refusal(correction) is Refusal.WRONG_PHASE
    play.ballot({3: range(1, 11)})
    assert play.state.phase is Phase.FAREWELL
    assert play.refusal(correction) is Refusal.WRONG_PHASE
    assert a_morning().refusal(correction) is Refusal.WRONG_PHASE


# ---- votes ----


@pytest.fixture
def ballot(a_vote):
    play = a_vote((3, 4, 5)).until(Phase.BALLOT)
    play.act(do.Vote(1, 3))
    return play


def test_1_7_the_host_changes_a_vote_before_the_close(ballot):
    ballot.expire(CountdownKind.BALLOT)
    ballot.expire(CountdownKind.BALLOT_GAP)
    assert ballot.act(do.CorrectVote(1, 4)) == (ev.VoteCorrected(1, 4),)
    ballot.act(do.Vote(2, 4), do.CorrectVote(2, None))
    assert ballot.state.ballot.votes == ((1, 4),)
    ballot.act(do.Vote(2, 3), do.CorrectVote(6, 3))
    ballot.until(Phase.ROLL_CALL)
    ballot.act(do.CorrectVote(7, 5))
    closed = ballot.act(do.CloseBallot())[0]
    assert closed.votes[:7] == ((1, 4), (2, 3), (3, 5), (4, 5), (5, 5), (6, 3), (7, 5))
    assert closed.automatic == (3, 4, 5, 8, 9, 10)


def test_1_7_the_host_sees_who_has_voted_and_not_for_whom(ballot):
    other = type(ballot)(ballot.state)
    ballot.expire()
    ballot.expire()
    other.expire()
    other.expire()
    ballot.act(do.CorrectVote(1, 4), do.Vote(2, 3))
    other.act(do.Vote(2, 4))
    assert host_view(ballot.state) == host_view(other.state)
    # While candidates are called, when somebody votes would tell for whom.
    assert host_view(ballot.state).voted == ()
    ballot.until(Phase.ROLL_CALL)
    assert host_view(ballot.state).voted == (1, 2)
    assert not isinstance(ballot.act(do.CorrectVote(1, 3))[0], ev.PUBLIC)


def test_1_7_no_refusal_tells_the_host_for_whom_a_seat_has_voted(ballot):
    assert ballot.act(do.CorrectVote(1, 3)) == (ev.VoteCorrected(1, 3),)
    assert ballot.state.ballot.votes == ((1, 3),)


def test_1_7_the_host_enters_only_what_could_be_voted(a_vote):
    play = a_vote((3, 4), without=(9,))
    assert play.refusal(do.CorrectVote(1, 3)) is Refusal.WRONG_PHASE
    play.until(Phase.BALLOT)
    assert play.refusal(do.CorrectVote(1, 4)) is Refusal.NOT_CALLED
    assert play.refusal(do.CorrectVote(1, 0)) is Refusal.NOT_CALLED
    assert play.refusal(do.CorrectVote(9, 3)) is Refusal.NOT_LIVING
    assert play.refusal(do.CorrectVote(9, None)) is Refusal.NOT_LIVING
    assert play.act(do.CorrectVote(1, None)) == (ev.VoteCorrected(1, None),)
    play.until(Phase.FAREWELL)
    assert play.refusal(do.CorrectVote(1, 3)) is Refusal.WRONG_PHASE


def test_1_9_a_vote_in_a_lift_can_be_changed(a_vote):
    play = a_vote((3, 4))
    for _ in range(2):
        play.ballot({3: (1, 2, 3, 4, 5)})
    play.act(do.VoteLift(1), do.CorrectVote(1, None), do.CorrectVote(2, 0))
    assert [seat for seat in SEATS if seat_view(play.state, seat).voted] == [2]
    # A vote in a lift is a yes: the host hears of it at the close, like everybody.
    assert host_view(play.state).voted == ()
    # Nor does a refusal tell who has said yes.
    assert play.act(do.CorrectVote(3, None)) == (ev.VoteCorrected(3, None),)
    assert play.refusal(do.CorrectVote(3, 3)) is Refusal.NOT_CALLED
    assert play.lift((3,)).votes == ((2, 0), (3, 0))


def test_2_3_a_vote_in_a_motion_can_be_changed(day):
    day.act(INSULT, do.EndFloor(1))
    day.act(do.VoteMotion(1), do.CorrectVote(1, None), do.CorrectVote(2, 0), do.CorrectVote(2, 0))
    assert [seat for seat in SEATS if seat_view(day.state, seat).voted] == [2]
    assert host_view(day.state).voted == ()
    assert day.act(do.CorrectVote(3, None)) == (ev.VoteCorrected(3, None),)
    assert day.refusal(do.CorrectVote(4, 0)) is Refusal.NOT_FOR_YOU
    assert day.refusal(do.CorrectVote(3, 4)) is Refusal.NOT_CALLED
    assert day.motion((5,)).yes == (2, 5)


# ---- clocks ----


def test_the_host_ends_a_countdown_of_the_day(day):
    clock = day.clock()
    assert day.act(do.EndCountdown(clock.id))[0] == ev.SpeechEnded(1)
    assert day.refusal(do.EndCountdown(clock.id)) is Refusal.STALE_COUNTDOWN


def test_the_host_ends_a_shout_and_a_speech_that_stands_for_it(day):
    day.act(do.Shout(5))
    assert not day.clock().runs
    day.act(do.EndCountdown(day.clock().id))
    assert (day.state.floor, day.state.shouts) == (2, (5,))
    assert day.act(do.EndCountdown(day.clock(1).id)) == (ev.ShoutEnded(5),)


def test_1_7_the_host_says_go_on_without_an_offline_seat(a_vote):
    play = a_vote((3, 4)).until(Phase.ROLL_CALL)
    told = play.act(do.EndCountdown(play.clock().id))
    assert isinstance(told[0], ev.BallotClosed)


@pytest.mark.parametrize("by_s", [5.0, 60.0])
def test_the_host_makes_a_countdown_longer_and_it_keeps_its_id(day, by_s):
    clock = day.clock()
    assert day.act(do.ExtendCountdown(clock.id, by_s)) == (ev.CountdownChanged(clock.id, by_s),)
    assert (day.clock().id, day.clock().length_s, day.clock().runs) == (clock.id, 60 + by_s, True)


def test_the_host_makes_each_of_the_running_countdowns_longer(day):
    day.act(do.Shout(5), do.Accuse(2, 3, Offence.BETS))
    for index, length_s in enumerate((70, 15, 15)):
        day.act(do.ExtendCountdown(day.clock(index).id, 10.0))
        assert day.clock(index).length_s == length_s
    assert [day.clock(index).runs for index in range(3)] == [False, True, True]


def test_a_countdown_is_made_longer_by_steps_of_five_seconds_up_to_a_minute(day):
    clock = day.clock()
    assert EXTENSIONS_S == (5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60)
    for change in (do.ExtendCountdown, do.ShortenCountdown):
        for by_s in (0.0, -5.0, 7.0, 65.0, float("nan"), float("inf")):
            assert day.refusal(change(clock.id, by_s)) is Refusal.BAD_EXTENSION
        assert day.refusal(change(clock.id + 1, 5.0)) is Refusal.STALE_COUNTDOWN


def test_the_host_makes_a_floor_shorter_and_it_keeps_its_id(day):
    clock = day.clock()
    told = day.act(do.ShortenCountdown(clock.id, 30.0))
    assert told == (ev.CountdownChanged(clock.id, -30.0),)
    assert (day.clock().id, day.clock().length_s, day.clock().runs) == (clock.id, 30.0, True)
    day.act(do.Shout(5))
    day.act(do.ExtendCountdown(day.state.shout_clock.id, 20.0))
    day.act(do.ShortenCountdown(day.state.shout_clock.id, 10.0))
    assert (day.clock(0).length_s, day.clock(1).length_s) == (30.0, 15.0)


def test_no_floor_is_made_shorter_than_ten_seconds_in_all(day):
    clock = day.clock()
    assert LEAST_LEFT_S == 10.0
    assert day.refusal(do.ShortenCountdown(clock.id, 55.0)) is Refusal.TOO_SHORT
    day.act(do.ShortenCountdown(clock.id, 50.0))
    assert day.refusal(do.ShortenCountdown(clock.id, 5.0)) is Refusal.TOO_SHORT


def test_1_7_1_9_2_2_2_3_no_window_in_which_one_can_press_is_made_shorter(day, a_vote):
    day.act(do.Accuse(2, 3, Offence.BETS))
    assert day.refusal(do.ShortenCountdown(day.clock(1).id, 5.0)) is Refusal.NO_FLOOR
    day.act(do.ConfirmAccusation(4)), day.until(Phase.MOTION)
    vote, lift = a_vote((3, 4, 5)).until(Phase.BALLOT), a_vote((3, 4))
    lift.ballot({3: (1, 2, 3, 4, 5), 4: (6, 7, 8, 9, 10)})
    lift.ballot({3: (1, 2, 3, 4, 5), 4: (6, 7, 8, 9, 10)})
    for play in (day, vote, lift.until(Phase.LIFT)):
        clock = play.clock(0) if play is not day else play.state.clock
        play.act(do.ExtendCountdown(clock.id, 60.0))
        assert play.refusal(do.ShortenCountdown(clock.id, 5.0)) is Refusal.NO_FLOOR
        assert do.ShortenCountdown not in host_actions(play.state)


def test_in_a_pause_a_countdown_can_be_made_longer_but_not_ended(day):
    clock = day.clock()
    day.act(do.Pause(), do.ExtendCountdown(clock.id, 30.0))
    assert day.refusal(do.EndCountdown(clock.id)) is Refusal.PAUSED
    day.act(do.Resume())
    assert (day.clock().length_s, day.clock().runs) == (90, True)


@pytest.mark.parametrize(
    "phase", [Phase.LOOK, Phase.NIGHTFALL, Phase.MEETING, Phase.REST, Phase.CALLING]
)
def test_1_11_the_host_never_skips_or_stretches_a_night(a_dealt_game, a_vote, phase):
    play = (a_vote(()) if phase is Phase.CALLING else a_dealt_game()).until(phase)
    clock = play.clock()
    assert play.refusal(do.EndCountdown(clock.id)) is Refusal.WRONG_PHASE
    assert play.refusal(do.ExtendCountdown(clock.id, 5.0)) is Refusal.WRONG_PHASE
    assert play.refusal(do.ShortenCountdown(clock.id, 5.0)) is Refusal.WRONG_PHASE
    assert host_view(play.state).countdowns == ()


def test_the_host_sees_the_countdowns_of_the_day(day):
    assert host_view(day.state).countdowns == (day.clock(),)


# ---- called again ----


@pytest.mark.parametrize("expiries", [0, 1, 21], ids=["guard", "window", "gathering"])
def test_1_16_a_night_round_can_be_called_again_while_it_lasts(a_vote, expiries):
    play = a_vote(()).until(Phase.CALLING)
    for _ in range(expiries):
        play.expire()
        if play.events[-1] == ev.WindowOpened(1):
            play.act(do.PressAtNight(8, 1))
    serial = play.state.last_call
    told = play.act(do.CallAgain())
    assert told == ((ev.WindowClosed(1),) if expiries == 1 else ()) + (
        ev.RoundBegan(NightRound.SHOTS, serial + 1),
        ev.NumberCalled(NightRound.SHOTS, 1),
    )
    assert play.state.call.presses == ()


def test_1_17_an_open_call_can_be_called_again_and_its_votes_stand(ballot):
    assert ballot.act(do.CallAgain()) == (
        ev.WindowClosed(3),
        ev.CandidateCalled(3),
        ev.WindowOpened(3),
    )
    assert ballot.state.ballot.votes == ((1, 3),)


def test_1_17_a_motion_can_be_called_again(day):
    day.act(INSULT, do.EndFloor(1), do.VoteMotion(1))
    told = day.act(do.CallAgain())
    assert told == (
        ev.WindowClosed(0),
        ev.MotionPut(Sanction.TECHNICAL_FOUL, 4, 1),
        ev.WindowOpened(0),
    )
    assert day.motion().yes == (1,)


def test_what_is_not_being_called_cannot_be_called_again(day, a_vote):
    assert day.refusal(do.CallAgain()) is Refusal.NOTHING_TO_CALL
    play = a_vote((3, 4))
    assert play.refusal(do.CallAgain()) is Refusal.NOTHING_TO_CALL
    play.until(Phase.ROLL_CALL)
    assert play.refusal(do.CallAgain()) is Refusal.NOTHING_TO_CALL
    play = a_vote((3, 4)).until(Phase.BALLOT)
    play.act(do.Pause())
    assert play.refusal(do.CallAgain()) is Refusal.PAUSED


# ---- void ----


def test_1_16_a_void_game_has_no_winner_and_no_points_and_keeps_its_roles(day):
    assert day.act(do.Void()) == (ev.GameVoided(),)
    view = public_view(day.state)
    assert (view.winner, view.voided) == (None, True)
    assert {(seat.classic, seat.max) for seat in view.seats} == {(None, None)}
    assert {seat.role for seat in view.seats} == {None}
    assert seat_view(day.state, 1).card is None
    assert day.refusal(do.Void()) is Refusal.GAME_OVER


def test_1_16_a_game_can_be_void_before_its_deal(a_new_game):
    play = a_new_game()
    play.act(do.Ready(1), do.Void())
    view = public_view(play.state)
    assert {seat.role for seat in view.seats} == {None}
    assert seat_view(play.state, 1).card is None


def test_1_16_a_void_closes_what_is_open(ballot):
    assert ballot.act(do.Void()) == (ev.WindowClosed(3), ev.GameVoided())
    assert public_view(ballot.state).candidates == ()


def test_1_16_a_game_is_void_in_a_pause_too(day):
    day.act(do.Accuse(2, 4, Offence.BETS), do.Shout(5), do.Pause())
    assert day.act(do.Void()) == (ev.ShoutEnded(5), ev.GameVoided())
    assert not public_view(day.state).paused
    assert public_view(day.state).accusation is None


def test_1_10_a_result_that_stands_is_not_taken_away_by_a_void(a_vote):
    play = a_vote((4, 8), without=(1, 2, 3))
    play.ballot({4: play.state.living})
    assert play.state.phase is Phase.FAREWELL
    play.act(do.GiveBestMove(4, (8,)))
    assert play.act(do.Void()) == (ev.GameEnded(Winner.MAFIA),)

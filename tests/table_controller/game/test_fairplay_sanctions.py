"""RULES 2.3, 2.4 and 2.7: rulings by the host, by day; what they do to speeches and farewells."""

import pytest

from table_controller.game import actions as do
from table_controller.game import events as ev
from table_controller.game.model import (
    Cause,
    CountdownKind,
    Offence,
    Phase,
    Refusal,
    Sanction,
    Winner,
)
from table_controller.game.views import Deed, public_view, seat_view

TECHNICAL = Sanction.TECHNICAL_FOUL


def dq(seat, offence=Offence.THREATS):
    return do.Rule(Sanction.DISQUALIFICATION, seat, offence)


def tf(seat, offence=Offence.INSULTS):
    return do.Rule(TECHNICAL, seat, offence)


OUT = pytest.mark.parametrize(
    ("out", "cause"),
    [
        pytest.param(dq, Cause.DISQUALIFIED, id="2.4 disqualified"),
        pytest.param(do.Withdraw, Cause.WITHDRAWN, id="2.4 withdrawn"),
    ],
)


@pytest.fixture
def day(a_morning):
    return a_morning().until(Phase.SPEECH)


# ---- what the host rules ----


def test_2_3_the_host_rules_a_technical_foul_and_the_record_shows_who_decided(day):
    assert day.act(tf(4)) == (
        ev.TechnicalFoulGiven(4, 1, Offence.INSULTS, by_host=True, after_decision=False),
    )
    assert (day.state.phase, day.state.floor) == (Phase.SPEECH, 1)
    assert day.state.technical_fouls == (0, 0, 0, 1, 0, 0, 0, 0, 0, 0)
    assert public_view(day.state).seats[3].technical_fouls == 1
    assert not public_view(day.state).seats[3].disqualified


def test_2_4_the_second_technical_foul_in_a_game_is_a_disqualification(day):
    day.act(tf(4, Offence.BETS))
    assert day.act(tf(4))[:3] == (
        ev.TechnicalFoulGiven(4, 2, Offence.INSULTS, by_host=True, after_decision=False),
        ev.Disqualified(
            4, Offence.INSULTS, by_host=True, by_second_foul=True, after_decision=False
        ),
        ev.SeatLeft(4, Cause.DISQUALIFIED),
    )
    assert public_view(day.state).seats[3].disqualified


def test_2_3_the_host_disqualifies(day):
    assert day.act(dq(4))[:2] == (
        ev.Disqualified(
            4, Offence.THREATS, by_host=True, by_second_foul=False, after_decision=False
        ),
        ev.SeatLeft(4, Cause.DISQUALIFIED),
    )
    assert 4 not in day.state.living
    assert public_view(day.state).seats[3].cause is Cause.DISQUALIFIED
    assert seat_view(day.state, 4).card is None


def test_2_3_opponent_victory_is_for_the_table_to_vote_on(day):
    ruling = do.Rule(Sanction.OPPONENT_VICTORY, 4, Offence.THREATS)
    assert day.refusal(ruling) is Refusal.BAD_SANCTION


def test_2_3_nothing_more_is_done_to_a_disqualified_seat(day):
    day.act(dq(4))
    for action in (dq(4), tf(4)):
        assert day.refusal(action) is Refusal.DISQUALIFIED
    stop = do.Rule(Sanction.OPPONENT_VICTORY, 4, Offence.THREATS)
    assert day.refusal(stop) is Refusal.DISQUALIFIED
    assert day.refusal(do.Withdraw(4)) is Refusal.NOT_LIVING


def test_2_3_there_is_nobody_to_rule_on_before_the_deal(a_new_game):
    play = a_new_game()
    for action in (dq(4), tf(4), do.Withdraw(4)):
        assert play.refusal(action) is Refusal.WRONG_PHASE
    assert play.refusal(dq(11)) is Refusal.NO_SUCH_SEAT


def test_2_4_a_withdrawn_seat_leaves_without_fault_and_keeps_its_technical_foul(day):
    day.act(tf(4))
    assert day.act(do.Withdraw(4))[:2] == (ev.Withdrawn(4), ev.SeatLeft(4, Cause.WITHDRAWN))
    seat = public_view(day.state).seats[3]
    assert (seat.technical_fouls, seat.disqualified, seat.cause) == (1, False, Cause.WITHDRAWN)
    assert day.refusal(do.Withdraw(4)) is Refusal.NOT_LIVING
    day.act(tf(4, Offence.BETS))
    assert day.state.disqualified == (4,)


def test_2_3_a_departed_seat_can_be_ruled_on_and_stays_as_it_left(a_vote):
    play = a_vote((3, 4))
    play.ballot({3: range(1, 11)})
    play.farewell()
    assert play.state.phase is Phase.NIGHTFALL
    play.until(Phase.SPEECH)
    told = play.act(dq(3))
    assert [type(event) for event in told] == [ev.Disqualified]
    assert public_view(play.state).seats[2].cause is Cause.VOTE
    assert len(play.state.departures) == 1
    assert play.state.dropped == ()


# ---- speeches ----


@OUT
def test_2_4_in_the_own_speech_the_speech_is_over(day, out, cause):
    day.act(do.Nominate(1, 5))
    told = day.act(out(1))
    assert told[1:] == (
        ev.SeatLeft(1, cause),
        ev.SpeechEnded(1),
        ev.NominationStood(1, 5),
        ev.VoteDropped(2),
        ev.SpeechBegan(2, silent=False),
    )
    assert day.state.floor == 2
    assert seat_view(day.state, 1).deed is Deed.NONE


def test_2_4_a_seat_that_named_itself_and_is_out_is_not_listed(day):
    day.act(do.Nominate(1, 1), dq(1))
    assert day.state.nominations == ()
    assert day.told(ev.NominationStood) == []


@OUT
def test_2_4_in_the_last_moment_to_nominate_the_speech_is_over(day, out, cause):
    day.act(do.OpenPick(1), do.EndFloor(1))
    assert day.state.phase is Phase.PICKING
    day.act(out(1))
    assert (day.state.phase, day.state.floor) == (Phase.SPEECH, 2)


@OUT
def test_2_4_in_the_silent_slot_the_slot_is_over(a_morning, out, cause):
    play = a_morning(fouls=(3,) + (0,) * 9).until(Phase.SPEECH)
    assert play.clock().kind is CountdownKind.SILENT
    play.act(out(1))
    assert (play.clock().kind, play.state.floor) == (CountdownKind.SPEECH, 2)


@OUT
def test_2_4_the_next_speaker_is_passed_over(day, out, cause):
    day.act(out(2), do.EndFloor(1))
    assert day.state.floor == 3
    assert day.state.order == tuple(range(1, 11))


@OUT
def test_5_15_the_days_first_seat_is_still_the_pointer_for_tomorrow(day, out, cause):
    day.act(out(1))
    day.until(Phase.MORNING)
    day.until(Phase.SPEECH)
    assert day.told(ev.DayBegan)[-1].order == (2, 3, 4, 5, 6, 7, 8, 9, 10)


@OUT
def test_2_4_the_last_speaker_out_leaves_the_vote(day, out, cause):
    while day.state.floor != 10:
        day.act(do.EndFloor(day.state.floor))
    told = day.act(out(10))
    assert told[-1] == ev.NightFell(2)


@OUT
def test_1_5_the_shout_of_a_seat_that_is_out_ends_and_the_next_opens(day, out, cause):
    day.act(do.Shout(5), do.Shout(6))
    told = day.act(out(5))
    assert ev.ShoutEnded(5) in told
    assert day.state.shouts == (6,)


@OUT
def test_1_5_the_shout_that_waits_of_a_seat_that_is_out_never_opens(day, out, cause):
    day.act(do.Shout(5), do.Shout(6))
    clock = day.clock(1)
    day.act(out(6))
    assert day.told(ev.ShoutEnded) == []
    assert (day.state.shouts, day.clock(1)) == ((5,), clock)


def test_2_4_whom_the_speaker_has_chosen_and_is_out_is_not_chosen_any_more(day):
    day.act(do.Nominate(1, 4))
    assert ev.NominationChosen(1, None) in day.act(dq(4))
    day.act(do.EndFloor(1))
    assert day.state.nominations == ()
    assert day.refusal(do.Nominate(2, 4)) is Refusal.NOT_LIVING


def test_2_4_what_a_disqualified_seat_nominated_stays_on_the_list(day):
    day.act(do.Nominate(1, 5), do.EndFloor(1), dq(1))
    assert day.state.nominations == ((1, 5),)


def test_1_4_on_a_dropped_day_no_single_nominee_is_warned(day):
    day.act(do.Nominate(1, 5), do.EndFloor(1), dq(3))
    while day.state.phase is Phase.SPEECH:
        day.act(do.EndFloor(day.state.floor))
    assert day.told(ev.SingleNomineeWarned) == []
    assert 5 in day.state.living


# ---- victory ----


def test_5_12_four_against_three_a_town_player_is_disqualified_and_the_mafia_win(a_morning):
    play = a_morning(without=(1, 2, 3)).until(Phase.SPEECH)
    assert play.act(dq(6))[1:] == (
        ev.SeatLeft(6, Cause.DISQUALIFIED),
        ev.GameDecided(Winner.MAFIA),
        ev.GameEnded(Winner.MAFIA),
    )


def test_2_4_the_last_mafioso_withdrawn_the_town_wins_at_once(a_morning):
    play = a_morning(without=(8, 9)).until(Phase.SPEECH)
    assert play.act(do.Withdraw(10))[-1] == ev.GameEnded(Winner.TOWN)


def test_2_4_an_open_ballot_is_cut_by_the_end_of_the_game(a_vote):
    play = a_vote((4, 5), without=(1, 2, 3)).until(Phase.BALLOT)
    play.act(dq(6))
    assert play.events[-2:] == [ev.WindowClosed(4), ev.GameEnded(Winner.MAFIA)]
    view = public_view(play.state)
    assert (view.candidates, view.called, view.ballots) == ((), 0, ())


def test_2_4_after_the_farewell_of_the_shot_a_disqualification_decides_at_once(a_vote):
    play = a_vote((), without=(1, 2))
    play.night({seat: [3] for seat in (8, 9, 10)})
    play.expire()
    assert public_view(play.state).leaving == (3,)
    play.farewell()
    assert public_view(play.state).leaving == ()
    assert play.act(dq(6))[-1] == ev.GameEnded(Winner.MAFIA)


# ---- farewells ----


def _farewell(a_vote, nominees=(3, 5), lift=False, without=()):
    play = a_vote(nominees, without=without)
    living = play.state.living
    if not lift:
        play.ballot({nominees[0]: living})
        return play
    for _ in range(2):
        play.ballot({nominees[0]: living[: len(living) // 2]})
    play.lift(living)
    return play


@OUT
def test_2_4_inside_its_own_farewell_it_ends_it_and_what_is_not_locked_is_void(a_vote, out, cause):
    play = _farewell(a_vote)
    play.act(do.GiveBestMove(3, (8, 9)))
    told = play.act(out(3))
    assert told[1:] == (ev.FarewellEnded(3), ev.NightFell(2))
    assert play.told(ev.BestMoveGiven) == []
    assert play.state.farewells == ()
    assert public_view(play.state).seats[2].best_move is None
    assert play.told(ev.SeatLeft) == [ev.SeatLeft(3, Cause.VOTE)]


def test_2_4_what_is_locked_in_a_farewell_stays(a_vote):
    play = _farewell(a_vote)
    play.act(do.GiveBestMove(3, (8, 9)), do.GiveCrown(3, 7), dq(3))
    view = public_view(play.state)
    assert (view.seats[2].best_move, view.seats[6].crowns) == ((8, 9), (3,))


@OUT
def test_2_4_in_the_silent_picks_the_farewell_is_over_too(a_vote, out, cause):
    play = _farewell(a_vote)
    play.act(do.EndFloor(3), do.GiveBestMove(3, (8,)))
    assert play.state.phase is Phase.FAREWELL_PICKS
    play.act(out(3))
    assert (play.state.phase, play.state.farewells) == (Phase.NIGHTFALL, ())


@OUT
def test_2_4_who_waits_for_its_farewell_has_none(a_vote, out, cause):
    play = _farewell(a_vote, lift=True)
    assert play.state.leaving == (3, 5)
    told = play.act(out(5))
    assert len(told) == 1
    assert public_view(play.state).leaving == (3,)
    play.farewell()
    assert play.state.phase is Phase.NIGHTFALL
    assert play.told(ev.FarewellBegan) == [ev.FarewellBegan(3)]


@OUT
def test_2_4_the_first_of_two_farewells_cut_the_second_begins(a_vote, out, cause):
    play = _farewell(a_vote, lift=True)
    play.act(out(3))
    assert (play.state.phase, play.state.floor) == (Phase.FAREWELL, 5)


@OUT
def test_2_4_in_anothers_farewell_a_living_seat_leaves_and_the_farewell_goes_on(a_vote, out, cause):
    play = _farewell(a_vote)
    clock = play.clock()
    told = play.act(out(6))
    assert told[1:] == (ev.SeatLeft(6, cause), ev.VoteDropped(3))
    assert (play.state.floor, play.clock()) == (3, clock)
    assert play.refusal(do.GiveCrown(3, 6)) is Refusal.BAD_CROWN


def test_2_4_a_farewell_that_waits_in_the_gap_falls_away(a_vote):
    play = _farewell(a_vote, lift=True)
    play.act(do.Accuse(1, 2, Offence.BETS))
    play.farewell()
    assert play.state.phase is Phase.GAP
    play.act(do.Withdraw(5), do.Expire(play.clock().id))
    assert play.state.phase is Phase.NIGHTFALL


# ---- after the decision ----


def _decided(a_vote):
    """Return the farewell after which the mafia have won: four against three, a citizen out."""
    play = _farewell(a_vote, nominees=(4, 8), without=(1, 2, 3))
    assert play.state.decided is Winner.MAFIA
    return play


def test_1_10_a_disqualification_that_decides_waits_for_the_farewell_to_end(a_vote):
    play = _farewell(a_vote, nominees=(4, 5), without=(1, 2))
    assert play.state.decided is None
    told = play.act(dq(6))
    assert told[-2:] == (ev.GameDecided(Winner.MAFIA), ev.VoteDropped(3))
    assert (play.state.phase, play.state.floor) == (Phase.FAREWELL, 4)
    play.farewell((8,), 5)
    assert play.state.phase is Phase.OVER
    assert play.told(ev.BestMoveGiven) == [ev.BestMoveGiven(4, (8,))]


def test_2_7_a_ruling_after_the_decision_changes_no_result_and_says_so_in_the_record(a_vote):
    play = _decided(a_vote)
    for seat in (8, 9):
        play.act(dq(seat))
    play.act(tf(10))
    assert play.told(ev.Disqualified)[-1] == ev.Disqualified(
        9, Offence.THREATS, by_host=True, by_second_foul=False, after_decision=True
    )
    assert play.told(ev.TechnicalFoulGiven) == [
        ev.TechnicalFoulGiven(10, 1, Offence.INSULTS, by_host=True, after_decision=True)
    ]
    assert play.told(ev.GameDecided) == [ev.GameDecided(Winner.MAFIA)]
    play.act(dq(10))
    assert play.state.phase is Phase.FAREWELL
    play.farewell()
    assert play.events[-1] == ev.GameEnded(Winner.MAFIA)


def test_2_7_a_ruling_after_the_decision_shows_like_any_other(a_vote):
    play, other = _decided(a_vote), _farewell(a_vote, nominees=(4, 8), without=(1,))
    told = [type(event) for event in play.act(dq(5))]
    assert told == [type(event) for event in other.act(dq(5))]
    assert told == [ev.Disqualified, ev.SeatLeft, ev.VoteDropped]


def test_2_7_a_farewell_is_ended_after_the_decision_too(a_vote):
    play = _decided(a_vote)
    play.act(do.GiveBestMove(4, (8, 9, 10)))
    told = play.act(dq(4))
    assert told[1:] == (ev.FarewellEnded(4), ev.GameEnded(Winner.MAFIA))
    assert play.told(ev.BestMoveGiven) == []


def test_2_7_a_motion_after_the_decision_is_held_like_any_other(a_vote):
    play = _farewell(a_vote, nominees=(4, 5), lift=True, without=(1, 2))
    assert play.state.decided is Winner.MAFIA
    play.act(do.PutOpponentVictory(8))
    play.farewell()
    assert play.state.phase is Phase.MOTION
    play.motion((3, 6, 7, 9, 10))
    assert play.events[-2:] == [
        ev.OpponentVictoryGiven(8, play.state.roles[7].team, after_decision=True),
        ev.GameEnded(Winner.MAFIA),
    ]


def test_1_10_with_the_last_farewell_a_decided_game_is_over_whatever_is_open(a_vote):
    play = _decided(a_vote)
    play.act(do.OpenGrounds(8, Offence.BETS, do.Source.HOST), do.PutOpponentVictory(8))
    play.act(do.Accuse(5, 9, Offence.BETS))
    play.farewell()
    assert (play.state.phase, play.told(ev.MotionPut)) == (Phase.OVER, [])


# ---- in a pause ----


@OUT
def test_2_3_in_a_pause_a_seat_leaves_at_once_and_the_day_goes_on_after_it(day, out, cause):
    day.act(do.Pause())
    told = day.act(out(1))
    assert ev.SeatLeft(1, cause) in told
    assert (day.state.phase, day.state.floor) == (Phase.GAP, 0)
    assert public_view(day.state).countdowns == ()
    assert day.refusal(do.Shout(4)) is Refusal.PAUSED
    day.act(out(2))
    assert day.act(do.Resume()) == (ev.Resumed(), ev.SpeechBegan(3, silent=False))


def test_2_3_in_a_pause_an_open_ballot_is_dropped_and_night_falls_after_it(a_vote):
    play = a_vote((3, 4)).until(Phase.BALLOT)
    play.act(do.Pause())
    told = play.act(dq(6))
    assert ev.WindowClosed(3) not in told
    assert play.refusal(do.Vote(1, 3)) is Refusal.WRONG_PHASE
    assert play.act(do.Resume()) == (ev.Resumed(), ev.NightFell(2))


def test_2_4_in_a_pause_the_game_ends_at_once(a_morning):
    play = a_morning(without=(1, 2, 3)).until(Phase.SPEECH)
    play.act(do.Pause(), dq(6))
    assert (play.state.phase, play.state.paused) == (Phase.OVER, False)


def test_2_3_a_technical_foul_in_a_pause_changes_nothing_else(day):
    clock = day.clock()
    day.act(do.Pause(), tf(1), do.Resume())
    assert day.clock() == clock

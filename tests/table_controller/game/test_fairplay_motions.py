"""RULES 2.3: motions, their gaps and thresholds, Opponent Victory."""

import pytest
from msgspec.structs import replace

from table_controller.game import actions as do
from table_controller.game import events as ev
from table_controller.game import outcome
from table_controller.game.model import (
    Cause,
    CountdownKind,
    GameState,
    Motion,
    Offence,
    Phase,
    Refusal,
    Sanction,
    Source,
    Team,
    Winner,
)
from table_controller.game.ruleset import NORMAL, TURBO
from table_controller.game.turn import Turn
from table_controller.game.views import Deed, PublicMotion, PublicPhase, public_view, seat_view

TECHNICAL = Sanction.TECHNICAL_FOUL
INSULT = do.OpenGrounds(4, Offence.INSULTS, Source.HOST)
THREAT = do.OpenGrounds(4, Offence.THREATS, Source.HOST)


@pytest.fixture
def day(a_morning):
    return a_morning().until(Phase.SPEECH)


@pytest.fixture
def motion(day):
    day.act(INSULT, do.EndFloor(1))
    assert day.state.phase is Phase.MOTION
    return day


# ---- what it is ----


def test_2_3_grounds_give_a_motion_by_themselves_at_the_next_gap(day):
    day.act(INSULT)
    assert day.state.phase is Phase.SPEECH
    assert day.act(do.EndFloor(1)) == (
        ev.SpeechEnded(1),
        ev.MotionPut(TECHNICAL, 4, 1),
        ev.WindowOpened(0),
    )
    view = public_view(day.state)
    assert view.phase is PublicPhase.MOTION
    assert view.motion == PublicMotion(TECHNICAL, 4, Offence.INSULTS, voters=9, needed=5)
    assert view.grounds == ()
    assert (view.floor, [clock.kind for clock in view.countdowns]) == (0, [CountdownKind.MOTION])


@pytest.mark.parametrize(("ruleset", "length_s"), [(NORMAL, 15), (TURBO, 10)])
def test_2_3_a_motion_has_its_time(a_morning, ruleset, length_s):
    play = a_morning(ruleset=ruleset).until(Phase.SPEECH)
    play.act(INSULT, do.EndFloor(1))
    assert play.clock().length_s == length_s


def test_2_3_the_window_closes_and_the_roll_is_called_before_the_count(motion):
    motion.act(do.VoteMotion(1))
    assert motion.expire(CountdownKind.MOTION) == (ev.WindowClosed(0), ev.RollCalled())
    assert motion.clock().kind is CountdownKind.ROLL_CALL
    assert public_view(motion.state).phase is PublicPhase.COUNTING
    motion.act(do.VoteMotion(2))
    told = motion.act(do.CloseBallot())
    assert told[0] == ev.MotionClosed(TECHNICAL, 4, 1, yes=(1, 2), living=10, passed=False)


def test_2_3_an_offline_seat_is_waited_for_so_long_and_no_longer(motion):
    motion.expire(CountdownKind.MOTION)
    assert isinstance(motion.expire(CountdownKind.ROLL_CALL)[0], ev.MotionClosed)


def test_2_3_all_living_seats_but_the_accused_vote_once(a_morning):
    play = a_morning(without=(9,)).until(Phase.SPEECH)
    assert play.refusal(do.VoteMotion(1)) is Refusal.WRONG_PHASE
    play.act(INSULT, do.EndFloor(1))
    deeds = {seat: seat_view(play.state, seat).deed for seat in range(1, 11)}
    assert {seat for seat, deed in deeds.items() if deed is Deed.MOTION} == {
        1,
        2,
        3,
        5,
        6,
        7,
        8,
        10,
    }
    assert play.act(do.VoteMotion(1)) == (ev.VoteCast(1, 0),)
    assert seat_view(play.state, 1).deed is Deed.NONE
    assert seat_view(play.state, 1).voted
    assert not seat_view(play.state, 2).voted
    assert play.refusal(do.VoteMotion(1)) is Refusal.ALREADY_VOTED
    assert play.refusal(do.VoteMotion(4)) is Refusal.NOT_FOR_YOU
    assert play.refusal(do.VoteMotion(9)) is Refusal.NOT_LIVING
    assert play.refusal(do.Vote(1, 4)) is Refusal.WRONG_PHASE
    assert play.refusal(do.VoteLift(1)) is Refusal.WRONG_PHASE
    play.expire(CountdownKind.MOTION)
    assert play.refusal(do.Vote(2, 4)) is Refusal.WRONG_PHASE
    assert play.refusal(do.VoteLift(2)) is Refusal.WRONG_PHASE


def test_2_3_who_is_for_it_is_hidden_until_it_is_closed(motion):
    before = public_view(motion.state)
    motion.act(do.VoteMotion(1))
    assert public_view(motion.state) == before
    assert not isinstance(motion.events[-1], ev.PUBLIC)


def test_2_3_no_press_is_a_no(motion):
    assert not motion.motion().passed
    assert motion.state.technical_fouls == (0,) * 10


@pytest.mark.parametrize(
    ("without", "voters", "needed"),
    [
        pytest.param((), 9, 5, id="2.3 five of nine"),
        pytest.param((9,), 8, 5, id="2.3 five of eight"),
        pytest.param((4,), 9, 5, id="2.3 five of nine, the accused gone"),
        pytest.param((4, 9), 8, 5, id="2.3 five of eight, the accused gone"),
        pytest.param((9, 8, 1, 2, 3, 5), 3, 2, id="2.3 two of three"),
        pytest.param((9, 8, 1, 2, 3, 5, 4), 3, 2, id="2.3 two of three, the accused gone"),
        pytest.param((9, 8, 1, 2, 3, 5, 6), 2, 2, id="2.3 two of two"),
    ],
)
def test_2_3_more_than_half_of_those_who_may_vote_is_needed(a_morning, without, voters, needed):
    play = a_morning(without=without).until(Phase.SPEECH)
    play.act(INSULT, do.EndFloor(play.state.floor))
    assert public_view(play.state).motion == PublicMotion(
        TECHNICAL, 4, Offence.INSULTS, voters, needed
    )
    who = [seat for seat in play.state.living if seat != 4]
    assert len(who) == voters
    for count in (needed - 1, needed):
        closed = type(play)(play.state).motion(who[:count])
        assert (closed.living, closed.passed) == (10 - len(without), count == needed)


def test_2_3_a_club_can_ask_for_another_share(a_morning):
    ruleset = replace(NORMAL, motion_share=(2, 3), opponent_victory_share=(3, 4))
    play = a_morning(ruleset=ruleset).until(Phase.SPEECH)
    play.act(INSULT, do.PutOpponentVictory(8), do.EndFloor(1))
    assert public_view(play.state).motion.needed == 7
    play.motion()
    assert public_view(play.state).motion.needed == 7


# ---- when ----


def test_2_3_motions_come_oldest_first_one_after_another(day):
    day.act(
        do.OpenGrounds(6, Offence.BETS, Source.HOST),
        do.PutOpponentVictory(8),
        INSULT,
        do.EndFloor(1),
    )
    assert (day.motion().seat, day.motion().seat) == (6, 4)
    assert day.state.motion.sanction is Sanction.OPPONENT_VICTORY
    day.motion()
    assert day.told(ev.MotionPut) == [
        ev.MotionPut(TECHNICAL, 6, 1),
        ev.MotionPut(TECHNICAL, 4, 2),
        ev.MotionPut(Sanction.OPPONENT_VICTORY, 8, 0),
    ]
    assert (day.state.phase, day.state.floor) == (Phase.SPEECH, 2)


def _through(play, gap):
    """Play until just before *gap*, open grounds, and step into the gap."""
    match gap:
        case "before the first speech":
            play.act(INSULT)
            play.expire(CountdownKind.MORNING)
        case "between speeches":
            play.until(Phase.SPEECH)
            play.act(INSULT, do.EndFloor(1))
        case "before the list is read out":
            while not play.state.to_speak or len(play.state.to_speak) > 1:
                play.until(Phase.SPEECH)
                seat = play.state.floor
                play.act(*([do.Nominate(seat, seat + 2)] if seat < 3 else []))
                if len(play.state.to_speak) == 1:
                    break
                play.act(do.EndFloor(seat))
            play.act(INSULT, do.EndFloor(play.state.floor))
        case _:
            play.speeches({1: 3, 2: 4})
            if gap == "after a farewell":
                play.ballot({3: range(1, 11)})
                play.act(INSULT)
                play.farewell()
                return
            play.until(Phase.BALLOT)
            if gap == "between ballots":
                play.act(INSULT)
                while play.state.phase is Phase.BALLOT:
                    if play.clock().kind is CountdownKind.BALLOT and play.state.ballot.called == 1:
                        play.act(*(do.Vote(seat, 3) for seat in range(1, 6)))
                    play.expire()
                play.act(do.CloseBallot())
                return
            half = {3: (1, 2, 3, 4, 5)}
            play.act(*(do.Vote(seat, 3) for seat in half[3]))
            play.until(Phase.TIE_SPEECH)
            if gap == "between tie speeches":
                play.act(INSULT, do.EndFloor(3))
            elif gap == "before the revote":
                play.act(do.EndFloor(3), INSULT, do.EndFloor(4))
            elif gap == "before the lift":
                play.until(Phase.BALLOT)
                play.act(INSULT, *(do.Vote(seat, 3) for seat in half[3]))
                play.until(Phase.MOTION)
            else:
                play.ballot(half)
                play.act(INSULT)
                play.lift(())


AFTER = {
    "before the first speech": Phase.SPEECH,
    "between speeches": Phase.SPEECH,
    "before the list is read out": Phase.READING,
    "between ballots": Phase.TIE_SPEECH,
    "between tie speeches": Phase.TIE_SPEECH,
    "before the revote": Phase.READING,
    "before the lift": Phase.LIFT,
    "after a farewell": Phase.NIGHTFALL,
    "before nightfall": Phase.NIGHTFALL,
}


@pytest.mark.parametrize("gap", AFTER, ids=lambda gap: f"2.3 {gap}")
def test_2_3_a_motion_is_put_in_a_gap_and_the_day_goes_on_after_it(a_morning, gap):
    play = a_morning()
    _through(play, gap)
    assert play.state.phase is Phase.MOTION
    assert play.state.floor == 0
    play.motion()
    assert play.state.phase is AFTER[gap]
    assert play.state.resume is None


def test_2_3_a_motion_before_the_first_speech_comes_before_the_round_is_fixed(a_morning):
    play = a_morning()
    play.act(THREAT)
    play.expire(CountdownKind.MORNING)
    play.motion((1, 2, 3, 5, 6))
    assert play.told(ev.DayBegan) == [ev.DayBegan(2, (1, 2, 3, 5, 6, 7, 8, 9, 10))]


def test_2_3_the_farewell_of_the_shot_comes_before_the_motion(a_vote):
    play = a_vote(())
    play.night({seat: [2] for seat in (8, 9, 10)})
    play.act(INSULT)
    play.expire(CountdownKind.MORNING)
    assert play.state.phase is Phase.FAREWELL
    play.farewell()
    assert play.state.phase is Phase.MOTION
    play.motion()
    assert play.state.phase is Phase.SPEECH


def test_2_3_between_two_farewells_there_is_a_gap(a_vote):
    play = a_vote((3, 5))
    for _ in range(2):
        play.ballot({3: (1, 2, 3, 4, 5)})
    play.lift((1, 2, 3, 4, 5, 6))
    play.act(INSULT)
    play.farewell()
    assert play.state.phase is Phase.MOTION
    play.motion()
    assert (play.state.phase, play.state.floor) == (Phase.FAREWELL, 5)


def test_2_3_no_motion_in_the_acquaintance_night(a_dealt_game):
    play = a_dealt_game()
    play.act(INSULT)
    play.until(Phase.MORNING)
    assert play.told(ev.MotionPut) == []
    play.expire(CountdownKind.MORNING)
    assert play.state.phase is Phase.MOTION


# ---- clocks stand ----


def test_2_3_clocks_stand_and_nobody_shouts_in_a_motion(day):
    day.act(do.Shout(5), INSULT, do.EndFloor(1))
    shout = day.clock(1)
    assert (shout.kind, shout.runs, day.clock().runs) == (CountdownKind.SHOUT, False, True)
    assert day.refusal(do.Shout(6)) is Refusal.WRONG_PHASE
    day.expire(CountdownKind.MOTION)
    assert day.refusal(do.Shout(6)) is Refusal.WRONG_PHASE
    assert not seat_view(day.state, 6).may_shout
    day.act(do.CloseBallot())
    assert (day.state.phase, day.clock(1).id, day.clock(1).runs) == (Phase.SPEECH, shout.id, True)


def test_1_17_a_motion_that_a_pause_cut_is_called_again_and_its_votes_stand(motion):
    old = motion.clock()
    motion.act(do.VoteMotion(1))
    assert motion.act(do.Pause()) == (ev.WindowClosed(0), ev.Paused())
    assert motion.act(do.VoteMotion(2)) == (ev.VoteCast(2, 0),)
    assert motion.act(do.Resume()) == (
        ev.Resumed(),
        ev.MotionPut(TECHNICAL, 4, 1),
        ev.WindowOpened(0),
    )
    assert (motion.clock().id, motion.clock().length_s) == (old.id + 1, 15)
    assert motion.motion((3,)).yes == (1, 2, 3)


def test_1_17_a_motions_roll_call_is_asked_again_after_a_pause(motion):
    motion.expire(CountdownKind.MOTION)
    assert motion.act(do.Pause()) == (ev.Paused(),)
    assert motion.act(do.Resume()) == (ev.Resumed(), ev.RollCalled())


def test_2_3_a_gap_that_a_pause_holds_goes_on_with_the_motion(day):
    day.act(INSULT, do.Pause())
    day.act(do.Rule(Sanction.DISQUALIFICATION, 1, Offence.AWAY))
    assert (day.state.phase, day.state.floor) == (Phase.GAP, 0)
    assert [type(event) for event in day.act(do.Resume())] == [
        ev.Resumed,
        ev.MotionPut,
        ev.WindowOpened,
    ]


# ---- what it brings ----


def test_2_3_a_motion_that_passes_gives_a_technical_foul(motion):
    closed = motion.motion((1, 2, 3, 5, 6))
    assert (closed.passed, closed.yes) == (True, (1, 2, 3, 5, 6))
    assert motion.told(ev.TechnicalFoulGiven) == [
        ev.TechnicalFoulGiven(4, 1, Offence.INSULTS, by_host=False, after_decision=False)
    ]
    assert public_view(motion.state).seats[3].technical_fouls == 1
    assert motion.state.grounds == ()
    assert motion.told(ev.GroundsLapsed) == []
    assert motion.state.floor == 2


def test_2_3_a_motion_that_passes_disqualifies(day):
    day.act(THREAT, do.EndFloor(1))
    assert day.state.motion.sanction is Sanction.DISQUALIFICATION
    day.motion((1, 2, 3, 5, 6))
    assert day.told(ev.Disqualified) == [
        ev.Disqualified(
            4, Offence.THREATS, by_host=False, by_second_foul=False, after_decision=False
        )
    ]
    assert ev.SeatLeft(4, Cause.DISQUALIFIED) in day.events
    assert day.state.floor == 2


def test_2_4_the_second_technical_foul_by_motion_is_a_disqualification(day):
    day.act(do.Rule(TECHNICAL, 4, Offence.BETS), INSULT, do.EndFloor(1))
    day.motion((1, 2, 3, 5, 6))
    assert day.told(ev.Disqualified) == [
        ev.Disqualified(
            4, Offence.INSULTS, by_host=False, by_second_foul=True, after_decision=False
        )
    ]


def test_2_3_only_the_motion_that_passed_settles_its_grounds(day):
    day.act(INSULT, do.OpenGrounds(6, Offence.BETS, Source.HOST), do.EndFloor(1))
    day.motion((1, 2, 3, 5, 6))
    assert [each.seat for each in day.state.grounds] == [6]


# ---- interruptions by the host ----


def test_2_3_a_ruling_on_the_same_settles_the_grounds_and_their_motion(motion):
    motion.act(do.VoteMotion(2))
    told = motion.act(do.Rule(TECHNICAL, 4, Offence.INSULTS))
    assert told == (
        ev.WindowClosed(0),
        ev.MotionClosed(TECHNICAL, 4, 1, yes=(2,), living=10, passed=False, counted=False),
        ev.GroundsLapsed(1),
        ev.TechnicalFoulGiven(4, 1, Offence.INSULTS, by_host=True, after_decision=False),
        ev.SpeechBegan(2, silent=False),
    )


def test_2_3_a_ruling_settles_grounds_that_wait_and_leaves_others(day):
    day.act(do.OpenGrounds(4, Offence.BETS, Source.HOST), INSULT)
    assert ev.GroundsLapsed(2) in day.act(do.Rule(TECHNICAL, 4, Offence.INSULTS))
    assert [each.number for each in day.state.grounds] == [1]


def test_2_3_a_ruling_on_something_else_leaves_the_motion_open(motion):
    motion.act(do.Rule(TECHNICAL, 4, Offence.BETS), do.Rule(TECHNICAL, 5, Offence.INSULTS))
    assert motion.state.phase is Phase.MOTION
    motion.motion((1, 2, 3, 5, 6))
    assert ev.SeatLeft(4, Cause.DISQUALIFIED) in motion.events


def test_2_4_disqualifying_the_accused_ends_its_motion_and_all_its_grounds(motion):
    motion.act(THREAT)
    motion.expire(CountdownKind.MOTION)
    told = motion.act(do.Rule(Sanction.DISQUALIFICATION, 4, Offence.NUDITY))
    uncounted = ev.MotionClosed(TECHNICAL, 4, 1, yes=(), living=10, passed=False, counted=False)
    assert uncounted in told
    assert ev.WindowClosed(0) not in told
    assert [event for event in told if isinstance(event, ev.GroundsLapsed)] == [
        ev.GroundsLapsed(1),
        ev.GroundsLapsed(2),
    ]
    assert (motion.state.phase, motion.state.floor) == (Phase.SPEECH, 2)


def test_2_3_settling_other_grounds_leaves_the_motion_open(motion):
    motion.act(do.OpenGrounds(6, Offence.BETS, Source.HOST))
    assert ev.GroundsLapsed(2) in motion.act(do.Rule(TECHNICAL, 6, Offence.BETS))
    assert motion.state.phase is Phase.MOTION


def test_2_4_in_a_pause_a_motion_that_is_moot_closes_and_its_window_is_closed_already(motion):
    motion.act(do.Pause())
    told = motion.act(do.Rule(Sanction.DISQUALIFICATION, 4, Offence.NUDITY))
    assert ev.WindowClosed(0) not in told
    assert motion.state.phase is Phase.GAP
    assert motion.act(do.Resume()) == (ev.Resumed(), ev.SpeechBegan(2, silent=False))


def test_2_4_a_voter_who_is_put_out_has_no_vote_in_the_motion(motion):
    motion.act(*map(do.VoteMotion, (1, 2, 3, 5)))
    motion.act(do.Rule(Sanction.DISQUALIFICATION, 5, Offence.THREATS))
    assert motion.state.phase is Phase.MOTION
    assert public_view(motion.state).motion == PublicMotion(
        TECHNICAL, 4, Offence.INSULTS, voters=8, needed=5
    )
    closed = motion.motion((6,))
    assert (closed.yes, closed.living, closed.passed) == ((1, 2, 3, 6), 9, False)


def test_2_4_a_withdrawn_accused_can_still_be_disqualified(motion):
    motion.act(do.Withdraw(4))
    assert motion.state.phase is Phase.MOTION
    assert public_view(motion.state).motion.voters == 9
    motion.motion((1, 2, 3, 5, 6))
    assert motion.state.technical_fouls[3] == 1


def test_2_4_the_next_speaker_put_out_in_a_motion_does_not_speak_after_it(motion):
    motion.act(do.Rule(Sanction.DISQUALIFICATION, 2, Offence.THREATS))
    motion.motion()
    assert motion.state.floor == 3


def test_2_4_all_speakers_put_out_in_a_motion_leave_the_vote(a_vote, a_morning):
    play = a_morning().until(Phase.SPEECH)
    while play.state.floor != 9:
        play.act(do.EndFloor(play.state.floor))
    play.act(INSULT, do.EndFloor(9), do.Rule(Sanction.DISQUALIFICATION, 10, Offence.THREATS))
    play.motion()
    assert play.state.phase is Phase.NIGHTFALL
    assert play.state.days[-1].dropped


# ---- Opponent Victory ----


def test_2_3_the_host_puts_opponent_victory_without_grounds_in_a_gap(day):
    assert day.act(do.PutOpponentVictory(8)) == ()
    assert day.refusal(do.PutOpponentVictory(3)) is Refusal.ALREADY_OPEN
    day.act(do.EndFloor(1))
    assert day.state.motion.sanction is Sanction.OPPONENT_VICTORY
    assert public_view(day.state).motion == PublicMotion(
        Sanction.OPPONENT_VICTORY, 8, None, voters=9, needed=6
    )
    assert day.refusal(do.PutOpponentVictory(3)) is Refusal.ALREADY_OPEN
    assert day.refusal(do.VoteMotion(8)) is Refusal.NOT_FOR_YOU
    assert not day.motion((1, 2, 3, 4, 5)).passed
    assert (day.state.phase, day.state.floor) == (Phase.SPEECH, 2)
    day.act(do.PutOpponentVictory(3))


def test_2_3_the_host_puts_opponent_victory_while_another_motion_is_open(motion):
    motion.act(do.PutOpponentVictory(8))
    motion.motion()
    assert motion.state.motion.sanction is Sanction.OPPONENT_VICTORY


def test_2_3_opponent_victory_is_put_by_day_only(a_dealt_game, a_new_game):
    assert a_new_game().refusal(do.PutOpponentVictory(8)) is Refusal.WRONG_PHASE
    play = a_dealt_game()
    assert play.refusal(do.PutOpponentVictory(8)) is Refusal.WRONG_PHASE
    assert play.until(Phase.MEETING).refusal(do.PutOpponentVictory(8)) is Refusal.WRONG_PHASE


@pytest.mark.parametrize(
    ("seat", "winner", "team"),
    [(8, Winner.TOWN, Team.MAFIA), (3, Winner.MAFIA, Team.TOWN)],
    ids=["2.4 a mafioso loses it for the mafia", "2.4 a citizen loses it for the town"],
)
def test_2_4_opponent_victory_ends_the_game_at_once(day, seat, winner, team):
    day.act(do.PutOpponentVictory(seat), do.EndFloor(1))
    voters = [other for other in day.state.living if other != seat]
    day.motion(voters[:6])
    assert day.events[-4:] == [
        ev.MotionClosed(
            Sanction.OPPONENT_VICTORY, seat, 0, yes=tuple(voters[:6]), living=10, passed=True
        ),
        ev.OpponentVictoryGiven(seat, team),
        ev.GameDecided(winner),
        ev.GameEnded(winner),
    ]
    assert (day.state.phase, public_view(day.state).winner) == (Phase.OVER, winner)


def test_2_3_two_thirds_of_the_living_are_needed_against_a_departed_seat(a_morning):
    play = a_morning(without=(4,)).until(Phase.SPEECH)
    play.act(do.PutOpponentVictory(4), do.EndFloor(1))
    assert public_view(play.state).motion == PublicMotion(
        Sanction.OPPONENT_VICTORY, 4, None, voters=9, needed=6
    )
    play = a_morning(without=(4, 9)).until(Phase.SPEECH)
    play.act(do.PutOpponentVictory(4), do.EndFloor(1))
    assert public_view(play.state).motion.needed == 6
    assert play.motion((1, 2, 3, 5, 6, 7)).passed


def test_2_4_opponent_victory_cuts_the_farewells_that_are_to_come(a_vote):
    play = a_vote((3, 5))
    for _ in range(2):
        play.ballot({3: (1, 2, 3, 4, 5)})
    play.lift((1, 2, 3, 4, 5, 6))
    play.act(do.PutOpponentVictory(3))
    play.farewell((8,), 1)
    play.motion((1, 2, 4, 6, 7, 8))
    assert play.state.phase is Phase.OVER
    assert play.state.decided is Winner.MAFIA


def test_2_4_the_accused_of_opponent_victory_can_be_disqualified_meanwhile(day):
    day.act(do.PutOpponentVictory(8), do.EndFloor(1))
    day.act(do.Rule(Sanction.DISQUALIFICATION, 8, Offence.THREATS))
    assert day.state.phase is Phase.MOTION
    assert day.motion((1, 2, 3, 4, 5, 6)).passed
    assert day.state.decided is Winner.TOWN


def test_who_leaves_by_a_vote_that_a_ruling_settles_takes_the_motion_vote_along():
    motion = Motion(Sanction.OPPONENT_VICTORY, 3, 0, None, votes=(1, 8))
    turn = Turn(GameState(NORMAL, phase=Phase.MOTION, day=4, motion=motion))
    outcome.remove(turn, (8,), Cause.VOTE)
    assert turn.state.motion.votes == (1,)

"""RULES 2.4: what the host rules at night, and when it takes effect."""

import pytest

from table_controller.game import actions as do
from table_controller.game import events as ev
from table_controller.game.model import (
    Cause,
    NightRound,
    Offence,
    Phase,
    Refusal,
    Sanction,
    Winner,
)
from table_controller.game.views import host_view, public_view, seat_view

MAFIA = (8, 9, 10)


def dq(seat):
    return do.Rule(Sanction.DISQUALIFICATION, seat, Offence.THREATS)


def tf(seat, offence=Offence.INSULTS):
    return do.Rule(Sanction.TECHNICAL_FOUL, seat, offence)


OUT = pytest.mark.parametrize(
    ("out", "cause"),
    [
        pytest.param(dq, Cause.DISQUALIFIED, id="2.4 disqualified"),
        pytest.param(do.Withdraw, Cause.WITHDRAWN, id="2.4 withdrawn"),
    ],
)

MOMENTS = {
    "at nightfall": lambda play: play,
    **{
        f"in the round of the {round_}": (lambda play, round_=round_: _calling(play, round_))
        for round_ in NightRound
    },
    "while answers gather": lambda play: play.until(Phase.GATHERING),
    "in the morning before the shot is told": lambda play: play.until(Phase.MORNING),
}


def _calling(play, round_):
    play.until(Phase.CALLING)
    while play.state.call.round is not round_:
        play.expire()
    return play


def _shoot(play, target, action=None, moment="at nightfall"):
    """Play the night with this shot, and *action* at *moment*."""
    if moment == "at nightfall" and action:
        play.act(action)
    play.until(Phase.CALLING)
    for round_ in NightRound:
        if moment.endswith(f"of the {round_}") and action:
            play.act(action)
        shots = {seat: [target] for seat in MAFIA if target and seat in play.state.living}
        play.round(shots if round_ is NightRound.SHOTS else {}, round_)
    assert play.state.phase is Phase.MORNING
    if moment.startswith("in the morning") and action:
        play.act(action)
    return play


@OUT
@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: f"2.4 {moment}")
def test_2_4_a_ruling_at_night_takes_effect_at_dawn(a_vote, out, cause, moment):
    play = a_vote(())
    MOMENTS[moment](play)
    shown = public_view(play.state)
    seats = [seat_view(play.state, seat) for seat in range(1, 11)]
    assert play.act(out(5)) == ()
    assert public_view(play.state) == shown
    assert [seat_view(play.state, seat) for seat in range(1, 11)] == seats
    assert host_view(play.state).rulings[0].seat == 5
    play.until(Phase.MORNING)
    assert 5 in play.state.living
    told = play.act(do.Expire(play.clock().id))
    assert told[0] == ev.MissAnnounced()
    assert told[2] == ev.SeatLeft(5, cause)
    assert told[3] == ev.VoteDropped(3)
    assert (play.state.phase, play.state.floor) == (Phase.SPEECH, 2)
    assert 5 not in play.state.order
    assert host_view(play.state).rulings == ()


def test_2_4_a_seat_ruled_out_at_night_shoots_and_checks_until_dawn(a_vote):
    play = a_vote(())
    play.act(dq(10), dq(7))
    play.night({seat: [2] for seat in MAFIA}, {10: [7]}, {7: [10]})
    assert play.state.nights[-1].hit == 2
    assert [check.positive for check in play.state.nights[-1].checks] == [True, True]


@OUT
@pytest.mark.parametrize("moment", ["at nightfall", "in the morning before the shot is told"])
def test_2_4_if_that_seat_was_shot_the_hit_stands_and_it_has_no_farewell(
    a_vote, out, cause, moment
):
    play = _shoot(a_vote(()), 5, out(5), moment)
    told = play.act(do.Expire(play.clock().id))
    assert told[:2] == (ev.ShotAnnounced(5), ev.SeatLeft(5, Cause.SHOT))
    assert not [event for event in told if isinstance(event, ev.VoteDropped)]
    assert (play.state.phase, play.state.floor) == (Phase.SPEECH, 2)
    assert play.told(ev.FarewellBegan) == []
    assert public_view(play.state).leaving == ()
    assert public_view(play.state).seats[4].disqualified is (cause is Cause.DISQUALIFIED)


def test_2_4_another_seat_shot_has_its_farewell_after_the_ruling(a_vote):
    play = _shoot(a_vote(()), 2, dq(5))
    told = play.act(do.Expire(play.clock().id))
    assert [type(event) for event in told] == [
        ev.ShotAnnounced,
        ev.SeatLeft,
        ev.Disqualified,
        ev.SeatLeft,
        ev.VoteDropped,
        ev.FarewellBegan,
    ]
    assert play.state.floor == 2


def test_2_4_victory_is_tested_when_all_who_leave_at_dawn_are_out(a_vote):
    # Four against two; the shot alone leaves the game open, the ruling with it does not.
    play = _shoot(a_vote((), without=(1, 2, 3, 8)), 4, dq(5))
    told = play.act(do.Expire(play.clock().id))
    decided = told.index(ev.GameDecided(Winner.MAFIA))
    assert told.index(ev.SeatLeft(5, Cause.DISQUALIFIED)) < decided
    assert play.state.phase is Phase.FAREWELL
    play.farewell()
    assert play.state.phase is Phase.OVER


def test_2_4_a_ruling_can_save_what_the_shot_alone_would_decide(a_vote):
    # Three against two; shot 2-2 would be the mafia's, and with a mafioso out it is 2-1.
    play = _shoot(a_vote((), without=(1, 2, 3, 4, 8)), 5, dq(9))
    play.act(do.Expire(play.clock().id))
    assert play.state.decided is None
    assert play.state.mistakes_left == 0


def test_2_4_a_ruling_at_dawn_can_end_the_game(a_vote):
    play = _shoot(a_vote((), without=(1, 2, 3)), None, do.Withdraw(6))
    told = play.act(do.Expire(play.clock().id))
    assert told[-1] == ev.GameEnded(Winner.MAFIA)


def test_1_14_the_reading_is_taken_when_the_ruled_out_are_out(a_vote):
    play = _shoot(a_vote((), without=(8,)), None, dq(5))
    play.act(do.Expire(play.clock().id))
    assert (play.state.mistakes_left, play.state.public_mistakes_left) == (1, 0)


def test_1_13_a_ruling_at_dawn_is_a_departure_and_no_draw(a_vote):
    play = a_vote(())
    for _ in range(2):
        play.until(Phase.MORNING)
        if play.state.day == 4:
            break
        play.expire()
        play.until(Phase.NIGHTFALL)
    play.act(dq(5))
    play.until(Phase.MORNING)
    play.expire()
    assert (play.state.day, play.state.decided) == (4, None)
    assert play.state.idle_nights == 0


def test_2_4_a_first_technical_foul_takes_effect_at_once_at_night_too(a_vote):
    play = a_vote(()).until(Phase.CALLING)
    shown = public_view(play.state)
    assert play.act(tf(5)) == (
        ev.TechnicalFoulGiven(5, 1, Offence.INSULTS, by_host=True, after_decision=False),
    )
    assert public_view(play.state) == shown
    assert host_view(play.state).technical_fouls[4] == 1
    play.until(Phase.MORNING)
    assert public_view(play.state).seats[4].technical_fouls == 1


def test_2_4_two_technical_fouls_in_one_night_are_told_together_in_the_morning(a_vote):
    play = a_vote(()).until(Phase.CALLING)
    play.act(tf(5), tf(6))
    assert [seat.technical_fouls for seat in public_view(play.state).seats] == [0] * 10
    play.until(Phase.MORNING)
    assert [seat.technical_fouls for seat in public_view(play.state).seats[4:6]] == [1, 1]


def test_2_4_a_second_technical_foul_at_night_disqualifies_at_dawn(a_vote):
    play = a_vote(()).until(Phase.CALLING)
    play.act(tf(5, Offence.BETS))
    assert play.act(tf(5)) == ()
    assert play.state.technical_fouls[4] == 1
    for action in (tf(5), dq(5), do.Withdraw(5)):
        assert play.refusal(action) is Refusal.ALREADY_RULED
    play.until(Phase.MORNING)
    assert play.act(do.Expire(play.clock().id))[1:4] == (
        ev.TechnicalFoulGiven(5, 2, Offence.INSULTS, by_host=True, after_decision=False),
        ev.Disqualified(
            5, Offence.INSULTS, by_host=True, by_second_foul=True, after_decision=False
        ),
        ev.SeatLeft(5, Cause.DISQUALIFIED),
    )


def test_2_4_a_withdrawn_seat_can_still_be_disqualified_in_that_night(a_vote):
    play = a_vote(()).until(Phase.CALLING)
    play.act(do.Withdraw(5))
    assert play.refusal(do.Withdraw(5)) is Refusal.ALREADY_RULED
    play.act(dq(5))
    play.until(Phase.MORNING)
    play.expire()
    assert [event for event in play.events[-8:] if isinstance(event, ev.SeatLeft)] == [
        ev.SeatLeft(5, Cause.WITHDRAWN)
    ]
    assert play.state.disqualified == (5,)
    assert play.told(ev.VoteDropped) == [ev.VoteDropped(3)]


def test_2_4_several_rulings_of_one_night_drop_one_vote_each(a_vote):
    play = a_vote(()).until(Phase.CALLING)
    play.act(dq(5), do.Withdraw(8))
    play.until(Phase.MORNING)
    play.expire()
    assert play.state.dropped == (3, 4)


@OUT
@pytest.mark.parametrize("phase", [Phase.LOOK, Phase.NIGHTFALL, Phase.MEETING, Phase.REST])
def test_2_4_before_the_first_day_a_ruling_takes_effect_at_the_first_dawn(
    a_dealt_game, out, cause, phase
):
    play = a_dealt_game().until(phase)
    play.act(out(5))
    assert 5 in play.state.living
    play.until(Phase.SPEECH)
    assert ev.SeatLeft(5, cause) in play.events
    assert (play.state.day, play.state.dropped) == (1, (1,))
    assert play.state.order == (1, 2, 3, 4, 6, 7, 8, 9, 10)


def test_2_4_a_technical_foul_in_the_look_is_shown_at_once(a_dealt_game):
    play = a_dealt_game()
    play.act(tf(5))
    assert public_view(play.state).seats[4].technical_fouls == 1


def test_2_4_grounds_of_one_ruled_out_at_night_lapse_at_dawn(a_vote):
    play = a_vote(()).until(Phase.CALLING)
    play.act(do.OpenGrounds(5, Offence.INSULTS, do.Source.HOST), dq(5))
    play.until(Phase.SPEECH)
    assert play.told(ev.GroundsLapsed) == [ev.GroundsLapsed(1)]
    assert play.told(ev.MotionPut) == []


def test_2_4_a_ruling_at_night_on_what_has_grounds_settles_them(a_vote):
    play = a_vote(()).until(Phase.CALLING)
    play.act(do.OpenGrounds(5, Offence.THREATS, do.Source.HOST))
    assert play.act(dq(5)) == (ev.GroundsLapsed(1),)


@pytest.mark.parametrize("phase", [Phase.LOOK, Phase.CALLING, Phase.MORNING])
def test_2_4_a_void_takes_effect_at_once_at_night_too(a_dealt_game, a_vote, phase):
    play = a_dealt_game() if phase is Phase.LOOK else a_vote(()).until(phase)
    assert play.act(do.Void())[-1] == ev.GameVoided()
    assert play.state.phase is Phase.OVER

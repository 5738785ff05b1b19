"""RULES 2.1, 2.2 and 2.5: presence, grounds, accusations, offences."""

import pytest
from msgspec.structs import replace

from table_controller.game import actions as do
from table_controller.game import events as ev
from table_controller.game.model import CountdownKind, Offence, Phase, Refusal, Sanction, Source
from table_controller.game.ruleset import NORMAL, TURBO
from table_controller.game.views import Deed, PublicGrounds, public_view, seat_view

AWAY = do.OpenGrounds(4, Offence.AWAY, Source.PRESENCE)
FINGER = do.OpenGrounds(4, Offence.FORBIDDEN_GESTURE, Source.GESTURE)
INSULT = do.OpenGrounds(4, Offence.INSULTS, Source.HOST)


@pytest.fixture
def day(a_morning):
    return a_morning().until(Phase.SPEECH)


# ---- offences ----


@pytest.mark.parametrize(
    ("offence", "sanction"),
    [
        pytest.param(offence, sanction, id=f"2.5 {offence}")
        for sanction, offences in {
            Sanction.TECHNICAL_FOUL: (
                Offence.INSULTS,
                Offence.AGGRESSIVE_GESTURES,
                Offence.BETS,
                Offence.RELIGION,
                Offence.FOREIGN_LANGUAGE,
                Offence.OBSCENITY,
                Offence.OUTSIDE_ARGUMENTS,
                Offence.FORBIDDEN_GESTURE,
            ),
            Sanction.DISQUALIFICATION: (
                Offence.AWAY,
                Offence.MESSAGES,
                Offence.THREATS,
                Offence.NUDITY,
            ),
        }.items()
        for offence in offences
    ],
)
def test_2_5_an_offence_has_its_sanction(day, offence, sanction):
    day.act(do.OpenGrounds(4, offence, Source.HOST))
    assert day.events[-1] == ev.GroundsOpened(1, 4, offence, sanction, Source.HOST)


def test_2_5_every_offence_is_of_one_class():
    assert len(Offence) == 12


def test_2_5_the_forbidden_gesture_disqualifies_when_the_host_opening_says_so(day):
    severe = replace(INSULT, offence=Offence.FORBIDDEN_GESTURE, severe=True)
    told = day.act(severe)
    assert told[0].sanction is Sanction.DISQUALIFICATION


def test_2_5_the_forbidden_gesture_disqualifies_when_the_host_confirming_says_so(day):
    day.act(do.OpenGrounds(5, Offence.INSULTS, Source.HOST), FINGER)
    severe = do.OpenGrounds(4, Offence.FORBIDDEN_GESTURE, Source.HOST, severe=True)
    what = (4, Offence.FORBIDDEN_GESTURE, Sanction.DISQUALIFICATION, Source.GESTURE)
    assert day.act(severe) == (ev.GroundsOpened(2, *what),)
    assert [(each.number, each.seat, each.sanction) for each in day.state.grounds] == [
        (1, 5, Sanction.TECHNICAL_FOUL),
        (2, 4, Sanction.DISQUALIFICATION),
    ]
    assert day.refusal(severe) is Refusal.ALREADY_OPEN


def test_2_5_once_its_motion_is_open_the_host_confirms_nothing_more(day):
    day.act(FINGER, do.EndFloor(1))
    severe = do.OpenGrounds(4, Offence.FORBIDDEN_GESTURE, Source.HOST, severe=True)
    assert day.refusal(severe) is Refusal.ALREADY_OPEN


# ---- presence and gesture ----


def test_2_1_presence_opens_grounds_and_penalises_nobody(day):
    assert day.act(AWAY) == (
        ev.GroundsOpened(1, 4, Offence.AWAY, Sanction.DISQUALIFICATION, Source.PRESENCE),
    )
    assert day.state.living == tuple(range(1, 11))
    assert day.state.phase is Phase.SPEECH


@pytest.mark.parametrize("action", [AWAY, FINGER], ids=["2.1 presence", "2.2 gesture"])
def test_a_camera_sees_living_seats_by_day_and_in_no_pause(a_morning, a_dealt_game, action):
    day = a_morning(without=(4,)).until(Phase.SPEECH)
    assert day.refusal(action) is Refusal.NOT_LIVING
    assert a_dealt_game().until(Phase.NIGHTFALL).refusal(action) is Refusal.WRONG_PHASE
    day = a_morning()
    day.act(do.Pause())
    assert day.refusal(action) is Refusal.PAUSED
    day.act(do.Resume(), action)


def test_2_1_grounds_once_an_absence_are_open_once(day):
    day.act(AWAY)
    assert day.refusal(AWAY) is Refusal.ALREADY_OPEN
    day.act(do.EndFloor(1))
    assert day.state.phase is Phase.MOTION
    assert day.refusal(AWAY) is Refusal.ALREADY_OPEN
    day.motion()
    day.act(AWAY)
    assert day.events[-1].grounds == 2


@pytest.mark.parametrize(
    "action",
    [
        replace(AWAY, offence=Offence.NUDITY),
        replace(AWAY, severe=True),
        replace(FINGER, offence=Offence.AWAY),
        replace(FINGER, severe=True),
        replace(INSULT, severe=True),
        replace(INSULT, source=Source.SEAT),
    ],
    ids=[
        "2.1 presence sees absence only",
        "2.5 presence judges no degree",
        "2.2 the camera knows the forbidden gesture only",
        "2.5 the camera judges no degree",
        "2.5 the host has no choice of degree elsewhere",
        "2.2 a seat accuses, and another confirms",
    ],
)
def test_a_source_says_what_it_can_see(day, action):
    assert day.refusal(action) is Refusal.BAD_GROUNDS


# ---- the host ----


def test_2_2_the_host_opens_grounds_at_any_time_of_the_game(a_new_game, a_dealt_game, day):
    play = a_new_game()
    assert play.refusal(INSULT) is Refusal.WRONG_PHASE
    a_dealt_game().act(INSULT)
    day.act(do.Pause(), INSULT)
    assert day.state.grounds[0].source is Source.HOST


def test_2_2_grounds_of_the_night_are_told_in_the_morning(a_vote):
    play = a_vote(()).until(Phase.CALLING)
    before = public_view(play.state)
    play.act(INSULT)
    assert public_view(play.state) == before
    play.until(Phase.MORNING)
    assert public_view(play.state).grounds == (
        PublicGrounds(4, Offence.INSULTS, Sanction.TECHNICAL_FOUL, Source.HOST),
    )


def test_2_3_grounds_can_be_against_a_departed_seat_but_not_a_disqualified_one(a_morning):
    play = a_morning(without=(4,)).until(Phase.SPEECH)
    play.act(INSULT)
    play.act(do.Rule(Sanction.DISQUALIFICATION, 4, Offence.THREATS))
    assert play.refusal(INSULT) is Refusal.DISQUALIFIED


def test_2_2_the_same_grounds_opened_twice_are_no_graver(day):
    for action in (INSULT, FINGER):
        day.act(action)
        assert day.refusal(replace(action, source=Source.HOST)) is Refusal.ALREADY_OPEN


# ---- accusations ----

ACCUSE = do.Accuse(2, 4, Offence.THREATS)


def test_2_2_a_seat_accuses_and_a_second_seat_confirms(day):
    assert day.act(ACCUSE) == (ev.AccusationMade(2, 4, Offence.THREATS),)
    view = public_view(day.state)
    assert (view.accusation.by, view.accusation.seat, view.accusation.offence) == (
        2,
        4,
        Offence.THREATS,
    )
    clock = day.clock(1)
    assert (clock.kind, clock.length_s, clock.runs, clock.seat) == (
        CountdownKind.ACCUSATION,
        5,
        True,
        2,
    )
    assert day.act(do.ConfirmAccusation(6)) == (
        ev.GroundsOpened(
            1, 4, Offence.THREATS, Sanction.DISQUALIFICATION, Source.SEAT, by=2, confirmed_by=6
        ),
    )
    view = public_view(day.state)
    assert view.accusation is None
    assert view.grounds == (
        PublicGrounds(4, Offence.THREATS, Sanction.DISQUALIFICATION, Source.SEAT, 2, 6),
    )
    assert len(view.countdowns) == 1


def test_2_5_a_seat_asks_for_no_more_than_the_offence_brings(day):
    day.act(do.Accuse(2, 4, Offence.FORBIDDEN_GESTURE), do.ConfirmAccusation(6))
    assert day.state.grounds[0].sanction is Sanction.TECHNICAL_FOUL


def test_2_2_a_second_has_five_seconds_in_turbo_too(a_morning):
    play = a_morning(ruleset=TURBO).until(Phase.SPEECH)
    play.act(ACCUSE)
    assert play.clock(1).length_s == 5


def test_2_2_an_accusation_that_nobody_confirms_is_nothing(day):
    day.act(ACCUSE)
    assert day.act(do.Expire(day.clock(1).id)) == (ev.AccusationLapsed(2),)
    assert day.state.grounds == ()
    assert public_view(day.state).countdowns == (day.clock(),)
    assert day.refusal(do.ConfirmAccusation(6)) is Refusal.NOTHING_TO_CONFIRM


def test_2_2_a_second_seat_is_neither_accuser_nor_accused_nor_the_speaker(a_morning):
    day = a_morning(without=(9,)).until(Phase.SPEECH)
    day.act(ACCUSE)
    assert day.refusal(do.ConfirmAccusation(2)) is Refusal.NOT_FOR_YOU
    assert day.refusal(do.ConfirmAccusation(4)) is Refusal.NOT_FOR_YOU
    assert day.refusal(do.ConfirmAccusation(9)) is Refusal.NOT_LIVING
    assert day.refusal(do.ConfirmAccusation(1)) is Refusal.YOUR_FLOOR
    deeds = {seat: seat_view(day.state, seat).deed for seat in range(1, 11)}
    assert {seat for seat, deed in deeds.items() if deed is Deed.CONFIRM} == {3, 5, 6, 7, 8, 10}


def test_2_2_a_seat_accuses_once_a_day(day, a_vote):
    day.act(ACCUSE, do.Expire(day.clock().id + 1))
    assert day.refusal(ACCUSE) is Refusal.ALREADY_ACCUSED
    assert not seat_view(day.state, 2).may_accuse
    assert seat_view(day.state, 3).may_accuse
    day.until(Phase.MORNING)
    assert seat_view(day.state, 2).may_accuse
    day.act(ACCUSE)


def test_2_2_an_accusations_countdown_has_an_id_of_its_own(day):
    day.act(ACCUSE, do.Shout(5))
    assert len({clock.id for clock in public_view(day.state).countdowns}) == 3


def test_2_2_one_accusation_at_a_time(day):
    day.act(ACCUSE)
    assert day.refusal(do.Accuse(3, 5, Offence.INSULTS)) is Refusal.ALREADY_OPEN
    assert not seat_view(day.state, 3).may_accuse


def test_2_2_what_is_open_already_needs_no_accusation(day):
    day.act(do.OpenGrounds(4, Offence.THREATS, Source.HOST))
    assert day.refusal(ACCUSE) is Refusal.ALREADY_OPEN
    assert day.state.accusers == ()


def test_2_2_a_seat_does_not_accuse_in_its_own_floor_or_itself_or_when_gone(a_morning):
    day = a_morning(without=(9,)).until(Phase.SPEECH)
    assert day.refusal(do.Accuse(1, 4, Offence.THREATS)) is Refusal.YOUR_FLOOR
    assert day.refusal(do.Accuse(2, 2, Offence.THREATS)) is Refusal.NOT_FOR_YOU
    assert day.refusal(do.Accuse(9, 4, Offence.THREATS)) is Refusal.NOT_LIVING
    assert day.refusal(do.Accuse(2, 11, Offence.THREATS)) is Refusal.NO_SUCH_SEAT
    assert day.refusal(do.Accuse(0, 4, Offence.THREATS)) is Refusal.NOT_LIVING
    assert day.refusal(do.Accuse(11, 4, Offence.THREATS)) is Refusal.NOT_LIVING
    day.act(do.Accuse(2, 9, Offence.THREATS))


def test_2_2_a_disqualified_seat_is_accused_of_nothing(day):
    day.act(do.Rule(Sanction.DISQUALIFICATION, 4, Offence.NUDITY))
    assert day.refusal(ACCUSE) is Refusal.DISQUALIFIED


def test_2_2_no_accusation_while_a_ballot_or_lift_is_open_or_at_night(a_vote):
    play = a_vote((3, 4))
    for phase in (Phase.READING, Phase.BALLOT, Phase.ROLL_CALL):
        play.until(phase)
        assert play.refusal(ACCUSE) is Refusal.WRONG_PHASE
        assert not seat_view(play.state, 2).may_accuse
    play = a_vote((3, 4))
    play.ballot({3: (1, 2, 3, 4, 5)})
    assert play.state.phase is Phase.TIE_SPEECH
    play.act(do.Accuse(5, 6, Offence.BETS))
    play.act(do.Expire(play.clock(1).id))
    play.ballot({3: (1, 2, 3, 4, 5)})
    assert play.state.phase is Phase.LIFT
    assert play.refusal(ACCUSE) is Refusal.WRONG_PHASE
    play.until(Phase.NIGHTFALL)
    assert play.refusal(ACCUSE) is Refusal.WRONG_PHASE


def test_2_2_no_accusation_while_a_motion_is_open(day):
    day.act(INSULT, do.EndFloor(1))
    assert day.refusal(ACCUSE) is Refusal.WRONG_PHASE
    day.expire(CountdownKind.MOTION)
    assert day.refusal(ACCUSE) is Refusal.WRONG_PHASE


def test_2_2_the_day_waits_in_the_gap_for_the_second(day):
    day.act(ACCUSE, do.EndFloor(1))
    assert day.state.phase is Phase.GAP
    assert public_view(day.state).floor == 0
    assert [clock.kind for clock in public_view(day.state).countdowns] == [CountdownKind.ACCUSATION]
    told = day.act(do.ConfirmAccusation(1))
    assert [type(event) for event in told] == [ev.GroundsOpened, ev.MotionPut, ev.WindowOpened]
    day.motion()
    assert day.state.floor == 2


def test_2_2_the_day_goes_on_when_the_accusation_has_lapsed(day):
    day.act(ACCUSE, do.EndFloor(1))
    told = day.act(do.Expire(day.clock().id))
    assert told == (ev.AccusationLapsed(2), ev.SpeechBegan(2, silent=False))


def test_2_2_an_accusation_stands_in_a_pause_and_nobody_confirms_then(day):
    day.act(ACCUSE, do.Pause())
    assert not day.clock(1).runs
    assert day.refusal(do.ConfirmAccusation(6)) is Refusal.PAUSED
    assert seat_view(day.state, 6).deed is Deed.NONE
    day.act(do.Resume())
    assert day.clock(1).runs


@pytest.mark.parametrize(
    "gone", [do.Rule(Sanction.DISQUALIFICATION, 2, Offence.BETS), do.Withdraw(2)]
)
def test_2_2_an_accusation_lapses_with_its_accuser(day, gone):
    day.act(ACCUSE)
    assert ev.AccusationLapsed(2) in day.act(gone)
    assert day.state.accusation is None
    assert len(public_view(day.state).countdowns) == 1


def test_2_2_an_accusation_lapses_when_the_accused_is_disqualified(day):
    day.act(ACCUSE)
    day.act(do.Withdraw(7), do.Rule(Sanction.DISQUALIFICATION, 8, Offence.BETS))
    assert day.state.accusation is not None
    assert ev.AccusationLapsed(2) in day.act(do.Rule(Sanction.DISQUALIFICATION, 4, Offence.BETS))
    assert day.state.accusation is None


def test_2_2_a_shot_accuser_has_accused_all_the_same(a_vote):
    play = a_vote(())
    play.night({seat: [2] for seat in (8, 9, 10)})
    play.act(ACCUSE)
    play.expire(CountdownKind.MORNING)
    assert play.state.floor == 2
    play.act(do.ConfirmAccusation(6))
    assert play.state.grounds[0].by == 2


# ---- how long they last ----


def test_2_2_grounds_voted_down_lapse_at_the_end_of_the_next_day(a_morning):
    play = a_morning(ruleset=replace(NORMAL, draw_after_idle_nights=0)).until(Phase.SPEECH)
    play.act(INSULT)
    play.until(Phase.NIGHTFALL)
    assert [each.put for each in play.state.grounds] == [True]
    assert play.told(ev.GroundsLapsed) == []
    play.until(Phase.SPEECH)
    assert [each.number for each in play.state.grounds] == [1]
    play.until(Phase.NIGHTFALL)
    assert play.state.day == 3
    assert play.state.grounds == ()
    assert play.told(ev.GroundsLapsed) == [ev.GroundsLapsed(1)]
    assert len(play.told(ev.MotionPut)) == 1


def test_2_2_grounds_of_a_night_live_through_the_day_after_it(a_vote):
    play = a_vote((), ruleset=replace(NORMAL, draw_after_idle_nights=0)).until(Phase.CALLING)
    play.act(INSULT)
    assert (play.state.grounds[0].day, play.state.grounds[0].by_night) == (2, True)
    play.until(Phase.SPEECH)
    play.until(Phase.NIGHTFALL)
    assert play.told(ev.GroundsLapsed) == [ev.GroundsLapsed(1)]

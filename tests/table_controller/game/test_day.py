"""RULES 1.3 and 1.4: speeches and nominations."""

import pytest
from msgspec.structs import replace

from table_controller.game import NORMAL, TURBO
from table_controller.game import actions as do
from table_controller.game import events as ev
from table_controller.game.model import SEATS, CountdownKind, Phase, Refusal


@pytest.mark.parametrize(
    ("first_before", "without", "order"),
    [
        (10, (), SEATS),
        (1, (9,), (2, 3, 4, 5, 6, 7, 8, 10, 1)),
        (1, (1, 2), (3, 4, 5, 6, 7, 8, 9, 10)),
        (3, (4, 5, 6, 8, 9), (7, 10, 1, 2, 3)),
        (9, (10,), (1, 2, 3, 4, 5, 6, 7, 8, 9)),
        (10, (1, 10), (2, 3, 4, 5, 6, 7, 8, 9)),
    ],
    ids=["day 1", "next", "it has left since", "over a gap", "wraps", "wraps over a gap"],
)
def test_1_3_each_day_starts_after_the_first_of_the_day_before(
    a_morning, first_before, without, order
):
    play = a_morning(2, without, first=first_before)
    assert play.expire(CountdownKind.MORNING)[1] == ev.DayBegan(2, order)
    assert play.state.floor == order[0]
    assert play.state.first == order[0]


@pytest.mark.parametrize(
    ("ruleset", "length"), [(NORMAL, 60), (TURBO, 25)], ids=["normal", "turbo"]
)
def test_1_3_a_speech_ends_by_its_clock_or_by_its_speaker(a_morning, ruleset, length):
    play = a_morning(ruleset=ruleset).until(Phase.SPEECH)
    assert (play.clock().kind, play.clock().length_s, play.clock().seat) == ("speech", length, 1)
    assert play.expire(CountdownKind.SPEECH) == (ev.SpeechEnded(1), ev.SpeechBegan(2, False))
    assert play.refusal(do.EndFloor(1)) is Refusal.NOT_YOUR_FLOOR
    assert play.act(do.EndFloor(2)) == (ev.SpeechEnded(2), ev.SpeechBegan(3, False))


def test_1_3_the_expiry_of_an_old_countdown_is_stale(a_morning):
    play = a_morning().until(Phase.SPEECH)
    old = play.clock().id
    play.act(do.EndFloor(1))
    assert play.refusal(do.Expire(old)) is Refusal.STALE_COUNTDOWN
    assert play.refusal(do.Expire(0)) is Refusal.STALE_COUNTDOWN


def test_1_4_the_last_choice_of_a_speech_stands_and_is_read_out_after_it(a_morning):
    play = a_morning().until(Phase.SPEECH)
    assert play.act(do.Nominate(1, 5)) == (ev.NominationChosen(1, 5),)
    play.act(do.Nominate(1, 6))
    assert play.state.nominees == ()
    assert play.act(do.EndFloor(1))[:2] == (ev.SpeechEnded(1), ev.NominationStood(1, 6))
    play.act(do.Nominate(2, 5))
    assert play.act(do.TakeBackNomination(2)) == (ev.NominationChosen(2, None),)
    assert play.refusal(do.TakeBackNomination(2)) is Refusal.NOTHING_TO_TAKE_BACK
    assert ev.NominationStood(2, 5) not in play.act(do.EndFloor(2))
    assert play.state.nominees == (6,)


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        (do.Nominate(3, 4), Refusal.NOT_YOUR_FLOOR),
        (do.Nominate(2, 7), Refusal.ALREADY_LISTED),
        (do.Nominate(2, 9), Refusal.NOT_LIVING),
        (do.Nominate(2, 0), Refusal.NOT_LIVING),
        (do.Nominate(2, 11), Refusal.NOT_LIVING),
        (do.OpenPick(3), Refusal.NOT_YOUR_FLOOR),
        (do.ClosePick(3), Refusal.NOT_YOUR_FLOOR),
        (do.TakeBackNomination(1), Refusal.NOT_YOUR_FLOOR),
        (do.Vote(2, 7), Refusal.WRONG_PHASE),
        (do.VoteLift(2), Refusal.WRONG_PHASE),
        (do.CloseBallot(), Refusal.WRONG_PHASE),
        (do.GiveBestMove(2, ()), Refusal.WRONG_PHASE),
        (do.GiveCrown(2, 3), Refusal.WRONG_PHASE),
        (do.PressAtNight(2, 3), Refusal.WRONG_PHASE),
        (do.Ready(2), Refusal.WRONG_PHASE),
    ],
    ids=str,
)
def test_1_4_only_the_speaker_nominates_a_living_seat_that_is_not_listed(
    a_morning, action, refusal
):
    play = a_morning(without=(9,)).until(Phase.SPEECH)
    play.act(do.Nominate(1, 7), do.EndFloor(1))
    assert play.refusal(action) is refusal


def test_1_4_oneself_can_be_nominated(a_morning):
    play = a_morning().speeches({4: 4, 6: 2})
    assert play.told(ev.ListRead) == [ev.ListRead(ev.BallotKind.VOTE, (4, 2))]


@pytest.mark.parametrize("end", ["clock", "speaker"])
@pytest.mark.parametrize(
    ("last", "stood"),
    [
        (do.Nominate(1, 8), [8]),
        (do.ClosePick(1), [5]),
        (do.TakeBackNomination(1), []),
        (do.EndFloor(1), [5]),
        (None, [5]),
    ],
    ids=["chosen", "left", "taken back", "ended", "run out"],
)
def test_1_4_a_list_open_at_the_end_has_three_seconds_more(a_morning, end, last, stood):
    play = a_morning().until(Phase.SPEECH)
    play.act(do.Nominate(1, 5), do.OpenPick(1))
    if end == "clock":
        play.expire(CountdownKind.SPEECH)
    else:
        play.act(do.EndFloor(1))
    assert (play.state.phase, play.clock().length_s, play.clock().seat) == (Phase.PICKING, 3, 1)
    assert play.refusal(do.OpenPick(1)) is Refusal.WRONG_PHASE
    if last is None:
        play.expire(CountdownKind.PICK)
    else:
        play.act(last)
    assert play.state.floor == 2
    assert [event.nominee for event in play.told(ev.NominationStood)] == stood


@pytest.mark.parametrize("last", [do.Nominate(1, 8), do.ClosePick(1)], ids=["chosen", "left"])
def test_1_4_a_list_that_was_closed_in_time_needs_no_more(a_morning, last):
    play = a_morning().until(Phase.SPEECH)
    play.act(do.OpenPick(1), last)
    play.expire(CountdownKind.SPEECH)
    assert (play.state.phase, play.state.floor) == (Phase.SPEECH, 2)


@pytest.mark.parametrize(
    ("day", "nominations", "warned"),
    [
        (1, {3: 4}, []),
        (2, {3: 4}, [4]),
        (2, {}, []),
        (2, {3: 4, 5: 6}, []),
        (2, {3: 4, 10: 6}, [4]),
        (2, {10: 6}, []),
    ],
    ids=["day 1", "one", "none", "two", "the last adds one", "the last alone"],
)
def test_1_4_a_single_nominee_is_warned_of_before_the_last_speech(
    a_morning, day, nominations, warned
):
    play = a_morning(day).speeches(nominations)
    assert [event.nominee for event in play.told(ev.SingleNomineeWarned)] == warned
    if warned:
        place = play.events.index(ev.SingleNomineeWarned(warned[0]))
        assert play.events[place + 1] == ev.SpeechBegan(10, False)


@pytest.mark.parametrize(
    ("day", "first", "leaves"), [(1, 1, True), (1, 2, False), (2, 3, False), (3, 3, True)]
)
def test_1_4_from_which_day_a_single_nominee_leaves_is_data(a_morning, day, first, leaves):
    play = a_morning(day, ruleset=replace(NORMAL, single_leaves_from_day=first)).speeches({3: 4})
    assert (ev.SingleNomineeWarned(4) in play.events) is leaves
    assert (4 not in play.state.living) is leaves


def test_1_4_how_long_a_list_may_stay_open_is_data(a_morning):
    play = a_morning(ruleset=replace(NORMAL, pick_grace_s=7)).until(Phase.SPEECH)
    play.act(do.OpenPick(1), do.EndFloor(1))
    assert (play.clock().kind, play.clock().length_s) == (CountdownKind.PICK, 7)


def test_1_3_after_the_last_speech_the_floor_is_nobodys(a_morning):
    play = a_morning().speeches()
    assert (play.state.phase, play.state.floor) == (Phase.NIGHTFALL, 0)

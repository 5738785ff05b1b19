"""RULES 1.5 and 1.6: shouts, fouls, silences."""

import pytest
from msgspec.structs import replace

from table_controller.game import NORMAL, TURBO
from table_controller.game import actions as do
from table_controller.game import events as ev
from table_controller.game.model import CountdownKind, Phase, Refusal

NO_DRAW = replace(NORMAL, draw_after_idle_nights=0)


def fouls(**by_seat):
    return tuple(by_seat.get(f"seat_{seat}", 0) for seat in range(1, 11))


@pytest.mark.parametrize(("ruleset", "length"), [(NORMAL, 5), (TURBO, 3)], ids=["normal", "turbo"])
def test_1_5_a_shout_takes_the_floor_and_costs_a_foul(a_morning, ruleset, length):
    play = a_morning(ruleset=ruleset).until(Phase.SPEECH)
    speech = play.clock()
    assert play.act(do.Shout(4)) == (ev.ShoutBegan(4, 1),)
    assert play.clock() == replace(speech, runs=False)
    shout = play.clock(1)
    assert (shout.kind, shout.length_s, shout.seat, shout.runs) == ("shout", length, 4, True)
    assert play.refusal(do.Expire(speech.id)) is Refusal.STALE_COUNTDOWN
    assert play.act(do.Expire(shout.id)) == (ev.ShoutEnded(4),)
    assert play.clock() == speech
    assert play.state.fouls == fouls(seat_4=1)


def test_1_5_presses_of_an_open_shout_are_the_same_and_others_wait(a_morning):
    play = a_morning().until(Phase.SPEECH)
    play.act(do.Shout(4))
    assert play.refusal(do.Shout(4)) is Refusal.SHOUTING
    assert play.act(do.Shout(7)) == ()
    assert play.refusal(do.Shout(7)) is Refusal.SHOUTING
    first = play.clock(1).id
    assert play.act(do.Expire(first)) == (ev.ShoutEnded(4), ev.ShoutBegan(7, 1))
    assert play.clock(1).id != first
    play.act(do.Shout(4))
    assert play.act(do.Expire(play.clock(1).id)) == (ev.ShoutEnded(7), ev.ShoutBegan(4, 2))


def test_1_5_nobody_shouts_in_the_own_floor(a_morning):
    play = a_morning(without=(9,)).until(Phase.SPEECH)
    assert play.refusal(do.Shout(1)) is Refusal.YOUR_FLOOR
    play.act(do.OpenPick(1), do.EndFloor(1))
    assert play.state.phase is Phase.PICKING
    assert play.refusal(do.Shout(1)) is Refusal.YOUR_FLOOR


def test_1_5_departed_seats_do_not_shout(a_morning):
    assert a_morning(without=(9,)).refusal(do.Shout(9)) is Refusal.NOT_LIVING


@pytest.mark.parametrize(
    "phase",
    [Phase.MORNING, Phase.READING, Phase.BALLOT, Phase.ROLL_CALL],
)
def test_1_5_windows_and_announcements_run_on_under_a_shout(a_vote, a_morning, phase):
    play = a_morning() if phase is Phase.MORNING else a_vote((3, 4)).until(phase)
    play.act(do.Shout(6))
    assert [clock.runs for clock in (play.clock(), play.clock(1))] == [True, True]
    play.expire()


@pytest.mark.parametrize("phase", [Phase.TIE_SPEECH, Phase.FAREWELL, Phase.FAREWELL_PICKS])
def test_1_5_every_floor_stands_under_a_shout(a_vote, phase):
    play = a_vote((3, 4))
    play.ballot({3: (1, 2, 3, 4, 5)} if phase is Phase.TIE_SPEECH else {3: range(1, 11)})
    play.until(phase)
    play.act(do.Shout(6))
    assert [clock.runs for clock in (play.clock(), play.clock(1))] == [False, True]


def test_1_5_a_shout_ends_when_the_own_floor_begins_and_the_next_opens(a_morning):
    play = a_morning().until(Phase.SPEECH)
    play.act(do.Shout(2), do.Shout(5))
    told = play.act(do.EndFloor(1))
    assert told == (
        ev.SpeechEnded(1),
        ev.ShoutEnded(2),
        ev.ShoutBegan(5, 1),
        ev.SpeechBegan(2, False),
    )
    assert not play.clock().runs


def test_1_5_a_waiting_shout_lapses_in_the_own_floor_and_its_foul_stays(a_morning):
    play = a_morning().until(Phase.SPEECH)
    play.act(do.Shout(5), do.Shout(2), do.EndFloor(1))
    assert play.state.shouts == (5,)
    assert play.state.fouls == fouls(seat_2=1, seat_5=1)


def test_1_5_night_ends_every_shout(a_morning):
    play = a_morning().until(Phase.SPEECH)
    while play.state.floor != 10:
        play.act(do.EndFloor(play.state.floor))
    play.act(do.Shout(3), do.Shout(4))
    told = play.act(do.EndFloor(10))
    assert told[-2:] == (ev.ShoutEnded(3), ev.NightFell(2))
    assert (play.state.shouts, play.state.shout_clock) == ((), None)
    assert len(play.told(ev.ShoutBegan)) == 1


def test_1_5_a_shout_ends_with_its_seat(a_vote):
    play = a_vote((3, 4)).until(Phase.ROLL_CALL)
    play.act(do.Shout(4), do.Shout(6))
    told = play.act(do.CloseBallot())
    assert told[-4:] == (
        ev.SeatLeft(4, ev.Cause.VOTE),
        ev.ShoutEnded(4),
        ev.ShoutBegan(6, 1),
        ev.FarewellBegan(4),
    )


def test_1_5_the_end_of_the_game_ends_every_shout(a_vote):
    play = a_vote((10,), without=(8, 9)).until(Phase.FAREWELL_PICKS)
    play.act(do.Shout(3), do.Shout(4))
    told = play.act(do.EndFloor(10))
    assert told[-2:] == (ev.ShoutEnded(3), ev.GameEnded("town"))
    assert (play.state.shouts, play.state.shout_clock) == ((), None)


@pytest.mark.parametrize(
    ("count", "served", "silent"),
    [
        (2, 0, False),
        (3, 0, True),
        (3, 1, False),
        (4, 1, False),
        (5, 1, False),
        (6, 1, True),
        (6, 0, True),
        (9, 2, True),
        (9, 3, False),
    ],
)
def test_1_6_each_third_foul_costs_one_round(a_morning, count, served, silent):
    play = a_morning(fouls=fouls(seat_1=count), silences=fouls(seat_1=served))
    play.expire(CountdownKind.MORNING)
    assert play.events[-1] == ev.SpeechBegan(1, silent)
    assert play.clock().kind == ("silent" if silent else "speech")


def test_1_6_two_multiples_before_a_round_cost_two_rounds(a_morning):
    play = a_morning(ruleset=NO_DRAW, fouls=fouls(seat_5=6))
    silent = []
    for _ in range(3):
        play.speeches().until(Phase.MORNING)
        silent.append([event.seat for event in play.told(ev.SpeechBegan) if event.silent])
        play.events.clear()
    assert silent == [[5], [5], []]


def test_1_6_5_11_a_third_foul_before_the_own_speech_costs_tomorrows(a_morning):
    play = a_morning(ruleset=NO_DRAW, fouls=fouls(seat_5=2)).until(Phase.SPEECH)
    play.act(do.Shout(5))
    play.speeches().until(Phase.MORNING)
    assert [event for event in play.told(ev.SpeechBegan) if event.silent] == []
    play.events.clear()
    play.act(do.Shout(5))
    play.speeches().until(Phase.MORNING)
    assert play.told(ev.SpeechBegan)[3] == ev.SpeechBegan(5, True)
    play.events.clear()
    play.speeches()
    assert [event for event in play.told(ev.SpeechBegan) if event.silent] == []


def test_1_6_5_11_a_third_foul_in_the_morning_farewell_costs_todays(a_vote):
    play = a_vote((), day=2, without=(9,)).night(shots={8: [1], 10: [1]})
    play.state = replace(play.state, fouls=fouls(seat_6=2))
    play.until(Phase.FAREWELL).act(do.Shout(6))
    play.until(Phase.SPEECH).speeches()
    assert [event.seat for event in play.told(ev.SpeechBegan) if event.silent] == [6]


@pytest.mark.parametrize(
    ("ruleset", "length"), [(NORMAL, 15), (TURBO, 10)], ids=["normal", "turbo"]
)
def test_1_6_a_silenced_seat_has_a_slot_to_nominate(a_morning, ruleset, length):
    play = a_morning(ruleset=ruleset, fouls=fouls(seat_1=3)).until(Phase.SPEECH)
    assert (play.clock().kind, play.clock().length_s, play.clock().seat) == ("silent", length, 1)
    play.act(do.Nominate(1, 5), do.OpenPick(1))
    play.expire(CountdownKind.SILENT)
    play.expire(CountdownKind.PICK)
    assert play.state.nominees == (5,)


def test_1_6_a_silenced_seat_keeps_vote_and_tie_speech(a_morning):
    play = a_morning(fouls=fouls(seat_1=3)).speeches({2: 1, 3: 4})
    closed = play.ballot({1: (1, 2, 3, 4, 5)})
    assert (1, 1) in closed.votes
    assert play.events[-1] == ev.SpeechBegan(1, silent=False, tie=True)
    assert play.clock().length_s == 30


@pytest.mark.parametrize(
    ("flag", "living", "kind", "length"),
    [
        (True, 4, "speech", 30),
        (True, 5, "silent", 15),
        (False, 4, "silent", 15),
    ],
    ids=["on, four", "on, five", "off"],
)
def test_1_6_few_left_short_speech(a_morning, flag, living, kind, length):
    gone = (2, 3, 4, 8, 9, 5)[: 10 - living]
    rules = replace(NORMAL, few_left_short_speech=flag)
    play = a_morning(3, gone, rules, fouls=fouls(seat_1=3)).until(Phase.SPEECH)
    assert (play.clock().kind, play.clock().length_s) == (kind, length)
    play.speeches()
    assert play.told(ev.SpeechBegan)[0].silent is (kind == "silent")
    assert play.state.silences == fouls(seat_1=1)


def test_1_6_how_many_are_few_and_how_long_they_speak_then_is_data(a_morning):
    rules = replace(NORMAL, few_left_short_speech=True, few_left=5, few_left_speech_s=20)
    play = a_morning(3, (2, 3, 4, 8, 9), rules, fouls=fouls(seat_1=3)).until(Phase.SPEECH)
    assert (play.clock().kind, play.clock().length_s) == ("speech", 20)


def test_1_6_nothing_else_follows_from_fouls(a_morning):
    play = a_morning().until(Phase.SPEECH)
    for _ in range(12):
        play.act(do.Shout(3))
        play.act(do.Expire(play.clock(1).id))
    assert play.state.fouls == fouls(seat_3=12)
    assert 3 in play.state.living
    assert (play.state.phase, play.state.floor) == (Phase.SPEECH, 1)

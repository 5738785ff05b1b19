"""RULES 1.17: pause, restart, going on."""

import pytest

from table_controller.game import actions as do
from table_controller.game import events as ev
from table_controller.game.model import CountdownKind, NightRound, Phase, Refusal


def test_1_17_a_pause_is_entered_and_left_once(a_morning):
    play = a_morning()
    assert play.refusal(do.Resume()) is Refusal.NOT_PAUSED
    assert play.act(do.Pause()) == (ev.Paused(),)
    assert play.refusal(do.Pause()) is Refusal.PAUSED
    assert play.refusal(do.Expire(play.clock().id)) is Refusal.PAUSED
    assert play.refusal(do.Shout(1)) is Refusal.PAUSED
    assert play.act(do.Resume()) == (ev.Resumed(),)
    assert not play.state.paused


def test_1_17_the_seating_can_pause_too(a_new_game):
    play = a_new_game()
    play.act(do.Pause())
    assert play.refusal(do.Ready(1)) is Refusal.PAUSED
    play.act(do.Resume(), do.Ready(1))


@pytest.mark.parametrize(
    "phase", [Phase.MORNING, Phase.SPEECH, Phase.READING, Phase.TIE_SPEECH, Phase.FAREWELL]
)
def test_1_17_a_speech_goes_on_with_its_remaining_time(a_vote, a_morning, phase):
    if phase in (Phase.MORNING, Phase.SPEECH):
        play = a_morning().until(phase)
    else:
        play = a_vote((3, 4))
        if phase is not Phase.READING:
            everyone = range(1, 11) if phase is Phase.FAREWELL else (1, 2, 3, 4, 5)
            play.ballot({3: everyone})
    clock = play.clock()
    assert play.state.phase is phase
    play.act(do.Pause())
    assert (play.clock().id, play.clock().runs) == (clock.id, False)
    play.act(do.Resume())
    assert play.clock() == clock


@pytest.mark.parametrize("phase", [Phase.LOOK, Phase.NIGHTFALL, Phase.MEETING, Phase.REST])
def test_1_17_a_night_without_calls_goes_on_with_its_remaining_time(a_dealt_game, phase):
    play = a_dealt_game().until(phase)
    clock = play.clock()
    play.act(do.Pause(), do.Resume())
    assert play.clock() == clock


def test_1_17_a_shout_goes_on_too(a_morning):
    play = a_morning().until(Phase.SPEECH)
    play.act(do.Shout(5))
    shout = play.clock(1)
    play.act(do.Pause())
    assert [clock.runs for clock in (play.clock(), play.clock(1))] == [False, False]
    play.act(do.Resume())
    assert play.clock(1) == shout


def test_1_17_a_ballots_call_is_called_again_and_its_votes_stand(a_vote):
    play = a_vote((3, 4)).until(Phase.BALLOT)
    play.expire(CountdownKind.BALLOT)
    play.expire(CountdownKind.BALLOT_GAP)
    play.act(do.Vote(1, 4))
    old = play.clock()
    assert play.act(do.Pause()) == (ev.WindowClosed(4), ev.Paused())
    assert play.act(do.Vote(2, 4)) == (ev.VoteCast(2, 4),)
    assert play.act(do.Resume()) == (
        ev.Resumed(),
        ev.CandidateCalled(4),
        ev.WindowOpened(4),
    )
    assert play.clock().id != old.id
    assert play.clock().length_s == 5
    assert play.state.ballot.votes == ((1, 4), (2, 4))
    assert play.refusal(do.Vote(1, 3)) is Refusal.ALREADY_VOTED
    assert play.expire(CountdownKind.BALLOT) == (ev.WindowClosed(4), ev.RollCalled())


def test_1_17_between_two_candidates_the_gap_goes_on(a_vote):
    play = a_vote((3, 4)).until(Phase.BALLOT)
    play.expire(CountdownKind.BALLOT)
    gap = play.clock()
    assert play.act(do.Pause()) == (ev.Paused(),)
    assert play.act(do.Resume()) == (ev.Resumed(),)
    assert play.clock() == gap
    assert play.expire(CountdownKind.BALLOT_GAP)[0] == ev.CandidateCalled(4)


def test_1_17_a_lift_is_called_again(a_vote):
    play = a_vote((3, 4))
    play.ballot({3: (1, 2, 3, 4, 5)})
    play.ballot({3: (1, 2, 3, 4, 5)})
    play.act(do.VoteLift(1))
    assert play.act(do.Pause()) == (ev.WindowClosed(0), ev.Paused())
    play.act(do.VoteLift(2))
    assert play.act(do.Resume()) == (
        ev.Resumed(),
        ev.LiftCalled((3, 4)),
        ev.WindowOpened(0),
    )
    assert play.lift((3,)).votes == ((1, 0), (2, 0), (3, 0))


def test_1_17_a_roll_call_waits_on_and_is_asked_again(a_vote):
    play = a_vote((3, 4)).until(Phase.ROLL_CALL)
    clock = play.clock()
    play.act(do.Pause())
    assert play.refusal(do.CloseBallot()) is Refusal.PAUSED
    assert play.act(do.Resume()) == (ev.Resumed(), ev.RollCalled())
    assert play.clock() == clock


@pytest.mark.parametrize(
    ("expiries", "closed"),
    [(1, None), (2, 1), (4, 2), (3, 1), (22, None)],
    ids=["guard of the first", "first window", "second window", "next guard", "gathering"],
)
@pytest.mark.parametrize("round_", NightRound)
def test_1_17_a_night_round_is_called_again_and_its_last_call_counts(
    a_vote, round_, expiries, closed
):
    play = a_vote(()).until(Phase.CALLING)
    while play.state.call.round is not round_:
        play.expire()
    serial = play.state.last_call
    for _ in range(expiries - 1):
        play.expire()
        if play.events[-1] == ev.WindowOpened(1):
            play.act(*(do.PressAtNight(seat, 1) for seat in (7, 8, 9, 10)))
    assert (play.state.phase is Phase.GATHERING) is (expiries == 22)
    told = play.act(do.Pause())
    assert told == ((ev.WindowClosed(closed),) if closed else ()) + (ev.Paused(),)
    assert play.refusal(do.PressAtNight(8, 1)) is Refusal.PAUSED
    assert play.act(do.Resume()) == (
        ev.Resumed(),
        ev.RoundBegan(round_, serial + 1),
        ev.NumberCalled(round_, 1),
    )
    assert play.refusal(do.PressAtNight(8, 1)) is Refusal.NOT_CALLED
    two = {seat: [2] for seat in (7, 8, 9, 10)}
    play.round(two, round_)
    if round_ is NightRound.SHOTS:
        assert play.state.nights[-1].hit == 2
    else:
        assert [check.target for check in play.state.nights[-1].checks] == [2]


@pytest.mark.parametrize("where", ["ballot", "lift", "night"])
@pytest.mark.parametrize("after_that", ["withdrawal", "void"])
def test_1_17_a_window_that_a_pause_has_closed_is_closed_once(a_vote, where, after_that):
    play = a_vote((1, 2) if where != "night" else ())
    if where == "lift":
        for _ in range(2):
            play.ballot({1: (1, 2, 3, 4, 5)})
    play.until(Phase.CALLING if where == "night" else Phase.LIFT if where == "lift" else "ballot")
    while not isinstance(play.events[-1], ev.WindowOpened):
        play.expire()
    play.act(do.Pause())
    closed = len(play.told(ev.WindowClosed))
    play.act(do.Void() if after_that == "void" else do.Withdraw(3))
    assert len(play.told(ev.WindowClosed)) == closed

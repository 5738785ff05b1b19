"""What players of other implementations reported, tried on this one.

Each test is named for the symptom that was reported in public.
"""

import itertools

import pytest
from msgspec.structs import replace

from table_controller.game import NORMAL
from table_controller.game import actions as do
from table_controller.game import events as ev
from table_controller.game.model import (
    SEATS,
    CountdownKind,
    NightRound,
    Offence,
    Phase,
    Role,
    Sanction,
    Winner,
)

OUT = Sanction.DISQUALIFICATION
HELD_AGAIN = replace(NORMAL, dq_cancels_vote=False)

# 1-6 citizens, 7 sheriff, 8 and 9 mafia, 10 don.


# ---- votes for someone who has died break the vote ----


@pytest.mark.parametrize("when", [5, 2, "roll call"])
def test_votes_for_someone_who_has_died_break_the_vote(a_vote, when):
    play = a_vote((5, 2, 9), ruleset=HELD_AGAIN).until(Phase.BALLOT)
    play.act(do.Vote(1, 5), do.Vote(3, 5))
    if when == "roll call":
        play.until(Phase.ROLL_CALL)
    else:
        while play.told(ev.WindowOpened)[-1].number != when:
            play.expire()
    told = play.act(do.Rule(OUT, 5, Offence.THREATS))
    assert ev.NomineeStruck(5) in told
    assert play.state.phase is Phase.READING
    assert play.state.ballot.candidates == (2, 9)
    closed = play.ballot({2: (1, 3, 4, 6, 7), 9: (2, 8)})
    assert dict(closed.votes) == {1: 2, 2: 9, 3: 2, 4: 2, 6: 2, 7: 2, 8: 9, 9: 9, 10: 9}
    assert closed.living == 9
    assert play.state.leaving == (2,)


@pytest.mark.parametrize("when", [Phase.READING, Phase.BALLOT, Phase.ROLL_CALL])
def test_votes_for_someone_who_has_died_are_dropped_with_the_vote(a_vote, when):
    play = a_vote((5, 2, 9)).until(when)
    if when is not Phase.READING:
        play.act(do.Vote(1, 5))
    play.act(do.Rule(OUT, 5, Offence.THREATS))
    assert play.state.phase is Phase.NIGHTFALL
    assert (play.told(ev.VoteSettled), play.told(ev.BallotClosed)) == ([], [])
    assert play.state.ballot is None


# ---- the game waits for a removed player ----

STEPS = tuple(itertools.product(NightRound, ("call", "window", "last_window", "gather")))


@pytest.mark.parametrize("seat", [1, 7, 8, 10], ids=["citizen", "sheriff", "mafia", "don"])
@pytest.mark.parametrize("step", STEPS, ids=" ".join)
@pytest.mark.parametrize("withdrawn", [False, True], ids=["disqualified", "withdrawn"])
def test_the_game_waits_for_a_removed_player(a_vote, seat, step, withdrawn):
    plain = clocks_of_a_night(a_vote(()))
    removed = do.Withdraw(seat) if withdrawn else do.Rule(OUT, seat, Offence.THREATS)
    assert clocks_of_a_night(a_vote(()), step, removed) == plain
    # The night after, without it, is as long for everybody, one number shorter.
    play = a_vote(())
    night(play, step, removed)
    play.expire(CountdownKind.MORNING)
    assert seat not in play.state.living
    rounds = clocks_of_a_night(play.speeches())
    assert [kind for kind, _ in rounds if kind == "gather"] == ["gather"] * 3
    assert len([kind for kind, _ in rounds if kind == "window"]) == 3 * 9


def clocks_of_a_night(play, step=None, removed=None):
    """Play a night in which nobody presses; return its clocks."""
    return [(clock.kind, clock.length_s) for clock in night(play, step, removed)]


def night(play, step=None, removed=None):
    clocks = []
    play.until(Phase.CALLING)
    while play.state.phase is not Phase.MORNING:
        clock = play.clock()
        clocks.append(clock)
        if removed is not None and (play.state.call.round, clock.kind) == step:
            play.act(removed)
            removed = None
        play.expire()
    assert removed is None
    return clocks


# ---- a five-way tie removes five ----


@pytest.mark.parametrize("yes", [(), (1, 2, 3, 4, 5), (1, 2, 3, 4, 5, 6)], ids=["0", "5", "6"])
def test_a_five_way_tie_removes_five(a_vote, yes):
    tied = (1, 3, 5, 8, 9)
    twos = dict(zip(tied, [(1, 2), (3, 4), (5, 6), (7, 8), (9, 10)], strict=True))
    play = a_vote(tied)
    assert play.ballot(twos).top == tied
    assert play.state.living == SEATS
    assert (play.state.phase, play.state.to_speak) == (Phase.TIE_SPEECH, tied)
    assert play.ballot(twos).top == tied
    assert play.state.living == SEATS
    assert play.state.phase is Phase.LIFT
    play.lift(yes)
    if len(yes) == 6:
        assert play.state.living == (2, 4, 6, 7, 10)
        assert [left.seat for left in play.told(ev.SeatLeft)] == list(tied)
        assert play.state.phase is Phase.FAREWELL
    else:
        assert play.state.living == SEATS
        assert play.state.phase is Phase.NIGHTFALL


# ---- the game goes on after parity ----


def over(play):
    """Let the farewells pass and return who has won."""
    while play.state.phase in (Phase.FAREWELL, Phase.FAREWELL_PICKS):
        play.act(do.EndFloor(play.state.floor))
    assert play.state.phase is Phase.OVER, f"the game goes on: {play.state.phase}"
    assert play.events[-1] == ev.GameEnded(play.state.decided)
    return play.state.decided


def by_shot(a_vote):
    play = a_vote((), without=(1, 2, 3)).night(shots={8: [4], 9: [4], 10: [4]})
    play.expire(CountdownKind.MORNING)
    return play


def by_vote(a_vote):
    play = a_vote((4, 8), without=(1, 2, 3))
    play.ballot({4: (5, 8, 9, 10), 8: (4, 6, 7)})
    return play


def by_single_nominee(a_vote):
    return a_vote((4,), without=(1, 2, 3))


def by_lift(a_vote):
    play = a_vote((3, 4), without=(1, 2))
    for _ in range(2):
        play.ballot({3: (3, 5, 6, 7), 4: (4, 8, 9, 10)})
    play.lift((5, 6, 8, 9, 10))
    return play


def by_disqualification(a_vote):
    play = a_vote((3, 4), without=(1, 2, 5))
    play.act(do.Rule(OUT, 6, Offence.THREATS))
    return play


def by_withdrawal_in_a_speech(a_vote):
    play = a_vote((), without=(1, 2, 5)).night()
    play.until(Phase.SPEECH)
    play.act(do.Withdraw(play.state.floor))
    return play


def by_shot_and_disqualification(a_vote):
    play = a_vote((), without=(1, 2)).until(Phase.CALLING)
    play.act(do.Rule(OUT, 3, Offence.THREATS))
    play.night(shots={8: [4], 9: [4], 10: [4]})
    play.expire(CountdownKind.MORNING)
    return play


PARITY = [
    by_shot,
    by_vote,
    by_single_nominee,
    by_lift,
    by_disqualification,
    by_withdrawal_in_a_speech,
    by_shot_and_disqualification,
]


@pytest.mark.parametrize("exit_", PARITY, ids=lambda exit_: exit_.__name__)
def test_the_game_goes_on_after_parity(a_vote, exit_):
    play = exit_(a_vote)
    assert play.state.decided is Winner.MAFIA
    assert over(play) is Winner.MAFIA
    roles = [play.state.roles[seat - 1] for seat in play.state.living]
    mafia = sum(role in (Role.MAFIA, Role.DON) for role in roles)
    assert mafia >= len(roles) - mafia

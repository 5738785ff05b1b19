"""RULES 1.12 to 1.16: morning, victory, draw, right to a mistake, decisive votes, void."""

import pytest
from msgspec.structs import replace

from table_controller.game import NORMAL, countdowns, legal_actions
from table_controller.game import actions as do
from table_controller.game import events as ev
from table_controller.game.model import (
    BallotKind,
    BallotRecord,
    Cause,
    CountdownKind,
    Departure,
    Offence,
    Phase,
    Winner,
)
from table_controller.game.outcome import mistakes_left, public_mistakes_left
from table_controller.game.scoring import decisive_votes

EVERYONE = range(1, 11)


def test_1_12_the_shot_is_announced_after_the_cards_and_has_a_farewell(a_vote):
    play = a_vote(()).night(shots={8: [1], 9: [1], 10: [1]})
    assert 1 in play.state.living
    assert play.clock().length_s == 5
    assert play.expire(CountdownKind.MORNING) == (
        ev.ShotAnnounced(1),
        ev.SeatLeft(1, Cause.SHOT),
        ev.FarewellBegan(1),
    )
    assert play.farewell()[-2] == ev.DayBegan(3, (2, 3, 4, 5, 6, 7, 8, 9, 10))
    assert play.state.departures == (Departure(1, Cause.SHOT, 3),)


def test_1_12_a_miss_is_announced_and_the_day_begins(a_vote):
    play = a_vote(()).night()
    told = play.expire(CountdownKind.MORNING)
    assert told[:2] == (ev.MissAnnounced(), ev.DayBegan(3, (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)))


def test_1_12_nothing_is_announced_on_the_first_morning(a_dealt_game):
    play = a_dealt_game().until(Phase.MORNING)
    assert isinstance(play.expire()[0], ev.DayBegan)


@pytest.mark.parametrize(
    ("without", "nominee", "winner"),
    [
        ((2, 8), 1, None),
        ((1, 8), 9, None),
        ((2, 3, 8), 1, None),
        ((2, 3, 4, 8), 1, None),
        ((2, 3, 4, 5, 8), 1, Winner.MAFIA),
        ((2, 3), 1, None),
        ((2, 3, 4), 1, Winner.MAFIA),
        ((8, 9), 10, Winner.TOWN),
        ((1, 2, 3, 4, 5, 8, 9), 10, Winner.TOWN),
        ((1, 2, 3, 4, 5, 8, 9), 6, Winner.MAFIA),
    ],
    ids=["6-2", "6-2 mafia", "5-2", "4-2", "3-2", "5.1 5-3", "4-3", "7-1 last", "2-1 last", "2-1"],
)
def test_1_13_5_1_a_vote_that_took_effect_can_decide_the_game(a_vote, without, nominee, winner):
    play = a_vote((nominee,), without=without)
    assert play.state.phase is Phase.FAREWELL
    assert play.state.decided == winner
    told = play.farewell()
    if winner is None:
        assert told[-1] == ev.NightFell(2)
    else:
        assert told[-1] == ev.GameEnded(winner)
        assert play.state.phase is Phase.OVER


@pytest.mark.parametrize(
    ("without", "shots", "winner"),
    [
        ((2, 3, 4), {8: [1], 9: [1], 10: [1]}, Winner.MAFIA),
        ((2, 3), {8: [1], 9: [1], 10: [1]}, None),
        ((8, 9), {10: [10]}, Winner.TOWN),
        ((1, 2, 3, 4, 5, 8, 9), {10: [6]}, Winner.MAFIA),
    ],
    ids=["4-3 hit", "5-3 hit", "5.9 self-shot of the last", "2-1 hit"],
)
def test_1_13_5_9_victory_is_tested_at_dawn_and_hidden_in_the_farewell(
    a_vote, views, without, shots, winner
):
    play = a_vote((), without=without).night(shots)
    told = play.expire(CountdownKind.MORNING)
    assert play.state.decided == winner
    assert told[-1] == ev.FarewellBegan(play.state.floor)
    assert views.public_view(play.state).winner is None
    told = play.farewell()
    assert (play.state.phase is Phase.OVER) is (winner is not None)
    if winner is not None:
        assert told == (ev.FarewellEnded(play.events[-2].seat), ev.GameEnded(winner))
        assert views.public_view(play.state).winner == winner


def test_1_13_5_16_three_idle_nights_are_a_draw_at_dawn(a_dealt_game):
    play = a_dealt_game().until(Phase.MORNING)
    for _ in range(3):
        play.speeches().night()
    told = play.expire(CountdownKind.MORNING)
    assert told == (
        ev.MissAnnounced(),
        ev.GameDecided(Winner.DRAW),
        ev.GameEnded(Winner.DRAW),
    )
    assert (play.state.day, play.state.night) == (4, 3)


@pytest.mark.parametrize("left", ["by vote", "by shot"])
def test_1_13_a_departure_starts_the_idle_nights_anew(a_dealt_game, left):
    play = a_dealt_game().until(Phase.MORNING)
    play.speeches().night()
    play.speeches({1: 1} if left == "by vote" else None)
    if left == "by vote":
        play.farewell()
        play.night()
    else:
        play.night({8: [1], 9: [1], 10: [1]})
    for _ in range(2):
        play.until(Phase.SPEECH).speeches().night()
    play.expire(CountdownKind.MORNING)
    assert play.state.phase is (Phase.SPEECH if left == "by shot" else Phase.OVER)


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_1_13_the_number_of_idle_nights_is_data(a_dealt_game, limit):
    play = a_dealt_game(replace(NORMAL, draw_after_idle_nights=limit)).until(Phase.MORNING)
    for _ in range(limit or 6):
        play.speeches().night()
    play.expire(CountdownKind.MORNING)
    assert (play.state.phase is Phase.OVER) is (limit > 0)


@pytest.mark.parametrize(
    ("town", "mafia", "left"),
    [
        (7, 3, 1),
        (6, 3, 1),
        (6, 2, 1),
        (5, 3, 0),
        (5, 2, 1),
        (7, 2, 2),
        (4, 1, 1),
        (2, 1, 0),
        (3, 3, 0),
    ],
)
def test_1_14_5_17_mistakes_left(town, mafia, left):
    assert mistakes_left(town, mafia) == left


@pytest.mark.parametrize("living", range(3, 11))
def test_1_14_the_public_reading_is_what_holds_for_every_split(living):
    possible = [
        mistakes_left(living - mafia, mafia) for mafia in (1, 2, 3) if 7 >= living - mafia > mafia
    ]
    assert public_mistakes_left(living) == min(possible)


def test_1_14_the_reading_is_taken_at_dawn_after_the_shot_is_out(a_vote, views):
    play = a_vote((), without=(6,)).night(shots={8: [1], 9: [1], 10: [1]})
    assert views.public_view(play.state).mistakes_left == 1
    play.expire(CountdownKind.MORNING)
    assert (play.state.mistakes_left, play.state.public_mistakes_left) == (0, 0)
    assert views.public_view(play.state).mistakes_left == 0


@pytest.mark.parametrize(
    ("flag", "nominees", "without", "winner"),
    [
        (True, (1,), (2, 3), Winner.MAFIA),
        (False, (1,), (2, 3), None),
        (True, (8,), (2, 3), None),
        (True, (7,), (2, 3), Winner.MAFIA),
        (True, (10,), (2, 3), None),
        (True, (1,), (2, 8), None),
        (True, (10,), (1, 2, 3, 4, 8, 9), Winner.TOWN),
    ],
    ids=[
        "on",
        "off",
        "a mafioso leaves",
        "the sheriff leaves",
        "the don leaves",
        "not critical",
        "no mafioso lives",
    ],
)
def test_1_14_critical_vote_ends_game(a_vote, flag, nominees, without, winner):
    rules = replace(NORMAL, critical_vote_ends_game=flag)
    play = a_vote(nominees, without=without, ruleset=rules)
    assert play.state.decided == winner


def test_1_14_on_a_critical_day_one_town_player_among_those_lifted_is_enough(a_vote):
    rules = replace(NORMAL, critical_vote_ends_game=True)
    play = a_vote((1, 10), without=(2, 3), ruleset=rules)
    assert play.state.mistakes_left == 0
    for _ in range(2):
        play.ballot({1: (1, 4, 5, 6), 10: (7, 8, 9, 10)})
    play.lift((1, 4, 5, 6, 7))
    assert play.state.living == (4, 5, 6, 7, 8, 9)
    assert play.state.decided is Winner.MAFIA


def test_1_14_on_a_critical_day_the_last_mafioso_may_take_a_town_player_along(a_vote):
    rules = replace(NORMAL, critical_vote_ends_game=True)
    play = a_vote((1, 10), without=(3, 4, 5, 6, 8, 9), ruleset=rules)
    assert play.state.mistakes_left == 0
    for _ in range(2):
        play.ballot({1: (1, 10), 10: (2, 7)})
    play.lift((1, 2, 7))
    assert play.state.decided is Winner.TOWN


def a_ballot(*counts, kind=BallotKind.VOTE, top=1):
    """Return a closed ballot with so many votes for candidates 1, 2, ..."""
    votes, seat = [], 0
    for candidate, count in enumerate(counts, 1):
        for _ in range(count):
            seat += 1
            votes.append((seat, candidate))
    candidates = tuple(range(1, len(counts) + 1))
    return BallotRecord(2, kind, candidates, tuple(votes), (), candidates[:top], seat)


@pytest.mark.parametrize(
    ("ballot", "decisive"),
    [
        (a_ballot(5, 3), ()),
        (a_ballot(4, 3), (1, 2, 3, 4)),
        (a_ballot(4, 3, 2), (1, 2, 3, 4)),
        (a_ballot(5, 5, top=2), ()),
        (a_ballot(3, 2, 2), (1, 2, 3)),
        (a_ballot(9), ()),
        (a_ballot(2, 0), ()),
        (a_ballot(1, 0), (1,)),
    ],
    ids=["5:3", "4:3", "4:3:2", "5:5", "3:2:2", "all", "2:0", "1:0"],
)
def test_1_15_5_7_a_vote_is_decisive_at_a_margin_of_one(ballot, decisive):
    assert decisive_votes(ballot) == decisive


@pytest.mark.parametrize(
    ("living", "yes", "passed", "decisive"),
    [
        (8, 5, True, True),
        (8, 6, True, False),
        (8, 4, False, False),
        (9, 5, True, True),
        (10, 6, True, True),
        (10, 7, True, False),
        (3, 2, True, True),
    ],
)
def test_1_15_a_yes_is_decisive_when_the_lift_needed_it(living, yes, passed, decisive):
    votes = tuple((seat, 0) for seat in range(1, yes + 1))
    top = (1, 2) if passed else ()
    lift = BallotRecord(2, BallotKind.LIFT, (1, 2), votes, (), top, living)
    assert decisive_votes(lift) == (tuple(range(1, yes + 1)) if decisive else ())


# ---- void ----


def in_a_motion(play):
    play.until(Phase.SPEECH)
    play.act(do.PutOpponentVictory(3), do.EndFloor(play.state.floor))
    assert play.state.phase is Phase.MOTION


def with_an_accusation(play):
    play.until(Phase.SPEECH)
    play.act(do.Accuse(5, 6, Offence.INSULTS), do.Shout(4), do.Nominate(play.state.floor, 4))


def in_a_pause(play):
    play.until(Phase.BALLOT).act(do.Pause())


@pytest.mark.parametrize(
    "reach",
    [
        in_a_motion,
        with_an_accusation,
        in_a_pause,
        lambda play: play.until(Phase.CALLING),
        lambda play: play.until(Phase.ROLL_CALL),
        lambda play: play.until(Phase.FAREWELL_PICKS),
    ],
    ids=["motion", "accusation", "pause", "night", "ballot", "farewell"],
)
def test_1_16_a_void_game_has_no_winner_and_nothing_open(a_morning, reach):
    play = a_morning()
    if reach is not in_a_motion and reach is not with_an_accusation:
        play.speeches({1: 5, 2: 6})
    reach(play)
    assert play.act(do.Void())[-1] == ev.GameVoided()
    state = play.state
    assert (state.phase, state.decided, state.paused) == (Phase.OVER, None, False)
    assert countdowns(state) == ()
    assert (state.floor, state.shouts, state.resume) == (0, (), None)
    assert {state.ballot, state.call, state.farewell, state.motion, state.accusation} == {None}
    assert not list(legal_actions(state))

"""RULES 5, the rulings that engines get wrong: one test each, named by its number.

1-6 are citizens, 7 is the sheriff, 8 and 9 are mafia, 10 is the don.
"""

import pytest

from table_controller.game import actions as do
from table_controller.game import events as ev
from table_controller.game.model import (
    CountdownKind,
    Offence,
    Phase,
    Refusal,
    Sanction,
    Winner,
)
from table_controller.game.outcome import mistakes_left
from table_controller.game.scoring import Row, decisive_votes, score

OUT = Sanction.DISQUALIFICATION


def left(play):
    """Return (town, mafia) of the living."""
    mafia = len(play.state.mafia)
    return len(play.state.living) - mafia, mafia


def tied_twice(play, presses):
    for _ in range(2):
        play.ballot(presses)
    return play


def test_5_1_five_to_three_and_a_town_player_is_voted_out(a_vote):
    play = a_vote((1, 8), without=(5, 6))
    play.ballot({1: (7, 8, 9, 10, 2), 8: (1, 3, 4)})
    play.farewell()
    assert (left(play), play.state.decided) == ((4, 3), None)
    assert play.state.phase is Phase.NIGHTFALL


def test_5_2_a_lift_of_two_town_players_and_a_mafioso_at_four_to_two(a_vote):
    play = tied_twice(a_vote((1, 2, 8), without=(4, 5, 6, 9)), {1: (1, 2), 2: (3, 7), 8: (8, 10)})
    play.lift((1, 2, 3, 7))
    assert (left(play), play.state.decided) == ((2, 1), None)
    for _ in range(3):
        play.farewell()
    assert play.state.phase is Phase.NIGHTFALL


@pytest.mark.parametrize(
    ("living", "needed"), [(10, 6), (9, 5), (8, 5), (6, 4), (4, 3)], ids=lambda n: str(n)
)
def test_5_3_how_many_a_lift_needs(a_vote, living, needed):
    gone = {10: (), 9: (1,), 8: (1, 2), 6: (1, 2, 3, 8), 4: (1, 2, 3, 8, 9, 4)}[living]
    for yes in (needed - 1, needed):
        play = a_vote((), without=gone)
        seats = play.state.living
        size = {10: 2, 9: 3, 8: 2, 6: 3, 4: 2}[living]
        tied = seats[:size]
        play = a_vote(tied, without=gone)
        sides = {seat: seats[n::size] for n, seat in enumerate(tied)}
        tied_twice(play, sides)
        assert play.state.phase is Phase.LIFT
        play.lift(seats[:yes])
        assert (play.state.phase is Phase.FAREWELL) is (yes == needed)


def test_5_4_three_sides_of_three_then_four_four_one(a_vote):
    play = a_vote((1, 2, 8), without=(6,))
    assert play.ballot({1: (1, 2, 3), 2: (4, 5, 7), 8: (8, 9, 10)}).top == (1, 2, 8)
    assert play.ballot({1: (1, 2, 3, 8), 2: (4, 5, 7, 9), 8: (10,)}).top == (1, 2)
    assert (play.state.phase, play.state.to_speak) == (Phase.TIE_SPEECH, (1, 2))
    closed = play.ballot({1: (1, 2, 3, 8, 10), 2: (4, 5, 7, 9)})
    assert (closed.kind, closed.candidates, closed.top) == ("revote", (1, 2), (1,))


def test_5_4_two_two_two_two_of_eight_then_four_four_twice(a_vote):
    play = a_vote((1, 2, 8, 9), without=(5, 6))
    assert play.ballot({1: (1, 2), 2: (3, 4), 8: (7, 8), 9: (9, 10)}).top == (1, 2, 8, 9)
    assert play.ballot({1: (1, 2, 3, 4), 8: (7, 8, 9, 10)}).top == (1, 8)
    assert play.state.phase is Phase.TIE_SPEECH
    play.ballot({1: (1, 2, 3, 4), 8: (7, 8, 9, 10)})
    assert (play.state.phase, play.state.ballot.candidates) == (Phase.LIFT, (1, 8))


def test_5_5_three_living_with_one_vote_each_twice(a_vote):
    play = tied_twice(
        a_vote((1, 7, 10), without=(2, 3, 4, 5, 6, 8, 9)), {1: (7,), 7: (10,), 10: (1,)}
    )
    assert play.told(ev.LiftCalled) == []
    assert play.state.living == (1, 7, 10)
    assert play.state.phase is Phase.NIGHTFALL


def test_5_6_the_missing_vote_goes_to_the_last_of_the_tied_and_is_a_no_in_a_lift(a_vote):
    play = a_vote((1, 2, 8), without=(5, 6))
    assert play.ballot({1: (1, 2, 3), 2: (4, 7, 8), 8: (9, 10)}).top == (1, 2)
    closed = play.ballot({1: (1, 2, 3, 9), 2: (4, 7, 8)})
    assert (closed.automatic, dict(closed.votes)[10]) == ((10,), 2)
    closed = play.lift((1, 2, 3, 4))
    assert (closed.top, closed.automatic, len(closed.votes)) == ((), (), 4)


@pytest.mark.parametrize(
    ("without", "presses", "decisive"),
    [
        ((5, 6), {1: (1, 2, 3, 4, 7), 8: (8, 9, 10)}, ()),
        ((5, 6, 9), {1: (1, 2, 3, 4), 8: (7, 8, 10)}, (1, 2, 3, 4)),
        ((6,), {1: (1, 2, 3, 4), 8: (7, 8, 10), 2: (5, 9)}, (1, 2, 3, 4)),
        ((), {1: (1, 2, 3, 4, 5), 8: (6, 7, 8, 9, 10)}, ()),
    ],
    ids=["5:3", "4:3", "4:3:2", "5:5"],
)
def test_5_7_decisive_votes(a_vote, without, presses, decisive):
    assert decisive_votes(a_vote(tuple(presses), without=without).ballot(presses)) == decisive


@pytest.mark.parametrize(
    ("without", "shots", "hit"),
    [((8,), {9: [1], 10: [1]}, 1), ((8, 9), {10: []}, None), ((8, 9), {10: [1]}, 1)],
    ids=["two equal shots", "one alive without a press", "one alive"],
)
def test_5_8_the_living_mafia_alone_shoot(a_vote, without, shots, hit):
    play = a_vote((), without=without).night(shots=shots)
    assert play.told(ev.ShotsFixed)[-1].hit == hit


def test_5_9_the_self_shot_of_the_last_mafioso(a_vote):
    play = a_vote((), without=(8, 9)).night(shots={10: [10]})
    play.expire(CountdownKind.MORNING)
    assert play.state.decided is Winner.TOWN
    play.farewell()
    assert play.state.phase is Phase.OVER


def test_5_10_the_sheriff_shot_this_night_still_checks(a_vote):
    play = a_vote(()).night(shots={8: [7], 9: [7], 10: [7]}, sheriff={7: [9]})
    assert play.told(ev.Checked) == [ev.Checked(7, 9, True)]


def test_5_11_the_third_foul_before_the_own_speech_costs_tomorrows(a_dealt_game):
    play = a_dealt_game().until(Phase.SPEECH)
    speaker, later = play.state.order[0], play.state.order[5]
    for _ in range(3):
        play.act(do.Shout(later), do.Expire(play.state.last_countdown + 1))
    assert play.state.floor == speaker
    play.speeches()
    assert ev.SpeechBegan(later, silent=False) in play.events
    play.night()
    play.until(Phase.SPEECH)
    assert play.state.silenced == (later,)
    play.speeches().night()
    play.until(Phase.SPEECH)
    assert play.state.silenced == ()


def test_5_11_in_the_morning_farewell_it_costs_that_days_and_the_fourth_nothing(a_vote):
    play = a_vote((), day=2).night(shots={8: [1], 9: [1], 10: [1]})
    play.expire(CountdownKind.MORNING)
    assert (play.state.day, play.state.phase) == (3, Phase.FAREWELL)
    for _ in range(3):
        play.act(do.Shout(5), do.Expire(play.state.last_countdown + 1))
    play.farewell()
    assert play.state.silenced == (5,)
    play.act(do.Shout(5))
    play.speeches().night()
    play.until(Phase.SPEECH)
    assert (play.state.fouls[4], play.state.silenced) == (4, ())


def test_5_12_a_town_player_is_disqualified_by_day_at_four_to_three(a_vote):
    play = a_vote((1, 8), without=(4, 5, 6)).until(Phase.BALLOT)
    play.act(do.Rule(OUT, 2, Offence.THREATS))
    assert (left(play), play.state.phase) == ((3, 3), Phase.OVER)
    assert play.state.decided is Winner.MAFIA


def test_5_13_a_self_shot_in_the_first_night_uses_up_tier_a(a_dealt_game):
    play = a_dealt_game().speeches()
    play.night(shots={8: [8], 9: [8], 10: [8]})
    play.expire(CountdownKind.MORNING)
    play.farewell(best_move=(1, 2, 3))
    play.speeches().night(shots={9: [1], 10: [1]})
    play.expire(CountdownKind.MORNING)
    play.farewell(best_move=(8, 9, 10))
    play.act(do.Withdraw(9), do.Withdraw(10))
    items = score(play.state.ruleset, play.state.course)
    rows = {seat: [item.row for item in earned] for seat, earned in items.items()}
    assert Row.BEST_MOVE_B in rows[1]
    assert not any(Row.BEST_MOVE_A in earned for earned in rows.values())


def test_5_14_two_technical_fouls_cost_the_disqualification_alone(a_dealt_game):
    play = a_dealt_game().until(Phase.SPEECH)
    for offence in (Offence.INSULTS, Offence.BETS):
        play.act(do.Rule(Sanction.TECHNICAL_FOUL, 3, offence))
    play.act(do.Withdraw(8), do.Withdraw(9), do.Withdraw(10))
    earned = score(play.state.ruleset, play.state.course)[3]
    assert sorted(item.classic for item in earned) == [-50, 100]


def test_5_15_the_first_seat_in_order_is_the_pointer_also_when_it_is_out(a_dealt_game):
    play = a_dealt_game().until(Phase.SPEECH)
    assert play.state.order[0] == 1
    play.act(do.EndFloor(1), do.EndFloor(2), do.Rule(OUT, 1, Offence.THREATS))
    play.speeches().night()
    play.until(Phase.SPEECH)
    assert play.state.order == (2, 3, 4, 5, 6, 7, 8, 9, 10)


def test_5_16_three_idle_nights_with_two_idle_days_between(a_dealt_game):
    play = a_dealt_game()
    for _ in range(3):
        play.speeches().night()
    assert (play.state.day, play.state.decided) == (4, None)
    play.expire(CountdownKind.MORNING)
    assert (play.state.phase, play.state.decided) == (Phase.OVER, Winner.DRAW)
    assert play.refusal(do.Pause()) is Refusal.GAME_OVER


@pytest.mark.parametrize(
    ("town", "mafia", "left_"),
    [
        (7, 3, 1),
        (6, 3, 1),
        (6, 2, 1),
        (5, 3, 0),
        (5, 2, 1),
        (7, 2, 2),
        (4, 1, 1),
        (2, 1, 0),
    ],
    ids=lambda n: str(n),
)
def test_5_17_mistakes_left(a_morning, town, mafia, left_):
    assert mistakes_left(town, mafia) == left_
    gone = (*range(1, 8 - town), *range(8, 11 - mafia))
    play = a_morning(without=gone)
    play.expire(CountdownKind.MORNING)
    assert play.state.mistakes_left == left_

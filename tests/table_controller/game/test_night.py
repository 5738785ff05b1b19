"""RULES 1.11: three rounds, presses, shots, checks."""

import pytest

from table_controller.game import NORMAL, TURBO
from table_controller.game import actions as do
from table_controller.game import events as ev
from table_controller.game.model import CheckRecord, CountdownKind, NightRound, Phase, Refusal


@pytest.fixture
def a_night(a_vote):
    """Return nightfall of N2 with these seats gone."""

    def at_nightfall(without=(), **options):
        return a_vote((), without=without, **options)

    return at_nightfall


@pytest.mark.parametrize(
    ("ruleset", "nightfall", "window"),
    [(NORMAL, 10, 2.2), (TURBO, 6, 1.7)],
    ids=["normal", "turbo"],
)
def test_1_11_the_living_numbers_are_called_in_order_in_three_rounds(
    a_night, ruleset, nightfall, window
):
    play = a_night((2, 3, 4, 9), ruleset=ruleset)
    assert play.clock().length_s == nightfall
    told = play.expire(CountdownKind.NIGHTFALL)
    for serial, round_ in enumerate(NightRound, 1):
        assert told[-2:] == (ev.RoundBegan(round_, serial), ev.NumberCalled(round_, 1))
        before = None
        for number in (1, 5, 6, 7, 8, 10):
            assert told[-1] == ev.NumberCalled(round_, number)
            assert play.clock().length_s == 0.3
            told = play.expire(CountdownKind.CALL)
            closed = (ev.WindowClosed(before),) if before else ()
            assert told == (*closed, ev.WindowOpened(number))
            assert play.clock().length_s == pytest.approx(window)
            told = play.expire(CountdownKind.WINDOW)
            before = number
        assert told == ()
        assert play.clock().length_s == 0.3
        told = play.expire(CountdownKind.LAST_WINDOW)
        assert told == (ev.WindowClosed(10), ev.RoundCalled(round_))
        assert play.clock().length_s == 1
        told = play.expire(CountdownKind.GATHER)
    assert told == (ev.MorningCame(3),)


def test_1_11_all_three_rounds_are_held_without_don_and_sheriff(a_night):
    play = a_night((7, 10)).night()
    assert [event.round for event in play.told(ev.RoundBegan)] == list(NightRound)
    assert play.told(ev.Checked) == []


def test_1_11_a_press_counts_for_a_number_called_in_this_round(a_night):
    play = a_night((9,)).until(Phase.CALLING)
    assert play.refusal(do.PressAtNight(1, 1)) is Refusal.NOT_CALLED
    play.expire(CountdownKind.CALL)
    assert play.act(do.PressAtNight(1, 1)) == (ev.NightPressed(1, 1),)
    assert play.refusal(do.PressAtNight(1, 2)) is Refusal.NOT_CALLED
    assert play.refusal(do.PressAtNight(9, 1)) is Refusal.NOT_LIVING
    play.expire(CountdownKind.WINDOW)
    play.act(do.PressAtNight(2, 1))
    assert play.refusal(do.PressAtNight(2, 2)) is Refusal.NOT_CALLED
    play.until(Phase.GATHERING)
    play.act(do.PressAtNight(3, 10))
    assert play.refusal(do.PressAtNight(3, 9)) is Refusal.NOT_CALLED
    play.expire(CountdownKind.GATHER)
    assert play.refusal(do.PressAtNight(3, 1)) is Refusal.NOT_CALLED


@pytest.mark.parametrize(
    ("without", "shots", "hit"),
    [
        ((), {8: [1], 9: [1], 10: [1]}, 1),
        ((), {8: [1], 9: [1], 10: [2]}, None),
        ((), {8: [1], 9: [1]}, None),
        ((), {8: [1, 1], 9: [1], 10: [1]}, 1),
        ((), {8: [1, 2], 9: [1], 10: [1]}, None),
        ((), {8: [1, 2, 1], 9: [1], 10: [1]}, None),
        ((), {}, None),
        ((), {8: [8], 9: [8], 10: [8]}, 8),
        ((), {8: [10], 9: [10], 10: [10]}, 10),
        ((), {1: [2], 2: [2], 7: [2]}, None),
        ((), {8: [1], 9: [1], 10: [1], 2: [3], 1: [4, 5]}, 1),
        ((9,), {8: [1], 10: [1]}, 1),
        ((8, 9), {10: [1]}, 1),
        ((8, 9), {}, None),
        ((8, 10), {9: [7]}, 7),
    ],
    ids=[
        "all three",
        "one differs",
        "one without",
        "the same twice is one",
        "two numbers are none",
        "three presses of two numbers",
        "nobody",
        "self-shot",
        "self-shot at the don",
        "town only: cover",
        "cover changes nothing",
        "5.8 the third is out",
        "5.8 one alive",
        "5.8 one alive, no press",
        "without a don",
    ],
)
def test_1_11_5_8_shots_of_all_living_mafia_at_one_seat_are_a_hit(a_night, without, shots, hit):
    play = a_night(without).round(shots, NightRound.SHOTS)
    fixed = play.told(ev.ShotsFixed)[0]
    assert fixed.hit == hit
    assert [seat for seat, _ in fixed.shots] == [s for s in (8, 9, 10) if s not in without]
    assert play.state.nights[-1].hit == hit


def test_1_11_the_shots_name_each_target_or_none(a_night):
    play = a_night().round({8: [1, 2], 9: [3]}, NightRound.SHOTS)
    assert play.told(ev.ShotsFixed) == [ev.ShotsFixed(((8, None), (9, 3), (10, None)), None)]


@pytest.mark.parametrize(
    ("don", "check"),
    [
        ([7], CheckRecord(10, 7, True)),
        ([8], CheckRecord(10, 8, False)),
        ([1], CheckRecord(10, 1, False)),
        ([3, 7], CheckRecord(10, 3, False)),
        ([7, 10], CheckRecord(10, 7, True)),
        ([], None),
        ([10], None),
    ],
    ids=["sheriff", "mafia", "citizen", "first counts", "own later", "none", "own is none"],
)
def test_1_11_the_don_asks_for_the_sheriff(a_night, don, check):
    play = a_night().night(don={10: don, 1: [7]})
    assert play.state.nights[-1].checks == (() if check is None else (check,))
    assert play.told(ev.Checked) == (
        [] if check is None else [ev.Checked(check.seat, check.target, check.positive)]
    )


@pytest.mark.parametrize(
    ("sheriff", "check"),
    [
        ([8], CheckRecord(7, 8, True)),
        ([10], CheckRecord(7, 10, True)),
        ([1], CheckRecord(7, 1, False)),
        ([1, 8], CheckRecord(7, 1, False)),
        ([7, 8], None),
        ([], None),
    ],
    ids=["mafia", "the don", "town", "first counts", "own first is none", "none"],
)
def test_1_11_the_sheriff_asks_for_mafia(a_night, sheriff, check):
    play = a_night().night(sheriff={7: sheriff, 2: [8]})
    assert play.state.nights[-1].checks == (() if check is None else (check,))


def test_1_11_checks_can_be_repeated(a_night):
    play = a_night().night(sheriff={7: [8]})
    play.speeches().night(sheriff={7: [8]})
    assert [night.checks for night in play.state.nights[-2:]] == [(CheckRecord(7, 8, True),)] * 2


def test_1_11_each_round_hears_its_own_presses_only(a_night):
    play = a_night().night(shots={7: [8], 10: [7]})
    assert play.state.nights[-1].checks == ()


def test_1_11_5_10_who_is_shot_tonight_still_checks_and_reads_the_answer(a_night, views):
    play = a_night().night(shots={8: [7], 9: [7], 10: [7]}, don={10: [7]}, sheriff={7: [9]})
    assert play.state.nights[-1].checks == (CheckRecord(10, 7, True), CheckRecord(7, 9, True))
    card = views.seat_view(play.state, 7).card
    assert [(fact.night, fact.target, fact.positive) for fact in card.facts] == [(2, 9, True)]
    assert views.seat_view(play.state, 7).card_open
    play.until(Phase.FAREWELL)
    assert play.state.floor == 7


def test_1_11_nightfall_ends_what_the_day_had(a_morning, views):
    play = a_morning(fouls=(0, 0, 0, 3, 0, 0, 0, 0, 0, 0))
    play.until(Phase.SPEECH)
    assert views.public_view(play.state).seats[3].silenced
    play.speeches({1: 5, 4: 6})
    play.ballot({5: (1, 2, 3, 4, 5, 6, 7)})
    play.farewell()
    assert play.state.phase is Phase.NIGHTFALL
    view = views.public_view(play.state)
    assert not any(seat.silenced for seat in view.seats)
    assert (view.nominees, view.floor) == ((), 0)
    play.night()
    # What somebody nominated yesterday can no longer be changed.
    for nominee in (2, None):
        assert play.refusal(do.CorrectNomination(1, nominee)) is Refusal.WRONG_PHASE

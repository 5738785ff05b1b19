"""RULES 1.15, 2.4, 2.7 and 4: every row of the table of points, from events made by hand."""

import pytest
from msgspec.structs import replace

from table_controller.game import NORMAL, Cause, Role, Team, Winner
from table_controller.game import events as ev
from table_controller.game.events import BallotKind
from table_controller.game.model import Offence
from table_controller.game.scoring import Item, Row, ci, decisive_votes, score, totals

ROLES = (Role.CITIZEN,) * 6 + (Role.SHERIFF, Role.MAFIA, Role.MAFIA, Role.DON)
"""1-6 citizens, 7 sheriff, 8 and 9 mafia, 10 don."""

TOWN_WINS = (100, 135)
START = (ev.RolesDealt(ROLES), ev.NightFell(0), ev.MorningCame(1))


def ballot(votes, top, *, automatic=(), kind=BallotKind.VOTE, day=1, candidates=None, living=10):
    """Return a closed ballot; *votes* are seats by candidate."""
    pairs = sorted((seat, against) for against, seats in votes.items() for seat in seats)
    candidates = tuple(votes) if candidates is None else candidates
    return ev.BallotClosed(kind, day, candidates, tuple(pairs), automatic, top, living)


def lift(candidates, yes, *, passed, living=10):
    top = candidates if passed else ()
    return ballot({0: yes}, top, kind=BallotKind.LIFT, candidates=candidates, living=living)


def ended(*events, winner=Winner.TOWN):
    return (*START, *events, ev.GameDecided(winner), ev.GameEnded(winner))


def items_of(seat, *events, winner=Winner.TOWN, rules=NORMAL):
    """Return the items of *seat* but for the game's result."""
    items = score(rules, ended(*events, winner=winner))[seat]
    assert items[-1].row in (Row.WIN, Row.LOSS, Row.DRAW)
    return items[:-1]


def amounts(seat, *events, **how):
    return [(item.classic, item.max) for item in items_of(seat, *events, **how)]


# ---- the result ----


@pytest.mark.parametrize(
    ("winner", "town", "mafia"),
    [
        (Winner.TOWN, (Row.WIN, 100, 135), (Row.LOSS, 0, 0)),
        (Winner.MAFIA, (Row.LOSS, 0, 0), (Row.WIN, 100, 85)),
        (Winner.DRAW, (Row.DRAW, 0, 0), (Row.DRAW, 0, 0)),
    ],
)
def test_4_a_win_a_loss_and_a_draw(winner, town, mafia):
    items = score(NORMAL, ended(winner=winner))
    assert sorted(items) == list(range(1, 11))
    for seat in range(1, 11):
        row, classic, most = town if seat <= 7 else mafia
        assert items[seat] == (Item("end", row, None, False, False, classic, most),)


def test_4_nothing_is_scored_before_the_game_is_over():
    assert score(NORMAL, START) == {}
    assert score(NORMAL, (*START, ev.GameDecided(Winner.TOWN))) == {}
    assert totals({}) == {}


def test_1_16_a_void_game_gives_no_points():
    assert score(NORMAL, (*START, ev.GameVoided())) == {}


def test_totals_are_the_sums_of_the_items():
    votes = ballot({8: (1, 2, 3, 4, 5, 6, 7), 1: (8, 9, 10)}, (8,))
    items = score(NORMAL, ended(votes, ev.VoteSettled(1, (8,))))
    assert totals(items)[1] == (110, 150)
    assert totals(items)[9] == (10, 10)


# ---- votes ----


def vote_of(seat, target, *, decisive, automatic=False):
    """Return the amounts for one vote of *seat* against *target*, who leaves by 5:4:1 or 7:3."""
    others = [voter for voter in range(1, 11) if voter != seat]
    sizes = (4, 4, 1) if decisive else (6, 3, 0)
    parts = iter(others)
    target_votes, *rest = ([next(parts) for _ in range(size)] for size in sizes)
    votes = {target: (seat, *target_votes), 5: rest[0], 6: rest[1]}
    closed = ballot(votes, (target,), automatic=(seat,) if automatic else ())
    (item,) = items_of(seat, closed, ev.VoteSettled(1, (target,)))
    assert (item.when, item.target, item.decisive) == ("D1", target, decisive)
    assert item.automatic is automatic
    return item.classic, item.max


VOTES = [
    ("town against mafia", 1, 8, (10, 15), (20, 30)),
    ("town against the don", 1, 10, (10, 15), (20, 30)),
    ("the sheriff against mafia", 7, 9, (10, 15), (20, 30)),
    ("town against a citizen", 1, 2, (-5, -5), (-15, -15)),
    ("the sheriff against a citizen", 7, 2, (-5, -5), (-15, -15)),
    ("town against the sheriff", 1, 7, (-10, -10), (-20, -20)),
    ("mafia against a citizen", 8, 2, (10, 10), (20, 20)),
    ("the don against the sheriff", 10, 7, (10, 10), (20, 20)),
    ("mafia against mafia", 8, 9, (-5, -10), (-10, -20)),
    ("mafia against the don", 8, 10, (-5, -10), (-10, -20)),
]


@pytest.mark.parametrize(("seat", "target", "plain", "decisive"), [row[1:] for row in VOTES],
                         ids=[row[0] for row in VOTES])  # fmt: skip
def test_4_a_vote(seat, target, plain, decisive):
    assert vote_of(seat, target, decisive=False) == plain
    assert vote_of(seat, target, decisive=True) == decisive


@pytest.mark.parametrize(("seat", "target", "plain", "decisive"), [row[1:] for row in VOTES],
                         ids=[row[0] for row in VOTES])  # fmt: skip
def test_4_an_automatic_vote_can_only_cost(seat, target, plain, decisive):
    for name, row in (("plain", plain), ("decisive", decisive)):
        cost = tuple(min(0, amount) for amount in row)
        assert vote_of(seat, target, decisive=name == "decisive", automatic=True) == cost


def test_4_a_self_vote_gives_nothing():
    votes = ballot({8: (1, 2, 3, 4, 5, 6, 8), 1: (7, 9, 10)}, (8,))
    assert items_of(8, votes, ev.VoteSettled(1, (8,))) == ()


def test_4_a_vote_against_who_stays_scores_as_ordinary():
    votes = ballot({8: (1, 2, 3, 4, 5), 1: (6, 7, 8, 9), 2: (10,)}, (8,))
    settled = ev.VoteSettled(1, (8,))
    assert amounts(1, votes, settled) == [(20, 30)]
    assert amounts(6, votes, settled) == [(-5, -5)]
    assert amounts(10, votes, settled) == [(10, 10)]


def test_4_of_a_days_votes_only_the_last_ballot_scores():
    first = ballot({8: (1, 2, 3, 4, 5), 1: (6, 7, 8, 9, 10)}, (8, 1))
    revote = ballot({8: (1, 2, 3, 4, 5, 6), 1: (7, 8, 9, 10)}, (8,), kind=BallotKind.REVOTE)
    assert amounts(7, first, revote, ev.VoteSettled(1, (8,))) == [(-5, -5)]
    assert amounts(6, first, revote, ev.VoteSettled(1, (8,))) == [(10, 15)]


def test_4_a_last_ballot_that_stays_tied_scores_ordinary_rows():
    tie = {8: (1, 2), 1: (8, 10)}
    first = ballot(tie, (8, 1), living=4)
    again = ballot(tie, (8, 1), living=4, kind=BallotKind.REVOTE)
    assert amounts(2, first, again, ev.VoteSettled(1, ())) == [(10, 15)]
    assert amounts(10, first, again, ev.VoteSettled(1, ())) == [(10, 10)]


def test_4_a_vote_cut_by_the_end_of_the_game_scores_nothing():
    first = ballot({8: (1, 2, 3, 4, 5), 1: (6, 7, 8, 9, 10)}, (8, 1))
    assert items_of(6, first) == ()


def test_2_4_a_dropped_vote_scores_nothing():
    first = ballot({8: (1, 2, 3, 4, 5), 1: (6, 7, 8, 9, 10)}, (8, 1))
    night = (ev.NightFell(1), ev.MorningCame(2))
    assert items_of(6, first, ev.VoteDropped(1), *night, ev.VoteSettled(2, ())) == ()


def test_2_4_a_vote_dropped_for_tomorrow_leaves_that_of_today():
    votes = ballot({8: (1, 2, 3, 4, 5, 6), 1: (7, 8, 9, 10)}, (8,))
    events = (votes, ev.VoteSettled(1, (8,)), ev.VoteDropped(2), ev.NightFell(1))
    assert amounts(1, *events, ev.MorningCame(2)) == [(10, 15)]


def test_4_a_single_nominee_gives_no_item_nor_an_older_ballot_again():
    votes = ballot({8: (1, 2, 3, 4, 5), 1: (6, 7, 8, 9, 10)}, (8, 1))
    nobody = (votes, ev.VoteSettled(1, ()), ev.NightFell(1), ev.MorningCame(2))
    assert amounts(6, *nobody, ev.VoteSettled(2, (8,), single=True)) == [(-5, -5)]


# ---- lifts ----


def test_4_a_yes_is_the_sum_over_all_lifted_but_oneself():
    passed = (lift((2, 8, 7), (1, 2, 3, 8, 9, 10, 4), passed=True), ev.VoteSettled(1, (2, 8, 7)))
    assert amounts(1, *passed) == [(-5, -5), (10, 15), (-10, -10)]
    assert amounts(2, *passed) == [(10, 15), (-10, -10)]
    assert amounts(9, *passed) == [(10, 10), (-5, -10), (10, 10)]
    assert amounts(8, *passed) == [(10, 10), (10, 10)]


def test_4_a_yes_without_which_the_lift_fails_is_decisive():
    passed = (lift((2, 8), (1, 2, 3, 4, 9, 10), passed=True), ev.VoteSettled(1, (2, 8)))
    assert amounts(1, *passed) == [(-15, -15), (20, 30)]
    assert amounts(9, *passed) == [(20, 20), (-10, -20)]


def test_4_a_yes_in_a_lift_that_fails_is_ordinary_and_a_no_gives_nothing():
    failed = (lift((2, 8), (1, 2, 3, 4, 9), passed=False), ev.VoteSettled(1, ()))
    assert amounts(1, *failed) == [(-5, -5), (10, 15)]
    assert items_of(10, *failed) == ()


def test_4_the_lift_is_the_last_ballot():
    tie = ballot({8: (1, 2, 3, 4, 5), 1: (6, 7, 8, 9, 10)}, (8, 1))
    failed = (tie, tie, lift((8, 1), (2,), passed=False), ev.VoteSettled(1, ()))
    assert items_of(6, *failed) == ()
    assert amounts(2, *failed) == [(10, 15), (-5, -5)]


@pytest.mark.parametrize(
    ("living", "yes", "decisive"),
    [(10, 6, 6), (10, 7, 0), (9, 5, 5), (8, 5, 5), (6, 4, 4), (4, 3, 3)],
)
def test_1_15_who_is_decisive_in_a_lift(living, yes, decisive):
    closed = lift((1, 2), tuple(range(1, yes + 1)), passed=True, living=living)
    assert len(decisive_votes(closed)) == decisive


@pytest.mark.parametrize(
    ("sizes", "decisive"),
    [((5, 3), 0), ((4, 3), 4), ((4, 3, 2), 4), ((5, 5), 0), ((4, 2, 2), 0), ((2, 1), 2)],
    ids=["5:3", "4:3", "4:3:2", "5:5", "4:2:2", "2:1"],
)
def test_5_7_decisive_votes(sizes, decisive):
    voters = iter(range(1, 11))
    votes = {against: tuple(next(voters) for _ in range(size))
             for against, size in zip((8, 9, 10), sizes, strict=False)}  # fmt: skip
    most = max(sizes)
    top = tuple(against for against, seats in votes.items() if len(seats) == most)
    found = decisive_votes(ballot(votes, top))
    assert found == (votes[8] if decisive else ())
    assert len(found) == decisive


# ---- best move ----


def shot_in_n1(seat, *before):
    """Return the events up to the farewell of *seat*, shot in the first night."""
    night = (ev.NightFell(1), ev.ShotsFixed(((8, seat), (9, seat), (10, seat)), seat))
    dawn = (ev.MorningCame(2), ev.ShotAnnounced(seat), ev.SeatLeft(seat, Cause.SHOT))
    return (*before, *night, *dawn)


@pytest.mark.parametrize(
    ("suspects", "a", "b"),
    [
        ((), [], []),
        ((1, 2, 3), [], []),
        ((1, 8, 3), [(15, 20)], [(5, 10)]),
        ((8, 10, 3), [(40, 50)], [(15, 20)]),
        ((8, 10, 9), [(65, 80)], [(30, 40)]),
    ],
)
def test_4_best_move(suspects, a, b):
    given = ev.BestMoveGiven(4, suspects)
    assert amounts(4, *shot_in_n1(4), given) == a
    voted = (ev.VoteSettled(1, (4,)), ev.SeatLeft(4, Cause.VOTE))
    assert amounts(4, *voted, given) == b
    for cause in (Cause.LIFT, Cause.SINGLE):
        assert amounts(4, ev.SeatLeft(4, cause), given) == b


def test_4_tier_a_allows_one_seat_gone_before_that_dawn():
    one = (ev.SeatLeft(1, Cause.DISQUALIFIED),)
    given = ev.BestMoveGiven(4, (8,))
    (item,) = items_of(4, *shot_in_n1(4, *one), given)
    assert item == Item("D2", Row.BEST_MOVE_A, None, False, False, 15, 20)
    two = (ev.SeatLeft(1, Cause.LIFT), ev.SeatLeft(2, Cause.LIFT))
    (item,) = items_of(4, *shot_in_n1(4, *two), given)
    assert item == Item("D2", Row.BEST_MOVE_B, None, False, False, 5, 10)


def test_4_who_leaves_at_that_dawn_after_the_shot_does_not_count_for_tier_a():
    one = (ev.SeatLeft(1, Cause.VOTE),)
    ruled = ev.SeatLeft(2, Cause.DISQUALIFIED)
    events = (*shot_in_n1(4, *one), ruled, ev.BestMoveGiven(4, (8,)))
    assert amounts(4, *events) == [(15, 20)]


def test_4_a_shot_in_a_later_night_is_tier_b():
    missed = (ev.NightFell(1), ev.ShotsFixed(((8, None), (9, None), (10, None)), None))
    second = (ev.MorningCame(2), ev.NightFell(2), ev.ShotsFixed(((8, 4), (9, 4), (10, 4)), 4))
    events = (*missed, *second, ev.MorningCame(3), ev.SeatLeft(4, Cause.SHOT))
    assert amounts(4, *events, ev.BestMoveGiven(4, (8, 9))) == [(15, 20)]


def test_5_13_a_self_shot_in_n1_uses_up_tier_a_and_mafia_score_no_best_move():
    events = (*shot_in_n1(9), ev.BestMoveGiven(9, (8, 10)))
    assert items_of(9, *events) == ()
    voted = (ev.SeatLeft(4, Cause.VOTE), ev.BestMoveGiven(4, (8,)))
    assert amounts(4, *events, *voted) == [(5, 10)]


# ---- the night ----


def checks(*by_night):
    """Return nights with these checks, night 1 first; nobody is shot."""
    for night, seats in enumerate(by_night, 1):
        yield ev.NightFell(night)
        for seat, target, positive in seats:
            yield ev.Checked(seat, target, positive)
        yield ev.MorningCame(night + 1)


def test_4_the_sheriff_finds_mafia_in_the_first_two_nights():
    found = [(7, 8, True)], [(7, 10, True)], [(7, 9, True)]
    assert items_of(7, *checks(*found)) == (
        Item("N1", Row.SHERIFF_FINDS, 8, False, False, 15, 20),
        Item("N2", Row.SHERIFF_FINDS, 10, False, False, 5, 10),
    )


def test_4_a_check_that_finds_nobody_or_somebody_again_gives_nothing():
    assert items_of(7, *checks([(7, 1, False)], [(7, 2, False)])) == ()
    assert amounts(7, *checks([(7, 8, True)], [(7, 8, True)])) == [(15, 20)]


def test_4_the_don_finds_the_sheriff():
    assert items_of(10, *checks([(10, 7, True)], [(10, 7, True)])) == (
        Item("N1", Row.DON_FINDS, 7, False, False, 10, 10),
    )
    assert amounts(10, *checks([(10, 1, False)], [(10, 7, True)])) == [(5, 5)]
    assert items_of(10, *checks([], [], [(10, 7, True)])) == ()


def test_4_the_sheriff_shot_in_n1_pays_the_don_who_lived_when_the_shots_were_fixed():
    assert items_of(10, *shot_in_n1(7)) == (Item("N1", Row.SHERIFF_SHOT, 7, False, False, 15, 15),)
    assert items_of(8, *shot_in_n1(7)) == ()
    gone = (ev.NightFell(1), ev.ShotsFixed(((8, 7), (9, 7)), 7))
    assert items_of(10, *gone) == ()
    assert items_of(10, *shot_in_n1(4)) == ()


def test_4_the_sheriff_shot_in_n2_pays_nobody():
    assert items_of(10, ev.NightFell(2), ev.ShotsFixed(((8, 7), (10, 7)), 7)) == ()


@pytest.mark.parametrize(
    ("targets", "missed"),
    [
        ((4, 4, 5), (10,)),
        ((4, None, 4), (9,)),
        ((4, 5, 6), (8, 9, 10)),
        ((None, None, None), (8, 9, 10)),
        ((None, 4, None), (8, 10)),
        ((None, 4, 5), (8, 9, 10)),
    ],
)
def test_4_a_miss_costs_who_shot_elsewhere_than_most(targets, missed):
    shots = tuple(zip((8, 9, 10), targets, strict=True))
    events = (ev.NightFell(2), ev.ShotsFixed(shots, None))
    for seat in range(1, 11):
        miss = Item("N2", Row.MISS, None, False, False, -10, -20)
        assert items_of(seat, *events) == ((miss,) if seat in missed else ())


def test_4_a_miss_of_the_last_mafioso_is_its_own():
    assert amounts(9, ev.NightFell(3), ev.ShotsFixed(((9, None),), None)) == [(-10, -20)]


def test_4_a_self_shot_gives_nothing():
    for seat in (8, 9, 10):
        assert items_of(seat, *shot_in_n1(9)) == ()


# ---- fair play ----


def technical(seat, count=1, *, after=False):
    return ev.TechnicalFoulGiven(seat, count, Offence.INSULTS, True, after)


def disqualified(seat, *, second=False, after=False):
    return ev.Disqualified(seat, Offence.THREATS, True, second, after)


@pytest.mark.parametrize("seat", [1, 8])
def test_4_a_technical_foul_costs_both_teams_the_same(seat):
    assert items_of(seat, technical(seat)) == (
        Item("D1", Row.TECHNICAL_FOUL, None, False, False, -10, -10),
    )


@pytest.mark.parametrize("seat", [1, 8])
def test_4_a_disqualification_costs_both_teams_the_same_and_the_result_stays(seat):
    events = (disqualified(seat), ev.SeatLeft(seat, Cause.DISQUALIFIED))
    assert amounts(seat, *events) == [(-50, -50)]
    win = score(NORMAL, ended(*events))[1][-1]
    assert (win.row, win.classic, win.max) == (Row.WIN, *TOWN_WINS)


def test_5_14_two_technical_fouls_cost_the_disqualification_only():
    events = (technical(1), technical(1, 2), disqualified(1, second=True))
    assert amounts(1, *events) == [(-50, -50)]


def test_4_a_technical_foul_is_dropped_by_a_disqualification_for_another_reason():
    votes = ballot({8: (1, 2, 3, 4, 5, 6), 2: (7, 8, 9, 10)}, (8,))
    events = (technical(1), votes, ev.VoteSettled(1, (8,)), disqualified(1))
    assert amounts(1, *events) == [(10, 15), (-50, -50)]


def test_2_4_a_withdrawn_seat_keeps_its_technical_foul_and_pays_no_more():
    events = (technical(1), ev.Withdrawn(1), ev.SeatLeft(1, Cause.WITHDRAWN))
    assert amounts(1, *events) == [(-10, -10)]


def test_2_7_what_comes_after_the_decision_costs_nothing():
    before = (*START, technical(1), ev.GameDecided(Winner.TOWN))
    late = (technical(2, after=True), technical(1, 2, after=True),
            disqualified(1, second=True, after=True), ev.GameEnded(Winner.TOWN))  # fmt: skip
    items = score(NORMAL, (*before, *late))
    assert totals(items)[1] == (90, 125)
    assert totals(items)[2] == TOWN_WINS


# ---- Opponent Victory ----


def test_4_the_culprit_of_an_opponent_victory_keeps_nothing_else():
    votes = ballot({8: (1, 2, 3, 4, 5, 6, 7), 1: (8, 9, 10)}, (8,))
    events = (
        votes,
        ev.VoteSettled(1, (8,)),
        technical(1),
        technical(2),
        ev.SeatLeft(8, Cause.VOTE),
    )
    items = score(
        NORMAL, ended(*events, ev.OpponentVictoryGiven(1, Team.TOWN), winner=Winner.MAFIA)
    )
    assert items[1] == (Item("D1", Row.OPPONENT_VICTORY, None, False, False, -70, -70),)
    assert totals(items)[2] == (0, 5)
    assert totals(items)[3] == (10, 15)
    assert totals(items)[9] == (110, 95)


def test_4_a_disqualified_culprit_pays_the_flat_row_only():
    events = (disqualified(8), ev.SeatLeft(8, Cause.DISQUALIFIED))
    given = ev.OpponentVictoryGiven(8, Team.MAFIA)
    items = score(NORMAL, ended(*events, given))
    assert totals(items)[8] == (-70, -70)
    assert totals(items)[9] == (0, 0)
    assert totals(items)[1] == TOWN_WINS


def test_2_7_an_opponent_victory_after_the_decision_changes_nothing():
    late = ev.OpponentVictoryGiven(1, Team.TOWN, after_decision=True)
    events = (*START, ev.GameDecided(Winner.TOWN), late, ev.GameEnded(Winner.TOWN))
    assert totals(score(NORMAL, events))[1] == TOWN_WINS


# ---- the ruleset, the season ----


def test_the_amounts_are_the_rulesets():
    points = replace(NORMAL.points, miss=(-1, -2), best_move_b2=(7, 8), draw=(50, 60))
    rules = replace(NORMAL, points=points)
    missed = (ev.NightFell(3), ev.ShotsFixed(((9, None),), None))
    assert amounts(9, *missed, rules=rules) == [(-1, -2)]
    voted = (ev.SeatLeft(4, Cause.VOTE), ev.BestMoveGiven(4, (8, 9)))
    assert amounts(4, *voted, rules=rules) == [(7, 8)]
    drawn = score(rules, ended(winner=Winner.DRAW))
    assert set(totals(drawn).values()) == {(50, 60)}


@pytest.mark.parametrize(
    ("first_shots", "games", "hundredths"),
    [
        (1, 1, 0),
        (1, 2, 40),
        (1, 3, 40),
        (1, 4, 20),
        (2, 4, 40),
        (3, 4, 40),
        (1, 6, 20),
        (1, 7, 13),
        (2, 7, 27),
        (1, 20, 5),
        (3, 20, 15),
        (1, 40, 3),
        (5, 40, 13),
        (1, 100, 1),
        (0, 50, 0),
    ],
)
def test_4_ci_by_hand(first_shots, games, hundredths):
    # k x 40 / round(0.4 N): 1 of 40 is 2.5 and 5 of 40 is 12.5, both half up.
    assert ci(first_shots, games) == hundredths

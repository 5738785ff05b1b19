"""Ratings counted from the rows of finished games."""

import datetime
import random
import time
from collections import defaultdict
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from table_controller.game import Role, Team
from table_controller.league.ratings import (
    BestMoves,
    Part,
    ci_of_a_game,
    half_up,
    ranks,
    ratings,
)
from table_controller.record.seat_rows import Result, SeatRow

DAY = datetime.date(2026, 9, 1)
ROLES = (
    Role.CITIZEN, Role.MAFIA, Role.CITIZEN, Role.SHERIFF, Role.DON,
    Role.CITIZEN, Role.MAFIA, Role.CITIZEN, Role.CITIZEN, Role.CITIZEN,
)  # fmt: skip


def a_row(player="anna", role=Role.CITIZEN, result=Result.WON, *, day=0, game="", **more):
    return SeatRow(
        game=game or f"g{day}",
        day=DAY + datetime.timedelta(days=day),
        seat=1,
        player=player,
        name=player.title(),
        role=role,
        team=role.team,
        result=result,
        **({"max": 0, "classic": 0} | more),
    )


def one(rows, player="anna", **how):
    return next(line for line in ratings(rows, **how) if line.player == player)


# ---- what is added up ----


def test_a_player_has_games_wins_points_best_moves_and_sanctions():
    rows = [
        a_row(max=185, classic=140, tier="a", hits=2),
        a_row(role=Role.SHERIFF, result=Result.LOST, max=-20, classic=-20, tier="b", hits=0),
        a_row(role=Role.DON, result=Result.DRAWN, max=10, classic=10, technical_fouls=1),
        a_row(role=Role.MAFIA, max=35, classic=50, technical_fouls=2, disqualified=True),
        a_row(role=Role.CITIZEN, result=Result.LOST, max=-70, classic=-70, culprit=True),
    ]
    line = one(rows)
    assert (line.games, line.wins, line.max, line.classic, line.ci) == (5, 2, 140, 110, 0)
    assert line.roles == {
        Role.CITIZEN: Part(2, 1),
        Role.SHERIFF: Part(1, 0),
        Role.MAFIA: Part(1, 1),
        Role.DON: Part(1, 0),
    }
    assert (line.team(Team.TOWN), line.team(Team.MAFIA)) == (Part(3, 1), Part(2, 1))
    assert line.best_moves == BestMoves(none=1, one=0, two=1, three=0)
    assert (line.best_moves.given, line.best_moves.hits) == (2, 2)
    assert (line.technical_fouls, line.disqualifications) == (3, 2)
    assert line.per_game == 28


def test_a_guest_is_in_no_rating_and_no_games_are_an_empty_table():
    assert ratings([a_row("")]) == ()
    assert ratings([]) == ()
    assert ranks([], ()).days == ()


def test_equal_points_share_a_rank_and_the_next_one_is_left_out():
    rows = [a_row(name, max=points) for name, points in zip("dcba", (10, 20, 20, 30), strict=True)]
    found = [(line.player, line.rank) for line in ratings(rows)]
    assert found == [("a", 1), ("b", 2), ("c", 2), ("d", 4)]


def test_who_has_too_few_games_is_left_out_before_ranks_are_given():
    rows = [a_row("a", max=90), *[a_row("b", max=10, day=day) for day in range(3)]]
    assert [(line.player, line.rank) for line in ratings(rows, least=2)] == [("b", 1)]
    assert len(ratings(rows, least=1)) == 2
    assert ratings(rows, least=4) == ()


def test_ranks_are_given_among_those_who_are_asked_for():
    rows = [a_row("a", max=90), a_row("b", max=10), a_row("c", max=50)]
    found = [(line.player, line.rank) for line in ratings(rows, among={"b", "c", "d"})]
    assert found == [("c", 1), ("b", 2)]


def test_a_filter_by_role_adds_up_only_those_games():
    rows = [a_row(max=100), a_row(role=Role.DON, max=7), a_row("boris", max=50)]
    lines = ratings(rows, counts=lambda row: row.role is Role.DON)
    assert [(line.player, line.games, line.max) for line in lines] == [("anna", 1, 7)]


@pytest.mark.parametrize(
    ("number", "by", "whole"), [(5, 2, 3), (-5, 2, -2), (7, 3, 2), (8, 3, 3), (-1, 4, 0), (0, 9, 0)]
)
def test_a_half_goes_up(number, by, whole):
    assert half_up(number, by) == whole


# ---- Ci ----


@pytest.mark.parametrize(
    ("games", "shot", "points"),
    [
        (1, 1, 0),  # round(0.4) is 0
        (2, 1, 40),  # round(0.8) is 1
        (3, 1, 40),  # round(1.2) is 1
        (4, 1, 20),
        (7, 1, 13),  # 0.4 / 3
        (7, 2, 27),  # 0.8 / 3
        (10, 1, 10),
        (10, 4, 40),
        (10, 5, 40),  # never more than 0.4
        (40, 1, 3),  # 0.025, the half goes up
        (40, 5, 13),  # 0.125 does too: 12 would be the even one
        (10, 0, 0),
    ],
)
def test_ci_of_a_game_is_that_of_the_rules(games, shot, points):
    assert ci_of_a_game(shot, games) == points


@given(games=st.integers(1, 300), data=st.data())
def test_ci_is_the_formula_in_whole_numbers(games, data):
    shot = data.draw(st.integers(0, games))
    part = int(Fraction(4, 10) * games + Fraction(1, 2))
    value = min(shot * Fraction(4, 10) / part, Fraction(4, 10)) if part else Fraction(0)
    assert ci_of_a_game(shot, games) == int(value * 100 + Fraction(1, 2))


def test_ci_is_given_for_each_game_lost_after_the_shot_and_goes_by_the_whole_season():
    shot = {"shot_n1": True}
    rows = [
        a_row(result=Result.LOST, max=5, **shot),
        a_row(result=Result.LOST, max=5, **shot, day=1),
        a_row(result=Result.WON, max=100, **shot, day=2),
        a_row(result=Result.DRAWN, **shot, day=3),
        *[a_row(role=Role.DON, day=day) for day in range(4, 20)],
    ]
    # 20 games, shot in 4: 4 x 0.4 / 8 = 0.20 for each of the two lost ones.
    assert one(rows, ci=True).ci == 40
    assert (one(rows, ci=True).points, one(rows, ci=True).points_classic) == (150, 40)
    assert one(rows).ci == 0
    # One more game and a later table has another value for the old ones: 0.4 x 21 is 8 yet.
    assert one([*rows, a_row(day=30, **shot)], ci=True).ci == 2 * 25
    # As don none is due, and the games as don still count in the formula.
    town = one(rows, ci=True, counts=lambda row: row.team is Team.TOWN)
    assert (town.games, town.ci) == (4, 40)
    assert one(rows, ci=True, counts=lambda row: row.role is Role.DON).ci == 0


# ---- over time ----


def test_ranks_stand_after_each_day_on_which_somebody_played():
    rows = [
        a_row("anna", max=50, day=0),
        a_row("boris", max=40, day=0),
        a_row("clara", max=45, day=7),
        a_row("boris", max=20, day=7, game="second"),
        a_row("anna", max=15, day=7, game="second"),
        a_row("anna", max=-20, day=9),
    ]
    found = ranks(rows, ("anna", "boris", "clara"))
    assert found.days == tuple(DAY + datetime.timedelta(days=day) for day in (0, 7, 9))
    assert found.of == {"anna": (1, 1, 2), "boris": (2, 2, 1), "clara": (None, 3, 2)}


# ---- what holds for every season ----


def a_game(number, seed):
    """Return the rows of a game of ten seats, drawn by *seed*."""
    draw = random.Random(seed)
    people = draw.sample([*"abcdefghijkl", "", "", "", ""], 10)
    lost, shot = draw.choice(list(Team)), draw.randint(0, 10)
    for seat, (player, role) in enumerate(zip(people, ROLES, strict=True), start=1):
        town = role.team is Team.TOWN
        yield a_row(
            player,
            role,
            Result.LOST if role.team is lost else Result.WON,
            day=number // 2,
            game=f"g{number}",
            max=draw.randint(-100, 250),
            classic=draw.randint(-100, 250),
            shot_n1=town and seat == shot,
            tier=draw.choice(["", "a", "b"]) if town else "",
            hits=draw.randint(0, 3),
        )


def rows_of(seeds):
    return [row for number, seed in enumerate(seeds) for row in a_game(number, seed)]


SEEDS = st.lists(st.integers(0, 10**6), max_size=12)


def some_games():
    return SEEDS.map(rows_of)


def players_of(rows):
    return {row.player for row in rows} - {""}


@settings(max_examples=30)
@given(rows=some_games(), data=st.data(), ci=st.booleans())
def test_the_order_of_games_does_not_matter(rows, data, ci):
    mixed = random.Random(data.draw(st.integers())).sample(rows, len(rows))
    assert ratings(mixed, ci=ci) == ratings(rows, ci=ci)
    assert ranks(mixed, players_of(rows), ci=ci) == ranks(rows, players_of(rows), ci=ci)


@settings(max_examples=30)
@given(rows=some_games(), ci=st.booleans())
def test_a_name_taken_away_changes_no_number(rows, ci):
    nameless = [replace(row, name="") if row.player == "a" else row for row in rows]
    assert ratings(nameless, ci=ci) == ratings(rows, ci=ci)


@settings(max_examples=30)
@given(rows=some_games(), ci=st.booleans())
def test_who_becomes_a_guest_changes_nobody_elses_numbers_but_ranks(rows, ci):
    without = [replace(row, player="") if row.player == "a" else row for row in rows]
    before = {line.player: replace(line, rank=0) for line in ratings(rows, ci=ci)}
    before.pop("a", None)
    assert {line.player: replace(line, rank=0) for line in ratings(without, ci=ci)} == before


@settings(max_examples=30)
@given(rows=some_games().filter(bool), data=st.data(), ci=st.booleans())
def test_a_corrected_game_corrects_the_table(rows, data, ci):
    at = data.draw(st.integers(0, len(rows) - 1))
    corrected = [*rows]
    corrected[at] = replace(rows[at], max=rows[at].max + 35, classic=rows[at].classic - 5)
    lines = {line.player: line for line in ratings(corrected, ci=ci)}
    for line in ratings(rows, ci=ci):
        more = 35 if line.player == rows[at].player else 0
        assert lines[line.player].max == line.max + more
        assert lines[line.player].classic == line.classic - (5 if more else 0)
    struck = [row for row in rows if row.game != rows[at].game]
    assert sum(line.games for line in ratings(struck)) == sum(
        1 for row in rows if row.player and row.game != rows[at].game
    )


@settings(max_examples=30)
@given(rows=some_games(), ci=st.booleans())
def test_every_number_is_the_plain_sum_of_the_rows(rows, ci):
    sums = defaultdict(list)
    for row in rows:
        sums[row.player].append(row)
    for line in ratings(rows, ci=ci):
        own = sums[line.player]
        shot = sum(row.shot_n1 for row in own)
        due = sum(row.shot_n1 and row.result is Result.LOST for row in own)
        assert line.games == len(own)
        assert line.wins == sum(row.result is Result.WON for row in own)
        assert line.max == sum(row.max for row in own)
        assert line.ci == (due * ci_of_a_game(shot, len(own)) if ci else 0)
        better = [other for other in ratings(rows, ci=ci) if other.points > line.points]
        assert line.rank == len(better) + 1


@settings(max_examples=30)
@given(rows=some_games(), ci=st.booleans(), least=st.integers(1, 4))
def test_the_last_ranks_over_time_are_those_of_the_table(rows, ci, least):
    table = ratings(rows, ci=ci, least=least)
    course = ranks(rows, [line.player for line in table], ci=ci)
    assert {id_: each[-1] for id_, each in course.of.items()} == {
        line.player: line.rank for line in table
    }


def test_a_season_of_a_thousand_games_is_counted_at_once():
    rows = [row for number in range(1000) for row in a_game(number, number)]
    before = time.process_time()
    table = ratings(rows, ci=True)
    course = ranks(rows, [line.player for line in table], ci=True)
    # 0.05 s on a laptop; a Pi 4 has a fifth of its speed.
    assert time.process_time() - before < 1.0
    assert len(course.days) == 500

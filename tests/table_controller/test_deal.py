import collections
import hashlib
import itertools

import pytest

from table_controller import deal
from table_controller.game import SEATS, Role


def test_the_pack_is_six_citizens_a_sheriff_two_mafia_and_a_don():
    dealt = deal.roles(deal.rehearsal_seed(1))
    assert len(dealt) == len(SEATS)
    assert collections.Counter(dealt) == {
        Role.CITIZEN: 6,
        Role.SHERIFF: 1,
        Role.MAFIA: 2,
        Role.DON: 1,
    }


def test_the_same_seed_deals_the_same_and_another_one_does_not():
    assert deal.roles(deal.rehearsal_seed(7)) == deal.roles(deal.rehearsal_seed(7))
    assert len({deal.roles(deal.rehearsal_seed(number)) for number in range(50)}) > 40


def test_a_stranger_with_sha256_alone_finds_the_same_roles():
    seed = deal.rehearsal_seed(3)
    by_hash = sorted(
        SEATS, key=lambda seat: hashlib.sha256(seed + f"role {seat}".encode()).digest()
    )
    expected = dict(zip(by_hash, deal.PACK, strict=True))
    assert deal.roles(seed) == tuple(expected[seat] for seat in SEATS)


def test_the_commitment_is_the_hash_of_the_seed():
    assert deal.commitment(b"\0" * 32) == hashlib.sha256(b"\0" * 32).hexdigest()


def test_everybody_gets_one_seat_and_not_always_the_same():
    names = tuple("ABCDEFGHIJ")
    seated = [deal.seating(deal.rehearsal_seed(number), names) for number in range(20)]
    assert all(sorted(each) == list(names) for each in seated)
    assert len(set(seated)) > 15


# ---- no seat, no role and no player is preferred ----

GAMES = 20_000
Z = 4.0
"""Standard deviations that chance exceeds once in thirty thousand: these are a dozen tests.
The seeds are fixed, so what is exceeded is so for ever, or never."""


@pytest.fixture(scope="module")
def dealt():
    """For each of many seeds: the role of each seat, and who sits there, seat 1 first."""
    seeds = [deal.rehearsal_seed(number) for number in range(GAMES)]
    return [(deal.roles(seed), deal.seating(seed, "ABCDEFGHIJ")) for seed in seeds]


def surprise(counts, cells, freedom, mean=None):
    """Return how far *counts* are from even ones, 1.0 being the limit of what chance does.

    *cells* is how many there are, *freedom* their degrees of freedom. *mean* is what
    chance makes of the sum when a game counts in several cells that exclude each other.
    Source: Pearson's chi square; Wilson and Hilferty's approximation of its quantiles.
    """
    expected = sum(counts.values()) / cells
    found = sum((count - expected) ** 2 / expected for count in counts.values())
    found += (cells - len(counts)) * expected
    limit = freedom * (1 - 2 / (9 * freedom) + Z * (2 / (9 * freedom)) ** 0.5) ** 3
    return found * freedom / (mean or freedom) / limit


def places(roles, role):
    return tuple(seat for seat, each in zip(SEATS, roles, strict=True) if each is role)


def test_the_measure_finds_a_seat_that_is_preferred_by_a_sixth():
    even = collections.Counter(dict.fromkeys(SEATS, GAMES // 10))
    assert surprise(even, 10, 9) == 0
    assert surprise(even + collections.Counter({3: GAMES // 60}), 10, 9) > 1
    never = collections.Counter(dict.fromkeys(range(9), GAMES // 10))
    assert surprise(never, 10, 9) > 1


@pytest.mark.parametrize("role", [Role.DON, Role.SHERIFF])
def test_each_seat_is_don_and_sheriff_as_often_as_any_other(dealt, role):
    assert surprise(collections.Counter(places(roles, role) for roles, _ in dealt), 10, 9) < 1


def test_each_two_seats_are_the_two_mafia_as_often_as_any_other_two(dealt):
    pairs = collections.Counter(places(roles, Role.MAFIA) for roles, _ in dealt)
    assert surprise(pairs, 45, 44) < 1


def test_where_the_don_is_tells_nothing_of_the_sheriff(dealt):
    pairs = collections.Counter(
        places(roles, Role.DON) + places(roles, Role.SHERIFF) for roles, _ in dealt
    )
    assert surprise(pairs, 90, 89) < 1


def test_each_player_sits_on_each_seat_as_often_as_on_any_other(dealt):
    sat = collections.Counter(
        (seat, name) for _, names in dealt for seat, name in zip(SEATS, names, strict=True)
    )
    # Ten of a hundred cells a game: each has nine tenths of the variance it would have alone.
    assert surprise(sat, 100, 81, mean=90) < 1


@pytest.mark.parametrize("two", ["AB", "AJ", "EF"])
def test_each_two_players_sit_on_each_two_seats_as_often_as_on_any_other(dealt, two):
    pairs = collections.Counter((names.index(two[0]), names.index(two[1])) for _, names in dealt)
    assert surprise(pairs, 90, 89) < 1


def test_no_player_gets_a_role_more_often_and_no_two_the_mafias_three(dealt):
    dons = collections.Counter(names[roles.index(Role.DON)] for roles, names in dealt)
    assert surprise(dons, 10, 9) < 1
    teams = collections.Counter(
        tuple(sorted(names[seat - 1] for seat in places(roles, Role.MAFIA)))
        for roles, names in dealt
    )
    assert surprise(teams, 45, 44) < 1


def test_who_was_don_in_one_game_tells_nothing_of_the_next(dealt):
    dons = [places(roles, Role.DON)[0] for roles, _ in dealt]
    assert surprise(collections.Counter(itertools.pairwise(dons)), 100, 99) < 1


def test_fresh_seeds_are_32_bytes_and_differ():
    seeds = {deal.fresh_seed() for _ in range(10)}
    assert len(seeds) == 10
    assert all(len(seed) == 32 for seed in seeds)

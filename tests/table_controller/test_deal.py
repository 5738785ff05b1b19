import collections
import hashlib

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


def test_each_seat_is_the_don_about_as_often_as_any_other():
    games = 4000
    dons = collections.Counter(
        deal.roles(deal.rehearsal_seed(number)).index(Role.DON) for number in range(games)
    )
    # Chi square with 9 degrees of freedom: 27.9 is exceeded once in a thousand.
    expected = games / 10
    assert sum((dons[index] - expected) ** 2 / expected for index in range(10)) < 27.9


def test_fresh_seeds_are_32_bytes_and_differ():
    seeds = {deal.fresh_seed() for _ in range(10)}
    assert len(seeds) == 10
    assert all(len(seed) == 32 for seed in seeds)

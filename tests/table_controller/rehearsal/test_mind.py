import random

import pytest

from firmware.wire import Icon
from table_controller.rehearsal.mind import NOBODY, SEATS, Mind, numbers

MATES = (2, 5, 7)


@pytest.fixture
def new_mind():
    """Makes minds: a seat, its card, and its mates if it has any."""

    def new(seat, card=Icon.CITIZEN, mates=(), seed=1):
        mind = Mind(seat, random.Random(seed))
        mind.read_card(card, ("", ""), "not")
        mind.read_meeting(mates)
        return mind

    return new


def pressed(mind, round_, living=SEATS):
    """Return the numbers at which *mind* presses in a round."""
    mind.hear(f"round_{round_}", 0)
    found = []
    for number in living:
        mind.hear("number", number)
        if mind.presses_at(number):
            found.append(number)
    return found


@pytest.mark.parametrize("card", [Icon.CITIZEN, Icon.SHERIFF, Icon.MAFIA, Icon.DON])
@pytest.mark.parametrize("round_", ["shots", "don", "sheriff"])
def test_everybody_living_presses_once_in_every_round(new_mind, card, round_):
    mates = MATES if card in (Icon.MAFIA, Icon.DON) else ()
    assert len(pressed(new_mind(5, card, mates), round_)) == 1


def test_who_is_out_presses_no_more(new_mind):
    mind = new_mind(4)
    mind.hear("shot", 4)
    assert pressed(mind, "shots", [seat for seat in SEATS if seat != 4]) == []


def test_a_round_that_is_called_again_is_pressed_again(new_mind):
    mind = new_mind(4)
    first = pressed(mind, "shots")
    mind.hear("number", 1)
    again = [1] if mind.presses_at(1) else []
    for number in SEATS[1:]:
        mind.hear("number", number)
        again += [number] if mind.presses_at(number) else []
    assert (len(first), len(again)) == (1, 1)


def test_the_mafia_shoots_one_townsman_and_the_next_when_that_one_is_gone(new_mind):
    living = list(SEATS)
    team = [
        new_mind(seat, card, MATES, seed=seat)
        for seat, card in zip(MATES, (Icon.MAFIA, Icon.DON, Icon.MAFIA), strict=True)
    ]
    victims = []
    for _ in range(3):
        shots = {tuple(pressed(mind, "shots", living)) for mind in team}
        ((victim,),) = shots
        victims.append(victim)
        living.remove(victim)
        for mind in team:
            mind.hear("shot", victim)
    assert len(set(victims)) == 3
    assert not set(victims) & set(MATES)


def test_checks_do_not_ask_twice_nor_of_mates(new_mind):
    mind = new_mind(5, Icon.DON, MATES)
    asked = []
    for night in range(1, 8):
        (target,) = pressed(mind, "don")
        asked.append(target)
        mind.read_card(Icon.DON, [f"N{night}: {target} not sheriff"], "not")
    assert sorted(asked) == [seat for seat in SEATS if seat not in MATES]


def test_a_sheriff_votes_against_the_mafia_it_has_found(new_mind):
    mind = new_mind(4, Icon.SHERIFF)
    mind.read_card(Icon.SHERIFF, ["N1: 7 mafia", "N2: 3 not mafia"], "not")
    votes = []
    for _ in range(50):
        mind.choose_vote((3, 7))
        votes.append(mind.vote)
    assert votes == [7] * 50


def test_mafia_never_names_its_own(new_mind):
    mind = new_mind(5, Icon.DON, MATES)
    named = {mind.nominee(10) for _ in range(200)}
    suspected = set(mind.suspects(3))
    assert named - {0} <= set(SEATS) - set(MATES)
    assert named > {0}
    assert len(suspected) == 3
    assert not suspected & set(MATES)


def test_a_nominee_is_near_enough_in_the_list_and_not_listed_yet(new_mind):
    mind = new_mind(9)
    mind.hear("nominated", 1)
    assert {mind.nominee(2) for _ in range(200)} - {0} <= {2, 3}
    assert mind.nominee(0) == 0


def test_a_crown_goes_to_somebody_living_or_nobody(new_mind):
    mind = new_mind(9)
    for seat in (1, 2, 3, 4):
        mind.hear("leaves", seat)
    assert {mind.heir() for _ in range(200)} <= {NOBODY, 5, 6, 7, 8, 10}


def test_numbers_are_read_as_a_player_reads_them():
    assert list(numbers(["Mafia: 2 5 10", "N1: 4 не мафия", "—"])) == [2, 5, 10, 1, 4]

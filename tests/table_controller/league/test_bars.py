import datetime

import pytest

from firmware.words import catalogue
from table_controller.game.terms import Offence
from table_controller.league import Barred, Refused

from .conftest import TODAY

GAME = "20261130-200000-aabbccdd"
DAY = datetime.timedelta(days=1)
TEN = ["Anna", "Борис", *(f"Guest {n}" for n in range(8))]


def bar(league, who="Anna", *, last_day=TODAY + 7 * DAY, **more):
    fields = {"reason": "threats", "decided_by": "Olga"} | more
    return league.bars.put(who, TODAY, last_day=last_day, **fields)


@pytest.mark.parametrize(
    ("last_day", "days", "holds"),
    [(0, 0, True), (0, 1, False), (7, 7, True), (7, 8, False), (None, 40_000, True)],
)
def test_a_bar_holds_to_the_end_of_its_last_day(club, last_day, days, holds):
    made = bar(club, last_day=None if last_day is None else TODAY + last_day * DAY)
    found = club.bar_of("anna", TODAY + days * DAY)
    assert found == (made if holds else None)


def test_a_bar_keeps_its_own_player_from_the_table_and_nobody_else(club):
    made = bar(club, "борис", last_day=None)
    assert club.bar_of(made.player, TODAY) == made
    assert club.bar_of("Anna", TODAY) is None
    assert club.bar_of("Nobody Knows", TODAY) is None
    assert club.bars.held(TODAY) == {made.player: made}


def test_of_two_bars_the_longer_one_is_told(club):
    good, short = bar(club, last_day=None), bar(club, last_day=TODAY)
    assert club.bar_of("Anna", TODAY) == good
    club.bars.lift(good.id, by="Olga", why="too much")
    assert club.bar_of("Anna", TODAY) == short
    assert [each.id for each in club.bars.all()] == sorted([good.id, short.id])


def test_a_lifted_bar_is_kept_with_who_lifted_it(club):
    made = bar(club)
    club.bars.lift("ANNA", by="Pjotr", why="a mistake")
    (kept,) = club.bars.all(made.player)
    assert (kept.lifted_by, kept.lifted_why) == ("Pjotr", "a mistake")
    assert club.bar_of("Anna", TODAY) is None
    with pytest.raises(Refused, match="not barred"):
        club.bars.lift("Anna", by="Pjotr", why="")


def test_a_bar_keeps_game_offence_and_who_decided(club):
    made = bar(club, game=GAME, seat=4, offence=Offence.THREATS)
    assert (made.game, made.seat, made.offence) == (GAME, 4, "threats")
    assert (made.reason, made.decided_by, made.first_day) == ("threats", "Olga", TODAY)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"reason": " "}, "reason"),
        ({"decided_by": ""}, "decided_by"),
        ({"last_day": TODAY - DAY}, "last_day"),
        ({"who": "x" * 30}, "name"),
        ({"game": "../../x", "seat": 4}, "game"),
        ({"game": GAME, "seat": 99}, "game"),
        ({"game": GAME}, "game"),
        ({"seat": 4}, "game"),
    ],
)
def test_a_bar_that_lacks_something_is_refused_at_its_field(club, wrong, field):
    with pytest.raises(Refused) as refused:
        bar(club, **wrong)
    assert refused.value.field == field
    assert club.bars.all() == ()


def test_nobody_is_barred_twice_over_for_the_same_game(club):
    made = bar(club, game=GAME, seat=4)
    with pytest.raises(Refused, match="Anna is barred for that game already"):
        bar(club, "ANNA", game=GAME, seat=4)
    assert club.bars.all() == (made,)
    bar(club, "Борис", game=GAME, seat=5)
    bar(club, game="20261130-220000-aabbccdd", seat=4)
    club.bars.lift(made.id, by="Olga", why="the wrong day")
    assert bar(club, game=GAME, seat=4, last_day=None).last_day is None


@pytest.mark.parametrize("alike", ["Ann\u034fa", "Anna\ufe0f", "Аnna", "Annа"])
def test_a_barred_player_does_not_sit_down_under_a_name_that_looks_the_same(club, alike):
    bar(club, last_day=None)
    with pytest.raises(Refused) as refused:
        club.ten_of([alike, *TEN[1:]], TODAY)
    assert refused.value.field == "name"


def test_a_barred_guest_becomes_a_player_and_cannot_come_back_by_that_name(club):
    bar(club, "Xenia", last_day=None)
    assert club.players.get("Xenia").name == "Xenia"
    with pytest.raises(Barred):
        club.ten_of(["XENIA", *TEN[:9]], TODAY)


def test_ten_are_players_by_id_or_name_and_guests(club):
    boris = club.players.get("Борис")
    people = club.ten_of(["aNNa", boris.id, *TEN[2:]], TODAY)
    assert [each.name for each in people] == TEN
    assert [each.guest for each in people] == [False, False, *[True] * 8]


@pytest.mark.parametrize("wanted", [TEN[:9], [*TEN, "Eleven"], [*TEN[:9], "anna"], []])
def test_not_ten_different_people_are_refused(club, wanted):
    with pytest.raises(Refused) as refused:
        club.ten_of(wanted, TODAY)
    assert refused.value.field == "players"


def test_a_barred_player_is_not_seated_and_it_is_said_until_when(club):
    made = bar(club, "Борис")
    with pytest.raises(Barred) as barred:
        club.ten_of(TEN, TODAY)
    assert barred.value.bar == made
    assert [barred.value.said(catalogue(each)) for each in ("en", "de", "ru")] == [
        "Борис is barred until December 7, 2026",
        "Борис ist gesperrt bis 7. Dezember 2026",
        "Борис: отстранение по 7 декабря 2026\u202fг. включительно",
    ]
    assert len(club.ten_of(TEN, TODAY + 8 * DAY)) == 10


def test_the_last_ten_are_told_with_their_bars(club):
    made = bar(club)
    club.players.keep_ten(club.ten_of(TEN, TODAY + 8 * DAY))
    (first, second, *_) = club.last_ten(TODAY)
    assert (first[0].name, first[1]) == ("Anna", made)
    assert (second[0].name, second[1]) == ("Борис", None)

import unicodedata

import pytest

from table_controller.league import Entry, Refused
from table_controller.league.players import Person


def names(players):
    return [each.name for each in players]


@pytest.mark.parametrize(
    ("part", "found"),
    [
        ("ann", ["Anna"]),
        ("БОР", ["Борис"]),
        ("борис", ["Борис"]),
        ("éM", ["Émile"]),
        (unicodedata.normalize("NFD", "ÉM"), ["Émile"]),
        ("алена", ["Алёна"]),
        ("STRASSE", ["Straße"]),
        ("%", ["100%"]),
        ("_", []),
        ("x", []),
    ],
)
def test_a_player_is_found_by_a_part_of_the_name_in_any_case(club, part, found):
    assert names(club.find(part)) == found


def test_a_player_is_found_by_the_nick_too(league):
    league.players.add(Entry("Anna", nick="Лиса"))
    assert names(league.find("лис")) == ["Anna"]


def test_all_are_found_by_nothing_and_stand_by_name(club):
    assert names(club.find()) == ["100%", "Anna", "Straße", "Émile", "Алёна", "Борис"]


@pytest.mark.parametrize("name", ["Anna", "ANNA", " anna ", "алена", "E\u0301MILE", "Ａnna"])
def test_nobody_is_called_as_another_is(club, name):
    with pytest.raises(Refused) as refused:
        club.players.add(Entry(name))
    assert refused.value.field == "name"
    assert len(club.find()) == 6


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        (Entry(""), "name"),
        (Entry("   "), "name"),
        (Entry("a" * 25), "name"),
        (Entry("a\x07b"), "name"),
        (Entry("a\u200bb"), "name"),
        (Entry("Anna", nick="n" * 25), "nick"),
        (Entry("Anna", club="c" * 41), "club"),
    ],
)
def test_what_is_no_name_is_refused_at_its_field(league, entry, field):
    with pytest.raises(Refused) as refused:
        league.players.add(entry)
    assert refused.value.field == field
    assert league.find() == ()


def test_a_name_is_kept_composed_with_single_spaces(league):
    made = league.players.add(Entry("  E\u0301mile \t  Zola "))
    assert made.name == "Émile Zola"
    assert len(made.name) == 10


def test_a_player_renamed_is_the_same_player(club):
    anna = club.players.get("Anna")
    club.players.keep_ten([Person(anna.id, anna.name)])
    club.players.change(anna.id, Entry("Anna K", nick="Fox"))
    assert club.players.get("anna k").id == anna.id
    assert club.players.last_ten() == (Person(anna.id, "Anna K"),)
    club.players.change(anna.id, Entry("ANNA K"))
    with pytest.raises(Refused, match="there is a player of that name"):
        club.players.change(anna.id, Entry("борис"))
    with pytest.raises(Refused, match="no such player"):
        club.players.get("Anna")


def test_the_same_entries_twice_change_nothing(league):
    entries = [Entry("Anna", "Fox", "Nord"), Entry("Борис")]
    assert (league.players.take(entries).added, len(league.find())) == (2, 2)
    before = league.find()
    again = league.players.take(entries)
    assert (again.added, again.changed, again.known) == (0, 0, 2)
    assert league.find() == before
    other = league.players.take([Entry("Anna", "Fox", "Süd"), Entry("Clara")])
    assert (other.added, other.changed, other.known) == (1, 1, 0)
    assert league.players.get("Anna").club == "Süd"


def test_of_entries_one_of_which_is_wrong_none_is_taken(league):
    with pytest.raises(Refused):
        league.players.take([Entry("Anna"), Entry("b" * 25)])
    assert league.find() == ()


def test_the_last_ten_are_players_and_guests(club):
    anna = club.players.get("Anna")
    people = [Person(anna.id, "Anna"), Person("", "Xenia")]
    club.players.keep_ten(people)
    assert club.players.last_ten() == tuple(people)
    assert [each.guest for each in club.players.last_ten()] == [False, True]
    assert names(club.find("xenia")) == []
    club.players.keep_ten([])
    assert club.players.last_ten() == ()


def test_the_table_has_ten_places_and_nobody_twice(club):
    with pytest.raises(Refused, match="ten at the table"):
        club.players.keep_ten([Person("", f"G{n}") for n in range(11)])
    with pytest.raises(Refused, match="twice"):
        club.players.keep_ten([Person("", "Gast"), Person("", "GAST")])
    assert club.players.last_ten() == ()

"""A player's name is taken away: it is nowhere any more, and nobody's points are others."""

import datetime

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from table_controller.league import Case, Entry, Person, Refused, Verdict, open_league
from table_controller.league.anonymity import without
from table_controller.league.games import Seen
from table_controller.league.tables import (
    appeal,
    appeal_entry,
    bar,
    game,
    game_revision,
    game_seat,
    player,
    sitting,
)
from table_controller.record.finished import finished_game
from table_controller.record.seat_rows import SeatRow
from tests.table_controller.golden_record import golden_rows

GAME, OTHER = "20261130-180000-1", "20261130-190000-1"
NAMES = ("Zinaida", *(f"Guest {nth}" for nth in range(2, 11)))
TODAY = datetime.date(2026, 11, 30)


@pytest.fixture(autouse=True)
def today(clock, monkeypatch):
    noon = datetime.datetime(2026, 11, 30, 12).astimezone()
    monkeypatch.setattr(clock, "wall", lambda: noon)


@pytest.fixture
def zinaida(league):
    """A player who was a guest in one game, which was given to her, and a player in another."""
    games = league.games
    games.keep(finished_game(golden_rows(names=NAMES), "club"))
    made = league.players.add(Entry("Zinaida", "Zina", "Odessa"))
    why = "ZINAIDA is a member; Zinaidas was somebody else"
    games.seat(Seen(GAME, 1, "Vera", why), 1, made.id)
    games.set_points(Seen(GAME, 2, "Vera", "zinaida had a second foul"), 1, (1, 1))
    start, *rows = golden_rows(game=OTHER, names=("Sinaida", *NAMES[1:]))
    start = replace(start, entry=replace(start.entry, ids=(made.id,) + ("",) * 9))
    games.keep(finished_game([start, *rows], "club"))
    league.players.keep_ten([Person(made.id, made.name), Person("", "Guest 2")])
    return made


def everything(league):
    tables = (player, sitting, bar, appeal, appeal_entry, game, game_revision, game_seat)
    with league._store.reading() as db:
        return "\n".join(str(row) for table in tables for row in db.execute(select(table)))


def test_the_name_is_nowhere_any_more(league, zinaida):
    assert "Zinaida" in everything(league)
    assert league.anonymise("zinaida") == zinaida.id
    rest = everything(league).casefold()
    assert "zinaida" not in rest.replace("zinaidas", "")
    assert not any(word in rest for word in ("zina'", "sinaida", "odessa"))
    assert league.find("zina") == ()
    assert league.find() == ()
    assert [each.name for each in league.players.last_ten()] == ["Guest 2"]
    assert league.games.get(GAME).game.seats[0].name == ""
    assert league.games.get(GAME, 1).game.seats[0].name == ""
    assert league.games.history(GAME)[1].why == "… is a member; Zinaidas was somebody else"


def test_all_points_stay_and_so_does_everybody_elses_name(league, zinaida):
    before = league.games.rows()
    league.anonymise(zinaida.id)
    after = league.games.rows()

    def nameless(row: SeatRow) -> SeatRow:
        return replace(row, name="") if row.player == zinaida.id else row

    assert after == tuple(map(nameless, before))
    assert {row.player for row in after if not row.name} == {zinaida.id}
    assert league.games.rows(player_id=zinaida.id) != ()


def test_who_has_no_name_is_no_player_of_whom_anything_can_be_done(league, zinaida):
    league.anonymise(zinaida.id)
    for do in (
        lambda: league.players.get(zinaida.id),
        lambda: league.players.change(zinaida.id, Entry("Zinaida")),
        lambda: league.anonymise(zinaida.id),
    ):
        with pytest.raises(Refused, match="no such player"):
            do()


def test_the_name_is_free_for_another(league, zinaida):
    league.anonymise(zinaida.id)
    other = league.players.add(Entry("Zinaida"))
    assert other.id != zinaida.id
    assert league.games.rows(player_id=other.id) == ()
    league.anonymise(other.id)


def test_a_game_that_goes_back_to_the_guest_does_not_bring_the_name_back(league, zinaida):
    league.anonymise(zinaida.id)
    league.games.go_back(Seen(GAME, 3, "Vera", "she was not there"), 1)
    assert league.games.get(GAME).game.seats[0].name == ""
    assert "Zinaida'" not in everything(league)


def test_a_game_in_which_she_is_a_guest_again_loses_the_name_too(league, zinaida):
    league.games.go_back(Seen(GAME, 3, "Vera", "she was not there"), 1)
    league.anonymise(zinaida.id)
    assert next(row.name for row in league.games.rows() if row.game == GAME) == ""


@pytest.mark.parametrize("last_day", [None, TODAY, TODAY + datetime.timedelta(days=9)])
def test_nobody_gets_away_from_a_bar_like_that(league, zinaida, last_day):
    made = league.bars.put(
        zinaida.id, TODAY, last_day=last_day, reason="threats", decided_by="Oleg"
    )
    with pytest.raises(Refused, match="barred"):
        league.anonymise(zinaida.id)
    assert league.bars.of(zinaida.id, TODAY) == made
    league.bars.lift(made.id, by="Oleg", why="Zinaida said sorry")
    league.anonymise(zinaida.id)
    assert league.bars.all() == ()


def test_an_open_appeal_is_decided_first(league, zinaida):
    made = league.appeals.take(Case("Zinaida", GAME, 1, "insults"), text="I, Zinaida", by="Vera")
    with pytest.raises(Refused, match="appeal"):
        league.anonymise(zinaida.id)
    league.appeals.decide(made.id, Verdict.UPHELD, reasons="Zinaida is right", by="Oleg")
    before = [(row.game, row.seat, row.max, row.classic) for row in league.games.rows()]
    league.anonymise(zinaida.id)
    assert league.appeals.all() == ()
    assert "I, Zinaida" not in everything(league)
    assert [(row.game, row.seat, row.max, row.classic) for row in league.games.rows()] == before


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Ann: annoying. ann", "…: annoying. …"),
        ("Joann and Ann-Marie", "Joann and …-Marie"),
        ("", ""),
    ],
)
def test_a_name_goes_where_it_is_a_word(text, left):
    assert without("Ann", text) == left


def test_a_closed_file_does_not_hold_the_name_in_what_was_deleted(path, clock):
    league = open_league(path, clock)
    made = league.players.add(Entry("Zinaida", "Zina", "Odessa"))
    league.bars.put(made.id, TODAY, last_day=None, reason="Zinaida " * 200, decided_by="Oleg")
    league.bars.lift(made.id, by="Oleg", why="enough")
    league.anonymise(made.id)
    league.close()
    for each in path.parent.glob("league.db*"):
        assert b"Zina" not in each.read_bytes(), each.name

"""Finished games in the league: kept once, corrected by revisions, the newest of which counts."""

import datetime

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from table_controller.game import Role, Winner
from table_controller.league import Case, Entry, Refused, Verdict
from table_controller.league.games import Seen
from table_controller.league.games_kept import Did
from table_controller.league.tables import game, game_revision
from table_controller.record.finished import finished_game
from table_controller.record.seat_rows import Result, seat_rows
from tests.table_controller.golden_record import BEGAN, NAMES, golden, golden_rows

GAME = "20261130-180000-1"


@pytest.fixture(scope="module")
def rows():
    """The journal of the golden game, as guests played it."""
    return golden_rows()


@pytest.fixture
def members(league):
    """Seats 1, 3 and 5 are players of the league: Anna, Clara, Elena."""
    return {seat: league.players.add(Entry(NAMES[seat - 1])).id for seat in (1, 3, 5)}


@pytest.fixture
def kept(league, rows, members):
    """The golden game, kept; the guests are those who are no members."""
    ids = tuple(members.get(seat, "") for seat in range(1, 11))
    start = replace(rows[0], entry=replace(rows[0].entry, ids=ids))
    played = finished_game([start, *rows[1:]], "club")
    assert league.games.keep(played)
    return played


def seen(league, why="a mistake of the host", who="Vera"):
    return Seen(GAME, league.games.get(GAME).newest, who, why)


def counting(league):
    return {row.seat: row for row in league.games.rows()}


# ---- kept ----


def test_the_league_tells_the_years_of_its_games_and_that_something_has_changed(league, kept):
    assert league.games.years() == (2026,)
    before = league.games.changes()
    assert not league.games.keep(kept)
    assert league.games.changes() == before
    league.games.strike(seen(league), struck=True)
    assert league.games.changes() == before + 1
    assert league.games.keep(replace(kept, game="20251230-180000-1", day=kept.day.replace(2025)))
    assert (league.games.years(), league.games.changes()) == ((2025, 2026), before + 2)


def test_a_kept_game_comes_back_as_it_was_played(league, kept):
    found = league.games.get(GAME)
    assert found.game == kept
    assert (found.revision.number, found.revision.did, found.newest) == (1, Did.KEPT, 1)
    assert league.games.get("another") is None
    assert league.games.get(GAME, 2) is None


def test_its_rows_are_those_of_the_golden_game(league, kept):
    said = golden()
    rows = league.games.rows()
    assert rows == seat_rows(kept)
    assert {str(row.seat): [row.classic, row.max] for row in rows} == {
        seat: [earned["classic"], earned["max"]] for seat, earned in said["points"].items()
    }


def test_it_is_kept_exactly_once(league, kept, clock):
    before = league.games.get(GAME)
    clock.advance(3600)
    assert not league.games.keep(kept)
    assert not league.games.keep(replace(kept, winner=Winner.MAFIA))
    assert league.games.get(GAME) == before
    assert len(league.games.rows()) == 10
    assert league.games.kept([GAME, "another"]) == {GAME}


def test_what_is_kept_of_the_course_holds_no_name(league, kept, members):
    with league._store.reading() as db:
        course = db.scalars(select(game.c.course)).one()
        document = db.scalars(select(game_revision.c.document)).one()
    assert not any(name in course for name in NAMES)
    assert not any(id_ in course for id_ in members.values())
    assert [name for name in NAMES if name in document] == [
        name for seat, name in enumerate(NAMES, start=1) if seat not in members
    ]


def test_an_id_that_the_league_does_not_know_is_a_guests(league, rows):
    ids = ("0123456789ab",) + ("",) * 9
    start = replace(rows[0], entry=replace(rows[0].entry, ids=ids))
    league.games.keep(finished_game([start, *rows[1:]], "club"))
    first = counting(league)[1]
    assert (first.player, first.name) == ("", "Anna")


def test_a_player_has_the_name_of_now(league, kept, members):
    league.players.change(members[3], Entry("Clarissa"))
    assert counting(league)[3].name == "Clarissa"
    assert league.games.get(GAME).game.seats[2].name == "Clarissa"


def test_a_void_game_is_kept_and_counts_nowhere(league, kept):
    league.games.keep(replace(kept, game="20261130-190000-1", winner=None))
    (newest, _) = league.games.list()
    assert (newest.game, newest.winner, newest.rated) == ("20261130-190000-1", None, False)
    assert {row.game for row in league.games.rows()} == {GAME}


def test_lists_and_rows_are_of_the_days_that_are_asked_for(league, kept, members):
    for nth in (1, 2, 3):
        began = BEGAN + datetime.timedelta(days=nth)
        other = replace(
            kept, game=f"g{nth}", day=kept.day + datetime.timedelta(days=nth),
            began_utc=began.isoformat(timespec="milliseconds"),
        )  # fmt: skip
        league.games.keep(other)
    ids = [each.game for each in league.games.list()]
    assert ids == ["g3", "g2", "g1", GAME]
    assert [each.game for each in league.games.list(limit=2)] == ["g3", "g2"]
    assert [each.game for each in league.games.list(before="g2", limit=2)] == ["g1", GAME]
    first, last = (kept.day + datetime.timedelta(days=nth) for nth in (1, 2))
    assert [each.game for each in league.games.list(first, last)] == ["g2", "g1"]
    assert [row.game for row in league.games.rows(first, last)] == ["g1"] * 10 + ["g2"] * 10
    mine = league.games.rows(first, last, player_id=members[3])
    assert [(row.game, row.seat) for row in mine] == [("g1", 3), ("g2", 3)]


# ---- corrected ----


def test_another_player_at_a_seat_takes_its_points(league, kept):
    boris = league.players.add(Entry("Boris"))
    league.games.seat(seen(league), 2, "Boris")
    row = counting(league)[2]
    assert (row.player, row.name, row.role) == (boris.id, "Boris", Role.MAFIA)
    assert [row.game for row in league.games.rows(player_id=boris.id)] == [GAME]
    found = league.games.get(GAME)
    assert found.game.seats[1].player == boris.id
    assert found.revision.did is Did.SEATED
    assert (found.revision.who, found.revision.why) == ("Vera", "a mistake of the host")
    assert league.games.get(GAME, 1).game == kept


def test_nobody_sits_twice_in_one_game(league, kept):
    for who in ("Anna", "boris"):
        with pytest.raises(Refused, match="twice"):
            league.games.seat(seen(league), 4, who)
    assert league.games.get(GAME).newest == 1


def test_points_by_hand_count_until_they_are_taken_back(league, kept):
    played = counting(league)[3]
    league.games.set_points(seen(league, "miscounted"), 3, (5, -7))
    assert (counting(league)[3].classic, counting(league)[3].max) == (5, -7)
    (hand,) = league.games.get(GAME).corrections.by_hand
    assert (hand.seat, hand.why) == (3, "miscounted")
    league.games.set_points(seen(league), 3, None)
    assert counting(league)[3] == played


def test_a_game_is_struck_and_put_back(league, kept):
    before = league.games.rows()
    league.games.strike(seen(league), struck=True)
    assert league.games.rows() == ()
    assert [each.rated for each in league.games.list()] == [False]
    assert league.games.get(GAME).game == kept
    league.games.strike(seen(league), struck=False)
    assert league.games.rows() == before


def test_a_correction_is_undone_by_a_further_one(league, kept):
    before = league.games.rows()
    league.games.seat(seen(league), 2, "Somebody")
    league.games.set_points(seen(league), 3, (0, 0))
    league.games.go_back(seen(league), 1)
    assert league.games.rows() == before
    assert [each.did for each in league.games.history(GAME)] == [
        Did.KEPT,
        Did.SEATED,
        Did.POINTS,
        Did.BACK,
    ]
    league.games.go_back(seen(league), 2)
    assert counting(league)[2].name == "Somebody"
    assert counting(league)[3] == before[2]


def test_who_saw_an_older_revision_changes_nothing(league, kept):
    old = seen(league)
    league.games.strike(old, struck=True)
    with pytest.raises(Refused, match="changed"):
        league.games.set_points(old, 3, (1, 1))
    with pytest.raises(Refused, match="already"):
        league.games.strike(seen(league), struck=True)
    assert league.games.get(GAME).newest == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda games, seen: games.set_points(replace(seen, why=" "), 3, (1, 1)),
        lambda games, seen: games.set_points(replace(seen, who=""), 3, (1, 1)),
        lambda games, seen: games.set_points(seen, 11, (1, 1)),
        lambda games, seen: games.set_points(seen, 3, (1, 10_001)),
        lambda games, seen: games.seat(seen, 0, "Olga"),
        lambda games, seen: games.seat(seen, 2, ""),
        lambda games, seen: games.go_back(seen, 7),
        lambda games, seen: games.strike(replace(seen, game="another"), struck=True),
    ],
)
def test_what_is_wrong_is_refused_and_changes_nothing(league, kept, change):
    before = league.games.rows()
    with pytest.raises(Refused):
        change(league.games, seen(league))
    assert league.games.rows() == before
    assert len(league.games.history(GAME)) == 1


# ---- appeals ----


def uphold(league, case):
    appeal = league.appeals.take(case, text="it was not me", by="Vera")
    league.appeals.decide(appeal.id, Verdict.UPHELD, reasons="seen on the tape", by="Oleg")


def test_an_upheld_appeal_removes_the_points_by_itself_and_never_the_result(league, kept):
    before = counting(league)
    uphold(league, Case("Anna", GAME, 1, "insults"))
    after = counting(league)
    assert (after[1].classic, after[1].max) == (before[1].classic + 10, before[1].max + 10)
    assert {**after, 1: before[1]} == before
    assert (after[1].result, after[1].technical_fouls) == (Result.WON, 1)
    revision = league.games.get(GAME).revision
    assert (revision.did, revision.who, revision.why) == (Did.FREED, "Oleg", "")


def test_a_rejected_appeal_removes_nothing(league, kept):
    before = league.games.rows()
    appeal = league.appeals.take(Case("Anna", GAME, 1, "insults"), text="no", by="Vera")
    league.appeals.decide(appeal.id, Verdict.REJECTED, reasons="yes", by="Oleg")
    assert league.games.rows() == before
    assert len(league.games.history(GAME)) == 1


def test_an_appeal_that_was_upheld_before_the_game_is_kept_counts_at_once(league, rows):
    uphold(league, Case("Anna", GAME, 1, "insults"))
    league.games.keep(finished_game(rows, "club"))
    assert (counting(league)[1].classic, counting(league)[1].max) == (125, 180)
    assert [each.did for each in league.games.history(GAME)] == [Did.KEPT, Did.FREED]


def test_an_appeal_upheld_for_a_game_without_seats_is_no_fault(league, kept):
    league.games.keep(replace(kept, game="early", winner=None, seats=()))
    uphold(league, Case("Anna", "early", 1, "insults"))
    assert len(league.games.history("early")) == 1

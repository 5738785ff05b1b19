"""The whole league as a file: there and back between databases, all of it or nothing."""

import datetime
import json

import pytest

from firmware.errors import LeagueError
from table_controller.game.terms import Offence
from table_controller.league import Case, Entry, Person, Refused, Verdict, open_league
from table_controller.league.archive import FORMAT
from table_controller.league.store import SCHEMA
from table_controller.league.tables import everything
from table_controller.record.finished import finished_game
from tests.table_controller.golden_record import golden_rows

from .conftest import TODAY

GAME = "20261130-180000-1"


@pytest.fixture
def full(club):
    """A league with something in every table."""
    assert club.games.keep(finished_game(golden_rows(), "club"))
    anna = club.players.get("anna")
    club.players.keep_ten([Person(anna.id, anna.name), Person("", "Gast")])
    club.bars.put(
        "Борис", TODAY, last_day=None, reason="Er hat gedroht.", decided_by="Vera",
        game=GAME, seat=4, offence=Offence.THREATS,
    )  # fmt: skip
    club.bars.put("Gast", TODAY, last_day=TODAY + datetime.timedelta(9), reason="x", decided_by="y")
    made = club.appeals.take(Case("anna", GAME, 5, "bets"), text="Nein.\nNein!", by="Olga")
    club.appeals.decide(made.id, Verdict.REJECTED, reasons="Doch.", by="Vera")
    club.appeals.take(Case("Gast", GAME, 6), text="\u2603", by="Olga")
    return club


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.proof)])
def other(request, tmp_path, clock):
    """An empty league of another place."""
    where = tmp_path / "other.db"
    if request.param == "postgres":
        cluster = request.getfixturevalue("cluster")
        where = cluster.new()
    league = open_league(where, clock)
    yield league
    league.close()


def test_a_league_goes_to_another_database_and_back_and_is_the_same(full, other, tmp_path, clock):
    taken, told = full.take_out(), []
    assert all(json.loads(taken)["tables"][each.name] for each in everything)
    other.put_in(taken, progress=lambda *done: told.append(done))
    assert other.take_out() == taken
    assert other.find() == full.find()
    assert other.games.rows() == full.games.rows()
    assert other.appeals.all() == full.appeals.all()
    assert [name for name, _ in told] == [each.name for each in everything]
    back = open_league(tmp_path / "back.db", clock)
    back.put_in(other.take_out())
    assert back.take_out() == taken
    # And it goes on: the same name is known, the game is kept already.
    with pytest.raises(Refused, match="there is a player"):
        back.players.add(Entry("ANNA"))
    assert not back.games.keep(finished_game(golden_rows(), "club"))
    back.close()


def test_a_league_that_holds_something_is_replaced_only_when_that_is_said(full, other):
    other.players.add(Entry("Somebody"))
    before = other.take_out()
    with pytest.raises(Refused, match=r"not empty \(player\)"):
        other.put_in(full.take_out())
    assert other.take_out() == before
    other.put_in(full.take_out(), replace=True)
    assert other.take_out() == full.take_out()


def change(raw, edit):
    found = json.loads(raw)
    edit(found)
    return json.dumps(found).encode()


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (lambda all_: all_.update(format=FORMAT + 1), "a newer program wrote it"),
        (lambda all_: all_.update(version=all_["version"] + 1), "a newer program wrote it"),
        (lambda all_: all_.pop("format"), "no league's file"),
        (lambda all_: all_.update(tables=[]), "no league's file"),
        (lambda all_: all_["tables"].update(hat=[]), "hat: the league has no such table"),
        (lambda all_: all_["tables"]["player"][1].pop("nick"), "player, row 2, nick: missing"),
        (lambda all_: all_["tables"]["player"][1].update(age="9"), "player, row 2, age: unknown"),
        (lambda all_: all_["tables"]["player"][2].update(club=7), "row 3, club: expected a text"),
        (lambda all_: all_["tables"]["bar"][0].update(seat="4"), "row 1, seat: expected a number"),
        (lambda all_: all_["tables"]["bar"][1].update(seat=True), "row 2, seat: expected a number"),
        (lambda all_: all_["tables"]["bar"][0].update(reason=None), "reason: expected a text"),
        (
            lambda all_: all_["tables"]["player"].append(all_["tables"]["player"][0]),
            "in it already",
        ),
        (
            lambda all_: all_["tables"]["bar"][0].update(player_id="x"),
            "row 1, player_id: refers to",
        ),
        (lambda all_: all_["tables"].pop("player"), "player_id: refers to nothing"),
        (lambda all_: all_["tables"]["game"][0].update(course="{}"), "game, row 1, course: not a"),
    ],
)
def test_what_is_wrong_in_it_is_named_and_nothing_is_changed(full, edit, why):
    taken = full.take_out()
    with pytest.raises((Refused, LeagueError), match=why) as error:
        full.put_in(change(taken, edit), replace=True)
    assert "gedroht" not in str(error.value)
    assert full.take_out() == taken


@pytest.mark.parametrize(
    "raw", [b"", b"\xff\xfe", b"[]", b"{}", b"SQLite format 3\x00", b'{"x":' + b"[" * 99_999]
)
def test_what_is_no_such_file_is_refused(club, raw):
    before = club.take_out()
    with pytest.raises(Refused, match="no league's file"):
        club.put_in(raw, replace=True)
    assert club.take_out() == before


@pytest.mark.parametrize(
    ("table", "field", "value"),
    [
        ("game", "day", "<b>"),
        ("game", "day", "2026-11-29"),
        ("game", "winner", "nobody"),
        ("game", "winner", "draw"),
        ("game", "began_utc", "soon"),
        ("game", "ended_utc", "2026-11-30T18:00:00+00:00"),
        ("game", "newest", 2**63),
        ("game_revision", "did", "bogus"),
        ("game_revision", "utc", "yesterday"),
        ("game_seat", "role", "king"),
        ("game_seat", "team", "red"),
        ("game_seat", "result", "maybe"),
        ("game_seat", "day", "Monday"),
        ("game_seat", "max", 2**70),
        ("game_seat", "max", 2**31),
        ("bar", "first_day", "never"),
        ("player", "name", "A\0nna"),
        ("player", "name", "\x1b[2JAnna"),
        ("appeal_entry", "text", "\x9b2J"),
    ],
)
def test_a_hostile_file_shuts_no_page_and_ends_in_no_traceback(full, table, field, value):
    """Taken in, such a row left the lists or the ratings without an answer ever after."""
    taken = full.take_out()
    hostile = change(taken, lambda all_: all_["tables"][table][0].update({field: value}))
    with pytest.raises(Refused, match=f"{table}, row 1, {field}: "):
        full.put_in(hostile, replace=True)
    assert full.take_out() == taken


def test_an_older_file_has_not_yet_every_table(full, other):
    """Version 1 knew no games."""
    older = change(full.take_out(), without_games)
    other.put_in(older)
    assert other.find() == full.find()
    assert other.games.list() == ()


def without_games(all_):
    all_["version"] = 1
    for name in ("game", "game_revision", "game_seat"):
        del all_["tables"][name]
    assert len(list(SCHEMA.glob("*.sql"))) >= 2

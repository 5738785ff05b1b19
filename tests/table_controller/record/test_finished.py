"""A finished game as it is kept: from its journal, through its text, to rows for ratings."""

import datetime

import msgspec
import pytest

from table_controller.game import Cause, Role, Team, Winner, replay
from table_controller.game.actions import Pause, Resume, Void
from table_controller.game.events import GameVoided, SeatLeft
from table_controller.record import finished
from table_controller.record.entries import Acted, Row, Undone
from table_controller.record.finished import (
    NONE,
    ByHand,
    Corrections,
    FinishedGame,
    decode,
    encode,
    finished_game,
    points_of,
)
from table_controller.record.seat_rows import Result, seat_rows
from tests.table_controller.golden_record import GAMES, NAMES, golden, golden_rows

IDS = ("a1", "", *(f"a{seat}" for seat in range(3, 11)))


@pytest.fixture(scope="module")
def played() -> FinishedGame:
    return finished_game(golden_rows(ids=IDS), "club")


def test_it_holds_all_that_the_journal_says(played):
    said = golden()
    assert (played.game, played.table, played.seed) == ("20261130-180000-1", "club", "ab" * 32)
    assert played.winner == said["winner"]
    assert played.began_utc == "2026-11-30T18:00:00.000+00:00"
    assert played.ended_utc == played.deeds[-1].utc > played.began_utc
    assert played.day == datetime.datetime.fromisoformat(played.began_utc).astimezone().date()
    assert {str(each.seat): each.role for each in played.seats} == said["roles"]
    assert tuple(each.name for each in played.seats) == NAMES
    assert tuple(each.player for each in played.seats) == IDS
    state = replay(played.ruleset, played.actions())
    assert [day.mistakes_left for day in state.days] == [
        day["mistakes_left_true"] for day in said["days"]
    ]


def test_it_comes_back_from_its_text_as_it_was(played):
    assert decode(encode(played)) == played


@pytest.mark.parametrize("form", [0, finished.FORMAT + 1])
def test_of_a_form_that_is_unknown_nothing_is_read(played, form):
    kept = msgspec.json.decode(encode(played)) | {"format": form}
    with pytest.raises(ValueError, match=f"format {form}"):
        decode(msgspec.json.encode(kept).decode())


def test_an_older_form_is_brought_up_to_date(played, monkeypatch):
    monkeypatch.setattr(finished, "FORMAT", 3)
    upgraders = {1: lambda game: game | {"step": 1}, 2: lambda game: game | {"table": "hall"}}
    monkeypatch.setattr(finished, "UPGRADERS", upgraders)
    kept = msgspec.json.decode(encode(played)) | {"format": 1}
    assert decode(msgspec.json.encode(kept).decode()) == msgspec.structs.replace(
        played, table="hall"
    )


def test_what_was_undone_is_not_in_it():
    rows = golden_rows()
    extra = [Acted(Pause()), Acted(Resume()), Undone(len(rows) - 1)]
    more = [Row(len(rows) + n, "", entry, (), None) for n, entry in enumerate(extra, start=1)]
    assert finished_game([*rows, *more], "club").deeds == finished_game(rows, "club").deeds


def test_a_game_that_is_not_over_is_none():
    with pytest.raises(ValueError, match="over"):
        finished_game(golden_rows()[:-1], "club")


def test_a_game_that_was_ended_before_the_deal_has_no_seats_and_no_result():
    rows = golden_rows()
    void = Row(2, rows[1].utc, Acted(Void()), (GameVoided(),), None)
    played = finished_game([rows[0], void], "club")
    assert (played.winner, played.void, played.seats) == (None, True, ())
    assert seat_rows(played) == ()


# ---- what counts ----


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.json")), ids=lambda path: path.stem)
def test_the_rows_have_the_points_that_were_worked_by_hand(path):
    said, played = golden(path.stem), finished_game(golden_rows(path.stem), "club")
    rows = seat_rows(played)
    if said["winner"] is None:
        assert rows == ()
        return
    assert {str(row.seat): [row.classic, row.max] for row in rows} == {
        seat: [earned["classic"], earned["max"]] for seat, earned in said["points"].items()
    }
    assert {str(row.seat): row.role for row in rows} == said["roles"]
    for row in rows:
        won = Result.WON if row.team == said["winner"] else Result.LOST
        assert row.result is (Result.DRAWN if said["winner"] == "draw" else won)


def test_the_rows_tell_what_a_season_counts(played):
    rows = {row.seat: row for row in seat_rows(played)}
    best = {seat: (row.tier, row.hits) for seat, row in rows.items() if row.tier}
    assert best == {9: ("a", 2), 1: ("b", 2), 4: ("b", 3), 6: ("b", 3), 8: ("b", 1)}
    assert [seat for seat, row in rows.items() if row.shot_n1] == [9]
    assert not any(row.ci_due for row in rows.values())
    assert {seat: row.technical_fouls for seat, row in rows.items() if row.technical_fouls} == {
        1: 1
    }
    assert (rows[2].player, rows[2].name, rows[2].team) == ("", "Boris", Team.MAFIA)


def test_ci_is_due_to_who_was_shot_first_as_town_and_lost(played):
    lost = msgspec.structs.replace(played, winner=Winner.MAFIA)
    assert [row.seat for row in seat_rows(lost) if row.ci_due] == [9]


def every_row():
    for path in sorted(GAMES.glob("*.json")):
        played = finished_game(golden_rows(path.stem), "club")
        for row in seat_rows(played):
            yield path.stem, played, row


def test_over_all_golden_games_the_rows_agree_with_the_course():
    seen = set()
    for name, played, row in every_row():
        end = replay(played.ruleset, played.actions())
        where = f"{name}, seat {row.seat}"
        assert row.disqualified is (row.seat in end.disqualified), where
        assert row.technical_fouls == end.technical_fouls[row.seat - 1], where
        causes = {e.seat: e.cause for e in played.events() if isinstance(e, SeatLeft)}
        assert not row.shot_n1 or causes[row.seat] is Cause.SHOT, where
        if causes.get(row.seat) is Cause.WITHDRAWN:
            assert row.withdrawn, where
        seen |= {
            word
            for word in ("disqualified", "withdrawn", "culprit", "shot_n1", "ci_due", "tier")
            if getattr(row, word)
        }
        if row.culprit:
            assert row.classic == played.ruleset.points.opponent_victory[0], where
    assert seen == {"disqualified", "withdrawn", "culprit", "shot_n1", "ci_due", "tier"}


# ---- corrections ----


def test_an_upheld_appeal_takes_out_what_the_sanction_cost_and_nothing_else(played):
    before, after = points_of(played), points_of(played, Corrections(removed=(1,)))
    assert after[1] == (before[1][0] + 10, before[1][1] + 10)
    assert {**after, 1: before[1]} == before
    assert points_of(played, Corrections(removed=(2,))) == before


def test_points_by_hand_take_the_place_of_those_that_were_played(played):
    by_hand = Corrections(by_hand=(ByHand(3, 1, -2, "miscounted"),))
    before, after = points_of(played), points_of(played, by_hand)
    assert after == {**before, 3: (1, -2)}
    row = next(row for row in seat_rows(played, by_hand) if row.seat == 3)
    assert (row.classic, row.max, row.result) == (1, -2, Result.WON)


def test_a_game_that_was_struck_has_no_rows(played):
    assert len(seat_rows(played, NONE)) == 10
    assert seat_rows(played, Corrections(struck=True)) == ()


def test_no_citizen_has_points_for_a_best_move_of_the_mafia(played):
    assert all(not row.tier for row in seat_rows(played) if row.role in (Role.MAFIA, Role.DON))

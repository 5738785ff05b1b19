"""Who may be barred after a game, read from its journal as the table wrote it."""

import pytest

from table_controller.game import Phase, actions
from table_controller.game.terms import Offence, Sanction
from table_controller.record.finished import finished_game
from table_controller.record.offenders import offenders
from table_controller.record.seat_rows import seat_rows
from tests.table_controller.golden_record import GAMES, golden_rows, write_journal

TECHNICAL, OUT = Sanction.TECHNICAL_FOUL, Sanction.DISQUALIFICATION


@pytest.fixture
def told(rig):
    """What is told of the rig's games: ``told()`` without times."""

    def ask():
        found = offenders(rig.folder)
        assert all(each.utc for each in found)
        return [(each.seat, each.offence, each.disqualified, each.by_host) for each in found]

    return ask


def rule(rig, seat, sanction, offence):
    rig.table.playing.act(actions.Rule(sanction, seat, offence), rig.now_s)


def end(rig, roles):
    """The town wins: all of the mafia are put out."""
    mafia = [seat for seat, role in roles.items() if role.team == "mafia"]
    for seat in mafia:
        rule(rig, seat, OUT, Offence.THREATS)
    rig.settle()
    assert rig.phase is Phase.OVER
    return mafia


def test_of_a_finished_game_the_disqualified_are_told_and_who_showed_the_gesture(rig, roles, told):
    rig.to_first_day()
    town = [seat for seat, role in roles.items() if role.team == "town"]
    rule(rig, town[0], TECHNICAL, Offence.FORBIDDEN_GESTURE)
    rule(rig, town[1], TECHNICAL, Offence.INSULTS)
    rule(rig, town[2], OUT, Offence.FORBIDDEN_GESTURE)
    assert told() == []
    mafia = end(rig, roles)
    wanted = [(seat, Offence.THREATS, True, True) for seat in mafia]
    wanted.append((town[0], Offence.FORBIDDEN_GESTURE, False, True))
    wanted.append((town[2], Offence.FORBIDDEN_GESTURE, True, True))
    assert told() == sorted(wanted)
    shown = {seat.seat: seat.name for seat in rig.show.board.seats}
    assert {each.seat: each.name for each in offenders(rig.folder)} == {
        seat: shown[seat] for seat, *_ in wanted
    }


def test_what_was_undone_is_nobodys_offence(rig, roles, told):
    rig.to_first_day()
    town = next(seat for seat, role in roles.items() if role.team == "town")
    rule(rig, town, OUT, Offence.NUDITY)
    rig.table.playing.undo(max(rig.table.playing.undo_points()))
    assert rig.phase is Phase.SPEECH
    assert town in rig.state.living
    mafia = end(rig, roles)
    assert [seat for seat, *_ in told()] == mafia


def test_a_void_game_tells_nothing_while_the_host_can_take_it_up_again(rig, told):
    rig.to_first_day()
    rule(rig, 3, OUT, Offence.THREATS)
    rig.table.playing.act(actions.Void(), rig.now_s)
    rig.settle()
    assert rig.phase is Phase.OVER
    assert told() == []
    rig.all_hold()
    assert told() == [(3, Offence.THREATS, True, True)]


def test_the_newest_game_stands_first_and_a_broken_file_hides_no_other(rig, roles, told):
    rig.to_first_day()
    mafia = end(rig, roles)
    (rig.folder / "20200101-000000-aabbccdd.db").write_bytes(b"no journal")
    rig.advance(60)
    rig.all_hold()
    assert [seat for seat, *_ in told()] == mafia


def test_without_journals_there_is_nobody(tmp_path):
    assert offenders(tmp_path / "journal") == ()
    assert offenders(tmp_path) == ()


def test_a_player_of_the_league_is_told_by_id(tmp_path):
    name, seat = next(
        (path.stem, row.seat)
        for path in sorted(GAMES.glob("*.json"))
        for row in seat_rows(finished_game(golden_rows(path.stem), "club"))
        if row.disqualified
    )
    ids = tuple(f"id-{seat}" for seat in range(1, 11))
    write_journal(tmp_path, golden_rows(name, ids=ids))
    found = {each.seat: each.player for each in offenders(tmp_path)}
    assert found[seat] == f"id-{seat}"

"""Finished games get into the league exactly once, whatever is pulled or locked meanwhile."""

import contextlib
import os
import signal
import sqlite3
import stat

import pytest
import sqlalchemy

from firmware.errors import JournalError
from firmware.fakes import FakeClock
from table_controller.game import Phase, Winner, actions
from table_controller.game.terms import Offence, Sanction
from table_controller.league import Refused, games_keeper, open_league, sqlite_file
from table_controller.league.games_keeper import Keeper, Unkept
from table_controller.record.examine import examine
from table_controller.record.finished import finished_game
from tests.table_controller.golden_record import golden_rows, write_journal


@pytest.fixture
def league(tmp_path, clock, monkeypatch):
    monkeypatch.setattr(sqlite_file, "BUSY_S", 0.01)
    league = open_league(tmp_path / "league.db", clock)
    yield league
    league.close()


@pytest.fixture
def told():
    return []


@pytest.fixture
def keeper_of(league, told):
    """Return a keeper of a folder that works when it is told to."""
    return lambda folder: Keeper(league.games, folder, "club", told.append)


@pytest.fixture
def keeper(rig, keeper_of):
    """The keeper of the rig's table."""
    keeper = keeper_of(rig.folder)
    rig.keep = keeper.take
    return keeper


def games(league):
    return [(each.game, each.winner) for each in league.games.list()]


def end(rig, roles):
    """The town wins: all of the mafia are put out."""
    for seat in (seat for seat, role in roles.items() if role.team == "mafia"):
        rig.table.playing.act(actions.Rule(Sanction.DISQUALIFICATION, seat, Offence.THREATS), 0.0)
    rig.settle()
    assert rig.phase is Phase.OVER
    return rig.show.started.game


def start_again(rig, keeper_of):
    """Start the table after a kill, and its keeper, as the program does."""
    keeper = keeper_of(rig.folder)
    rig.keep = keeper.take
    rig.start_table()
    return keeper


# ---- when ----


def test_a_game_is_kept_when_the_next_one_begins(rig, roles, league, keeper):
    rig.to_first_day()
    game = end(rig, roles)
    keeper.work()
    assert games(league) == []
    rig.all_hold()
    keeper.work()
    assert games(league) == [(game, Winner.TOWN)]
    played = league.games.get(game).game
    assert played.table == "club"
    assert {each.seat: each.role for each in played.seats} == roles
    rig.press(*range(1, 11))
    keeper.work()
    assert games(league) == [(game, Winner.TOWN)]


def test_a_game_is_kept_when_the_host_says_so(rig, roles, league, keeper):
    rig.to_first_day()
    game = end(rig, roles)
    keeper.keep(game)
    keeper.keep(game)
    assert games(league) == [(game, Winner.TOWN)]
    rig.all_hold()
    keeper.work()
    assert len(league.games.history(game)) == 1


def test_nothing_of_a_game_is_in_the_league_before_it_is_over(rig, league, keeper, tmp_path):
    rig.to_first_day()
    game = rig.show.started.game
    keeper.take(game)
    keeper.work()
    with pytest.raises(Refused):
        keeper.keep(game)
    rig.table.playing.act(actions.Void(), rig.now_s)
    rig.settle()
    assert rig.phase is Phase.OVER
    with pytest.raises(Refused):
        keeper.keep(game)
    keeper.take(game)
    keeper.work()
    assert (games(league), league.games.get(game), league.games.rows()) == ([], None, ())
    seed = rig.show.started.seed.encode()
    for path in tmp_path.glob("league.db*"):
        assert seed not in path.read_bytes()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_void_game_is_kept_as_one_once_it_cannot_be_taken_up_again(rig, league, keeper):
    rig.to_first_day()
    game = rig.show.started.game
    rig.table.playing.act(actions.Void(), rig.now_s)
    rig.settle()
    rig.all_hold()
    keeper.work()
    assert games(league) == [(game, None)]
    assert league.games.rows() == ()


def test_a_void_game_that_is_taken_up_again_is_kept_as_it_ended(rig, roles, league, keeper):
    rig.to_first_day()
    rig.table.playing.act(actions.Void(), rig.now_s)
    rig.table.playing.undo(max(rig.table.playing.undo_points()))
    game = end(rig, roles)
    rig.all_hold()
    keeper.work()
    assert games(league) == [(game, Winner.TOWN)]


@pytest.mark.parametrize("name", ["none", "../../etc/passwd", ""])
def test_what_is_no_game_is_refused(tmp_path, keeper_of, name):
    with pytest.raises(Refused, match="no such game"):
        keeper_of(tmp_path).keep(name)


# ---- the plug is pulled ----


def test_a_game_whose_table_was_killed_at_its_end_is_kept_after_the_start(
    rig, roles, league, keeper, keeper_of
):
    rig.to_first_day()
    game = end(rig, roles)
    rig.kill_table()
    start_again(rig, keeper_of).work()
    assert games(league) == [(game, Winner.TOWN)]


def test_a_game_whose_table_was_killed_as_the_next_began_is_kept_after_the_start(
    rig, roles, league, keeper, keeper_of
):
    rig.to_first_day()
    game = end(rig, roles)
    rig.all_hold()
    running = rig.show.started.game
    rig.kill_table()
    again = start_again(rig, keeper_of)
    for _ in range(3):
        again.work()
    assert games(league) == [(game, Winner.TOWN)]
    assert league.games.get(running) is None


def test_a_void_game_is_not_kept_by_a_start_alone(rig, league, keeper, keeper_of):
    rig.to_first_day()
    game = rig.show.started.game
    rig.table.playing.act(actions.Void(), rig.now_s)
    rig.settle()
    rig.kill_table()
    again = start_again(rig, keeper_of)
    again.work()
    assert games(league) == []
    rig.table.playing.undo(max(rig.table.playing.undo_points()))
    assert rig.phase is not Phase.OVER
    again.work()
    assert league.games.get(game) is None


def test_the_games_that_an_older_program_has_left_are_kept_the_newest_first(
    tmp_path, league, keeper_of
):
    folder = tmp_path / "journal"
    for name in ("g1", "g2", "g3"):
        write_journal(folder, golden_rows(game=name))
    write_journal(folder, golden_rows(game="g4")[:200])
    (folder / "current").write_text("g4")
    keeper = keeper_of(folder)
    keeper.work()
    assert [game for game, _ in games(league)] == ["g3"]
    for _ in range(3):
        keeper.work()
    assert {game for game, _ in games(league)} == {"g1", "g2", "g3"}


@pytest.mark.proof
def test_a_kill_at_any_statement_leaves_a_game_kept_whole_or_not_at_all(tmp_path):
    folder, path = tmp_path / "journal", tmp_path / "league.db"
    played = finished_game(golden_rows(), "club")
    write_journal(folder, golden_rows())
    (folder / "current").write_text(".")
    open_league(path, FakeClock()).close()
    whole = 0
    for nth in range(1, 60):
        for each in tmp_path.glob("league.db*"):
            each.unlink()
        open_league(path, FakeClock()).close()
        child = os.fork()
        if not child:
            _keep_and_die(path, folder, nth)
        _, status = os.waitpid(child, 0)
        league = open_league(path, FakeClock())
        found = league.games.get(played.game)
        assert found is None or (found.game, len(league.games.rows())) == (played, 10)
        whole += found is not None
        keeper = Keeper(league.games, folder, "club", lambda _: None)
        keeper.work()
        assert league.games.get(played.game).game == played
        assert len(league.games.history(played.game)) == 1
        league.close()
        if not os.WIFSIGNALED(status):
            break
    else:
        raise AssertionError("it never came to its end")
    assert nth > 8
    assert whole >= 1


def _keep_and_die(path, folder, nth):
    """Keep the game, killed in front of statement *nth*; in a fork."""
    with contextlib.suppress(BaseException):
        league, left = open_league(path, FakeClock()), [nth]

        @sqlalchemy.event.listens_for(sqlalchemy.engine.Engine, "before_cursor_execute")
        def count(*_):
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)

        Keeper(league.games, folder, "club", lambda _: None).work()
    os._exit(0)


# ---- the league refuses ----


def test_a_league_that_is_locked_loses_nothing_and_the_host_hears_of_it(
    rig, roles, league, keeper, told, tmp_path
):
    rig.to_first_day()
    game = end(rig, roles)
    other = sqlite3.connect(tmp_path / "league.db", isolation_level=None)
    other.execute("pragma busy_timeout=0")
    other.execute("begin immediate")
    rig.all_hold()
    keeper.work()
    keeper.work()
    assert games(league) == []
    (unkept,) = told
    assert "locked" in unkept.fault
    rig.table.take(unkept)
    assert any("tried again" in each.text for each in rig.table.notices.all)
    other.execute("rollback")
    other.close()
    keeper.work()
    assert games(league) == [(game, Winner.TOWN)]
    assert told[1:] == [Unkept("")]
    rig.table.take(told[1])
    assert not any("tried again" in each.text for each in rig.table.notices.all)


def test_a_broken_league_holds_up_no_game(rig, roles, league, keeper, told, tmp_path):
    rig.to_first_day()
    end(rig, roles)
    league.close()
    for each in tmp_path.glob("league.db*"):
        each.unlink()
    (tmp_path / "league.db").write_bytes(b"no database at all" * 100)
    rig.all_hold()
    keeper.work()
    assert rig.phase is Phase.SEATING
    assert told[0].fault


def test_a_journal_that_cannot_be_read_keeps_no_other_waiting(
    tmp_path, league, keeper_of, told, monkeypatch
):
    folder = tmp_path / "journal"
    for name in ("g1", "g2"):
        write_journal(folder, golden_rows(game=name))
    (folder / "current").write_text(".")

    def disk(path):
        if path.stem == "g2":
            raise JournalError("the disk does not answer")
        return examine(path)

    monkeypatch.setattr(games_keeper, "examine", disk)
    keeper = keeper_of(folder)
    keeper.work()
    assert told == [Unkept("the disk does not answer")]
    keeper.work()
    assert [game for game, _ in games(league)] == ["g1"]
    monkeypatch.undo()
    keeper.work()
    assert {game for game, _ in games(league)} == {"g1", "g2"}


def test_a_fault_of_our_own_does_not_end_it_and_is_told(
    tmp_path, league, keeper_of, told, monkeypatch, caplog
):
    folder = tmp_path / "journal"
    write_journal(folder, golden_rows(game="g1"))
    (folder / "current").write_text(".")

    def mistaken(path):
        raise KeyError(path.stem)

    monkeypatch.setattr(games_keeper, "examine", mistaken)
    keeper = keeper_of(folder)
    keeper.work()
    assert told == [Unkept("KeyError('g1')")]
    assert "Traceback" in caplog.text
    monkeypatch.undo()
    keeper.work()
    assert games(league) == [("g1", Winner.TOWN)]
    assert told[1:] == [Unkept("")]


def test_a_game_waits_until_it_is_kept_or_known_to_have_no_end(
    tmp_path, league, keeper_of, monkeypatch
):
    folder = tmp_path / "journal"
    write_journal(folder, golden_rows(game="g1"))
    write_journal(folder, golden_rows(game="g2")[:200])
    (folder / "current").write_text(".")
    keeper = keeper_of(folder)
    assert keeper.waits("g1")
    assert not keeper.waits("g3")

    def looked_at(path):
        assert keeper.waits(path.stem)
        return examine(path)

    monkeypatch.setattr(games_keeper, "examine", looked_at)
    keeper.work()
    keeper.work()
    assert not keeper.waits("g1")
    assert not keeper.waits("g2")


def test_its_own_thread_keeps_what_is_named_and_ends(tmp_path, league, keeper_of):
    folder = tmp_path / "journal"
    write_journal(folder, golden_rows(game="g1"))
    (folder / "current").write_text("g1")
    keeper = keeper_of(folder)
    keeper.start()
    keeper.take("g1")
    keeper.close()
    assert games(league) == [("g1", Winner.TOWN)]
    assert not keeper._thread.is_alive()

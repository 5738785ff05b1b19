"""Finished games of a real table that is killed get into the league, each exactly once."""

import stat

import pytest

from firmware.clock import SystemClock
from table_controller.game import Winner
from table_controller.league import open_league
from tests.e2e.test_host_door import Table
from tests.table_controller.golden_record import golden, golden_rows, write_journal

OVER, RUNNING = ("20261130-180000-1", "20261130-190000-1"), "20261130-200000-1"
DEADLINE_S = 60.0
KILLS = 4


@pytest.fixture
def table(tmp_path):
    made = Table(tmp_path)
    folder = tmp_path / "data" / "journal"
    (tmp_path / "data").mkdir(mode=0o700)
    for game in OVER:
        write_journal(folder, golden_rows(game=game))
    yield made
    if made.process is not None and made.process.poll() is None:
        kill(made)
    made._log.close()


def kept(table):
    league = open_league(table.folder / "data" / "league.db", SystemClock())
    try:
        games = {each.game: each for each in league.games.list()}
        return games, league.games.rows(), [league.games.history(game) for game in games]
    finally:
        league.close()


def until_all_are_kept(table, count):
    clock = SystemClock()
    end_s = clock.now_s() + DEADLINE_S
    while table.ask("GET", "/games")[1].count('href="/games/2026') < count:
        assert clock.now_s() < end_s, "they were not kept"


def kill(table):
    table.process.kill()
    table.process.wait(DEADLINE_S)
    table.process.stdout.close()


@pytest.mark.proof
def test_games_of_a_table_that_is_killed_again_and_again_are_kept_exactly_once(table):
    """The last game is over and the table is killed before, while and after it is kept."""
    (table.folder / "data" / "journal" / "current").write_text(OVER[1])
    for nth in range(KILLS):
        table.start()
        # Each time a little later in what the table does after its start.
        for _ in range(4 * nth):
            table.ask("GET", "/healthz")
        kill(table)
    table.start()
    until_all_are_kept(table, 2)
    kill(table)
    games, rows, histories = kept(table)
    assert {game: each.winner for game, each in games.items()} == dict.fromkeys(OVER, Winner.TOWN)
    assert [len(history) for history in histories] == [1, 1]
    worked = {seat: earned["max"] for seat, earned in golden()["points"].items()}
    for game in OVER:
        assert {str(row.seat): row.max for row in rows if row.game == game} == worked
    for path in (table.folder / "data").glob("league.db*"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.proof
def test_a_game_that_goes_on_is_not_in_the_league_of_a_table_that_was_killed(table):
    write_journal(table.folder / "data" / "journal", golden_rows(game=RUNNING)[:300])
    (table.folder / "data" / "journal" / "current").write_text(RUNNING)
    table.start()
    until_all_are_kept(table, 2)
    assert table.ask("GET", f"/games/{RUNNING}")[0] == 404
    kill(table)
    assert set(kept(table)[0]) == set(OVER)
    for path in (table.folder / "data").glob("league.db*"):
        assert RUNNING.encode() not in path.read_bytes()

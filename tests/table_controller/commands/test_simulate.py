"""``mafia-table simulate`` and the random players in it."""

import math

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from firmware.words import catalogue
from table_controller.__main__ import table
from table_controller.commands.simulate import Played, play, play_all, report, wilson
from table_controller.game import NORMAL, TURBO, Phase, Winner, apply, new_game
from table_controller.game import actions as do
from table_controller.game import events as ev
from table_controller.random_players import Players


@pytest.fixture
def simulate():
    """Runs the command; returns exit code, stdout, stderr."""

    def run(*options):
        done = CliRunner().invoke(table, ["simulate", *map(str, options)])
        return done.exit_code, done.stdout, done.stderr

    return run


# ---- the players ----


@pytest.mark.parametrize("ruleset", [NORMAL, TURBO], ids=["normal", "turbo"])
def test_random_players_play_every_game_to_its_end_by_the_rules(ruleset):
    seen = set()
    for number in range(120):
        players, state = Players(f"whole {number}"), new_game(ruleset)
        for _ in range(3000):
            if state.phase is Phase.OVER:
                break
            for action in players.moves(state).actions:
                state, told = apply(state, action)
                seen |= {type(event) for event in told}
        assert state.decided is not None
    wanted = {ev.ShoutBegan, ev.BallotClosed, ev.LiftCalled, ev.MissAnnounced, ev.CrownGiven}
    assert wanted <= seen


def test_the_same_seed_plays_the_same_game():
    assert play(NORMAL, "a") == play(NORMAL, "a")
    assert play(NORMAL, "a") != play(NORMAL, "b")


def test_the_time_at_the_table_is_that_of_the_clocks():
    players, state = Players("time"), new_game(NORMAL)
    spent = {}
    while state.phase is not Phase.SPEECH:
        moves = players.moves(state)
        spent[state.phase] = spent.get(state.phase, 0) + moves.took_s
        for action in moves.actions:
            state, _ = apply(state, action)
    assert spent == {
        Phase.SEATING: 0,
        Phase.DEALING: 0,
        Phase.LOOK: 15,
        Phase.NIGHTFALL: 10,
        Phase.MEETING: 60,
        Phase.REST: 20,
        Phase.MORNING: 5,
    }


def test_a_shout_takes_its_time_from_nobody():
    players, state = Players("shouts"), new_game(NORMAL)
    for _ in range(3000):
        moves = players.moves(state)
        if isinstance(moves.actions[0], do.Shout) and isinstance(moves.actions[-1], do.Expire):
            break
        for action in moves.actions:
            state, _ = apply(state, action)
    assert state.clock is not None
    assert moves.took_s == state.clock.length_s + 5


def test_a_night_takes_its_calls_and_everybody_presses_once_a_round():
    players, state = Players("night"), new_game(NORMAL)
    pressed, took_s = [], 0.0
    while not state.nights or state.phase is not Phase.MORNING:
        night = state.phase in (Phase.CALLING, Phase.GATHERING)
        moves = players.moves(state)
        for action in moves.actions:
            state, told = apply(state, action)
            pressed += [event.seat for event in told if isinstance(event, ev.NightPressed)]
        took_s += moves.took_s if night else 0
    living = len(state.living)
    assert sorted(pressed) == sorted(3 * list(state.living))
    assert took_s == pytest.approx(3 * (living * 2.5 + 0.3 + 1))


# ---- the sums ----


@pytest.mark.parametrize(
    ("hits", "tries", "low", "high"),
    [
        # Worked by hand from (p + z2/2n -+ z sqrt(p(1-p)/n + z2/4n2)) / (1 + z2/n), z2 = 3.8415.
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
        (50, 100, 0.4038, 0.5962),
        (1, 1000, 0.0002, 0.0056),
    ],
)
def test_wilson_interval(hits, tries, low, high):
    assert wilson(hits, tries) == pytest.approx((low, high), abs=6e-5)


def test_an_interval_of_shares_is_within_0_and_1():
    for tries in range(1, 200):
        assert wilson(0, tries)[0] >= 0.0
        assert wilson(tries, tries)[1] <= 1.0


def played(winner=Winner.TOWN, **what):
    defaults = {"days": 3, "table_s": 1800.0, "nights": 2, "misses": 0, "lifts": 0}
    return Played(winner, **(defaults | {"lifts_passed": 0, "singles": 0} | what))


def lines_of(games):
    return {
        line.split("  ")[0]: line.split()
        for line in report(games, catalogue("en")).splitlines()
        if line
    }


def test_the_report_counts_games_and_nights():
    games = [
        played(lifts=2, lifts_passed=1),
        played(Winner.MAFIA, misses=2, days=5, table_s=3000.0),
        played(Winner.MAFIA, lifts=1, singles=2, days=4, table_s=2400.0),
        played(Winner.DRAW, misses=3, nights=4, days=4, table_s=2400.0),
    ]
    told = lines_of(games)
    assert told["The town wins"][3:5] == ["1", "25.0%"]
    assert told["The mafia wins"][3:5] == ["2", "50.0%"]
    assert told["A draw"][2:4] == ["1", "25.0%"]
    assert told["with a lift"][3:5] == ["2", "50.0%"]
    assert told["with a lift that passed"][5:7] == ["1", "25.0%"]
    assert told["with a miss"][3:5] == ["2", "50.0%"]
    assert told["with a single nominee who left"][6:8] == ["1", "25.0%"]
    assert told["missed"][1:3] == ["5", "50.0%"]
    assert told["days"][1:] == ["4.0", "4", "3", "-", "5"]
    assert told["table minutes"][2:] == ["40.0", "40", "30", "-", "50"]


def test_a_game_without_a_shooting_night_divides_by_nothing():
    assert "missed" not in lines_of([played(nights=0)])


def test_played_games_are_what_the_engine_says():
    games = play_all(NORMAL, range(60), 7)
    for number, game in enumerate(games):
        state, table_s, _ = play(NORMAL, f"7 {number}")
        assert (game.winner, game.days, game.nights) == (
            state.decided, state.day, len(state.nights),
        )  # fmt: skip
        assert game.table_s == table_s
        assert game.misses == sum(night.hit is None for night in state.nights)
        lifts = [ballot for ballot in state.ballots if ballot.kind == "lift"]
        assert (game.lifts, game.lifts_passed) == (
            len(lifts), sum(ballot.top != () for ballot in lifts),
        )  # fmt: skip
        assert math.isfinite(table_s)
    assert {game.winner for game in games} >= {Winner.TOWN, Winner.MAFIA}
    assert any(game.lifts for game in games)
    assert any(game.singles for game in games)


def test_a_rule_change_is_seen():
    never = replace(NORMAL, single_leaves_from_day=20)
    assert any(game.singles for game in play_all(NORMAL, range(40), 1))
    assert not any(game.singles for game in play_all(never, range(40), 1))


# ---- the command ----


def test_the_command_tells_the_same_for_the_same_seed(simulate):
    code, told, _ = simulate("--games", 12, "--seed", 5)
    assert code == 0
    assert told.startswith("12 random games, mode normal, seed 5\n")
    assert simulate("--games", 12, "--seed", 5)[1] == told
    assert simulate("--games", 12, "--seed", 6)[1] != told


def test_without_a_seed_one_is_drawn_and_told_so_that_it_can_be_played_again(simulate):
    _, told, _ = simulate("--games", 5)
    seed = told.splitlines()[0].rpartition(" ")[2]
    assert simulate("--games", 5, "--seed", seed)[1] == told


def test_the_progress_is_not_in_the_result(simulate):
    _, told, progress = simulate("--games", 3, "--seed", 1)
    assert "playing" in progress
    assert "playing" not in told


def test_turbo_games_are_shorter(simulate):
    def minutes(told):
        (line,) = [line for line in told.splitlines() if line.startswith("table minutes")]
        return float(line.split()[2])

    normal = minutes(simulate("--games", 20, "--seed", 1)[1])
    _, told, _ = simulate("--games", 20, "--seed", 1, "--turbo")
    assert "mode turbo" in told
    assert minutes(told) < 0.7 * normal


def test_a_file_of_rules_is_played(simulate, tmp_path):
    path = tmp_path / "club.toml"
    path.write_text("single_leaves_from_day = 20")
    _, told, _ = simulate("--games", 30, "--seed", 1, "--ruleset", path)
    (line,) = [line for line in told.splitlines() if line.startswith("with a single")]
    assert line.split()[6:8] == ["0", "0.0%"]


@pytest.mark.parametrize("games", [0, -1, "x", 10**8])
def test_a_wrong_number_of_games_is_a_usage_error(simulate, games):
    assert simulate("--games", games)[0] == 2


def test_the_report_is_spoken_in_russian(simulate):
    code, told, _ = simulate("--games", 3, "--seed", 1, "--language", "ru")
    assert code == 0
    assert told.startswith("Случайных игр: 3, режим normal, зерно 1\n")
    assert "Победа города" in told

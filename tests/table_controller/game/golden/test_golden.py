"""The whole games of tests/golden/games, and of the folder in MAFIA_GAMES, played in process.

What seats and host do and what must come out stands in the file; ``form.py``
reads it, ``player.py`` plays it.
"""

import itertools
import json
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from table_controller.game import events as ev
from table_controller.game import replay
from table_controller.game.model import IllegalAction
from table_controller.game.ruleset import MODES, Mode
from table_controller.game.scoring import Row, score
from tests.table_controller.game.golden.form import Game, at, read

OURS = sorted((Path(__file__).parents[3] / "golden" / "games").glob("*.json"))
THEIRS = os.environ.get("MAFIA_GAMES")
GAMES = OURS + (sorted(Path(THEIRS).glob("*.json")) if THEIRS else [])


def golden(path: Path) -> Game:
    try:
        return read(path.read_bytes())
    except ValueError as error:
        raise AssertionError(f"{path}: {error}") from error


def check(game: Game, play: Any) -> None:
    """Compare the end of a game as it was played: winner, points, replay."""
    assert play.state.decided == game.winner
    assert (play.told(ev.GameVoided) != []) is (game.winner is None)
    assert replay(game.rules(), play.actions) == play.state
    items = score(game.rules(), play.events)
    assert items == score(game.rules(), play.state.course)
    assert set(items) == set(game.points)
    for seat, expected in game.points.items():
        came = Counter((item.classic, item.max) for item in items[seat])
        worked = Counter((classic, most) for _, classic, most in expected.items)
        del came[0, 0], worked[0, 0]
        assert came == worked, f"seat {seat}: {items[seat]}"


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_golden_game_comes_out_as_worked_by_hand(path, play_golden):
    game = golden(path)
    check(game, play_golden(game))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_pauses_and_corrections_by_the_host_change_nothing(path, play_golden):
    game = golden(path)
    play = play_golden(game, disturbed=True)
    check(game, play)
    assert len(play.told(ev.Paused)) > 20


def test_the_folder_of_other_golden_games_holds_some():
    if THEIRS is not None:
        assert [path for path in GAMES if path not in OURS], f"MAFIA_GAMES: no games in {THEIRS}"


def test_the_golden_games_hold_every_event_row_and_flag(play_golden):
    events, rows, changed = set(), set(), set()
    amounts = msgspec.to_builtins(MODES[Mode.NORMAL].points)
    for path in OURS:
        game = golden(path)
        changed |= set(game.ruleset) | {game.mode}
        for disturbed in (False, True):
            play = play_golden(game, disturbed=disturbed)
            events |= {type(event) for event in play.events}
        for item in itertools.chain(*score(game.rules(), play.events).values()):
            gave = (item.row, item.classic, item.max)
            rows |= {name for name, both in amounts.items() if of_row(name, both) == gave}
    assert set(ev.Event.__args__) - events == set()
    assert set(amounts) - rows == set()
    assert changed == FLAGS | {Mode.NORMAL, Mode.TURBO}


FLAGS = {
    "few_left_short_speech",
    "lift_two_of_four",
    "lift_three_of_nine",
    "draw_after_idle_nights",
    "critical_vote_ends_game",
    "dq_cancels_vote",
    "presence_at_night",
}


def of_row(name: str, amounts: list[int]) -> tuple[Any, ...]:
    row = re.sub(r"_decisive$|_n[12]$|_town$|_mafia$|(?<=_[ab])[123]$", "", name)
    return (row if row in list(Row) else name, *amounts)


# ---- the player of them finds what is wrong ----


@pytest.fixture
def first() -> dict[str, Any]:
    return json.loads(OURS[0].read_text("utf-8"))


OTHER_COURSES = {
    "another order of speeches": at("days/1/speech_order", [3, 4, 5, 6, 7, 8, 10, 1, 2]),
    "another seat silenced": at("days/2/silenced", [4]),
    "another reading": at("days/1/mistakes_left_true", 2),
    "another public reading": at("days/2/mistakes_left_public", 1),
    "another hit": at("nights/1/hit", 8),
    "another miss": at("nights/2/hit", 4),
    "another answer": at("nights/1/sheriff_check/answer", "town"),
    "no answer": at("nights/1/don_check", None),
    "another top": at("days/0/ballots/0/top", [6]),
    "another automatic vote": at("days/0/ballots/0/automatic", []),
    "another decisive vote": at("days/1/ballots/0/decisive", [3, 4, 6]),
    "a lift with fewer": at("days/2/ballots/2/living", 9),
    "a lift that passes": at("days/0/ballots/2/passed", True),
    "another list": at("days/0/ballots/0/candidates", [2, 6]),
    "another leaver": at("days/1/leave", [8]),
    "another order of leaving": at("days/2/leave", [4, 5]),
    "others left": at("days/2/living_after/town", 4),
    "a ballot dropped": at("days/0/ballots/0/dropped", True),
    "no farewell": at("days/1/farewell_of_the_shot", None),
    "another farewell": at("days/1/farewells/0/seat", 8),
    "a farewell cut": at("days/1/farewells/0/void", True),
    "another winner": at("winner", "mafia"),
    "a day too many": lambda game: game["days"].append({"day": 6}),
    "a day missing": lambda game: game["days"].pop(),
    "a night missing": lambda game: game["nights"].pop(),
    "a ballot too many": lambda game: game["days"][1]["ballots"].append(
        {"kind": "lift", "candidates": [7], "yes": []}
    ),
    "a shout that never came": lambda game: game["days"][1]["shouts"].append(
        {"seat": 1, "during": "farewell 3"}
    ),
    "a ruling that never came": lambda game: game["days"][1]["rulings"].append(
        {"kind": "withdrawal", "seat": 1, "when": "after speech 9", "by": "host"}
    ),
    "a press of a number that is not called": at("nights/2/shots/2", [9]),
    "an item too many": lambda game: game["points"]["2"].update(
        items=[*game["points"]["2"]["items"], ["a", 5, 5]], classic=15, max=5
    ),
}


GAPS_OF_D3 = (
    "before speeches",
    "after speech 4",
    "before ballot",
    "after ballot 1",
    "after farewell 5",
    "evening",
)


def test_what_costs_nothing_in_any_gap_changes_nothing(first, play_golden):
    day = first["days"][2]
    day["shouts"] = [
        {"seat": seat, "during": when}
        for seat, when in zip((1, 2, 3, 1, 6, 8), GAPS_OF_D3, strict=True)
    ]
    day["shouts"] += [{"seat": 10, "during": "tie speech 4"}, {"seat": 10, "during": "lift"}]
    accused = {"kind": "technical_foul", "seat": 8, "offence": "insults", "yes": [3]}
    rude = {"kind": "disqualification", "seat": 1, "offence": "forbidden_gesture", "yes": [2]}
    stopped = {"kind": "opponent_victory", "seat": 8, "put_by": "host", "yes": [2]}
    day["rulings"] = [
        accused
        | {"when": "after ballot 1", "grounds": {"from": "seat", "seat": 1, "confirmed_by": 2}}
    ]
    for when in GAPS_OF_D3:
        day["rulings"] += [
            rude | {"when": when, "grounds": {"from": "host"}},
            stopped | {"when": when},
        ]
    game = read(json.dumps(first))
    play = play_golden(game)
    assert len([motion for motion in play.told(ev.MotionClosed) if motion.yes]) == 13
    check(game, play)


def test_rulings_and_motions_of_a_gap_come_in_order(first, play_golden):
    day = first["days"][4]  # Three living: 10, 2 mafia, 3.
    foul = {"kind": "technical_foul", "when": "after speech 2"}
    motion = {"offence": "bets", "grounds": {"from": "host"}}
    day["rulings"] = [
        foul | motion | {"seat": 10, "yes": [2, 3]},
        foul | {"seat": 3, "by": "host", "offence": "insults"},
        foul | motion | {"seat": 2, "yes": [10]},
        foul | {"seat": 8, "by": "host", "offence": "insults"},
        foul | {"kind": "void", "by": "host"},
    ]
    del foul["kind"]
    day["ballots"], day["leave"], day["farewells"] = [], [], []
    del day["living_after"]
    first |= {"winner": None, "points": {}}
    play = play_golden(read(json.dumps(first)))
    given = [(event.seat, event.by_host) for event in play.told(ev.TechnicalFoulGiven)]
    assert given == [(1, True), (10, False), (3, True), (8, True)]


ENDINGS = {
    # What of the ballots and of the farewells of D3 has come by then.
    "morning": (0, 0),
    "before speeches": (0, 0),
    "speech 4": (0, 0),
    "after speech 4": (0, 0),
    "before ballot": (0, 0),
    "in ballot 1": (1, 0),
    "after ballot 1": (1, 0),
    "tie speech 4": (1, 0),
    "in ballot 2": (2, 0),
    "lift": (3, 0),
    "farewell 5": (3, 1),
    "after farewell 5": (3, 1),
    "farewell 4": (3, 2),
    "evening": (3, 2),
}


@pytest.mark.parametrize("when", ENDINGS)
def test_the_host_can_end_the_game_at_every_moment_of_a_day(when, first, play_golden):
    ballots, farewells = ENDINGS[when]
    del first["days"][3:], first["nights"][3:]
    day = first["days"][2]
    day["rulings"] = [{"kind": "void", "when": when}]
    day["leave"] = day["leave"] if farewells else []
    day["nominations"] = [pair for pair in day["nominations"] if ballots or pair[0] == 4]
    del day["living_after"], day["ballots"][ballots:], day["farewells"][farewells:]
    if when in ("morning", "before speeches"):
        day["nominations"] = []
    first |= {"winner": None, "points": {}}
    game = read(json.dumps(first))
    play = play_golden(game)
    check(game, play)
    assert play.state.day == 3


@pytest.mark.parametrize("name", OTHER_COURSES)
def test_a_golden_game_that_says_otherwise_fails(name, first, play_golden):
    days = first["days"]
    days[0]["ballots"][0].setdefault("dropped", False)
    days[1]["farewells"][0].setdefault("void", False)
    OTHER_COURSES[name](first)
    game = read(json.dumps(first))
    with pytest.raises((AssertionError, IllegalAction)):
        check(game, play_golden(game))

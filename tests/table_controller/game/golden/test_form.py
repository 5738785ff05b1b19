"""A golden file that does not keep the form fails with what is wrong and where."""

import json
import re
from pathlib import Path

import pytest

from tests.table_controller.game.golden.form import at, read

GAME = Path(__file__).parents[3] / "golden" / "games" / "game-1.json"


@pytest.fixture
def game():
    return json.loads(GAME.read_text("utf-8"))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (at("roles/1", "judge"), "Invalid enum value 'judge' - at `$.roles[...]`"),
        (at("roles/1", "don"), "roles: expected all ten seats and the cards of a game"),
        (lambda game: game.pop("winner"), "missing required field `winner`"),
        (lambda game: game.update(notes=1), "unknown field `notes`"),
        (lambda game: game["days"][0].update(nominatons=[]), "unknown field `nominatons`"),
        (at("mode", "fast"), "Invalid enum value 'fast' - at `$.mode`"),
        (at("days/1/day", 3), "days: expected 1, 2, 3 ..."),
        (at("nights/2/night", 1), "nights: expected 0, 1, 2 ..."),
        (at("days/0/nominations", [[2, 11]]), "<= 10 - at `$.days[0].nominations[0][1]`"),
        (at("days/0/nominations", [[2]]), "of length 2 - at `$.days[0].nominations[0]`"),
        (at("days/0/ballots/0/kind", "poll"), "Invalid enum value 'poll'"),
        (at("days/0/ballots/0/presses", {"7": [1]}), "presses: [7] are no candidates"),
        (at("days/0/ballots/2/yes", None), "a lift has yes, a vote or revote has presses"),
        (at("days/0/leave", 6), "Expected `array`, got `int` - at `$.days[0].leave`"),
        (at("days/1/shouts/0/during_speech_of", None), "a shout has during_speech_of or during"),
        (
            at("days/1/shouts/0", {"seat": 1, "during": "lunch"}),
            "during: expected a moment of the day, found 'lunch'",
        ),
        (
            at("days/1/shouts/0", {"seat": 1, "during": "morning", "by": "host", "presses_s": [0]}),
            "a shout that the host enters has no presses_s",
        ),
        (at("days/1/rulings/0/when", "before lunch"), "'before lunch' is no moment for a"),
        (at("days/1/rulings/0/offence", "yawning"), "Invalid enum value 'yawning'"),
        (at("days/1/rulings/0/by", None), "expected by (the host) or yes (a motion)"),
        (at("days/1/rulings/0/kind", "void"), "void: a void names no seat"),
        (at("days/1/rulings/0/kind", "opponent_victory"), 'expected put_by "host" and yes'),
        (lambda game: game["days"][1]["rulings"][0].pop("offence"), "technical_foul: no offence"),
        (
            lambda game: game["days"][1]["rulings"][0].update(grounds={"from": "host"}),
            "a motion, and no ruling of the host, has grounds",
        ),
        (
            at(
                "days/1/rulings/0",
                {"kind": "technical_foul", "seat": 1, "when": "before ballot", "yes": [2]}
                | {"offence": "insults", "grounds": {"from": "seat"}},
            ),
            "grounds from a seat name the seat that accuses",
        ),
        (at("nights/1/shots", None), "a shooting night has shots, night 0 has none"),
        (
            lambda game: game["nights"][1].update(
                rulings=[{"kind": "void", "when": "evening", "by": "host"}]
            ),
            "'evening' is no moment for a void at night",
        ),
        (at("nights/1/don_check", {"answer": "sheriff"}), "a check has target or pressed"),
        (at("nights/1/don_check/answer", "yes"), "Invalid enum value 'yes'"),
        (at("points/1/classic", 116), "the items give (115, 170), not (116, 170)"),
        (lambda game: game["points"].pop("1"), "points: expected all ten seats"),
        (lambda game: game.update(ruleset={"speech": 5}), "ruleset: ['speech'] are no flags"),
        (
            lambda game: game.update(ruleset={"dq_cancels_vote": 5}),
            "Expected `bool`, got `int` - at `$.dq_cancels_vote`",
        ),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_a_malformed_golden_game_fails_with_what_is_wrong(change, says, game):
    change(game)
    with pytest.raises(ValueError, match=re.escape(says)):
        read(json.dumps(game))


@pytest.mark.parametrize("text", ["", "[]", '{"mode": "normal"', "null"])
def test_a_file_that_is_no_golden_game_fails(text):
    with pytest.raises(ValueError, match=r"Expected|truncated"):
        read(text)

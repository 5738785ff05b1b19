"""The ruleset: every number of RULES in both modes, what a file may change, and what not."""

import math

import msgspec
import pytest
from msgspec.structs import asdict, replace

from table_controller.game import NORMAL, TURBO, Ruleset
from table_controller.game.opening import DECK
from table_controller.game.rulefile import RulesetError, Standing, lines, parse
from table_controller.game.ruleset import Mode
from table_controller.game.setting import as_toml

NUMBERS = {
    # RULES 1 and 2: (normal, turbo), or one for both.
    "citizens": 6,
    "sheriffs": 1,
    "mafia": 2,
    "dons": 1,
    "look_s": (15, 10),
    "nightfall_s": (10, 6),
    "meeting_s": 60,
    "rest_s": (20, 10),
    "morning_s": 5,
    "speech_s": (60, 25),
    "silent_s": (15, 10),
    "pick_grace_s": 3,
    "farewell_s": (60, 25),
    "farewell_picks_s": (15, 10),
    "best_move_max": 3,
    "draw_after_idle_nights": 3,
    "critical_vote_ends_game": False,
    "shout_s": (5, 3),
    "fouls_to_silence": 3,
    "few_left_short_speech": False,
    "few_left": 4,
    "few_left_speech_s": (30, 12),
    "single_leaves_from_day": 2,
    "read_name_s": (2, 1),
    "ballot_s": (5, 3),
    "ballot_gap_s": 0.5,
    "roll_call_s": 20,
    "tie_speech_s": (30, 15),
    "lift_s": (5, 3),
    "lift_two_of_four": True,
    "lift_three_of_nine": True,
    "call_s": (2.5, 2),
    "call_guard_s": 0.3,
    "gather_s": 1,
    "away_s": 15,
    "presence_at_night": False,
    "accusation_s": 5,
    "motion_s": (15, 10),
    "motion_share": [1, 2],
    "opponent_victory_share": [2, 3],
    "technical_fouls_to_disqualify": 2,
    "dq_cancels_vote": True,
    # RULES 4: [Classic, Max].
    "points.win_town": [100, 135],
    "points.win_mafia": [100, 85],
    "points.loss": [0, 0],
    "points.draw": [0, 0],
    "points.vote_mafia": [10, 15],
    "points.vote_mafia_decisive": [20, 30],
    "points.vote_citizen": [-5, -5],
    "points.vote_citizen_decisive": [-15, -15],
    "points.vote_sheriff": [-10, -10],
    "points.vote_sheriff_decisive": [-20, -20],
    "points.vote_town": [10, 10],
    "points.vote_town_decisive": [20, 20],
    "points.vote_mate": [-5, -10],
    "points.vote_mate_decisive": [-10, -20],
    "points.best_move_a1": [15, 20],
    "points.best_move_a2": [40, 50],
    "points.best_move_a3": [65, 80],
    "points.best_move_b1": [5, 10],
    "points.best_move_b2": [15, 20],
    "points.best_move_b3": [30, 40],
    "points.sheriff_finds_n1": [15, 20],
    "points.sheriff_finds_n2": [5, 10],
    "points.don_finds_n1": [10, 10],
    "points.don_finds_n2": [5, 5],
    "points.sheriff_shot_n1": [15, 15],
    "points.miss": [-10, -20],
    "points.technical_foul": [-10, -10],
    "points.disqualification": [-50, -50],
    "points.opponent_victory": [-70, -70],
}

FIXED = {
    "citizens", "sheriffs", "mafia", "dons", "meeting_s", "speech_s", "farewell_s",
    "fouls_to_silence", "away_s", "technical_fouls_to_disqualify", "points.win_town",
    "points.win_mafia",
}  # fmt: skip
"""Source: RULES, head."""


def written(key, value):
    """Return a file in which *key* has *value*."""
    text = str(value).replace("True", "true").replace("False", "false")
    table, _, name = key.rpartition(".")
    return f"[{table}]\n{name} = {text}" if table else f"{name} = {text}"


@pytest.mark.parametrize("ruleset", [NORMAL, TURBO], ids=["normal", "turbo"])
def test_every_number_is_that_of_the_rules(ruleset):
    turbo = ruleset.mode is Mode.TURBO
    expected = {
        key: both[turbo] if isinstance(both, tuple) else both for key, both in NUMBERS.items()
    }
    found = {
        line.key: list(line.value) if isinstance(line.value, tuple) else line.value
        for line in lines(ruleset)
    }
    assert found == expected
    assert {key: type(value) for key, value in found.items()} == {
        line.key: list if isinstance(line.default, tuple) else type(line.default)
        for line in lines(ruleset)
    }


def test_every_field_is_told_with_meaning_and_what_is_fixed():
    told = {line.key: line.setting for line in lines(NORMAL)}
    fields = {*asdict(NORMAL), *(f"points.{row}" for row in asdict(NORMAL.points))}
    assert set(told) == fields - {"mode", "points"}
    assert {key for key, setting in told.items() if setting.fixed} == FIXED
    assert all(setting.meaning for setting in told.values())
    assert {setting.unit for key, setting in told.items() if key.endswith("_s")} == {"s"}


def test_the_deck_is_that_of_the_ruleset():
    assert sorted(DECK) == ["citizen"] * 6 + ["don"] + ["mafia"] * 2 + ["sheriff"]


# ---- a file ----


def test_an_empty_file_is_the_default_of_the_mode():
    assert parse("") == NORMAL
    assert parse("", Mode.TURBO) == TURBO
    assert parse('mode = "turbo"') == TURBO
    assert parse('mode = "turbo"', Mode.TURBO) == TURBO


def test_a_file_changes_what_it_names_and_nothing_else():
    text = "lift_two_of_four = false\nsilent_s = 20\n[points]\nmiss = [-10, -10]\n"
    points = replace(NORMAL.points, miss=(-10, -10))
    assert parse(text) == replace(NORMAL, lift_two_of_four=False, silent_s=20.0, points=points)
    assert isinstance(parse(text).silent_s, float)
    points = replace(TURBO.points, miss=(-10, -10))
    assert parse(text, Mode.TURBO) == replace(
        TURBO, lift_two_of_four=False, silent_s=20.0, points=points
    )


@pytest.mark.parametrize("key", sorted(NUMBERS))
def test_what_is_in_force_can_be_written_in_a_file(key):
    for ruleset in (NORMAL, TURBO):
        value = next(line.value for line in lines(ruleset) if line.key == key)
        text = written(key, list(value) if isinstance(value, tuple) else value)
        assert parse(text, ruleset.mode) == ruleset


@pytest.mark.parametrize("key", sorted(NUMBERS.keys() - FIXED))
def test_a_default_can_be_changed_within_its_limits_and_not_beyond(key):
    line = next(line for line in lines(NORMAL) if line.key == key)
    low, high = line.setting.low, line.setting.high
    if isinstance(line.default, bool):
        good, wrong = [not line.default], [0, 1, '"true"', []]
    elif isinstance(line.default, tuple):
        low, high = int(low), int(high)
        good = [[low, high]]
        wrong = [
            [low - 1, high],
            [low, high + 1],
            [low],
            [low, high, high],
            low,
            [0.5, 1],
            [True, 2],
        ]
    elif isinstance(line.default, int):
        good = [int(low), int(high)]
        wrong = [int(low) - 1, int(high) + 1, 1.0, True, '"1"', "nan", 10**400]
    else:
        good = [high] if key == "call_s" else [low]
        wrong = [
            math.nextafter(low, -1),
            high + 0.001,
            -1,
            "nan",
            "inf",
            "-inf",
            True,
            '"5"',
            10**400,
        ]
    for value in good:
        taken = next(line.value for line in lines(parse(written(key, value))) if line.key == key)
        assert taken == (tuple(value) if isinstance(value, list) else value)
    for value in wrong:
        with pytest.raises(RulesetError, match=rf"^{key} = .*: expected ") as refused:
            parse(written(key, value))
        assert refused.value.key == key
        assert len(str(refused.value)) < 160


@pytest.mark.parametrize("key", sorted(FIXED))
def test_what_is_fixed_cannot_be_changed(key):
    for value in (0, 4, 61.5, [1, 2], [100, 100], "nan", "inf", "true", 10**30):
        with pytest.raises(RulesetError, match=rf"{key} = .*: expected .*, which is fixed"):
            parse(written(key, value))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("speech_s = 0", "speech_s = 0: expected 60, which is fixed"),
        ("mafia = 4", "mafia = 4: expected 2, which is fixed"),
        ("silent_s = 0", "silent_s = 0: expected a number from 1 to 600 s"),
        ("silent_s = true", "silent_s = True: expected a number from 1 to 600 s"),
        ("silnt_s = 20", "silnt_s = 20: unknown key, expected one of silent_s"),
        ("xyz = 1", "xyz = 1: unknown key, expected one of accusation_s, away_s"),
        ("[points]\nmis = [1, 2]", "points.mis = [1, 2]: unknown key, expected one of miss"),
        ("points = 3", "points = 3: expected a table"),
        ('mode = "slow"', "mode = 'slow': expected normal or turbo"),
        ("mode = []", "mode = []: expected normal or turbo"),
        ("call_guard_s = 2.5", "call_guard_s = 2.5: expected less than call_s = 2.5"),
        ("few_left = 3.0", "few_left = 3.0: expected a whole number from 0 to 10"),
        ("lift_two_of_four = 1", "lift_two_of_four = 1: expected true or false"),
        ("motion_share = [2, 2]", "expected [a, b], whole numbers from 1 to 10 with a < b"),
        ("[silent_s]", "silent_s = {}: expected a number from 1 to 600 s"),
    ],
)
def test_an_error_names_key_value_and_what_is_allowed(text, says):
    with pytest.raises(RulesetError) as refused:
        parse(text)
    assert says in str(refused.value)


def test_the_mode_of_the_file_and_the_one_asked_for_must_agree():
    with pytest.raises(RulesetError, match="mode = 'normal': but turbo is asked for"):
        parse('mode = "normal"', Mode.TURBO)


@pytest.mark.parametrize(
    "text", ["silent_s =", "silent_s = 1\nsilent_s = 2", "a" * 9, "x = " + "[" * 5000]
)
def test_what_is_not_toml_is_a_value_error(text):
    with pytest.raises(ValueError, match=r"\w"):
        parse(text)


# ---- in the journal ----


def test_a_ruleset_survives_json_whole():
    changed = parse("silent_s = 20\n[points]\nmiss = [-1, -2]", Mode.TURBO)
    written = msgspec.json.encode(changed)
    assert msgspec.json.decode(written, type=Ruleset) == changed
    # All of it is written, the defaults too, so that later ones change no old game.
    assert set(msgspec.json.decode(written)) == set(Ruleset.__struct_fields__)


def test_later_limits_do_not_refuse_an_old_game():
    old = replace(NORMAL, silent_s=100_000.0, speech_s=61.0)
    assert msgspec.json.decode(msgspec.json.encode(old), type=Ruleset) == old


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (False, "false"),
        (60.0, "60"),
        (0.5, "0.5"),
        (3, "3"),
        ((-10, 5), "[-10, 5]"),
    ],
)
def test_a_value_is_told_as_a_file_has_it(value, text):
    assert as_toml(value) == text


def test_each_value_says_whether_it_is_fixed_a_default_or_the_clubs_own():
    told = {line.key: line.standing for line in lines(parse("silent_s = 20"))}
    assert told["silent_s"] is Standing.CHANGED
    assert told["speech_s"] is Standing.FIXED
    assert told["ballot_s"] is Standing.DEFAULT
    assert list(told.values()).count(Standing.CHANGED) == 1

"""The lights: what each state looks like, golden frames of a game, writes, failures."""

import itertools
import json
import math
from pathlib import Path

import msgspec
import pytest

from firmware.board import PHASE_PINS, SEAT_LIGHT_PINS, TableLights, mock_pins
from firmware.errors import BoardError
from firmware.words import LANGUAGES, catalogue
from table_controller.game import apply, new_game
from table_controller.game.model import Cause, Offence, Sanction, Source, Winner
from table_controller.game.public import PublicGrounds, PublicMotion
from table_controller.game.views import PublicPhase, PublicSeat, PublicView, public_view
from table_controller.lights import (
    NIGHT,
    RETRY_S,
    SIGNS,
    TINTS,
    Hue,
    Lights,
    Pattern,
    Sign,
    frame,
)
from tests.table_controller.game.conftest import dealt
from tests.table_controller.game.golden.form import read
from tests.table_controller.game.golden.player import Player

NOBODY = frozenset()
GOLDEN = Path(__file__).parents[1] / "golden" / "lights"
GAMES = Path(__file__).parents[1] / "golden" / "games"
PINS = (*SEAT_LIGHT_PINS, *PHASE_PINS)


def a_view(phase=PublicPhase.SPEECH, *, gone=(), ready=(), muted=(), crowned=(), **fields):
    seats = tuple(
        PublicSeat(
            seat=seat,
            living=seat not in gone,
            ready=seat in ready,
            fouls=0,
            silenced=seat in muted,
            cause=Cause.VOTE if seat in gone else None,
            crowns=(1,) if seat in crowned else (),
        )
        for seat in range(1, 11)
    )
    fields = {"day": 2, "night": 1, "paused": False} | fields
    return PublicView(phase=phase, seats=seats, **fields)


def grounds(seat):
    return PublicGrounds(seat, Offence.INSULTS, Sanction.TECHNICAL_FOUL, Source.HOST)


def at_night(**fields):
    return a_view(
        PublicPhase.NIGHT, gone=(3, 4), muted=(2,), crowned=(9,), floor=5, nominees=(6,),
        grounds=(grounds(10),), **fields,
    )  # fmt: skip


class Wall:
    """Lights that remember every frame they were given, and fail while told to."""

    def __init__(self):
        self.frames = []
        self.broken = False

    def set(self, values):
        self.frames.append(tuple(values))
        if self.broken:
            raise BoardError("light of seat 5 on GPIO13: no answer")


@pytest.fixture
def wall():
    return Wall()


@pytest.fixture
def pins():
    factory = mock_pins()
    yield factory
    factory.reset()


def show(lights, view, offline, at_s):
    lights.show(view, offline)
    lights.tick(at_s)


def run(lights, from_s, to_s):
    """Let time pass from one thing that is due to the next, as the table's loop does."""
    now_s = from_s
    while (now_s := max(lights.next_due_s(now_s), now_s + 1e-6)) < to_s:
        lights.tick(now_s)


# ---- what a seat shows ----


def test_a_seat_shows_each_of_its_states():
    view = a_view(
        PublicPhase.BALLOT, gone=(1,), muted=(5,), crowned=(6,), called=7, candidates=(7, 3),
        floor=8, grounds=(grounds(2),),
    )  # fmt: skip
    assert frame(view, frozenset({4})).seats == (
        Sign.OUT, Sign.GROUNDS, Sign.NOMINATED, Sign.OFFLINE, Sign.MUTED, Sign.CROWN,
        Sign.CALLED, Sign.FLOOR, Sign.PLAYS, Sign.PLAYS,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("first", "then"),
    [*itertools.pairwise(sign for sign in SIGNS if sign not in (Sign.NIGHT, Sign.READY))],
)
def test_of_two_states_the_first_of_the_table_is_shown(first, then):
    states = {
        Sign.FLOOR: {"floor": 4},
        Sign.CALLED: {"called": 4},
        Sign.GROUNDS: {"grounds": (grounds(4),)},
        Sign.OUT: {"gone": (4,)},
        Sign.NOMINATED: {"nominees": (4,)},
        Sign.MUTED: {"muted": (4,)},
        Sign.CROWN: {"crowned": (4,)},
    }
    view = a_view(**states.get(first, {}) | states.get(then, {}))
    offline = frozenset({4}) if Sign.OFFLINE in (first, then) else NOBODY
    assert frame(view, offline).seats[3] is first


def test_who_shouts_has_the_floor_beside_the_speaker():
    assert frame(a_view(floor=2, shout=4), NOBODY).seats.count(Sign.FLOOR) == 2


def test_who_says_farewell_is_lit_though_out():
    view = a_view(PublicPhase.FAREWELL, gone=(4,), floor=4)
    assert frame(view, NOBODY).seats[3] is Sign.FLOOR


def test_while_a_motion_is_open_only_its_accused_is_shown():
    motion = PublicMotion(Sanction.TECHNICAL_FOUL, 3, Offence.INSULTS, voters=9, needed=5)
    view = a_view(PublicPhase.MOTION, gone=(3,), motion=motion, grounds=(grounds(8),))
    seats = frame(view, NOBODY).seats
    assert [seat for seat, sign in enumerate(seats, 1) if sign is Sign.GROUNDS] == [3]


def test_before_the_deal_the_ready_are_lit():
    seats = frame(a_view(PublicPhase.SEATING, ready=(2, 9)), frozenset({9, 10})).seats
    assert [seat for seat, sign in enumerate(seats, 1) if sign is Sign.READY] == [2]
    assert [seat for seat, sign in enumerate(seats, 1) if sign is Sign.OFFLINE] == [9, 10]


# ---- how it looks ----


def over_time(sign):
    """What an eye sees of one sign: its levels, and for how long each lasts, over 8 s."""
    one = frame(a_view(), NOBODY)._replace(seats=(sign,))
    now_s, seen = 0.0, []
    while now_s < 8.0:
        due_s = min(one.change_s(now_s), 8.0)
        seen.append((round(due_s - now_s, 6), one.values(now_s)[0]))
        now_s = due_s + 1e-9
    return seen


@pytest.mark.parametrize(
    ("one", "other"),
    [*itertools.combinations((s for s in Sign if s not in (Sign.NIGHT, Sign.READY)), 2)],
)
def test_two_states_of_a_day_differ_on_a_light_of_one_colour(one, other):
    first, second = over_time(one), over_time(other)
    if len(first) == len(second) == 1:
        levels = sorted(level for _, level in (*first, *second))
        assert levels[1] >= 3 * levels[0], "levels that an eye takes for one"
    else:
        assert first != second
        assert SIGNS[one].pattern is not SIGNS[other].pattern


def test_every_pattern_is_used_and_every_light_is_dark_or_lit_long_enough_to_be_seen():
    assert {look.pattern for look in SIGNS.values()} == set(Pattern)
    for sign in Sign:
        assert all(length_s >= 0.1 for length_s, _ in over_time(sign)[:-1])


def test_the_tables_are_whole_and_what_they_say_is_translated():
    assert (set(SIGNS), set(TINTS)) == (set(Sign), set(Hue))
    meanings = [each.meaning for each in (*SIGNS.values(), *TINTS.values())]
    assert len(set(meanings)) == len(meanings)
    for language in LANGUAGES:
        told = [catalogue(language).gettext(meaning) for meaning in meanings]
        assert len(set(told)) == len(told)
        assert language == "en" or not set(told) & set(meanings)


def test_every_phase_has_a_colour_that_a_board_takes():
    for phase in PublicPhase:
        values = frame(a_view(phase), NOBODY).values(0.0)
        assert len(values) == 13
        assert all(0 <= value <= 1 for value in values)
        assert any(values[10:])
    assert len({tint.colour for tint in TINTS.values()}) == len(TINTS)


def test_the_lamp_tells_the_winner_and_nothing_before():
    over = [frame(a_view(PublicPhase.OVER, winner=w), NOBODY).phase for w in Winner]
    assert len(set(over)) == 3
    farewell = a_view(PublicPhase.FAREWELL, floor=4)
    assert frame(farewell, NOBODY).phase not in over


# ---- the night ----


def test_at_night_all_seats_are_equal_and_dim_and_nothing_blinks(wall):
    lights = Lights(wall)
    show(lights, at_night(), frozenset({1, 7}), 0.0)
    assert wall.frames[0][:10] == (NIGHT,) * 10
    assert lights.next_due_s(0.0) == math.inf
    run(lights, 0.0, 100.0)
    show(lights, at_night(paused=True), frozenset({2}), 100.0)
    assert len(wall.frames) == 1


def test_a_pause_shows_by_day_and_not_at_night():
    day = a_view()
    assert frame(msgspec.structs.replace(day, paused=True), NOBODY).phase is Hue.PAUSED
    assert frame(at_night(paused=True), NOBODY) == frame(at_night(), NOBODY)


# ---- golden frames ----


def told(shown):
    return {"lamp": shown.phase, "seats": " ".join(shown.seats)}


def frames_of(actions, ruleset):
    """The frames of a whole game, without repeats, each with the moment it came."""
    state, frames = new_game(ruleset), []
    for action in actions:
        state, _ = apply(state, action)
        view = public_view(state)
        shown = told(frame(view, NOBODY))
        if not frames or {key: frames[-1][key] for key in shown} != shown:
            frames.append({"phase": view.phase, "day": view.day, **shown})
    return frames


def compare(name, made, request):
    lines = ",\n".join(json.dumps(each) for each in made)
    text = f"[\n{lines}\n]\n"
    path = GOLDEN / name
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert json.loads(path.read_text(encoding="utf-8")) == json.loads(text)


GAMES_SHOWN = ("game-1.json", "game-2.json", "game-5.json")
"""A whole one, one with fouls, one with motions: every sign but an offline seat's."""


@pytest.mark.parametrize("name", GAMES_SHOWN)
def test_the_lights_of_a_golden_game_are_as_they_were(name, request):
    game = read((GAMES / name).read_bytes())
    play = dealt(game.rules(), tuple(game.roles[seat] for seat in range(1, 11)))
    Player(play, game).run()
    compare(name, frames_of(play.actions, game.rules()), request)


def test_the_golden_games_show_every_sign_and_every_hue():
    frames = [each for name in GAMES_SHOWN for each in json.loads((GOLDEN / name).read_text())]
    assert {sign for each in frames for sign in each["seats"].split()} == {*Sign} - {Sign.OFFLINE}
    assert {each["lamp"] for each in frames} >= {*Hue} - {Hue.PAUSED, Hue.MAFIA}


def test_the_looks_are_as_they_were(request):
    looks = [[sign, look.level, look.pattern] for sign, look in SIGNS.items()]
    compare("looks.json", looks + [[hue, tint.colour] for hue, tint in TINTS.items()], request)


def test_no_golden_frames_are_left_over():
    assert {path.name for path in GOLDEN.iterdir()} == {*GAMES_SHOWN, "looks.json"}


# ---- writing ----


def test_lights_are_written_only_when_they_change(wall):
    lights = Lights(wall)
    show(lights, a_view(floor=1), NOBODY, 0.0)
    show(lights, a_view(floor=1, ballots=()), NOBODY, 5.0)
    run(lights, 5.0, 3600.0)
    assert len(wall.frames) == 1
    show(lights, a_view(floor=2), NOBODY, 3600.0)
    assert wall.frames[1:] == [frame(a_view(floor=2), NOBODY).values(3600.0)]


def test_a_blink_is_a_write_at_each_of_its_changes_and_none_between(wall):
    lights = Lights(wall)
    show(lights, a_view(grounds=(grounds(3),)), NOBODY, 10.0)
    run(lights, 10.0, 19.9)
    assert [values[2] for values in wall.frames] == [1.0, 0.0] * 10
    show(lights, a_view(), NOBODY, 19.95)
    run(lights, 19.95, 40.0)
    assert len(wall.frames) == 21


def test_a_seat_that_is_called_blinks_on_the_pins(pins):
    lights = Lights(TableLights(pins))
    show(lights, a_view(PublicPhase.BALLOT, candidates=(4, 5), called=4), NOBODY, 8.0)
    for gpio in PINS:
        pins.pin(gpio).clear_states()
    run(lights, 8.0, 8.99)
    writes = [len(pins.pin(gpio).states) - 1 for gpio in PINS]
    assert writes == [0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0]


def test_public_symptom_38_fifty_restarts_end_in_the_right_colour_each_written_once(pins):
    """rpi_ws281x 349, fadecandy 112: flicker, and wrong colours after restarts."""
    phases = [*PublicPhase][:10]
    for start in range(50):
        view = a_view(phases[start % 10], floor=start % 11, gone=(1 + start % 9,))
        expected = frame(view, NOBODY).values(float(start))
        out = TableLights(pins)
        for gpio in PINS:
            pins.pin(gpio).clear_states()
        lights = Lights(out)
        show(lights, view, NOBODY, float(start))
        lights.tick(float(start))
        for gpio, value in zip(PINS, expected, strict=True):
            states = [each.state for each in pins.pin(gpio).states]
            assert states == ([0.0, value] if value else [0.0]), (start, gpio)
        # The plug is pulled: the pins keep what they show, or something else.
        if start % 2:
            for gpio in PINS:
                pins.pin(gpio).state = (gpio + start) % 7 / 7


def test_without_a_game_the_lights_are_dark(wall):
    Lights(wall).tick(0.0)
    assert wall.frames == [(0.0,) * 13]


# ---- the lamp counts ----


def test_while_stop_is_held_the_lamp_counts_three_and_each_is_weaker(wall):
    lights = Lights(wall)
    show(lights, a_view(floor=1), NOBODY, 0.0)
    lights.count(7.3)
    lights.tick(7.3)
    run(lights, 7.3, 11.0)
    lamp = [values[10:] for values in wall.frames[1:]]
    dark = (0.0, 0.0, 0.0)
    assert lamp == [(1.0,) * 3, dark, (0.5,) * 3, dark, (0.2,) * 3, dark]
    assert {values[:10] for values in wall.frames} == {wall.frames[0][:10]}
    lights.count(None)
    lights.tick(11.0)
    assert wall.frames[-1] == wall.frames[0]


def test_at_night_the_counting_shows_and_nothing_else(wall):
    lights = Lights(wall)
    show(lights, at_night(), frozenset({1}), 0.0)
    lights.count(1.0)
    lights.tick(1.0)
    show(lights, at_night(paused=True), frozenset({2}), 2.2)
    run(lights, 2.2, 6.0)
    assert {values[:10] for values in wall.frames} == {(NIGHT,) * 10}
    day = Lights(other := Wall())
    show(day, a_view(), NOBODY, 0.0)
    day.count(1.0)
    day.tick(1.0)
    day.tick(2.2)
    run(day, 2.2, 6.0)
    assert [v[10:] for v in other.frames[1:]] == [v[10:] for v in wall.frames[1:]]


# ---- lights that fail ----


def test_lights_that_fail_say_so_and_work_again_when_they_can(wall):
    lights = Lights(wall)
    wall.broken = True
    show(lights, a_view(floor=1), NOBODY, 0.0)
    assert "seat 5" in lights.fault
    run(lights, 0.0, 3 * RETRY_S - 1)
    assert len(wall.frames) == 3, "tried in vain too often, or never again"
    wall.broken = False
    run(lights, 3 * RETRY_S - 1, 5 * RETRY_S)
    assert (lights.fault, len(wall.frames)) == ("", 4)
    assert wall.frames[-1] == frame(a_view(floor=1), NOBODY).values(0.0)


def test_one_light_that_fails_leaves_the_others_right(pins, monkeypatch):
    out = TableLights(pins)
    broken = pins.pin(SEAT_LIGHT_PINS[4])

    def refuse(value):
        raise RuntimeError("bad GPIO")

    monkeypatch.setattr(broken, "_set_state", refuse)
    lights = Lights(out)
    view = a_view(floor=10)
    show(lights, view, NOBODY, 0.0)
    assert "light of seat 5 on GPIO13: bad GPIO" in lights.fault
    expected = frame(view, NOBODY).values(0.0)
    found = [pins.pin(gpio).state for gpio in PINS]
    assert found[:4] + found[5:] == list(expected[:4] + expected[5:])
    monkeypatch.undo()
    lights.tick(RETRY_S)
    assert (broken.state, lights.fault) == (expected[4], "")

import csv
import gc
from pathlib import Path

import pytest

from firmware.board import (
    DIM,
    PHASE_PINS,
    SEAT_LIGHT_PINS,
    SEAT_PINS,
    TABLE_BUTTON_PINS,
    Level,
    SeatBoard,
    TableButtons,
    TableLights,
    mock_pins,
    open_pins,
)
from firmware.errors import BoardError
from firmware.wire import Button, Lamp

PINOUT = Path(__file__).parents[2] / "hardware" / "pinout.csv"
HEADER = {
    2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8,
    15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22,
    26: 37, 27: 13,
}  # fmt: skip
"""Pin of the 40-pin header of each GPIO. Source: Raspberry Pi documentation, GPIO."""
POWER = {1: "power", 2: "power", 4: "power", 17: "power", **dict.fromkeys(
    (6, 9, 14, 20, 25, 30, 34, 39), "ground")}  # fmt: skip


@pytest.fixture
def pins():
    factory = mock_pins()
    yield factory
    factory.reset()


@pytest.fixture
def levels():
    return []


def rows(unit):
    with PINOUT.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["unit"] == unit]


def gpios(unit, *directions):
    return {row["part"]: int(row["gpio"]) for row in rows(unit) if row["direction"] in directions}


# ---- the table of pins ----


def test_the_seats_pins_are_those_of_the_pinout():
    assert gpios("seat", "in", "out") == SEAT_PINS


def test_the_tables_pins_are_those_of_the_pinout():
    lights = {f"seat_{seat}": gpio for seat, gpio in enumerate(SEAT_LIGHT_PINS, start=1)}
    phase = dict(zip(("phase_red", "phase_green", "phase_blue"), PHASE_PINS, strict=True))
    assert gpios("table", "out") == lights | phase
    assert gpios("table", "in") == TABLE_BUTTON_PINS


@pytest.mark.parametrize("unit", ["seat", "table"])
def test_the_pinout_names_real_pins_and_each_once(unit):
    used = [int(row["header_pin"]) for row in rows(unit)]
    assert len(set(used)) == len(used)
    for row in rows(unit):
        header = int(row["header_pin"])
        if row["gpio"]:
            assert HEADER[int(row["gpio"])] == header, row
        else:
            assert POWER[header] == row["direction"], row


# ---- a seat ----


def test_a_press_and_a_release_are_levels_with_the_edges_time(pins, levels):
    board = SeatBoard(pins, levels.append)
    before_s = pins.ticks()
    board.push(Button.VOTE)
    board.release(Button.VOTE)
    assert [(level.button, level.closed) for level in levels] == [("vote", True), ("vote", False)]
    assert before_s <= levels[0].at_s <= levels[1].at_s <= pins.ticks()


def test_no_edge_is_filtered_by_the_library(pins, levels):
    board = SeatBoard(pins, levels.append)
    for _ in range(5):
        board.push(Button.SHOUT)
        board.release(Button.SHOUT)
    assert len(levels) == 10
    assert pins.pin(SEAT_PINS["shout"]).bounce is None


def test_a_contact_pulls_its_pin_to_ground(pins, levels):
    board = SeatBoard(pins, levels.append)
    pin = pins.pin(SEAT_PINS["vote"])
    assert pin.pull == "up"
    pin.drive_low()
    assert levels[-1].closed
    assert board.closed == {Button.VOTE}


def test_a_normally_closed_switch_is_pressed_when_its_pin_is_high(pins, levels):
    board = SeatBoard(pins, levels.append, normally_closed=("vote",))
    vote = pins.pin(SEAT_PINS["vote"])
    vote.drive_low()
    levels.clear()
    vote.drive_high()
    assert levels == [Level("vote", levels[0].at_s, True)]
    board.release(Button.VOTE)
    assert not vote.state


def test_the_board_knows_which_buttons_are_down(pins, levels):
    board = SeatBoard(pins, levels.append)
    assert board.closed == frozenset()
    board.push(Button.SHOUT)
    assert board.closed == {Button.SHOUT}


def test_the_callbacks_live_as_long_as_the_board(pins, levels):
    board = SeatBoard(pins, levels.append)
    gc.collect()
    pins.pin(SEAT_PINS["vote"]).drive_low()
    assert len(levels) == 1
    board.close()


def test_a_seat_without_shout_and_lamp_plays(pins, levels):
    board = SeatBoard(pins, levels.append, has=("vote",))
    board.show(Lamp.FAST, 0.0)
    assert (board.next_due_s, board.light) == (None, 0.0)
    assert board.closed == frozenset()
    with pytest.raises(KeyError):
        board.push(Button.SHOUT)


@pytest.mark.parametrize(
    ("lamp", "light"), [(Lamp.OFF, 0.0), (Lamp.DIM, DIM), (Lamp.ON, 1.0), (Lamp.BLINK, 1.0)]
)
def test_the_lamp_gives_the_light_of_its_state(pins, levels, lamp, light):
    board = SeatBoard(pins, levels.append)
    board.show(Lamp.ON if lamp is Lamp.OFF else Lamp.OFF, 0.0)
    board.show(lamp, 0.0)
    assert pins.pin(SEAT_PINS["lamp"]).state == pytest.approx(light)


@pytest.mark.parametrize(("lamp", "half_s"), [(Lamp.BLINK, 0.5), (Lamp.FAST, 0.125)])
def test_the_lamp_blinks_by_the_time_it_is_told(pins, levels, lamp, half_s):
    board = SeatBoard(pins, levels.append)
    board.show(lamp, 10.0)
    seen = []
    for half in range(1, 5):
        assert board.next_due_s == pytest.approx(10.0 + half * half_s)
        board.tick(board.next_due_s - 0.001)
        seen.append(board.light)
        board.tick(board.next_due_s)
        seen.append(board.light)
    assert seen == [1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0]
    board.show(Lamp.OFF, 20.0)
    assert (board.next_due_s, board.light) == (None, 0.0)


def test_the_same_lamp_again_does_not_begin_its_blink_anew(pins, levels):
    board = SeatBoard(pins, levels.append)
    board.show(Lamp.BLINK, 10.0)
    board.show(Lamp.BLINK, 10.4)
    assert board.next_due_s == 10.5


# ---- the table ----


def test_the_tables_lights_show_a_frame(pins, levels):
    board = TableLights(pins)
    frame = [seat / 10 for seat in range(10)] + [1.0, 0.5, 0.0]
    board.set(frame)
    shown = [pins.pin(gpio).state for gpio in (*SEAT_LIGHT_PINS, *PHASE_PINS)]
    assert shown == pytest.approx(frame)
    assert board.values == tuple(frame)


def test_a_light_is_written_only_on_change(pins, levels):
    board = TableLights(pins)
    board.set([1.0] + [0.0] * 12)
    pin = pins.pin(SEAT_LIGHT_PINS[0])
    pin.clear_states()
    board.set([1.0] + [0.0] * 11 + [1.0])
    assert len(pin.states) == 1


def test_a_light_that_cannot_be_written_is_named_and_written_again(pins, monkeypatch):
    board = TableLights(pins)
    broken, other = pins.pin(SEAT_LIGHT_PINS[0]), pins.pin(PHASE_PINS[2])

    def refuse(value):
        raise RuntimeError("bad GPIO number")

    monkeypatch.setattr(broken, "_set_state", refuse)
    with pytest.raises(BoardError, match="light of seat 1 on GPIO4: bad GPIO number"):
        board.set([1.0] * 13)
    assert other.state == 1.0
    monkeypatch.undo()
    board.set([1.0] * 13)
    assert broken.state == 1.0


@pytest.mark.parametrize("frame", [[0.0] * 12, [0.0] * 14, [0.0] * 12 + [1.1], [-0.1] * 13])
def test_a_wrong_frame_is_refused(pins, levels, frame):
    with pytest.raises(ValueError, match="expected 13 values"):
        TableLights(pins).set(frame)


def test_the_tables_buttons_are_levels_too(pins, levels):
    board = TableButtons(pins, levels.append)
    board.push("start")
    board.push("stop")
    board.release("stop")
    assert [(level.button, level.closed) for level in levels] == [
        ("start", True),
        ("stop", True),
        ("stop", False),
    ]
    assert board.closed == {"start"}


# ---- what goes wrong ----


def test_pins_that_are_not_there_name_the_remedy():
    with pytest.raises(BoardError, match=r"python3-lgpio|Raspberry Pi"):
        open_pins()


def test_a_part_that_cannot_be_used_is_named(levels):
    class Broken:
        def pin(self, gpio):
            raise RuntimeError("GPIO busy")

    with pytest.raises(BoardError, match=r"vote on GPIO17: GPIO busy.*pinout\.csv"):
        SeatBoard(Broken(), levels.append)


def test_a_closed_board_is_dark_and_deaf(pins, levels):
    board = SeatBoard(pins, levels.append)
    board.show(Lamp.ON, 0.0)
    vote, lamp = pins.pin(SEAT_PINS["vote"]), pins.pin(SEAT_PINS["lamp"])
    board.close()
    vote.drive_low()
    assert levels == []
    assert not lamp.state

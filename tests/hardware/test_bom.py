"""The list of parts: complete, and enough for what pinout.csv wires up."""

import csv
import re
from pathlib import Path

import pytest

HARDWARE = Path(__file__).parents[2] / "hardware"
COLUMNS = ["part", "unit", "ten_seats", "one_seat", "wires", "must", "alternative", "price_each"]
PRICES = {"under 2 EUR", "2-10 EUR", "10-30 EUR", "30-100 EUR"}
BOM_UNITS = {"seat", "table", "both"}


def read(name):
    with (HARDWARE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


BOM, PINOUT = read("bom.csv"), read("pinout.csv")
FITTED = [row for row in PINOUT if row["direction"] in ("in", "out", "i2c")]
"""The wires that end at a part; power and ground come with them."""


def wires(row):
    return set(row["wires"].split())


def quantity(rows):
    return sum(int(row["ten_seats"]) for row in rows), sum(int(row["one_seat"]) for row in rows)


def test_the_columns_are_these_and_no_line_has_more():
    assert list(BOM[0]) == COLUMNS
    assert [row for row in BOM if None in row or None in row.values()] == []


@pytest.mark.parametrize("row", BOM, ids=lambda row: row["part"])
def test_a_line_says_how_many_what_for_and_what_else(row):
    ten, one = int(row["ten_seats"]), int(row["one_seat"])
    assert row["unit"] in BOM_UNITS
    assert ten >= 1
    assert (one == 0) if row["unit"] == "table" else (one <= ten)
    assert row["unit"] != "seat" or ten >= 10 * one >= 10
    assert len(row["must"]) > 10
    assert len(row["alternative"]) > 5
    assert row["price_each"] in PRICES


def test_a_part_is_listed_once():
    parts = [row["part"] for row in BOM]
    assert len(set(parts)) == len(parts)


@pytest.mark.parametrize("wire", FITTED, ids=lambda row: f"{row['unit']}:{row['part']}")
def test_what_is_wired_can_be_bought(wire):
    name = f"{wire['unit']}:{wire['part']}"
    lines = [row for row in BOM if name in wires(row) and not row["part"].startswith("Resistor")]
    assert [row["unit"] for row in lines] in ([wire["unit"]], ["both"])


def test_a_line_names_wires_that_there_are():
    there = {f"{row['unit']}:{row['part']}" for row in FITTED}
    assert set().union(*map(wires, BOM)) <= there


@pytest.mark.parametrize("ohm", ["330 ohm", "1 kohm"])
def test_there_are_resistors_for_every_light(ohm):
    lights = [row for row in PINOUT if ohm in row["note"]]
    seat = sum(row["unit"] == "seat" for row in lights)
    table = len(lights) - seat
    lines = [row for row in BOM if row["part"].startswith(f"Resistor, {ohm}")]
    ten, one = quantity(lines)
    assert lights
    assert ten >= 10 * seat + table
    assert one >= seat
    assert wires(lines[0]) == {f"{row['unit']}:{row['part']}" for row in lights}


def test_there_are_two_silent_buttons_for_every_seat():
    lines = [row for row in BOM if {"seat:vote", "seat:shout"} & wires(row)]
    ten, one = quantity(lines)
    assert (ten >= 20, one >= 2) == (True, True)
    assert all("silent" in row["must"] for row in lines)


def test_the_lights_of_the_seats_are_enough():
    ring = {f"table:seat_{seat}" for seat in range(1, 11)}
    lines = [row for row in BOM if ring == wires(row) and row["part"].startswith("LED")]
    assert quantity(lines)[0] >= 10


def test_every_drawing_is_listed_and_what_is_listed_is_drawn():
    listed = {name for row in BOM for name in re.findall(r"enclosure/(\w+)\.scad", row["must"])}
    drawn = {path.stem for path in (HARDWARE / "enclosure").glob("*.scad")}
    assert listed == drawn - {"dimensions"}


@pytest.mark.parametrize(
    ("insert", "screw", "hole", "before"),
    [("Heat-set insert, M3 x", "Screw, M3 x 8", "m3_insert_deep", "floor_thick"),
     ("Heat-set insert, M3 x", "Screw, M3 x 8", "m3_insert_deep", "lid_thick"),
     ("Heat-set insert, M2.5 x", "Screw, M2.5 x", "m25_insert_deep", "pi_thick")],
)  # fmt: skip
def test_a_screw_grips_its_insert_and_does_not_meet_the_end_of_the_hole(
    sizes, insert, screw, hole, before
):
    def long_mm(start):
        [part] = [row["part"] for row in BOM if row["part"].startswith(start)]
        return float(re.search(r"M[\d.]+ x ([\d.]+)", part)[1])

    deep, inside = getattr(sizes, hole), long_mm(screw) - getattr(sizes, before)
    assert long_mm(insert) < deep
    assert 3 <= inside <= deep


@pytest.mark.parametrize("kind", ["Heat-set insert, M3", "Screw, M3 x 8", "Heat-set insert, M2.5"])
def test_there_are_four_for_a_seat_and_enough_for_the_controller(kind):
    ten, one = quantity([row for row in BOM if row["part"].startswith(kind)])
    assert one >= 4
    assert ten >= 10 * 4 + (4 if "M2.5" in kind else 3)


@pytest.mark.parametrize(
    "word", ["Speaker, USB", "Lens cover", "Power supply", "microSD card", "Camera", "Wire"]
)
def test_what_has_no_pin_of_its_own_is_listed_too(word):
    assert any(row["part"].startswith(word) for row in BOM)

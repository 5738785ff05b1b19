"""The header as the code knows it is the one of hardware/pinout.csv."""

import csv
import re
from pathlib import Path

import pytest

from firmware.header import GPIO_AT, SUPPLY_AT, drawing, label, wires
from firmware.words import LANGUAGES, catalogue

PINOUT = Path(__file__).parents[2] / "hardware" / "pinout.csv"
UNITS = ["seat", "table"]


def rows(unit):
    with PINOUT.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["unit"] == unit]


@pytest.mark.parametrize("unit", UNITS)
def test_every_wire_of_the_pinout_is_known_and_no_other(unit):
    assert wires(unit) == {int(row["header_pin"]): row["part"] for row in rows(unit)}


@pytest.mark.parametrize("unit", UNITS)
def test_a_wire_is_where_its_gpio_or_its_supply_is(unit):
    for row in rows(unit):
        pin = int(row["header_pin"])
        if row["gpio"]:
            assert GPIO_AT[pin] == int(row["gpio"]), row
        else:
            assert SUPPLY_AT[pin] == {"ground": "GND", "power": "3V3"}[row["direction"]], row


def test_the_header_has_forty_pins_and_no_gpio_twice():
    assert GPIO_AT.keys() | SUPPLY_AT.keys() == set(range(1, 41))
    assert not GPIO_AT.keys() & SUPPLY_AT.keys()
    assert sorted(GPIO_AT.values()) == list(range(28))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("unit", UNITS)
def test_the_drawing_has_all_pins_in_two_columns_and_each_part_beside_its_own(unit, language):
    t = catalogue(language).gettext
    lines = drawing(unit, t).splitlines()
    found = {}
    for line in lines:
        if pins := re.search(r"(.*?)(\S+) +(\d+) ([●○]) ([●○]) (\d+) +(\S+)(.*)", line):
            left, odd_name, odd, odd_dot, even_dot, even, even_name, right = pins.groups()
            assert int(even) == int(odd) + 1
            found[int(odd)] = (odd_name, odd_dot, left.strip())
            found[int(even)] = (even_name, even_dot, right.strip())
    assert list(found) == list(range(1, 41))
    used = wires(unit)
    for pin, (name, dot, part) in found.items():
        assert name == (f"GPIO{GPIO_AT[pin]}" if pin in GPIO_AT else SUPPLY_AT[pin])
        assert (dot, part) == (("●", label(used[pin], t)) if pin in used else ("○", ""))
    dots = {dot.start() for line in lines if (dot := re.search("[●○]", line))}
    assert len(dots) == 1, "the columns are straight"
    assert max(map(len, lines)) <= 90

"""The drawn wires are those of the pinout, which are those that the program drives."""

from collections import Counter

import pytest

from firmware.header import wires
from hardware.wiring.harness import harness

UNITS = ["seat", "table"]


def ways(drawn):
    """Return each drawn wire: its name, where it begins and where it ends, as (part, pin)."""
    for step in drawn["connections"]:
        (start, pins), (name, cores), (part, ends) = (
            item for each in step for item in each.items()
        )
        for pin, core, last in zip(pins, cores, ends, strict=True):
            label = drawn["cables"][name].get("wirelabels", ["-"])[core - 1]
            yield label, (start, pin), (part, last)


@pytest.mark.parametrize("unit", UNITS)
def test_every_pin_that_the_program_knows_has_its_wire_and_no_other(unit):
    drawn = [(pin, label) for label, (start, pin), _ in ways(harness(unit)) if start == "Pi"]
    assert sorted(drawn) == sorted(wires(unit).items())


@pytest.mark.parametrize("unit", UNITS)
def test_no_core_and_no_pin_of_a_part_is_used_twice(unit):
    drawn = harness(unit)
    cores = Counter()
    for _, cable, _ in drawn["connections"]:
        for name, used in cable.items():
            cores.update((name, core) for core in used)
    assert set(cores.values()) == {1}
    ends = Counter(end for _, _, end in ways(drawn))
    assert set(ends.values()) == {1}


@pytest.mark.parametrize("unit", UNITS)
def test_every_pin_of_every_part_is_wired(unit):
    drawn = harness(unit)
    ends = {end for _, _, end in ways(drawn)}
    there = {
        (part, pin)
        for part, connector in drawn["connectors"].items()
        if part != "Pi"
        for pin in range(1, len(connector["pinlabels"]) + 1)
    }
    assert ends == there


@pytest.mark.parametrize("unit", UNITS)
def test_a_wire_ends_at_the_pin_of_its_name(unit):
    drawn = harness(unit)
    for label, _, (part, pin) in ways(drawn):
        end = drawn["connectors"][part]["pinlabels"][pin - 1]
        if "gnd" in label or label == "-":
            assert end == "GND"
        elif part == "SCREEN":
            assert end == {"3v3": "VCC"}.get(label.removeprefix("screen_"), end)
            assert label.removeprefix("screen_").upper() in (end, "3V3")
        elif part in ("RING", "PHASE"):
            assert label.removeprefix("phase_").replace("_", " ") == end
        else:
            assert label.upper() == part


@pytest.mark.parametrize("unit", UNITS)
def test_every_light_is_drawn_with_the_resistor_of_the_pinout(unit, table):
    wanted = Counter()
    for row in table("pinout.csv"):
        if row["unit"] == unit and row["direction"] == "out":
            wanted["330 ohm" if "330 ohm" in row["note"] else "1 kohm"] += 1
    drawn = Counter()
    for connector in harness(unit)["connectors"].values():
        for extra in connector.get("additional_components", []):
            drawn[extra["subtype"]] += extra["qty"]
    assert drawn == wanted
    assert drawn


@pytest.mark.parametrize("unit", UNITS)
def test_wires_that_lie_side_by_side_differ_in_colour_but_those_of_the_ring(unit):
    for name, cable in harness(unit)["cables"].items():
        if name != "W-lights":
            assert len(set(cable["colors"])) == len(cable["colors"]), name


def test_the_pins_of_the_header_are_named_as_the_code_names_them():
    labels = harness("seat")["connectors"]["Pi"]["pinlabels"]
    assert (len(labels), labels[0], labels[1], labels[10], labels[39]) == (
        40, "3V3", "5V", "GPIO17", "GPIO21",
    )  # fmt: skip

"""What the supplies and the pins have to give, and how long the wires are."""

import re
from collections import defaultdict

import pytest

VOLT_HIGH = 3.3
VOLT_OF_A_LIGHT = 1.8
"""The least forward voltage of an LED that shines: red. Any other takes less current."""
RESISTOR_LEAST = 0.95
"""Share of its value that a resistor of 5 % may fall to."""
PIN_MILLIAMP, ALL_PINS_MILLIAMP = 16, 50
"""What one pin and all pins of the header give at most. Source: RP1 and BCM2711 data sheets."""
MARGIN = 0.25
"""Share of the supply that stays free: it ages, and a Pi starts with a burst."""
UNITS = ["seat", "table"]


def light_milliamp(ohm):
    return (VOLT_HIGH - VOLT_OF_A_LIGHT) / (ohm * RESISTOR_LEAST) * 1000


def ohm_of(text):
    number, kilo = re.search(r"(\d+) (k?)ohm", text).groups()
    return int(number) * (1000 if kilo else 1)


def loads(table, unit):
    return [row for row in table("power.csv") if row["unit"] == unit]


def milliamp(rows):
    return sum(int(row["quantity"]) * float(row["milliamp_each"]) for row in rows)


def lights(table, unit):
    """The resistor of each light of the unit, in ohm."""
    return [
        ohm_of(row["note"])
        for row in table("pinout.csv")
        if row["unit"] == unit and row["direction"] == "out"
    ]


@pytest.mark.parametrize("unit", UNITS)
def test_the_supply_of_the_bom_gives_what_a_unit_takes_and_a_quarter_more(table, unit):
    [supply] = [row["part"] for row in table("bom.csv") if row["part"].startswith("Power supply")]
    amperes = int(re.search(r"5\.1 V (\d+) A", supply)[1])
    taken = milliamp(loads(table, unit))
    assert 1000 < taken <= amperes * 1000 * (1 - MARGIN)


def test_usb_gets_no_more_than_a_pi_gives_its_sockets(table):
    assert milliamp([r for r in loads(table, "table") if r["from"] == "USB"]) <= 1600


@pytest.mark.parametrize("unit", UNITS)
def test_no_pin_gives_too_much_and_all_together_neither(table, unit):
    each = [light_milliamp(ohm) for ohm in lights(table, unit)]
    assert each
    assert max(each) < PIN_MILLIAMP
    assert sum(each) < ALL_PINS_MILLIAMP


@pytest.mark.parametrize("unit", UNITS)
def test_the_least_resistor_that_the_bom_allows_is_enough_too(table, unit):
    least = {}
    for row in table("bom.csv"):
        if row["part"].startswith("Resistor"):
            value = re.search(r"(\d+) (?:ohm )?to", row["alternative"])
            least[ohm_of(row["part"])] = int(value[1])
    each = [light_milliamp(least[ohm]) for ohm in lights(table, unit)]
    assert max(each) < PIN_MILLIAMP
    assert sum(each) < ALL_PINS_MILLIAMP


@pytest.mark.parametrize("unit", UNITS)
def test_the_table_of_power_has_every_light_with_its_current(table, unit):
    counted = defaultdict(float)
    for row in loads(table, unit):
        if row["load"].startswith("LED"):
            counted[ohm_of(row["load"])] += int(row["quantity"])
            assert float(row["milliamp_each"]) == pytest.approx(
                light_milliamp(ohm_of(row["load"])), abs=0.25
            )
    wanted = defaultdict(float)
    for ohm in lights(table, unit):
        wanted[ohm] += 1
    assert counted == wanted


def test_every_load_says_where_its_number_comes_from(table):
    for row in table("power.csv"):
        assert row["from"] in ("5V", "USB", "3V3", "gpio"), row
        assert len(row["source"]) > 7, row
        assert None not in row, row


@pytest.mark.parametrize("unit", UNITS)
def test_each_wire_of_the_pinout_is_in_one_cable(table, unit):
    planned = [
        wire for row in table("cables.csv") if row["unit"] == unit for wire in row["wires"].split()
    ]
    assert sorted(planned) == sorted(r["part"] for r in table("pinout.csv") if r["unit"] == unit)


def test_a_cable_is_a_part_of_the_bom_and_as_long_as_it_says(table):
    parts = {row["part"]: row for row in table("bom.csv")}
    for cable in table("cables.csv"):
        part, length_mm = parts[cable["part"]], int(cable["length_mm"])
        assert part["unit"] in (cable["unit"], "both"), cable
        assert length_mm <= int(cable["longest_mm"]), cable
        assert len(cable["wires"].split()) <= int(cable["cores"]), cable
        if said := re.search(r", (\d+) (m?m)$", cable["part"]):
            assert length_mm == int(said[1]) * (1 if said[2] == "mm" else 1000), cable


@pytest.mark.parametrize(
    ("unit", "cable", "limit"),
    [("seat", "screen", "screen (.+?) mm at most"), ("seat", "vote", "lamp (.+?) m at most"),
     ("seat", "lamp", "lamp (.+?) m at most"), ("seat", "camera", "; (.+?) mm at most"),
     ("table", "lights", "; (.+?) m at most")],
)  # fmt: skip
def test_the_longest_is_the_one_that_the_bom_says(table, unit, cable, limit):
    [plan] = [r for r in table("cables.csv") if (r["unit"], r["cable"]) == (unit, cable)]
    [part] = [row for row in table("bom.csv") if row["part"] == plan["part"]]
    said = int(re.search(limit, part["must"])[1])
    assert int(plan["longest_mm"]) == (said if " mm" in limit else said * 1000)


def test_there_are_wires_enough_for_ten_seats_and_the_table(table):
    [wire] = [row for row in table("bom.csv") if row["part"].startswith("Wire, socket")]
    of = dict.fromkeys(UNITS, 0)
    for cable in table("cables.csv"):
        if cable["part"] == wire["part"]:
            of[cable["unit"]] += int(cable["cores"])
    assert int(wire["one_seat"]) >= of["seat"]
    assert int(wire["ten_seats"]) >= 10 * of["seat"] + of["table"]


def test_the_ribbon_reaches_from_the_pi_through_the_wall_and_up_the_arm(table, sizes):
    [ribbon] = [row for row in table("cables.csv") if row["cable"] == "camera"]
    inside = sizes.pi_board[1] / 2 + (sizes.arm_foot_above - sizes.seat_pi_above)
    across = abs(sizes.seat_pi_across + sizes.pi_board[0] / 2 - sizes.seat_size[0] / 2)
    arm = sizes.arm_high - sizes.arm_foot[1] / 2 + sizes.head_hinge[0]
    loop_to_turn = 40
    assert inside + across + arm + loop_to_turn <= int(ribbon["length_mm"])

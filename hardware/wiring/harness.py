"""Draw the wires of a seat and of the table controller: WireViz harnesses from the pinout.

hardware/pinout.csv says which part hangs on which pin, hardware/cables.csv in which
cable and how long it is; nothing is said twice here but what a part looks like.

    python -m hardware.wiring.harness build/hardware
"""

import csv
import json
import re
import sys
from pathlib import Path
from typing import Any, Final, Literal

from firmware.header import GPIO_AT, SUPPLY_AT

Unit = Literal["seat", "table"]
Row = dict[str, str]

HARDWARE: Final = Path(__file__).resolve().parents[1]
COLOURS: Final = {"power": "RD", "ground": "BK", "i2c": "YE", "in": "VT", "out": "OG"}
"""WireViz colour of a wire by its direction."""
OWN_COLOURS: Final = {
    "screen_scl": "WH", "phase_red": "RD", "phase_green": "GN", "phase_blue": "BU",
}  # fmt: skip
"""Wires that would be taken for each other."""

GROUND: Final = {"vote": "buttons_gnd", "shout": "buttons_gnd", "lamp": "lamp_gnd",
                 "start": "buttons_gnd", "stop": "buttons_gnd"}  # fmt: skip
"""Which ground a part of one wire goes back to."""

LOOKS: Final = {
    "screen": ("OLED screen", "128x64, I2C; read the order of the pins on its print"),
    "vote": ("Push button VOTE", "silent, 24 mm, closes to ground"),
    "shout": ("Push button SHOUT", "silent, 24 mm, closes to ground"),
    "lamp": ("LED, 5 mm", "the resistor is in the wire to the long leg"),
    "start": ("Push button START", "16 mm, closes to ground"),
    "stop": ("Push button STOP", "16 mm, recessed, closes to ground"),
    "ring": ("LED, 5 mm, ten", "long legs to the cores, each over its resistor"),
    "phase": ("LED, RGB", "common cathode: its longest leg to ground"),
}
"""Type and note of each connector."""


def rows(name: str, unit: Unit) -> list[Row]:
    """Return the lines of a table of hardware/ that belong to *unit*."""
    with (HARDWARE / name).open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["unit"] == unit]


def harness(unit: Unit) -> dict[str, Any]:
    """Return the WireViz harness of *unit*: connectors, cables, connections."""
    wires = {row["part"]: row for row in rows("pinout.csv", unit)}
    drawn: dict[str, Any] = {
        "options": {"mini_bom_mode": False},
        "connectors": {"Pi": _header(unit)}, "cables": {}, "connections": [],
    }  # fmt: skip
    for cable in rows("cables.csv", unit):
        names = cable["wires"].split()
        if len(names) > 4:
            _lights(drawn, cable, names, wires)
        elif names:
            _cable(drawn, cable, names, wires)
    return drawn


def _header(unit: Unit) -> dict[str, Any]:
    labels = [f"GPIO{GPIO_AT[n]}" if n in GPIO_AT else SUPPLY_AT[n] for n in range(1, 41)]
    return {
        "type": "Raspberry Pi 4 or 5",
        "subtype": "40-pin header, pin 1 at the corner away from the USB sockets",
        "notes": "a seat" if unit == "seat" else "the table controller",
        "pinlabels": labels,
        "hide_disconnected_pins": True,
    }


def _cable(drawn: dict[str, Any], cable: Row, names: list[str], wires: dict[str, Row]) -> None:
    """Add a part with its own few wires; its ground may come from the part before it."""
    part = cable["cable"]
    kind, note = LOOKS[part]
    labels = [name.removeprefix(f"{part}_").removeprefix("buttons_") for name in names]
    labels = [{"3v3": "VCC", "lamp": "long leg"}.get(label, label.upper()) for label in labels]
    used = [wires[name] for name in names]
    colours = [_colour(row) for row in used]
    names = list(names)
    shared = part in GROUND and GROUND[part] not in names
    if shared:
        names.append(GROUND[part])
        labels.append("GND")
        colours.append(COLOURS["ground"])
    drawn["connectors"][part.upper()] = {
        "type": kind, "notes": note, "pinlabels": labels, **_resistors(used),
    }  # fmt: skip
    name = f"W-{part}"
    drawn["cables"][name] = _wires(cable, names, colours)
    pins = list(range(1, len(used) + 1))
    drawn["connections"].append(
        [{"Pi": [int(row["header_pin"]) for row in used]}, {name: pins}, {part.upper(): pins}]
    )
    if shared:
        before = next(p for p, ground in GROUND.items() if ground in wires and p in wires)
        last = len(names)
        drawn["connections"].append([{before.upper(): [2]}, {name: [last]}, {part.upper(): [last]}])


def _lights(drawn: dict[str, Any], cable: Row, names: list[str], wires: dict[str, Row]) -> None:
    """Add the ring and the phase lamp, which share a cable and its one core of ground."""
    name = f"W-{cable['cable']}"
    free = int(cable["cores"]) - len(names)
    colours = [_colour(wires[each]) for each in names] + ["WH"] * free
    drawn["cables"][name] = _wires(cable, [*names, *["free"] * free], colours)
    cores = {each: number for number, each in enumerate(names, start=1)}
    for part, prefix in (("ring", "seat_"), ("phase", "phase_")):
        own = [each for each in names if each.startswith(prefix)]
        labels = [each.replace("_", " ").removeprefix("phase ") for each in own]
        kind, note = LOOKS[part]
        drawn["connectors"][part.upper()] = {
            "type": kind, "notes": note, "pinlabels": [*labels, "GND"],
            **_resistors([wires[each] for each in own]),
        }  # fmt: skip
        drawn["connections"].append([
            {"Pi": [int(wires[each]["header_pin"]) for each in own]},
            {name: [cores[each] for each in own]},
            {part.upper(): list(range(1, len(own) + 1))},
        ])  # fmt: skip
    # The last pin of each is ground: one core brings it to the ring, a short wire further.
    ring, phase = (len(drawn["connectors"][part]["pinlabels"]) for part in ("RING", "PHASE"))
    ground = names[-1]
    drawn["connections"].append(
        [{"Pi": [int(wires[ground]["header_pin"])]}, {name: [cores[ground]]}, {"RING": [ring]}]
    )
    drawn["cables"]["W-ground"] = {"colors": ["BK"], "notes": "from ground to ground in the ring"}
    drawn["connections"].append([{"RING": [ring]}, {"W-ground": [1]}, {"PHASE": [phase]}])


def _colour(row: Row) -> str:
    return OWN_COLOURS.get(row["part"], COLOURS[row["direction"]])


def _wires(cable: Row, names: list[str], colours: list[str]) -> dict[str, Any]:
    length_m = int(cable["length_mm"]) / 1000
    return {"colors": colours, "wirelabels": names, "length": length_m, "notes": cable["part"]}


def _resistors(used: list[Row]) -> dict[str, Any]:
    """Return what WireViz lists below a connector: the resistors that the pinout asks for."""
    ohms = [found[0] for row in used if (found := re.search(r"\d+ k?ohm", row["note"]))]
    if not ohms:
        return {}
    [ohm] = set(ohms)
    return {"additional_components": [{"type": "Resistor", "subtype": ohm, "qty": len(ohms)}]}


def write(folder: Path) -> list[Path]:
    """Write seat.yml and table.yml into *folder*, made when missing; return their paths.

    WireViz reads YAML, of which JSON is a part.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    units: tuple[Unit, Unit] = ("seat", "table")
    for unit in units:
        path = folder / f"{unit}.yml"
        path.write_text(json.dumps(harness(unit), indent=1) + "\n", encoding="utf-8")
        written.append(path)
    return written


if __name__ == "__main__":
    write(Path(sys.argv[1]))

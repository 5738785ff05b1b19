"""The 40-pin header of a Raspberry Pi: what hangs on which pin, and a drawing of it.

board.py names the GPIO of each part; here stand the pins that no program drives:
the screen's, power and ground. Together they are hardware/pinout.csv, which a
test holds them to.
"""

from collections.abc import Callable, Mapping
from typing import Final, Literal

from firmware.board import PHASE_PINS, SEAT_LIGHT_PINS, SEAT_PINS, TABLE_BUTTON_PINS
from firmware.words import N_

Unit = Literal["seat", "table"]

GPIO_AT: Final[Mapping[int, int]] = {
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10,
    21: 9, 22: 25, 23: 11, 24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19,
    36: 16, 37: 26, 38: 20, 40: 21,
}  # fmt: skip
"""GPIO number of each pin of the header that has one.

Source: Raspberry Pi documentation, GPIO and the 40-pin header; the same on Pi 2 to 5.
"""

SUPPLY_AT: Final[Mapping[int, str]] = {
    1: "3V3", 2: "5V", 4: "5V", 17: "3V3",
    **dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), "GND"),
}  # fmt: skip
"""What the other pins carry."""

PIN_OF: Final[Mapping[int, int]] = {gpio: pin for pin, gpio in GPIO_AT.items()}
"""Pin of the header of each GPIO number."""

SCREEN_PINS: Final[Mapping[str, int]] = {"screen_sda": 2, "screen_scl": 3}
"""GPIO numbers of the screen's I2C bus 1. Source: Raspberry Pi documentation."""

SEAT_SUPPLY: Final[Mapping[str, int]] = {
    "screen_3v3": 1,
    "screen_gnd": 6,
    "buttons_gnd": 9,
    "lamp_gnd": 14,
}
"""Pins of the header where a seat's parts get power and ground."""

TABLE_SUPPLY: Final[Mapping[str, int]] = {"buttons_gnd": 39, "lights_gnd": 34}
"""The same at the table controller."""

LABELS: Final[Mapping[str, str]] = {
    "vote": "VOTE",
    "shout": "SHOUT",
    "lamp": N_("lamp (330 ohm)"),
    "lamp_gnd": N_("lamp, ground"),
    "buttons_gnd": N_("buttons, ground"),
    "screen_3v3": N_("screen VCC"),
    "screen_gnd": N_("screen GND"),
    "screen_sda": N_("screen SDA"),
    "screen_scl": N_("screen SCL"),
    "start": N_("start button"),
    "stop": N_("stop button"),
    "lights_gnd": N_("lights, ground"),
    "phase_red": N_("phase lamp red (330 ohm)"),
    "phase_green": N_("phase lamp green (330 ohm)"),
    "phase_blue": N_("phase lamp blue (330 ohm)"),
}
"""What a part of the wiring is called; the lights of seats are numbered."""


def wires(unit: Unit) -> dict[int, str]:
    """Return the part on each used pin of the header, in order of the pins."""
    if unit == "seat":
        gpios, supply = {**SEAT_PINS, **SCREEN_PINS}, SEAT_SUPPLY
    else:
        lights = {f"seat_{seat}": gpio for seat, gpio in enumerate(SEAT_LIGHT_PINS, start=1)}
        colours = ("phase_red", "phase_green", "phase_blue")
        phase = dict(zip(colours, PHASE_PINS, strict=True))
        gpios, supply = {**TABLE_BUTTON_PINS, **lights, **phase}, TABLE_SUPPLY
    used = {PIN_OF[gpio]: part for part, gpio in gpios.items()}
    used |= {pin: part for part, pin in supply.items()}
    return dict(sorted(used.items()))


def label(part: str, t: Callable[[str], str]) -> str:
    """Return what *part* of :func:`wires` is called, in the language of *t*."""
    if part.startswith("seat_"):
        return t("light of seat {seat} (1 kohm)").format(seat=part.removeprefix("seat_"))
    return t(LABELS[part])


def drawing(unit: Unit, t: Callable[[str], str]) -> str:
    """Return the header of *unit* as text, seen with the board's edge on the right.

    A pin with a wire is a full dot, with the name of the part beside it.
    """
    used = {pin: label(part, t) for pin, part in wires(unit).items()}
    left = max(len(name) for pin, name in used.items() if pin % 2)
    lines = [t("The wires of a seat") if unit == "seat" else t("The wires of the table"), ""]
    for odd in range(1, 41, 2):
        even = odd + 1
        line = (
            f"{used.get(odd, ''):>{left}}  {_name(odd):>6} {odd:>2} {_dot(odd, used)}"
            f" {_dot(even, used)} {even:<2} {_name(even):<6}  {used.get(even, '')}"
        )
        lines.append(line.rstrip())
    edge = " " * (left + 2)
    lines += ["", edge + t("Pin 1 is at the corner of the board, away from the USB sockets.")]
    return "\n".join(lines)


def _name(pin: int) -> str:
    return f"GPIO{GPIO_AT[pin]}" if pin in GPIO_AT else SUPPLY_AT[pin]


def _dot(pin: int, used: Mapping[int, str]) -> str:
    return "●" if pin in used else "○"

"""The parts in the player's hand: pins and screen."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from firmware.board import Put, SeatBoard
from firmware.card import PartsCard
from firmware.errors import BoardError
from firmware.finding import Finding, Translate, fault, fine
from firmware.header import PIN_OF, SCREEN_PINS, SEAT_SUPPLY
from firmware.wire import Button
from seat_node.checks.presses import wire_of

ADDRESSES: Final = (0x3C, 0x3D)
"""Where such a screen can be. Source: data sheets of SSD1306 and SH1106."""

STOP_SEAT: Final = "sudo systemctl stop mafia-seat mafia-eyes"


def running(t: Translate, folder: Path) -> Finding | None:
    """Return a fault while the seat itself runs; its runtime *folder* lives as long."""
    if not folder.exists():
        return None
    found = t("the seat runs and has all parts; pins, screen, link and eyes are not checked")
    return fault(t("seat program"), found, STOP_SEAT)


def pins(
    t: Translate, parts: PartsCard, open_pins: Callable[[], Any], put: Put
) -> tuple[Finding, SeatBoard | None]:
    """Take the pins of the buttons and the lamp; the caller closes the board."""
    part = t("pins")
    has = [Button.VOTE, *([Button.SHOUT] if parts.shout else []), *(["lamp"] if parts.lamp else [])]
    names = [t("lamp") if name == "lamp" else name.upper() for name in has]
    closed_switches = tuple(Button) if parts.switch == "nc" else ()
    try:
        board = SeatBoard(open_pins(), put, has=has, normally_closed=closed_switches)
    except BoardError as error:
        return _no_pins(t, part, error), None
    if board.closed:
        return _closed_at_rest(t, part, sorted(board.closed), parts.switch), board
    return fine(part, ", ".join(names)), board


def _no_pins(t: Translate, part: str, error: BoardError) -> Finding:
    if isinstance(error.__cause__, ImportError):
        return fault(part, t("no GPIO library"), "sudo apt install python3-lgpio")
    if "busy" in str(error).lower():
        return fault(part, t("another program has them: {error}").format(error=error), STOP_SEAT)
    remedy = t("Run this on a Raspberry Pi, as a user in the group gpio or with sudo.")
    return fault(part, t("cannot be opened: {error}").format(error=error.__cause__), remedy)


def _closed_at_rest(t: Translate, part: str, closed: Sequence[Button], switch: str) -> Finding:
    found = t("pressed while nobody presses: {buttons}").format(
        buttons=", ".join(button.upper() for button in closed)
    )
    remedy = t(
        "Let go. If nobody touches it: {wires}; or the card names the wrong kind of switch "
        "({switch})."
    )
    wires = "; ".join(wire_of(t, button) for button in closed)
    return fault(part, found, remedy.format(wires=wires, switch=switch))


def screen(
    t: Translate,
    parts: PartsCard,
    open_it: Callable[[str, int, int], Any],
    root: Path = Path("/"),
) -> tuple[Finding, Any]:
    """Open the screen of the card at its bus under *root*; the caller closes the device.

    *open_it* is :func:`~seat_node.display.open_device`.
    """
    part = t("screen")
    if parts.screen == "none":
        return fine(part, t("none is fitted, says the card")), None
    bus = root / "dev" / f"i2c-{parts.i2c_bus}"
    if problem := _bus_problem(t, part, bus):
        return problem, None
    try:
        device = open_it(parts.screen, parts.i2c_bus, parts.i2c_address)
    except BoardError as error:
        return _no_screen(t, part, parts, open_it, error), None
    return fine(part, f"{parts.screen}, 0x{parts.i2c_address:02X}"), device


def _bus_problem(t: Translate, part: str, bus: Path) -> Finding | None:
    try:
        os.close(os.open(bus, os.O_RDWR))
    except FileNotFoundError:
        found = t("{bus} is not there: I2C is off").format(bus=bus)
        return fault(part, found, "sudo raspi-config nonint do_i2c 0; sudo reboot")
    except PermissionError:
        found = t("{bus} is not for this user").format(bus=bus)
        return fault(part, found, t("sudo usermod -aG i2c $USER, and log in again; or use sudo."))
    except OSError as error:
        found = t("{bus} does not work: {reason}").format(bus=bus, reason=error.strerror)
        return fault(part, found, "sudo reboot")
    return None


def _no_screen(
    t: Translate,
    part: str,
    parts: PartsCard,
    open_it: Callable[[str, int, int], Any],
    error: BoardError,
) -> Finding:
    if isinstance(error.__cause__, ImportError):
        found = t("a library is missing: {error}").format(error=error.__cause__)
        return fault(part, found, t("Install the kit again, with its part [seat]."))
    for address in ADDRESSES:
        if address == parts.i2c_address:
            continue
        try:
            open_it(parts.screen, parts.i2c_bus, address).cleanup()
        except BoardError:
            continue
        found = t("is at 0x{there:02X}, the card says 0x{said:02X}").format(
            there=address, said=parts.i2c_address
        )
        return fault(part, found, t("In kit.toml, [parts]: ") + f"i2c_address = 0x{address:02X}")
    found = t("nothing answers at 0x{address:02X} of bus {bus}").format(
        address=parts.i2c_address, bus=parts.i2c_bus
    )
    remedy = t(
        "Check the four wires: SDA on pin {sda}, SCL on pin {scl}, VCC on pin {vcc}, "
        "GND on pin {gnd} (mafia-seat check --pins)."
    )
    return fault(
        part,
        found,
        remedy.format(
            sda=PIN_OF[SCREEN_PINS["screen_sda"]],
            scl=PIN_OF[SCREEN_PINS["screen_scl"]],
            vcc=SEAT_SUPPLY["screen_3v3"],
            gnd=SEAT_SUPPLY["screen_gnd"],
        ),
    )

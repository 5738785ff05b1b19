"""``mafia-seat check``: a line for each part of a seat, found or missing."""

import importlib.util
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click

from firmware.board import SeatBoard, open_pins
from firmware.card import SeatCard, read_seat_card
from firmware.errors import BoardError, KitError, LinkError
from seat_node.display import open_device
from seat_node.screens import FONTS, font

PATIENCE_S: Final = 3.0
"""How long the broker may take to answer."""


def check_seat(path: Path) -> None:
    """Print what the seat of the card at *path* has.

    :raises CardError: if the card is wrong.
    :raises BoardError: if something is missing that a seat cannot play without.
    """
    card = read_seat_card(path)
    click.echo(f"card    found: {card.user} of table {card.table}")
    checks: dict[str, Callable[[], str]] = {
        "pins": lambda: _pins(card),
        "screen": lambda: _screen(card),
        "fonts": _fonts,
        "broker": lambda: _broker(card),
        "eyes": lambda: _eyes(card),
    }
    missing = [name for name, look in checks.items() if not _passes(name, look)]
    if missing:
        raise BoardError(f"missing: {', '.join(missing)}")


def _passes(name: str, look: Callable[[], str]) -> bool:
    try:
        click.echo(f"{name:<7} found: {look()}")
    except KitError as error:
        click.echo(f"{name:<7} missing: {error}")
        return False
    return True


def _pins(card: SeatCard) -> str:
    has = ["vote"] + ["shout"] * card.parts.shout + ["lamp"] * card.parts.lamp
    SeatBoard(open_pins(), lambda level: None, has=has).close()
    return ", ".join(has)


def _screen(card: SeatCard) -> str:
    parts = card.parts
    device = open_device(parts.screen, parts.i2c_bus, parts.i2c_address)
    if device is None:
        return "none is fitted, says the card"
    device.cleanup()
    return f"{parts.screen} at 0x{parts.i2c_address:02X}"


def _fonts() -> str:
    for bold in (False, True):
        font(11, bold=bold)
    return str(FONTS)


def _broker(card: SeatCard) -> str:
    address = (card.link.host, card.link.port)
    try:
        with socket.create_connection(address, PATIENCE_S):
            return f"{card.link.host}:{card.link.port}"
    except OSError as error:
        raise LinkError(f"{card.link.host}:{card.link.port}: {error}") from error


def _eyes(card: SeatCard) -> str:
    if not card.parts.eyes:
        return "none are fitted, says the card"
    for library in ("mediapipe", "picamera2"):
        if importlib.util.find_spec(library) is None:
            raise BoardError(f"{library} is not installed")
    return "camera and vision libraries"

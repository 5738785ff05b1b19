"""The machine under the seat: its power and fonts; firmware.machine has what a table's has too."""

from pathlib import Path
from typing import Final

from firmware.errors import BoardError
from firmware.finding import Finding, Translate, fault, fine, note
from seat_node.lettering import FONTS, font
from seat_node.vitals import measure

HOT_C: Final = 80.0
"""A Pi begins to slow down here. Source: Raspberry Pi documentation, frequency management."""


def power(t: Translate, root: Path = Path("/")) -> Finding:
    """Ask the Pi whether it slows down, by heat or a weak supply."""
    part = t("power")
    vitals = measure(root)
    if vitals.throttled is None and vitals.temperature_c is None:
        return fine(part, t("this machine does not say"))
    heat = [] if vitals.temperature_c is None else [f"{vitals.temperature_c:.0f} °C"]
    if vitals.temperature_c is not None and vitals.temperature_c >= HOT_C:
        return note(part, ", ".join([*heat, t("too hot")]), t("Give it air, or a cooler."))
    if vitals.throttled:
        remedy = t("The supply is too weak: take a 5 V 5 A one (Pi 4: 3 A), and a short cable.")
        return note(part, ", ".join([*heat, t("slowed down")]), remedy)
    return fine(part, ", ".join([*heat, t("not slowed down")]))


def fonts(t: Translate, folder: Path = FONTS) -> Finding:
    """Open the fonts of the screen."""
    part = t("fonts")
    try:
        for bold in (False, True):
            font(11, bold=bold, folder=folder)
    except BoardError:
        found = t("no DejaVu Sans in {folder}").format(folder=folder)
        return fault(part, found, "sudo apt install fonts-dejavu-core")
    return fine(part, "DejaVu Sans")

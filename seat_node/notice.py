"""What the hooded screen says while the seat itself is not there yet.

Run by install.sh, which cannot draw: ``python -m seat_node.notice WORD [--card FILE]``
shows one page, ends, and leaves it lit. Without a screen nothing happens.
"""

import argparse
from pathlib import Path
from typing import Any, Final

from firmware.card import DEFAULT_PATH, SeatCard, read_seat_card
from firmware.errors import BoardError, CardError
from firmware.wire import Layout
from seat_node.display import open_device
from seat_node.face import Face, words_of
from seat_node.screens import render

INSTALLING: Final = "installing"
PACKAGES: Final = "packages"
FAILED: Final = "failed"


def face(word: str, language: str) -> Face:
    """Return the page for *word*, one of those above."""
    t = words_of(language).gettext
    title, line = {
        INSTALLING: (t("Setting up"), t("This takes some minutes. Do not switch off.")),
        PACKAGES: (t("No internet"), t("It is needed once. Trying again by itself.")),
        FAILED: (t("Not set up"), t("Trying again by itself. Why: journalctl -u mafia-firstboot")),
    }[word]
    return Face(scene="setup", layout=Layout.NOTE, title=title, lines=(line,), language=language)


def show(word: str, card: SeatCard, opened: Any) -> None:
    """Draw the page for *word* on the device *opened*; None: there is no screen."""
    if opened is not None:
        opened.display(render(face(word, card.language)))


def main() -> None:
    """Run the command; that there is no screen is no fault of an installation."""
    parser = argparse.ArgumentParser(prog="python -m seat_node.notice", description=__doc__)
    parser.add_argument("word", choices=(INSTALLING, PACKAGES, FAILED))
    parser.add_argument("--card", type=Path, default=DEFAULT_PATH)
    told = parser.parse_args()
    try:
        card = read_seat_card(told.card)
        parts = card.parts
        opened = open_device(parts.screen, parts.i2c_bus, parts.i2c_address, stays=True)
        show(told.word, card, opened)
    except (BoardError, CardError, OSError):
        return


if __name__ == "__main__":
    main()

"""What pip installs on a card: exact versions for each board."""

import re
from pathlib import Path
from typing import Final

import msgspec

PLACE: Final = Path(__file__).parent
MACHINE: Final = "aarch64"
APT: Final = "from apt"
"""In the comment behind a pin that apt brings: pip has to keep to it, never to fetch it."""
EYES: Final = "eyes.txt"
"""The list of what the eyes need beside the project."""
OLDEST_GLIBC: Final = 17
"""A wheel for this or a later one runs on what the board has. Source: PEP 600."""


class Board(msgspec.Struct, frozen=True):
    """A board and what its operating system has."""

    name: str
    python: str
    glibc: int
    """Second number of its C library's version, 2.x."""

    @property
    def constraints(self) -> Path:
        """The file with its pins."""
        return PLACE / f"constraints-{self.name}.txt"

    def pip_options(self, machine: str = MACHINE) -> list[str]:
        """Return what makes pip choose wheels for this board, on whatever it runs."""
        tags = [f"manylinux_2_{minor}" for minor in range(self.glibc, OLDEST_GLIBC - 1, -1)]
        chosen = ["--only-binary=:all:", "--implementation=cp", f"--python-version={self.python}"]
        return chosen + [f"--platform={tag}_{machine}" for tag in (*tags, "manylinux2014")]


BOARDS: Final = {
    "pi5": Board("pi5", python="3.13", glibc=41),
    "pi4": Board("pi4", python="3.11", glibc=36),
}
"""Raspberry Pi OS Lite 64-bit: Debian 13 on a Pi 5, Debian 12 on a Pi 4."""


def read_pins(board: Board) -> dict[str, str]:
    """Return the version of each package that pip installs on *board*, by its plain name."""
    pins = {}
    for line in board.constraints.read_text("utf-8").splitlines():
        pin, _, comment = line.partition("#")
        name, _, version = pin.strip().partition("==")
        if name and APT not in comment:
            pins[plain(name)] = version
    return pins


def plain(name: str) -> str:
    """Return the name of a package as an index compares it. Source: PEP 503."""
    return re.sub(r"[-_.]+", "-", name).lower()

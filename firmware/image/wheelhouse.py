"""The kit's folder of a card: all that is the same on every card of one board.

A kit is a folder with VERSION (two lines: the version, the board), install.sh,
``wheels/``, constraints.txt, eyes.txt, apt-table.txt, apt-seat.txt, ``models/``
and SHA256SUMS, which is written last: a kit that has it and fits it is whole.
Packed as a tar, under ``kit/``, it is the archive of an update.

Used on the PC of who makes the cards: Linux, macOS or Windows.
"""

from pathlib import Path
from typing import Final, Protocol

import msgspec


class Board(msgspec.Struct, frozen=True):
    """What pip has to know of a board."""

    name: str
    python: str
    """Of its operating system."""
    glibc: int
    """Second number of its C library's version, 2.x."""


BOARDS: Final = {
    "pi5": Board("pi5", python="3.13", glibc=41),
    "pi4": Board("pi4", python="3.11", glibc=36),
}
"""Raspberry Pi OS Lite 64-bit: Debian 13 on a Pi 5, Debian 12 on a Pi 4."""

MACHINE: Final = "aarch64"
SUMS: Final = "SHA256SUMS"
TOP: Final = "kit"
"""The folder in an archive under which a kit's files are."""


class Progress(Protocol):
    """Hears how far a kit is."""

    def __call__(self, doing: str, done: int, whole: int) -> None:
        """*doing* is what is fetched or made now, step *done* of *whole*."""


def fill(kit: Path, board: str, progress: Progress, *, machine: str = MACHINE) -> None:
    """Make *kit* whole for *board*, "pi5" or "pi4"; what fits already is left alone.

    Needs the package index for what is missing. *machine* is another one than a
    Pi's in tests only.

    :raises KitError: if *board* is unknown, the index cannot be reached, or
        *kit* cannot be written; what was fetched stays for the next time.
    """
    raise NotImplementedError


def load(archive: Path, kit: Path) -> None:
    """Put the kit that *archive* holds in place of what is in *kit*.

    :raises KitError: if the archive is damaged, is no kit, or holds what does
        not belong in one; *kit* is unchanged then.
    """
    raise NotImplementedError


def pack(kit: Path, archive: Path, made_s: int) -> None:
    """Write *kit* as an archive; the same files and *made_s* give the same bytes.

    *made_s* is the time of all its members, in seconds since 1970.

    :raises KitError: if *kit* is not whole.
    """
    raise NotImplementedError


def faults(kit: Path) -> list[str]:
    """Return what keeps *kit* from being whole, a line each; none: it is whole."""
    raise NotImplementedError


def version(kit: Path) -> tuple[str, str]:
    """Return the version and the board of *kit*.

    :raises KitError: if it has no VERSION.
    """
    raise NotImplementedError


def release(kit: Path) -> str:
    """Return what *kit* is called on a card: its version and 8 digits of its sums' sum.

    :raises KitError: if it has no VERSION or no SHA256SUMS.
    """
    raise NotImplementedError

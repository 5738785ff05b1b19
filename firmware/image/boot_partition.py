"""A card's boot partition: recognised, and filled with what the kit brings.

It is mounted (a folder, on Windows a drive), or it is a FAT file system in a file or a
device, alone or as the first of a disk. Pure Python: it runs where cards are made.
"""

from collections.abc import Callable
from pathlib import Path

import msgspec

from firmware.errors import CardError

Progress = Callable[[int, int], object]
"""Is told bytes done and bytes in all, each time there is more; writing and reading back count."""


class BootError(CardError):
    """That is no boot partition of a Raspberry Pi, or it cannot take the files."""


class Written(msgspec.Struct, frozen=True):
    """What was done."""

    files: int
    bytes: int
    removed: int
    """Files of a card before that are gone."""


def nothing(done: int, whole: int) -> None:
    """Take progress and show none."""


def write(folder: Path, target: Path, progress: Progress = nothing) -> Written:
    """Put all that lies in *folder* on the boot partition *target*.

    The card's own files stay; the kit's of before go (``mafia/`` is replaced). All is
    read back and compared. Interrupted (:exc:`KeyboardInterrupt` included) the card is not
    whole, says so by the missing ``user-data``, and is made whole by another run.

    :raises BootError: before anything is changed if *target* is no boot partition or has no
        room, with what was found; after it, if what is read back is something else.
    """
    raise NotImplementedError

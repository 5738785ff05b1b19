"""Copies of journals: made for a reason, kept to a number, never for others to read."""

import contextlib
import enum
import logging
from pathlib import Path
from typing import Final

from firmware.errors import JournalError
from table_controller.record.entries import GAME_NAME, RawRow
from table_controller.record.journal import Journal, give_to_owner, scratch_file

log = logging.getLogger(__name__)

KEPT: Final = 60
"""Backups that are kept: those of some ten games."""

_PARTS: Final = 4


class Reason(enum.StrEnum):
    """Why a backup was made."""

    START = "start"
    MORNING = "morning"
    END = "end"
    ASKED = "asked"
    """By the command."""
    RESTORE = "restore"
    """Before another took its place."""
    REPAIR = "repair"
    """What could be saved of a damaged file, or a file of an older program."""


class Backups:
    """The folder of backups (0700), ``000017.<game>.<reason>.db`` being the 17th.

    The number says which is newer: the wall clock of a card may jump.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def all(self) -> list[Path]:
        """Return every backup, the newest last."""
        found = [path for path in self._folder.glob("*.db") if _parts(path)]
        return sorted(found, key=_number)

    def of(self, game: str) -> list[Path]:
        """Return the backups of *game*, the newest last."""
        return [path for path in self.all() if _parts(path)[1:2] == (game,)]

    def make(self, journal: Journal, reason: Reason) -> Path:
        """Copy *journal*, and forget the oldest backups; return where it is.

        :raises JournalError: if the disk refuses.
        """
        path = self._next(journal.path.stem, reason)
        journal.backup(path)
        self._tidy()
        return path

    def attempt(self, journal: Journal, reason: Reason) -> None:
        """Copy *journal*, as :meth:`make`; a disk that refuses is told in the log alone.

        The journal itself is what counts; the next entry tells of a full disk.
        """
        try:
            self.make(journal, reason)
        except JournalError as error:
            log.warning("no backup: %s", error)

    def keep(self, game: str, rows: list[RawRow], reason: Reason) -> Path:
        """Make a backup of *rows* of *game*; return where it is.

        :raises JournalError: if the disk refuses.
        """
        path = self._next(game, reason)
        write_journal(path, rows)
        self._tidy()
        return path

    def _next(self, game: str, reason: Reason) -> Path:
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._folder.chmod(0o700)
            give_to_owner(self._folder)
        except OSError as error:
            raise JournalError(f"backups {self._folder}: {error.strerror}") from error
        number = max(map(_number, self.all()), default=0) + 1
        return self._folder / f"{number:06d}.{game}.{reason}.db"

    def _tidy(self) -> None:
        for path in self.all()[:-KEPT]:
            with contextlib.suppress(OSError):
                path.unlink()


def write_journal(path: Path, rows: list[RawRow]) -> None:
    """Write *rows* as a journal of the present format to *path*, in one go.

    :raises JournalError: if the disk refuses; *path* is as before then.
    """
    try:
        with scratch_file(path) as scratch:
            scratch.unlink()
            with contextlib.closing(Journal(scratch, new=True, copy=True)) as journal:
                journal.copy(rows)
    except OSError as error:
        raise JournalError(f"journal {path}: {error}") from error


def _parts(path: Path) -> tuple[int, str, str] | tuple[()]:
    parts = path.name.split(".")
    if len(parts) != _PARTS or not parts[0].isdecimal() or not GAME_NAME.fullmatch(parts[1]):
        return ()
    return (int(parts[0]), parts[1], parts[2])


def _number(path: Path) -> int:
    parts = _parts(path)
    return parts[0] if parts else 0

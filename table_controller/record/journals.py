"""The directory of journals: one table's, locked, repaired where a disk has failed it."""

import contextlib
import datetime
import enum
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from firmware.errors import JournalError
from firmware.words import Words
from table_controller.game.views import PublicPhase, public_view
from table_controller.record.backups import Backups, Reason, write_journal
from table_controller.record.entries import FORMAT, GAME_NAME, RawRow, Started
from table_controller.record.examine import Examined, examine, game_of
from table_controller.record.journal import Journal, replace_file, sync_path
from table_controller.record.notes import Note, note_path, read_note

KEPT_GAMES: Final = 200
"""Journals that are kept, with the present one; more while the league has not got them."""

KEPT_ASIDE: Final = 10
"""Files that could not be read and are kept for whoever wants to look into them."""

ROOM: Final = 256 * 1024
"""Bytes that must be free for a game to go on, some hundred entries."""

NOBODY: Final = "."
"""Stands in the place of a game's name when the table is back in its lobby."""


class LossKind(enum.StrEnum):
    """What happened to a journal."""

    ENTRIES = "entries"
    """Its end is lost."""
    ALL = "all"
    """Nothing could be read, and there is no backup."""
    MISSING = "missing"
    """The file is not there, and no backup."""
    NEWER = "newer"
    """A newer program wrote it."""
    REPAIRED = "repaired"
    """It was damaged, and nothing is lost."""


class Loss(msgspec.Struct, frozen=True):
    """What was found wrong with a journal at the start, and what became of it."""

    kind: LossKind
    game: str
    kept_utc: str = ""
    """When the last entry was made that is left."""
    lost: int = 0
    """Entries that are gone; 0: nobody knows, or it is night, when no number may tell."""
    fault: str = ""
    aside: str = ""
    """Where the file is now; empty: nowhere."""

    def told(self, words: Words) -> str:
        """Return it for the host."""
        t = words.gettext
        match self.kind:
            case LossKind.ENTRIES if self.lost:
                text = t(
                    "Game {game}: the disk lost the last {lost} entries; "
                    "it goes on as it stood at {utc}."
                )
            case LossKind.ENTRIES:
                text = t(
                    "Game {game}: the disk lost what came after {utc}; it goes on as it stood then."
                )
            case LossKind.ALL:
                text = t("Game {game}: nothing of it could be read and there is no backup.")
            case LossKind.MISSING:
                text = t("Game {game}: its file is not there and there is no backup.")
            case LossKind.NEWER:
                text = t("Game {game}: a newer program wrote it; this one cannot read it.")
            case LossKind.REPAIRED:
                text = t("Game {game}: its file was damaged; nothing is lost.")
        text = text.format(game=self.game, lost=self.lost, utc=self.kept_utc)
        if self.aside:
            text += " " + t("The file is kept as {path}.").format(path=self.aside)
        return text


class Journals:
    """The directory of journals (0700), locked for this process.

    In it are ``backups`` and ``damaged``. *waits* tells whether a game is still to be kept
    in the league: then its journal stays, however old.

    :raises JournalError: if another table holds it, or it cannot be written.
    """

    def __init__(self, folder: Path, waits: Callable[[str], bool] = lambda _: False) -> None:
        self.folder = folder
        self._waits = waits
        self.backups = Backups(folder / "backups")
        self.losses: list[Loss] = []
        """What :meth:`current` found wrong."""
        self._aside = folder / "damaged"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.chmod(0o700)
            self._lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise JournalError(f"journal {folder}: {error.strerror}; make it writable") from error
        import fcntl  # not on Windows, where cards are made

        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._lock)
            raise JournalError(
                f"journal {folder}: another table program uses it; stop that one first"
            ) from error

    def close(self) -> None:
        """Give the directory free."""
        os.close(self._lock)

    def create(self, started: Started, utc: datetime.datetime) -> Journal:
        """Begin the journal of a new game.

        :raises JournalError: if the disk refuses; the last game is still the current one then.
        """
        self.check_room()
        path = self._path(started.game)
        with contextlib.ExitStack() as undoing:
            undoing.callback(_remove, path)
            journal = Journal(path, new=True)
            undoing.callback(journal.close)
            journal.append(started, (), utc)
            self.name_current(started.game)
            undoing.pop_all()
        self._tidy()
        return journal

    def name_current(self, game: str) -> None:
        """Let *game* be the one that is played.

        :raises JournalError: if the disk refuses.
        """
        try:
            replace_file(self.folder / "current", game.encode(), sync=True)
        except OSError as error:
            raise JournalError(f"journal {self.folder}: {error}") from error

    def install(self, game: str, rows: list[RawRow]) -> None:
        """Put *rows* in the place of *game*'s journal and let it be the current one.

        :raises JournalError: if the disk refuses; *rows* are among the backups by then.
        """
        path = self._path(game)
        if path.exists():
            # With rows as long a table that starts meanwhile takes these.
            self.backups.keep(game, rows, Reason.REPAIR)
        _remove(path)
        write_journal(path, rows)
        self.name_current(game)

    def check_room(self) -> None:
        """Find out whether the disk would take some hundred entries.

        :raises JournalError: if it would not.
        """
        try:
            # Not statvfs: quotas, a disk gone read-only and a dying card are seen by writing alone.
            replace_file(self.folder / "room", bytes(ROOM), sync=True)
            (self.folder / "room").unlink()
        except OSError as error:
            raise JournalError(f"journal {self.folder}: {error.strerror}") from error

    def games(self) -> list[str]:
        """Return every game that has a journal, the oldest first."""
        return _games(self.folder)

    # ---- the game that was played last ----

    def current(self) -> Journal | None:
        """Open the journal of the game that was played last; None: there is none to go on with.

        What a disk did to it is repaired, from the longest backup or the longest
        good prefix of its entries, and told in :attr:`losses`.

        :raises JournalError: if the disk refuses that.
        """
        self.losses = []
        game = self.current_game()
        if not game:
            return None
        path = self._path(game)
        try:
            found = examine(path) if path.exists() else None
            note = read_note(path)
            if found and found.newer:
                self._lose(LossKind.NEWER, game, path)
                return None
            if found and self._is_whole(found, game, note):
                return Journal(path)
            return self._repair(path, found, note)
        except OSError as error:
            if isinstance(error, JournalError):
                raise
            raise JournalError(f"journal {path}: {error}") from error

    def current_game(self) -> str:
        """Return the name of the game that was played last; empty: none was."""
        return current_game(self.folder)

    @staticmethod
    def _is_whole(found: Examined, game: str, note: Note) -> bool:
        start = found.start
        return (
            not found.fault
            and found.form == FORMAT
            and start is not None
            and start.game == game
            and len(found.rows) >= note.entries
        )

    def _repair(self, path: Path, found: Examined | None, note: Note) -> Journal | None:
        game = path.stem
        best = found if found and found.start and found.start.game == game else None
        for backup in self.backups.of(game):
            copy = examine(backup)
            longer = len(copy.rows) > (len(best.rows) if best else 0)
            if longer and not copy.newer and copy.start and copy.start.game == game:
                best = copy
        if best is None or best.state is None:
            self._lose(LossKind.ALL if found else LossKind.MISSING, game, path, found)
            return None
        # A plug pulled from here on finds this backup: nothing more can be lost.
        self.backups.keep(game, best.raw, Reason.REPAIR)
        aside = self._put_aside(path) if found and found.fault else ""
        if not found or found.fault or best is not found or found.form != FORMAT:
            _remove(path)
            write_journal(path, best.raw)
        entries = max(note.entries, found.entries if found else 0)
        lost = max(0, entries - len(best.rows))
        # Where reading broke off, nobody knows what came after.
        known = bool(found and found.read_all)
        if lost or not known or (found and found.fault):
            # What was left of the clocks belongs to a later moment.
            note_path(path).unlink(missing_ok=True)
            night = public_view(best.state).phase is PublicPhase.NIGHT
            kind = LossKind.ENTRIES if lost or not known else LossKind.REPAIRED
            fault = found.fault if found else "it is not there"
            shown = 0 if night else lost
            self.losses.append(Loss(kind, game, best.rows[-1].utc, shown, fault, aside))
        return Journal(path)

    def _lose(self, kind: LossKind, game: str, path: Path, found: Examined | None = None) -> None:
        aside = self._put_aside(path) if path.exists() else ""
        _remove(path)
        self.name_current(NOBODY)
        self.losses.append(Loss(kind, game, fault=found.fault if found else "", aside=aside))

    def _put_aside(self, path: Path) -> str:
        """Copy a file that is about to go, with what SQLite keeps beside it; return where."""
        self._aside.mkdir(mode=0o700, exist_ok=True)
        self._aside.chmod(0o700)
        number = max(map(_aside_number, self._aside.iterdir()), default=0) + 1
        target = self._aside / f"{number:06d}.{path.name}"
        for suffix in ("-wal", "-shm", ""):
            source = path.with_name(path.name + suffix)
            if source.exists():
                copy = target.with_name(target.name + suffix)
                shutil.copyfile(source, copy)
                copy.chmod(0o600)
                sync_path(copy)
        for old in self._aside.iterdir():
            if _aside_number(old) <= number - KEPT_ASIDE:
                old.unlink(missing_ok=True)
        return str(target)

    def _tidy(self) -> None:
        for game in self.games()[:-KEPT_GAMES]:
            if game != self.current_game() and not self._waits(game):
                _remove(self._path(game))

    def _path(self, game: str) -> Path:
        return self.folder / f"{game}.db"


def current_game(folder: Path) -> str:
    """Return the name of the game that was played last; empty: none was.

    Where the name is lost, it is the newest.
    """
    try:
        game = (folder / "current").read_bytes().decode()
    except (FileNotFoundError, UnicodeDecodeError):
        game = ""
    if game == NOBODY:
        return ""
    if GAME_NAME.fullmatch(game):
        return game
    return next(reversed(_games(folder)), "")


def _games(folder: Path) -> list[str]:
    return sorted(filter(None, map(game_of, folder.glob("*.db"))))


def _aside_number(path: Path) -> int:
    number = path.name.split(".", 1)[0]
    return int(number) if number.isdecimal() else 0


def _remove(path: Path) -> None:
    """Remove a journal with all that is beside it."""
    for each in (*(path.with_name(path.name + s) for s in ("-wal", "-shm", "")), note_path(path)):
        with contextlib.suppress(OSError):
            each.unlink(missing_ok=True)

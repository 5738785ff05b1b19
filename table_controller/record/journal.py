"""The journal: what was decided at the table, on disk before anybody sees it.

One SQLite file a game, 0600, in WAL mode with ``synchronous=FULL``: a commit is
on the disk when it returns. Append-only. The first entry holds all that the game
was started with, so that later defaults never change an old game. Each row is
sealed with a checksum over it and the seal before.

Source: DESIGN 7; measured in SQLite 3.40: 3-4 ms a commit, nothing committed
was lost in 25 kills.
"""

import contextlib
import datetime
import os
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from firmware.errors import JournalError
from table_controller.game import Event
from table_controller.record.entries import FORMAT, Entry, RawRow, Row, decode_row, encode_row

_SCHEMA: Final = """
create table entry (
    number integer primary key,
    utc text not null,
    body blob not null,
    events blob not null,
    msgid text unique,
    seal blob not null
)
"""
_INSERT: Final = (
    "insert into entry (number, utc, body, events, msgid, seal) values (?, ?, ?, ?, ?, ?)"
)


class Journal:
    """The journal of one game. For one thread.

    With *copy* it is written in one go and closed: no second file beside it then.

    :raises JournalError: if the file is not a journal of this version.
    """

    def __init__(self, path: Path, *, new: bool = False, copy: bool = False) -> None:
        self.path = path
        try:
            os.close(os.open(path, os.O_RDWR | (os.O_CREAT | os.O_EXCL if new else 0), 0o600))
            self._db = sqlite3.connect(path, isolation_level=None)
            self._db.execute(f"pragma journal_mode={'delete' if copy else 'wal'}")
            self._db.execute("pragma synchronous=full")
            if new:
                self._db.execute(_SCHEMA)
                self._db.execute(f"pragma user_version={FORMAT}")
            (found,) = self._db.execute("pragma user_version").fetchone()
            if found != FORMAT:
                raise JournalError(f"journal {path}: format {found}, this program reads {FORMAT}")
            last = self._db.execute("select number, seal from entry order by number desc limit 1")
            self.entries: int
            self._seal: bytes
            self.entries, self._seal = last.fetchone() or (0, b"")
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"journal {path}: {error}") from error

    def append(
        self,
        entry: Entry,
        events: tuple[Event, ...],
        utc: datetime.datetime,
        msgid: str | None = None,
    ) -> None:
        """Write *entry* to the disk; it is there when this returns.

        :raises JournalError: if the disk refuses, or *msgid* is there already.
        """
        stamp = utc.isoformat(timespec="milliseconds")
        self._insert([encode_row(self.entries + 1, stamp, entry, events, msgid)])

    def copy(self, rows: Iterable[RawRow]) -> None:
        """Append *rows* of another journal, all or none.

        :raises JournalError: as :meth:`append`.
        """
        with self._translated():
            self._db.execute("begin immediate")
        try:
            self._insert(rows)
        except JournalError:
            self._db.execute("rollback")
            raise
        with self._translated():
            self._db.execute("commit")

    def _insert(self, rows: Iterable[RawRow]) -> None:
        entries, seal = self.entries, self._seal
        with self._translated():
            for raw in rows:
                entries, seal = raw.number, raw.seal(seal)
                fields = (raw.number, raw.utc, raw.body, raw.events, raw.msgid, seal)
                self._db.execute(_INSERT, fields)
        self.entries, self._seal = entries, seal

    def rows(self) -> Iterator[Row]:
        """Return every entry, first to last.

        :raises JournalError: if an entry cannot be read.
        """
        try:
            for fields in self._db.execute(
                "select number, utc, body, events, msgid from entry order by number"
            ):
                yield decode_row(RawRow(*fields))
        except (sqlite3.Error, ValueError) as error:
            raise JournalError(f"journal {self.path}: {error}") from error

    def backup(self, path: Path) -> None:
        """Write a copy to *path*, which must not be there; on the disk when this returns.

        :raises JournalError: if that fails; *path* is not there then.
        """
        # SQLite writes into an empty file that is there, and leaves it its mode.
        with self._translated(), scratch_file(path) as scratch:
            self._db.execute("vacuum into ?", (str(scratch),))

    def answers(self) -> bool:
        """Tell whether the file can be read, for the watchdog."""
        try:
            self._db.execute("select max(number) from entry").fetchone()
        except sqlite3.Error:
            return False
        return True

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"journal {self.path}: {error}") from error


@contextlib.contextmanager
def scratch_file(path: Path) -> Iterator[Path]:
    """Give an empty file (0600) to write to; it takes the place of *path*, on the disk, after."""
    scratch = path.with_suffix(".new")
    try:
        os.close(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        yield scratch
        give_to_owner(scratch)
        sync_path(scratch)
        scratch.replace(path)
        sync_path(path.parent)
    except BaseException:
        with contextlib.suppress(OSError):
            scratch.unlink(missing_ok=True)
        raise


def replace_file(path: Path, content: bytes, *, sync: bool = False) -> None:
    """Put *content* in the place of *path* in one go, for its owner's eyes only."""
    if sync:
        with scratch_file(path) as scratch:
            scratch.write_bytes(content)
        return
    scratch = path.with_suffix(".new")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    with os.fdopen(os.open(scratch, flags, 0o600), "wb") as file:
        file.write(content)
    scratch.replace(path)


def give_to_owner(path: Path) -> None:
    """Let *path* belong to whom its folder does: a command of root's may not lock the table out."""
    if os.geteuid() == 0:
        folder = path.parent.stat()
        os.chown(path, folder.st_uid, folder.st_gid)


def sync_path(path: Path) -> None:
    """Have a file, or the names in a folder, on the disk when this returns."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

"""The journal: what was decided at the table, on disk before anybody sees it.

One SQLite file a game in a directory of its own (0700, files 0600), in WAL mode
with ``synchronous=FULL``: a commit is on the disk when it returns. Append-only.
The first entry holds all that the game was started with, so that later
defaults never change an old game.

Source: DESIGN 7; measured in SQLite 3.40: 3-4 ms a commit, nothing committed
was lost in 25 kills.
"""

import contextlib
import datetime
import fcntl
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from firmware.errors import JournalError
from table_controller.game import Action, Event, Ruleset

FORMAT: Final = 1
"""Version of the files' form."""

_SCHEMA: Final = """
create table entry (
    number integer primary key,
    utc text not null,
    body blob not null,
    events blob not null,
    msgid text unique
)
"""


class Started(msgspec.Struct, frozen=True, tag_field="entry", tag="started"):
    """First entry of every journal."""

    format: int
    version: str
    game: str
    ruleset: Ruleset
    names: tuple[str, ...]
    """Players by seat, seat 1 first."""
    seed: str
    """The deal's seed in hex. Secret until the game is over."""
    nodes: tuple[str, ...]
    """User name of each seat's node, seat 1 first."""


class Acted(msgspec.Struct, frozen=True, tag_field="entry", tag="acted"):
    """An action that the rules accepted."""

    action: Action


class Swapped(msgspec.Struct, frozen=True, tag_field="entry", tag="swapped"):
    """Another node plays for *seat*."""

    seat: int
    node: str


class Undone(msgspec.Struct, frozen=True, tag_field="entry", tag="undone"):
    """The host went back: of the actions so far that were not undone, the first *keep* stand."""

    keep: int


Entry = Started | Acted | Swapped | Undone

_decode_entry: Final = msgspec.json.Decoder(Entry)
_decode_events: Final = msgspec.json.Decoder(tuple[Event, ...])
_encode: Final = msgspec.json.Encoder().encode


class Row(msgspec.Struct, frozen=True):
    """One entry as it stands in the file."""

    number: int
    utc: str
    entry: Entry
    events: tuple[Event, ...]
    msgid: str | None
    """``boot:counter`` of the node's message that caused it."""


class Journals:
    """The directory of journals, locked for this process.

    :raises JournalError: if another table holds it, or it cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.chmod(0o700)
            self._lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise JournalError(f"journal {folder}: {error.strerror}; make it writable") from error
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

    def create(self, started: Started, utc: datetime.datetime) -> "Journal":
        """Begin the journal of a new game."""
        journal = Journal(self._folder / f"{started.game}.db", new=True)
        journal.append(started, (), utc)
        _replace(self._folder / "current", started.game.encode(), sync=True)
        return journal

    def current(self) -> "Journal | None":
        """Open the journal of the game that was played last; None: there is none."""
        try:
            game = (self._folder / "current").read_text()
        except FileNotFoundError:
            return None
        path = self._folder / f"{game}.db"
        return Journal(path) if path.exists() else None


class Journal:
    """The journal of one game. For one thread.

    :raises JournalError: if the file is not a journal of this version.
    """

    def __init__(self, path: Path, *, new: bool = False) -> None:
        self.path = path
        self._lefts = path.with_suffix(".left")
        try:
            os.close(os.open(path, os.O_RDWR | (os.O_CREAT | os.O_EXCL if new else 0), 0o600))
            self._db = sqlite3.connect(path, isolation_level=None)
            self._db.execute("pragma journal_mode=wal")
            self._db.execute("pragma synchronous=full")
            if new:
                self._db.execute(_SCHEMA)
                self._db.execute(f"pragma user_version={FORMAT}")
            (found,) = self._db.execute("pragma user_version").fetchone()
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"journal {path}: {error}") from error
        if found != FORMAT:
            raise JournalError(
                f"journal {path}: format {found}, this program reads {FORMAT}; use its version"
            )

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
        try:
            self._db.execute(
                "insert into entry (utc, body, events, msgid) values (?, ?, ?, ?)",
                (utc.isoformat(timespec="milliseconds"), _encode(entry), _encode(events), msgid),
            )
        except sqlite3.Error as error:
            raise JournalError(f"journal {self.path}: {error}") from error

    def rows(self) -> Iterator[Row]:
        """Return every entry, first to last.

        :raises JournalError: if an entry cannot be read.
        """
        try:
            for number, utc, body, events, msgid in self._db.execute(
                "select number, utc, body, events, msgid from entry order by number"
            ):
                yield Row(
                    number, utc, _decode_entry.decode(body), _decode_events.decode(events), msgid
                )
        except (sqlite3.Error, msgspec.MsgspecError) as error:
            raise JournalError(f"journal {self.path}: {error}") from error

    def note_lefts(self, lefts: dict[int, float]) -> None:
        """Note what is left of each countdown, apart from the entries and without a sync.

        A lost note costs nothing but a longer speech, so it may not cost the
        card a write through the cache twice a second.
        """
        with contextlib.suppress(OSError):
            _replace(self._lefts, _encode(lefts))

    def lefts(self) -> dict[int, float]:
        """Return the last note of :meth:`note_lefts`; empty when there is none."""
        try:
            return msgspec.json.decode(self._lefts.read_bytes(), type=dict[int, float])
        except (OSError, msgspec.MsgspecError):
            return {}

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


def _replace(path: Path, content: bytes, *, sync: bool = False) -> None:
    """Put *content* in the place of *path* in one go, for its owner's eyes only."""
    scratch = path.with_suffix(".new")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    with os.fdopen(os.open(scratch, flags, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        if sync:
            os.fsync(file.fileno())
    scratch.replace(path)

"""What is good in the file of a journal: its longest prefix that can be believed.

Nothing is believed of a file: SQLite's own check, the seals, the decoding and the rules
each have to agree.
"""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from firmware.errors import JournalError
from table_controller.game import GameState, Phase, apply, new_game
from table_controller.record.entries import (
    FORMAT,
    GAME_NAME,
    Acted,
    RawRow,
    Row,
    Started,
    Swapped,
    Undone,
    decode_row,
    upgrade,
)

_NOT_DAMAGE: Final = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
)
"""Errors that say nothing of the file: the disk is full, or not ours."""


class Examined(msgspec.Struct):
    """The good part of a file."""

    raw: list[RawRow]
    rows: list[Row]
    state: GameState | None = None
    """After the last good row; None: there is none."""
    form: int = FORMAT
    """The file's own format; the rows are in the present one."""
    fault: str = ""
    """What ended the good part; empty: all of the file is good."""
    read_all: bool = False
    """Whether reading came to the end of the file's entries."""
    entries: int = 0
    """How many entries the file claims to hold."""
    strange: int = 0
    """First entry with other events than the rules tell now; 0: none."""

    @property
    def start(self) -> Started | None:
        """The first entry; None: nothing is good."""
        first = self.rows[0].entry if self.rows else None
        return first if isinstance(first, Started) else None

    @property
    def newer(self) -> bool:
        """Tell whether a newer program wrote it: then nothing of it is read."""
        return self.form > FORMAT


def examine(path: Path) -> Examined:
    """Return what is good in the file at *path*, which is only read.

    :raises JournalError: if it cannot be opened, as on a full disk or for want of rights.
    """
    found = Examined([], [])
    try:
        with contextlib.closing(_open(path)) as db:
            (found.form,) = db.execute("pragma user_version").fetchone()
            if found.newer:
                return found
            if found.form < 1:
                found.fault = "it is not a journal"
                return found
            _read(db, found)
            found.read_all = True
            found.fault = _quick_check(db)
    except sqlite3.Error as error:
        if (getattr(error, "sqlite_errorcode", 0) & 0xFF) in _NOT_DAMAGE:
            raise JournalError(f"journal {path}: {error}") from error
        found.fault = str(error)
    except ValueError as error:
        found.fault = str(error)
    return found


def _open(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path.absolute().as_uri() + "?mode=ro", uri=True, isolation_level=None)
    # Else SQLite reads nothing at all of a file that lost its tail.
    db.execute("pragma writable_schema=on")
    return db


def _quick_check(db: sqlite3.Connection) -> str:
    (answer,) = db.execute("pragma quick_check(1)").fetchone()
    return "" if answer == "ok" else str(answer)


def _read(db: sqlite3.Connection, found: Examined) -> None:
    """Fill *found* row by row, so that what comes before the damage is in it when this raises.

    :raises ValueError: if a row cannot be believed.
    """
    with contextlib.suppress(sqlite3.DatabaseError):
        (found.entries,) = db.execute("select coalesce(max(number), 0) from entry").fetchone()
    states: list[GameState] = []
    for raw in _sealed(db, found.form):
        row = decode_row(raw)
        if row.number != len(found.rows) + 1:
            raise ValueError(f"entry {row.number}: expected entry {len(found.rows) + 1}")
        if isinstance(row.entry, Started) == bool(states):
            raise ValueError(f"entry {row.number}: a game begins once, with its first entry")
        _play(row, states, found)
        found.raw.append(raw)
        found.rows.append(row)
        found.state = states[-1]
    if not states:
        raise ValueError("it has no entries")


def _sealed(db: sqlite3.Connection, form: int) -> Iterator[RawRow]:
    sealed = "seal" if form > 1 else "null"
    before = b""
    for number, utc, body, events, msgid, seal in db.execute(
        f"select number, utc, body, events, msgid, {sealed} from entry order by number"  # noqa: S608 - a constant
    ):
        fields = (number, utc, body, events, msgid)
        stored = RawRow(*msgspec.convert(fields, type=_Fields))
        if form > 1 and (before := stored.seal(before)) != seal:
            raise ValueError(f"entry {number}: its seal is broken")
        yield upgrade(stored, form)


_Fields = tuple[int, str, bytes, bytes, str | None]


def _play(row: Row, states: list[GameState], found: Examined) -> None:
    try:
        match row.entry:
            case Started(ruleset=ruleset):
                states.append(new_game(ruleset))
            case Acted(action=action):
                state, events = apply(states[-1], action)
                states.append(state)
                if events != row.events and not found.strange:
                    found.strange = row.number
            case Undone(keep=keep):
                if not 0 <= keep < len(states):
                    raise ValueError(f"keeps {keep} of {len(states) - 1} actions")
                del states[keep + 1 :]
            case Swapped():
                pass
    except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
        # What the rules make of an action that never was is not ours to foresee.
        raise ValueError(f"entry {row.number}: the rules refuse it: {error}") from error


def finished(found: Examined, *, current: bool) -> bool:
    """Tell whether *found* is the whole of a game that is over: then anybody may read it.

    Not a void one while it is the table's *current* game: the host can take it up again.
    """
    if found.newer or found.state is None or found.state.phase is not Phase.OVER:
        return False
    return found.state.decided is not None or not current


def game_of(path: Path) -> str:
    """Return the name of the game whose journal is at *path*; empty: it is none's."""
    return path.stem if path.suffix == ".db" and GAME_NAME.fullmatch(path.stem) else ""

"""The league's store: opened, brought up to date, read and written.

A file of the table's own (:mod:`~table_controller.league.sqlite_file`) or a club's
server (:mod:`~table_controller.league.postgres`): what was written is on the disk when
the call returns. Any thread may use it, and a command while the table runs; the table's
loop does not, because it would wait for the disk.

Source: DESIGN 8.
"""

import contextlib
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol

import sqlalchemy
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from firmware.clock import Clock
from firmware.errors import LeagueError
from table_controller.league.postgres import Postgres
from table_controller.league.sqlite_file import SqliteFile
from table_controller.league.tables import schema_version

SCHEMA: Final = Path(__file__).parent / "schema"
"""SQL files ``001_what_it_adds.sql`` and so on, each run once, in order."""


class Home(Protocol):
    """Where a league is kept."""

    label: str
    """For messages: without a secret."""
    reader: Engine
    writer: Engine
    """Lets one transaction at a time write, of all programs."""

    def close(self) -> None:
        """Let go of it."""

    def statement(self, text: str) -> str:
        """Return a statement of ``schema/`` as it is said here."""
        ...

    def back_up(self, version: int) -> None:
        """Keep what there is before it is brought up to date."""

    def why(self, error: DBAPIError) -> str:
        """Return what is wrong, without a value of the query."""
        ...


class Store:
    """The open league at *where*, a file or a URL. Thread-safe.

    With *later* a server that is away now is asked by the first call, and by each one
    after it that needs it.

    :raises LeagueError: if it cannot be opened, is no league's, or a newer program wrote it.
    """

    def __init__(
        self,
        where: Path | str,
        clock: Clock,
        *,
        password: str = "",
        later: bool = False,
        schema: Path = SCHEMA,
    ) -> None:
        self.clock = clock
        self._label = "" if isinstance(where, str) else str(where)
        self._files = _files(schema)
        self._opening = threading.Lock()
        self._open = False
        with self._translated():
            self._home: Home = (
                Postgres(where, password) if isinstance(where, str) else SqliteFile(where)
            )
        self._label = self._home.label
        if not later:
            try:
                self.open()
            except BaseException:
                self.close()
                raise

    def open(self) -> None:
        """See that it is there and up to date.

        :raises LeagueError: as the class.
        """
        if self._open:
            return
        with self._opening, self._translated():
            if not self._open:
                self._upgrade()
                self._open = True

    def close(self) -> None:
        """Close it."""
        self._home.close()

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection that sees one state of the league.

        :raises LeagueError: if the disk or the server refuses.
        """
        self.open()
        with self._translated(), self._home.reader.begin() as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give a connection that alone writes; all of it is kept at the end, or nothing.

        :raises LeagueError: if the disk or the server refuses.
        """
        self.open()
        with self._translated(), self._home.writer.begin() as connection:
            yield connection

    @property
    def version(self) -> int:
        """Return the version that an open league has."""
        return len(self._files)

    def utc(self) -> str:
        """Return the time of day as it is kept."""
        return self.clock.wall().isoformat(timespec="seconds")

    # ---- versions ----

    def _upgrade(self) -> None:
        files = self._files
        with self._home.reader.begin() as connection:
            found = self._version(connection)
        if found > len(files):
            raise LeagueError(
                f"league {self._label}: a newer program wrote it (version {found}, "
                f"this one reads up to {len(files)}); install that program again"
            )
        if found == len(files):
            return
        if found:
            self._home.back_up(found)
        with self._home.writer.begin() as connection:
            # Another program may have been quicker.
            for number in range(self._version(connection) + 1, len(files) + 1):
                file = files[number - 1]
                for statement in _statements(file.read_text("utf-8")):
                    connection.exec_driver_sql(self._home.statement(statement))
                row = {"version": number, "file": file.name, "applied_utc": self.utc()}
                connection.execute(schema_version.insert(), row)

    def _version(self, connection: Connection) -> int:
        """Return the version of the league; 0: it is empty.

        :raises LeagueError: if it is some other program's.
        """
        names = sqlalchemy.inspect(connection).get_table_names()
        if not names:
            return 0
        if schema_version.name not in names:
            raise LeagueError(f"league {self._label}: it is not a league's")
        found = connection.scalar(sqlalchemy.select(sqlalchemy.func.max(schema_version.c.version)))
        return int(found or 0)

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except LeagueError:
            raise
        except DBAPIError as error:
            # Not from the other error: PostgreSQL's own text quotes names.
            raise LeagueError(f"league {self._label}: {self._home.why(error)}") from None
        except (OSError, sqlite3.Error, SQLAlchemyError) as error:
            raise LeagueError(f"league {self._label}: {error}") from error


def _files(schema: Path) -> list[Path]:
    files = sorted(schema.glob("*.sql"))
    numbers = [int(file.name.partition("_")[0]) for file in files]
    assert numbers == list(range(1, len(files) + 1)), "a number of schema/ is missing"
    return files


def _statements(script: str) -> list[str]:
    """Return the statements of *script*; each ends with a semicolon at the end of a line."""
    return [each for part in script.split(";\n") if (each := part.strip())]

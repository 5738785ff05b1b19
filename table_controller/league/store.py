"""The league's file: opened, brought up to date, read and written.

One SQLite file (0600, WAL, ``synchronous=FULL``): what was written is on the disk
when the call returns. Any thread may use it, and a command while the table runs;
the table's loop does not, because it would wait for the disk.

Source: DESIGN 8; SQLAlchemy's page on pysqlite, "Serializable isolation".
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import sqlalchemy
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from firmware.clock import Clock
from firmware.errors import LeagueError
from table_controller.league.tables import schema_version
from table_controller.record.journal import give_to_owner, scratch_file

SCHEMA: Final = Path(__file__).parent / "schema"
"""SQL files ``001_what_it_adds.sql`` and so on, each run once, in order."""

BUSY_S: Final = 5.0
"""Patience with another program that is writing."""


class Store:
    """The open file. Thread-safe.

    :raises LeagueError: if it cannot be opened, is no league's, or a newer program wrote it.
    """

    def __init__(self, path: Path, clock: Clock, *, schema: Path = SCHEMA) -> None:
        self.path = path
        self.clock = clock
        with self._translated():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            path.chmod(0o600)
            give_to_owner(path)
        # Values of a query are names and appeals: no message may repeat them.
        self._engine = sqlalchemy.create_engine(
            f"sqlite:///{path.absolute()}",
            hide_parameters=True,
            connect_args={"timeout": BUSY_S, "check_same_thread": False},
        )
        _speak_sqlite(self._engine)
        try:
            with self._translated():
                self._upgrade(_files(schema))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._engine.dispose()

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection that sees one state of the file.

        :raises LeagueError: if the disk refuses.
        """
        with self._translated(), self._engine.begin() as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give a connection that alone writes; all of it is kept at the end, or nothing.

        :raises LeagueError: if the disk refuses.
        """
        engine = self._engine.execution_options(writes=True)
        with self._translated(), engine.begin() as connection:
            yield connection

    def utc(self) -> str:
        """Return the time of day as it is kept."""
        return self.clock.wall().isoformat(timespec="seconds")

    # ---- versions ----

    def _upgrade(self, files: list[Path]) -> None:
        with self.reading() as connection:
            found = _version(connection)
        if found > len(files):
            raise LeagueError(
                f"league {self.path}: a newer program wrote it (version {found}, "
                f"this one reads up to {len(files)}); install that program again"
            )
        if found == len(files):
            return
        if found:
            self._back_up(found)
        with self.writing() as connection:
            # Another program may have been quicker.
            for number in range(_version(connection) + 1, len(files) + 1):
                file = files[number - 1]
                for statement in _statements(file.read_text("utf-8")):
                    connection.exec_driver_sql(statement)
                row = {"version": number, "file": file.name, "applied_utc": self.utc()}
                connection.execute(schema_version.insert(), row)

    def _back_up(self, version: int) -> None:
        """Keep a copy of the file as version *version* has it."""
        copy = self.path.with_name(f"{self.path.stem}.version-{version}.db")
        with (
            scratch_file(copy) as scratch,
            contextlib.closing(sqlite3.connect(self.path)) as db,
        ):
            db.execute("vacuum into ?", (str(scratch),))

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except LeagueError:
            raise
        except DBAPIError as error:
            raise LeagueError(f"league {self.path}: {error.orig}") from error
        except (OSError, sqlite3.Error, SQLAlchemyError) as error:
            raise LeagueError(f"league {self.path}: {error}") from error


def _speak_sqlite(engine: Engine) -> None:
    """Let transactions begin where the code says, and be on the disk when they end."""

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _: object) -> None:
        connection.isolation_level = None
        for pragma in ("journal_mode=wal", "synchronous=full", "foreign_keys=on"):
            connection.execute(f"pragma {pragma}").close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("begin immediate" if writes else "begin")


def _files(schema: Path) -> list[Path]:
    files = sorted(schema.glob("*.sql"))
    numbers = [int(file.name.partition("_")[0]) for file in files]
    assert numbers == list(range(1, len(files) + 1)), "a number of schema/ is missing"
    return files


def _statements(script: str) -> list[str]:
    """Return the statements of *script*; each ends with a semicolon at the end of a line."""
    return [each for part in script.split(";\n") if (each := part.strip())]


def _version(connection: Connection) -> int:
    """Return the version of the file; 0: it is empty.

    :raises LeagueError: if it is some other program's.
    """
    names = sqlalchemy.inspect(connection).get_table_names()
    if not names:
        return 0
    if schema_version.name not in names:
        raise LeagueError(f"league {connection.engine.url.database}: it is not a league's file")
    found = connection.scalar(sqlalchemy.select(sqlalchemy.func.max(schema_version.c.version)))
    return int(found or 0)

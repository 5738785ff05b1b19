"""A league in a file of the table's own.

SQLite (0600, WAL, ``synchronous=FULL``). Source: SQLAlchemy's page on pysqlite,
"Serializable isolation".
"""

import contextlib
import os
import sqlite3
from pathlib import Path
from typing import Any, Final

import sqlalchemy
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import DBAPIError

from table_controller.record.journal import give_to_owner, scratch_file

BUSY_S: Final = 5.0
"""Patience with another program that is writing."""


class SqliteFile:
    """The file at *path*.

    :raises OSError: if it cannot be made.
    """

    def __init__(self, path: Path) -> None:
        self.label = str(path)
        self._path = path
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
        _speak(self._engine)
        self.reader: Engine = self._engine
        self.writer: Engine = self._engine.execution_options(writes=True)

    def close(self) -> None:
        """Close the file."""
        self._engine.dispose()

    def statement(self, text: str) -> str:
        """Return a statement of ``schema/``, which is written for SQLite."""
        return text

    def back_up(self, version: int) -> None:
        """Keep a copy of the file as version *version* has it."""
        copy = self._path.with_name(f"{self._path.stem}.version-{version}.db")
        with (
            scratch_file(copy) as scratch,
            contextlib.closing(sqlite3.connect(self._path)) as db,
        ):
            db.execute("vacuum into ?", (str(scratch),))

    def why(self, error: DBAPIError) -> str:
        """Return what is wrong, without a value of the query."""
        return str(error.orig)


def _speak(engine: Engine) -> None:
    """Let transactions begin where the code says, and be on the disk when they end."""

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _: object) -> None:
        connection.isolation_level = None
        # What is deleted, a name that was taken away, is overwritten in the file too.
        for pragma in (
            "journal_mode=wal", "synchronous=full", "foreign_keys=on", "secure_delete=on",
        ):  # fmt: skip
            connection.execute(f"pragma {pragma}").close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("begin immediate" if writes else "begin")

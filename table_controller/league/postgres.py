"""A league in a club's PostgreSQL, for several tables.

A server that is away, restarted or silent is told within :data:`CONNECT_S` and
:data:`ANSWER_S`; the next call tries again. Who writes holds one lock of the
database, as ``begin immediate`` has it in SQLite, so that each writer sees all that
was written before.

Source: PostgreSQL 15, 13.3.5 "Advisory Locks", 34.1.2 "Parameter Key Words".
"""

import re
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy
from sqlalchemy import URL, Connection, Engine, event
from sqlalchemy.exc import ArgumentError, DBAPIError

from firmware.errors import LeagueError

if TYPE_CHECKING:
    import psycopg

CONNECT_S: Final = 3
"""Patience with a server that is asked to let us in; libpq's least is 2."""

ANSWER_S: Final = 5
"""Patience with a statement."""

BUSY_S: Final = 4
"""Patience with another program that is writing."""

_SILENT_S: Final = 2
"""Longer than that a server that works needs for telling that a statement took too long."""

_WRITERS: Final = 0x4D41464941
"""The lock that writers take turns at: "MAFIA"."""

_OPTIONS: Final = (
    f"-c statement_timeout={ANSWER_S}s -c lock_timeout={BUSY_S}s "
    "-c idle_in_transaction_session_timeout=60s -c synchronous_commit=on"
)

_TEXT: Final = re.compile(r"^( *(?:alter table \w+ add column )?\w+ text)\b", re.MULTILINE)
"""A column of texts in a statement of ``schema/``."""


class Postgres:
    """The database that *url* names; *password* is for a URL without one.

    :raises LeagueError: if *url* is none, or the driver is not installed.
    """

    def __init__(self, url: str, password: str = "") -> None:
        try:
            found = sqlalchemy.make_url(url)
        except (ArgumentError, ValueError):
            # The other error's own text would quote the password.
            raise LeagueError("league.url: expected postgresql+psycopg://USER@HOST/NAME") from None
        if "@" in (found.host or ""):
            # A part of the password, which every message about the host would tell.
            raise LeagueError("league.url: in a name or password, write %40 for each @")
        if password:
            found = found.set(password=password)
        self.label = _label(found)
        try:
            connect = _connector()
            # Values of a query are names and appeals: no message may repeat them.
            self._engine = sqlalchemy.create_engine(
                found, hide_parameters=True, pool_pre_ping=True, pool_timeout=ANSWER_S
            )
        except ImportError as error:
            raise LeagueError(
                f"league {self.label}: {error}; install mafia-table-kit[club]"
            ) from error
        event.listen(self._engine, "do_connect", connect)
        # A reader sees one state of the database; a writer what the last one left.
        self.reader: Engine = self._engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        self.writer: Engine = self._engine.execution_options(isolation_level="READ COMMITTED")
        event.listen(self.writer, "begin", _take_turns)

    def close(self) -> None:
        """Leave the server."""
        self._engine.dispose()

    def statement(self, text: str) -> str:
        """Return a statement of ``schema/`` that compares texts as SQLite does: by code point."""
        return _TEXT.sub(r'\1 collate "C"', text)

    def back_up(self, version: int) -> None:
        """Keep no copy: a step that fails changes nothing here, and the club has its dumps."""

    def why(self, error: DBAPIError) -> str:
        """Return what is wrong, without a value of the query: a detail quotes names."""
        told = getattr(getattr(error.orig, "diag", None), "message_primary", None)
        return told or " ".join(str(error.orig).split())


def _label(url: URL) -> str:
    """Return where the database is, without its password."""
    place = url.host or url.query.get("host") or "here"
    port = f":{url.port}" if url.port else ""
    return f"{place}{port}/{url.database or ''}"


def _take_turns(connection: Connection) -> None:
    """Wait until nobody else writes; the end of the transaction lets the next one."""
    connection.exec_driver_sql(f"select pg_advisory_xact_lock({_WRITERS})")


def _connector() -> Any:
    """Return what opens a connection that waits for no answer for ever.

    :raises ImportError: if the driver is not installed.
    """
    # Imported late: a table with a file of its own needs no driver.
    import psycopg

    class Impatient(psycopg.Connection[Any]):
        """The server's own limits help only while the server works."""

        def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
            most = ANSWER_S + _SILENT_S
            try:
                return super().wait(gen, interval, most if timeout is None else timeout)
            except psycopg.OperationalError as error:
                if timeout is None and type(error).__name__ == "_WaitTimeout":
                    self.close()
                    raise psycopg.OperationalError(
                        f"the server has not answered for {most} s"
                    ) from None
                raise

    def connect(
        _: object, __: object, arguments: list[Any], options: dict[str, Any]
    ) -> "psycopg.Connection[Any]":
        ours: dict[str, Any] = {
            "connect_timeout": CONNECT_S,
            "application_name": "mafia-table",
            "keepalives_idle": ANSWER_S,
            "keepalives_interval": 1,
            "keepalives_count": 3,
            "tcp_user_timeout": ANSWER_S * 1000,
            "options": _OPTIONS,
        }
        made = Impatient.connect(*arguments, **ours | options)
        encoding = made.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            made.close()
            raise psycopg.OperationalError(f"its encoding is {encoding}; expected UTF8")
        return made

    return connect

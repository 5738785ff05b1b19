"""The whole league as one file: for another machine, another database, and as a backup.

JSON: its format, the version of the league that it was taken from, and the rows of every
table. It holds all that the league holds, appeals and bars too, so it is for its owner's
eyes alone; of a game that is not over there is nothing in a league.
"""

import datetime
import re
from collections.abc import Callable
from typing import Any, Final

import msgspec
import sqlalchemy
from sqlalchemy import Connection, Table, func, select

from firmware.errors import LeagueError
from firmware.words import N_, Words
from table_controller.league.games_kept import decided_of, game_as, revision, seat_row
from table_controller.league.names import Refused
from table_controller.league.store import Store
from table_controller.league.tables import everything, game, game_revision, game_seat

FORMAT: Final = 1

_AT_ONCE: Final = 500
"""Rows that are written with one statement."""

_MOST: Final = 2**31 - 1
"""What a number of PostgreSQL's ``integer`` can be."""

_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Letters that a terminal obeys, and one that PostgreSQL cannot keep."""

Row = dict[str, Any]
Progress = Callable[[str, int], None]
"""Is told the name of a table and how many rows of it are through."""


class Archive(msgspec.Struct, frozen=True):
    """What such a file holds."""

    format: int
    version: int
    """Of the league that it was taken from."""
    made_utc: str
    tables: dict[str, list[Row]]


def silent(table: str, count: int) -> None:
    """Tell nobody."""


def take_out(store: Store, progress: Progress = silent) -> bytes:
    """Return all of the league as it is at one moment.

    :raises LeagueError: if the disk or the server refuses.
    """
    tables: dict[str, list[Row]] = {}
    with store.reading() as db:
        for table in everything:
            rows = db.execute(select(table).order_by(*table.primary_key))
            tables[table.name] = [dict(row._mapping) for row in rows]
            progress(table.name, len(tables[table.name]))
    archive = Archive(FORMAT, store.version, store.utc(), tables)
    return msgspec.json.format(msgspec.json.encode(archive), indent=1) + b"\n"


def read_archive(raw: bytes, version: int) -> Archive:
    """Return what the file *raw* holds, for a program that knows leagues up to *version*.

    :raises Refused: if it is no such file, or a newer program wrote it.
    """
    try:
        told = msgspec.json.decode(raw, type=_Told)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Refused("file", N_("no league's file: {error}"), error=error) from None
    if told.format > FORMAT or told.version > version:
        raise Refused(
            "file",
            N_("a newer program wrote it (format {format}, version {version}); install that one"),
            format=told.format,
            version=told.version,
        )
    try:
        archive = msgspec.json.decode(raw, type=Archive)
    except msgspec.DecodeError as error:
        raise Refused("file", N_("no league's file: {error}"), error=error) from None
    if strange := archive.tables.keys() - {table.name for table in everything}:
        raise Refused("file", N_("{table}: the league has no such table"), table=min(strange))
    return archive


class _Told(msgspec.Struct, frozen=True):
    """What a file of any version says of itself."""

    format: int
    version: int


def put_in(
    store: Store, archive: Archive, *, replace: bool = False, progress: Progress = silent
) -> None:
    """Write all of *archive* to the league, or nothing.

    :raises Refused: naming row and field, if something in it is wrong; without *replace*
        also if the league holds something.
    :raises LeagueError: if the disk or the server refuses.
    """
    with store.writing() as db:
        holds = [
            each.name for each in everything if db.scalar(select(func.count()).select_from(each))
        ]
        if holds and not replace:
            raise Refused("league", N_("the league is not empty ({tables}): nothing was changed"),
                tables=", ".join(holds),
            )  # fmt: skip
        for table in reversed(everything):
            db.execute(table.delete())
        for table in everything:
            rows = archive.tables.get(table.name, [])
            _check(db, table, rows)
            for first in range(0, len(rows), _AT_ONCE):
                db.execute(table.insert(), rows[first : first + _AT_ONCE])
                progress(table.name, min(first + _AT_ONCE, len(rows)))
        _check_games(db)


def _check(db: Connection, table: Table, rows: list[Row]) -> None:
    """Check *rows* before they are written, so that one which is wrong can be named.

    :raises Refused: naming row and field.
    """
    about = sqlalchemy.inspect(db)
    nullable = {each["name"]: each["nullable"] for each in about.get_columns(table.name)}
    single = [each["column_names"] for each in about.get_unique_constraints(table.name)]
    single.append([each.name for each in table.primary_key])
    seen: set[tuple[object, ...]] = set()
    others = [
        (each["constrained_columns"][0], _ids(db, each["referred_table"]))
        for each in about.get_foreign_keys(table.name)
    ]
    for number, row in enumerate(rows, 1):
        for column in table.columns:
            if column.name not in row:
                raise _Fault(table.name, number, column.name, N_("missing"))
            value, wanted = row[column.name], column.type.python_type
            if not _fits(value, wanted) and not (value is None and nullable[column.name]):
                kind = N_("expected a number") if wanted is int else N_("expected a text")
                raise _Fault(table.name, number, column.name, kind)
            if value and column.name.endswith(("day", "utc")) and not _is_time(str(value)):
                raise _Fault(table.name, number, column.name, N_("expected a time"))
        if strange := row.keys() - table.columns.keys():
            raise _Fault(table.name, number, min(strange), N_("unknown"))
        for names in single:
            mine = (*names, *(row[name] for name in names))
            if mine in seen:
                raise _Fault(table.name, number, names[0], N_("stands in it already"))
            seen.add(mine)
        for name, ids in others:
            if row[name] is not None and row[name] not in ids:
                raise _Fault(table.name, number, name, N_("refers to nothing in the file"))


def _fits(value: object, wanted: type) -> bool:
    """Tell whether every database takes *value*, and no screen does what it says."""
    if type(value) is not wanted:
        return False
    if isinstance(value, str):
        return not _CONTROLS.search(value)
    return not isinstance(value, int) or abs(value) <= _MOST


def _is_time(text: str) -> bool:
    try:
        datetime.datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _ids(db: Connection, table: str) -> set[object]:
    found = next(each for each in everything if each.name == table)
    return set(db.scalars(select(found.c.id)))


def _check_games(db: Connection) -> None:
    """Read every game as the pages will: one that cannot be read would keep them all shut."""
    rows = db.execute(select(game).order_by(game.c.id)).all()
    for number, row in enumerate(rows, 1):
        try:
            played = game_as(db, row.id, decided_of(db, row.id))
        except (ValueError, LeagueError):
            raise _Fault(game.name, number, "course", N_("not a finished game")) from None
        told = {
            "id": played.game,
            "day": played.day.isoformat(),
            "began_utc": played.began_utc,
            "ended_utc": played.ended_utc,
            "winner": played.winner.value if played.winner else "",
        }
        for name, value in told.items():
            if getattr(row, name) != value:
                raise _Fault(game.name, number, name, N_("not as in its course"))
    for table, field, read in ((game_revision, "did", revision), (game_seat, "role", seat_row)):
        columns = (*table.c, sqlalchemy.null().label("now"))
        for number, row in enumerate(db.execute(select(*columns).order_by(*table.primary_key)), 1):
            try:
                read(row)
            except ValueError as error:
                strange = next((k for k, v in row._mapping.items() if repr(v) in str(error)), field)
                raise _Fault(table.name, number, strange, N_("unknown")) from None


class _Fault(Refused):
    """Why a row is refused. Not its value: it may be of an appeal."""

    def __init__(self, table: str, number: int, field: str, why: str) -> None:
        super().__init__(
            field, N_("{table}, row {number}, {name}: {why}"),
            table=table, number=number, name=field, why=why,
        )  # fmt: skip

    def said(self, words: Words) -> str:
        """Return it in the language of *words*."""
        values = self.values | {"why": words.gettext(str(self.values["why"]))}
        return words.gettext(self.text).format(**values)

"""Finished games as they lie in the league's tables. Inside a transaction.

A game's course is kept once, without names. Who sat where and what counts is a revision of
its own each time the club decides something; the newest one's seats are flat rows too.
A player of the league is named by id alone: a name that changes, or goes, does so everywhere.
"""

import datetime
import enum
from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, select

from firmware.words import N_
from table_controller.game import Role, Team, Winner
from table_controller.league.names import Refused
from table_controller.league.players import Person
from table_controller.league.tables import appeal, game, game_revision, game_seat, player
from table_controller.record import finished
from table_controller.record.finished import Corrections, FinishedGame
from table_controller.record.seat_rows import Result, SeatRow, seat_rows


class Did(enum.StrEnum):
    """What a revision did to a game."""

    KEPT = "kept"
    """Taken into the league, as it was played."""
    SEATED = "seated"
    """Another player had that seat."""
    FREED = "freed"
    """An appeal was upheld: the sanction costs no points."""
    POINTS = "points"
    """Points set by hand, or no longer."""
    STRUCK = "struck"
    """It counts in no rating."""
    RATED = "rated"
    """It counts again."""
    BACK = "back"
    """It is again as an older revision had it."""


class Revision(msgspec.Struct, frozen=True):
    """What was decided about a game. For the host alone: *why* may tell of an appeal."""

    number: int
    utc: str
    who: str
    """"": the table itself."""
    did: Did
    why: str


class Decided(msgspec.Struct, frozen=True):
    """What a revision says."""

    people: tuple[Person, ...]
    """Seat 1 first; a player of the league without a name. Empty: the game had no seats."""
    corrections: Corrections = finished.NONE


FORMAT: Final = 1
"""Version of a revision's form."""


class _Kept(msgspec.Struct, frozen=True):
    format: int
    decided: Decided


class _Form(msgspec.Struct, frozen=True):
    format: int


UPGRADERS: Final[dict[int, Callable[[Any], Any]]] = {}
"""By format: what makes a revision of it, as plain JSON values, one of the next format."""


def encode(decided: Decided) -> str:
    """Return *decided* as it is kept."""
    return msgspec.json.encode(_Kept(FORMAT, decided)).decode()


def decode(kept: str) -> Decided:
    """Return what *kept* says.

    :raises ValueError: if it is no revision, or a newer program wrote it.
    """
    form = msgspec.json.decode(kept, type=_Form).format
    if not 1 <= form <= FORMAT:
        raise ValueError(f"a revision of format {form}; this program reads 1 to {FORMAT}")
    if form == FORMAT:
        return msgspec.json.decode(kept, type=_Kept).decided
    plain = msgspec.json.decode(kept)["decided"]
    for each in range(form, FORMAT):
        plain = UPGRADERS[each](plain)
    return msgspec.convert(plain, type=Decided)


# ---- written ----


def keep(db: Connection, played: FinishedGame, utc: str) -> bool:
    """Keep *played*; False: it is there already, and nothing changes."""
    if db.scalar(select(game.c.id).where(game.c.id == played.game)) is not None:
        return False
    seated = tuple(Person(each.player, each.name) for each in played.seats)
    decided = Decided(without_names(db, seated))
    row = {
        "id": played.game,
        "table_name": played.table,
        "day": played.day.isoformat(),
        "began_utc": played.began_utc,
        "ended_utc": played.ended_utc,
        "winner": played.winner.value if played.winner else "",
        "kept_utc": utc,
        "newest": 0,
        "course": finished.encode(_nameless(played)),
    }
    db.execute(game.insert().values(row))
    revise(db, played.game, decided, Did.KEPT, who="", why="", utc=utc)
    freed = select(appeal.c.seat).where(appeal.c.game == played.game, appeal.c.seat > 0)
    for seat in sorted(set(db.scalars(freed.where(appeal.c.state == "upheld")))):
        free(db, played.game, seat, who="", utc=utc)
    return True


def revise(
    db: Connection, id_: str, decided: Decided, did: Did, *, who: str, why: str, utc: str
) -> int:
    """Let the game *id_* count as *decided* from now on; return the revision's number."""
    number = newest(db, id_) + 1
    row = {
        "game_id": id_,
        "number": number,
        "utc": utc,
        "who": who,
        "did": did.value,
        "why": why,
        "document": encode(decided),
    }
    db.execute(game_revision.insert().values(row))
    db.execute(game.update().where(game.c.id == id_).values(newest=number))
    db.execute(game_seat.delete().where(game_seat.c.game_id == id_))
    rows = seat_rows(_seated(_course(db, id_), decided.people), decided.corrections)
    if rows:
        db.execute(game_seat.insert(), list(map(_columns, rows)))
    return number


def free(db: Connection, id_: str, seat: int, *, who: str, utc: str) -> None:
    """Let the sanction of *seat* cost no points, if the game is kept and has that seat.

    Why stands with the appeal, which is private.
    """
    if db.scalar(select(game.c.id).where(game.c.id == id_)) is None:
        return
    before = decided_of(db, id_)
    freed = set(before.corrections.removed)
    if seat in freed or seat > len(before.people):
        return
    removed = tuple(sorted(freed | {seat}))
    after = replace(before, corrections=replace(before.corrections, removed=removed))
    revise(db, id_, after, Did.FREED, who=who, why="", utc=utc)


def without_names(db: Connection, people: Iterable[Person]) -> tuple[Person, ...]:
    """Return *people* as they are kept: players by id, guests by name.

    An id that this league does not know is a guest's: the journal is of another one.
    """
    people = tuple(people)
    ids = {each.id for each in people if each.id}
    known = set(db.scalars(select(player.c.id).where(player.c.id.in_(ids))))
    return tuple(
        Person(each.id, "") if each.id in known else Person("", each.name) for each in people
    )


# ---- read ----


def newest(db: Connection, id_: str) -> int:
    """Return the number of the game's newest revision.

    :raises Refused: if there is no such game.
    """
    found = db.scalar(select(game.c.newest).where(game.c.id == id_))
    if found is None:
        raise Refused("game", N_("There is no such game."))
    return int(found)


def decided_of(db: Connection, id_: str, number: int = 0) -> Decided:
    """Return what revision *number* of a game says, the newest one for 0.

    :raises Refused: if there is none.
    """
    number = number or newest(db, id_)
    query = select(game_revision.c.document).where(game_revision.c.game_id == id_)
    kept = db.scalar(query.where(game_revision.c.number == number))
    if kept is None:
        raise Refused("revision", N_("There is no such revision."))
    return decode(kept)


def game_as(db: Connection, id_: str, decided: Decided) -> FinishedGame:
    """Return a game with the people of *decided*, under the names that they have now."""
    ids = {each.id for each in decided.people if each.id}
    rows = db.execute(select(player.c.id, player.c.name).where(player.c.id.in_(ids)))
    names = {row.id: row.name for row in rows}
    people = (Person(each.id, names.get(each.id, each.name)) for each in decided.people)
    return _seated(_course(db, id_), people)


def revision(row: Any) -> Revision:
    """Return what a row of ``game_revision`` says."""
    return Revision(row.number, row.utc, row.who, Did(row.did), row.why)


def seat_row(row: Any) -> SeatRow:
    """Return a row of ``game_seat`` joined with ``player`` as ``now``, its present name."""
    return SeatRow(
        game=row.game_id,
        day=datetime.date.fromisoformat(row.day),
        seat=row.seat,
        player=row.player_id or "",
        name=row.name if row.now is None else row.now,
        role=Role(row.role),
        team=Team(row.team),
        result=Result(row.result),
        max=row.max,
        classic=row.classic,
        tier=row.tier,
        hits=row.hits,
        shot_n1=bool(row.shot_n1),
        technical_fouls=row.technical_fouls,
        disqualified=bool(row.disqualified),
        withdrawn=bool(row.withdrawn),
        culprit=bool(row.culprit),
    )


def winner_of(row: Any) -> Winner | None:
    """Return how the game of a row of ``game`` ended."""
    return Winner(row.winner) if row.winner else None


def _course(db: Connection, id_: str) -> FinishedGame:
    return finished.decode(db.scalars(select(game.c.course).where(game.c.id == id_)).one())


def _nameless(played: FinishedGame) -> FinishedGame:
    return _seated(played, (Person("", "") for _ in played.seats))


def _seated(played: FinishedGame, people: Iterable[Person]) -> FinishedGame:
    seats = zip(played.seats, people, strict=True)
    return replace(
        played, seats=tuple(replace(seat, player=who.id, name=who.name) for seat, who in seats)
    )


def _columns(row: SeatRow) -> dict[str, Any]:
    plain = msgspec.to_builtins(row)
    plain |= {"game_id": plain.pop("game"), "player_id": plain.pop("player") or None}
    return {name: int(value) if isinstance(value, bool) else value for name, value in plain.items()}

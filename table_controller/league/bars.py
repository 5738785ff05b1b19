"""Bars: who may not be seated, for a time or for good. Source: RULES 2.6."""

import datetime
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, select

from firmware.words import N_
from table_controller.game import SEATS
from table_controller.game.terms import Offence
from table_controller.league.names import Refused, check_line, check_text, new_id
from table_controller.league.players import Entry, Person, add, known, person, twice
from table_controller.league.store import Store
from table_controller.league.tables import appeal, bar, player
from table_controller.record.entries import GAME_NAME

WHO_MAX: Final = 40
"""Letters of who decided."""


class Bar(msgspec.Struct, frozen=True):
    """A player's bar."""

    id: str
    player: str
    """The player's id."""
    name: str
    """And name."""
    first_day: datetime.date
    last_day: datetime.date | None
    """Included; None: for good."""
    reason: str
    game: str
    """In which it was earned; "": in none."""
    seat: int
    """There; 0: in no game."""
    offence: str
    """One of ``Offence``, or ""."""
    decided_by: str
    made_utc: str
    lifted_utc: str = ""
    """"": it was not."""
    lifted_by: str = ""
    lifted_why: str = ""

    def holds(self, today: datetime.date) -> bool:
        """Tell whether it keeps its player from the table on *today*."""
        ended = self.last_day is not None and self.last_day < today
        return not self.lifted_utc and self.first_day <= today and not ended


class Barred(Refused):
    """Somebody who may not be seated; :attr:`bar` says until when."""

    def __init__(self, found: Bar) -> None:
        if found.last_day is None:
            super().__init__("name", N_("{name} is barred for good"), name=found.name)
        else:
            super().__init__(
                "name",
                N_("{name} is barred until {day}"),
                name=found.name,
                day=found.last_day,
            )
        self.bar = found


class Bars:
    """The bars. Thread-safe. *today* is the day at the table, local."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def of(self, player_id: str, today: datetime.date) -> Bar | None:
        """Return what keeps this player from the table, the longest bar; None: nothing does."""
        with self._store.reading() as db:
            return bar_of(db, player_id, today)

    def all(self, player_id: str = "") -> tuple[Bar, ...]:
        """Return all bars that ever were, of one player or of all, the newest first."""
        query = select(bar, player.c.name).join(player, bar.c.player_id == player.c.id)
        if player_id:
            query = query.where(bar.c.player_id == player_id)
        with self._store.reading() as db:
            rows = db.execute(query.order_by(bar.c.made_utc.desc(), bar.c.id))
            return tuple(_bar(row) for row in rows)

    def held(self, today: datetime.date) -> dict[str, Bar]:
        """Return the bars that hold, the longest of each player, by player."""
        found: dict[str, Bar] = {}
        for each in self.all():
            if each.holds(today):
                before = found.get(each.player)
                found[each.player] = each if before is None else max(before, each, key=_length)
        return found

    def put(
        self,
        id_or_name: str,
        today: datetime.date,
        *,
        last_day: datetime.date | None,
        reason: str,
        decided_by: str,
        game: str = "",
        seat: int = 0,
        offence: Offence | None = None,
    ) -> Bar:
        """Bar a player from *today* on; None as *last_day*: for good.

        A guest becomes a player by it, else the name could come back tomorrow.

        :raises Refused: if something is wrong, an appeal in that game was upheld, or it is
            barred for that game already.
        """
        if last_day is not None and last_day < today:
            raise Refused("last_day", N_("{day} is over; expected today or later"), day=last_day)
        if (game or seat) and not (GAME_NAME.fullmatch(game) and seat in SEATS):
            raise Refused("game", N_("That is no seat of a finished game."))
        reason = check_text("reason", reason, needed=True)
        decided_by = check_line("decided_by", decided_by, WHO_MAX, needed=True)
        with self._store.writing() as db:
            who = person(db, id_or_name)
            if who.guest:
                made = add(db, Entry(who.name).checked(), self._store.utc())
                who = Person(made.id, made.name)
            if game:
                _refuse_upheld(db, who, game)
                _refuse_again(db, who, game)
            row = {
                "id": new_id(),
                "player_id": who.id,
                "first_day": today.isoformat(),
                "last_day": last_day.isoformat() if last_day else None,
                "reason": reason,
                "game": game,
                "seat": seat,
                "offence": offence.value if offence else "",
                "decided_by": decided_by,
                "made_utc": self._store.utc(),
                "lifted_utc": "",
                "lifted_by": "",
                "lifted_why": "",
            }
            db.execute(bar.insert().values(row))
            return one_bar(db, str(row["id"]))

    def lift(self, id_or_name: str, *, by: str, why: str) -> tuple[Bar, ...]:
        """End the bar with this id, or all those of a player that are not lifted yet.

        :raises Refused: if there is none, or something is wrong.
        """
        by = check_line("decided_by", by, WHO_MAX, needed=True)
        why = check_text("reason", why)
        with self._store.writing() as db:
            query = select(bar.c.id).where(bar.c.lifted_utc == "")
            ids = list(db.scalars(query.where(bar.c.id == id_or_name)))
            if not ids:
                who = known(db, id_or_name)
                ids = list(db.scalars(query.where(bar.c.player_id == who.id)))
                if not ids:
                    raise Refused("name", N_("{name} is not barred"), name=who.name)
            return lift(db, ids, by=by, why=why, utc=self._store.utc())

    def ten(self, wanted: Sequence[str], today: datetime.date) -> tuple[Person, ...]:
        """Return who is meant by ten ids or names; unknown names are guests.

        :raises Barred: if one of them may not be seated.
        :raises Refused: if they are not ten different people with proper names.
        """
        with self._store.reading() as db:
            people = tuple(person(db, each) for each in wanted)
            if len(people) != 10 or twice(people):
                raise Refused(
                    "players",
                    N_("{count} different players; expected ten"),
                    count=len(people) - len(twice(people)),
                )
            for each in people:
                found = bar_of(db, each.id, today) if each.id else None
                if found is not None:
                    raise Barred(found)
        return people


# ---- inside a transaction ----


def bar_of(db: Connection, player_id: str, today: datetime.date) -> Bar | None:
    """Return the longest bar of this player that holds on *today*, or None."""
    query = select(bar, player.c.name).join(player, bar.c.player_id == player.c.id)
    rows = db.execute(query.where(bar.c.player_id == player_id))
    held = [each for each in map(_bar, rows) if each.holds(today)]
    return max(held, key=_length, default=None)


def one_bar(db: Connection, id_: str) -> Bar:
    """Return the bar with this id.

    :raises Refused: if there is none.
    """
    query = select(bar, player.c.name).join(player, bar.c.player_id == player.c.id)
    row = db.execute(query.where(bar.c.id == id_)).first()
    if row is None:
        raise Refused("bar", N_("There is no such bar."))
    return _bar(row)


def lift(db: Connection, ids: Sequence[str], *, by: str, why: str, utc: str) -> tuple[Bar, ...]:
    """End the bars with these ids."""
    values = {"lifted_utc": utc, "lifted_by": by, "lifted_why": why}
    db.execute(bar.update().where(bar.c.id.in_(ids)).values(values))
    return tuple(one_bar(db, id_) for id_ in ids)


def _refuse_upheld(db: Connection, who: Person, game: str) -> None:
    query = select(appeal.c.id).where(appeal.c.state == "upheld", appeal.c.game == game)
    if db.execute(query.where(appeal.c.player_id == who.id)).first():
        raise Refused("name", N_("{name}: the appeal in that game was upheld"), name=who.name)


def _refuse_again(db: Connection, who: Person, game: str) -> None:
    held = select(bar.c.id).where(bar.c.lifted_utc == "", bar.c.game == game)
    if db.execute(held.where(bar.c.player_id == who.id)).first():
        raise Refused("name", N_("{name} is barred for that game already"), name=who.name)


def _length(found: Bar) -> datetime.date:
    return found.last_day or datetime.date.max


def _bar(row: Any) -> Bar:
    return Bar(
        id=row.id,
        player=row.player_id,
        name=row.name,
        first_day=datetime.date.fromisoformat(row.first_day),
        last_day=datetime.date.fromisoformat(row.last_day) if row.last_day else None,
        reason=row.reason,
        game=row.game,
        seat=row.seat,
        offence=row.offence,
        decided_by=row.decided_by,
        made_utc=row.made_utc,
        lifted_utc=row.lifted_utc,
        lifted_by=row.lifted_by,
        lifted_why=row.lifted_why,
    )

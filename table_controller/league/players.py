"""The club's players, and the last ten of its table."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, or_, select

from firmware.words import N_
from table_controller.league.names import (
    CLUB_MAX,
    Refused,
    check_line,
    key,
    new_id,
)
from table_controller.league.store import Store
from table_controller.league.tables import player, sitting

TEN: Final = 10


class Player(msgspec.Struct, frozen=True):
    """Somebody the league knows."""

    id: str
    name: str
    nick: str = ""
    club: str = ""
    created_utc: str = ""


class Person(msgspec.Struct, frozen=True):
    """Whoever sits at the table: a player of the league, or a guest."""

    id: str
    """The player's; "": a guest, who is in no rating."""
    name: str

    @property
    def guest(self) -> bool:
        """Tell whether the league does not know this person."""
        return not self.id


class Entry(msgspec.Struct, frozen=True):
    """A player as one is entered: by hand, or a line of a file."""

    name: str
    nick: str = ""
    club: str = ""

    def checked(self) -> "Entry":
        """Return it as it is kept.

        :raises Refused: naming the field that is wrong.
        """
        return Entry(
            check_line("name", self.name, needed=True),
            check_line("nick", self.nick),
            check_line("club", self.club, CLUB_MAX),
        )


class Taken(msgspec.Struct, frozen=True):
    """What became of the entries of a file."""

    added: int = 0
    changed: int = 0
    """Known by name; nick or club is another now."""
    known: int = 0


class Players:
    """The players. Thread-safe."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def find(self, part: str = "") -> tuple[Player, ...]:
        """Return players with *part* in name or nick, in any case; all for "". By name."""
        wanted = key(part)
        hit = or_(
            player.c.name_key.contains(wanted, autoescape=True),
            player.c.nick_key.contains(wanted, autoescape=True),
        )
        with self._store.reading() as db:
            query = select(player).where(hit, player.c.name != "")
            rows = db.execute(query.order_by(player.c.name_key))
            return tuple(_player(row) for row in rows)

    def get(self, id_or_name: str) -> Player:
        """Return the player with this id, else of this very name.

        :raises Refused: if there is none.
        """
        with self._store.reading() as db:
            return known(db, id_or_name)

    def add(self, entry: Entry) -> Player:
        """Add a player.

        :raises Refused: if *entry* is wrong, or there is a player of that name.
        """
        entry = entry.checked()
        with self._store.writing() as db:
            _refuse_taken(db, entry.name)
            return add(db, entry, self._store.utc())

    def change(self, id_: str, entry: Entry) -> Player:
        """Let the player *id_* be called as *entry* says; games, bars and appeals stay theirs.

        :raises Refused: if *entry* is wrong, or another player has that name.
        """
        entry = entry.checked()
        with self._store.writing() as db:
            before = known(db, id_)
            _refuse_taken(db, entry.name, but=before.id)
            db.execute(player.update().where(player.c.id == before.id).values(_columns(entry)))
            return known(db, before.id)

    def take(self, entries: Iterable[Entry], *, try_only: bool = False) -> Taken:
        """Add the players of *entries* that are new and change the others, all or none.

        A player is known by name. The same entries once more change nothing. With
        *try_only* nothing is written: it is told what would be.

        :raises Refused: if one of them is wrong.
        """
        checked = [entry.checked() for entry in entries]
        count = {"added": 0, "changed": 0, "known": 0}
        with self._store.reading() if try_only else self._store.writing() as db:
            utc = self._store.utc()
            for entry in checked:
                before = named(db, entry.name)
                if before is None:
                    count["added"] += 1
                    if not try_only:
                        add(db, entry, utc)
                elif Entry(before.name, before.nick, before.club) == entry:
                    count["known"] += 1
                else:
                    count["changed"] += 1
                    if not try_only:
                        where = player.c.id == before.id
                        db.execute(player.update().where(where).values(_columns(entry)))
        return Taken(**count)

    # ---- who sits at the table ----

    def person(self, id_or_name: str) -> Person:
        """Return who that is: a player by id or name, else a guest of that name.

        :raises Refused: if it can be no name.
        """
        with self._store.reading() as db:
            return person(db, id_or_name)

    def last_ten(self) -> tuple[Person, ...]:
        """Return who sat at the table last, or is to sit there next; ten at most."""
        name = select(sitting.c.player_id, sitting.c.name, player.c.name.label("now"))
        rows = name.select_from(sitting.outerjoin(player, sitting.c.player_id == player.c.id))
        with self._store.reading() as db:
            return tuple(
                Person(row.player_id or "", row.now or row.name)
                for row in db.execute(rows.order_by(sitting.c.place))
            )

    def keep_ten(self, people: Sequence[Person]) -> None:
        """Remember *people* as the last ten of the table.

        :raises Refused: if they are too many, or somebody is there twice.
        """
        if len(people) > TEN:
            raise Refused("name", N_("There are ten at the table already."))
        for each in twice(people):
            raise Refused("name", N_("{name} is there twice"), name=each.name)
        rows = [
            {"place": place, "player_id": each.id or None, "name": each.name}
            for place, each in enumerate(people, start=1)
        ]
        with self._store.writing() as db:
            db.execute(sitting.delete())
            if rows:
                db.execute(sitting.insert(), rows)


def twice(people: Iterable[Person]) -> list[Person]:
    """Return those of *people* whose name was there before."""
    seen: set[str] = set()
    again = []
    for each in people:
        if key(each.name) in seen:
            again.append(each)
        seen.add(key(each.name))
    return again


# ---- inside a transaction ----


def known(db: Connection, id_or_name: str) -> Player:
    """Return the player with this id, else of this very name; nobody who wants no name any more.

    :raises Refused: if there is none.
    """
    has_name = (player.c.id == id_or_name) & (player.c.name != "")
    row = db.execute(select(player).where(has_name)).first()
    found = _player(row) if row else named(db, id_or_name)
    if found is None:
        raise Refused(
            "name", N_("{name}: the league has no such player"), name=repr(id_or_name[:80])
        )
    return found


def named(db: Connection, name: str) -> Player | None:
    """Return the player of this name, in any case, or None."""
    row = db.execute(select(player).where(player.c.name_key == key(name))).first()
    return _player(row) if row else None


def person(db: Connection, id_or_name: str) -> Person:
    """Return who that is: a player by id or name, else a guest of that name.

    :raises Refused: if it can be no name.
    """
    try:
        found = known(db, id_or_name)
    except Refused:
        return Person("", check_line("name", id_or_name, needed=True))
    return Person(found.id, found.name)


def add(db: Connection, entry: Entry, utc: str) -> Player:
    """Add a player whose *entry* was checked."""
    made = Player(new_id(), entry.name, entry.nick, entry.club, utc)
    db.execute(player.insert().values(_columns(entry) | {"id": made.id, "created_utc": utc}))
    return made


def _refuse_taken(db: Connection, name: str, but: str = "") -> None:
    before = named(db, name)
    if before is not None and before.id != but:
        raise Refused("name", N_("{name}: there is a player of that name"), name=before.name)


def _columns(entry: Entry) -> dict[str, str]:
    return {
        "name": entry.name,
        "name_key": key(entry.name),
        "nick": entry.nick,
        "nick_key": key(entry.nick),
        "club": entry.club,
    }


def _player(row: Any) -> Player:
    return Player(row.id, row.name, row.nick, row.club, row.created_utc)

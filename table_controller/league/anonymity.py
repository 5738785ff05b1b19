"""A player who wants no name any more: the name goes, and what was played stays.

Games, results and points are untouched, under an id that says nothing. With the name go
nick, club, the seat among the last ten, bars that have ended and appeals that are decided.
Nobody gets away from a bar like that: as long as it holds, the name is needed to keep its
player from the table, and the same goes for an appeal that is open.

It cannot be undone. What stays for a while: the journals on the table's card and their
backups, which go as further games are played; a copy of the league's file that an update has
made; what hosts have written of this player in words that do not hold the very name.
"""

import datetime
import re

from msgspec.structs import replace
from sqlalchemy import Connection, select

from firmware.words import N_
from table_controller.league.bars import bar_of
from table_controller.league.games_kept import Decided, decode, encode
from table_controller.league.names import Refused, key
from table_controller.league.players import Person, Player, known
from table_controller.league.tables import (
    appeal,
    appeal_entry,
    bar,
    game_revision,
    game_seat,
    player,
    sitting,
)

GONE = "…"
"""Stands where a text had the name."""


def anonymise(db: Connection, id_or_name: str, today: datetime.date) -> str:
    """Take the name of a player away for good; return the id that stays.

    :raises Refused: if there is no such player, a bar holds, or an appeal is open.
    """
    who = known(db, id_or_name)
    if bar_of(db, who.id, today) is not None:
        text = N_("{name} is barred, and the bar needs the name: lift it, or wait for its end.")
        raise Refused("name", text, name=who.name)
    appeals = select(appeal.c.id).where(appeal.c.player_id == who.id)
    if db.execute(appeals.where(appeal.c.state == "open")).first():
        raise Refused("name", N_("{name} has an open appeal: decide it first."), name=who.name)
    for game_id in db.scalars(
        select(game_revision.c.game_id)
        .where(game_revision.c.document.contains(who.id, autoescape=True))
        .distinct()
    ).all():
        _forget_in(db, game_id, who)
    db.execute(appeal_entry.delete().where(appeal_entry.c.appeal_id.in_(appeals)))
    db.execute(appeal.delete().where(appeal.c.player_id == who.id))
    bars = select(bar.c.id).where(bar.c.player_id == who.id)
    db.execute(appeal.update().where(appeal.c.bar_id.in_(bars)).values(bar_id=None))
    db.execute(bar.delete().where(bar.c.player_id == who.id))
    for place, name in db.execute(select(sitting.c.place, sitting.c.name)).all():
        if key(name) == key(who.name):
            db.execute(sitting.delete().where(sitting.c.place == place))
    db.execute(sitting.delete().where(sitting.c.player_id == who.id))
    # The space: no name has such a key.
    values = {"name": "", "name_key": f" {who.id}", "nick": "", "nick_key": "", "club": ""}
    db.execute(player.update().where(player.c.id == who.id).values(values))
    return who.id


def _forget_in(db: Connection, game_id: str, who: Player) -> None:
    """Take the name out of what was decided about a game, that of the guest it was too."""
    rows = db.execute(select(game_revision).where(game_revision.c.game_id == game_id)).all()
    decided = {row.number: decode(row.document) for row in rows}
    seats = {
        seat
        for each in decided.values()
        for seat, person in enumerate(each.people, start=1)
        if person.id == who.id
    }
    for row in rows:
        before = decided[row.number]
        people = tuple(
            Person("", "") if seat in seats and _same(person, who) else person
            for seat, person in enumerate(before.people, start=1)
        )
        values = {
            "why": without(who.name, row.why),
            "document": encode(_unwritten(replace(before, people=people), who.name)),
        }
        this = (game_revision.c.game_id == game_id) & (game_revision.c.number == row.number)
        db.execute(game_revision.update().where(this).values(values))
    guests = (game_seat.c.game_id == game_id) & game_seat.c.player_id.is_(None)
    for seat, name in db.execute(select(game_seat.c.seat, game_seat.c.name).where(guests)).all():
        if seat in seats and _same(Person("", name), who):
            db.execute(game_seat.update().where(guests, game_seat.c.seat == seat).values(name=""))


def _same(person: Person, who: Player) -> bool:
    return person.guest and key(person.name) == key(who.name)


def _unwritten(decided: Decided, name: str) -> Decided:
    corrections = decided.corrections
    by_hand = tuple(replace(each, why=without(name, each.why)) for each in corrections.by_hand)
    return replace(decided, corrections=replace(corrections, by_hand=by_hand))


def without(name: str, text: str) -> str:
    """Return *text* with :data:`GONE` wherever *name* stands as a word of its own."""
    return re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", GONE, text, flags=re.IGNORECASE)

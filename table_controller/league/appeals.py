"""Appeals: seen, decided and recorded in private. Source: RULES 2.6.

What was done with an appeal is only ever added to. One that is upheld removes the
points of the sanction, as a revision of the game (if that is kept only later, then at
once), and lifts the bar; the result stays. Nothing of appeals is logged or shown but
to the host.
"""

import enum
from typing import Any

import msgspec
from sqlalchemy import Connection, func, select

from firmware.words import N_
from table_controller.game import SEATS
from table_controller.game.terms import Offence
from table_controller.league import bars, games_kept
from table_controller.league.names import Refused, check_line, check_text, new_id
from table_controller.league.players import Person, person
from table_controller.league.store import Store
from table_controller.league.tables import appeal, appeal_entry, bar


class Verdict(enum.StrEnum):
    """How an appeal stands."""

    OPEN = "open"
    UPHELD = "upheld"
    REJECTED = "rejected"


class Did(enum.StrEnum):
    """What was done with an appeal."""

    TAKEN = "taken"
    """Taken down; the text is the player's."""
    NOTE = "note"
    UPHELD = "upheld"
    REJECTED = "rejected"


class AppealEntry(msgspec.Struct, frozen=True):
    """One line of an appeal's history."""

    number: int
    utc: str
    who: str
    """Host or officer of the club."""
    did: Did
    text: str


class Case(msgspec.Struct, frozen=True):
    """What an appeal is against: what a seat got in a finished game, or a bar."""

    name: str = ""
    """Who sat there, by id or name."""
    game: str = ""
    seat: int = 0
    offence: str = ""
    bar: str = ""
    """Id of a bar, which has all the rest."""


class Appeal(msgspec.Struct, frozen=True):
    """A player's appeal."""

    id: str
    player: str
    """Id; "": a guest."""
    name: str
    game: str
    """"": it is against a bar that no game gave."""
    seat: int
    offence: str
    bar: str
    state: Verdict
    made_utc: str
    history: tuple[AppealEntry, ...] = ()
    """Oldest first."""


class Appeals:
    """The appeals. Thread-safe."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def all(self, *, only_open: bool = False) -> tuple[Appeal, ...]:
        """Return the appeals, open ones first, then the newest, without their history."""
        query = select(appeal).order_by(
            appeal.c.state != Verdict.OPEN.value, appeal.c.made_utc.desc()
        )
        if only_open:
            query = query.where(appeal.c.state == Verdict.OPEN.value)
        with self._store.reading() as db:
            return tuple(_appeal(row, ()) for row in db.execute(query.order_by(appeal.c.id)))

    def get(self, id_: str) -> Appeal:
        """Return the appeal with this id and its history.

        :raises Refused: if there is none.
        """
        with self._store.reading() as db:
            return _one(db, id_)

    def take(self, case: Case, *, text: str, by: str) -> Appeal:
        """Take down an appeal; *text* is what the player says, *by* who writes it.

        :raises Refused: if something is wrong, or the same is appealed against already.
        """
        text, by = check_text("text", text, needed=True), _who(by)
        with self._store.writing() as db:
            case, who = _settled(db, case)
            _refuse_again(db, case)
            made = {
                "id": new_id(),
                "player_id": who.id or None,
                "name": who.name,
                "game": check_line("case", case.game, 64),
                "seat": case.seat,
                "offence": case.offence,
                "bar_id": case.bar or None,
                "state": Verdict.OPEN.value,
                "made_utc": self._store.utc(),
            }
            db.execute(appeal.insert().values(made))
            self._add(db, str(made["id"]), by, Did.TAKEN, text)
            return _one(db, str(made["id"]))

    def note(self, id_: str, *, text: str, by: str) -> Appeal:
        """Add a line to the history.

        :raises Refused: if there is no such appeal, or something is wrong.
        """
        text, by = check_text("text", text, needed=True), _who(by)
        with self._store.writing() as db:
            _one(db, id_)
            self._add(db, id_, by, Did.NOTE, text)
            return _one(db, id_)

    def decide(self, id_: str, verdict: Verdict, *, reasons: str, by: str) -> Appeal:
        """Uphold or reject; upheld, the points are removed and the bar is lifted.

        :raises Refused: if it is decided already, or something is wrong.
        """
        reasons, by = check_text("text", reasons, needed=True), _who(by)
        if verdict is Verdict.OPEN:
            raise Refused("verdict", N_("expected upheld or rejected"))
        with self._store.writing() as db:
            before = _one(db, id_)
            if before.state is not Verdict.OPEN:
                raise Refused("verdict", N_("This appeal is decided already."))
            db.execute(appeal.update().where(appeal.c.id == id_).values(state=verdict.value))
            self._add(db, id_, by, Did(verdict.value), reasons)
            if verdict is Verdict.UPHELD:
                ids = _bars(db, before)
                bars.lift(db, ids, by=by, why=reasons, utc=self._store.utc())
                if before.game and before.seat:
                    utc = self._store.utc()
                    games_kept.free(db, before.game, before.seat, who=by, utc=utc)
            return _one(db, id_)

    def points_removed(self, game: str) -> frozenset[int]:
        """Return the seats of *game* whose points of a disqualification do not count."""
        query = select(appeal.c.seat).where(
            appeal.c.game == game, appeal.c.state == Verdict.UPHELD.value, appeal.c.seat > 0
        )
        with self._store.reading() as db:
            return frozenset(db.scalars(query))

    def _add(self, db: Connection, id_: str, who: str, did: Did, text: str) -> None:
        last = select(func.max(appeal_entry.c.number)).where(appeal_entry.c.appeal_id == id_)
        row = {
            "appeal_id": id_,
            "number": (db.scalar(last) or 0) + 1,
            "utc": self._store.utc(),
            "who": who,
            "did": did.value,
            "text": text,
        }
        db.execute(appeal_entry.insert().values(row))


def _who(by: str) -> str:
    return check_line("by", by, bars.WHO_MAX, needed=True)


def _settled(db: Connection, case: Case) -> tuple[Case, Person]:
    """Return *case* with all that is known of its bar, and who was sanctioned.

    :raises Refused: if it is against nothing.
    """
    if case.bar:
        found = bars.one_bar(db, case.bar)
        case = Case(found.name, found.game, found.seat, found.offence, found.id)
        return case, Person(found.player, found.name)
    offences = ("", *(each.value for each in Offence))
    if not case.game or case.seat not in SEATS or case.offence not in offences:
        raise Refused("case", N_("expected a seat of a finished game, or a bar"))
    return case, person(db, case.name)


def _refuse_again(db: Connection, case: Case) -> None:
    query = select(appeal.c.id).where(appeal.c.state != Verdict.REJECTED.value)
    if case.game:
        query = query.where(appeal.c.game == case.game, appeal.c.seat == case.seat)
    else:
        query = query.where(appeal.c.bar_id == case.bar)
    if db.execute(query).first():
        raise Refused("case", N_("There is an appeal against that already."))


def _bars(db: Connection, found: Appeal) -> list[str]:
    """Return the bars that end with this appeal: the one it names, and those of its game."""
    query = select(bar.c.id).where(bar.c.lifted_utc == "")
    ids = list(db.scalars(query.where(bar.c.id == found.bar))) if found.bar else []
    if found.game and found.player:
        of_game = query.where(bar.c.game == found.game, bar.c.player_id == found.player)
        ids += [id_ for id_ in db.scalars(of_game) if id_ not in ids]
    return ids


def _one(db: Connection, id_: str) -> Appeal:
    row = db.execute(select(appeal).where(appeal.c.id == id_)).first()
    if row is None:
        raise Refused("appeal", N_("There is no such appeal."))
    entries = select(appeal_entry).where(appeal_entry.c.appeal_id == id_)
    rows = db.execute(entries.order_by(appeal_entry.c.number))
    history = tuple(
        AppealEntry(each.number, each.utc, each.who, Did(each.did), each.text) for each in rows
    )
    return _appeal(row, history)


def _appeal(row: Any, history: tuple[AppealEntry, ...]) -> Appeal:
    return Appeal(
        id=row.id,
        player=row.player_id or "",
        name=row.name,
        game=row.game,
        seat=row.seat,
        offence=row.offence,
        bar=row.bar_id or "",
        state=Verdict(row.state),
        made_utc=row.made_utc,
        history=history,
    )

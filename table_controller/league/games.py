"""Finished games: each kept exactly once, what the club decides about it added as revisions."""

import datetime
from collections.abc import Callable, Iterable

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, exists, func, select

from firmware.words import N_
from table_controller.game import SEATS, Winner
from table_controller.game.points import Amounts
from table_controller.league.bars import WHO_MAX
from table_controller.league.games_kept import (
    Decided,
    Did,
    Revision,
    decided_of,
    game_as,
    keep,
    newest,
    revise,
    revision,
    seat_row,
    winner_of,
    without_names,
)
from table_controller.league.names import Refused, check_line, check_text, key
from table_controller.league.players import Person, person
from table_controller.league.store import Store
from table_controller.league.tables import game, game_revision, game_seat, player
from table_controller.record.finished import ByHand, Corrections, FinishedGame
from table_controller.record.seat_rows import SeatRow

POINTS_MAX = 10_000
"""Hundredths that a hand may give or take."""

LISTED = 50
"""Games of a list, unless another number is asked for."""


class KeptGame(msgspec.Struct, frozen=True):
    """A game as a revision has it."""

    game: FinishedGame
    """A player who wants no name any more has an id and the name ""."""
    corrections: Corrections
    revision: Revision
    newest: int
    """Number of the newest revision: a change tells it, so that it changes what was seen."""


class ListedGame(msgspec.Struct, frozen=True):
    """A game in a list."""

    game: str
    table: str
    day: datetime.date
    began_utc: str
    ended_utc: str
    winner: Winner | None
    """None: it has no result."""
    rated: bool
    """It counts in ratings."""
    revisions: int


class Seen(msgspec.Struct, frozen=True):
    """Which game is to be changed, as it was seen, by whom and why."""

    game: str
    newest: int
    who: str
    """Host or officer of the club."""
    why: str


class Games:
    """The finished games. Thread-safe."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # ---- taken in ----

    def keep(self, played: FinishedGame) -> bool:
        """Keep a game that is over; False: it is kept already, and nothing changes."""
        with self._store.writing() as db:
            return keep(db, played, self._store.utc())

    def kept(self, ids: Iterable[str]) -> frozenset[str]:
        """Return those of *ids* whose games are kept."""
        with self._store.reading() as db:
            return frozenset(db.scalars(select(game.c.id).where(game.c.id.in_(list(ids)))))

    # ---- read ----

    def get(self, id_: str, number: int = 0) -> KeptGame | None:
        """Return the game as revision *number* has it, 0 the newest; None: there is none such."""
        with self._store.reading() as db:
            last = db.scalar(select(game.c.newest).where(game.c.id == id_))
            query = select(game_revision).where(game_revision.c.game_id == id_)
            row = db.execute(query.where(game_revision.c.number == (number or last))).first()
            if last is None or row is None:
                return None
            decided = decided_of(db, id_, row.number)
            return KeptGame(
                game_as(db, id_, decided), decided.corrections, revision(row), int(last)
            )

    def seated(self, id_: str, seat: int) -> Person | None:
        """Return who had *seat*, under the name of now; None: no such game is kept."""
        with self._store.reading() as db:
            if db.scalar(select(game.c.id).where(game.c.id == id_)) is None:
                return None
            people = decided_of(db, id_).people
            if seat not in SEATS or seat > len(people):
                return None
            who = people[seat - 1]
            name = db.scalar(select(player.c.name).where(player.c.id == who.id))
            return Person(who.id, who.name if name is None else name)

    def history(self, id_: str) -> tuple[Revision, ...]:
        """Return the revisions of a game, the oldest first. For the host alone."""
        query = select(game_revision).where(game_revision.c.game_id == id_)
        with self._store.reading() as db:
            return tuple(map(revision, db.execute(query.order_by(game_revision.c.number))))

    def list(
        self,
        first: datetime.date = datetime.date.min,
        last: datetime.date = datetime.date.max,
        *,
        before: str = "",
        limit: int = LISTED,
    ) -> tuple[ListedGame, ...]:
        """Return games of these days, both included, the newest first.

        With *before*, the id of a game, only those that began before it; none before no game.
        """
        rated = exists().where(game_seat.c.game_id == game.c.id)
        columns = [column for column in game.c if column.name != "course"]
        query = select(*columns, rated.label("rated")).where(
            game.c.day >= first.isoformat(), game.c.day <= last.isoformat()
        )
        with self._store.reading() as db:
            if before:
                began = db.scalar(select(game.c.began_utc).where(game.c.id == before))
                if began is None:
                    return ()
                earlier = game.c.began_utc < began
                same = (game.c.began_utc == began) & (game.c.id < before)
                query = query.where(earlier | same)
            query = query.order_by(game.c.began_utc.desc(), game.c.id.desc()).limit(limit)
            return tuple(
                ListedGame(
                    row.id, row.table_name, datetime.date.fromisoformat(row.day),
                    row.began_utc, row.ended_utc, winner_of(row), bool(row.rated), row.newest,
                )
                for row in db.execute(query)
            )  # fmt: skip

    def rows(
        self,
        first: datetime.date = datetime.date.min,
        last: datetime.date = datetime.date.max,
        *,
        player_id: str = "",
    ) -> tuple[SeatRow, ...]:
        """Return what ratings count of these days, both included, of one player or of all.

        Oldest game first, then by seat. Void games and those struck are not among them.
        """
        joined = game_seat.join(game, game_seat.c.game_id == game.c.id).outerjoin(
            player, game_seat.c.player_id == player.c.id
        )
        query = (
            select(game_seat, player.c.name.label("now"))
            .select_from(joined)
            .where(game_seat.c.day >= first.isoformat(), game_seat.c.day <= last.isoformat())
            .order_by(game.c.began_utc, game.c.id, game_seat.c.seat)
        )
        if player_id:
            query = query.where(game_seat.c.player_id == player_id)
        with self._store.reading() as db:
            return tuple(map(seat_row, db.execute(query)))

    def years(self) -> tuple[int, ...]:
        """Return the years in which games began."""
        year = func.substr(game.c.day, 1, 4).label("year")
        with self._store.reading() as db:
            return tuple(sorted(map(int, db.scalars(select(year).distinct()))))

    def changes(self) -> int:
        """Return a number that grows with each game kept and with each correction."""
        with self._store.reading() as db:
            return int(db.scalar(select(func.count()).select_from(game_revision)) or 0)

    # ---- corrected ----

    def seat(self, seen: Seen, seat: int, who: str) -> None:
        """Let *who*, a player by id or name, else a guest, have had *seat*.

        :raises Refused: as every correction: if something is wrong, or the game was changed
            since it was seen.
        """

        def change(db: Connection, before: Decided) -> Decided:
            _check_seat(before, seat)
            found = person(db, who)
            others = [p for n, p in enumerate(before.people, start=1) if n != seat]
            if any(
                found.id == other.id if found.id else key(found.name) == key(other.name)
                for other in others
            ):
                raise Refused("who", N_("{name} is there twice"), name=found.name)
            (kept,) = without_names(db, [found])
            people = (*before.people[: seat - 1], kept, *before.people[seat:])
            return replace(before, people=people)

        self._correct(seen, Did.SEATED, change)

    def set_points(self, seen: Seen, seat: int, points: Amounts | None) -> None:
        """Let *seat* have these points, (Classic, Max) in hundredths; None: as it was played.

        :raises Refused: as :meth:`seat`.
        """
        why = check_text("why", seen.why, needed=True)

        def change(_: Connection, before: Decided) -> Decided:
            _check_seat(before, seat)
            if points is not None and max(map(abs, points)) > POINTS_MAX:
                raise Refused("max", N_("expected {most} points at most"), most=POINTS_MAX / 100)
            hands = {each.seat: each for each in before.corrections.by_hand}
            hands.pop(seat, None)
            if points is not None:
                hands[seat] = ByHand(seat, *points, why)
            by_hand = tuple(hands[each] for each in sorted(hands))
            return replace(before, corrections=replace(before.corrections, by_hand=by_hand))

        self._correct(seen, Did.POINTS, change)

    def strike(self, seen: Seen, *, struck: bool) -> None:
        """Take the game out of the ratings, or put it back.

        :raises Refused: as :meth:`seat`.
        """

        def change(_: Connection, before: Decided) -> Decided:
            return replace(before, corrections=replace(before.corrections, struck=struck))

        self._correct(seen, Did.STRUCK if struck else Did.RATED, change)

    def go_back(self, seen: Seen, number: int) -> None:
        """Let the game be again as revision *number* has it; what came after stays readable.

        :raises Refused: as :meth:`seat`, or if there is no such revision.
        """
        self._correct(seen, Did.BACK, lambda db, _: decided_of(db, seen.game, number))

    def _correct(
        self, seen: Seen, did: Did, change: Callable[[Connection, Decided], Decided]
    ) -> None:
        who = check_line("by", seen.who, WHO_MAX, needed=True)
        why = check_text("why", seen.why, needed=True)
        with self._store.writing() as db:
            if newest(db, seen.game) != seen.newest:
                raise Refused("game", N_("Something has changed meanwhile."))
            before = decided_of(db, seen.game)
            after = change(db, before)
            if after == before:
                raise Refused("game", N_("It is so already."))
            revise(db, seen.game, after, did, who=who, why=why, utc=self._store.utc())


def _check_seat(decided: Decided, seat: int) -> None:
    if seat not in SEATS or seat > len(decided.people):
        raise Refused("seat", N_("expected a seat of the game"))

"""The league as pages and commands use it."""

import datetime
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from firmware.card import TableCard
from firmware.clock import Clock
from table_controller.league.anonymity import anonymise
from table_controller.league.appeals import Appeals
from table_controller.league.archive import Progress, put_in, read_archive, silent, take_out
from table_controller.league.bars import Bar, Bars
from table_controller.league.games import Games
from table_controller.league.players import Person, Player, Players
from table_controller.league.store import Store

FILE: Final = "league.db"
"""Its name in the table's data_dir, unless the card names a server."""


class League:
    """What the club knows of its players. Thread-safe; every call may wait for the disk.

    :raises LeagueError: from every call, if the disk or the server refuses.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.players = Players(store)
        self.bars = Bars(store)
        self.appeals = Appeals(store)
        self.games = Games(store)

    def today(self) -> datetime.date:
        """Return the day at the table."""
        return today(self._store.clock)

    def open(self) -> None:
        """See that it is there: one that was opened for later may be away."""
        self._store.open()

    def take_out(self, progress: Progress = silent) -> bytes:
        """Return all of it as one file, private as it is."""
        return take_out(self._store, progress)

    def put_in(self, raw: bytes, *, replace: bool = False, progress: Progress = silent) -> None:
        """Write all of such a file to it, or nothing.

        :raises Refused: if something in it is wrong, a newer program wrote it, or, without
            *replace*, the league holds something.
        """
        archive = read_archive(raw, self._store.version)
        put_in(self._store, archive, replace=replace, progress=progress)

    def close(self) -> None:
        """Close it."""
        self._store.close()

    def find(self, part: str = "") -> tuple[Player, ...]:
        """Return players with *part* in name or nick, in any case; all for ""."""
        return self.players.find(part)

    def bar_of(self, id_or_name: str, today: datetime.date) -> Bar | None:
        """Return what keeps this person from the table on *today*; None: nothing does."""
        who = self.players.person(id_or_name)
        return self.bars.of(who.id, today) if who.id else None

    def ten_of(self, wanted: Sequence[str], today: datetime.date) -> tuple[Person, ...]:
        """Return who is meant by ten ids or names; unknown names are guests.

        :raises Barred: if one of them may not be seated.
        :raises Refused: if they are not ten different people with proper names.
        """
        return self.bars.ten(wanted, today)

    def anonymise(self, id_or_name: str) -> str:
        """Take the name of a player away for good, as :mod:`~table_controller.league.anonymity`.

        :raises Refused: if there is no such player, a bar holds, or an appeal is open.
        """
        with self._store.writing() as db:
            return anonymise(db, id_or_name, self.today())

    def last_ten(self, today: datetime.date) -> tuple[tuple[Person, Bar | None], ...]:
        """Return the last ten of the table, each with what keeps them from it on *today*."""
        held = self.bars.held(today)
        return tuple((each, held.get(each.id)) for each in self.players.last_ten())


def open_league(
    where: Path | str, clock: Clock, *, password: str = "", later: bool = False
) -> League:
    """Open the league in the file or at the URL *where*; what it needs is made there.

    With *later* a server that is away is no error of this call, but of each that needs it.

    :raises LeagueError: if it cannot be opened, is no league's, or a newer program wrote it.
    """
    return League(Store(where, clock, password=password, later=later))


def open_card_league(card: TableCard, clock: Clock, *, later: bool = False) -> League:
    """Open the league of the table with this *card*: on its server, or in its data_dir.

    :raises LeagueError: as :func:`open_league`; *later* is for a server only.
    """
    if card.league.url:
        return open_league(card.league.url, clock, password=card.league.password, later=later)
    return open_league(Path(card.data_dir) / FILE, clock)


def today(clock: Clock) -> datetime.date:
    """Return the day at the table."""
    return clock.wall().astimezone().date()

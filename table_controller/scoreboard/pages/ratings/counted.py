"""A season's numbers as the pages show them: counted when the league has changed, then kept.

Names are not among them: they are asked for each time, so that one that goes is gone at once.
"""

import datetime
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

from table_controller.league import League
from table_controller.league.ratings import Ranks, Standing, ranks, ratings
from table_controller.league.seasons import Season
from table_controller.record.seat_rows import SeatRow
from table_controller.scoreboard.pages.ratings.asked import SIDES, Asked

T = TypeVar("T")

KEPT: Final = 16
"""Answers that are kept, the last ones asked for."""


class Named(NamedTuple):
    """How a player is shown."""

    name: str
    """"": wants none any more."""
    nick: str = ""
    club: str = ""


class Counted:
    """What the league's games add up to. Thread-safe.

    :raises LeagueError: from every call, if the league cannot be read.
    """

    def __init__(self, league: League) -> None:
        self._league = league
        self._changes = -1
        self._kept = OrderedDict[Any, Any]()
        self._lock = threading.Lock()

    def people(self) -> dict[str, Named]:
        """Return the players of the league by id, as they are called now."""
        return {
            each.id: Named(each.name, each.nick, each.club) if each.name else Named("")
            for each in self._league.players.find("")
        }

    def rows(self, season: Season) -> tuple[SeatRow, ...]:
        """Return what counts of the season's games."""
        first, last = season.first, season.last
        return self._once(("rows", first, last), lambda: self._league.games.rows(first, last))

    def rows_of(self, player: str) -> tuple[SeatRow, ...]:
        """Return what counts of one player's games, of all seasons, the oldest first."""
        return self._league.games.rows(player_id=player)

    def table(self, asked: Asked, among: frozenset[str] | None) -> tuple[Standing, ...]:
        """Return the table that is *asked* for, by rank; *among*: its players, None: all."""
        ci, counts = asked.season.ci, SIDES[asked.side].counts

        def count() -> tuple[Standing, ...]:
            rows = self.rows(asked.season)
            return ratings(rows, ci=ci, counts=counts, least=asked.least, among=among)

        return self._once(("table", *self._about(asked), asked.least, among), count)

    def ranks(self, asked: Asked, table: tuple[Standing, ...]) -> Ranks:
        """Return the ranks over time of the players of *table*, which was asked for."""
        ci, counts = asked.season.ci, SIDES[asked.side].counts
        players = frozenset(line.player for line in table)

        def count() -> Ranks:
            return ranks(self.rows(asked.season), players, ci=ci, counts=counts)

        return self._once(("ranks", *self._about(asked), players), count)

    def _about(self, asked: Asked) -> tuple[datetime.date, datetime.date, bool, str]:
        return asked.season.first, asked.season.last, asked.season.ci, asked.side

    def _once(self, key: Any, count: Callable[[], T]) -> T:
        """Return what *count* makes, or made for *key* since the league changed last."""
        # Asked for before the rows are: what changes in between is counted again next time.
        changes = self._league.games.changes()
        with self._lock:
            if changes != self._changes:
                self._kept.clear()
                self._changes = changes
            if key in self._kept:
                self._kept.move_to_end(key)
                found: T = self._kept[key]
                return found
        made = count()
        with self._lock:
            if changes == self._changes:
                self._kept[key] = made
                if len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
        return made

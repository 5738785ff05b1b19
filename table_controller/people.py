"""Who may sit at the table: what an order of the host needs of the league.

Asked by the web server's threads before an order is given to the table's loop, and
by the loop itself only between games.
"""

import logging
from collections.abc import Sequence
from typing import Final

from firmware.errors import LeagueError
from firmware.words import N_, Words
from table_controller import league
from table_controller.league.wording import until
from table_controller.refusal import Refused

FOUND_MAX: Final = 20
"""Players that are offered to whoever types a part of a name."""

log = logging.getLogger(__name__)


class People:
    """The club's people. Thread-safe; every call waits for the disk."""

    def __init__(self, club: league.League) -> None:
        self._club = club

    def ten(self, wanted: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return names and ids of ten that are meant by ids or names; a guest has no id.

        :raises Refused: if they are not ten different people, or one of them is barred.
        """
        try:
            people = self._club.ten_of(wanted, self._club.today())
        except league.Refused as refused:
            raise Refused(refused.text, **refused.values) from refused
        except LeagueError as error:
            raise Refused(N_("The club's list of players cannot be read.")) from error
        return tuple(each.name for each in people), tuple(each.id for each in people)

    def check(self, names: Sequence[str], ids: Sequence[str]) -> None:
        """Check that nobody of these is barred; a league that cannot be read bars nobody.

        :raises Refused: if somebody is.
        """
        try:
            held = self._club.bars.held(self._club.today())
        except LeagueError as error:
            log.warning("bars are not known: %s", error)
            return
        for name, id_ in zip(names, ids, strict=True):
            if id_ in held:
                refused = league.Barred(held[id_])
                raise Refused(refused.text, **(refused.values | {"name": name}))

    def keep(self, names: Sequence[str], ids: Sequence[str]) -> None:
        """Remember who has been seated as the last ten."""
        people = tuple(league.Person(id_, name) for name, id_ in zip(names, ids, strict=True))
        self._club.players.keep_ten(people)

    def find(self, part: str, words: Words) -> list[dict[str, str]]:
        """Return the first players with *part* in their names, and until when each is barred."""
        try:
            found = self._club.find(part)[:FOUND_MAX]
        except LeagueError:
            return []
        held = self.barred(words)
        return [{"id": who.id, "name": who.name, "barred": held.get(who.id, "")} for who in found]

    def barred(self, words: Words) -> dict[str, str]:
        """Return until when each player is barred who is, by id; none when that is not known."""
        try:
            held = self._club.bars.held(self._club.today())
        except LeagueError:
            return {}
        return {id_: until(bar, words) for id_, bar in held.items()}

"""Who may sit at the table: what an order of the host needs of the league.

Asked by the web server's threads before an order is given to the table's loop, and
by the loop itself only between games.
"""

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from msgspec.structs import replace

from firmware.errors import LeagueError
from firmware.words import N_, Words
from table_controller import league
from table_controller.host.orders import NewGame
from table_controller.host.refusal import Refused
from table_controller.host.sheet import Lobby, LobbyPlayer
from table_controller.league.wording import until

FOUND_MAX: Final = 20
"""Players that are offered to whoever types a part of a name."""

CHECK_S: Final = 1.0
"""How long the loop waits for the league between two games."""

log = logging.getLogger(__name__)


class NotSeated(Refused):
    """Why the club lets somebody not sit down; a day in it as the reader writes days."""

    def __init__(self, refused: league.Refused) -> None:
        self._refused = refused
        super().__init__(refused.text, **refused.values)

    def told(self, words: Words) -> str:
        """Return why, in *words*."""
        return self._refused.said(words)


class People:
    """The club's people. Thread-safe; every call waits for the disk."""

    def __init__(self, club: league.League) -> None:
        self._club = club
        self._aside = ThreadPoolExecutor(1, "people")

    def ten(self, wanted: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return names and ids of ten that are meant by ids or names; a guest has no id.

        :raises Refused: if they are not ten different people, or one of them is barred.
        """
        try:
            people = self._club.ten_of(wanted, self._club.today())
        except league.Refused as refused:
            raise NotSeated(refused) from refused
        except LeagueError as error:
            raise Refused(N_("The club's list of players cannot be read.")) from error
        return tuple(each.name for each in people), tuple(each.id for each in people)

    def check(self, names: Sequence[str], ids: Sequence[str]) -> None:
        """Check that nobody of these is barred; a league that cannot be read bars nobody.

        For the table's loop: a server that says nothing keeps it :data:`CHECK_S` at most.

        :raises Refused: if somebody is.
        """
        try:
            held = self._aside.submit(self._club.bars.held, self._club.today()).result(CHECK_S)
        except (LeagueError, TimeoutError) as error:
            log.warning("bars are not known: %s", error)
            return
        for name, id_ in zip(names, ids, strict=True):
            if id_ in held:
                raise NotSeated(league.Barred(replace(held[id_], name=name)))

    def keep(self, seated: NewGame) -> None:
        """Remember who has been seated as the last ten; a disk that refuses is told in the log."""
        people = tuple(map(league.Person, seated.ids, seated.players))
        try:
            self._club.players.keep_ten(people)
        except (LeagueError, league.Refused) as error:
            log.warning("the last ten are not kept: %s", error)

    def lobby(self, lobby: Lobby, words: Words) -> Lobby:
        """Return *lobby* with those who are to sit next, as the club knows them, and their bars."""
        today = self._club.today()
        try:
            ten, held = self._club.players.last_ten(), self._club.bars.held(today)
        except LeagueError:
            return lobby
        known = tuple(LobbyPlayer(each.id, each.name) for each in ten) or lobby.players
        players = tuple(
            replace(each, barred=until(held[each.id], words)) if each.id in held else each
            for each in known
        )
        return replace(lobby, players=players)

    def find(self, part: str, words: Words) -> list[dict[str, str]]:
        """Return the first players with *part* in their names, and until when each is barred."""
        try:
            found = self._club.find(part)[:FOUND_MAX]
            held = self._club.bars.held(self._club.today())
        except LeagueError:
            return []
        return [
            {
                "id": who.id,
                "name": who.name,
                "barred": until(held[who.id], words) if who.id in held else "",
            }
            for who in found
        ]

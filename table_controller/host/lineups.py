"""Who plays the next game, in which seats, and by which rules.

What the host has chosen last is kept on disk, so that the next game has the same
players after a restart too, and when it is begun without a phone.
"""

import contextlib
import datetime
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from firmware.private import write_private
from firmware.words import N_
from table_controller.game import SEATS, Ruleset
from table_controller.host.orders import NewGame
from table_controller.host.refusal import Refused
from table_controller.host.rulesets import DEFAULT, Rulesets
from table_controller.record.entries import Started
from table_controller.terms import Terms

if TYPE_CHECKING:
    from table_controller.host.people import People

NAME_MAX: Final = 24
"""Letters of a player's name; the card has the same limit."""

log = logging.getLogger(__name__)


class Lineup(msgspec.Struct, frozen=True):
    """Ten players and how they play."""

    names: tuple[str, ...]
    ids: tuple[str, ...] = ("",) * len(SEATS)
    """Of the league; "" is a guest."""
    fixed: bool = False
    """They sit as they are listed; else seats are drawn."""
    ruleset: str = DEFAULT


def check(lineup: Lineup) -> None:
    """Check that ten different people are named.

    :raises Refused: if not.
    """
    names = lineup.names
    if len(names) != len(SEATS) or len(lineup.ids) != len(SEATS):
        raise Refused(N_("Players: {count}; ten are needed."), count=len(names))
    for name in names:
        if not name.strip() or not name.isprintable() or len(name) > NAME_MAX:
            raise Refused(
                N_("{name}: expected a name of 1 to {most} letters that can be shown."),
                name=ascii(name[: NAME_MAX + 1]),
                most=NAME_MAX,
            )
        if names.count(name) > 1:
            raise Refused(N_("{name} is there twice."), name=name)


class KeptLineup:
    """The file at *path*: the last lineup as JSON, for the owner only."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> Lineup | None:
        """Return what was kept; None: nothing, or nothing that can be used."""
        try:
            lineup = msgspec.json.decode(self._path.read_bytes(), type=Lineup)
            check(lineup)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.MsgspecError, Refused, UnicodeDecodeError, RecursionError) as why:
            log.warning("%s: %s: the players of the card play", self._path, why)
            return None
        return lineup

    def save(self, lineup: Lineup) -> None:
        """Keep *lineup*; a disk that refuses is told in the log."""
        try:
            write_private(self._path, msgspec.json.encode(lineup).decode())
        except OSError as error:
            log.warning("%s: %s: the players are kept until the stop only", self._path, error)


class Lineups:
    """The lineup of the next game of one table.

    *fixed* is the club's own way to seat; *kept* where the last lineup is kept, None nowhere.
    *people* knows who is barred, None: nobody is. Without *recall* the players of *terms*
    play first, whoever played last.
    """

    def __init__(
        self,
        terms: Terms,
        rulesets: Rulesets | None = None,
        kept: KeptLineup | None = None,
        *,
        fixed: bool = False,
        recall: bool = True,
        people: "People | None" = None,
    ) -> None:
        self.rulesets = rulesets or Rulesets(terms.ruleset)
        self._terms = terms
        self._kept = kept
        self._people = people
        self._now = Lineup(terms.names, fixed=fixed)
        self._ruleset = terms.ruleset
        self._saved: Lineup | None = self._now
        if (lineup := kept.read() if kept and recall else None) is not None:
            self._recall(lineup)

    def _recall(self, lineup: Lineup) -> None:
        try:
            ruleset = self.rulesets.read(lineup.ruleset)
        except Refused as refused:
            log.warning("%s The table plays by its own rules.", refused)
            lineup, ruleset = msgspec.structs.replace(lineup, ruleset=DEFAULT), self._terms.ruleset
        self._now = self._saved = lineup
        self._ruleset = ruleset

    @property
    def now(self) -> Lineup:
        """Return who would play."""
        return self._now

    @property
    def ruleset(self) -> Ruleset:
        """Return the rules that they would play by."""
        return self._ruleset

    def choose(self, lineup: Lineup) -> None:
        """Let these play from now on.

        :raises Refused: if they are not ten, or their rules cannot be read; nothing has changed.
        """
        check(lineup)
        self._ruleset = self.rulesets.read(lineup.ruleset)
        self._now = lineup

    def begin(self, before: int, utc: datetime.datetime, nodes: tuple[str, ...]) -> Started:
        """Return the start of a game, as :meth:`Terms.begin`.

        :raises Refused: if one of the ten is barred by now.
        """
        if self._people is not None:
            self._people.check(self._now.names, self._now.ids)
        return self._terms.begin(before, utc, nodes, lineup=self._now, ruleset=self._ruleset)

    def began(self) -> None:
        """Keep the lineup: its game has begun."""
        if self._kept is not None and self._now != self._saved:
            self._kept.save(self._now)
            self._saved = self._now

    def took_up(self, started: Started) -> None:
        """Keep who plays a game that has just begun: the program may have ended amid its order."""
        ids = started.ids or ("",) * len(SEATS)
        seated = Lineup(started.names, ids, started.fixed, self._name_of(started.ruleset))
        if _who_and_how(seated) != _who_and_how(self._now):
            self._now, self._ruleset = seated, started.ruleset
            self.began()
        if self._people is not None:
            self._people.keep(NewGame(seated.names, seated.fixed, seated.ruleset, ids))

    def _name_of(self, ruleset: Ruleset) -> str:
        for name in self.rulesets.names:
            with contextlib.suppress(Refused):
                if self.rulesets.read(name) == ruleset:
                    return name
        return self._now.ruleset


def _who_and_how(lineup: Lineup) -> tuple[frozenset[tuple[str, str]], bool, str]:
    """Return what two lineups have in common that differ in the order of the draw alone."""
    return frozenset(zip(lineup.names, lineup.ids, strict=True)), lineup.fixed, lineup.ruleset


def lineup_of(players: Sequence[str], ids: Sequence[str], *, fixed: bool, ruleset: str) -> Lineup:
    """Return the lineup of an order; without *ids* all are guests."""
    return Lineup(tuple(players), tuple(ids) or ("",) * len(players), fixed, ruleset)

"""What a table's games are played with, and how each of them begins."""

import datetime
from dataclasses import dataclass
from typing import TYPE_CHECKING

from table_controller import deal
from table_controller.game import Ruleset
from table_controller.record.entries import FORMAT, Started

if TYPE_CHECKING:
    from table_controller.host.lineups import Lineup


@dataclass(frozen=True, slots=True)
class Terms:
    """What the table's games are played with, unless the host chooses otherwise."""

    ruleset: Ruleset
    names: tuple[str, ...]
    """Ten players, not yet seated."""
    version: str
    rehearsal_seed: int | None = None

    def begin(
        self,
        before: int,
        utc: datetime.datetime,
        nodes: tuple[str, ...],
        *,
        lineup: "Lineup",
        ruleset: Ruleset,
    ) -> Started:
        """Return the start of a game: a fresh seed, and the players of *lineup* seated.

        *before* is how many games there were since the start of the table, *nodes* is
        each seat's, seat 1 first.
        """
        number = self.rehearsal_seed
        seed = deal.fresh_seed() if number is None else deal.rehearsal_seed(number + before)
        names = lineup.names if lineup.fixed else deal.seating(seed, lineup.names)
        ids = dict(zip(lineup.names, lineup.ids, strict=True))
        return Started(
            format=FORMAT,
            version=self.version,
            game=f"{utc:%Y%m%d-%H%M%S}-{deal.commitment(seed)[:8]}",
            ruleset=ruleset,
            names=names,
            seed=seed.hex(),
            nodes=nodes,
            fixed=lineup.fixed,
            ids=tuple(ids[name] for name in names),
        )

"""What a table's games are played with, and how each of them begins."""

import datetime
from dataclasses import dataclass

from table_controller import deal
from table_controller.entries import FORMAT, Started
from table_controller.game import Ruleset


@dataclass(frozen=True, slots=True)
class Terms:
    """What the table's games are played with."""

    ruleset: Ruleset
    names: tuple[str, ...]
    """Ten players, not yet seated."""
    version: str
    rehearsal_seed: int | None = None

    def begin(self, before: int, utc: datetime.datetime, nodes: tuple[str, ...]) -> Started:
        """Return the start of a game: a fresh seed, and the players seated at random.

        *before* is how many games there were since the start of the table, *nodes* is
        each seat's, seat 1 first.
        """
        number = self.rehearsal_seed
        seed = deal.fresh_seed() if number is None else deal.rehearsal_seed(number + before)
        return Started(
            format=FORMAT,
            version=self.version,
            game=f"{utc:%Y%m%d-%H%M%S}-{deal.commitment(seed)[:8]}",
            ruleset=self.ruleset,
            names=deal.seating(seed, self.names),
            seed=seed.hex(),
            nodes=nodes,
        )

"""Points of a finished game, in both systems, and decisive votes.

A seat's points are the sum of its items; each item says where it comes from.
Amounts are integer hundredths.

Source: RULES 1.15 and 4.
"""

import enum
from collections import Counter

import msgspec

from table_controller.game.model import (
    SEATS,
    BallotKind,
    BallotRecord,
    GameState,
    Phase,
    Team,
    Winner,
)


class Row(enum.StrEnum):
    """A row of the table of points."""

    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"


class Item(msgspec.Struct, frozen=True):
    """One amount and what it is for."""

    when: str
    """``end``: the game's result."""
    row: Row
    classic: int
    """Hundredths."""
    max: int
    """Hundredths."""
    target: int | None = None
    decisive: bool = False
    automatic: bool = False


class SeatPoints(msgspec.Struct, frozen=True):
    """What one seat gets for the game."""

    seat: int
    items: tuple[Item, ...]

    @property
    def classic(self) -> int:
        """Return the sum in the Classic system, in hundredths."""
        return sum(item.classic for item in self.items)

    @property
    def max(self) -> int:
        """Return the sum in the Max system, in hundredths."""
        return sum(item.max for item in self.items)


def points(state: GameState) -> tuple[SeatPoints, ...]:
    """Return the points of all ten seats, seat 1 first; empty before the game is over."""
    if state.phase is not Phase.OVER or state.decided is None:
        return ()
    return tuple(SeatPoints(seat, (_result(state, seat, state.decided),)) for seat in SEATS)


def _result(state: GameState, seat: int, winner: Winner) -> Item:
    team, rules = state.roles[seat - 1].team, state.ruleset
    if winner is Winner.DRAW:
        return Item("end", Row.DRAW, 0, 0)
    if team is Team.TOWN:
        won, amounts = winner is Winner.TOWN, rules.points.win_town
    else:
        won, amounts = winner is Winner.MAFIA, rules.points.win_mafia
    return Item("end", Row.WIN, *amounts) if won else Item("end", Row.LOSS, 0, 0)


def decisive_votes(ballot: BallotRecord) -> tuple[int, ...]:
    """Return the seats whose votes in *ballot* were decisive, by seat.

    A vote is decisive if without it (not moved elsewhere) the one who left
    would not stand alone at the top; a YES if without it the lift would fail.
    """
    if ballot.kind is BallotKind.LIFT:
        last_needed = 2 * (len(ballot.votes) - 1) <= ballot.living
        return tuple(seat for seat, _ in ballot.votes) if ballot.top and last_needed else ()
    if len(ballot.top) > 1:
        return ()
    ranks = Counter(candidate for _, candidate in ballot.votes).most_common(2)
    runner_up = ranks[1][1] if len(ranks) > 1 else 0
    if ranks[0][1] - runner_up > 1:
        return ()
    return tuple(seat for seat, candidate in ballot.votes if candidate in ballot.top)

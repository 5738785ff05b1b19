"""Who voted against whom, ballot by ballot: a table of seats and ballots. Pure."""

from collections.abc import Iterable
from typing import NamedTuple

from table_controller.game import SEATS, Event
from table_controller.game.events import BallotClosed, SeatLeft
from table_controller.game.scoring import decisive_votes
from table_controller.game.terms import BallotKind


class Cell(NamedTuple):
    """What one seat did in one ballot."""

    target: int = 0
    """The seat voted against; 0 in a lift, or of a seat that was out."""
    yes: bool = False
    """For the lift."""
    voted: bool = False
    """It lived, so it had a vote; in a lift a NO too."""
    automatic: bool = False
    decisive: bool = False
    top: bool = False
    """Against the one that had most votes, alone."""


class Column(NamedTuple):
    """One ballot."""

    ballot: BallotClosed
    cells: tuple[Cell, ...]
    """Seat 1 first."""


def matrix(events: Iterable[Event]) -> tuple[Column, ...]:
    """Return the ballots of a game in order."""
    living, columns = set(SEATS), []
    for event in events:
        if isinstance(event, SeatLeft):
            living.discard(event.seat)
        elif isinstance(event, BallotClosed):
            columns.append(Column(event, tuple(_cell(event, seat, living) for seat in SEATS)))
    return tuple(columns)


def _cell(ballot: BallotClosed, seat: int, living: set[int]) -> Cell:
    votes, decisive = dict(ballot.votes), seat in decisive_votes(ballot)
    if ballot.kind is BallotKind.LIFT:
        return Cell(yes=seat in votes, voted=seat in living, decisive=decisive)
    if seat not in votes:
        return Cell()
    return Cell(
        target=votes[seat],
        voted=True,
        automatic=seat in ballot.automatic,
        decisive=decisive,
        top=ballot.top == (votes[seat],),
    )

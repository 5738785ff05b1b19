"""Ratings: what the seats of a season's games add up to, player by player. Pure.

All is counted anew from the rows of finished games whenever a table is asked for, so a
corrected game corrects every number. Points are integer hundredths.

Rank goes by Max with Ci: equal points share a rank, and the ranks they take together are
left out behind them (1, 2, 2, 4).

Source: RULES 4.
"""

import datetime
from collections.abc import Callable, Collection, Iterable
from itertools import groupby
from typing import Final

import msgspec

from table_controller.game import Role, Team
from table_controller.record.seat_rows import Result, SeatRow

CI_MOST: Final = 40
"""The highest Ci of a game, and what its formula goes by: 0.4 in hundredths."""


class Part(msgspec.Struct, frozen=True):
    """Games, and how many of them were won."""

    games: int = 0
    wins: int = 0


class BestMoves(msgspec.Struct, frozen=True):
    """Best moves that a player gave as town, by the mafia named in them."""

    none: int = 0
    one: int = 0
    two: int = 0
    three: int = 0

    @property
    def given(self) -> int:
        """Return how many were given."""
        return self.none + self.one + self.two + self.three

    @property
    def hits(self) -> int:
        """Return how many mafia they named."""
        return self.one + 2 * self.two + 3 * self.three


class Standing(msgspec.Struct, frozen=True):
    """One player's line of a table."""

    player: str
    """Id of the league."""
    rank: int
    """1: the best; equal points have the same."""
    games: int
    roles: dict[Role, Part]
    """Of each role, those that were never played too."""
    max: int
    """Points without Ci, as :attr:`classic`."""
    classic: int
    ci: int
    """0 in a season without it."""
    best_moves: BestMoves
    technical_fouls: int
    disqualifications: int
    """An Opponent Victory given for this player is one."""

    @property
    def wins(self) -> int:
        """Return how many games were won."""
        return sum(part.wins for part in self.roles.values())

    @property
    def points(self) -> int:
        """Return Max with Ci, which the rank goes by."""
        return self.max + self.ci

    @property
    def points_classic(self) -> int:
        """Return Classic with Ci."""
        return self.classic + self.ci

    @property
    def per_game(self) -> int:
        """Return Max with Ci per game, to hundredths, half up."""
        return half_up(self.points, self.games)

    def team(self, team: Team) -> Part:
        """Return the games as *team*."""
        parts = [part for role, part in self.roles.items() if role.team is team]
        return Part(sum(part.games for part in parts), sum(part.wins for part in parts))


class Ranks(msgspec.Struct, frozen=True):
    """Ranks over time: after each day on which a game began."""

    days: tuple[datetime.date, ...]
    of: dict[str, tuple[int | None, ...]]
    """By player, one for each day; None: before the player's first game."""


Counts = Callable[[SeatRow], bool]
"""Tells whether a row counts: a filter by role or team."""


def all_count(_: SeatRow) -> bool:
    """Count every row."""
    return True


def ratings(
    rows: Iterable[SeatRow],
    *,
    ci: bool = False,
    counts: Counts = all_count,
    least: int = 1,
    among: Collection[str] | None = None,
) -> tuple[Standing, ...]:
    """Return the table of the season that *rows* are, the best first, equals by id.

    *rows* must be all of the season: Ci goes by all its games. *counts* chooses what is
    added up. Who has less than *least* such games, or is not *among* those who are asked
    for, is left out before ranks are given.
    """
    accounts = dict[str, _Account]()
    for row in rows:
        _enter(accounts, row, counts)
    shown = {
        id_: each
        for id_, each in accounts.items()
        if each.games >= max(1, least) and (among is None or id_ in among)
    }
    place = _places(each.points(ci=ci) for each in shown.values())
    lines = [each.standing(id_, place[each.points(ci=ci)], ci=ci) for id_, each in shown.items()]
    return tuple(sorted(lines, key=lambda line: (line.rank, line.player)))


def ranks(
    rows: Iterable[SeatRow],
    players: Collection[str],
    *,
    ci: bool = False,
    counts: Counts = all_count,
) -> Ranks:
    """Return the ranks among *players* after each day of *rows*.

    *players* are those of the season's table, so that the last ranks are the table's.
    """
    accounts = dict[str, _Account]()
    days = list[datetime.date]()
    found: dict[str, list[int | None]] = {id_: [] for id_ in players}
    points = dict[str, int]()
    for day, played in groupby(sorted(rows, key=_day), key=_day):
        for row in played:
            if row.player in found:
                account = _enter(accounts, row, counts)
                if account.games:
                    points[row.player] = account.points(ci=ci)
        place = _places(points.values())
        days.append(day)
        for id_, course in found.items():
            course.append(place[points[id_]] if id_ in points else None)
    return Ranks(tuple(days), {id_: tuple(course) for id_, course in found.items()})


def ci_of_a_game(shot: int, games: int) -> int:
    """Return the compensation for one game in hundredths, half up. Source: RULES 4, Ci.

    The player has finished *games* of the season and was *shot* in N1 as town in so many
    of them.
    """
    # No multiple of 0.4 lies half way between two whole numbers.
    part = half_up(4 * games, 10)
    return min(half_up(shot * CI_MOST, part), CI_MOST) if part else 0


def half_up(number: int, by: int) -> int:
    """Return *number* / *by* as a whole number, a half going up; *by* is positive."""
    return (2 * number + by) // (2 * by)


class _Account:
    """What one player's rows add up to so far."""

    def __init__(self) -> None:
        self.finished = 0
        """Games of the season; *games* are those that count."""
        self.shot = self.due = 0
        self.games = self.max = self.classic = 0
        self.roles = {role: [0, 0] for role in Role}
        self.best_moves = [0, 0, 0, 0]
        self.technical_fouls = self.disqualifications = 0

    def take(self, row: SeatRow, *, counted: bool) -> None:
        self.finished += 1
        self.shot += row.shot_n1
        if not counted:
            return
        self.due += row.ci_due
        self.games += 1
        self.max += row.max
        self.classic += row.classic
        part = self.roles[row.role]
        part[0] += 1
        part[1] += row.result is Result.WON
        if row.tier:
            self.best_moves[row.hits] += 1
        self.technical_fouls += row.technical_fouls
        self.disqualifications += row.disqualified or row.culprit

    def ci(self) -> int:
        return self.due and self.due * ci_of_a_game(self.shot, self.finished)

    def points(self, *, ci: bool) -> int:
        return self.max + (self.ci() if ci else 0)

    def standing(self, id_: str, rank: int, *, ci: bool) -> Standing:
        return Standing(
            player=id_,
            rank=rank,
            games=self.games,
            roles={role: Part(*part) for role, part in self.roles.items()},
            max=self.max,
            classic=self.classic,
            ci=self.ci() if ci else 0,
            best_moves=BestMoves(*self.best_moves),
            technical_fouls=self.technical_fouls,
            disqualifications=self.disqualifications,
        )


def _enter(accounts: dict[str, _Account], row: SeatRow, counts: Counts) -> "_Account":
    """Add *row* to its player's account; a guest's goes nowhere."""
    if not row.player:
        return _Account()
    account = accounts.get(row.player)
    if account is None:
        account = accounts[row.player] = _Account()
    account.take(row, counted=counts(row))
    return account


def _places(points: Iterable[int]) -> dict[int, int]:
    """Return the rank that each number of points has."""
    place = dict[int, int]()
    for at, each in enumerate(sorted(points, reverse=True), start=1):
        place.setdefault(each, at)
    return place


def _day(row: SeatRow) -> datetime.date:
    return row.day

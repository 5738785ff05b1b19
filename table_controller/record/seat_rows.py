"""A finished game as one flat row a seat, which ratings are counted from. Pure. Source: RULES 4."""

import datetime
import enum

import msgspec

from table_controller.game import SEATS, Cause, Role, Team, Winner
from table_controller.game.events import (
    BestMoveGiven,
    Disqualified,
    Event,
    NightFell,
    OpponentVictoryGiven,
    SeatLeft,
    TechnicalFoulGiven,
    Withdrawn,
)
from table_controller.record.finished import NONE, Corrections, FinishedGame, points_of


class Result(enum.StrEnum):
    """How a game ended for a seat."""

    WON = "won"
    LOST = "lost"
    DRAWN = "drawn"


class SeatRow(msgspec.Struct, frozen=True):
    """What ratings count of one seat of one game."""

    game: str
    day: datetime.date
    seat: int
    player: str
    """"": a guest, who is in no rating."""
    name: str
    """"" with an id: a player who wants no name any more."""
    role: Role
    team: Team
    result: Result
    max: int
    """Hundredths."""
    classic: int
    """Hundredths."""
    tier: str = ""
    """Of a best move by the town: ``a`` after a shot in N1, else ``b``; "": it gave none."""
    hits: int = 0
    """Mafia in that best move."""
    shot_n1: bool = False
    """Shot in N1 as town: counts for Ci, due when the town lost."""
    technical_fouls: int = 0
    disqualified: bool = False
    withdrawn: bool = False
    culprit: bool = False
    """An Opponent Victory was given for what this seat did."""

    @property
    def ci_due(self) -> bool:
        """Tell whether a compensation is due for this game, if the season gives any."""
        return self.shot_n1 and self.result is Result.LOST


def seat_rows(game: FinishedGame, corrections: Corrections = NONE) -> tuple[SeatRow, ...]:
    """Return a row for each seat; none if *game* is void or struck from the ratings."""
    if game.winner is None or corrections.struck:
        return ()
    points, course = points_of(game, corrections), _Course(game)
    rows = []
    for each in game.seats:
        classic, max_ = points[each.seat]
        suspects = course.best_moves.get(each.seat)
        town = each.role.team is Team.TOWN
        tier, hits = "", 0
        if town and suspects is not None:
            tier = "a" if each.seat == course.tier_a else "b"
            hits = len(course.mafia.intersection(suspects))
        rows.append(
            SeatRow(
                game=game.game,
                day=game.day,
                seat=each.seat,
                player=each.player,
                name=each.name,
                role=each.role,
                team=each.role.team,
                result=_result(each.role.team, game.winner),
                max=max_,
                classic=classic,
                tier=tier,
                hits=hits,
                shot_n1=town and each.seat == course.shot_n1,
                technical_fouls=course.technical_fouls[each.seat],
                disqualified=each.seat in course.disqualified,
                withdrawn=each.seat in course.withdrawn,
                culprit=each.seat == course.culprit,
            )
        )
    return tuple(rows)


def _result(team: Team, winner: Winner) -> Result:
    if winner is Winner.DRAW:
        return Result.DRAWN
    return Result.WON if team.value == winner.value else Result.LOST


class _Course:
    """What of a game's events is counted for a season, beside the points."""

    def __init__(self, game: FinishedGame) -> None:
        self.mafia = {each.seat for each in game.seats if each.role.team is Team.MAFIA}
        self.best_moves: dict[int, tuple[int, ...]] = {}
        self.tier_a = self.shot_n1 = self.culprit = 0
        self.technical_fouls: dict[int, int] = dict.fromkeys(SEATS, 0)
        self.disqualified: set[int] = set()
        self.withdrawn: set[int] = set()
        self._night = self._gone = 0
        for event in game.events():
            self._take(event)

    def _take(self, event: Event) -> None:
        match event:
            case NightFell(night=night):
                self._night = night
            case SeatLeft(seat=seat, cause=cause):
                if cause is Cause.SHOT and self._night == 1:
                    self.shot_n1 = seat
                    self.tier_a = seat if self._gone <= 1 else 0
                self._gone += 1
            case BestMoveGiven(seat=seat, suspects=suspects):
                self.best_moves[seat] = suspects
            case TechnicalFoulGiven(seat=seat):
                self.technical_fouls[seat] += 1
            case Disqualified(seat=seat):
                self.disqualified.add(seat)
            case Withdrawn(seat=seat):
                self.withdrawn.add(seat)
            case OpponentVictoryGiven(seat=seat, after_decision=False):
                self.culprit = seat

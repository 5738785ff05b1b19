"""Points of a finished game, in both systems, and decisive votes.

One pass over the events makes every seat's items; a seat's points are their
sum. What a row gives is the ruleset's. Amounts are integer hundredths.

Source: RULES 1.15, 2.4, 2.7 and 4.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from table_controller.game.events import (
    BallotClosed,
    BestMoveGiven,
    Checked,
    Disqualified,
    Event,
    GameDecided,
    GameEnded,
    MorningCame,
    NightFell,
    OpponentVictoryGiven,
    RolesDealt,
    SeatLeft,
    ShotsFixed,
    TechnicalFoulGiven,
    VoteSettled,
)
from table_controller.game.model import (
    SEATS,
    BallotKind,
    BallotRecord,
    Cause,
    Role,
    Team,
    Winner,
)
from table_controller.game.points import Amounts
from table_controller.game.ruleset import Ruleset
from table_controller.game.terms import Term, Value


class Row(Term):
    """What an item is for; ``Points`` has its amounts under the same name."""

    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"
    VOTE_MAFIA = "vote_mafia"
    VOTE_CITIZEN = "vote_citizen"
    VOTE_SHERIFF = "vote_sheriff"
    VOTE_TOWN = "vote_town"
    VOTE_MATE = "vote_mate"
    BEST_MOVE_A = "best_move_a"
    BEST_MOVE_B = "best_move_b"
    SHERIFF_FINDS = "sheriff_finds"
    DON_FINDS = "don_finds"
    SHERIFF_SHOT = "sheriff_shot"
    MISS = "miss"
    TECHNICAL_FOUL = "technical_foul"
    DISQUALIFICATION = "disqualification"
    OPPONENT_VICTORY = "opponent_victory"


class Item(Value, frozen=True):
    """One amount and what it is for."""

    when: str
    """``D3`` a day, ``N2`` a night, ``end`` the game's result."""
    row: Row
    target: int | None
    """The seat voted against, found or shot; None: the row has none."""
    decisive: bool
    automatic: bool
    """A missing vote, which can only cost."""
    classic: int
    """Hundredths."""
    max: int
    """Hundredths."""


Items = dict[int, tuple[Item, ...]]
"""Every seat's items in the order in which they came; empty without a result."""


def score(ruleset: Ruleset, events: Iterable[Event]) -> Items:
    """Return the items of all ten seats from all *events* of a game.

    Empty without a GameEnded: the game is not over, or is void. Events that
    earn nothing may be left out.
    """
    course = _Course(ruleset)
    for event in events:
        take = _TAKE.get(type(event))
        if take is not None:
            take(course, event)
    return course.result()


def totals(items: Items) -> Mapping[int, Amounts]:
    """Return (Classic, Max) of each seat, in hundredths."""
    return {
        seat: (sum(item.classic for item in earned), sum(item.max for item in earned))
        for seat, earned in items.items()
    }


def decisive_votes(ballot: BallotClosed | BallotRecord) -> tuple[int, ...]:
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


def ci(first_shots: int, games: int) -> int:
    """Return the season's compensation for one lost game, in hundredths.

    *first_shots* is in how many of the player's *games* (finished, not void,
    this one included) it was shot in N1 as town. Due for each of those games
    that the town lost, whenever a table is shown.

    Source: RULES 4, season option Ci.
    """
    share = (4 * games + 5) // 10
    """0.4 of the games, rounded; never half way."""
    if share == 0:
        return 0
    # 40 hundredths times k / share, half up.
    return min(40, (80 * first_shots + share) // (2 * share))


class _Course:
    """What the events so far have earned."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._points = ruleset.points
        self._roles: tuple[Role, ...] = ()
        self._mafia: frozenset[int] = frozenset()
        self._items: dict[int, list[Item]] = {seat: [] for seat in SEATS}
        self._when = "N0"
        self._night = 0
        self._ballot: BallotClosed | None = None
        self._gone = 0
        self._tier_a: int | None = None
        self._found: set[int] = set()
        """Mafia that the sheriff knows, the sheriff when the don does."""
        self._disqualified: set[int] = set()
        self._culprit: tuple[int, Item] | None = None
        self._decided = False
        self._winner: Winner | None = None

    def _give(
        self,
        seat: int,
        row: Row,
        amounts: Amounts,
        target: int | None = None,
        *,
        decisive: bool = False,
        automatic: bool = False,
    ) -> None:
        item = Item(self._when, row, target, decisive, automatic, *amounts)
        self._items[seat].append(item)

    def _amounts(self, name: str) -> Amounts:
        amounts: Amounts = getattr(self._points, name)
        return amounts

    # ---- the course ----

    def dealt(self, event: RolesDealt) -> None:
        self._roles = event.roles
        cards = zip(SEATS, event.roles, strict=True)
        self._mafia = frozenset(seat for seat, role in cards if role.team is Team.MAFIA)

    def night_fell(self, event: NightFell) -> None:
        self._night = event.night
        self._when = f"N{event.night}"

    def morning_came(self, event: MorningCame) -> None:
        self._when = f"D{event.day}"
        self._ballot = None

    def seat_left(self, event: SeatLeft) -> None:
        if event.cause is Cause.SHOT and self._night == 1 and self._gone <= 1:
            self._tier_a = event.seat
        self._gone += 1

    def decided(self, event: GameDecided) -> None:
        self._decided = True

    def ended(self, event: GameEnded) -> None:
        self._winner = event.winner

    # ---- the night ----

    def shots_fixed(self, event: ShotsFixed) -> None:
        if event.hit is None:
            ranks = Counter(target for _, target in event.shots if target is not None)
            (target, most), (_, second) = (*ranks.most_common(2), (None, 0), (None, 0))[:2]
            plurality = target if most > second else None
            for seat, target in event.shots:
                if target is None or target != plurality:
                    self._give(seat, Row.MISS, self._points.miss)
        elif self._night == 1 and self._roles[event.hit - 1] is Role.SHERIFF:
            for seat, _ in event.shots:
                if self._roles[seat - 1] is Role.DON:
                    self._give(seat, Row.SHERIFF_SHOT, self._points.sheriff_shot_n1, event.hit)

    def checked(self, event: Checked) -> None:
        if not event.positive or event.target in self._found:
            return
        self._found.add(event.target)
        if self._night <= 2:
            don = self._roles[event.seat - 1] is Role.DON
            row = Row.DON_FINDS if don else Row.SHERIFF_FINDS
            amounts = self._amounts(f"{row}_n{self._night}")
            self._give(event.seat, row, amounts, event.target)

    # ---- the vote ----

    def ballot_closed(self, event: BallotClosed) -> None:
        self._ballot = event

    def vote_settled(self, event: VoteSettled) -> None:
        ballot = self._ballot
        if ballot is None:
            return
        decisive, lift = decisive_votes(ballot), ballot.kind is BallotKind.LIFT
        for seat, candidate in ballot.votes:
            for target in ballot.candidates if lift else (candidate,):
                if target != seat:
                    self._vote(seat, target, seat in decisive, seat in ballot.automatic)

    def _vote(self, seat: int, target: int, decisive: bool, automatic: bool) -> None:
        row = self._vote_row(seat, target)
        amounts = self._amounts(f"{row}_decisive" if decisive else row)
        if automatic:
            amounts = (min(0, amounts[0]), min(0, amounts[1]))
        self._give(seat, row, amounts, target, decisive=decisive, automatic=automatic)

    def _vote_row(self, seat: int, target: int) -> Row:
        if seat in self._mafia:
            return Row.VOTE_MATE if target in self._mafia else Row.VOTE_TOWN
        if target in self._mafia:
            return Row.VOTE_MAFIA
        sheriff = self._roles[target - 1] is Role.SHERIFF
        return Row.VOTE_SHERIFF if sheriff else Row.VOTE_CITIZEN

    def best_move(self, event: BestMoveGiven) -> None:
        named = len(self._mafia.intersection(event.suspects))
        if named and event.seat not in self._mafia:
            row = Row.BEST_MOVE_A if event.seat == self._tier_a else Row.BEST_MOVE_B
            self._give(event.seat, row, self._amounts(f"{row}{named}"))

    # ---- fair play ----

    def technical_foul(self, event: TechnicalFoulGiven) -> None:
        if not event.after_decision:
            self._give(event.seat, Row.TECHNICAL_FOUL, self._points.technical_foul)

    def disqualified(self, event: Disqualified) -> None:
        if not event.after_decision:
            self._disqualified.add(event.seat)
            self._give(event.seat, Row.DISQUALIFICATION, self._points.disqualification)

    def opponent_victory(self, event: OpponentVictoryGiven) -> None:
        if not self._decided:
            amounts = self._points.opponent_victory
            row = Row.OPPONENT_VICTORY
            self._culprit = (event.seat, Item(self._when, row, None, False, False, *amounts))

    # ---- the end ----

    def result(self) -> Items:
        """Return all items, the game's result last."""
        if self._winner is None:
            return {}
        self._when = "end"
        for seat in SEATS:
            self._give(seat, *self._outcome(seat, self._winner))
        items = {seat: tuple(filter(self._stands(seat), self._items[seat])) for seat in SEATS}
        if self._culprit is not None:
            seat, flat = self._culprit
            items[seat] = (flat,)
        return items

    def _stands(self, seat: int) -> Callable[[Item], bool]:
        out = seat in self._disqualified
        return lambda item: not (out and item.row is Row.TECHNICAL_FOUL)

    def _outcome(self, seat: int, winner: Winner) -> tuple[Row, Amounts]:
        team = self._roles[seat - 1].team
        if winner is Winner.DRAW:
            return Row.DRAW, self._points.draw
        if team.value != winner.value:
            return Row.LOSS, self._points.loss
        return Row.WIN, self._amounts(f"win_{team}")


_TAKE: dict[type[Event], Callable[[_Course, Any], None]] = {
    RolesDealt: _Course.dealt,
    NightFell: _Course.night_fell,
    MorningCame: _Course.morning_came,
    SeatLeft: _Course.seat_left,
    GameDecided: _Course.decided,
    GameEnded: _Course.ended,
    ShotsFixed: _Course.shots_fixed,
    Checked: _Course.checked,
    BallotClosed: _Course.ballot_closed,
    VoteSettled: _Course.vote_settled,
    BestMoveGiven: _Course.best_move,
    TechnicalFoulGiven: _Course.technical_foul,
    Disqualified: _Course.disqualified,
    OpponentVictoryGiven: _Course.opponent_victory,
}
"""The events that earn points or change what others earn."""

"""Each seat's points with the reason of every one, and whether its value is fixed. Pure."""

import enum
from typing import Final, NamedTuple

from firmware.words import N_, Words
from table_controller.game import Cause, Role, Team, Winner
from table_controller.game.events import BestMoveGiven, MorningCame, SeatLeft
from table_controller.game.rulefile import POINTS, lines
from table_controller.game.scoring import Item, Row, totals
from table_controller.record.finished import Corrections, FinishedGame, items_of, points_of
from table_controller.wording import role_name


class Value(enum.StrEnum):
    """Where the value of an item comes from."""

    FIXED = "fixed"
    """The same in every club."""
    DEFAULT = "default"
    CLUB = "club"
    """Other than the default."""


VALUES: Final = {
    Value.FIXED: N_("fixed"),
    Value.DEFAULT: N_("default"),
    Value.CLUB: N_("this club's"),
}


class Entry(NamedTuple):
    """An item as it is shown."""

    item: Item
    reason: str
    value: Value


class Account(NamedTuple):
    """A seat's points."""

    seat: int
    player: str
    """Id of the league; "": a guest."""
    name: str
    role: Role
    left: tuple[str, Cause] | None
    """When (``D3``, ``N2``) and why; None: it lived to the end."""
    entries: tuple[Entry, ...]
    classic: int
    """Hundredths, as they count."""
    max: int
    by_hand: str | None
    """Why the club has set the points otherwise; None: they are the entries' sum."""
    eased: bool
    """A correction has taken away what sanctions cost."""


def accounts(game: FinishedGame, corrections: Corrections, words: Words) -> tuple[Account, ...]:
    """Return the ten seats, most points first; in a void game by seat, without points."""
    items, counted = items_of(game, corrections), points_of(game, corrections)
    sums, left, hits = totals(items), _left(game), _hits(game)
    origin = {line.key: _origin(line.setting.fixed, line.value == line.default)
              for line in lines(game.ruleset)}  # fmt: skip
    by_hand = {each.seat: each.why for each in corrections.by_hand}
    found = []
    for seat in game.seats:
        earned = items.get(seat.seat, ())
        classic, most = counted.get(seat.seat, (0, 0))
        assert seat.seat in by_hand or (classic, most) == sums.get(seat.seat, (0, 0))
        found.append(
            Account(
                seat=seat.seat,
                player=seat.player,
                name=seat.name,
                role=seat.role,
                left=left.get(seat.seat),
                entries=tuple(
                    Entry(
                        item,
                        reason(item, game, hits.get(seat.seat, 0), words),
                        origin[f"{POINTS}.{key(item, seat.role.team, hits.get(seat.seat, 0))}"],
                    )
                    for item in earned
                ),
                classic=classic,
                max=most,
                by_hand=by_hand.get(seat.seat),
                eased=seat.seat in corrections.removed,
            )
        )
    return tuple(sorted(found, key=lambda each: (-each.max, -each.classic, each.seat)))


def _origin(fixed: bool, is_default: bool) -> Value:
    if fixed:
        return Value.FIXED
    return Value.DEFAULT if is_default else Value.CLUB


def _left(game: FinishedGame) -> dict[int, tuple[str, Cause]]:
    """Return when and why each seat left that did."""
    found, when = dict[int, tuple[str, Cause]](), "N0"
    for event in game.events():
        if isinstance(event, SeatLeft):
            # Who is shot leaves at dawn, of the night that is over.
            night = event.cause is Cause.SHOT
            found[event.seat] = (f"N{int(when[1:]) - 1}" if night else when, event.cause)
        elif isinstance(event, MorningCame):
            when = f"D{event.day}"
    return found


def _hits(game: FinishedGame) -> dict[int, int]:
    """Return how many mafia each best move named."""
    mafia = {seat.seat for seat in game.seats if seat.role.team is Team.MAFIA}
    return {
        event.seat: len(mafia.intersection(event.suspects))
        for event in game.events()
        if isinstance(event, BestMoveGiven)
    }


def key(item: Item, team: Team, hits: int) -> str:
    """Return the name under which the ruleset has the amounts of *item*, earned by *team*."""
    match item.row:
        case Row.WIN:
            return f"win_{team}"
        case Row.BEST_MOVE_A | Row.BEST_MOVE_B:
            return f"{item.row}{hits}"
        case Row.SHERIFF_FINDS | Row.DON_FINDS:
            return f"{item.row}_n{item.when[1:]}"
        case Row.SHERIFF_SHOT:
            return "sheriff_shot_n1"
    return f"{item.row}_decisive" if item.decisive else str(item.row)


_REASONS: Final = {
    Row.LOSS: N_("loss"),
    Row.DRAW: N_("draw"),
    Row.MISS: N_("a miss, not at the target of most"),
    Row.TECHNICAL_FOUL: N_("technical foul"),
    Row.DISQUALIFICATION: N_("disqualification"),
    Row.OPPONENT_VICTORY: N_("culprit of an Opponent Victory"),
    Row.SHERIFF_FINDS: N_("found seat {seat}: mafia"),
    Row.DON_FINDS: N_("found seat {seat}: the sheriff"),
    Row.SHERIFF_SHOT: N_("the sheriff, seat {seat}, was shot"),
}


def reason(item: Item, game: FinishedGame, hits: int, words: Words) -> str:
    """Return what *item* is for."""
    t = words.gettext
    match item.row:
        case Row.WIN:
            return t("win of the town") if game.winner is Winner.TOWN else t("win of the mafia")
        case Row.BEST_MOVE_A:
            return words.ngettext(
                "best move of the first shot, {hits} mafia",
                "best move of the first shot, {hits} mafia",
                hits,
            ).format(hits=hits)
        case Row.BEST_MOVE_B:
            return words.ngettext(
                "best move, {hits} mafia", "best move, {hits} mafia", hits
            ).format(hits=hits)
    if item.row in _REASONS:
        return t(_REASONS[item.row]).format(seat=item.target)
    assert item.target is not None
    role = game.seats[item.target - 1].role
    return t("vote against seat {seat}, {role}").format(
        seat=item.target, role=role_name(role, words)
    )

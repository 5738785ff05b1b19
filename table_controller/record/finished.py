"""A finished game as it is kept when its journal is gone, and what counts of it. Pure.

The course of the game is kept as it was told, so that a later program's rules change no
old game. What the club decided afterwards (:class:`Corrections`) stands beside it.

Source: DESIGN 8; RULES 2.6 and 4.
"""

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from table_controller.game import SEATS, Action, Event, Role, Ruleset, Winner
from table_controller.game.events import GameEnded, GameVoided, RolesDealt
from table_controller.game.points import Amounts
from table_controller.game.scoring import Items, Row, score, totals
from table_controller.record.entries import Acted, Started, Undone
from table_controller.record.entries import Row as JournalRow

FORMAT: Final = 1
"""Version of the form in which a game is kept."""


class Deed(msgspec.Struct, frozen=True):
    """An action that was not undone, and what came of it."""

    utc: str
    action: Action
    events: tuple[Event, ...]


class TakenBack(msgspec.Struct, frozen=True):
    """Deeds that the host has undone: they count for nothing, and stay in the record."""

    after: int
    """How many of the game's deeds come before them."""
    utc: str
    """When the host went back."""
    deeds: tuple[Deed, ...]


class Seat(msgspec.Struct, frozen=True):
    """Who sat where, as what."""

    seat: int
    player: str
    """Id of the league; "": a guest, who is in no rating."""
    name: str
    role: Role


class FinishedGame(msgspec.Struct, frozen=True):
    """A game that is over."""

    game: str
    table: str
    day: datetime.date
    """On which it began, local at the table: its season goes by it."""
    began_utc: str
    ended_utc: str
    winner: Winner | None
    """None: it was ended without a result, so it is in no rating."""
    ruleset: Ruleset
    seed: str
    """Of the deal, in hex."""
    version: str
    """Of the program that was played with."""
    seats: tuple[Seat, ...]
    """Seat 1 first; empty: it was ended before the deal."""
    deeds: tuple[Deed, ...]
    undone: tuple[TakenBack, ...] = ()
    """In the order in which the host went back. Source: RULES 1.16."""

    @property
    def void(self) -> bool:
        """Tell whether it has no result."""
        return self.winner is None

    def actions(self) -> Iterator[Action]:
        """Yield what was done, for :func:`~table_controller.game.replay`."""
        return (deed.action for deed in self.deeds)

    def events(self) -> Iterator[Event]:
        """Yield what happened."""
        return (event for deed in self.deeds for event in deed.events)


class ByHand(msgspec.Struct, frozen=True):
    """The points of a seat as the club has set them, in hundredths."""

    seat: int
    classic: int
    max: int
    why: str


class Corrections(msgspec.Struct, frozen=True):
    """What counts of a finished game otherwise than it was played."""

    removed: tuple[int, ...] = ()
    """Seats whose technical foul and disqualification cost no points: an appeal was upheld."""
    by_hand: tuple[ByHand, ...] = ()
    """By seat."""
    struck: bool = False
    """It is in no rating."""


NONE: Final = Corrections()


def finished_game(rows: Iterable[JournalRow], table: str) -> FinishedGame:
    """Return the game whose whole journal is *rows*.

    :raises ValueError: if it is not over.
    """
    start: Started | None = None
    began, deeds, undone = "", list[Deed](), list[TakenBack]()
    for row in rows:
        match row.entry:
            case Started():
                start, began = row.entry, row.utc
            case Acted(action=action):
                deeds.append(Deed(row.utc, action, row.events))
            case Undone(keep=keep):
                # What was gone back over before lies no further on than that.
                undone = [replace(each, after=min(each.after, keep)) for each in undone]
                undone.append(TakenBack(keep, row.utc, tuple(deeds[keep:])))
                del deeds[keep:]
    roles: tuple[Role, ...] = ()
    ended, winner = "", None
    for deed in deeds:
        for event in deed.events:
            match event:
                case RolesDealt():
                    roles = event.roles
                case GameEnded():
                    ended, winner = deed.utc, event.winner
                case GameVoided():
                    ended = deed.utc
    if start is None or not ended:
        raise ValueError("expected the journal of a game that is over")
    ids = start.ids or ("",) * len(SEATS)
    return FinishedGame(
        game=start.game,
        table=table,
        day=datetime.datetime.fromisoformat(began).astimezone().date(),
        began_utc=began,
        ended_utc=ended,
        winner=winner,
        ruleset=start.ruleset,
        seed=start.seed,
        version=start.version,
        # Without roles it was ended before the deal: nobody had a seat in it yet.
        seats=tuple(map(Seat, SEATS, ids, start.names, roles)),
        deeds=tuple(deeds),
        undone=tuple(undone),
    )


# ---- what counts ----


def items_of(game: FinishedGame, corrections: Corrections = NONE) -> Items:
    """Return what each seat has earned; empty for a void game.

    An upheld appeal takes the sanction's items out. Points set by hand are not among
    them: :func:`points_of` has those.
    """
    freed = frozenset(corrections.removed)
    return {
        seat: tuple(each for each in earned if seat not in freed or each.row not in _SANCTIONS)
        for seat, earned in score(game.ruleset, game.events()).items()
    }


def points_of(game: FinishedGame, corrections: Corrections = NONE) -> Mapping[int, Amounts]:
    """Return (Classic, Max) of each seat, in hundredths, as they count; empty for a void game."""
    points = dict(totals(items_of(game, corrections)))
    if points:
        points |= {each.seat: (each.classic, each.max) for each in corrections.by_hand}
    return points


_SANCTIONS: Final = (Row.TECHNICAL_FOUL, Row.DISQUALIFICATION)


# ---- the form in which it is kept ----


class _Kept(msgspec.Struct, frozen=True):
    format: int
    game: FinishedGame


class _Form(msgspec.Struct, frozen=True):
    format: int


UPGRADERS: Final[dict[int, Callable[[Any], Any]]] = {}
"""By format: what makes a game of it, as plain JSON values, one of the next format."""


def encode(game: FinishedGame) -> str:
    """Return *game* as it is kept."""
    return msgspec.json.encode(_Kept(FORMAT, game)).decode()


def decode(kept: str) -> FinishedGame:
    """Return the game that *kept* is.

    :raises ValueError: if it is none, or a newer program wrote it.
    """
    form = msgspec.json.decode(kept, type=_Form).format
    if not 1 <= form <= FORMAT:
        raise ValueError(f"a game of format {form}; this program reads 1 to {FORMAT}")
    if form == FORMAT:
        return msgspec.json.decode(kept, type=_Kept).game
    game = msgspec.json.decode(kept)["game"]
    for each in range(form, FORMAT):
        game = UPGRADERS[each](game)
    return msgspec.convert(game, type=FinishedGame)

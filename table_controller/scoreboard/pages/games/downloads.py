"""A finished game as files: the record with its points, a table of them, the journal."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from firmware.words import Words
from table_controller.game.scoring import Item
from table_controller.record.finished import Corrections, FinishedGame, Seat, encode, points_of
from table_controller.scoreboard.pages.games.ledger import Account, accounts
from table_controller.scoreboard.pages.spreadsheet import csv_file

COLUMNS: Final = (
    "seat", "player", "name", "role", "when", "row", "reason", "target",
    "decisive", "automatic", "value", "max_hundredths", "classic_hundredths",
)  # fmt: skip


def as_json(game: FinishedGame, corrections: Corrections, words: Words) -> bytes:
    """Return the record as the league keeps it, with each seat's items as they count."""
    seats = tuple(replace(seat, player=_id(seat)) for seat in game.seats)
    kept: dict[str, Any] = msgspec.json.decode(encode(replace(game, seats=seats)))
    counted = points_of(game, corrections)
    kept["points"] = [
        {
            "seat": one.seat,
            "items": [
                msgspec.to_builtins(entry.item) | {"value": entry.value} for entry in one.entries
            ],
            "max": one.max,
            "classic": one.classic,
        }
        for one in sorted(accounts(game, corrections, words), key=lambda one: one.seat)
        if one.seat in counted
    ]
    kept["rated"] = not (game.void or corrections.struck)
    return msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n"


def as_csv(game: FinishedGame, corrections: Corrections, words: Words) -> bytes:
    """Return every item of every seat as a line of CSV.

    Where the club has set a sum by hand, a line more makes up the difference.
    """
    found = sorted(accounts(game, corrections, words), key=lambda one: one.seat)
    ids = {seat.seat: _id(seat) for seat in game.seats}
    return csv_file(COLUMNS, (line for one in found for line in _lines(one, ids[one.seat])))


def _lines(one: Account, player: str) -> Iterator[tuple[str | int, ...]]:
    who = (one.seat, player, one.name, one.role)
    for entry in one.entries:
        yield (*who, *_fields(entry.item, entry.reason, entry.value))
    if one.by_hand is not None:
        rest = (
            one.max - sum(entry.item.max for entry in one.entries),
            one.classic - sum(entry.item.classic for entry in one.entries),
        )
        yield (*who, "", "correction", "", "", 0, 0, "club", *rest)


def _id(seat: Seat) -> str:
    """Return the id of who had *seat*; none of who wants no name any more.

    An older file has that id beside the name.
    """
    return seat.player if seat.name else ""


def _fields(item: Item, reason: str, value: str) -> tuple[str | int, ...]:
    return (
        item.when,
        item.row,
        reason,
        "" if item.target is None else item.target,
        int(item.decisive),
        int(item.automatic),
        value,
        item.max,
        item.classic,
    )


def as_journal(lines: Iterable[bytes], game: FinishedGame) -> bytes:
    """Return the journal with the players' names as the league has them now.

    *lines* are those that ``mafia-table journal export`` writes; ``verify-deal`` reads
    both. Who wants no name any more has none here either, and no id.
    """
    first, _, rest = b"".join(lines).partition(b"\n")
    started = msgspec.json.decode(first)
    names = [seat.name or f"Seat {seat.seat}" for seat in game.seats]
    if not names:
        # It ended before the deal: nobody had a seat, and whom the list held is nobody's matter.
        names = [f"Seat {number}" for number in range(1, len(started["entry"]["names"]) + 1)]
    started["entry"]["names"] = names
    started["entry"]["ids"] = [_id(seat) for seat in game.seats]
    return msgspec.json.encode(started) + b"\n" + rest

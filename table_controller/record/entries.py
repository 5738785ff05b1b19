"""What a journal holds: its entries, the form they are stored in, the forms before it."""

import hashlib
import re
from collections.abc import Callable
from typing import Final

import msgspec

from firmware.wire import NODES
from table_controller.game import SEATS, Action, Event, Ruleset

FORMAT: Final = 2
"""Version of the files' form. 1 had no seals."""

GAME_NAME: Final = re.compile(r"[0-9A-Za-z-]{1,64}")
"""Names of games; they are names of files too."""

_SEED_HEX: Final = re.compile(r"[0-9a-f]{64}")
_SEAL_BYTES: Final = 16


class Started(msgspec.Struct, frozen=True, tag_field="entry", tag="started"):
    """First entry of every journal."""

    format: int
    version: str
    game: str
    ruleset: Ruleset
    names: tuple[str, ...]
    """Players by seat, seat 1 first."""
    seed: str
    """The deal's seed in hex. Secret until the game is over."""
    nodes: tuple[str, ...]
    """User name of each seat's node, seat 1 first."""
    fixed: bool = False
    """The players sat as the club had listed them; else the seats were drawn."""
    ids: tuple[str, ...] = ()
    """Of the league, by seat; "" is a guest. Empty in older journals."""


class Acted(msgspec.Struct, frozen=True, tag_field="entry", tag="acted"):
    """An action that the rules accepted."""

    action: Action


class Swapped(msgspec.Struct, frozen=True, tag_field="entry", tag="swapped"):
    """Another node plays for *seat*."""

    seat: int
    node: str


class Undone(msgspec.Struct, frozen=True, tag_field="entry", tag="undone"):
    """The host went back: of the actions so far that were not undone, the first *keep* stand."""

    keep: int


Entry = Started | Acted | Swapped | Undone

_decode_entry: Final = msgspec.json.Decoder(Entry)
_decode_events: Final = msgspec.json.Decoder(tuple[Event, ...])
_encode: Final = msgspec.json.Encoder().encode


class Row(msgspec.Struct, frozen=True):
    """One entry with what the file says of it."""

    number: int
    utc: str
    entry: Entry
    events: tuple[Event, ...]
    msgid: str | None
    """``boot:counter`` of the node's message that caused it."""


class RawRow(msgspec.Struct, frozen=True):
    """One entry as it stands in the file."""

    number: int
    utc: str
    body: bytes
    events: bytes
    msgid: str | None

    def seal(self, before: bytes) -> bytes:
        """Return the seal of this row, *before* being that of the row before it.

        SQLite has no checksums: a bit that an SD card turns in a row is found by this alone.
        """
        fields = (self.number, self.utc, self.body, self.events, self.msgid)
        return hashlib.sha256(before + msgspec.msgpack.encode(fields)).digest()[:_SEAL_BYTES]


def encode_row(
    number: int, utc: str, entry: Entry, events: tuple[Event, ...], msgid: str | None
) -> RawRow:
    """Return an entry as it is stored."""
    return RawRow(number, utc, _encode(entry), _encode(events), msgid)


def decode_row(raw: RawRow) -> Row:
    """Return what *raw*, of the present format, says.

    :raises ValueError: if it is no entry of a journal.
    """
    entry = _decode_entry.decode(raw.body)
    match entry:
        case Started():
            _check_start(entry)
        case Swapped(seat=seat, node=node):
            if seat not in SEATS or node not in NODES:
                raise ValueError(f"seat {seat} and {node!r}: expected a seat and a node of the kit")
    return Row(raw.number, raw.utc, entry, _decode_events.decode(raw.events), raw.msgid)


def _check_start(start: Started) -> None:
    if start.format != FORMAT:
        raise ValueError(f"format {start.format} in a file of format {FORMAT}")
    if not GAME_NAME.fullmatch(start.game):
        raise ValueError(f"{start.game!r}: expected the name of a game")
    if len(start.names) != len(SEATS) or not _SEED_HEX.fullmatch(start.seed):
        raise ValueError("expected ten names and a seed of 32 bytes")
    if len(start.nodes) != len(SEATS) or len(set(start.nodes) & set(NODES)) != len(SEATS):
        raise ValueError("expected ten nodes of the kit")


# ---- the forms before ----


def _from_1(raw: RawRow) -> RawRow:
    """Format 2 seals the rows; in them only the start's own number of the format differs."""
    if raw.number != 1:
        return raw
    start = msgspec.json.decode(raw.body, type=Started)
    return msgspec.structs.replace(raw, body=_encode(msgspec.structs.replace(start, format=2)))


UPGRADERS: Final[dict[int, Callable[[RawRow], RawRow]]] = {1: _from_1}
"""By format: what makes a row of it one of the next format; ValueError: it is none."""


def upgrade(raw: RawRow, form: int) -> RawRow:
    """Return *raw*, a row of format *form*, in the present format.

    :raises ValueError: if it is none of that format.
    """
    for each in range(form, FORMAT):
        raw = UPGRADERS[each](raw)
    return raw

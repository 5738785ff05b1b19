"""Who may be barred for what, and appeal against it: read from finished games. Source: RULES 2.6.

A game that is not over, or that the host can still take up again, tells nothing.
"""

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from firmware.errors import JournalError
from table_controller.game.events import Disqualified, Event, TechnicalFoulGiven
from table_controller.game.terms import Offence
from table_controller.record.entries import Acted, Row, Undone
from table_controller.record.examine import examine, finished, game_of
from table_controller.record.journals import current_game

GAMES: Final = 10
"""So many of the last games are looked at."""


class Offender(msgspec.Struct, frozen=True):
    """A seat of a finished game whose player may be barred."""

    game: str
    utc: str
    """When that was decided."""
    seat: int
    name: str
    offence: Offence
    disqualified: bool
    """False: it showed the forbidden gesture and has a technical foul for it."""
    by_host: bool
    """Ruled by the host; False: by a motion."""
    player: str = ""
    """Id of the league; "": a guest, or of an older journal."""


def offenders(folder: Path) -> tuple[Offender, ...]:
    """Return the offenders of the last games in *folder*, a folder of journals; newest first."""
    if not folder.is_dir():
        return ()
    current = current_game(folder)
    paths = sorted((path for path in folder.glob("*.db") if game_of(path)), reverse=True)
    found: list[Offender] = []
    for path in paths[:GAMES]:
        try:
            if path.stem == current:
                found += _of(path, current=True)
            else:
                # Nothing is written any more to a game that is not the current one.
                found += _of_past(path, path.stat().st_mtime_ns)
        except (JournalError, FileNotFoundError):
            continue
    return tuple(found)


@functools.lru_cache(maxsize=2 * GAMES)
def _of_past(path: Path, _: int) -> tuple[Offender, ...]:
    return _of(path, current=False)


def _of(path: Path, *, current: bool) -> tuple[Offender, ...]:
    found = examine(path)
    if not finished(found, current=current) or found.start is None:
        return ()
    start = found.start
    ids = start.ids or ("",) * len(start.names)
    by_seat: dict[int, Offender] = {}
    for row, event in _standing(found.rows):
        match event:
            case Disqualified(seat=seat, offence=offence, by_host=by_host):
                by_seat[seat] = Offender(
                    start.game, row.utc, seat, start.names[seat - 1], offence, True, by_host,
                    ids[seat - 1],
                )  # fmt: skip
            case TechnicalFoulGiven(
                seat=seat, offence=Offence.FORBIDDEN_GESTURE as offence, by_host=by_host
            ):
                by_seat[seat] = Offender(
                    start.game, row.utc, seat, start.names[seat - 1], offence, False, by_host,
                    ids[seat - 1],
                )  # fmt: skip
    return tuple(by_seat[seat] for seat in sorted(by_seat))


def _standing(rows: list[Row]) -> Iterator[tuple[Row, Event]]:
    """Yield the events that no undo took back."""
    acted: list[Row] = []
    for row in rows:
        match row.entry:
            case Acted():
                acted.append(row)
            case Undone(keep=keep):
                del acted[keep:]
    for row in acted:
        for event in row.events:
            yield row, event

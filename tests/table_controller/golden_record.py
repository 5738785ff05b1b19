"""The journal that a table would have of a golden game, for tests of what is made of it."""

import datetime
import functools
import json
from pathlib import Path
from typing import Any

from firmware.wire import NODES
from table_controller.game import Action, Event, Ruleset, apply, new_game
from table_controller.record.entries import (
    FORMAT,
    Acted,
    Row,
    Started,
    decode_row,
    encode_row,
)
from table_controller.record.journal import Journal
from tests.table_controller.game.conftest import dealt
from tests.table_controller.game.golden.form import read
from tests.table_controller.game.golden.player import Player

GAMES = Path(__file__).parents[1] / "golden" / "games"
NAMES = ("Anna", "Boris", "Clara", "David", "Elena", "Fedor", "Greta", "Hugo", "Ivan", "Julia")
BEGAN = datetime.datetime(2026, 11, 30, 18, 0, tzinfo=datetime.UTC)


def golden(name: str = "game-1") -> Any:
    """Return what the golden game says, as JSON values."""
    return json.loads((GAMES / f"{name}.json").read_text("utf-8"))


def golden_rows(
    name: str = "game-1",
    *,
    game: str = "20261130-180000-1",
    ids: tuple[str, ...] = (),
    names: tuple[str, ...] = NAMES,
    began: datetime.datetime = BEGAN,
) -> list[Row]:
    """Return the rows of the journal of a golden game; an entry each second."""
    ruleset, deeds = _played(name)
    started = Started(FORMAT, "0", game, ruleset, names, "ab" * 32, NODES[:10], ids=ids)
    raw = [encode_row(1, began.isoformat(timespec="milliseconds"), started, (), None)]
    for number, (action, events) in enumerate(deeds, start=2):
        utc = began + datetime.timedelta(seconds=number - 1)
        raw.append(
            encode_row(number, utc.isoformat(timespec="milliseconds"), Acted(action), events, None)
        )
    return [decode_row(each) for each in raw]


@functools.cache
def _played(name: str) -> tuple[Ruleset, tuple[tuple[Action, tuple[Event, ...]], ...]]:
    """Return the rules of a golden game, its actions, and what came of each."""
    told = read((GAMES / f"{name}.json").read_bytes())
    play = dealt(told.rules(), tuple(told.roles[seat] for seat in range(1, 11)))
    Player(play, told).run()
    state, deeds = new_game(told.rules()), []
    for action in play.actions:
        state, events = apply(state, action)
        deeds.append((action, events))
    return told.rules(), tuple(deeds)


def write_journal(folder: Path, rows: list[Row]) -> Path:
    """Write *rows* as the journal that the table's own folder would hold; return where."""
    started = rows[0].entry
    assert isinstance(started, Started)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"{started.game}.db"
    journal = Journal(path, new=True)
    journal.copy(encode_row(row.number, row.utc, row.entry, row.events, row.msgid) for row in rows)
    journal.close()
    return path

"""The journal that a table would have of a golden game, for tests of what is made of it."""

import datetime
import json
from pathlib import Path
from typing import Any

from firmware.wire import NODES
from table_controller.game import new_game
from table_controller.game.rules import apply
from table_controller.record.entries import FORMAT, Acted, Row, Started, encode_row
from table_controller.record.entries import decode_row as decoded
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
    told = read((GAMES / f"{name}.json").read_bytes())
    play = dealt(told.rules(), tuple(told.roles[seat] for seat in range(1, 11)))
    Player(play, told).run()
    started = Started(FORMAT, "0", game, told.rules(), names, "ab" * 32, NODES[:10], ids=ids)
    raw = [encode_row(1, began.isoformat(timespec="milliseconds"), started, (), None)]
    state = new_game(told.rules())
    for number, action in enumerate(play.actions, start=2):
        state, events = apply(state, action)
        utc = began + datetime.timedelta(seconds=number - 1)
        raw.append(
            encode_row(number, utc.isoformat(timespec="milliseconds"), Acted(action), events, None)
        )
    return [decoded(each) for each in raw]


def write_journal(folder: Path, rows: list[Row]) -> Path:
    """Write *rows* as the journal that the table's own folder would hold; return where."""
    started = rows[0].entry
    assert isinstance(started, Started)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"{started.game}.db"
    journal = Journal(path, new=True)
    for row in rows:
        utc = datetime.datetime.fromisoformat(row.utc)
        journal.append(row.entry, row.events, utc, row.msgid)
    journal.close()
    return path

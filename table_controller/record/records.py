"""What of the table's records a host may have: finished games, and that there are backups.

Of a game that is not over nothing leaves the table, and no number tells how much of it
is written: it grows with what is pressed by night. A game that the host has ended
without a result can be taken up again until the next one begins, so it is not over.

For the threads of the web server.
"""

import datetime
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from firmware.errors import JournalError
from firmware.words import N_
from table_controller.game import Phase, Winner
from table_controller.host.refusal import Refused
from table_controller.record.backups import Backups, Reason
from table_controller.record.examine import Examined, examine, finished, game_of
from table_controller.record.journals import current_game

GAMES_MAX: Final = 10
"""Games on one page: each is read and played again to see that it is over."""

BACKUPS_MAX: Final = 30
"""The newest ones; the table keeps some more."""

BYTES_MAX: Final = 16 * 1024 * 1024
"""Of a journal that is looked into; a long game has some 300 kB."""

ROWS: Final = 100
"""Entries that are sent at a time."""


class Game(NamedTuple):
    """A game whose record is kept."""

    name: str
    utc: str = ""
    """When it began; empty: it is not over, or cannot be read."""
    winner: Winner | None = None
    entries: int = 0
    damaged: bool = False

    @property
    def over(self) -> bool:
        """Tell whether its record may leave the table."""
        return bool(self.utc)


class Backup(NamedTuple):
    """A copy of a game's record."""

    game: str
    reason: Reason
    utc: datetime.datetime
    size: int | None
    """Bytes; None: not told, its game is not over."""


class NoGame(Refused):
    """There is no such game."""


class Records:
    """The records in *folder*; *over* tells whether the game that was played last is."""

    def __init__(self, folder: Path, over: Callable[[], bool]) -> None:
        self._folder = folder
        self._over = over
        self._known: dict[tuple[str, int, int], Game] = {}
        """Finished games change no more: by name, size and time of the file."""

    def games(self, before: str = "") -> list[Game]:
        """Return some games, the newest first, of those that are older than *before*."""
        names = sorted(filter(None, map(game_of, self._folder.glob("*.db"))), reverse=True)
        older = [name for name in names if not before or name < before]
        return [self._game(name) for name in older[:GAMES_MAX]]

    def lines(self, name: str) -> Iterator[bytes]:
        """Return the record of the game *name*, a JSON object a line, in pieces.

        :raises Refused: if it is not over, or cannot be read.
        :raises NoGame: if there is none.
        """
        if name not in map(game_of, self._folder.glob("*.db")):
            raise NoGame(N_("There is no such game."))
        rows = self._finished(name).rows
        return (
            b"".join(msgspec.json.encode(row) + b"\n" for row in rows[at : at + ROWS])
            for at in range(0, len(rows), ROWS)
        )

    def backups(self) -> list[Backup]:
        """Return the newest backups, the newest first."""
        found = []
        for path in reversed(Backups(self._folder / "backups").all()[-BACKUPS_MAX:]):
            _, game, reason, _ = path.name.split(".")
            try:
                told = path.stat()
            except FileNotFoundError:
                continue
            made = datetime.datetime.fromtimestamp(told.st_mtime, datetime.UTC)
            size = told.st_size if self._game(game).over else None
            found.append(Backup(game, Reason(reason), made, size))
        return found

    def _game(self, name: str) -> Game:
        try:
            told = (self._folder / f"{name}.db").stat()
        except FileNotFoundError:
            return Game(name)
        key = (name, told.st_size, told.st_mtime_ns)
        if key not in self._known:
            try:
                found = self._finished(name)
            except Refused:
                return Game(name)
            assert found.state is not None
            first = found.rows[0].utc
            won, damaged = found.state.decided, bool(found.fault)
            self._known[key] = Game(name, first, won, len(found.rows), damaged)
        return self._known[key]

    def _finished(self, name: str) -> Examined:
        """Return the game *name*, which is over.

        :raises Refused: if it is not, or cannot be read.
        """
        path, current = self._folder / f"{name}.db", name == current_game(self._folder)
        if current and not self._over():
            # Not even read: how long that takes would tell how much there is.
            raise Refused(N_("This game is being played: nothing of it leaves the table."))
        try:
            if path.stat().st_size > BYTES_MAX:
                raise Refused(N_("This record is too long to be sent; copy it by command."))
            found = examine(path)
        except (OSError, JournalError) as error:
            raise Refused(N_("This record cannot be read.")) from error
        if finished(found, current=current):
            return found
        if found.state is not None and found.state.phase is Phase.OVER:
            raise Refused(
                N_(
                    "This game was ended without a result, which can be taken back until the "
                    "next game begins."
                )
            )
        raise Refused(N_("This game did not come to its end: nothing of it leaves the table."))

"""Takes finished games from the journals into the league, on a thread of its own.

The table's loop only names a game: when the next one begins, and at a start when the last
one has a result. What has no chance to be kept then, because the league's disk or server
refuses, is tried again, and at the next start: the journals are what waits to be sent.
"""

import logging
import queue
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from firmware.errors import JournalError, LeagueError
from firmware.words import N_
from table_controller.league.games import Games
from table_controller.league.names import Refused
from table_controller.record.examine import examine, finished, game_of
from table_controller.record.finished import finished_game
from table_controller.record.journals import current_game

RETRY_S: Final = 30.0
"""How long it waits after the league has refused."""

PAUSE_S: Final = 1.0
"""Between two games of many: the table has the processor first."""

log = logging.getLogger(__name__)


class Unkept(msgspec.Struct, frozen=True):
    """How it stands with finished games, for the host; told when it changes."""

    fault: str
    """Why they cannot be kept now; "": they are."""


class Keeper:
    """Keeps the finished games of the journals in *folder*. Thread-safe.

    *tell* is called on the keeper's thread.
    """

    def __init__(
        self, games: Games, folder: Path, table: str, tell: Callable[[Unkept], None]
    ) -> None:
        self._games = games
        self._folder = folder
        self._table = table
        self._tell = tell
        self._named: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        # Left over from an earlier run. The current game is the loop's to name: it may go on.
        names = sorted(filter(None, map(game_of, folder.glob("*.db"))))
        self._waiting = dict.fromkeys(name for name in names if name != current_game(folder))
        self._fault = ""
        self._thread = threading.Thread(target=self._run, name="keeper")

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def close(self) -> None:
        """End; what still waits is kept after the next start."""
        self._named.put(None)
        self._thread.join()

    def take(self, game: str) -> None:
        """Have *game* kept soon; never waits, for the table's loop."""
        self._named.put(game)

    def waits(self, game: str) -> bool:
        """Tell whether *game* may be one that is still to be kept: its journal must stay.

        One that was just named is the newest, of which none goes.
        """
        return game in self._waiting

    def keep(self, game: str) -> None:
        """Keep *game* now; nothing happens if it is kept already.

        :raises Refused: if it is not over, or the host can take it up again.
        :raises JournalError: if its journal cannot be read.
        :raises LeagueError: if the league refuses.
        """
        if self._games.kept([game]):
            return
        path = self._folder / f"{game}.db"
        if not game_of(path) or not path.exists():
            raise Refused("game", N_("There is no such game."))
        found = examine(path)
        if not finished(found, current=game == current_game(self._folder)):
            raise Refused("game", N_("This game is not over, or can be taken up again."))
        self._games.keep(finished_game(found.rows, self._table))
        log.info("game %s is kept in the league", game)

    # ---- its thread ----

    def _run(self) -> None:
        while self._listen():
            self.work()

    def _listen(self) -> bool:
        """Wait until there is something to do; False: the end."""
        wait_s = (RETRY_S if self._fault else PAUSE_S) if self._waiting else None
        try:
            game = self._named.get(timeout=wait_s)
        except queue.Empty:
            return True
        if game is None:
            return False
        self._waiting[game] = None
        return True

    def work(self) -> None:
        """Keep one of the games that wait; on its own thread, or in a test."""
        while not self._named.empty():
            if game := self._named.get():
                self._waiting[game] = None
            else:
                self._named.put(None)
                break
        try:
            for game in self._games.kept(self._waiting):
                del self._waiting[game]
            # The newest first: that is the one somebody looks for.
            if self._waiting:
                self._try(next(reversed(self._waiting)))
        except (JournalError, LeagueError) as error:
            self._stand(str(error))
        except Exception as error:
            # Ours, then: it must end neither this thread without a word nor the game that runs.
            log.exception("a finished game cannot be kept")
            self._stand(repr(error))
        else:
            self._stand("")

    def _try(self, game: str) -> None:
        try:
            self.keep(game)
        except Refused:
            log.info("game %s has no end to be kept", game)
        except ValueError as error:
            log.warning("game %s cannot be kept: %s", game, error)
        except Exception:
            # Behind all others: one that cannot be read keeps none of them waiting.
            self._waiting = {game: None, **self._waiting}
            raise
        del self._waiting[game]

    def _stand(self, fault: str) -> None:
        if fault != self._fault:
            self._fault = fault
            self._tell(Unkept(fault))

"""Pages that cost the processor something are made one after the other.

All threads of the program share one interpreter: with forty such pages at once the table's
loop would get a fortieth of it, and a press its answer a second later. In turns it is never
behind more than one.
"""

import threading
from collections.abc import Callable
from typing import Final

from flask import Flask, Response, g, request

from table_controller.scoreboard.answers import plain
from table_controller.scoreboard.hub import STREAMS_MAX, Hub

WAIT_S: Final = 5.0
"""A page that has no turn by then is refused."""

RETRY_S: Final = 2
"""When a page that was refused may be asked for again."""

SPARE: Final = 3
"""Threads of those beyond the streams that may wait here; the rest answer everything else."""

_COSTLY: Final = ("/games", "/ratings", "/players")
"""Begins of addresses whose pages are made from the league's games."""


class Turns:
    """Gives one turn at a time; *room* tells how many may wait for theirs now. Thread-safe."""

    def __init__(self, room: Callable[[], int], wait_s: float = WAIT_S) -> None:
        self._room = room
        self._wait_s = wait_s
        self._turn = threading.Semaphore()
        self._lock = threading.Lock()
        self._waiting = 0

    def take(self) -> bool:
        """Wait for a turn; False: too many wait already, or it took too long."""
        with self._lock:
            if self._waiting >= self._room():
                return False
            self._waiting += 1
        try:
            return self._turn.acquire(timeout=self._wait_s)
        finally:
            with self._lock:
                self._waiting -= 1

    def give(self) -> None:
        """Let the next one have its turn."""
        self._turn.release()


def add_turns(app: Flask, hub: Hub, wait_s: float = WAIT_S) -> None:
    """Let *app* make costly pages in turns; whoever waits takes the threads of free streams."""
    turns = Turns(lambda: STREAMS_MAX - hub.streams + SPARE, wait_s)

    @app.before_request
    def wait() -> Response | None:
        if not request.path.startswith(_COSTLY):
            return None
        if not turns.take():
            return plain(503, headers=[("Retry-After", str(RETRY_S))])
        g.has_turn = True
        return None

    @app.teardown_request
    def give(_: BaseException | None) -> None:
        if g.pop("has_turn", False):
            turns.give()

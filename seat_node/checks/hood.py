"""The hooded screen during the self-test, and what comes meanwhile."""

import queue

from firmware.board import Level
from firmware.clock import Clock
from firmware.rehearsal import Look, SeatRequest, Watch
from firmware.rehearsal_socket import RehearsalServer
from seat_node.display import Screen
from seat_node.face import Face, describe
from seat_node.inbox import Asked
from seat_node.screens import photograph

PAGE_S = 2.0
"""How long a page of results stays, unless a button is pressed."""


class Hood:
    """Shows faces on *screen* and to who watches at *server*; waits for levels of buttons.

    *inbox* gets the levels, and what is asked at the rehearsal socket.
    """

    def __init__(
        self,
        screen: Screen,
        inbox: "queue.SimpleQueue[Level | Asked]",
        clock: Clock,
        server: RehearsalServer[SeatRequest] | None = None,
    ) -> None:
        self._screen = screen
        self._inbox = inbox
        self._clock = clock
        self._server = server
        self._face = Face()

    def show(self, face: Face) -> None:
        """Show *face*; does not wait."""
        if face == self._face:
            return
        self._face = face
        self._screen.show(face)
        if self._server is not None:
            self._server.publish(describe(face))

    def wait(self, until_s: float) -> Level | None:
        """Return the next level that comes by *until_s*, None when it is that late."""
        while True:
            try:
                item = self._inbox.get(timeout=max(0.0, until_s - self._clock.now_s()))
            except queue.Empty:
                return None
            if isinstance(item, Level):
                return item
            self._answer(item)

    def _answer(self, asked: Asked) -> None:
        if isinstance(asked.request, Look | Watch):
            asked.tell(describe(self._face))
        else:
            asked.tell(photograph(self._face))

"""The network thread of one connection, and who may use its client when.

Whoever publishes writes to the socket itself: to wake another thread for it takes
longer than the way to the broker. The thread reads, and writes what did not fit.
"""

import contextlib
import logging
import select
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from typing import Any, Final, Protocol

IDLE_S: Final = 1.0
"""The thread looks after the client's own pings this often."""

ACKNOWLEDGE_S: Final = 0.002
"""After a message the thread lets go for so long: whoever waits for it comes first."""

STUCK_S: Final = 0.5
"""A thread that holds its client for so long is stuck: it is not waited for."""

log = logging.getLogger(__name__)


class Client(Protocol):
    """What it needs of a client: the parts of paho's for a loop of one's own.

    Those that work return 0 while the connection lives.
    """

    def socket(self) -> Any:
        """Return the connected socket; None: there is none."""
        ...

    def want_write(self) -> bool:
        """Tell whether something waits to be written."""
        ...

    def loop_read(self) -> int:
        """Read what has come."""
        ...

    def loop_write(self) -> int:
        """Write what waits."""
        ...

    def loop_misc(self) -> int:
        """Do what time brings."""
        ...

    def ack(self, mid: int, qos: int) -> int:
        """Acknowledge a message."""
        ...


class Network:
    """Runs *client* from :meth:`start` to the end of its connection.

    *failed* is called when the thread ends by an error, *ended* whenever it ends.
    """

    def __init__(
        self, client: Client, failed: Callable[[], None], ended: Callable[[], None]
    ) -> None:
        self._client = client
        self._received: list[tuple[int, int]] = []
        self._failed = failed
        self._ended = ended
        self._hand = threading.RLock()
        """Whoever has it may use the client: one thread at a time reads or writes."""
        self._stuck = False
        self._nudge, self._nudged = socket.socketpair()
        """A byte in the one ends the thread's wait for the other."""
        self._thread = threading.Thread(target=self._run, name="network", daemon=True)

    def received(self, mid: int, qos: int) -> None:
        """Have the message *mid* acknowledged, a little later; called on the thread."""
        if qos:
            self._received.append((mid, qos))

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Let go of what the thread uses or would have used.

        A thread that ended by an error leaves its connection open.
        """
        connection = self._client.socket()
        if connection is not None:
            connection.close()
        self._nudge.close()
        self._nudged.close()
        self._ended()

    @contextlib.contextmanager
    def hand(self) -> Iterator[bool]:
        """Give the client to the caller; False: the thread is stuck and has it.

        That is known at once from then on. What the caller left unsent is sent by the thread.
        """
        free = self._hand.acquire(timeout=0 if self._stuck else STUCK_S)
        self._stuck = not free
        try:
            yield free
        finally:
            if free:
                self._hand.release()
            if self._client.want_write() or self._client.socket() is None:
                # A thread that has ended needs no nudge.
                with contextlib.suppress(OSError):
                    self._nudge.send(b"n", socket.MSG_DONTWAIT)

    def _run(self) -> None:
        try:
            while self._turn():
                pass
        except Exception:
            log.exception("the network thread fails; a new one is made")
            self._failed()
        finally:
            self.close()

    def _turn(self) -> bool:
        """Read what has come, write what did not fit; False: the connection is over."""
        connection = self._client.socket()
        if connection is None:
            return False
        writing = [connection] if self._client.want_write() else []
        pending = isinstance(connection, ssl.SSLSocket) and connection.pending()
        patience_s = ACKNOWLEDGE_S if self._received else IDLE_S
        try:
            readable, writable, _ = select.select(
                [connection, self._nudged], writing, [], 0.0 if pending else patience_s
            )
        except (OSError, ValueError):
            # Closed meanwhile by the thread that sent the farewell.
            return False
        if self._nudged in readable:
            self._nudged.recv(64)
        with self._hand:
            code = self._acknowledge()
            if not code and (pending or connection in readable):
                code = self._client.loop_read()
            if writable and not code:
                code = self._client.loop_write()
            return not (code or self._client.loop_misc())

    def _acknowledge(self) -> int:
        code = 0
        for mid, qos in self._received:
            code = code or self._client.ack(mid, qos)
        self._received.clear()
        return code

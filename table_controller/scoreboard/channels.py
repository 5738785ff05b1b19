"""Connections to the web server: how many, how slow, how often.

Whoever floods holds up nobody else: a device has so many connections and
requests and no more, a request must have come whole after a while, and when
all places are taken, the connection that has asked for nothing for longest
goes. The table controller itself is not limited; nginx, which speaks for
others from there, limits them itself.

Source: waitress 3.0, channel.py and server.py, whose classes these extend.
"""

from typing import Any, Final

from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, WSGITask

from firmware.clock import Clock
from table_controller.scoreboard.answers import HEADERS
from table_controller.scoreboard.callers import BadCaller, device, is_own

CONNECTIONS_MAX: Final = 200

CONNECTIONS_PER_ADDRESS: Final = 24
"""Of one device; a browser opens six at a time."""

REQUEST_S: Final = 10.0
"""A request must have come whole so long after its first byte."""

IDLE_S: Final = 30
"""A connection without a request is closed after this. A stream is a request.

Browsers open connections before they need them: one that is closed too soon costs
them a file of the page.
"""

SWEEP_S: Final = 1.0
"""How often slow ones are looked for."""

RATE_HZ, BURST = 20.0, 60.0
"""Requests of one device in the long run, and at once: a page needs twelve."""


SEND: Final = "mafia.send"
"""Key of a request's environment: sends a part of the answer's body from any thread, and
returns False without waiting while something before it has not gone."""


class _Task(WSGITask):  # type: ignore[misc]  # waitress has no type hints
    """A request whose answer may be sent from outside of its thread too, see :data:`SEND`."""

    def get_environment(self) -> dict[str, Any]:
        """Return what the application gets."""
        environ: dict[str, Any] = super().get_environment()
        environ[SEND] = self._send
        return environ

    def _send(self, part: bytes) -> bool:
        if not self.wrote_header or self.channel.total_outbufs_len:
            return False
        try:
            self.write(part)
        except ClientDisconnected:
            return False
        return True


class _PlainError(ErrorTask):  # type: ignore[misc]
    """What cannot be read as a request is answered in one line, like every other mistake."""

    def execute(self) -> None:
        """Send the answer and close."""
        error = self.request.error
        self.status = f"{error.code} {error.reason}"
        body = f"{self.status}\n".encode()
        self.response_headers.extend(
            [("Content-Type", "text/plain; charset=utf-8"), *HEADERS.items()]
        )
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class Channel(HTTPChannel):  # type: ignore[misc]
    """One connection."""

    task_class = _Task
    error_task_class = _PlainError

    def __init__(self, server: "LimitedServer", sock: Any, addr: Any, adj: Any, map: Any) -> None:
        self.address = _address(addr)
        self.waits_since_s = server.clock.now_s()
        """When it came, or began to ask for what it is asking."""
        self.asked = False
        super().__init__(server, sock, addr, adj, map=map)

    @property
    def busy(self) -> bool:
        """Tell whether a request of it is being answered."""
        return bool(self.requests)

    @property
    def incomplete(self) -> bool:
        """Tell whether it has begun a request, or never began one."""
        return not self.busy and (self.request is not None or not self.asked)

    def readable(self) -> bool:
        """Tell whether to read on: whoever asks too often is read later."""
        return bool(super().readable()) and self.server.may_ask(self.address)

    def parser_class(self, adj: Any) -> HTTPRequestParser:
        """Return what reads the next request, which begins now."""
        self.asked = True
        self.waits_since_s = self.server.clock.now_s()
        self.server.has_asked(self.address)
        return HTTPRequestParser(adj)


class LimitedServer(TcpWSGIServer):  # type: ignore[misc]
    """A server whose connections are :class:`Channel`. All of it runs in the server's thread."""

    channel_class = Channel

    def __init__(self, *arguments: Any, clock: Clock, **options: Any) -> None:
        self.clock = clock
        self._sweep_s = clock.now_s() + SWEEP_S
        self._spent: dict[str, tuple[float, float]] = {}
        """By device: how many requests it has spent of its burst, and when that was so."""
        super().__init__(*arguments, **options)

    def readable(self) -> bool:
        """Sweep when it is time; tell whether to accept."""
        if self.clock.now_s() >= self._sweep_s:
            self._sweep()
        return bool(super().readable())

    def set_socket_options(self, conn: Any) -> None:
        """Make room for *conn*, which has just been accepted."""
        super().set_socket_options(conn)
        try:
            address = _address(conn.getpeername())
        except OSError:
            return  # It has gone again; so will its channel.
        if not is_own(address):
            same = [each for each in self._channels() if each.address == address]
            if len(same) >= CONNECTIONS_PER_ADDRESS:
                self._drop_one(same)
        everybody = self._channels()
        if len(everybody) >= CONNECTIONS_MAX:
            self._drop_one(everybody)

    def may_ask(self, address: str) -> bool:
        """Tell whether *address* has not spent its burst."""
        return is_own(address) or self._spent_now(address) < BURST

    def has_asked(self, address: str) -> None:
        """Count a request of *address*."""
        if not is_own(address):
            self._spent[address] = self._spent_now(address) + 1.0, self.clock.now_s()

    def _spent_now(self, address: str) -> float:
        spent, at_s = self._spent.get(address, (0.0, 0.0))
        return max(0.0, spent - (self.clock.now_s() - at_s) * RATE_HZ)

    def _channels(self) -> list[Channel]:
        return [each for each in self.active_channels.values() if not each.will_close]

    def _drop_one(self, channels: list[Channel]) -> None:
        """Close the one that has waited longest without being answered, if there is one."""
        waiting = [each for each in channels if not each.busy]
        if waiting:
            min(waiting, key=lambda each: each.waits_since_s).will_close = True

    def _sweep(self) -> None:
        now_s = self.clock.now_s()
        self._sweep_s = now_s + SWEEP_S
        for channel in self._channels():
            limit_s = IDLE_S if channel.request is None else REQUEST_S
            if channel.incomplete and now_s - channel.waits_since_s >= limit_s:
                channel.will_close = True
        self._spent = {
            address: spent for address, spent in self._spent.items() if self._spent_now(address) > 0
        }


def _address(addr: Any) -> str:
    try:
        return device(str(addr[0]))
    except BadCaller:
        return ""

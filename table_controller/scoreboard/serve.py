"""Serve the scoreboard from inside the table program, by waitress.

A stream holds its thread for as long as it lasts, so there are more threads
than streams, and limits that keep a phone with a dead battery from holding one.
"""

import contextlib
import errno
import socket
import threading
from typing import Final

from flask import Flask
from waitress.adjustments import Adjustments

from firmware.clock import Clock, SystemClock
from firmware.errors import BoardError
from table_controller.scoreboard.channels import CONNECTIONS_MAX, IDLE_S, LimitedServer
from table_controller.scoreboard.hub import STREAMS_MAX, Hub

THREADS: Final = STREAMS_MAX + 8
"""Streams hold a thread each; eight answer everything else."""

CONNECTIONS_SPARE: Final = 40
"""Beyond the limit, for connections that close in a moment."""

HEADER_MAX: Final = 16 * 1024
"""Bytes of a request's head; browsers send one or two thousand."""

BODY_MAX: Final = 64 * 1024
"""Bytes of a request's body that are read at all; an application allows fewer."""

UNSENT_MAX: Final = 64 * 1024
"""Bytes that waitress, and again the kernel, hold for one slow viewer.

Then its stream's thread waits and the hub drops it. Their own defaults of 16
and some 2.5 MiB would hide a viewer that reads nothing for an hour.
"""

STALL_S: Final = 15.0
"""A viewer that takes no byte for so long is cut off by the kernel.

Waitress never times out a connection with a running request, so nothing else
would free the thread. Source: tcp(7), TCP_USER_TIMEOUT (also for a peer that
lives and keeps its window shut).
"""

STOP_S: Final = 5.0
"""The longest that :meth:`Server.stop` waits for running requests."""


class Server:
    """A running web server. Use :func:`serve` to make one.

    :ivar port: the port it listens on, also when 0 was asked for.
    """

    def __init__(self, app: Flask, listener: socket.socket, clock: Clock) -> None:
        self.port: int = listener.getsockname()[1]
        self._hub: Hub = app.extensions["hub"]
        settings = Adjustments(
            sockets=[listener],
            threads=THREADS,
            connection_limit=CONNECTIONS_MAX + CONNECTIONS_SPARE,
            channel_timeout=IDLE_S,
            cleanup_interval=IDLE_S // 3,
            max_request_header_size=HEADER_MAX,
            max_request_body_size=BODY_MAX,
            clear_untrusted_proxy_headers=False,  # callers.py judges them
            outbuf_high_watermark=UNSENT_MAX,
            channel_request_lookahead=1,  # else a viewer's leaving is seen a beat later
            asyncore_use_poll=True,  # select() ends at file descriptor 1023
            ident="",
        )
        self._waitress = LimitedServer(
            app,
            {},
            _sock=listener,
            adj=settings,
            sockinfo=(listener.family, listener.type, listener.proto, listener.getsockname()),
            bind_socket=False,
            clock=clock,
        )
        self._thread = threading.Thread(target=self._waitress.run, name="scoreboard", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End all streams and connections and give the port back. Twice is once."""
        if not self._thread.is_alive():
            return
        self._hub.close()
        self._waitress.trigger.pull_trigger(self._cut_off)
        self._waitress.task_dispatcher.shutdown(timeout=STOP_S)
        with contextlib.suppress(OSError):
            # A loop that an earlier stop did not wait for may end right now.
            self._waitress.trigger.pull_trigger(self._waitress.close)
        self._thread.join(STOP_S)

    def _cut_off(self) -> None:
        """Free every waiting thread; runs in waitress' own loop."""
        self._waitress.accepting = False
        for channel in list(self._waitress.active_channels.values()):
            channel.handle_close()


def serve(
    app: Flask, bind: str, port: int, *, stall_s: float = STALL_S, clock: Clock | None = None
) -> Server:
    """Start serving *app* on *bind*:*port* in threads of its own; port 0: any free one.

    *clock* times slow requests; None: the system's.

    :raises BoardError: if the port is taken, not allowed, or *bind* is no
        address of this machine.
    """
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Accepted connections inherit both.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT_MAX)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(stall_s * 1000))
        listener.bind((bind, port))
    except OSError as error:
        listener.close()
        raise BoardError(_why(bind, port, error)) from error
    return Server(app, listener, clock or SystemClock())


def _why(bind: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use by another program: stop it, or choose another with --port"
    if error.errno == errno.EACCES:
        return f"port {port} is not allowed to this user: choose one above 1023 with --port"
    return f"cannot listen on {bind} port {port}: {error.strerror or error}"

"""A mosquitto of our own: a child process on loopback ports.

The rehearsal and the tests run on it; on a card the broker is Debian's service.
"""

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self

from firmware.certificates import Authority, Tls
from firmware.clock import Clock, SystemClock
from firmware.errors import LinkError
from firmware.image.broker_conf import LOOPBACK, write_broker
from firmware.link import LinkSettings
from firmware.service import die_with_parent
from firmware.wire import TABLE

ACCEPT_S: Final = 10.0
"""Patience with mosquitto until it accepts connections."""

STOP_S: Final = 5.0
"""Patience with mosquitto after SIGTERM, before SIGKILL."""

TRIES: Final = 5
"""Free ports to try: between finding one and using it somebody else may take it."""


def find_mosquitto() -> str | None:
    """Return the path of mosquitto; Debian keeps it where users do not look."""
    return shutil.which("mosquitto", path=os.environ.get("PATH", os.defpath) + ":/usr/sbin")


def free_port() -> int:
    """Return a loopback port that nobody listened on just now."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


class Mosquitto:
    """A private broker of table *table* with files in *folder*. A context manager.

    As on a card the table comes in at *port*, nodes by TLS at *tls_port*. *passwords* is
    user -> password, *tls* its certificates; None: of an authority that nobody keeps.
    It ends with the thread that enters it.

    :raises LinkError: on entering, if mosquitto is missing or does not start.
    """

    def __init__(
        self,
        folder: Path,
        table: str,
        passwords: Mapping[str, str],
        *,
        tls: Tls | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.port = 0
        self.tls_port = 0
        self._folder = folder
        self._table = table
        self._passwords = dict(passwords)
        self._tls = tls
        self._clock = clock or SystemClock()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        tls = self._tls = self._tls or Authority.make().equip(self._folder, LOOPBACK)
        for _ in range(TRIES):
            self.port, self.tls_port = free_port(), free_port()
            write_broker(
                self._folder,
                self._table,
                self._passwords,
                tls,
                port=self.port,
                tls_port=self.tls_port,
            )
            if self._launch():
                return self
        raise LinkError(f"mosquitto did not start; it says: {self._last_words()}")

    def __exit__(self, *exc: object) -> None:
        self.stop()

    def settings(self, user: str) -> LinkSettings:
        """Return how *user* reaches it, as its card would say."""
        password = self._passwords[user]
        if user == TABLE:
            return LinkSettings(LOOPBACK, self.port, user, password)
        ca = self._tls.ca if self._tls else None
        return LinkSettings(LOOPBACK, self.tls_port, user, password, ca)

    @property
    def pid(self) -> int:
        """Return the pid of the running broker.

        :raises LinkError: if it does not run.
        """
        if self._process is None or self._process.poll() is not None:
            raise LinkError(f"mosquitto does not run; it says: {self._last_words()}")
        return self._process.pid

    def start(self) -> None:
        """Start it again on the same ports after :meth:`stop` or :meth:`kill`.

        :raises LinkError: if it does not start.
        """
        if not self._launch():
            raise LinkError(f"mosquitto did not start again; it says: {self._last_words()}")

    def stop(self) -> None:
        """End it; its clients see the connection close."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it without a chance to say anything."""
        self._end(signal.SIGKILL)

    def freeze(self) -> None:
        """Let it stand still: connections stay, nothing passes."""
        os.kill(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on after :meth:`freeze`."""
        os.kill(self.pid, signal.SIGCONT)

    def _launch(self) -> bool:
        program = find_mosquitto()
        if program is None:
            raise LinkError("mosquitto is not installed: sudo apt install mosquitto")
        with (self._folder / "mosquitto.out").open("wb") as out:
            self._process = subprocess.Popen(
                [program, "-c", str(self._folder / "mosquitto.conf")],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,  # Ctrl-C reaches us first; we end it in order
                preexec_fn=die_with_parent(),
            )
        if self._accepts():
            return True
        self.kill()
        return False

    def _accepts(self) -> bool:
        """Wait until the last port to be opened is; False if our child ended or takes too long."""
        assert self._process is not None
        end_s = self._clock.now_s() + ACCEPT_S
        while self._clock.now_s() < end_s:
            try:
                self._process.wait(0.02)
            except subprocess.TimeoutExpired:
                with socket.socket() as probe:
                    if probe.connect_ex((LOOPBACK, self.port)) == 0:
                        return True
            else:
                return False
        return False

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(how)
        process.send_signal(signal.SIGCONT)
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _last_words(self) -> str:
        """Return its last complaint, of the configuration or in its log, else its last line."""
        said = []
        for name in ("mosquitto.log", "mosquitto.out"):
            file = self._folder / name
            said.append(file.read_text(errors="replace").splitlines() if file.exists() else [])
        log, out = said
        complaints = [line for line in log + out if "Error: " in line]
        return (complaints or log or out or ["nothing"])[-1]

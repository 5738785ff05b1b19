"""Fixtures of all tests: a clock, a broker in memory, a real one, an inbox, a cable."""

import contextlib
import queue
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.fakes import FakeBroker, FakeClock
from firmware.mosquitto import Mosquitto, find_mosquitto
from firmware.wire import NODES, TABLE, Topics

DEADLINE_S = 15.0
"""Patience with what must happen; only a failing test waits that long."""

CHROMIUM = shutil.which("chromium")
BROWSER_ARGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite the golden files that tests compare with; look at them before a commit",
    )


class Inbox:
    """What a link told, in order; ``until`` waits for something in it."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self._queue: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def put(self, item: Any) -> None:
        self._queue.put(item)

    def until(self, wanted: Callable[[Any], bool], deadline_s: float = DEADLINE_S) -> Any:
        """Return the next item that is *wanted*; those before it go to ``items`` too."""
        while True:
            try:
                item = self._queue.get(timeout=deadline_s)
            except queue.Empty:
                raise AssertionError(f"did not come; before it came {self.items[-5:]}") from None
            self.items.append(item)
            if wanted(item):
                return item

    def an(self, type_: type) -> Any:
        """Return the next item of *type_*."""
        return self.until(lambda item: isinstance(item, type_))

    def on(self, topic: str) -> Any:
        """Return the next message on *topic*."""
        return self.until(lambda item: getattr(item, "topic", None) == topic)

    def until_quiet(self, for_s: float) -> None:
        """Return once nothing came for *for_s* seconds."""
        with contextlib.suppress(queue.Empty):
            while True:
                self.items.append(self._queue.get(timeout=for_s))

    @property
    def topics(self) -> list[str]:
        """The topics of all messages that were waited for or came before one."""
        return [item.topic for item in self.items if hasattr(item, "topic")]


class Cable:
    """A wire to a loopback port that can be cut and mended, and held up for a while."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._whole = True
        self._flows = threading.Event()
        self._flows.set()
        self._ends: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        with self._lock:
            self._whole = False
            ends, self._ends = self._ends, set()
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._flows.set()

    def hold(self) -> None:
        """Keep what comes in, both ways, until released; a cut loses it."""
        self._flows.clear()

    def release(self) -> None:
        self._flows.set()

    def mend(self) -> None:
        with self._lock:
            self._whole = True

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                near.close()
                continue
            with self._lock:
                whole = self._whole
                if whole:
                    self._ends |= {near, far}
            if not whole:
                near.close()
                far.close()
                continue
            for source, sink in ((near, far), (far, near)):
                sink.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=self._pump, args=(source, sink), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while chunk := source.recv(65536):
                self._flows.wait()
                sink.sendall(chunk)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
            with self._lock:
                self._ends.discard(end)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def topics() -> Topics:
    return Topics("test")


@pytest.fixture
def broker(clock: FakeClock) -> FakeBroker:
    """A broker in memory on which everybody may do everything."""
    return FakeBroker(clock)


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    """A real mosquitto of table ``test`` with the card's rights, on free loopback ports."""
    if find_mosquitto() is None:
        pytest.skip("mosquitto is not installed: sudo apt install mosquitto")
    folder = tmp_path / "mosquitto"
    folder.mkdir()
    passwords = {user: f"password of {user}" for user in (TABLE, *NODES)}
    with Mosquitto(folder, "test", passwords) as running:
        yield running


@pytest.fixture
def new_inbox() -> type[Inbox]:
    return Inbox


@pytest.fixture
def new_cable() -> Iterator[Callable[[int], Cable]]:
    """Makes wires to a port; all are closed after the test."""
    cables: list[Cable] = []

    def new(target: int) -> Cable:
        cables.append(Cable(target))
        return cables[-1]

    yield new
    for cable in cables:
        cable.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """One browser for all tests of this worker: two drivers in one process refuse to start."""
    if CHROMIUM is None:
        pytest.skip("chromium is not installed: sudo apt install chromium")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=BROWSER_ARGS)
        yield browser
        browser.close()

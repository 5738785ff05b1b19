"""Fixtures of all tests: a clock, a broker in memory, a real one, an inbox, a cable."""

import contextlib
import logging
import os
import queue
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from firmware.broker import Broker
from firmware.card import PartsCard, SeatCard, link_card, save
from firmware.clock import SystemClock
from firmware.fakes import FakeBroker, FakeClock
from firmware.link import Linked
from firmware.mosquitto import Mosquitto, find_mosquitto
from firmware.rehearsal import Push, Release, SeatReply
from firmware.rehearsal_socket import RehearsalClient
from firmware.wire import (
    CUE_SIZE,
    NODES,
    TABLE,
    Button,
    Cue,
    Health,
    How,
    Press,
    Said,
    TopicKind,
    Topics,
    decode,
    encode,
)

DEADLINE_S = 15.0
"""Patience with what must happen; only a failing test waits that long."""

CLOCK = SystemClock()
CHROMIUM = shutil.which("chromium")
BROWSER_ARGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
]
FAULTS = """axe.run().then(found => found.violations
  .filter(({impact}) => ["serious", "critical"].includes(impact))
  .flatMap(({impact, id, nodes}) => nodes.map(node =>
    `${impact}: ${id}: ${node.target.join(" ")}: ${node.failureSummary}`)))"""


# The same cases in each run: a change is stopped by what it did, never by a new draw.
hypothesis.settings.register_profile("same", derandomize=True)
hypothesis.settings.load_profile("same")


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


class SeatProgram:
    """The real ``mafia-seat run`` of node-03, its player, and the table's end of its link."""

    USER = "node-03"

    def __init__(self, broker: Mosquitto, topics: Topics, folder: Path, *words: str, **more: str):
        self._topics = topics
        self._inbox = Inbox()
        self._cue = self._heard = 0
        link = link_card(broker.settings(self.USER))
        parts = PartsCard(eyes=not words)
        card = folder / "kit.toml"
        save(card, SeatCard(table="test", user=self.USER, link=link, parts=parts))
        self._table = Broker(
            broker.settings(TABLE), topics, CLOCK, self._inbox.put,
            subscriptions=[f"{topics.root}/up/#"],
        )  # fmt: skip
        command = (sys.executable, "-m", "seat_node", "run", "--card", str(card))
        self._command = (*command, "--rehearsal", str(folder / "r"), *words)
        self._environment = os.environ | more
        self.player = RehearsalClient(folder / "r", SeatReply)

    def __enter__(self) -> "SeatProgram":
        self._table.__enter__()
        self._inbox.an(Linked)
        self._process = subprocess.Popen(self._command, env=self._environment)
        while not (status := self._next(TopicKind.STATUS)).online:
            pass
        self._boot = status.boot
        self.player.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self.player.__exit__(*exc)
        self._process.terminate()
        self._process.wait(DEADLINE_S)
        self._table.__exit__(*exc)

    def cue(self, **fields: Any) -> None:
        """Send the next cue; what came so far is heard."""
        self._cue += 1
        cue = Cue(**{"boot": self._boot, "id": self._cue, "heard": self._heard} | fields)
        self._table.publish(self._topics.of(TopicKind.CUE, self.USER), encode(cue, CUE_SIZE))

    def says(self, wanted: Callable[[Any], bool], deadline_s: float = DEADLINE_S) -> Said:
        """Return the next message that says what is *wanted*; a repeat is none."""
        end_s = CLOCK.now_s() + deadline_s
        while True:
            # What nobody hears comes again each second: that is no sign of life.
            said = self._next(TopicKind.SAID, end_s - CLOCK.now_s())
            new = not said.n or said.n > self._heard
            self._heard = max(self._heard, said.n)
            if new and wanted(said.what):
                return said

    def votes(self) -> None:
        """Press VOTE, which a cue has to have asked for by its edge; the seat says so at once."""
        self.player.send(Push(Button.VOTE))
        self.says(lambda what: what == Press(Button.VOTE, How.EDGE))
        self.player.send(Release(Button.VOTE))

    def health(self, wanted: Callable[[Health], bool], deadline_s: float = DEADLINE_S) -> Health:
        """Return the next health that is *wanted*."""
        end_s = CLOCK.now_s() + deadline_s
        while not wanted(health := self._next(TopicKind.HEALTH, end_s - CLOCK.now_s())):
            pass
        return health

    def _next(self, kind: TopicKind, deadline_s: float = DEADLINE_S) -> Any:
        topic = self._topics.of(kind, self.USER)
        end_s = CLOCK.now_s() + deadline_s
        while True:
            item = self._inbox.until(lambda item: True, max(0.0, end_s - CLOCK.now_s()))
            if getattr(item, "topic", "") == topic:
                return decode(kind, item.payload)


@pytest.fixture(autouse=True)
def _logs_as_before() -> Iterator[None]:
    """What a command that ran in here has set does not silence the tests after it."""
    root = logging.getLogger()
    level = root.level
    yield
    root.setLevel(level)


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
def start_seat(
    mosquitto: Mosquitto, topics: Topics, tmp_path: Path
) -> Iterator[Callable[..., SeatProgram]]:
    """Starts the real seat with more words and environment; it ends after the test.

    Without words its eyes are a service of their own.
    """
    with contextlib.ExitStack() as seats:
        yield lambda *words, **more: seats.enter_context(
            SeatProgram(mosquitto, topics, tmp_path, *words, **more)
        )


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


@pytest.fixture(scope="session")
def faults_of() -> Callable[[Any], list[str]]:
    """Asks axe-core what bars a person from a page: ``assert faults_of(page) == []``.

    Each fault is its weight, serious or critical, its rule, and where it is. The page keeps
    its Content-Security-Policy: the debugger that brings axe in is not bound by it. Not on
    a page whose clock is installed: axe waits for timers.
    """
    axe = pytest.importorskip("axe_playwright_python.base").AXE_SCRIPT

    def ask(page: Any) -> list[str]:
        debugger = page.context.new_cdp_session(page)
        evaluate = {"awaitPromise": True, "returnByValue": True}
        debugger.send("Runtime.evaluate", {"expression": f"{axe};0"} | evaluate)
        told = debugger.send("Runtime.evaluate", {"expression": FAULTS} | evaluate)
        debugger.detach()
        assert "exceptionDetails" not in told, told
        faults: list[str] = told["result"]["value"]
        return faults

    return ask

"""How fast a press is answered on its seat's screen: ``make bench``.

In turns, one press of a real seat at a real table (programs of their own, a real
mosquitto, the journal on a disk) and one raw round trip: a message of the same
size with QoS 1 to an echo that commits it as a row with a unique id, and back. What a busy
machine does to one it does to the other; both begin after the same rest, as a
press does. The other nine seats of the table get their cues too but stand still:
at a table each has a machine of its own.

A press is confirmed when the seat's loop finds that its debouncing is over; the
finger feels that much more. The screen has no I2C bus here, which takes 23 ms a
picture on a card.
"""

import contextlib
import functools
import importlib.metadata
import itertools
import multiprocessing
import queue
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click
import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from firmware.board import SeatBoard, mock_pins
from firmware.broker import Broker
from firmware.clock import SystemClock
from firmware.link import LinkSettings
from firmware.mosquitto import Mosquitto
from firmware.signals import Reply
from firmware.wire import CUE_SIZE, Button, Said, TopicKind, Topics, decode
from seat_node.display import Screen, open_device
from seat_node.face import Face
from seat_node.inbox import Item, Stop
from seat_node.program import loop
from seat_node.screens import render
from seat_node.seat import HEALTH_S, Identity, Seat
from table_controller.game import SEATS
from table_controller.rehearsal.house import House, Settings

SEAT: Final = SEATS[-1]
KIT: Final = importlib.metadata.version("mafia-table-kit")
"""Another one is not let play."""

USER: Final = f"node-{SEAT:02d}"
LISTENING: Final = ("day", "muted")
"""Scenes of a seat while another one speaks."""

SAID_SIZE: Final = 160
"""Bytes of what a seat says of a press."""

BATCH: Final = 100
"""Presses in a row, in less time than a seat may be silent."""

TAP_S: Final = 0.08
PATIENCE_S: Final = 10.0
MUST, GOAL = 1.3, 1.1
"""The most of ours over the raw one, by median. Source: DESIGN 10."""


def rest(for_s: float) -> None:
    """Let this thread sleep."""
    threading.Event().wait(for_s)


# ---- the raw one ----


def client_of(settings: LinkSettings) -> mqtt.Client:
    """Return a bare client, not connected yet."""
    client = mqtt.Client(CallbackAPIVersion.VERSION2, settings.user, protocol=mqtt.MQTTv5)
    client.username_pw_set(settings.user, settings.password)
    if settings.ca is not None:
        client.tls_set(str(settings.ca))
    client.on_socket_open = lambda _c, _u, sock: sock.setsockopt(6, 1, 1)  # TCP_NODELAY
    return client


def _echo(settings: LinkSettings, path: Path, listen: str, answer: str, ready: Any) -> None:
    """Commit a row for each message on *listen* and send one to *answer*, until killed."""
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    db.execute("pragma journal_mode=wal")
    db.execute("pragma synchronous=full")
    db.execute("create table row (number integer primary key, msgid text unique, body blob)")
    numbers = itertools.count()

    def commit(client: mqtt.Client, _userdata: object, message: mqtt.MQTTMessage) -> None:
        row = (f"beefbeef:{next(numbers)}", message.payload)
        db.execute("insert into row (msgid, body) values (?, ?)", row)
        client.publish(answer, b"x" * CUE_SIZE, qos=1)

    client = client_of(settings)
    client.on_message = commit
    client.on_connect = lambda client, *_: client.subscribe(listen, 1)
    client.on_subscribe = lambda *_: ready.set()
    client.connect(settings.host, settings.port)
    client.loop_forever()


class Raw:
    """A client whose messages an echo commits and sends back."""

    def __init__(self, settings: LinkSettings, topics: Topics) -> None:
        self._said = topics.of(TopicKind.SAID, USER)
        self._came: queue.SimpleQueue[float] = queue.SimpleQueue()
        ready = threading.Event()
        self._client = client_of(settings)
        self._client.on_message = lambda *_: self._came.put(time.monotonic())
        self._client.on_connect = lambda client, *_: client.subscribe(
            topics.of(TopicKind.CUE, USER), 1
        )
        self._client.on_subscribe = lambda *_: ready.set()
        self._client.connect(settings.host, settings.port)
        self._client.loop_start()
        assert ready.wait(PATIENCE_S)

    def round_trip_s(self) -> float:
        """Send a message after a rest; return how long it and its answer took."""
        rest(TAP_S)
        began_s = time.monotonic()
        self._client.publish(self._said, b"x" * SAID_SIZE, qos=1)
        return self._came.get(timeout=PATIENCE_S) - began_s

    def close(self) -> None:
        """Leave."""
        self._client.disconnect()
        self._client.loop_stop()


@contextlib.contextmanager
def raw_pair(folder: Path) -> Iterator[Raw]:
    """A broker, an echo in a process of its own, and the client."""
    topics = Topics("raw")
    spawn = multiprocessing.get_context("spawn")
    with Mosquitto(folder, "raw", {"table": "a", USER: "b"}) as broker:
        ready = spawn.Event()
        said, cue = topics.of(TopicKind.SAID, USER), topics.of(TopicKind.CUE, USER)
        arguments = (broker.settings("table"), folder / "raw.db", said, cue, ready)
        echo = spawn.Process(target=_echo, args=arguments, daemon=True)
        echo.start()
        try:
            assert ready.wait(PATIENCE_S)
            raw = Raw(broker.settings(USER), topics)
            yield raw
            raw.close()
        finally:
            echo.kill()


# ---- ours ----


class TimedLink(Broker):
    """A link that remembers what was published last of all that a seat says, and when."""

    said = b""
    published_s = 0.0

    def publish(self, topic: str, payload: bytes, qos: int = 1, retain: bool = False) -> bool:
        """Publish, and look at the clock."""
        taken = super().publish(topic, payload, qos, retain)
        if topic.endswith(TopicKind.SAID):
            self.said, self.published_s = payload, time.monotonic()
        return taken

    @property
    def confirmed_s(self) -> float:
        """When the seat found that what it said last was to be said."""
        said = decode(TopicKind.SAID, self.said)
        assert isinstance(said, Said)
        return said.sent_s


class OurSeat:
    """A seat program in threads of this process; what it shows is looked at."""

    def __init__(self, settings: LinkSettings, topics: Topics) -> None:
        self.shown: queue.SimpleQueue[tuple[float, Any]] = queue.SimpleQueue()
        self.drawn: queue.SimpleQueue[tuple[float, Any]] = queue.SimpleQueue()
        self.inbox: queue.SimpleQueue[Item] = queue.SimpleQueue()
        self._clock = SystemClock()
        self._board = SeatBoard(mock_pins(), self.inbox.put)
        who = Identity(USER, "beefbeef", topics, KIT, parts=("shout", "lamp", "screen"))
        self.link = TimedLink(
            settings,
            topics,
            self._clock,
            self.inbox.put,
            subscriptions=[who.topic(TopicKind.CUE)],
        )
        self._screen = Screen(self._device, lambda reason: None)
        self._seat = Seat(who, self.link, self._show, now_s=self._clock.now_s())
        self._thread = threading.Thread(
            target=loop, args=(self._seat, self._board, self.link, self.inbox, self._clock)
        )

    def __enter__(self) -> "OurSeat":
        self._screen.__enter__()
        self._thread.start()
        self.link.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self.link.__exit__(*exc)
        self.inbox.put(Stop())
        self._thread.join()
        self._screen.__exit__(*exc)

    def until(self, *scenes: str) -> None:
        """Wait until it shows one of *scenes*."""
        while self.shown.get(timeout=PATIENCE_S)[1].scene not in scenes:
            pass

    def shout(self) -> tuple[float, float, float]:
        """Tap SHOUT; return how long after it was confirmed it was published, answered, seen."""
        self._board.push(Button.SHOUT)
        rest(TAP_S)
        # It says "pressed" by now: what was shown before is no answer to this press.
        for told in (self.shown, self.drawn):
            while not told.empty():
                told.get()
        self._board.release(Button.SHOUT)
        answered: list[tuple[float, bytes]] = []
        drawn_s, picture = 0.0, b""
        while all(picture != wanted for _, wanted in answered):
            # Asleep until something is drawn: the seat's own threads need the interpreter.
            drawn_s, image = self.drawn.get(timeout=PATIENCE_S)
            picture = image.tobytes()
            while not self.shown.empty():
                at_s, face = self.shown.get()
                if face.reply is Reply.ACCEPTED:
                    answered.append((at_s, render(face).tobytes()))
        since_s = self.link.confirmed_s
        return self.link.published_s - since_s, answered[0][0] - since_s, drawn_s - since_s

    def _device(self) -> Any:
        device = open_device("dummy")
        display = device.display

        @functools.wraps(display)
        def timed(image: Any) -> None:
            display(image)
            self.drawn.put((time.monotonic(), image))

        device.display = timed
        return device

    def _show(self, face: Face) -> None:
        self._screen.show(face)
        self._board.show(face.lamp, time.monotonic())
        self.shown.put((time.monotonic(), face))


@contextlib.contextmanager
def standing(house: House) -> Iterator[None]:
    """Let the other seats stand still meanwhile, no longer than the table bears it."""
    others = [child for seat, child in house.seats.items() if seat != SEAT]
    for child in others:
        child.freeze()
    yield
    for child in others:
        child.thaw()
    rest(HEALTH_S)


def begin(house: House) -> None:
    """Play up to the first speech."""
    stage = house.stage
    house.wait_ready()
    for panel in stage.panels.values():
        panel.push(Button.VOTE)
    stage.until(lambda: all(p.scene == "seating" for p in stage.panels.values()), 15, "seating")
    for panel in stage.panels.values():
        panel.release(Button.VOTE)
        panel.tap(Button.VOTE)
    stage.until(lambda: all(p.scene == "card" for p in stage.panels.values()), 15, "the cards")
    while not any(heard.phrase == "speech" for heard in stage.heard):
        stage.step()


def told(what: str, times_s: list[float]) -> None:
    """Print median and 99th percentile."""
    click.echo(
        f"{what:<44}{statistics.median(times_s) * 1000:9.2f} ms"
        f"{statistics.quantiles(times_s, n=100)[98] * 1000:9.2f} ms"
    )


@click.command()
@click.option("--presses", type=click.IntRange(2), default=200, show_default=True)
def main(presses: int) -> None:
    """Measure, print, and exit with 1 when the limit is missed."""
    raws: list[float] = []
    ours: list[tuple[float, float, float]] = []
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        raw = stack.enter_context(raw_pair(folder))
        house = stack.enter_context(House(Settings(step=True, seed=1)))
        begin(house)
        house.seats[SEAT].kill()
        topics = Topics("rehearsal")
        seat = stack.enter_context(OurSeat(house.broker.settings(USER), topics))
        seat.until(*LISTENING)
        while len(ours) < presses:
            with standing(house):
                for _ in range(min(BATCH, presses - len(ours))):
                    raws.append(raw.round_trip_s())
                    ours.append(seat.shout())
                    house.stage.step()
                    seat.until(*LISTENING)
    published, answered, seen = (list(column) for column in zip(*ours, strict=True))
    click.echo(f"{presses} presses and raw round trips in turns{'median':>19}{'p99':>12}")
    told("raw QoS 1 round trip and one commit", raws)
    told("confirmed press -> publish", published)
    told("confirmed press -> answer has come", answered)
    told("confirmed press -> answer on the screen", seen)
    ratio = statistics.median(seen) / statistics.median(raws)
    pairs = sorted(our / their for our, their in zip(seen, raws, strict=True))
    click.echo(
        f"ratio of medians {ratio:.2f} (at most {MUST}, goal {GOAL}), a quarter of the pairs"
        f" below {pairs[presses // 4]:.2f}, a quarter above {pairs[presses * 3 // 4]:.2f}"
    )
    sys.exit(ratio > MUST)


if __name__ == "__main__":
    main()

"""The real program ``mafia-seat`` on a real mosquitto, pressed at its rehearsal socket."""

import base64
import io
import os
import queue
import signal
import socket
import subprocess
import sys

import pytest
from PIL import Image

from firmware.board import Level, SeatBoard, mock_pins
from firmware.broker import Broker
from firmware.card import SeatCard, link_card, save
from firmware.clock import SystemClock
from firmware.link import Linked
from firmware.rehearsal import Photograph, Picture, Push, Release, SeatReply, Shown
from firmware.rehearsal_socket import RehearsalClient
from firmware.wire import (
    CUE_SIZE,
    Answer,
    Button,
    Cue,
    How,
    Lamp,
    Layout,
    Mark,
    Press,
    PressMode,
    TopicKind,
    decode,
    encode,
)
from seat_node.inbox import Stop
from seat_node.program import BATCH, loop

USER = "node-03"
DEADLINE_S = 20.0
SEAT = (sys.executable, "-m", "seat_node")


@pytest.fixture
def card(mosquitto, tmp_path):
    link = link_card(mosquitto.settings(USER))
    save(tmp_path / "kit.toml", SeatCard(table="test", user=USER, link=link))
    return tmp_path / "kit.toml"


@pytest.fixture
def start(card, tmp_path):
    """Starts the program; ends it after the test."""
    running = []

    def go(**environment):
        process = subprocess.Popen(
            (*SEAT, "run", "--card", str(card), "--rehearsal", str(tmp_path / "r")),
            stderr=subprocess.PIPE, text=True, env=os.environ | environment,
        )  # fmt: skip
        running.append(process)
        return process

    yield go
    for process in running:
        process.kill()
        process.communicate()


@pytest.fixture
def table(mosquitto, topics, new_inbox):
    """The table's end: its link and what came."""
    inbox = new_inbox()
    link = Broker(
        mosquitto.settings("table"), topics, SystemClock(), inbox.put,
        subscriptions=[f"{topics.root}/up/#"],
    )  # fmt: skip
    with link:
        inbox.an(Linked)
        link.inbox = inbox
        yield link


def status(table, topics, *, online):
    topic = topics.of(TopicKind.STATUS, USER)
    item = table.inbox.until(
        lambda item: (
            getattr(item, "topic", "") == topic
            and decode(TopicKind.STATUS, item.payload).online is online
        ),
        DEADLINE_S,
    )
    return decode(TopicKind.STATUS, item.payload)


def test_a_press_of_the_pin_reaches_the_table_and_its_answer_the_screen(
    start, table, topics, tmp_path
):
    process = start()
    boot = status(table, topics, online=True).boot
    cue = {"boot": boot, "layout": Layout.BIG, "title": "7", "press": PressMode.EDGE}
    at = topics.of(TopicKind.CUE, USER)
    with RehearsalClient(tmp_path / "r", SeatReply) as player:
        table.publish(at, encode(Cue(id=1, heard=0, lamp=Lamp.ON, **cue), CUE_SIZE))
        player.wait_until(Shown, lambda shown: shown.title == "7" and shown.lamp is Lamp.ON)
        player.send(Push(Button.VOTE))
        said = decode(TopicKind.SAID, table.inbox.on(topics.of(TopicKind.SAID, USER)).payload)
        assert (said.n, said.cue, said.what) == (1, 1, Press(Button.VOTE, How.EDGE))
        assert 0 <= said.sent_s - said.made_s < 1.0
        answer = Answer(1, Mark.ACCEPTED)
        table.publish(at, encode(Cue(id=2, heard=1, answer=answer, **cue), CUE_SIZE))
        player.wait_until(Shown, lambda shown: shown.mark is Mark.ACCEPTED)
        player.send(Release(Button.VOTE))
        picture = player.ask(Photograph(), Picture)
    with Image.open(io.BytesIO(base64.b64decode(picture.png))) as image:
        assert (image.size, image.mode) == ((128, 64), "1")
        assert image.getbbox() is not None
    process.send_signal(signal.SIGTERM)
    assert process.wait(DEADLINE_S) == 0
    assert status(table, topics, online=False).boot == boot
    assert not (tmp_path / "r").exists()


def test_a_killed_seat_is_offline_by_its_will(start, table, topics):
    process = start()
    boot = status(table, topics, online=True).boot
    process.kill()
    assert status(table, topics, online=False).boot == boot


def test_systemd_is_told_that_it_is_ready_lives_and_stops(start, tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.settimeout(DEADLINE_S)
        systemd.bind(str(tmp_path / "n"))
        process = start(NOTIFY_SOCKET=str(tmp_path / "n"), WATCHDOG_USEC="400000")
        assert [systemd.recv(100) for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]
        process.send_signal(signal.SIGINT)
        words = iter(lambda: systemd.recv(100), b"STOPPING=1")
        assert set(words) <= {b"WATCHDOG=1"}
        assert process.wait(DEADLINE_S) == 0


def seat(*words):
    return subprocess.run((*SEAT, *words), capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (("run", "--card", "/nowhere/kit.toml"), 78, "/nowhere/kit.toml: No such file"),
        (("run", "--card", "CARD"), 1, "GPIO"),
        (("run", "--nonsense"), 2, "No such option"),
        (("run", "--card", "CARD", "--log-level", "loud"), 2, "--log-level"),
        (("run", "--card", "CARD", "--rehearsal", "/" + "x" * 120), 2, "more than 107 bytes"),
        (("run", "--card", "CARD", "--rehearsal", "/nowhere/r"), 1, "/nowhere/r"),
        (("nonsense",), 2, "No such command"),
        (("check", "--card", "/nowhere/kit.toml"), 78, "No such file"),
    ],
)
def test_what_is_wrong_is_one_line_and_an_exit_code(card, words, code, line):
    done = seat(*(str(card) if word == "CARD" else word for word in words))
    assert done.returncode == code, done.stderr
    assert line in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_help_names_every_command():
    done = seat("--help")
    assert done.returncode == 0
    for command in ("check", "eyes", "models", "run"):
        assert f"\n  {command} " in done.stdout


def test_running_a_seat_imports_neither_vision_nor_words_of_another_language():
    code = (
        "import sys, seat_node.program, seat_node.__main__;"
        "print({'numpy', 'mediapipe', 'cv2', 'babel', 'luma', 'flask'} & sys.modules.keys())"
    )
    done = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


class Watched:
    """In the place of a seat: writes down when it is called, and ends after *turns*."""

    def __init__(self, inbox, turns):
        self.calls, self._inbox, self._turns = [], inbox, turns

    def take(self, item, now_s):
        self.calls.append(item)

    def tick(self, now_s):
        self.calls.append("tick")
        self._turns -= 1
        if not self._turns:
            self._inbox.put(Stop())

    def next_due_s(self):
        return 0.0


def test_all_that_has_come_is_taken_before_time_passes(pins, clock):
    inbox = queue.SimpleQueue()
    levels = [Level("vote", 1000.0, True), Level("vote", 1000.001, False)]
    for level in levels:
        inbox.put(level)
    seat = Watched(inbox, turns=1)
    loop(seat, SeatBoard(pins, inbox.put), None, inbox, clock)
    assert seat.calls == [*levels, "tick"]


def test_a_flood_does_not_stop_time(pins, clock):
    inbox = queue.SimpleQueue()
    for number in range(2 * BATCH + 1):
        inbox.put(number)
    seat = Watched(inbox, turns=3)
    loop(seat, SeatBoard(pins, inbox.put), None, inbox, clock)
    assert [place for place, call in enumerate(seat.calls) if call == "tick"] == [
        BATCH, 2 * BATCH + 1, 2 * BATCH + 3,
    ]  # fmt: skip
    assert [call for call in seat.calls if call != "tick"] == list(range(2 * BATCH + 1))


@pytest.fixture
def pins():
    factory = mock_pins()
    yield factory
    factory.reset()

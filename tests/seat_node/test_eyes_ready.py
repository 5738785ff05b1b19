"""What systemd hears of the eyes: that they are up, once they see or know that they cannot."""

import os
import queue
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.clock import SystemClock
from firmware.errors import BoardError
from firmware.fakes import FakeClock
from seat_node.eyes import START_S
from seat_node.eyes_link import EyesSocket
from seat_node.models import BODY_MODEL, FACE_MODEL, HAND_MODEL, default_directory
from seat_node.reporting import PATIENCE_S, PrintedLine
from seat_node.reports import Chair, Sight, Watch
from seat_node.watching import LOOK_S, stay_blind, watch_over

DEADLINE_S = 60.0
"""Patience with libraries that load."""


@pytest.fixture
def systemd(tmp_path, monkeypatch):
    """A socket as systemd listens on."""
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.settimeout(DEADLINE_S)
        listener.bind(str(tmp_path / "notify"))
        yield listener


def heard(systemd):
    """Return what was told so far."""
    told = []
    systemd.setblocking(False)
    try:
        while True:
            told.append(systemd.recv(100))
    except BlockingIOError:
        return told


class Looks:
    """Eyes whose turns are given: reports and when the next look is due, or an error."""

    def __init__(self, *turns):
        self.turns = list(turns)

    def introduce(self, at_s):
        return []

    def turn(self, watch, now_s):
        turn = self.turns.pop(0)
        if isinstance(turn, Exception):
            raise turn
        return turn


def test_eyes_that_have_looked_are_up_and_say_so_once(systemd):
    looks = Looks(([], 0.0), ([], 0.0), ([], None))
    watch_over(looks, PrintedLine(Watch()), FakeClock(), hurry=True)
    assert heard(systemd) == [b"READY=1"]


def test_eyes_whose_first_look_fails_are_not_up(systemd):
    with pytest.raises(BoardError):
        watch_over(Looks(BoardError("it stopped")), PrintedLine(Watch()), FakeClock(), hurry=True)
    assert heard(systemd) == []


def test_eyes_that_know_of_no_camera_are_up(systemd):
    stay_blind(PrintedLine(Watch()), FakeClock(), 0.0)
    assert heard(systemd) == [b"READY=1"]


@pytest.fixture
def start(systemd, tmp_path):
    """Start the real process with its seat there; it ends after the test."""
    reports = queue.SimpleQueue()
    children = []

    def run(source, models):
        words = ("--source", source, "--socket", str(tmp_path / "e"), "--models", str(models))
        command = (sys.executable, "-m", "seat_node", "eyes", *words)
        children.append(subprocess.Popen(command, env=os.environ, stderr=subprocess.PIPE))
        return reports

    with EyesSocket(tmp_path / "e", reports.put, SystemClock()) as seat:
        seat.watch(Watch())
        yield run
        for child in children:
            child.kill()
            child.communicate(timeout=DEADLINE_S)


def test_the_process_says_so_without_a_camera(systemd, start, tmp_path):
    for model in (HAND_MODEL, FACE_MODEL, BODY_MODEL):
        (tmp_path / model).write_bytes(b"not opened: there is no camera")
    reports = start("webcam:61", tmp_path)
    assert systemd.recv(100) == b"READY=1"
    blind = [reports.get(timeout=DEADLINE_S) for _ in range(2)]
    assert next(one.word for one in blind if isinstance(one, Sight)) == "no camera"


@pytest.mark.vision
def test_the_process_says_so_once_it_has_looked_at_a_picture(systemd, start, tmp_path):
    pytest.importorskip("mediapipe")
    image = pytest.importorskip("PIL.Image")
    models = default_directory()
    if not (models / HAND_MODEL).is_file():
        pytest.skip("run mafia-seat models")
    folder = tmp_path / "pictures"
    folder.mkdir()
    image.new("RGB", (640, 480), (90, 90, 90)).save(folder / "0.png")
    reports = start(str(folder), models)
    assert systemd.recv(100) == b"READY=1"
    first = [reports.get(timeout=DEADLINE_S) for _ in range(3)]
    assert [type(one) for one in first] == [Chair, Sight, Sight]
    # Both before the looks and after the first, which found a picture that shows nothing.
    assert [one.word for one in first[1:]] == ["ok", "covered"]


def test_the_unit_gives_the_eyes_longer_than_they_may_take():
    unit = (Path(__file__).parents[2] / "systemd" / "mafia-eyes.service").read_text("utf-8")
    (limit_s,) = re.findall(r"^TimeoutStartSec=(\d+)$", unit, re.MULTILINE)
    assert int(limit_s) > PATIENCE_S + 2 * START_S + LOOK_S

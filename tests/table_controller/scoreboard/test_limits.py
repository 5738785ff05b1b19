"""Whoever floods, or is slow on purpose, at a real server: time is the fake clock's."""

import contextlib
import re
import socket

import pytest

from table_controller.scoreboard.channels import (
    BURST,
    CONNECTIONS_MAX,
    CONNECTIONS_PER_ADDRESS,
    IDLE_S,
    RATE_HZ,
    REQUEST_S,
)
from table_controller.scoreboard.serve import BODY_MAX, CONNECTIONS_SPARE, HEADER_MAX

ASK = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
LAST = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
STRANGER, PHONE = "127.0.0.66", "127.0.0.2"
"""Loopback has many addresses; only 127.0.0.1 is the controller itself."""

SOON_S = 0.5


class Line:
    """A connection from *address*."""

    def __init__(self, port, address):
        self.socket = socket.socket()
        self.socket.settimeout(15)
        self.socket.bind((address, 0))
        self.socket.connect(("127.0.0.1", port))

    def send(self, data):
        self.socket.sendall(data)
        return self

    def all(self):
        """Return all that comes until the server closes."""
        came = b""
        with contextlib.suppress(ConnectionError):
            while chunk := self.socket.recv(65536):
                came += chunk
        return came

    def answer(self, within_s=15.0):
        """Return the next answer of ``/healthz``; empty when none comes."""
        self.socket.settimeout(within_s)
        came = b""
        with contextlib.suppress(TimeoutError, ConnectionError):
            while not came.endswith(b"}"):
                chunk = self.socket.recv(1 if came[-1:] != b"{" else 65536)
                if not chunk:
                    break
                came += chunk
        return came

    def answers(self, number):
        """Wait for so many answers, and no more than that."""
        came = b""
        while came.count(b"200 OK") < number or not came.endswith(b"}"):
            came += self.socket.recv(65536)
        assert came.count(b"200 OK") == number

    def is_closed(self):
        return self.all() == b""


@pytest.fixture
def running(serving, hub, clock):
    return serving(hub, clock=clock, beat_s=0.05)


@pytest.fixture
def line(running):
    with contextlib.ExitStack() as lines:

        def connect(address=STRANGER):
            made = Line(running.port, address)
            lines.callback(made.socket.close)
            return made

        yield connect


def lives(line):
    return b"200 OK" in line(PHONE).send(LAST).all()


# ---- slow ----


@pytest.mark.parametrize(
    "begun",
    [
        b"G",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: y",
        b"POST /state HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc",
        b"POST /state HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        ASK + b"GET /heal",
    ],
    ids=["a letter", "head", "body", "chunk", "second request"],
)
def test_a_request_that_does_not_come_whole_is_cut_off(line, clock, begun):
    slow = line().send(begun)
    assert lives(line)
    if begun.startswith(ASK):
        assert b"200 OK" in slow.answer()
    clock.advance(REQUEST_S)
    assert slow.is_closed()


def test_a_connection_that_a_browser_opened_before_it_needs_it_may_wait_a_while(line, clock):
    silent = line()
    assert lives(line)
    clock.advance(REQUEST_S)
    assert b"200 OK" in silent.send(ASK).answer()
    forgotten = line()
    assert lives(line)
    clock.advance(IDLE_S)
    assert forgotten.is_closed()


def test_a_letter_now_and_then_keeps_no_connection(line, clock):
    slow = line().send(b"GET / HTTP/1.1\r\nX: ")
    assert lives(line)
    for _ in range(9):
        clock.advance(REQUEST_S / 10)
        slow.send(b"y")
        assert lives(line)
    clock.advance(REQUEST_S / 10)
    assert slow.is_closed()


def test_a_connection_that_has_been_answered_may_rest(line, clock):
    browser = line(PHONE).send(ASK)
    assert b"200 OK" in browser.answer()
    clock.advance(REQUEST_S * 2)
    assert lives(line)
    assert lives(line)
    assert b"200 OK" in browser.send(ASK).answer()


def test_a_stream_is_not_slow(running, viewer, hub, boards, clock):
    stream = viewer(running.port, PHONE)
    stream.head()
    stream.news()
    clock.advance(REQUEST_S * 100)
    assert [stream.event()["event"] for _ in range(30)] == ["beat"] * 30
    hub.publish(boards["vote"])
    assert '"called":8' in stream.news()


# ---- too much ----


CHUNKED = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET / HTTP/1.1\r\nX: " + b"y" * HEADER_MAX, "431 Request Header Fields Too Large"),
        (b"GET /" + b"y" * HEADER_MAX, "431 Request Header Fields Too Large"),
        (b"POST / HTTP/1.1\r\nContent-Length: 65536\r\n\r\n", "413 Request Entity Too Large"),
        (CHUNKED + b"10000\r\n" + b"y" * BODY_MAX, "413 Request Entity Too Large"),
        (b"GET / HTTP/1.1\r\nno colon\r\n\r\n", "400 Bad Request"),
        (b"GET / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", "501 Not Implemented"),
    ],
    ids=["head", "path", "length", "chunks", "garbage", "coding"],
)
def test_what_is_no_request_gets_one_plain_line_that_tells_nothing(line, request_, status):
    answer = line().send(request_).all().decode()
    head, _, body = answer.partition("\r\n\r\n")
    assert head.split("\r\n")[0] in (f"HTTP/1.0 {status}", f"HTTP/1.1 {status}")
    assert body == f"{status}\n"
    assert "frame-ancestors 'none'" in head
    assert re.search("waitress|python|server:|traceback", answer, re.IGNORECASE) is None
    assert lives(line)


def test_no_answer_names_the_server(line):
    for path in (b"/", b"/state", b"/none", b"/static/table.js"):
        answer = line().send(LAST.replace(b"/healthz", path)).all()
        assert re.search(rb"waitress|werkzeug|python|\r\nserver:", answer, re.IGNORECASE) is None


def test_one_device_holds_so_many_connections_and_the_oldest_gives_way(line, clock):
    held = []
    for _ in range(CONNECTIONS_PER_ADDRESS):
        held.append(line())
        clock.advance(0.001)
    assert b"200 OK" in held[-1].send(ASK).answer(), "all have been accepted"
    assert lives(line)
    newest = line().send(ASK)
    assert b"200 OK" in newest.answer()
    assert held[0].is_closed()
    assert b"200 OK" in held[1].send(ASK).answer()


def test_the_controller_itself_is_not_limited(line):
    held = [line("127.0.0.1").send(ASK) for _ in range(CONNECTIONS_PER_ADDRESS * 2)]
    assert all(b"200 OK" in each.answer() for each in held)
    for _ in range(int(BURST)):
        assert b"200 OK" in held[0].send(ASK).answer()


def test_when_all_places_are_taken_a_silent_one_goes_and_a_phone_is_answered(line, clock):
    devices = (CONNECTIONS_MAX + CONNECTIONS_SPARE) // CONNECTIONS_PER_ADDRESS + 2
    for number in range(devices * CONNECTIONS_PER_ADDRESS):
        line(f"127.0.0.{100 + number % devices}")
        clock.advance(0.001)
    for _ in range(3):
        assert lives(line)


def test_a_device_that_asks_too_often_is_answered_later_and_nobody_else_is(line, clock):
    flood = line()
    for number in range(int(BURST)):
        assert b"200 OK" in flood.send(ASK).answer(), number
    assert flood.send(ASK).answer(SOON_S) == b""
    other = line().send(ASK)
    assert other.answer(SOON_S) == b"", "a second connection of the device does not help"
    assert lives(line)
    clock.advance(2 / RATE_HZ)
    assert b"200 OK" in flood.answer()


def test_many_requests_in_one_packet_are_counted_one_by_one(line, clock):
    flood = line().send(ASK * int(BURST * 2))
    flood.answers(int(BURST * 2))
    assert flood.send(ASK).answer(SOON_S) == b""
    clock.advance((BURST + 2) / RATE_HZ)
    assert b"200 OK" in flood.answer()

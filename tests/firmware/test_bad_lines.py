"""Whatever a client writes to a rehearsal socket: it is refused, and the program listens on."""

import contextlib
import socket
import threading

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware.rehearsal import (
    LINE_MAX,
    Refused,
    SeatReply,
    SeatRequest,
    Stepped,
    TableReply,
    TableRequest,
)  # fmt: skip
from firmware.rehearsal_socket import RehearsalServer

FEW, MANY = 100, 2500
GOOD = (
    b'{"do":"look"}', b'{"do":"watch"}', b'{"do":"photograph"}', b'{"do":"push","button":"vote"}',
    b'{"do":"release","button":"shout"}', b'{"do":"step"}', b'{"do":"order","action":{}}',
    b'{"do":"swap","seat":3,"node":"node-11"}',
)  # fmt: skip


@st.composite
def lines(draw):
    line = draw(st.sampled_from(GOOD) | st.binary(max_size=80))
    cut = draw(st.integers(0, len(line)))
    match draw(st.sampled_from(["whole", "cut", "garbled", "nested", "surrogate", "twice"])):
        case "cut":
            return line[:cut]
        case "garbled":
            return line[:cut] + draw(st.binary(min_size=1, max_size=3)) + line[cut + 1 :]
        case "nested":
            return b'{"do":"order","action":' + b"[" * 5000
        case "surrogate":
            return line.replace(b"vote", rb"\ud800").replace(b"node-11", b"\xff\xfe")
        case "twice":
            return line + line
    return line


class Program:
    """Something that answers all that it understands."""

    def __init__(self, path, requests, answer):
        self.taken = 0
        self.answer = answer
        self.server = RehearsalServer(path, requests, self.handle)

    def handle(self, request, reply):
        self.taken += 1
        reply(self.answer)


@pytest.fixture(params=["seat", "table"])
def program(request, tmp_path):
    requests = {"seat": SeatRequest, "table": TableRequest}[request.param]
    each = Program(tmp_path / "r", requests, Stepped("x"))
    with each.server:
        yield each


@pytest.fixture
def no_thread_dies(monkeypatch):
    """A thread that ends by an exception ends the test, also where pytest does not look."""
    died = []
    monkeypatch.setattr(threading, "excepthook", died.append)
    yield
    assert [repr(each.exc_value) for each in died] == []


def talk(path, data):
    """Write *data*, hang up, and return the lines of the answer."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(10)
        line.connect(str(path))
        with contextlib.suppress(OSError):
            line.sendall(data)
            line.shutdown(socket.SHUT_WR)
        said = b""
        with contextlib.suppress(OSError):
            while more := line.recv(65536):
                said += more
    return said.splitlines()


def fuzz(path, cases):
    decode = msgspec.json.Decoder(SeatReply | TableReply).decode

    @settings(
        max_examples=cases, deadline=None, derandomize=True, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(st.lists(lines(), min_size=1, max_size=4))
    def check(sent):
        for answer in talk(path, b"\n".join(sent) + b"\n"):
            decode(answer)

    check()


def test_no_line_ends_a_rehearsal_socket(program, tmp_path, no_thread_dies):
    fuzz(tmp_path / "r", FEW)
    assert msgspec.json.decode(talk(tmp_path / "r", b'{"do":"watch"}\n')[0])["tell"] == "stepped"


@pytest.mark.proof
def test_thousands_of_lines(program, tmp_path, no_thread_dies):
    fuzz(tmp_path / "r", MANY)


@pytest.mark.parametrize(
    "line", [b"[" * 100_000, b'{"do":"push","button":"\xff"}', b"\x00" * 99, b"x" * (LINE_MAX + 2)]
)
def test_what_is_no_request_is_refused_with_the_reason(program, tmp_path, no_thread_dies, line):
    (answer,) = talk(tmp_path / "r", line + b"\n")
    assert msgspec.json.decode(answer, type=Refused).reason
    assert program.taken == 0

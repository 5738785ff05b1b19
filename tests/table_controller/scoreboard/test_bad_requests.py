"""Whatever a device of the club's network sends to the scoreboard: it answers 4xx and lives on."""

import contextlib
import logging
import socket
import urllib.request

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

FEW, MANY = 150, 4000
ROUTES = ("/", "/state", "/events", "/healthz", "/words/end.json", "/static/table.js", "/none")
BYTES = st.binary(max_size=60)
NOISE = st.sampled_from([
    b"", b"..%2f..%2f..%2fetc/passwd", b"%00", b"%ff%fe", b"\xff\xfe", b"?lang=%00", b"?lang=ru",
    b"?lang=" + b"x" * 3000, b"//", b"?%", b"#", b"?lang[]=1", b"\\..\\..", b"/../../table.py",
])  # fmt: skip
HEADERS = st.sampled_from([
    b"Host: x", b"Host: ", b"Host: \xff", b"Accept-Language: \xff\xfe;q=nan", b"Accept-Language: "
    + b"a," * 400, b"Content-Length: -1", b"Content-Length: 99999999999999999999",
    b"Content-Length: x", b"Transfer-Encoding: chunked", b"Transfer-Encoding: gzip, chunked",
    b"Expect: 100-continue", b"Range: bytes=-1-5", b"If-None-Match: \x00", b"Cookie: " + b"x" * 900,
    b"X: " + b"y" * 20_000, b"no colon", b": empty", b"Connection: close",
    b"Last-Event-ID: 99999999999", b"If-Modified-Since: never",
])  # fmt: skip


@st.composite
def requests(draw):
    """Requests with anything in them, and bytes that are none."""
    if draw(st.integers(0, 5)) == 0:
        return draw(BYTES)
    method = draw(
        st.sampled_from([b"GET"] * 4 + [b"POST", b"HEAD", b"PUT", b"DELETE", b"OPTIONS", b"TRACE"])
        | BYTES
    )
    path = draw(st.sampled_from(ROUTES)).encode() + draw(NOISE | BYTES)
    version = draw(st.sampled_from([b"HTTP/1.1"] * 4 + [b"HTTP/1.0", b"HTTP/9.9", b"", b"x"]))
    lines = [b" ".join((method, path, version)), *draw(st.lists(HEADERS | BYTES, max_size=4))]
    body = draw(st.just(b"") | BYTES)
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def ask(port, request):
    """Send *request* and hang up; return the status of the answer, 0 without one."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        with contextlib.suppress(OSError):
            line.sendall(request)
            line.shutdown(socket.SHUT_WR)
        try:
            head = line.recv(100)
        except OSError:
            return 0
    words = head.split(b" ", 2)
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0


def fuzz(port, cases):
    seen = {}

    @settings(
        max_examples=cases, deadline=None, derandomize=True, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(requests())
    def check(request):
        status = ask(port, request)
        seen[status] = seen.get(status, 0) + 1
        # 501: a coding of the body that nobody has to know. 503: all streams are taken.
        assert status < 500 or status in (501, 503, 505), (status, request)

    check()
    return seen


@pytest.fixture
def lives(serving, hub, boards):
    """A server with a board; afterwards it still shows that."""
    hub.publish(boards["seating"])
    running = serving(hub, beat_s=0.05)
    yield running
    with urllib.request.urlopen(f"{running.url}/state", timeout=10) as answer:
        assert b'"phase":"seating"' in answer.read()


def test_no_request_ends_the_scoreboard(lives, caplog):
    with caplog.at_level(logging.CRITICAL):
        seen = fuzz(lives.port, FEW)
    assert seen.get(400, 0) + seen.get(404, 0) + seen.get(405, 0) > FEW / 10


@pytest.mark.proof
def test_four_thousand_requests(lives, caplog):
    with caplog.at_level(logging.CRITICAL):
        fuzz(lives.port, MANY)

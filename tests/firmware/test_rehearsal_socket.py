import contextlib
import queue
import socket
import stat
import threading

import msgspec
import pytest

from firmware.errors import BoardError, LinkError
from firmware.rehearsal import (
    LINE_MAX,
    Look,
    Photograph,
    Picture,
    Push,
    Refused,
    SeatReply,
    SeatRequest,
    Shown,
    Watch,
)
from firmware.rehearsal_socket import BACKLOG_MAX, AskRefused, RehearsalClient, RehearsalServer
from firmware.wire import Button, Icon, Lamp, Layout


def shown(scene, **more):
    return Shown(
        scene=scene, layout=Layout.NOTE, title="", lines=(), icon=Icon.NONE, lamp=Lamp.OFF, **more
    )


class Seat:
    """A seat that shows *now* and remembers what it was asked."""

    def __init__(self, path):
        self.asked = queue.SimpleQueue()
        self.now = shown("idle")
        self.server = RehearsalServer(path, SeatRequest, self.handle)

    def handle(self, request, reply):
        self.asked.put(request)
        match request:
            case Look() | Watch():
                reply(self.now)
            case Photograph():
                reply(Picture(png="cGljdHVyZQ=="))
            case _ if request == Push(Button.SHOUT):
                reply(Refused("this seat has no SHOUT"))

    def show(self, message):
        self.now = message
        self.server.publish(message)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "seat"


@pytest.fixture
def seat(path):
    seat = Seat(path)
    with seat.server:
        yield seat


@pytest.fixture
def client(path, seat):
    with RehearsalClient(path, SeatReply) as client:
        yield client


@pytest.fixture
def raw(path, seat):
    """A connection that says whatever it likes."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(10)
        connection.connect(str(path))
        yield connection


def everything(connection):
    """Return all lines until the server closes."""
    with connection.makefile("rb") as stream:
        return stream.read().splitlines()


def test_a_request_reaches_the_program_and_its_reply_the_client(client, seat):
    assert client.ask(Look(), Shown) == shown("idle")
    client.send(Push(Button.VOTE))
    assert [seat.asked.get(timeout=10) for _ in range(2)] == [Look(), Push(Button.VOTE)]


def test_a_client_that_watches_gets_what_is_shown_now_and_every_change(client, seat):
    changes = client.watch(Shown)
    assert next(changes) == shown("idle")
    for scene in ("night", "morning", "day"):
        seat.show(shown(scene))
    assert [next(changes).scene for _ in range(3)] == ["night", "morning", "day"]


def test_who_does_not_watch_is_told_nothing(path, seat, client):
    client.ask(Look(), Shown)
    with RehearsalClient(path, SeatReply) as other:
        other.wait_until(Shown, lambda s: s.scene == "idle")
        seat.show(shown("night"))
        other.wait_until(Shown, lambda s: s.scene == "night")
    client.ask(Photograph(), Picture)
    assert [type(message) for message in client.seen] == [Shown, Picture]


def test_waiting_takes_what_is_shown_now_and_never_what_is_past(client, seat):
    client.wait_until(Shown, lambda s: s.scene == "idle")
    seat.show(shown("night"))
    client.wait_until(Shown, lambda s: s.scene == "night")
    assert client.wait_until(Shown, lambda s: s.scene == "night") == shown("night")
    with pytest.raises(TimeoutError, match="scene='night'"):
        client.wait_until(Shown, lambda s: s.scene == "idle", deadline_s=0.05)


def test_what_was_asked_for_before_watching_is_past(client, seat):
    client.ask(Look(), Shown)
    seat.show(shown("night"))
    with pytest.raises(TimeoutError):
        client.wait_until(Shown, lambda s: s.scene == "idle", deadline_s=0.05)


def test_a_picture_in_between_does_not_hide_what_is_shown(client, seat):
    client.wait_until(Shown, lambda s: s.scene == "idle")
    assert client.ask(Photograph(), Picture).png
    assert client.wait_until(Shown, lambda s: s.scene == "idle")


def test_a_change_that_is_gone_again_while_one_waits_is_still_seen(client, seat):
    client.wait_until(Shown, lambda s: s.scene == "idle")
    for scene in ("called", "floor"):
        seat.show(shown(scene))
    assert client.wait_until(Shown, lambda s: s.scene == "called")


def test_a_refusal_is_raised_with_its_reason(client):
    with pytest.raises(AskRefused, match="no SHOUT"):
        client.ask(Push(Button.SHOUT), Shown)


@pytest.mark.parametrize(
    "line",
    [b"not json", b"[]", b'{"do": "dance"}', b'{"do":"push"}', b'{"do":"look","x":1}', b"\xff"],
)
def test_a_bad_line_is_refused_and_ends_the_connection(raw, seat, line):
    raw.sendall(b'{"do":"look"}\n' + line + b'\n{"do":"look"}\n')
    first, last = everything(raw)
    assert msgspec.json.decode(first, type=SeatReply) == shown("idle")
    assert isinstance(msgspec.json.decode(last, type=SeatReply), Refused)
    assert seat.asked.get(timeout=10) == Look()
    assert seat.asked.empty()


def test_a_line_that_does_not_end_is_refused_at_its_greatest_length(raw, seat):
    with contextlib.suppress(BrokenPipeError):
        raw.sendall(b" " * (LINE_MAX + 1))
    (line,) = everything(raw)
    assert str(LINE_MAX) in msgspec.json.decode(line, type=SeatReply).reason
    assert seat.asked.empty()


def test_a_bad_client_does_not_disturb_another(raw, client):
    raw.sendall(b"nonsense\n")
    everything(raw)
    assert client.ask(Look(), Shown) == shown("idle")


def test_a_client_that_does_not_read_is_dropped_and_nobody_waits_for_it(raw, seat, client):
    raw.sendall(b'{"do":"watch"}\n')
    assert seat.asked.get(timeout=10) == Watch()
    long = shown("day", left_s=None)
    long = msgspec.structs.replace(long, title="x" * 1000)
    for _ in range(2 * BACKLOG_MAX):
        seat.server.publish(long)
    assert len(everything(raw)) < 2 * BACKLOG_MAX
    assert client.ask(Look(), Shown)


def test_the_socket_is_its_owners_alone_and_gone_at_the_end(path):
    with RehearsalServer(path, SeatRequest, lambda request, reply: None):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not path.exists()


def test_the_end_of_the_program_ends_the_waiting(path):
    seat = Seat(path)
    with seat.server, RehearsalClient(path, SeatReply) as client:
        client.wait_until(Shown, lambda s: True)
        ender = threading.Timer(0, seat.server.__exit__, (None, None, None))
        ender.start()
        with pytest.raises(LinkError, match="has gone"):
            client.wait_until(Shown, lambda s: False)
        ender.join()


def test_a_client_that_comes_first_waits_for_the_program(path):
    seat = Seat(path)
    starter = threading.Timer(0.05, seat.server.__enter__)
    starter.start()
    with RehearsalClient(path, SeatReply) as client:
        assert client.ask(Look(), Shown) == shown("idle")
    starter.join()
    seat.server.__exit__(None, None, None)


def test_a_client_without_a_program_says_so(path):
    with (
        pytest.raises(LinkError, match="no program listens"),
        RehearsalClient(path, SeatReply, patience_s=0.05),
    ):
        pass


def test_a_socket_left_by_a_dead_program_is_taken_over(path):
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    with Seat(path).server, RehearsalClient(path, SeatReply) as client:
        assert client.ask(Look(), Shown)


def test_a_socket_of_a_living_program_is_not_taken_over(path, seat, client):
    with pytest.raises(BoardError, match="another program"), Seat(path).server:
        pass
    assert client.ask(Look(), Shown)


def test_a_path_that_is_too_long_is_named(tmp_path):
    with pytest.raises(BoardError, match="107"), Seat(tmp_path / ("x" * 108)).server:
        pass

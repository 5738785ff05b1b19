import socket
import threading

import msgspec
import pytest

from firmware.errors import LinkError
from firmware.fakes import FakeClock
from firmware.wire import Presence
from seat_node.reporting import LINE_MAX, PATIENCE_S, PrintedLine, SocketLine
from seat_node.reports import Chair, Hand, Report, Sight, Watch

CHAIR = Chair(Presence.AWAY, 12.5)
HAND = Hand("number", 7, 0.9, 13.0)
DEADLINE_S = 10.0


class Seat:
    """The seat's end of the socket."""

    def __init__(self, path):
        self.server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.server.bind(str(path))
        self.server.listen()
        self.server.settimeout(DEADLINE_S)
        self.client = None

    def accept(self):
        if self.client is not None:
            self.client.close()
        self.client, _ = self.server.accept()
        self.client.settimeout(DEADLINE_S)

    def ask(self, *watches):
        self.client.sendall(b"".join(msgspec.json.encode(watch) + b"\n" for watch in watches))

    def heard(self, count):
        lines = self.client.makefile("rb")
        return [msgspec.json.decode(lines.readline(), type=Report) for _ in range(count)]

    def hang_up(self):
        self.client.close()

    def close(self):
        self.server.close()
        if self.client is not None:
            self.client.close()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "eyes.sock"


@pytest.fixture
def seat(path):
    seat = Seat(path)
    yield seat
    seat.close()


@pytest.fixture
def line(path):
    line = SocketLine(path, FakeClock())
    yield line
    line.close()


def test_reports_reach_the_seat_as_lines(seat, line):
    assert line.connect() is True
    seat.accept()
    line.tell([CHAIR, HAND])
    line.tell([])
    line.tell([Sight("ok", 3.0, 150.0)])
    assert seat.heard(3) == [CHAIR, HAND, Sight("ok", 3.0, 150.0)]


def test_the_last_command_holds(seat, line):
    line.connect()
    seat.accept()
    assert line.watch == Watch()
    seat.ask(Watch(gestures=("fist",)), Watch(gestures=("fist",), two_hands=True))
    line.wait(DEADLINE_S)
    assert line.watch == Watch(gestures=("fist",), two_hands=True)


def test_a_command_in_two_pieces_is_one_command(seat, line):
    line.connect()
    seat.accept()
    seat.client.sendall(b'{"gestures":["number","fi')
    line.wait(DEADLINE_S)
    assert line.watch == Watch()
    seat.client.sendall(b'st","thumb_up"]}\n')
    line.wait(DEADLINE_S)
    assert line.watch == Watch(gestures=("number", "fist", "thumb_up"))


def test_a_lost_seat_is_found_again_and_starts_with_no_wishes(seat, line):
    line.connect()
    seat.accept()
    seat.ask(Watch(gestures=("number", "fist", "thumb_up")))
    line.wait(DEADLINE_S)
    assert line.connect() is False
    seat.hang_up()
    line.wait(DEADLINE_S)
    assert line.connect() is True
    assert line.watch == Watch()
    seat.accept()
    line.tell([CHAIR])
    assert seat.heard(1) == [CHAIR]


@pytest.mark.parametrize(
    "sent",
    [b"nonsense\n", b'{"gestures":1}\n', b'{"picture":true}\n', b"x" * (LINE_MAX + 1)],
    ids=["no JSON", "wrong type", "unknown wish", "no end"],
)
def test_what_is_no_command_ends_the_connection(seat, line, sent):
    line.connect()
    seat.accept()
    seat.client.sendall(sent)
    while not line.connect():  # a long one takes more than one read
        line.wait(DEADLINE_S)
    assert line.watch == Watch()


def test_telling_a_seat_that_is_gone_is_no_error(seat, line):
    line.connect()
    seat.accept()
    seat.hang_up()
    line.tell([CHAIR])
    line.tell([CHAIR])
    assert line.connect() is True


class Hasty:
    """A clock that goes ten seconds on whenever it is read."""

    def __init__(self):
        self.reads = 0

    def now_s(self):
        self.reads += 1
        return self.reads * 10.0


def test_eyes_without_a_seat_end_after_a_while(path):
    clock = Hasty()
    with pytest.raises(LinkError, match="no seat has listened for 30 s; start mafia-seat run"):
        SocketLine(path, clock).connect()
    assert clock.reads == 1 + PATIENCE_S / 10


def test_a_seat_that_comes_late_is_waited_for(path):
    class Opening(Hasty):
        def now_s(self):
            if self.reads == 2:
                self.seat = Seat(path)
            return super().now_s()

    clock = Opening()
    line = SocketLine(path, clock)
    assert line.connect() is True
    clock.seat.close()
    line.close()


def test_a_recording_waits_for_the_first_command(seat, path):
    def answer():
        seat.accept()
        seat.ask(Watch(gestures=("number", "fist", "thumb_up")))

    answering = threading.Thread(target=answer)
    answering.start()
    line = SocketLine(path, FakeClock(), first_s=DEADLINE_S)
    line.connect()
    answering.join()
    line.close()
    assert line.watch == Watch(gestures=("number", "fist", "thumb_up"))


def test_printed_reports_are_json_lines(capsys):
    line = PrintedLine(Watch(gestures=("number", "fist", "thumb_up")))
    assert [line.connect(), line.connect()] == [True, False]
    line.tell([CHAIR, HAND])
    lines = capsys.readouterr().out.splitlines()
    assert [msgspec.json.decode(text, type=Report) for text in lines] == [CHAIR, HAND]
    assert line.watch == Watch(gestures=("number", "fist", "thumb_up"))

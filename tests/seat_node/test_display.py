import queue
import threading

import msgspec
import pytest

from firmware.errors import BoardError
from firmware.signals import Reply
from firmware.wire import Layout
from seat_node import display
from seat_node.display import Screen, open_device
from seat_node.face import Face
from seat_node.screens import render

DEADLINE_S = 10.0


class Panel:
    """A screen that can be slow, fail and be looked at."""

    def __init__(self):
        self.pictures = queue.SimpleQueue()
        self.free = threading.Event()
        self.free.set()
        self.broken = False
        self.opens = queue.SimpleQueue()
        self.dark = False

    def open(self):
        self.opens.put(None)
        if self.broken:
            raise BoardError("screen ssd1306 not found")
        return self

    def display(self, picture):
        if self.broken:
            raise OSError(121, "Remote I/O error")
        self.pictures.put(picture)
        assert self.free.wait(DEADLINE_S)

    def cleanup(self):
        self.dark = True

    def next(self):
        return self.pictures.get(timeout=DEADLINE_S)


@pytest.fixture
def panel():
    return Panel()


@pytest.fixture
def reports():
    return queue.SimpleQueue()


def face(number):
    return Face(layout=Layout.BIG, title=str(number))


def same(picture, number):
    return picture.tobytes() == render(face(number)).tobytes()


def test_a_face_is_drawn_on_the_device(panel, reports):
    with Screen(panel.open, reports.put) as screen:
        screen.show(face(7))
        assert same(panel.next(), 7)
    assert panel.dark


def test_of_faces_that_come_while_the_screen_is_busy_only_the_last_is_shown(panel, reports):
    with Screen(panel.open, reports.put) as screen:
        panel.free.clear()
        screen.show(face(1))
        assert same(panel.next(), 1)
        for number in range(2, 6):
            screen.show(face(number))
        panel.free.set()
        assert same(panel.next(), 5)
    assert panel.pictures.empty()


def test_a_failing_screen_is_reported_once_and_tried_again(panel, reports, monkeypatch):
    monkeypatch.setattr(display, "RETRY_S", 0.01)
    panel.broken = True
    with Screen(panel.open, reports.put) as screen:
        screen.show(face(1))
        assert reports.get(timeout=DEADLINE_S) == "screen ssd1306 not found"
        screen.show(face(2))
        for _ in range(3):
            panel.opens.get(timeout=DEADLINE_S)
        panel.broken = False
        assert same(panel.next(), 2)
        assert reports.get(timeout=DEADLINE_S) == ""
    assert reports.empty()


def test_a_screen_that_fails_later_shows_the_same_face_again(panel, reports, monkeypatch):
    monkeypatch.setattr(display, "RETRY_S", 0.01)
    with Screen(panel.open, reports.put) as screen:
        screen.show(face(1))
        panel.next()
        panel.broken = True
        screen.show(face(2))
        assert "Remote I/O error" in reports.get(timeout=DEADLINE_S)
        panel.broken = False
        assert same(panel.next(), 2)
    assert panel.opens.qsize() >= 2


def test_a_seat_without_a_screen_shows_nothing_and_ends(reports):
    with Screen(lambda: open_device("none"), reports.put) as screen:
        screen.show(face(1))
    assert reports.empty()


def test_the_dummy_device_keeps_the_picture():
    device = open_device("dummy")
    device.display(render(face(7)))
    assert device.image.convert("1").tobytes() == render(face(7)).tobytes()


@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_a_missing_screen_names_bus_address_and_remedy(driver):
    with pytest.raises(BoardError, match=rf"screen {driver} .*0x3D on bus 77 .*pinout\.csv"):
        open_device(driver, bus=77, address=0x3D)


def test_the_answer_that_was_drawn_ahead_is_the_picture_of_that_answer_alone(panel, reports):
    pressed = msgspec.structs.replace(face(1), reply=Reply.PRESSED)
    accepted = msgspec.structs.replace(face(1), reply=Reply.ACCEPTED)
    others = [
        accepted,
        msgspec.structs.replace(accepted, reply=Reply.LATE),
        msgspec.structs.replace(accepted, title="2"),
        face(1),
    ]
    with Screen(panel.open, reports.put) as screen:
        for other in others:
            screen.show(pressed)
            assert panel.next().tobytes() == render(pressed).tobytes()
            screen.show(other)
            assert panel.next().tobytes() == render(other).tobytes()


class Bus:
    """A bus that takes all it is sent."""

    def command(self, *sent):
        pass

    def data(self, sent):
        pass

    def cleanup(self):
        pass


@pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")  # luma's own
@pytest.mark.parametrize("stays", [True, False])
def test_a_picture_is_left_there_at_the_end_only_where_it_has_to(monkeypatch, stays):
    monkeypatch.setattr("luma.core.interface.serial.i2c", lambda **_where: Bus())
    panel = open_device("ssd1306", stays=stays)
    sent = []
    monkeypatch.setattr(Bus, "command", lambda _bus, *words: sent.append(words))
    panel.cleanup()
    # 0xAE switches the glass off. Source: SSD1306, table 9-1.
    assert ((0xAE,) in sent) is not stays

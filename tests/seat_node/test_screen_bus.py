"""The hooded screen down to the bytes on its I2C bus, also with a bus that misbehaves."""

import contextlib
import queue
import threading

import msgspec
import pytest
import smbus2

from firmware.board import SeatBoard, mock_pins
from firmware.card import LinkCard, PartsCard, SeatCard, read_seat_card, save
from firmware.clock import SystemClock
from firmware.fakes import FakeBroker
from firmware.link import Received
from firmware.signals import Reply
from firmware.wire import (
    CUE_SIZE,
    Button,
    Cue,
    Layout,
    PressMode,
    Said,
    TopicKind,
    decode,
    encode,
)
from seat_node import display
from seat_node.face import Face
from seat_node.inbox import ScreenGone, Stop
from seat_node.program import Options, _screen, loop
from seat_node.screens import HEIGHT_PX, WIDTH_PX, render
from seat_node.seat import Identity, Seat

DEADLINE_S = 15.0
USER, BOOT = "node-03", "0badcafe"
PAGES = HEIGHT_PX // 8

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")


class Bus:
    """The Pi's I2C bus as smbus2 drives it, with a display at its end that keeps its memory."""

    def __init__(self):
        self.transfers = []
        self.shown = queue.SimpleQueue()
        """All that the glass shows, after each transfer that has changed it."""
        self.free = threading.Event()
        self.free.set()
        self.stands = threading.Event()
        """Set while a transfer does not come to its end."""
        self.dies_after = None
        self.ports = []
        self._memory, self._place = bytearray(WIDTH_PX * PAGES), 0

    def open(self, port):
        self.ports.append(port)
        return self

    def close(self):
        pass

    def write_i2c_block_data(self, address, register, data):
        self._transfer(address, bytes([register, *data]))

    def i2c_rdwr(self, message):
        self._transfer(message.addr, bytes(list(message)))

    def _transfer(self, address, payload):
        if not self.free.is_set():
            self.stands.set()
            assert self.free.wait(DEADLINE_S)
            self.stands.clear()
        if self.dies_after is not None:
            if not self.dies_after:
                raise OSError(121, "Remote I/O error")
            self.dies_after -= 1
        self.transfers.append((address, payload))
        self._take(payload)

    def _take(self, payload):
        """Do what an SSD1306 or SH1106 does with a command or with bytes of a picture."""
        match list(payload):
            case [0x00, 0x21, first, last, 0x22, page, _]:
                assert (first, last) == (0, WIDTH_PX - 1)
                self._place = page * WIDTH_PX
            case [0x00, page, 0x02, 0x10] if 0xB0 <= page < 0xB0 + PAGES:
                self._place = (page - 0xB0) * WIDTH_PX
            case [0x40, *columns]:
                self._memory[self._place : self._place + len(columns)] = bytes(columns)
                self._place += len(columns)
                self.shown.put(bytes(self._memory))

    def until(self, face):
        """Wait until the glass shows *face*."""
        wanted = in_pages(render(face))
        while self.shown.get(timeout=DEADLINE_S) != wanted:
            pass


def in_pages(picture):
    """Return *picture* as both chips keep it: eight rows a page, the upper one in bit 0."""
    lit = picture.load()
    return bytes(
        sum(bool(lit[x, 8 * page + bit]) << bit for bit in range(8))
        for page in range(PAGES)
        for x in range(WIDTH_PX)
    )


@pytest.fixture
def bus(monkeypatch):
    bus = Bus()
    monkeypatch.setattr(smbus2, "SMBus", bus.open)
    monkeypatch.setattr(display, "RETRY_S", 0.01)
    yield bus
    bus.dies_after = None
    bus.free.set()


@pytest.fixture
def screen_of(tmp_path):
    """Makes the screen of the seat whose kit.toml says so, with the program's own hands."""

    def make(driver, inbox, **parts):
        path = tmp_path / "kit.toml"
        link = LinkCard("127.0.0.1", 1883, password="secret")
        save(
            path, SeatCard(table="t", user=USER, link=link, parts=PartsCard(screen=driver, **parts))
        )
        return _screen(read_seat_card(path), Options(card=path), inbox)

    return make


def face(number, **fields):
    return Face(layout=Layout.BIG, title=str(number), **fields)


@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_the_card_names_the_chip_and_its_bus_and_every_pixel_gets_there(bus, screen_of, driver):
    with screen_of(driver, queue.SimpleQueue(), i2c_bus=3, i2c_address=0x3D) as screen:
        for number in (7, 10, 3):
            screen.show(face(number))
            bus.until(face(number))
    # Switched on, cleared, and dark again at the end.
    commands = [payload for _, payload in bus.transfers if payload[0] == 0x00]
    assert any(0xAF in payload for payload in commands)
    assert bytes([0x00, 0xAE]) in commands[-1 - PAGES :]
    assert bus.ports == [3]
    assert {address for address, _ in bus.transfers} == {0x3D}
    windows = any(payload[1] == 0x21 for payload in commands)
    pages = any(payload[1] == 0xB0 for payload in commands)
    assert (windows, pages) == ((True, False) if driver == "ssd1306" else (False, True))


@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_an_answer_to_a_press_sends_the_strip_alone(bus, screen_of, driver):
    with screen_of(driver, queue.SimpleQueue()) as screen:
        screen.show(face(7))
        bus.until(face(7))
        before = len(bus.transfers)
        screen.show(face(7, reply=Reply.PRESSED))
        bus.until(face(7, reply=Reply.PRESSED))
        sent = [payload for _, payload in bus.transfers[before:]]
    # Rows 53 to 63: two pages, each a command and 128 bytes.
    assert [len(payload) for payload in sent if payload[0] == 0x40] == [129, 129]
    # At 400 kHz, nine bits a byte and the address before each transfer.
    assert sum(9 * (1 + len(payload)) for payload in sent) / 400_000 < 0.007


@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
@pytest.mark.parametrize("left", [0, 1])
def test_a_screen_that_dies_in_the_middle_of_a_picture_is_told_of_and_comes_back(
    bus, screen_of, driver, left
):
    inbox = queue.SimpleQueue()
    with screen_of(driver, inbox) as screen:
        screen.show(face(1))
        bus.until(face(1))
        bus.dies_after = left
        screen.show(face(2))
        gone = inbox.get(timeout=DEADLINE_S)
        assert isinstance(gone, ScreenGone)
        assert gone.reason
        bus.dies_after = None
        bus.until(face(2))
        assert inbox.get(timeout=DEADLINE_S) == ScreenGone("")


CALLED = Face(scene="candidate", layout=Layout.BIG, title="7", press=PressMode.EDGE)

# ---- presses and a screen that misbehaves -----------------------------------------


class Table:
    """The table's end of a broker in memory; what the seat says can be waited for."""

    def __init__(self, broker, topics):
        self.said = queue.SimpleQueue()
        self._link = broker.link("table", topics, self._put, subscriptions=[f"{topics.root}/up/#"])
        self._link.__enter__()
        self._topics = topics
        self._id = 0

    def _put(self, item):
        if isinstance(item, Received) and item.topic == self._topics.of(TopicKind.SAID, USER):
            message = decode(TopicKind.SAID, item.payload)
            assert isinstance(message, Said)
            self.said.put(message)

    def cue(self, **fields):
        self._id += 1
        cue = Cue(boot=BOOT, id=self._id, heard=fields.pop("heard", 0), **fields)
        payload = encode(cue, CUE_SIZE)
        self._link.publish(self._topics.of(TopicKind.CUE, USER), payload, qos=1)


@pytest.fixture
def playing(topics, screen_of):
    """Plays a real seat: its loop, board, screen thread and clock, over a broker in memory."""

    @contextlib.contextmanager
    def play(driver):
        clock, inbox = SystemClock(), queue.SimpleQueue()
        broker = FakeBroker(clock)
        who = Identity(USER, BOOT, topics)
        table = Table(broker, topics)
        board = SeatBoard(mock_pins(), inbox.put)
        link = broker.link(USER, topics, inbox.put, subscriptions=[who.topic(TopicKind.CUE)])
        with screen_of(driver, inbox) as screen:
            seat = Seat(who, link, screen.show, now_s=clock.now_s())
            with link:
                table.cue(scene="candidate", layout=Layout.BIG, title="7", press=PressMode.EDGE)
                thread = threading.Thread(target=loop, args=(seat, board, link, inbox, clock))
                thread.start()
                try:
                    yield board, table
                finally:
                    inbox.put(Stop())
                    thread.join(DEADLINE_S)
        board.close()
        assert not thread.is_alive()

    return play


def press(board, table):
    """Press VOTE; return how long after its edge the seat said so, in seconds."""
    board.push(Button.VOTE)
    said = table.said.get(timeout=DEADLINE_S)
    board.release(Button.VOTE)
    return said.sent_s - said.made_s


@pytest.mark.parametrize("how", ["stands still", "dies", "is missing"])
def test_no_press_waits_for_a_screen(bus, playing, how):
    if how == "is missing":
        bus.dies_after = 0
    with playing("ssd1306") as (board, table):
        if how != "is missing":
            bus.until(CALLED)
        if how == "stands still":
            bus.free.clear()
            table.cue(scene="candidate", layout=Layout.BIG, title="8", press=PressMode.EDGE)
            assert bus.stands.wait(DEADLINE_S)
        elif how == "dies":
            bus.dies_after = 0
        # The press is said while the screen shows nothing of it.
        press(board, table)
        assert bus.stands.is_set() == (how == "stands still")
        bus.free.set()
        bus.dies_after = None


def test_the_mark_of_a_press_reaches_the_glass(bus, playing):
    with playing("sh1106") as (board, table):
        bus.until(CALLED)
        press(board, table)
        bus.until(msgspec.structs.replace(CALLED, reply=Reply.PRESSED))

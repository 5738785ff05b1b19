import queue
import re
import signal
import socket
import stat
import sys
from pathlib import Path

import msgspec
import pytest

from firmware.clock import SystemClock
from firmware.errors import BoardError
from firmware.wire import Presence
from seat_node import eyes_link
from seat_node.eyes_link import EyesProcess, EyesSocket, death_word, eyes_command, without_network
from seat_node.inbox import EyesGone
from seat_node.reports import Chair, Hand, Sight, Watch

DEADLINE_S = 15.0
CLOCK = SystemClock()


@pytest.fixture
def inbox():
    return queue.SimpleQueue()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "e"


class Eyes:
    """The other end of the socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(DEADLINE_S)
        self.socket.connect(str(path))
        self.lines = self.socket.makefile("rb")

    def tell(self, *reports):
        for report in reports:
            self.socket.sendall(msgspec.json.encode(report) + b"\n")

    def wish(self):
        return msgspec.json.decode(self.lines.readline(), type=Watch)

    def close(self):
        self.lines.close()
        self.socket.close()


def test_reports_reach_the_inbox_in_order(path, inbox):
    reports = [Chair(Presence.AWAY, 1.5), Hand("number", 4, 0.9, 2.0), Sight("ok", 3.0, 170.0)]
    with EyesSocket(path, inbox.put, CLOCK) as line:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert line.last_s is None
        eyes = Eyes(path)
        eyes.tell(*reports)
        assert [inbox.get(timeout=DEADLINE_S) for _ in reports] == reports
        assert line.last_s is not None
        eyes.close()
    assert not path.exists()


def test_the_eyes_hear_the_wish_on_connect_and_at_every_change(path, inbox):
    with EyesSocket(path, inbox.put, CLOCK) as line:
        line.watch(Watch(gestures=("number", "fist", "thumb_up")))
        eyes = Eyes(path)
        assert eyes.wish() == Watch(gestures=("number", "fist", "thumb_up"))
        line.watch(Watch())
        assert eyes.wish() == Watch()
        eyes.close()


def test_new_eyes_take_the_place_of_old_ones(path, inbox):
    with EyesSocket(path, inbox.put, CLOCK) as line:
        old = Eyes(path)
        old.wish()
        new = Eyes(path)
        new.wish()
        assert old.lines.readline() == b""
        line.watch(Watch(gestures=("number", "fist", "thumb_up")))
        assert new.wish() == Watch(gestures=("number", "fist", "thumb_up"))
        old.close()
        new.close()


@pytest.mark.parametrize("line", [b"nonsense\n", b'{"report":"picture"}\n', b"x" * 5000])
def test_a_wrong_report_ends_the_connection_and_the_next_one_works(path, inbox, line):
    with EyesSocket(path, inbox.put, CLOCK):
        eyes = Eyes(path)
        eyes.wish()
        eyes.socket.sendall(line)
        assert eyes.lines.readline() == b""
        eyes.close()
        again = Eyes(path)
        again.tell(Sight("ok", 1.0, 1.0))
        assert inbox.get(timeout=DEADLINE_S) == Sight("ok", 1.0, 1.0)
        again.close()


def test_eyes_that_do_not_read_do_not_stop_the_seat(path, inbox):
    with EyesSocket(path, inbox.put, CLOCK) as line:
        eyes = Eyes(path)
        for number in range(20_000):
            line.watch(Watch(gestures=("fist",) * (number % 2)))
        eyes.close()


def test_eyes_that_are_a_service_of_their_own_are_let_in_and_missed(path, inbox):
    with EyesSocket(path, inbox.put, CLOCK, alone=True):
        assert stat.S_IMODE(path.stat().st_mode) == 0o660
        eyes = Eyes(path)
        eyes.wish()
        eyes.socket.shutdown(socket.SHUT_RDWR)
        assert inbox.get(timeout=DEADLINE_S).word == "dead"
        eyes.close()
        again = Eyes(path)
        again.tell(Sight("ok", 1.0, 1.0))
        assert inbox.get(timeout=DEADLINE_S) == Sight("ok", 1.0, 1.0)
        again.close()


def test_a_service_without_a_camera_is_missed_as_such(path, inbox):
    with EyesSocket(path, inbox.put, CLOCK, alone=True):
        eyes = Eyes(path)
        eyes.tell(Sight("no camera", 0.0, 40.0))
        eyes.close()
        assert [inbox.get(timeout=DEADLINE_S).word for _ in range(2)] == ["no camera"] * 2
        again = Eyes(path)
        again.tell(Sight("ok", 1.0, 1.0))
        again.close()
        assert [inbox.get(timeout=DEADLINE_S).word for _ in range(2)] == ["ok", "dead"]


def test_a_connection_on_which_nothing_comes_is_given_up(path, inbox, monkeypatch):
    monkeypatch.setattr(eyes_link, "HANG_S", 1)
    with EyesSocket(path, inbox.put, CLOCK, alone=True):
        eyes = Eyes(path)
        assert inbox.get(timeout=DEADLINE_S).word == "dead"
        eyes.close()


def test_a_stale_socket_is_replaced(path, inbox):
    stale = socket.socket(socket.AF_UNIX)
    stale.bind(str(path))
    stale.close()
    with EyesSocket(path, inbox.put, CLOCK):
        Eyes(path).close()


def test_a_socket_that_cannot_be_made_is_an_error_of_the_board(path, inbox):
    path.write_text("a file")
    with pytest.raises(BoardError, match="eyes' socket"), EyesSocket(path, inbox.put, CLOCK):
        pass


def run(code, inbox, last_s=lambda: None):
    return EyesProcess((sys.executable, "-c", code), inbox.put, CLOCK, last_s)


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(eyes_link, "BACK_OFF_S", (0.01, 0.02))
    monkeypatch.setattr(eyes_link, "LOOK_S", 0.05)


@pytest.mark.usefixtures("quick")
def test_eyes_that_end_are_told_of_and_started_again(inbox, tmp_path):
    log = tmp_path / "log"
    code = f"open({str(log)!r}, 'a').write('x'); raise SystemExit(3)"
    with run(code, inbox):
        words = [inbox.get(timeout=DEADLINE_S).word for _ in range(2)]
    assert words == ["dead", "dead"]
    assert len(log.read_text()) >= 2


@pytest.mark.usefixtures("quick")
def test_an_illegal_instruction_is_named(inbox):
    code = "import os, signal; os.kill(os.getpid(), signal.SIGILL)"
    with run(code, inbox):
        gone = inbox.get(timeout=DEADLINE_S)
    assert isinstance(gone, EyesGone)
    assert gone.word == "illegal instruction"


GROW = """
import time
log = open({log!r}, "a")
kept = []
while True:
    kept.append(b"x" * 10_000_000)
    log.write("x")
    log.flush()
    time.sleep(0.02)
"""
"""A child whose memory grows by 10 MB at a time, and notes each."""


@pytest.mark.usefixtures("quick")
def test_eyes_whose_memory_grows_are_ended_before_it_is_short_and_started_again(inbox, tmp_path):
    # Public symptom: google-ai-edge/mediapipe#3244, #4848, memory grows until killed.
    log = tmp_path / "log"
    with run(GROW.format(log=str(log)), inbox):
        words = [inbox.get(timeout=DEADLINE_S).word for _ in range(2)]
    assert words == ["memory", "memory"]
    grown_mb = 10 * len(log.read_text())
    assert grown_mb > 2 * 0.9 * eyes_link.MEMORY_MB - 20


def test_eyes_of_a_card_that_had_too_much_memory_are_said_to_have_ended_of_it(path, inbox):
    with EyesSocket(path, inbox.put, CLOCK, alone=True):
        eyes = Eyes(path)
        eyes.tell(Sight("ok", 3.0, eyes_link.MEMORY_MB + 1))
        inbox.get(timeout=DEADLINE_S)
        eyes.socket.shutdown(socket.SHUT_RDWR)
        assert inbox.get(timeout=DEADLINE_S).word == "memory"
        eyes.close()


def test_the_limit_of_memory_lies_below_that_of_the_cards_unit():
    unit = (Path(__file__).parents[2] / "systemd" / "mafia-eyes.service").read_text("utf-8")
    (most,) = re.findall(r"^MemoryMax=(\d+)M$", unit, re.MULTILINE)
    assert int(most) * 1.048576 > eyes_link.MEMORY_MB > 292


@pytest.mark.usefixtures("quick")
def test_eyes_that_say_nothing_for_too_long_hang_and_are_ended(inbox, monkeypatch):
    monkeypatch.setattr(eyes_link, "START_S", 0.2)
    with run("import signal; signal.pause()", inbox):
        assert inbox.get(timeout=DEADLINE_S).word == "hangs"


@pytest.mark.usefixtures("quick")
def test_eyes_that_have_spoken_hang_sooner(inbox, monkeypatch):
    monkeypatch.setattr(eyes_link, "HANG_S", 0.2)
    spoke_s = CLOCK.now_s() + 0.1
    with run("import signal; signal.pause()", inbox, lambda: spoke_s):
        gone = inbox.get(timeout=DEADLINE_S)
    assert gone.word == "hangs"
    assert gone.at_s >= spoke_s + 0.2


@pytest.mark.usefixtures("quick")
def test_eyes_that_do_not_end_when_told_are_killed(inbox, monkeypatch):
    monkeypatch.setattr(eyes_link, "START_S", 0.5)
    monkeypatch.setattr(eyes_link, "KILL_S", 0.2)
    with run("import signal; signal.pthread_sigmask(0, {15}); signal.pause()", inbox):
        assert inbox.get(timeout=DEADLINE_S).word == "hangs"


@pytest.mark.usefixtures("quick")
def test_eyes_that_report_do_not_hang(inbox, monkeypatch):
    monkeypatch.setattr(eyes_link, "HANG_S", 0.2)
    asked = queue.SimpleQueue()

    def last_s():
        asked.put(None)
        return CLOCK.now_s()

    with run("import signal; signal.pause()", inbox, last_s):
        for _ in range(10):
            asked.get(timeout=DEADLINE_S)
        assert inbox.empty()


@pytest.mark.usefixtures("quick")
def test_leaving_ends_the_process_without_a_word(inbox):
    reader, writer = socket.socketpair()
    reader.settimeout(DEADLINE_S)
    code = f"import os, signal\nos.write({writer.fileno()}, b'x'); signal.pause()"
    process = run(code, inbox)
    with pytest.MonkeyPatch.context() as patch:
        start = eyes_link.subprocess.Popen
        patch.setattr(
            eyes_link.subprocess,
            "Popen",
            lambda *words, **more: start(*words, **more, pass_fds=(writer.fileno(),)),
        )
        with process:
            assert reader.recv(1) == b"x"
            writer.close()
    assert reader.recv(1) == b""
    assert inbox.empty()
    reader.close()


@pytest.mark.parametrize(
    ("code", "word"),
    [
        (-signal.SIGILL, "illegal instruction"),
        (-signal.SIGALRM, "hangs"),
        (69, "no camera"),
        (2, "not set up"),
        (1, "dead"),
        (-9, "dead"),
    ],
)
def test_a_death_has_a_word(code, word):
    assert death_word(code) == word


def test_the_eyes_are_another_command_of_the_same_program(path):
    assert eyes_command("folder", path)[1:] == (
        "-m", "seat_node", "eyes", "--source", "folder", "--socket", str(path),
    )  # fmt: skip


def test_where_it_is_allowed_the_eyes_have_no_network(inbox):
    prefix = without_network()
    if not prefix:
        pytest.skip("unshare --net is not allowed here")
    code = "import os; print(sorted(os.listdir('/proc/sys/net/ipv4/conf')))"
    done = eyes_link.subprocess.run(
        (*prefix, sys.executable, "-c", code), capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['all', 'default', 'lo']"


def test_where_unshare_is_missing_the_eyes_run_all_the_same(monkeypatch, caplog):
    monkeypatch.setattr(eyes_link, "NO_NETWORK", ("/nowhere/unshare",))
    assert without_network() == ()
    assert "the eyes keep their network" in caplog.text

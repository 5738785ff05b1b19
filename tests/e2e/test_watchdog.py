"""The watchdog of the real programs, heard at a socket as systemd listens on."""

import contextlib
import os
import signal
import socket
import subprocess
import sys

import pytest

from firmware.card import PartsCard, ScoreboardCard, SeatCard, TableCard, link_card, save
from firmware.clock import SystemClock

LIMIT_S = 2.0
PATIENCE_S = 20.0
CLOCK = SystemClock()

DEAD_THREAD = "import firmware.broker as b; b.Broker._live = lambda self: None"
HUNG_LOOP = """
import threading
from {module} import {type} as T
turns, tick = iter(range({turns})), T.tick
def hang(self, *args):
    tick(self, *args)
    next(turns, None) is None and threading.Event().wait()
T.tick = hang
"""
DEAD_JOURNAL = "import table_controller.playing as p; p.Playing.answers = lambda self: False"


class Systemd:
    """Hears what a program says of itself."""

    def __init__(self, path):
        self.path = path
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))

    def hears(self, word, within_s):
        """Tell whether *word* comes within that time."""
        end_s = CLOCK.now_s() + within_s
        while (left_s := end_s - CLOCK.now_s()) > 0:
            self._socket.settimeout(left_s)
            with contextlib.suppress(TimeoutError):
                if self._socket.recv(100) == word:
                    return True
        return False

    def hears_for(self, seconds):
        """Listen so long; return the longest silence between two feedings."""
        end_s, fed_s, worst_s = CLOCK.now_s() + seconds, CLOCK.now_s(), 0.0
        while CLOCK.now_s() < end_s:
            if self.hears(b"WATCHDOG=1", LIMIT_S):
                worst_s, fed_s = max(worst_s, CLOCK.now_s() - fed_s), CLOCK.now_s()
            else:
                return max(worst_s, CLOCK.now_s() - fed_s)
        return worst_s

    def close(self):
        self._socket.close()


@pytest.fixture
def systemd(tmp_path):
    listener = Systemd(tmp_path / "n")
    yield listener
    listener.close()


@pytest.fixture
def start(mosquitto, tmp_path, systemd):
    """Starts the table or the seat, with *patch* run in it first."""
    running = []
    links = {user: link_card(mosquitto.settings(user)) for user in ("table", "node-03")}
    table = TableCard(
        table="test", link=links["table"], lights=False,
        data_dir=str(tmp_path / "data"), scoreboard=ScoreboardCard(bind="127.0.0.1", port=free()),
    )  # fmt: skip
    seat = SeatCard(
        table="test", user="node-03", link=links["node-03"],
        parts=PartsCard(),
    )  # fmt: skip
    for name, card in (("table_controller", table), ("seat_node", seat)):
        save(tmp_path / f"{name}.toml", card)

    def go(program, patch=""):
        code = f"{patch}\nimport sys, {program}.__main__ as m\nsys.exit(m.main())"
        environment = {
            "NOTIFY_SOCKET": str(systemd.path), "WATCHDOG_USEC": str(int(LIMIT_S * 1e6)),
        }  # fmt: skip
        process = subprocess.Popen(
            (sys.executable, "-c", code, "run", "--card", str(tmp_path / f"{program}.toml"),
             "--rehearsal", str(tmp_path / "r")),
            stdout=subprocess.DEVNULL, env=os.environ | environment,
        )  # fmt: skip
        running.append(process)
        assert systemd.hears(b"READY=1", PATIENCE_S)
        return process

    yield go
    for process in running:
        process.kill()
        process.wait()


def free():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


PROGRAMS = ("table_controller", "seat_node")
LOOPS = {
    "table_controller": {"module": "table_controller.table", "type": "Table"},
    "seat_node": {"module": "seat_node.seat", "type": "Seat"},
}


@pytest.mark.proof
@pytest.mark.parametrize("program", PROGRAMS)
def test_an_idle_lobby_and_a_broker_that_comes_and_goes_never_trip_it(
    start, systemd, mosquitto, program
):
    process = start(program)
    assert systemd.hears_for(3.0) < LIMIT_S
    mosquitto.kill()
    assert systemd.hears_for(3.0) < LIMIT_S
    mosquitto.start()
    assert systemd.hears_for(3.0) < LIMIT_S
    assert process.poll() is None


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_process_that_stands_still_is_not_fed(start, systemd, program):
    process = start(program)
    assert systemd.hears_for(1.0) < LIMIT_S
    process.send_signal(signal.SIGSTOP)
    systemd.hears(b"WATCHDOG=1", 0.1)
    assert not systemd.hears(b"WATCHDOG=1", LIMIT_S)
    process.send_signal(signal.SIGCONT)
    assert systemd.hears(b"WATCHDOG=1", LIMIT_S)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_loop_that_hangs_is_not_fed(start, systemd, program):
    process = start(program, HUNG_LOOP.format(**LOOPS[program], turns=3))
    assert systemd.hears(b"WATCHDOG=1", LIMIT_S)
    while systemd.hears(b"WATCHDOG=1", LIMIT_S):
        pass
    assert process.poll() is None


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_whose_network_thread_is_dead_is_not_fed(start, systemd, program):
    process = start(program, DEAD_THREAD)
    # It may be seen alive once, at the very start.
    systemd.hears(b"WATCHDOG=1", 0.5)
    assert not systemd.hears(b"WATCHDOG=1", LIMIT_S)
    assert process.poll() is None


def test_a_table_whose_journal_does_not_answer_is_not_fed(start, systemd):
    process = start("table_controller", DEAD_JOURNAL)
    assert not systemd.hears(b"WATCHDOG=1", LIMIT_S)
    assert process.poll() is None

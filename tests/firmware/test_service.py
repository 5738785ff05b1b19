import contextlib
import logging
import math
import os
import select
import signal
import socket
import subprocess
import sys
import threading

import pytest

from firmware import service
from firmware.errors import BoardError, CardError
from firmware.service import Exit, die_with_parent, notify, on_stop, run, watchdog_s


@pytest.fixture
def root_logger():
    """Puts back what the test run has set up."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield root
    root.handlers[:], root.level = handlers, level


def test_a_log_line_is_one_line_whatever_is_in_it(root_logger, capsys):
    service.start_logging("info")
    logging.getLogger("seat").warning("said %s", "a\nE forged: line\r")
    logging.getLogger("seat").debug("too quiet")
    assert capsys.readouterr().err == "W seat: said a\\nE forged: line\\r\n"


def test_a_traceback_follows_its_line(root_logger, capsys):
    service.start_logging()
    try:
        raise ValueError("x")
    except ValueError:
        logging.getLogger("seat").exception("oops")
    lines = capsys.readouterr().err.splitlines()
    assert (lines[0], lines[-1]) == ("E seat: oops", "ValueError: x")


def test_a_level_that_is_none_is_refused_with_those_there_are(root_logger):
    with pytest.raises(ValueError, match="'loud': expected debug, info, warning, error"):
        service.start_logging("loud")


def test_logging_started_twice_says_things_once(root_logger, capsys):
    service.start_logging()
    service.start_logging()
    logging.getLogger("seat").info("once")
    assert capsys.readouterr().err == "I seat: once\n"


@pytest.mark.parametrize(
    ("error", "code"),
    [(None, 0), (CardError("kit.toml: port"), 78), (BoardError("no screen"), 1)],
)
def test_how_a_program_ends_is_its_exit_code(error, code, caplog):
    def program():
        if error:
            raise error

    assert run(program) == code
    assert [record.getMessage() for record in caplog.records] == ([str(error)] if error else [])


def test_our_own_mistake_is_not_swallowed():
    with pytest.raises(ZeroDivisionError):
        run(lambda: 1 / 0)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_asks_the_program_to_stop(number):
    before = [signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGINT)]
    stop = threading.Event()
    try:
        on_stop(stop.set)
        signal.raise_signal(number)
        assert stop.is_set()
    finally:
        signal.signal(signal.SIGTERM, before[0])
        signal.signal(signal.SIGINT, before[1])


@pytest.fixture(params=["path", "abstract"])
def systemd(request, tmp_path, monkeypatch):
    """A socket as systemd listens on."""
    address = str(tmp_path / "n") if request.param == "path" else f"\0mafia-test-{os.getpid()}"
    monkeypatch.setenv("NOTIFY_SOCKET", address.replace("\0", "@"))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.settimeout(10)
        listener.bind(address)
        yield listener


def test_systemd_hears_what_it_is_told(systemd):
    for word in ("READY=1", "WATCHDOG=1", "STOPPING=1"):
        assert notify(word)
        assert systemd.recv(100) == word.encode()


def test_without_systemd_nothing_is_said(monkeypatch):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert not notify("READY=1")


def test_a_systemd_that_is_gone_does_not_end_the_program(monkeypatch, tmp_path, caplog):
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    assert not notify("WATCHDOG=1")
    assert "WATCHDOG=1" in caplog.text


@pytest.mark.parametrize(
    ("micros", "pid", "period_s"),
    [
        ("20000000", None, 10.0),
        ("20000000", str(os.getpid()), 10.0),
        ("20000000", "1", None),
        ("", None, None),
        ("soon", None, None),
    ],
    # Not by value: the own process id would name each worker's test differently.
    ids=["for anybody", "for us", "for another", "none set", "no number"],
)
def test_the_watchdog_is_fed_twice_as_often_as_it_bites(monkeypatch, micros, pid, period_s):
    monkeypatch.setenv("WATCHDOG_USEC", micros)
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    if pid:
        monkeypatch.setenv("WATCHDOG_PID", pid)
    assert watchdog_s() == period_s


def python(program, **more):
    return subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, **more
    )


def test_a_crash_leaves_no_core():
    program = (
        "import ctypes, os, resource\n"
        "limit = resource.getrlimit(resource.RLIMIT_CORE)[1]\n"
        "resource.setrlimit(resource.RLIMIT_CORE, (limit, limit))\n"
        "from firmware.service import keep_memory_private\n"
        "keep_memory_private()\n"
        "dumpable = ctypes.CDLL(None).prctl(3, 0, 0, 0, 0)\n"
        "print(resource.getrlimit(resource.RLIMIT_CORE), dumpable, flush=True)\n"
        "os.abort()\n"
    )
    with python(program) as child:
        said = child.stdout.read()
        _, status = os.waitpid(child.pid, 0)
        child.returncode = status
    assert os.WTERMSIG(status) == signal.SIGABRT
    assert not os.WCOREDUMP(status)
    assert said == "(0, 0) 0\n"


HANGS = """
import ctypes
from firmware import service
with service.ends_within(0.2):
    # A library that never lets go of the interpreter: no thread and no handler gets a turn.
    ctypes.PyDLL(None).pause()
"""


def test_what_hangs_in_a_library_ends_and_says_where():
    done = subprocess.run(
        (sys.executable, "-c", HANGS), capture_output=True, text=True, timeout=60
    )  # fmt: skip
    assert done.returncode == -signal.SIGALRM
    assert 'File "<string>", line 6' in done.stderr


def test_what_is_done_in_time_ends_nothing():
    with service.ends_within(60.0):
        assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= 60.0
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_child_dies_with_its_parent():
    program = (
        "import subprocess, sys\n"
        "from firmware.service import die_with_parent\n"
        "child = subprocess.Popen(['sleep', '60'], preexec_fn=die_with_parent())\n"
        "print(child.pid, flush=True); sys.stdin.read()\n"
    )
    with python(program, stdin=subprocess.PIPE) as parent:
        watch = os.pidfd_open(int(parent.stdout.readline()))
        parent.kill()
    poll = select.poll()
    poll.register(watch)
    assert poll.poll(10_000), "the child outlived its parent"
    os.close(watch)


def test_a_child_lives_while_its_parent_does():
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, preexec_fn=die_with_parent()) as child:
        assert child.poll() is None
        child.stdin.close()
        assert child.wait(10) == Exit.OK


@pytest.fixture
def fed(systemd, monkeypatch):
    """Reads how often the watchdog was fed since the last time; it bites after 20 s."""
    monkeypatch.setenv("WATCHDOG_USEC", "20000000")
    monkeypatch.delenv("WATCHDOG_PID", raising=False)

    def count():
        systemd.setblocking(False)
        said = []
        with contextlib.suppress(BlockingIOError):
            while True:
                said.append(systemd.recv(100))
        assert set(said) <= {b"WATCHDOG=1"}
        return len(said)

    return count


def test_the_watchdog_is_fed_while_every_part_lives(fed, clock):
    parts = {"link": True, "journal": True}
    watchdog = service.Watchdog(clock, *(lambda now_s, p=p: parts[p] for p in parts))
    watchdog.tick(clock.now_s())
    assert fed() == 1
    for part in parts:
        clock.advance(10.0)
        watchdog.tick(clock.now_s())
        assert fed() == 1
        parts[part] = False
        clock.advance(10.0)
        watchdog.tick(clock.now_s())
        assert fed() == 0
        assert clock.now_s() < watchdog.due_s < clock.now_s() + 5.0
        parts[part] = True
        clock.advance(watchdog.due_s - clock.now_s())
        watchdog.tick(clock.now_s())
        assert fed() == 1


def test_a_starved_watchdog_does_not_make_the_loop_spin(fed, clock, caplog):
    watchdog = service.Watchdog(clock, lambda now_s: False)
    turns = 0
    while clock.now_s() < 1020.0:
        watchdog.tick(clock.now_s())
        assert watchdog.due_s > clock.now_s()
        clock.advance(watchdog.due_s - clock.now_s())
        turns += 1
    assert fed() == 0
    assert turns <= 21
    assert caplog.text.count("watchdog") == 1


def test_without_a_watchdog_nothing_is_ever_due(clock, monkeypatch):
    monkeypatch.delenv("WATCHDOG_USEC", raising=False)
    assert service.Watchdog(clock, lambda now_s: False).due_s == math.inf

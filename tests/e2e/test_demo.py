"""The command that a newcomer tries first."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
import webbrowser
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.clock import SystemClock
from firmware.mosquitto import find_mosquitto
from table_controller.rehearsal.demo import _open, demo

DEMO = (sys.executable, "-m", "table_controller", "demo")
START_S = 20.0
GAME_S = 150.0
PLAYED_S = 240.0
"""With a readiness round, on a busy machine."""
PROGRAMS = 12
"""A broker, a table, ten seats."""

needs_mosquitto = pytest.mark.skipif(find_mosquitto() is None, reason="sudo apt install mosquitto")


HOST = re.compile(r"Host: (http://127\.0\.0\.1:\d+/host), PIN (\d{4} \d{2,4})")


class Demo:
    """A running demo, and the programs that it has started."""

    def __init__(self, folder, *options):
        self.folder = Path(folder)
        self.clock = SystemClock()
        self.began_s = self.clock.now_s()
        self.process = subprocess.Popen(
            [*DEMO, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": folder},
        )

    def first_line(self):
        line = self.process.stdout.readline()
        self.host = HOST.fullmatch(self.process.stdout.readline().rstrip())
        return line

    def end(self, within_s):
        """Return exit code, the rest of its output, and how long it ran."""
        out, err = self.process.communicate(timeout=within_s)
        return self.process.returncode, out, err, self.clock.now_s() - self.began_s

    def programs(self):
        """Wait until all its programs run, and return their pids."""
        end_s = self.clock.now_s() + START_S
        while len(found := children(self.process.pid)) < PROGRAMS:
            assert self.process.poll() is None, self.process.communicate()
            assert self.clock.now_s() < end_s, f"{len(found)} programs run"
        return found

    def close(self):
        self.process.kill()
        self.process.communicate()


def children(pid):
    """Return the pids of all that *pid* has started."""
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return {int(child) for child in path.read_text().split()} if path.exists() else set()


def runs(pid):
    """Return whether *pid* is a process that is not just waiting to be collected."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def all_end(pids):
    clock = SystemClock()
    end_s = clock.now_s() + 5.0
    while left := {pid for pid in pids if runs(pid)}:
        assert clock.now_s() < end_s, f"left behind: {left}"


@pytest.fixture
def start():
    """Starts demos; none outlives the test."""
    demos = []
    # Not tmp_path: the paths of unix sockets must be short.
    with tempfile.TemporaryDirectory(prefix="demo-") as folder:

        def new(*options):
            demos.append(Demo(folder, *options))
            return demos[-1]

        yield new
        for demo in demos:
            demo.close()


def played(start, *options):
    """Play a fast game; return the lines of its result."""
    demo = start("--speed", "60", "--seed", "7", "--quit", *options)
    line = demo.first_line()
    assert re.fullmatch(r"Scoreboard: http://127\.0\.0\.1:\d+/\n", line)
    programs = demo.programs()
    code, out, err, took_s = demo.end(GAME_S)
    assert (code, err) == (0, "")
    assert took_s < GAME_S
    all_end(programs)
    return out.splitlines()


def seats_and_roles(result):
    return [line.split()[:3] for line in result[2:]]


@pytest.mark.proof
@needs_mosquitto
def test_a_fast_game_ends_with_its_result_and_leaves_nothing_behind(start):
    result = played(start, "--turbo")
    assert re.fullmatch(r"The (town|mafia) wins|A draw", result[0])
    assert result[1].split() == ["seat", "player", "role", "Max", "Classic"]
    roles = [role for _, _, role in seats_and_roles(result)]
    assert sorted(roles) == ["citizen"] * 6 + ["don"] + ["mafia"] * 2 + ["sheriff"]
    wins = [line.split()[3:] for line in result[2:]]
    assert all(re.fullmatch(r"[+-]\d\.\d\d", each) for points in wins for each in points)


@pytest.mark.proof
@needs_mosquitto
def test_the_same_seed_deals_the_same_seats_and_roles(start):
    assert seats_and_roles(played(start, "--turbo")) == seats_and_roles(played(start, "--turbo"))


@needs_mosquitto
def test_a_demo_cleans_up_after_itself(start):
    demo = start()
    demo.first_line()
    (house,) = demo.folder.glob("mafia-*")
    assert house.stat().st_mode & 0o777 == 0o700
    os.kill(demo.process.pid, signal.SIGINT)
    demo.end(START_S)
    assert list(demo.folder.iterdir()) == []


@needs_mosquitto
def test_the_pin_that_a_demo_prints_opens_the_hosts_page(start):
    demo = start()
    demo.first_line()
    address, pin = demo.host.groups()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with browser.open(f"{address}/login", timeout=START_S) as page:
        csrf = re.search(r'name="csrf" value="([^"]*)"', page.read().decode())[1]
    form = urllib.parse.urlencode({"csrf": csrf, "pin": pin}).encode()
    with browser.open(f"{address}/login", form, timeout=START_S) as page:
        assert page.url == address
    demo.process.send_signal(signal.SIGINT)
    demo.end(START_S)


@needs_mosquitto
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGKILL, -9)]
)
def test_no_program_outlives_a_demo_that_is_stopped(start, number, code):
    demo = start()
    demo.first_line()
    programs = demo.programs()
    os.kill(demo.process.pid, number)
    ended, _, err, _ = demo.end(START_S)
    assert (ended, err) == (code, "")
    all_end(programs)


def one_line(*options):
    """Return what a demo that does not start says."""
    done = subprocess.run([*DEMO, *options], capture_output=True, text=True, timeout=START_S)
    assert done.returncode == 2
    assert done.stdout == ""
    return done.stderr


def test_a_busy_port_is_one_clear_line():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = one_line("--port", str(port))
    assert said == f"Error: port {port} is busy: choose another with --port\n"


def test_a_port_that_is_roots_is_not_called_busy(monkeypatch):
    def refuse(probe, address):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refuse)
    said = CliRunner().invoke(demo, ["--port", "80"])
    assert said.exit_code == 2
    assert said.output == "Error: port 80 is for root alone: choose another with --port\n"


@pytest.mark.parametrize(
    ("named", "why"),
    [
        ("3=no/such/folder", "no file or folder 'no/such/folder'"),
        ("3=", "no file or folder ''"),
        ("11=.", "expected N=SOURCE with a seat from 1 to 10"),
        ("seat=.", "expected N=SOURCE with a seat from 1 to 10"),
    ],
)
def test_wrong_eyes_are_one_clear_line(named, why):
    assert one_line("--eyes", named) == f"Error: --eyes {named}: {why}\n"


class Player:
    """A person at a demo's panel, without a browser, who presses only to have a game."""

    def __init__(self, address):
        self.address = address
        self.orders = 0
        self.stream = urllib.request.urlopen(f"{address}events?page=a-person", timeout=START_S)

    def play_until(self, hint):
        """Do what the table waits for until the panel's hint begins with *hint*."""
        clock = SystemClock()
        end_s = clock.now_s() + PLAYED_S
        done = None
        for line in self.stream:
            assert clock.now_s() < end_s, f"no {hint!r}, but {done}"
            view = json.loads(line[6:]) if line.startswith(b"data: ") else {}
            legend = view.get("legend")
            if not legend or (legend["hint"], view["spoken"]) == done:
                continue
            done = legend["hint"], view["spoken"]
            if legend["hint"].startswith(hint):
                return
            self.hold()
            if legend["waits"] or legend["vote"]["hold"] == "play again":
                self.press(legend)
        raise AssertionError(f"the demo ended before {hint!r}")

    def press(self, legend):
        self.hold(*(button for button in ("vote", "shout") if any(legend[button].values())))
        if legend["vote"]["tap"] or legend["shout"]["tap"]:
            self.hold()

    def hold(self, *buttons):
        self.orders += 1
        order = {"page": "a-person", "number": self.orders, "holds": buttons}
        asked = urllib.request.Request(
            f"{self.address}holds", json.dumps(order).encode(), {"Content-Type": "application/json"}
        )
        urllib.request.urlopen(asked, timeout=START_S).close()


@pytest.mark.proof
@needs_mosquitto
def test_a_person_who_presses_only_when_waited_for_plays_a_whole_game_and_another(start):
    demo = start("--seat", "3", "--no-browser", "--speed", "60", "--seed", "7", "--turbo")
    demo.first_line()
    seat, address = demo.process.stdout.readline().split(": ")
    assert seat == "Seat 3"
    player = Player(address.strip())
    player.play_until("The game is over")
    said = [demo.process.stdout.readline().rstrip() for _ in range(4)]
    assert re.fullmatch(r"(The town|The mafia) wins\.|A draw\.", said[0])
    assert said[1:] == [
        "The scoreboard shows roles and points.",
        "Hold VOTE at your seat for another game.",
        "Ctrl-C ends the demo.",
    ]
    player.hold("vote")
    player.play_until("Your card")
    player.stream.close()
    demo.process.send_signal(signal.SIGINT)
    code, out, err, _ = demo.end(START_S)
    assert (code, out, err) == (130, "", "")


@pytest.mark.proof
@needs_mosquitto
def test_a_demo_that_nobody_plays_says_who_won_and_goes_on(start):
    demo = start("--speed", "60", "--seed", "7", "--turbo")
    demo.first_line()
    said = [demo.process.stdout.readline().rstrip() for _ in range(3)]
    assert re.fullmatch(r"(The town|The mafia) wins\.|A draw\.", said[0])
    assert said[1:] == ["The scoreboard shows roles and points.", "Ctrl-C ends the demo."]
    assert demo.process.poll() is None


def test_a_seat_that_the_table_has_not_is_one_clear_line():
    assert "11 is not in the range 1<=x<=10" in one_line("--seat", "11")


@pytest.fixture
def opened(monkeypatch, tmp_path):
    """Opens a seat's page as a demo does; returns what the browser was given."""
    given = []
    monkeypatch.setattr(webbrowser, "open", given.append)

    def opens():
        _open(tmp_path, {3: "http://127.0.0.1:1/secret/"})
        return given

    return opens


def test_the_browser_is_not_told_the_address_where_others_could_read_it(opened, monkeypatch):
    monkeypatch.setenv("DISPLAY", ":0")
    (url,) = opened()
    assert "secret" not in url
    path = Path(url.removeprefix("file://"))
    assert path.stat().st_mode & 0o777 == 0o600
    assert "url=http://127.0.0.1:1/secret/" in path.read_text("utf-8")


def test_without_a_display_no_browser_is_opened(opened, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert opened() == []

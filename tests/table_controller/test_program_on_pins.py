"""The table program with its own lights and buttons, on mock pins and on pins that fail."""

import contextlib
import http.client
import io
import re
import signal
import subprocess
import sys
import threading
import urllib.parse
import zipfile
from types import SimpleNamespace

import pytest

from firmware.board import SEAT_LIGHT_PINS, mock_pins
from firmware.card import LinkCard, ScoreboardCard, TableCard, save
from firmware.errors import BoardError
from firmware.mosquitto import free_port
from firmware.pin import FILE, PinFile
from table_controller import program
from table_controller.game import Phase, actions
from table_controller.host.notices import NoticeKind
from table_controller.lights import Lights
from table_controller.record.journals import Journals

PROGRAM = """
import sys, threading
from pathlib import Path
from firmware import service
from firmware.board import TABLE_BUTTON_PINS, mock_pins
from table_controller.record.journals import Journals
from table_controller.program import Options, run_table

def hands():
    for line in sys.stdin:
        name, level = line.split()
        pin = pins.pin(TABLE_BUTTON_PINS[name])
        (pin.drive_low if level == "down" else pin.drive_high)()

def fitted():
    print("pins opened", flush=True)
    return pins

def shut_down():
    Journals(data / "journal").close()
    print("off", flush=True)

service.start_logging()
data, pins = Path(sys.argv[2]), mock_pins()
threading.Thread(target=hands, daemon=True).start()
rehearsal = Path(sys.argv[3]) if len(sys.argv) > 3 else None
run_table(Options(Path(sys.argv[1]), rehearsal=rehearsal), pins=fitted, shut_down=shut_down)
"""


PATIENCE_S = 60.0
PIN = "40718263"


@pytest.fixture
def start(tmp_path):
    """Starts the table program; no broker answers it."""
    link = LinkCard(host="127.0.0.1", port=free_port(), password="secret")
    scoreboard = ScoreboardCard(bind="127.0.0.1", port=free_port())
    card = TableCard(
        table="test", link=link, data_dir=str(tmp_path / "data"), scoreboard=scoreboard
    )
    save(tmp_path / "kit.toml", card)
    with contextlib.ExitStack() as stack:

        def go(*more):
            process = subprocess.Popen(
                (sys.executable, "-c", PROGRAM, tmp_path / "kit.toml", tmp_path / "data", *more),
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            )  # fmt: skip
            stack.enter_context(process)
            stack.callback(process.kill)
            # What never comes ends the test, and not the patience of whoever waits for it.
            patience = threading.Timer(PATIENCE_S, process.kill)
            patience.start()
            stack.callback(patience.cancel)
            return process

        yield go


def hand(process, line):
    process.stdin.write(line + "\n")
    process.stdin.flush()


def until(process, text):
    """Return what it said up to the line with *text*."""
    said = []
    for line in process.stdout:
        said.append(line)
        if text in line:
            return "".join(said)
    raise AssertionError(f"no {text!r} in {''.join(said)}")


def test_start_begins_a_game_and_stop_ends_the_program_before_the_machine(start, tmp_path):
    process = start()
    # It has its buttons before it looks for its broker.
    until(process, "no link to the broker")
    hand(process, "start down")
    until(process, "begins")
    hand(process, "start up")
    hand(process, "stop down")
    said = until(process, "off")
    assert "stop was held for 3 s" in said
    assert process.wait(15.0) == 0
    journals = Journals(tmp_path / "data" / "journal")
    *_, last = journals.current().rows()
    journals.close()
    assert last.entry.action == actions.Pause()


class Host:
    """A host's phone, logged in at the running program."""

    def __init__(self, said):
        self.address = re.search(r"http://[^:]+:(\d+)/", said)[1]
        self.cookies = ""
        _, page, self.cookies = self.ask("GET", "/host/login")
        form = {"pin": PIN, "csrf": field(page, "csrf")}
        status, _, self.cookies = self.ask("POST", "/host/login", form)
        assert status == 303

    def ask(self, method, path, form=None):
        line = http.client.HTTPConnection("127.0.0.1", int(self.address), timeout=PATIENCE_S)
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": self.cookies}
        line.request(method, path, urllib.parse.urlencode(form or {}), headers)
        answer = line.getresponse()
        given = answer.headers.get_all("Set-Cookie", [])
        body = answer.read()
        line.close()
        return answer.status, body, "; ".join(each.partition(";")[0] for each in given)


def field(page, name):
    return re.search(rf'name="{name}" value="([^"]*)"', page.decode())[1]


@pytest.fixture
def pin(tmp_path):
    (tmp_path / "data").mkdir(mode=0o700)
    PinFile(tmp_path / "data" / FILE).write(PIN)


@pytest.mark.usefixtures("pin")
def test_a_host_switches_the_table_off_and_is_told_before_it_goes(start, tmp_path):
    process = start()
    host = Host(until(process, "Scoreboard:"))
    hand(process, "start down")
    until(process, "begins")
    status, bundle, _ = host.ask("GET", "/host/files/fault.zip")
    assert status == 200
    with zipfile.ZipFile(io.BytesIO(bundle)) as parts:
        log, doctor = (parts.read(name).decode() for name in ("log.txt", "doctor.txt"))
    assert re.search(r"I table_controller.playing: game \S+ begins", log)
    assert "table test" in doctor
    page = host.ask("GET", "/host/files")[1]
    form = {"csrf": field(page, "csrf"), "id": field(page, "id")}
    status, answer, _ = host.ask("POST", "/host/files/shutdown", form)
    assert (status, b"The table switches itself off now." in answer) == (200, True)
    assert "a host switches the table off" in until(process, "off\n")
    assert process.wait(15.0) == 0
    with contextlib.closing(Journals(tmp_path / "data" / "journal")) as journals:
        *_, last = journals.current().rows()
    assert last.entry.action == actions.Pause()


@pytest.mark.usefixtures("pin")
def test_a_host_of_a_rehearsal_does_not_switch_this_machine_off(start, tmp_path):
    process = start(str(tmp_path / "r"))
    host = Host(until(process, "Scoreboard:"))
    page = host.ask("GET", "/host/files")[1]
    form = {"csrf": field(page, "csrf"), "id": field(page, "id")}
    assert host.ask("POST", "/host/files/shutdown", form)[0] == 409
    process.send_signal(signal.SIGTERM)
    assert "\noff\n" not in process.stdout.read()


def test_a_rehearsal_touches_no_pin(start, tmp_path):
    process = start(str(tmp_path / "r"))
    assert "pins opened" not in until(process, "Scoreboard:")
    process.send_signal(signal.SIGTERM)
    assert "pins opened" not in process.stdout.read()
    assert process.wait(15.0) == 0


# ---- public symptom 37: the LED library fails (jgarff/rpi_ws281x 528) ----


def faults(rig):
    kinds = (NoticeKind.LIGHTS_FAIL, NoticeKind.BUTTONS_FAIL)
    return [notice.kind for notice in rig.table.notices.all if notice.kind in kinds]


def with_lights(rig, lights):
    """Let the table start anew with *lights*."""
    rig.kill_table()
    rig.start_table(lights)
    rig.settle()


def broken_pins(*broken):
    pins = mock_pins()
    pin = pins.pin

    def refuse(gpio):
        if gpio in broken:
            raise RuntimeError("Hardware revision is not supported")
        return pin(gpio)

    pins.pin = refuse
    return pins


def no_pins():
    raise BoardError("GPIO pins cannot be opened")


def test_public_symptom_37_lights_that_fail_at_the_start_leave_the_buttons_and_the_game(rig):
    pins, levels = broken_pins(SEAT_LIGHT_PINS[3]), []
    with contextlib.ExitStack() as stack:
        panel = program._open_panel(lambda: pins, levels.append, stack)
        assert "light of seat 4 on GPIO12: Hardware revision" in panel.lights.fault
        assert panel.fault == ""
        with_lights(rig, panel.lights)
        assert faults(rig) == [NoticeKind.LIGHTS_FAIL]
        pins.pin(26).drive_low()
        assert [level.button for level in levels] == ["start"]
        rig.to_first_day()
        rig.advance(100.0)
        assert (rig.phase, rig.state.floor) == (Phase.SPEECH, 2)
        assert faults(rig) == [NoticeKind.LIGHTS_FAIL]


def test_buttons_that_fail_leave_the_lights():
    with contextlib.ExitStack() as stack:
        panel = program._open_panel(lambda: broken_pins(26), SimpleNamespace, stack)
        assert "start on GPIO26" in panel.fault
        assert panel.lights.fault == ""


def test_without_any_pins_both_are_told_of(rig):
    with contextlib.ExitStack() as stack:
        panel = program._open_panel(no_pins, rig.inbox.put, stack)
    assert panel.fault == panel.lights.fault == "GPIO pins cannot be opened"


def test_public_symptom_37_lights_that_fail_in_a_game_are_told_of_once(rig, caplog):
    class Failing:
        writes = 0

        def set(self, values):
            self.writes += 1
            raise BoardError("phase lamp red on GPIO22: bad handle")

    failing = Failing()
    with_lights(rig, Lights(failing))
    rig.to_first_day()
    rig.advance(100.0)
    assert (rig.phase, rig.state.floor) == (Phase.SPEECH, 2)
    assert failing.writes > 5, "tried once only"
    assert faults(rig) == [NoticeKind.LIGHTS_FAIL]
    assert caplog.text.count("bad handle") == 1

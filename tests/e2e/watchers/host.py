"""Watcher (d): the host, who has typed the PIN and reads every page behind the door."""

import http.client
import json
import re
import subprocess
import sys
import threading
import urllib.parse

from firmware.clock import SystemClock
from tests.e2e.watchers.lan import PATIENCE_S, Pages, served

SHEET, STREAM, BOARD = "/host/state", "/host/events", "/state"
DATA = b"data: "

CLOCK = SystemClock()


def new_pin(house):
    """Return a PIN made by the command while the table runs."""
    card = str(house.folder / "table.toml")
    done = subprocess.run(
        [sys.executable, "-m", "table_controller", "pin", "--card", card],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    return re.search(r"\d{4} \d{4}", done.stdout)[0].replace(" ", "")


def log_in(address, pin):
    """Return the cookies of a session of the host."""
    line = http.client.HTTPConnection(urllib.parse.urlparse(address).netloc, timeout=PATIENCE_S)
    line.request("GET", "/host/login")
    answer = line.getresponse()
    csrf = re.search(r'name="csrf" value="([^"]*)"', answer.read().decode())[1]
    form = answer.headers["Set-Cookie"].partition(";")[0]
    line.request(
        "POST", "/host/login", urllib.parse.urlencode({"csrf": csrf, "pin": pin}),
        {"Cookie": form, "Content-Type": "application/x-www-form-urlencoded"},
    )  # fmt: skip
    answer = line.getresponse()
    answer.read()
    assert answer.status == 303, answer.status
    given = [each.partition(";")[0].split("=", 1) for each in answer.headers.get_all("Set-Cookie")]
    line.close()
    return {name: value for name, value in given if value}


class HostWatcher(Pages):
    """Records every page, stream and header that the host can get.

    The sheet is drafted ten times a second at most, whatever happens meanwhile: which sheets
    there are in between is chance by day. So each look waits for the one of now.
    """

    def __init__(self, house):
        super().__init__(house.address, served(house)[True], log_in(house.address, new_pin(house)))
        self.now = []
        """The last event of the stream at each look."""
        self.look()
        assert self.told["/host"][-1][0] == 200, "the door is shut"

    def look(self):
        """Ask for all pages once the sheet is that of the board, and in the stream too."""
        if STREAM in self.streams:
            stream, board = self.streams[STREAM], board_of(self._body(BOARD))
            self._until(lambda: board_of(stream.events[-1].removeprefix(DATA)) == board)
            self._until(lambda: stream.events[-1] == DATA + self._body(SHEET) + b"\n")
            self.now.append(stream.events[-1])
        super().look()

    def recording(self):
        """Return what was told, by path; of the sheets in the stream those of each look.

        By night there is no chance in it: nothing changes.
        """
        told = super().recording()
        events = [each for each in told[STREAM][1:] if b'"phase":"night"' in each]
        return told | {STREAM: [told[STREAM][0], *self.now], f"{STREAM} by night": events}

    def _body(self, path):
        return self._ask(path)[2]

    def _until(self, done):
        end_s = CLOCK.now_s() + PATIENCE_S
        while not done():
            assert CLOCK.now_s() < end_s, "the sheet does not follow the board"
            threading.Event().wait(0.01)


def board_of(body):
    """Return the board in a sheet or by itself, without its clocks: they have moved on.

    False: it is neither, but the beginning of a stream.
    """
    if not body.startswith(b"{"):
        return False
    told = json.loads(body.replace(b":*", b":0"))
    board = told["sheet"] and told["sheet"]["board"] if "sheet" in told else told["board"]
    return board and board | {"clocks": []}

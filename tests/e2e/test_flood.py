"""A stranger floods the scoreboard during a game: the players and the host notice nothing."""

import contextlib
import http.client
import json
import re
import subprocess
import sys
import urllib.parse
from collections import Counter
from pathlib import Path

import pytest

from firmware.pin import FILE, PinFile

FLOODING = Path(__file__).parents[1] / "bench" / "flooding.py"
PIN = "40718263"

ANSWER_S = 1.0
"""From a press on its seat's screen to the answer there; then the screen says that it waits."""

PAGE_S = 2.0
"""The host's page must be there so soon, on two processors that everything here shares."""

SPEED, SPEECH_S = 20.0, 60.0 / 20.0
LATE_S = 0.5
"""What is said may be so much later than it was due; nothing adds up."""


@contextlib.contextmanager
def flood(house):
    """Flood the scoreboard meanwhile; then the yielded counter tells what was answered."""
    answers = Counter()
    port = house.address.rstrip("/").rpartition(":")[2]
    program = [sys.executable, str(FLOODING), port]
    with subprocess.Popen(
        program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "flooding\n"
        yield answers
        answers.update(json.loads(process.communicate(timeout=30)[0]))


class Host:
    """A browser on the controller itself."""

    def __init__(self, house, clock):
        self._port = int(house.address.rstrip("/").rpartition(":")[2])
        self._clock = clock
        self._cookies = {}
        self.slowest_s = 0.0

    def ask(self, method, path, body=None):
        began_s = self._clock.now_s()
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        headers = {"Accept": "text/html", "Cookie": cookies}
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        line.request(method, path, body, headers)
        answer = line.getresponse()
        text = answer.read().decode()
        for given in answer.headers.get_all("Set-Cookie", []):
            name, _, value = given.partition("=")
            self._cookies[name] = value.partition(";")[0]
        line.close()
        self.slowest_s = max(self.slowest_s, self._clock.now_s() - began_s)
        return answer.status, text

    def log_in(self):
        csrf = re.search(r'name="csrf" value="([^"]*)"', self.ask("GET", "/host/login")[1])[1]
        form = urllib.parse.urlencode({"pin": PIN, "csrf": csrf})
        return self.ask("POST", "/host/login", form)[0]


def test_in_a_flood_every_press_is_answered_and_the_host_gets_in(director):
    house, stage = director.house, director.stage
    PinFile(house.folder / "data" / FILE).write(PIN)
    director.begin()
    director.speech_of(1)
    pressed_s, waits_s = {}, []

    def look(panel):
        now_s = stage.clock.now_s()
        if panel.shown.waiting:
            pressed_s.setdefault(panel.seat, now_s)
        elif panel.seat in pressed_s:
            waits_s.append(now_s - pressed_s.pop(panel.seat))

    stage.on_shown.append(look)
    host = Host(house, stage.clock)
    with flood(house) as answers:
        for seat in range(2, 8):
            director.shout(seat)
            assert host.ask("GET", "/state")[0] == 200
            stage.step()
        assert host.log_in() == 303
        assert host.ask("GET", "/host")[0] == 200
        tv = http.client.HTTPConnection("127.0.0.1", host._port, timeout=30)
        tv.request("GET", "/events")
        assert tv.getresponse().status == 200, "places are kept for the table's own screens"
        tv.close()
        director.settle(*range(2, 8))
    assert len(waits_s) >= 6
    assert pressed_s == {}
    assert max(waits_s) < ANSWER_S, waits_s
    assert host.slowest_s < PAGE_S
    assert answers["431"] > 0
    assert answers["503"] > 0
    assert answers["cut"] > 0
    game = director.until_state(lambda game: game["seats"][6]["fouls"], "the fouls")
    assert [seat["fouls"] for seat in game["seats"]] == [0, 1, 1, 1, 1, 1, 1, 0, 0, 0]


@pytest.mark.proof
def test_in_a_flood_the_clocks_run_as_ever(new_house, director_class):
    house = new_house(speed=SPEED, seed=1)
    director, stage = director_class(house), house.stage
    said_s = []
    house.wait_ready()
    stage.on_heard.append(
        lambda heard: said_s.append(stage.clock.now_s()) if heard.phrase == "speech" else None
    )
    director.all_hold(*range(1, 11), until="seating")
    director.vote(*range(1, 11))
    director.until(lambda: said_s, "the first speech", 60.0)
    with flood(house):
        director.until(lambda: len(said_s) >= 6, "six speeches", 60.0)
    first_s = said_s[0]
    lates = [at_s - first_s - number * SPEECH_S for number, at_s in enumerate(said_s)]
    assert all(abs(late_s) < LATE_S for late_s in lates), lates

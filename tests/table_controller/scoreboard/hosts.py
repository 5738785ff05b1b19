"""Hosts at the console's paths: a browser of the application, and one at a real socket."""

import concurrent.futures
import contextlib
import http.client
import json
import re
import threading

import pytest

from firmware.pin import FILE, PinFile
from table_controller.host.ordering import ConsoleRequest
from table_controller.host.people import People
from table_controller.league import open_league
from table_controller.scoreboard import create_app
from table_controller.scoreboard.console.access import Access
from table_controller.scoreboard.serve import serve

PIN = "40718263"


class Host:
    """A host's browser: logged in, with the sheet that it showed last."""

    def __init__(self, app, rig):
        self.client, self.rig, self.ids = app.test_client(), rig, 0
        form = self.client.get("/host/login").text
        csrf = re.search(r'name="csrf" value="([^"]*)"', form)[1]
        self.client.post("/host/login", data={"pin": PIN, "csrf": csrf})
        self.csrf = re.search(r'data-csrf="([^"]*)"', self.get("/host"))[1]
        self.sheet = {}

    def get(self, path):
        return self.client.get(path).text

    def look(self, language="en"):
        self.rig.advance(0.2)
        self.sheet = self.client.get(f"/host/state?lang={language}").json["sheet"]
        return self.sheet

    def order(self, do, step=None, id_="", language="en", **fields):
        self.ids += 1
        body = {
            "id": id_ or f"{id(self)}-{self.ids}",
            "step": self.sheet["step"] if step is None else step,
            "order": {"do": do, **fields},
        }
        return self.client.post(
            f"/host/order?lang={language}", json=body, headers={"X-CSRF-Token": self.csrf}
        )


@pytest.fixture
def access(rig, tmp_path, monkeypatch):
    monkeypatch.setattr("firmware.pin.N", 2)
    file = PinFile(tmp_path / FILE)
    file.write(PIN)
    return Access(file, rig.clock)


@pytest.fixture
def club(tmp_path, clock):
    with contextlib.closing(open_league(tmp_path / "league.db", clock)) as club:
        yield club


@pytest.fixture
def app(rig, access, club):
    def put(request, reply):
        rig.inbox.put(ConsoleRequest(request, reply))
        rig.settle()

    people = People(club)
    rig.table.lineups._people = people
    return create_app(rig.hub, "en", access=access, console=(rig.sheets, put), people=people)


@pytest.fixture
def host(app, rig):
    return Host(app, rig)


class Served:
    """A real server before a real table, whose loop is this thread's."""

    def __init__(self, rig, access):
        self.rig, self.came = rig, threading.Event()
        app = create_app(rig.hub, "en", access=access, console=(rig.sheets, self.put))
        self.server = serve(app, "127.0.0.1", 0, clock=rig.clock)

    def put(self, request, reply):
        self.rig.inbox.put(ConsoleRequest(request, reply))
        self.came.set()

    def while_the_table_runs(self, *calls):
        """Return what *calls* return, each made in a thread of its own."""
        with concurrent.futures.ThreadPoolExecutor() as threads:
            made = [threads.submit(call) for call in calls]
            while not all(each.done() for each in made):
                self.came.wait(0.05)
                self.came.clear()
                self.rig.settle()
            return [each.result() for each in made]


@pytest.fixture
def served(rig, access):
    served = Served(rig, access)
    yield served
    served.server.stop()


class Browser:
    """A session of its own at a real socket."""

    def __init__(self, port):
        self.port, self.cookies = port, {}
        form = self.ask("GET", "/host/login").decode()
        csrf = re.search(r'name="csrf" value="([^"]*)"', form)[1]
        self.ask(
            "POST", "/host/login", f"pin={PIN}&csrf={csrf}", "application/x-www-form-urlencoded"
        )
        page = self.ask("GET", "/host").decode()
        self.csrf = re.search(r'data-csrf="([^"]*)"', page)[1]

    def ask(self, method, path, body=None, kind="application/json", **headers):
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        kept = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        line.request(
            method, path, body,
            {"Accept": "text/html", "Content-Type": kind, "Cookie": kept, **headers},
        )  # fmt: skip
        answer = line.getresponse()
        self.status, read = answer.status, answer.read()
        for each in answer.headers.get_all("Set-Cookie", []):
            name, _, value = each.partition(";")[0].partition("=")
            self.cookies[name] = value
        line.close()
        return read

    def state(self):
        return json.loads(self.ask("GET", "/host/state"))["sheet"]

    def order(self, id_, step, **order):
        body = json.dumps({"id": id_, "step": step, "order": order})
        token = {"X-CSRF-Token": self.csrf}
        return json.loads(self.ask("POST", "/host/order", body, **token))

"""The host's orders by HTTP: what is answered, and what the sheet shows after it."""

import re

import pytest

from table_controller.ordering import ConsoleRequest
from table_controller.scoreboard import create_app
from table_controller.scoreboard.access import Access
from table_controller.scoreboard.pin import FILE, PinFile
from tests.table_controller.conftest import rig as rig

PIN = "40718263"


class Host:
    """A host's browser: logged in, with the sheet that it showed last."""

    def __init__(self, app, rig):
        self.client, self.rig, self.ids = app.test_client(), rig, 0
        form = self.client.get("/host/login").text
        csrf = re.search(r'name="csrf" value="([^"]*)"', form)[1]
        self.client.post("/host/login", data={"pin": PIN, "csrf": csrf})
        self.csrf = re.search(r'name="csrf" value="([^"]*)"|data-csrf="([^"]*)"', self.get("/host"))
        self.csrf = self.csrf[1] or self.csrf[2]
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
def app(rig, tmp_path, monkeypatch):
    monkeypatch.setattr("table_controller.scoreboard.pin.N", 2)
    file = PinFile(tmp_path / FILE)
    file.write(PIN)

    def put(request, reply):
        rig.inbox.put(ConsoleRequest(request, reply))
        rig.settle()

    return create_app(rig.hub, "en", access=Access(file, rig.clock), console=(rig.sheets, put))


@pytest.fixture
def host(app, rig):
    return Host(app, rig)


def test_the_host_pauses_and_goes_on(rig, host):
    rig.to_first_day()
    assert host.look()["phase"] == "speech"
    assert "pause" in host.sheet["orders"]
    answer = host.order("pause")
    assert (answer.status_code, answer.json["done"]) == (200, True)
    assert rig.state.paused
    assert host.look()["paused"] is True
    assert "resume" in host.sheet["orders"]
    assert host.order("resume").json["done"]
    assert not rig.state.paused


def test_a_foul_and_a_longer_and_an_ended_speech(rig, host):
    rig.to_first_day()
    host.look()
    assert host.order("give_foul", seat=4).json["done"]
    assert host.look()["game"]["public"]["seats"][3]["fouls"] == 1
    (clock,) = host.sheet["game"]["countdowns"]
    left_s = host.sheet["board"]["clocks"][0]["left_s"]
    assert host.order("extend_countdown", countdown=clock["id"], by_s=30).json["done"]
    assert host.look()["board"]["clocks"][0]["left_s"] == pytest.approx(left_s + 30, abs=1)
    assert host.order("end_countdown", countdown=clock["id"]).json["done"]
    assert rig.state.floor == 2

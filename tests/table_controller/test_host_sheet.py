"""What the table tells its host stands on the host's page, behind its door."""

import re

import pytest

from firmware.wire import Health
from table_controller.game import SEATS
from table_controller.scoreboard import create_app
from table_controller.scoreboard.access import Access
from table_controller.scoreboard.pin import FILE, PinFile

PIN = "40718263"


@pytest.fixture
def page(rig, tmp_path, monkeypatch):
    """Reads the host's page as one who has logged in."""
    monkeypatch.setattr("table_controller.scoreboard.pin.N", 2)
    file = PinFile(tmp_path / FILE)
    file.write(PIN)
    client = create_app(rig.hub, "en", access=Access(file, rig.clock)).test_client()
    form = client.get("/host/login").text
    csrf = re.search(r'name="csrf" value="([^"]*)"', form)[1]
    assert client.post("/host/login", data={"pin": PIN, "csrf": csrf}).status_code == 303
    return lambda language="en": client.get(f"/host?lang={language}").text


def test_without_news_it_says_that_nothing_is_wrong(page):
    assert "Nothing is wrong." in page()


def test_a_lost_seat_is_told_there(rig, page):
    rig.to_first_day()
    rig.broker.lose("node-05")
    rig.advance(40.0)
    assert "Seat 5 has lost its device node-05" in page()


def test_before_the_deal_it_says_who_is_missing_what(rig, page):
    rig.table.asides.readiness._owed = True
    rig.all_hold()
    node = rig.show.nodes.at(3)
    node.health, node.parts = Health(boot=node.boot, up_s=1.0, eyes="dark"), (*node.parts, "eyes")
    rig.press(3)
    text = page()
    assert re.search(r"3 \w+</b> VOTE: pressed, SHOUT: missing", text)
    assert re.search(r"4 \w+</b> VOTE: missing, SHOUT: missing", text)
    assert "Camera: too dark" in text
    assert "VOTE: gedrückt" in page("de")


def test_after_the_deal_nothing_of_the_round_is_left_and_no_role_is_there(rig, page):
    rig.to_first_day()
    text = page()
    assert "Before the deal" not in text
    assert not re.search("citizen|sheriff|mafia|don\\b", text.replace("mafia_", ""), re.IGNORECASE)
    assert len(SEATS) == len(rig.state.roles)

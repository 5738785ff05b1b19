"""Where phones find the scoreboard."""

import re

import pytest
import segno

from table_controller.scoreboard import create_app
from table_controller.scoreboard.pages.address import public_address

GIVEN = "http://mafia.local:8080/"


def address_at(hub, host, given=GIVEN):
    app = create_app(hub, "en", address=given)
    with app.test_request_context("/", headers={"Host": host}):
        return public_address()


@pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1:8080", "[::1]:8080"])
def test_the_controllers_own_screen_shows_the_address_that_others_use(hub, host):
    assert address_at(hub, host) == GIVEN


@pytest.mark.parametrize("host", ["192.168.178.23:8080", "mafia.local", "[fe80::1]:8080"])
def test_another_device_shows_what_it_has_called_the_table_by(hub, host):
    assert address_at(hub, host) == f"http://{host}/"


def test_a_table_that_no_phone_can_reach_shows_no_way_to_it(hub):
    client = create_app(hub, "en").test_client()
    assert client.get("/qr.svg").status_code == 404
    assert "qr.svg" not in client.get("/").text


def test_the_page_shows_code_and_address(hub):
    client = create_app(hub, "en", address=GIVEN).test_client()
    html = client.get("/").text
    assert 'src="/qr.svg" alt="QR code: mafia.local:8080"' in html
    svg = client.get("/qr.svg")
    assert svg.mimetype == "image/svg+xml"
    assert re.findall(r"style=|<style|<script|href", svg.text) == []


def test_the_code_is_that_of_the_address(hub):
    client = create_app(hub, "en", address=GIVEN).test_client()
    wanted = segno.make(GIVEN, error="m", micro=False)
    drawn = wanted.svg_inline(border=3, omitsize=True, dark="#000", light="#fff")
    assert (
        client.get("/qr.svg").text.partition("<path")[2].strip()
        == drawn.partition("<path")[2].strip()
    )


def test_a_strangers_name_gets_neither_page_nor_code(hub):
    client = create_app(hub, "en", address=GIVEN).test_client()
    assert client.get("/qr.svg", headers={"Host": "evil.example"}).status_code == 421

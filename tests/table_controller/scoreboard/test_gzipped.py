"""What travels compressed, what never does, and how much the whole table page weighs."""

import gzip
import re

import pytest
from flask import Flask, Response

from table_controller.scoreboard import create_app
from table_controller.scoreboard.gzipped import add_gzip
from tests.table_controller.scoreboard.hosts import access as access

PAGE_MAX = 60 * 1024
"""Bytes over the wire: page, scripts, styles, icon, board. Source: the product's own promise."""


@pytest.fixture
def client(hub):
    return create_app(hub, "en", address="http://mafia.local/").test_client()


def asked(client, path, encoding="gzip, deflate", **headers):
    return client.get(path, buffered=True, headers={"Accept-Encoding": encoding} | headers)


@pytest.mark.parametrize("path", ["/", "/state", "/static/table.js", "/static/table.css", "/help"])
def test_a_public_text_is_compressed_for_whoever_asks(client, hub, boards, path):
    hub.publish(boards["speech"])
    plain = asked(client, path, encoding="identity")
    packed = asked(client, path)
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < 0.6 * len(plain.data)
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert "Accept-Encoding" in packed.headers["Vary"]


def test_a_compressed_file_is_not_sent_twice(client):
    first = asked(client, "/static/table.js")
    again = asked(client, "/static/table.js", **{"If-None-Match": first.headers["ETag"]})
    assert first.headers["ETag"].startswith("W/")
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize(
    ("path", "cookie", "packed"),
    [("/page", "", True), ("/page", "a=b", False), ("/host", "", False), ("/host/page", "", False)],
)
def test_no_host_page_and_none_that_sets_a_cookie_is_compressed(path, cookie, packed):
    app = Flask("pages")
    add_gzip(app)

    @app.get(path)
    def page():
        return Response("secret " * 500, headers={"Set-Cookie": cookie} if cookie else {})

    answer = asked(app.test_client(), path)
    assert ("Content-Encoding" in answer.headers) is packed


def test_the_hosts_door_is_not_compressed(hub, access):
    client = create_app(hub, "en", access=access).test_client()
    answer = asked(client, "/host/login", Host="localhost")
    assert answer.status_code == 200
    assert len(answer.data) > 512
    assert "Content-Encoding" not in answer.headers


def test_the_stream_of_events_is_not_compressed(hub, boards, serving):
    import http.client

    hub.publish(boards["speech"])
    link = http.client.HTTPConnection("127.0.0.1", serving(hub).port, timeout=10)
    link.request("GET", "/events", headers={"Accept-Encoding": "gzip"})
    answer = link.getresponse()
    assert answer.getheader("Content-Encoding") is None
    assert answer.readline() == b"retry: 1000\n"
    link.close()


@pytest.mark.parametrize("language", ["en", "ru", "de"])
def test_the_whole_table_page_is_small_over_the_wire(client, hub, boards, language):
    hub.publish(boards["over"])
    html = gzip.decompress(asked(client, f"/?lang={language}").data).decode()
    todo = {f"/?lang={language}", f"/words/end.json?lang={language}", "/state"}
    todo |= set(re.findall(r'(?:src|href)="(/static/[^"]*|/qr.svg)"', html))
    sizes = {path: len(asked(client, path).data) for path in todo}
    assert {"/static/ring.js", "/static/table_wide.css", "/qr.svg"} <= sizes.keys()
    assert sum(sizes.values()) < PAGE_MAX
    assert sum(sizes.values()) < 40_000  # more than that is news


def test_every_module_that_a_script_asks_for_is_named_in_the_page(client):
    html = client.get("/").text
    named = set(re.findall(r'href="/static/([^"]+\.js)"', html))
    asks = set()
    for script in {*named, "table.js"}:
        source = client.get(f"/static/{script}", buffered=True).text
        asks |= set(re.findall(r'from "\./([^"]+)"', source))
    assert asks == named

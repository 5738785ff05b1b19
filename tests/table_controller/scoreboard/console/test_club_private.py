"""Nothing of an appeal is told to anybody but the host: no public page, stream, log or message."""

import json
import re

import pytest

from firmware.pin import FILE, PinFile
from table_controller.game import Phase, actions
from table_controller.game.terms import Offence, Sanction
from table_controller.league import open_league
from table_controller.record.offenders import offenders
from table_controller.scoreboard import create_app
from table_controller.scoreboard.console.access import Access
from table_controller.scoreboard.console.club import Club
from tests.table_controller.conftest import rig as rig
from tests.table_controller.conftest import roles as roles

from .test_club_pages import PIN, Host

MARK = "Geheimnis"
"""In all that is private: texts, reasons, who took it down or decided."""


@pytest.fixture
def app(rig, tmp_path, monkeypatch):
    monkeypatch.setattr("firmware.pin.N", 2)
    pin = PinFile(tmp_path / FILE)
    pin.write(PIN)
    league = open_league(tmp_path / "league.db", rig.clock)
    club = Club(league, lambda: offenders(rig.folder))
    yield create_app(
        rig.hub, "en", access=Access(pin, rig.clock), console=(rig.sheets, None), club=club
    )
    league.close()


def first_of(stream):
    """The first board of a stream."""
    for part in stream.response:
        if part.startswith(b"data:"):
            stream.close()
            return part.decode()
    return ""


def public_pages(app):
    """All that anybody can ask for, by path."""
    client, told = app.test_client(), {}
    for rule in app.url_map.iter_rules():
        path = str(rule)
        if path.startswith("/host") or "GET" not in rule.methods:
            continue
        if path == "/events":
            told[path] = first_of(client.get(path))
        elif "<" not in path:
            for language in ("en", "ru", "de"):
                told[f"{path}?{language}"] = client.get(f"{path}?lang={language}").text
    return told


def test_an_appeal_is_on_no_public_page_stream_or_message_and_in_no_log(
    app, rig, roles, caplog, capfd, tmp_path
):
    caplog.set_level("DEBUG")
    rig.to_first_day()
    mafia = [seat for seat, role in roles.items() if role.team == "mafia"]
    for seat in mafia:
        action = actions.Rule(Sanction.DISQUALIFICATION, seat, Offence.THREATS)
        rig.table.playing.act(action, rig.now_s)
    rig.settle()
    assert rig.phase is Phase.OVER
    before = public_pages(app)
    assert {path.partition("?")[0] for path in before} >= {"/", "/state", "/events", "/privacy"}

    host = Host(app)
    link = re.search(r'href="(/host/bars/new\?[^"]*)"', host.get("/host/bars").text)[1]
    fields = dict(
        re.findall(r'name="(\w+)"[^>]* value="([^"]*)"', host.get(link.replace("&amp;", "&")).text)
    )
    bar = {"time": "good", "reason": f"{MARK} 1", "decided_by": f"{MARK} 2"}
    fields = {name: fields[name] for name in ("who", "game", "seat")} | bar
    assert "The player is barred." in host.post("/host/bars/new", **fields).text
    game, seat, name = fields["game"], fields["seat"], fields["who"]
    form = {"case": f"{game}/{seat}", "text": f"{MARK} 3", "by": f"{MARK} 4"}
    page = host.post("/host/appeals/new", **form)
    assert "The appeal is taken down." in page.text
    assert f"{MARK} 3" in page.text
    appeal = re.search(r"/host/appeals/(\w+)/note", page.text)[1]
    host.post(f"/host/appeals/{appeal}/note", text=f"{MARK} 5", by=f"{MARK} 6")
    # Refused, and so perhaps logged with what was typed.
    host.post(f"/host/appeals/{appeal}/decide", verdict="", text=f"{MARK} 7", by=f"{MARK} 8")

    rig.advance(30)
    open_ = public_pages(app)
    form = {"verdict": "upheld", "text": f"{MARK} 9", "by": f"{MARK} 10"}
    assert "is decided" in host.post(f"/host/appeals/{appeal}/decide", **form).text
    rig.advance(30)
    decided = public_pages(app)
    for told in (open_, decided):
        assert told.keys() == before.keys()
        assert [path for path, text in told.items() if MARK in text or appeal in text] == []
        for path in before.keys() - {"/events", "/state?en", "/state?ru", "/state?de"}:
            assert told[path] == before[path], path
        # The result stands, too: points are no matter of the game's own page.
        for path in ("/state?en", "/state?ru", "/state?de"):
            assert json.loads(told[path])["board"] == json.loads(before[path])["board"]
    retained = [str(message) for message in rig.broker.retained.values()]
    assert retained
    sheet = app.test_client().get("/host/state")
    assert sheet.status_code == 403
    log = caplog.text + "".join(capfd.readouterr())
    for text in (*retained, log, str(rig.room.heard)):
        assert MARK not in text
        assert appeal not in text
    journals = b"".join(path.read_bytes() for path in rig.folder.rglob("*") if path.is_file())
    assert MARK.encode() not in journals
    assert name.encode() in journals


def test_a_page_that_fails_logs_nothing_of_what_was_typed(app, rig, caplog, capfd, tmp_path):
    import sqlite3

    host = Host(app)
    csrf = host.csrf_of(host.get("/host/players"))
    db = sqlite3.connect(tmp_path / "league.db")
    db.execute("drop table appeal_entry")
    db.execute("drop table bar")
    db.close()
    form = {"csrf": csrf, "text": f"{MARK} 1", "by": f"{MARK} 2", "verdict": "upheld"}
    form |= {"who": "Anna", "time": "good", "reason": f"{MARK} 3", "decided_by": f"{MARK} 4"}
    for path in ("/host/appeals/x/note", "/host/appeals/x/decide", "/host/bars/new"):
        answer = host.client.post(path, data=form)
        assert answer.status_code in (404, 503)
        assert MARK not in answer.text or answer.status_code == 404
    assert "no such table" in caplog.text
    assert MARK not in caplog.text + "".join(capfd.readouterr())

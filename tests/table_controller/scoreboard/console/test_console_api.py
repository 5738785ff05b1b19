"""The host's orders by HTTP: what is answered, and what the sheet shows after it."""

import re

import pytest

from table_controller.game import Phase
from table_controller.host.ordering import ConsoleRequest
from table_controller.scoreboard import create_app
from tests.table_controller.conftest import rig as rig
from tests.table_controller.scoreboard.hosts import Host
from tests.table_controller.scoreboard.hosts import access as access
from tests.table_controller.scoreboard.hosts import app as app
from tests.table_controller.scoreboard.hosts import club as club
from tests.table_controller.scoreboard.hosts import host as host

# ---- the door ----


def test_without_a_session_or_its_token_nothing_is_told_or_done(rig, app, host):
    rig.to_first_day()
    host.look()
    stranger = app.test_client()
    assert stranger.get("/host/state").status_code == 403
    assert stranger.get("/host/events").status_code == 403
    assert stranger.post("/host/order", json={}).status_code == 403
    host.csrf = "x"
    assert host.order("pause").status_code == 403
    assert not rig.state.paused


# ---- orders ----


def test_the_host_pauses_and_goes_on(rig, host):
    rig.to_first_day()
    assert host.look()["phase"] == "speech"
    assert "pause" in host.sheet["orders"]
    answer = host.order("pause")
    assert (answer.status_code, answer.json["done"]) == (200, True)
    assert answer.json["step"] > host.sheet["step"]
    assert rig.state.paused
    assert host.look()["paused"] is True
    assert "resume" in host.sheet["orders"]
    assert host.order(**host.sheet["next"][0]).json["done"]
    assert not rig.state.paused


def test_a_foul_and_a_longer_and_an_ended_speech(rig, host):
    rig.to_first_day()
    host.look()
    assert host.order("give_foul", seat=4).json["done"]
    assert host.look()["game"]["public"]["seats"][3]["fouls"] == 1
    assert host.sheet["undo"][0]["text"] == "Seat 4 got a foul (1)"
    (clock,) = host.sheet["game"]["countdowns"]
    left_s = host.sheet["board"]["clocks"][0]["left_s"]
    assert host.order("extend_countdown", countdown=clock["id"], by_s=30).json["done"]
    assert host.look()["board"]["clocks"][0]["left_s"] == pytest.approx(left_s + 30, abs=1)
    assert host.order("end_countdown", countdown=clock["id"]).json["done"]
    assert rig.state.floor == 2


def test_a_refusal_is_told_in_the_readers_language(rig, host):
    rig.to_first_day()
    host.look()
    answer = host.order("resume", language="de")
    assert answer.status_code == 409
    assert answer.json["why"] == "Das Spiel ist nicht pausiert."
    rig.shout(4)
    answer = host.order("give_foul", seat=4, language="ru")
    assert answer.json["changed"] == ["Место 4 выкрикнуло и получило фол (1)"]
    assert host.look("de")["undo"][0]["text"].startswith("Platz 4 hat dazwischengerufen")


def test_what_the_table_tells_is_told_each_host_in_its_own_language(rig, app):
    english, german = Host(app, rig), Host(app, rig)
    rig.to_first_day()
    rig.broker.lose("node-03")
    rig.advance(5.0)
    texts = {
        "en": "Seat 3 has lost its device node-03: go on without it, swap it, or wait",
        "de": "Platz 3 hat sein Gerät node-03 verloren: ohne es weiter, tauschen oder warten",
    }
    for _ in range(2):
        for each, language in ((english, "en"), (german, "de")):
            notice = each.look(language)["notices"][-1]
            assert (notice["text"], notice["seat"]) == (texts[language], 3)
            assert "said" not in notice


def test_what_is_no_order_is_told_by_its_field(rig, host):
    rig.to_first_day()
    host.look()
    answer = host.order("give_foul", seat="four")
    assert answer.status_code == 422
    assert "Expected `int`, got `str` - at `$.order.seat`" in answer.json["why"]
    answer = host.client.post(
        "/host/order", data=b"{" + b" " * 20_000, headers={"X-CSRF-Token": host.csrf}
    )
    assert answer.status_code == 413


def test_a_table_that_does_not_answer_is_told_as_such_and_asked_again(rig, access):
    waiting = []
    app = create_app(
        rig.hub,
        "en",
        access=access,
        console=(rig.sheets, lambda request, reply: waiting.append((request, reply))),
        answer_s=0.01,
    )
    rig.to_first_day()
    host = Host(app, rig)
    host.look()
    answer = host.order("give_foul", seat=4, id_="same")
    assert (answer.status_code, answer.json["done"]) == (503, False)
    assert "not known" in answer.json["why"]
    for request, reply in waiting * 2:
        rig.table.take(ConsoleRequest(request, reply))
    assert rig.state.fouls[3] == 1


def test_a_disk_that_takes_nothing_refuses_and_offers_nothing(rig, host):
    rig.to_first_day()
    host.look()
    rig.table.playing._halt.on = True
    rig.table.playing._halt._retry_s = rig.now_s + 1000
    answer = host.order("give_foul", seat=4)
    assert (answer.status_code, "disk" in answer.json["why"]) == (409, True)
    assert host.look()["halted"] is True
    assert host.sheet["orders"] == host.sheet["next"] == []


def test_no_role_is_in_what_a_host_gets_before_the_end(rig, host):
    rig.start_game()
    seen = []
    for phase in (Phase.LOOK, Phase.MEETING, Phase.MORNING, Phase.SPEECH):
        rig.until(lambda phase=phase: rig.phase is phase)
        host.look()
        seen.append(host.get("/host/state"))
    text = " ".join(seen)
    assert '"role":null' in text
    assert not re.search(r'"(citizen|sheriff|mafia|don|town)"', text)
    assert '"classic":null' in text

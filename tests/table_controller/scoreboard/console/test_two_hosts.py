"""Two hosts at once, and the streams that both hold."""

import functools
import json
import threading

import pytest

from table_controller.scoreboard.hub import (
    STREAMS_KEPT,
    STREAMS_MAX,
    STREAMS_PER_ADDRESS,
    HubFull,
)
from tests.table_controller.conftest import rig as rig
from tests.table_controller.scoreboard.hosts import Browser
from tests.table_controller.scoreboard.hosts import access as access
from tests.table_controller.scoreboard.hosts import app as app
from tests.table_controller.scoreboard.hosts import club as club
from tests.table_controller.scoreboard.hosts import host as host
from tests.table_controller.scoreboard.hosts import served as served


def test_two_hosts_see_the_same_and_the_second_of_two_conflicting_orders_is_refused(rig, served):
    rig.to_first_day()
    rig.advance(0.2)
    hosts = [Browser(served.server.port), Browser(served.server.port)]
    assert hosts[0].cookies["mafia_host"] != hosts[1].cookies["mafia_host"]
    sheets = [host.state() for host in hosts]
    assert sheets[0] == sheets[1]
    step, together = sheets[0]["step"], threading.Barrier(2)

    def tap(host):
        together.wait(10)
        return host.order(f"tap of {id(host)}", step, do="give_foul", seat=4)

    answers = served.while_the_table_runs(*(functools.partial(tap, host) for host in hosts))
    done, refused = sorted(answers, key=lambda answer: not answer["done"])
    assert done == {"done": True, "step": step + 1}
    assert refused == {
        "done": False,
        "why": "Something has changed meanwhile.",
        "changed": ["Seat 4 got a foul (1)"],
        "step": step + 1,
    }
    assert rig.state.fouls[3] == 1
    rig.advance(0.2)
    now = [host.state() for host in hosts]
    assert now[0] == now[1]
    late = hosts[answers.index(refused)]
    (again,) = served.while_the_table_runs(
        lambda: late.order("again", now[0]["step"], do="give_foul", seat=4)
    )
    assert again["done"]
    assert rig.state.fouls[3] == 2


def test_hosts_hold_streams_although_the_scoreboards_are_taken(rig):
    viewers = [rig.hub.join(f"10.0.0.{n}") for n in range(STREAMS_MAX - STREAMS_KEPT)]
    assert len(viewers) == 44
    stream = rig.sheets.join("10.0.1.1")
    assert rig.hub.streams == 45
    rig.advance(0.2)
    assert stream.take(0) is not None
    rig.sheets.leave(stream)
    for _ in range(STREAMS_PER_ADDRESS):
        rig.sheets.join("10.0.1.1")
    with pytest.raises(HubFull):
        rig.sheets.join("10.0.1.2")
    rig.hub.close()
    with pytest.raises(HubFull):
        rig.sheets.join("10.0.1.1")


def test_the_stream_begins_with_the_sheet_and_goes_on_with_each_change(rig, host):
    rig.to_first_day()
    rig.advance(0.2)
    answer = host.client.get("/host/events?lang=de", buffered=False)
    assert answer.headers["Cache-Control"] == "no-store"
    lines = answer.response
    assert next(lines) == b"retry: 1000\n\n"
    first = json.loads(next(lines).removeprefix(b"data: "))
    assert first["sheet"]["phase"] == "speech"
    rig.shout(7)
    rig.advance(0.2)
    news = json.loads(next(lines).removeprefix(b"data: "))
    assert news["sheet"]["undo"][0]["text"].startswith("Platz 7 hat dazwischengerufen")
    answer.close()
    assert rig.hub.streams == 0

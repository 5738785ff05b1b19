"""The host's orders by HTTP: what is answered, and what the sheet shows after it."""

import concurrent.futures
import contextlib
import functools
import http.client
import json
import re
import threading

import pytest

from table_controller.game import Phase
from table_controller.league import Entry, open_league
from table_controller.lineups import KeptLineup
from table_controller.ordering import ConsoleRequest
from table_controller.people import People
from table_controller.rulesets import Rulesets
from table_controller.scoreboard import create_app
from table_controller.scoreboard.access import Access
from table_controller.scoreboard.hub import (
    STREAMS_KEPT,
    STREAMS_MAX,
    STREAMS_PER_ADDRESS,
    HubFull,
)
from table_controller.scoreboard.pin import FILE, PinFile
from table_controller.scoreboard.serve import serve
from tests.table_controller.conftest import NAMES
from tests.table_controller.conftest import rig as rig

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
    monkeypatch.setattr("table_controller.scoreboard.pin.N", 2)
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


# ---- the lobby ----

OTHERS = ["Kira", "Lev", "Mila", "Nina", "Oleg", "Petr", "Rita", "Sima", "Timur", "Una"]


def test_a_new_game_with_fixed_seats_and_turbo(rig, host):
    lobby = host.look()["lobby"]
    assert [player["name"] for player in lobby["players"]] == list(NAMES)
    answer = host.order("new_game", players=OTHERS, fixed=True, ruleset="turbo")
    assert answer.json["done"]
    assert rig.phase is Phase.SEATING
    assert list(rig.show.names) == OTHERS
    assert rig.state.ruleset.speech_s == 25.0
    assert host.look()["lobby"] is None
    assert [seat["name"] for seat in host.sheet["seats"]] == OTHERS


def test_seats_are_drawn_unless_they_are_fixed_and_a_rematch_draws_them_anew(rig, host):
    host.look()
    assert host.order("new_game", players=OTHERS).json["done"]
    first = rig.show.names
    assert sorted(first) == OTHERS
    assert list(first) != OTHERS
    host.look()
    assert host.order("void").json["done"]
    host.look()
    assert [order["do"] for order in host.sheet["next"]] == ["rematch", "undo"]
    assert host.order("rematch").json["done"]
    assert sorted(rig.show.names) == OTHERS
    assert rig.show.names != first


def test_while_a_game_runs_no_other_begins(rig, host):
    rig.to_first_day()
    host.look()
    assert not {"new_game", "rematch"} & set(host.sheet["orders"])
    for do, more in (("rematch", {}), ("new_game", {"players": OTHERS})):
        answer = host.order(do, **more)
        assert answer.status_code == 409
        assert "being played" in answer.json["why"]
    assert rig.phase is Phase.SPEECH


@pytest.mark.parametrize(
    ("players", "told"),
    [
        (OTHERS[:9], "ten"),
        ([*OTHERS, "Vera"], "ten"),
        ([*OTHERS[:9], "Kira"], "9 different players"),
        ([*OTHERS[:9], ""], "expected something"),
        ([*OTHERS[:9], "x" * 25], "at most"),
        ([*OTHERS[:9], "a\x07b"], "can be shown"),
    ],
    ids=["nine", "eleven", "twice", "nobody", "too long", "not to be shown"],
)
def test_ten_different_people_are_needed(rig, host, players, told):
    host.look()
    answer = host.order("new_game", players=players)
    assert answer.status_code == 409
    assert told in answer.json["why"]
    assert rig.state is None


def test_a_barred_player_cannot_be_seated(rig, host, club):
    kira = club.players.add(Entry("Kira"))
    club.bars.put(kira.id, club.today(), last_day=None, reason="threats", decided_by="the host")
    host.look()
    answer = host.order("new_game", players=OTHERS)
    assert (answer.status_code, answer.json["why"]) == (409, "Kira is barred for good")
    answer = host.order("new_game", players=[kira.id, *OTHERS[1:]], language="de")
    assert "Kira" in answer.json["why"]
    assert rig.state is None


def test_who_is_barred_after_a_game_is_marked_and_begins_no_rematch_without_a_phone(
    rig, host, club
):
    kira = club.players.add(Entry("Kira"))
    host.look()
    assert host.order("new_game", players=[kira.id, *OTHERS[1:]]).json["done"]
    assert "Kira" in rig.show.names
    host.look()
    host.order("void")
    club.bars.put(kira.id, club.today(), last_day=None, reason="threats", decided_by="the host")
    assert host.look()["lobby"]["players"][0] == {
        "id": kira.id,
        "name": "Kira",
        "barred": "for good",
    }
    assert host.order("rematch").json["why"] == "Kira is barred for good"
    rig.all_hold()
    assert rig.table.playing.over
    assert host.look()["notices"][-1]["text"] == "No game begins: Kira is barred for good"


def test_who_was_seated_last_stands_on_the_clubs_page_and_who_is_chosen_there_in_the_lobby(
    rig, host, club
):
    lev = club.players.add(Entry("Lev"))
    host.look()
    assert host.order("new_game", players=OTHERS).json["done"]
    assert [each.name for each in club.players.last_ten()] == OTHERS
    assert club.players.last_ten()[1].id == lev.id
    host.look()
    host.order("void")
    club.players.keep_ten([*club.players.last_ten()[1:], club.players.person("Wanda")])
    names = [player["name"] for player in host.look()["lobby"]["players"]]
    assert names == [*OTHERS[1:], "Wanda"]


def test_the_clubs_files_of_rules_are_offered_and_what_is_wrong_with_one_is_told(
    rig, host, tmp_path
):
    folder = tmp_path / "rulesets"
    folder.mkdir()
    (folder / "league.toml").write_text("silent_s = 20\n")
    (folder / "broken.toml").write_text("silent_s = 2000\n")
    (folder / "turbo.toml").write_text("")
    rig.table.lineups.rulesets = Rulesets(rig.terms.ruleset, folder)
    assert host.look()["lobby"]["rulesets"] == ["default", "turbo", "broken", "league"]
    answer = host.order("new_game", players=OTHERS, ruleset="broken")
    assert answer.status_code == 409
    assert "silent_s = 2000: expected a number from" in answer.json["why"]
    assert "expected one of" in host.order("new_game", players=OTHERS, ruleset="../x").json["why"]
    assert host.order("new_game", players=OTHERS, ruleset="league").json["done"]
    assert rig.state.ruleset.silent_s == 20.0


def test_the_last_ten_play_after_a_restart_too_also_without_a_phone(rig, host, tmp_path):
    kept = KeptLineup(tmp_path / "lineup.json")
    rig.table.lineups._kept = kept
    host.look()
    assert host.order("new_game", players=OTHERS, fixed=True, ruleset="turbo").json["done"]
    assert (tmp_path / "lineup.json").stat().st_mode & 0o777 == 0o600
    host.look()
    host.order("void")
    rig.kill_table()
    rig.start_table()
    rig.table.lineups.__init__(rig.terms, kept=kept)
    rig.advance(3.0)
    rig.all_hold()
    assert list(rig.show.names) == OTHERS
    assert rig.state.ruleset.speech_s == 25.0


# ---- two hosts ----


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

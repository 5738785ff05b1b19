"""A whole game led by POSTed orders alone: the real table program, its door, ten seats' presses."""

import http.client
import itertools
import json
import re
import urllib.parse

import pytest

from table_controller.deal import rehearsal_seed, roles
from table_controller.game import SEATS, Role

PIN = "40718263"
SEED = 1
TEN = ["Kira", "Lev", "Mila", "Nina", "Oleg", "Petr", "Rita", "Sima", "Timur", "Una"]
MAFIA = [
    seat
    for seat, role in zip(SEATS, roles(rehearsal_seed(SEED)), strict=True)
    if role in (Role.MAFIA, Role.DON)
]
TOWN = [seat for seat in SEATS if seat not in MAFIA]


class Console:
    """A host's browser at the table's port: a session, its token, the step it saw."""

    def __init__(self, address):
        self.port = urllib.parse.urlsplit(address).port
        self.cookies, self.ids = {}, itertools.count()
        _, form = self.ask("GET", "/host/login")
        csrf = re.search(r'name="csrf" value="([^"]*)"', form)[1]
        form = urllib.parse.urlencode({"pin": PIN, "csrf": csrf})
        status, _ = self.ask("POST", "/host/login", form, "application/x-www-form-urlencoded")
        assert status == 303
        self.csrf = re.search(r'data-csrf="([^"]*)"', self.ask("GET", "/host")[1])[1]

    def ask(self, method, path, body=None, kind="application/json", **headers):
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        kept = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {"Accept": "text/html", "Content-Type": kind, "Cookie": kept} | headers
        line.request(method, path, body, sent)
        answer = line.getresponse()
        text = answer.read().decode()
        for each in answer.headers.get_all("Set-Cookie", []):
            name, _, value = each.partition(";")[0].partition("=")
            self.cookies[name] = value
        line.close()
        return answer.status, text

    def state(self):
        return json.loads(self.ask("GET", "/host/state")[1])["sheet"]

    def post(self, step, order, id_=None):
        body = {"id": id_ or f"{id(self)} {next(self.ids)}", "step": step, "order": order}
        token = {"X-CSRF-Token": self.csrf}
        status, text = self.ask("POST", "/host/order", json.dumps(body), **token)
        return status, json.loads(text)

    def order(self, do, **fields):
        """Order what must be done, as a page does that shows what is now."""
        status, answer = self.post(self.state()["step"], {"do": do, **fields})
        assert (status, answer["done"]) == (200, True), answer
        return answer


@pytest.fixture
def kit(new_house, director_class):
    director = director_class(new_house(step=True, seed=SEED, pin=PIN))
    director.house.wait_ready()
    return director


@pytest.fixture
def host(kit):
    return Console(kit.house.address)


def shows(kit, host, done, what):
    """Wait until the host's sheet is so, and return it."""

    def look():
        sheet = host.state()
        return sheet if done(sheet) else None

    return kit.until(look, what)


def step_until(kit, host, done, most=250):
    """Let one countdown after the other run out until the host's sheet is so."""
    for _ in range(most):
        sheet = host.state()
        if done(sheet):
            return sheet
        kit.stage.step()
    raise AssertionError(f"did not come in {most} steps: {sheet['phase']}")


def end_floor(kit, host, seat):
    """Let the host end what *seat* has to say, by the order that is offered first."""
    sheet = shows(
        kit, host,
        lambda sheet: sheet["game"]["public"]["floor"] == seat and sheet["next"],
        f"the floor of {seat}",
    )  # fmt: skip
    assert sheet["next"][0]["do"] == "end_countdown"
    host.order(**sheet["next"][0])


def test_a_whole_game_is_led_by_orders_and_played_by_presses(kit, host):
    lobby = host.state()
    assert (lobby["phase"], lobby["next"]) == ("lobby", [{"do": "rematch"}])
    host.order("new_game", players=TEN, fixed=True, ruleset="default")
    kit.scenes("seating")
    sheet = shows(kit, host, lambda sheet: sheet["phase"] == "seating", "the seating")
    assert [seat["name"] for seat in sheet["seats"]] == TEN
    assert all(seat["online"] for seat in sheet["seats"])
    kit.vote(*SEATS)
    kit.scenes("card")
    step_until(kit, host, lambda sheet: sheet["phase"] == "night")
    sheet = step_until(kit, host, lambda sheet: sheet["phase"] == "speech")
    assert '"mafia"' not in json.dumps(sheet)

    # Two hosts tap at once: the second one is told what has changed.
    other = Console(kit.house.address)
    step = sheet["step"]
    assert other.state()["step"] == step
    assert host.post(step, {"do": "give_foul", "seat": 4}, "one")[0] == 200
    status, refused = other.post(step, {"do": "give_foul", "seat": 4}, "two")
    assert (status, refused["changed"]) == (409, ["Seat 4 got a foul (1)"])
    assert host.post(step, {"do": "give_foul", "seat": 4}, "one")[0] == 200, "asked again"
    sheet = shows(kit, host, lambda s: s["game"]["public"]["seats"][3]["fouls"], "the foul")
    assert sheet["game"]["public"]["seats"][3]["fouls"] == 1
    assert sheet["undo"][0]["text"] == "Seat 4 got a foul (1)"
    host.order("undo", keep=sheet["undo"][0]["keep"])
    sheet = shows(kit, host, lambda sheet: sheet["paused"], "the pause after an undo")
    assert sheet["game"]["public"]["seats"][3]["fouls"] == 0
    assert sheet["next"] == [{"do": "resume"}]
    host.order("resume")

    for seat in SEATS:
        end_floor(kit, host, seat)
        if seat in (1, 2):
            host.order("correct_nomination", speaker=seat, nominee=(MAFIA[0], TOWN[0])[seat - 1])
    step_until(kit, host, lambda sheet: sheet["game"]["public"]["called"] == MAFIA[0])
    kit.called(MAFIA[0])
    kit.cast(*SEATS[:-1])
    # Who has voted, while this one is called, has voted against it.
    assert host.state()["game"]["voted"] == []
    host.order("correct_vote", seat=10, candidate=MAFIA[0])
    step_until(kit, host, lambda sheet: sheet["phase"] == "farewell")
    kit.living.discard(MAFIA[0])
    end_floor(kit, host, MAFIA[0])
    end_floor(kit, host, MAFIA[0])

    sheet = step_until(kit, host, lambda sheet: sheet["phase"] == "night")
    assert not {"end_countdown", "give_foul", "undo", "swap"} & set(sheet["orders"])
    step = sheet["step"]
    sheet = step_until(kit, host, lambda sheet: sheet["phase"] != "night")
    assert sheet["phase"] == "morning"
    sheet = step_until(kit, host, lambda sheet: sheet["phase"] == "speech")
    assert sheet["step"] > step

    for seat in MAFIA[1:]:
        host.order("rule", sanction="disqualification", seat=seat, offence="threats")
    sheet = shows(kit, host, lambda sheet: sheet["over"], "the end")
    assert sheet["game"]["public"]["winner"] == "town"
    assert sheet["next"] == [{"do": "rematch"}]
    assert [player["name"] for player in sheet["lobby"]["players"]] == TEN
    host.order("rematch")
    sheet = shows(kit, host, lambda sheet: sheet["phase"] == "seating", "the next game")
    assert sheet["game"]["public"]["winner"] is None
    assert [seat["name"] for seat in sheet["seats"]] == TEN
    assert host.post(step, {"do": "void"})[0] == 409, "of a game that is over"

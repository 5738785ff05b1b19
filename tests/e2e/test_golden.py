"""The golden game, played by pressing pins, watched by everybody who could learn too much."""

import http.client
import json
import re
import threading
import urllib.parse
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from firmware.mosquitto import find_mosquitto
from firmware.wire import Icon
from firmware.words import catalogue
from table_controller.commands.verify_deal import read_record, verify
from table_controller.game import SEATS, Role, actions
from table_controller.game.model import Offence, Sanction
from table_controller.rehearsal.house import House, Settings

GAME = Path(__file__).parents[1] / "golden" / "games" / "game-1.json"
EAR = "node-03"
ROLE_WORDS = re.compile(
    r"citizen|sheriff|mafia|\bdon\b|мирн|шериф|мафи|\bдон\b|bürger", re.IGNORECASE
)
ICONS = {
    Role.CITIZEN: Icon.CITIZEN,
    Role.SHERIFF: Icon.SHERIFF,
    Role.MAFIA: Icon.MAFIA,
    Role.DON: Icon.DON,
}
NIGHT_SCENES = ("nightfall", "meeting", "rest", "night")

pytestmark = [
    pytest.mark.proof,
    pytest.mark.skipif(find_mosquitto() is None, reason="sudo apt install mosquitto"),
]


class Golden:
    """Does what a golden game says, at the moments that the voice calls."""

    def __init__(self, director, golden):
        self.director, self.golden = director, golden
        self.day = self.night = self.ballot = self.number = 0
        self.round = ""
        self.orders, self.silenced, self.leavers = {}, {}, {}
        self.shot, self.cards, self.looked, self.meeting = {}, {}, {}, {}
        self.result = None

    def play(self):
        director = self.director
        director.begin()
        self.looked = {seat: panel.shown.icon for seat, panel in director.panels.items()}
        while self.result is None:
            news = director.news()
            for said in news:
                self.hear(said.phrase, said.number)
            if not news and director.stage.step() == "call":
                self.press_at_night()

    # ---- what the voice calls ----

    def hear(self, phrase, number):
        match phrase:
            case "night":
                self.night = number
            case "mafia_wakes":
                self.director.scenes("meeting")
                self.meeting = {s: p.shown for s, p in self.director.panels.items()}
            case "round_shots" | "round_don" | "round_sheriff":
                self.round = phrase.removeprefix("round_")
            case "number":
                self.number = number
            case "morning":
                self.day, self.ballot = number, 0
                self.read_cards()
            case "shot":
                self.shot[self.night] = number
            case "miss":
                self.shot[self.night] = None
            case "speech" | "silenced":
                self.speak(number, phrase == "silenced")
            case "list" | "tied":
                self.ballot += 1
                if phrase == "list":
                    self.rule()
            case "candidate":
                self.director.called(number)
                ballot = self.today()["ballots"][self.ballot - 1]
                self.director.cast(*ballot["presses"].get(str(number), ()))
            case "lift":
                self.director.scenes("lift")
                (lift,) = [each for each in self.today()["ballots"] if each["kind"] == "lift"]
                self.director.cast(*lift["yes"])
            case "leaves":
                self.leavers.setdefault(self.day, []).append(number)
            case "farewell":
                self.say_farewell(number)
            case "town_wins" | "mafia_wins" | "draw":
                self.result = phrase

    def today(self):
        return self.golden["days"][self.day - 1]

    def rule(self):
        """Let the host rule what the golden game has before the ballot of this day."""
        for ruling in self.today().get("rulings", ()):
            assert (ruling["when"], ruling["by"]) == ("before ballot", "host")
            offence, kind = Offence(ruling["offence"]), Sanction(ruling["kind"])
            self.director.stage.order(actions.Rule(kind, ruling["seat"], offence))

    def read_cards(self):
        self.director.scenes("morning")
        for seat in self.director.living:
            shown = self.director.panels[seat].shown
            lines = tuple(line for line in shown.lines if line)
            self.cards.setdefault(seat, {})[self.day] = (shown.icon, lines)

    def speak(self, seat, silent):
        if self.ballot:  # A tie speech.
            self.director.scenes("tie", seats={seat})
            return
        self.orders.setdefault(self.day, []).append(seat)
        if silent:
            self.silenced.setdefault(self.day, []).append(seat)
        self.director.scenes("silent" if silent else "floor", seats={seat})
        for speaker, nominee in self.today()["nominations"]:
            if speaker == seat:
                self.director.nominate(seat, nominee)
        for shout in self.today().get("shouts", ()):
            if shout["during_speech_of"] == seat:
                self.director.shout(shout["seat"])

    def say_farewell(self, seat):
        director, panel = self.director, self.director.panels[seat]
        director.scenes("farewell", seats={seat})
        of_the_shot = self.today().get("farewell_of_the_shot")
        farewells = [*self.today().get("farewells", ()), *([of_the_shot] if of_the_shot else ())]
        (said,) = [each for each in farewells if each["seat"] == seat]
        if not said["best_move"]:
            return
        director.choose(seat, *sorted(said["best_move"]), 0)
        director.until(lambda: "VOTE: crown" in panel.shown.lines, f"the best move of {seat}")
        if said["crown"]:
            director.choose(seat, said["crown"])
            director.until(
                lambda: not panel.shown.rows and "VOTE: crown" not in panel.shown.lines,
                f"the crown of {seat}",
            )

    # ---- by night ----

    def press_at_night(self):
        """Press in the window of the number that was called last."""
        plan = self.plan()
        pressing = [seat for seat, numbers in plan.items() if self.number in numbers]
        if pressing:
            self.director.vote(*pressing)

    def plan(self):
        """Return {seat: numbers}: what the golden game says, and cover of all the others."""
        night = self.golden["nights"][self.night]
        living = sorted(self.director.living)
        plan = {seat: [living[0]] for seat in living}
        if self.round == "shots":
            return plan | {int(seat): numbers for seat, numbers in night["shots"].items()}
        role = self.round
        (owner,) = [int(s) for s, name in self.golden["roles"].items() if name == role]
        check = night[f"{role}_check"]
        if owner in plan:
            plan[owner] = [check["target"]] if check else []
        return plan


class Ear:
    """Hears all MQTT that a node's password lets one hear."""

    def __init__(self, house):
        self.messages = []
        self._ready = threading.Event()
        self._client = mqtt.Client(
            CallbackAPIVersion.VERSION2, client_id="an-ear", protocol=MQTTProtocolVersion.MQTTv5
        )
        self._client.username_pw_set(EAR, house.passwords[EAR])
        self._client.on_message = lambda _c, _u, m: self.messages.append((m.topic, m.payload))
        self._client.on_connect = self._listen
        self._client.on_subscribe = lambda *_: self._ready.set()
        self._client.connect("127.0.0.1", house.broker.port)
        self._client.loop_start()
        assert self._ready.wait(10.0)

    def _listen(self, client, *_):
        root = "mafia/v1/rehearsal"
        wanted = ["#", f"{root}/#", f"{root}/down/#", f"{root}/down/+/cue", f"{root}/up/#"]
        client.subscribe([(topic, mqtt.SubscribeOptions(qos=1)) for topic in wanted])

    def close(self):
        self._client.disconnect()
        self._client.loop_stop()


def tells_a_winner(message):
    return b'"winner":"' in message[1]


class Viewer(threading.Thread):
    """Reads the scoreboard's stream, byte for byte."""

    def __init__(self, address):
        super().__init__(daemon=True)
        self.boards = []
        self._connection = http.client.HTTPConnection(urllib.parse.urlparse(address).netloc)
        self._connection.request("GET", "/events")
        self._answer = self._connection.getresponse()
        assert self._answer.status == 200
        self.start()

    def run(self):
        while line := self._answer.readline():
            if line.startswith(b"data: "):
                self.boards.append(json.loads(line[6:])["board"])

    def sees(self, done):
        return any(board and done(board) for board in list(self.boards))


WATCH_THE_PAGE = r"""
const words = ["citizen", "sheriff", "mafia", "мирн", "шериф", "мафи"];
const pattern = new RegExp(`${words.join("|")}|(?<!\\p{L})(don|дон)(?!\\p{L})`, "giu");
window.rolesIn = () => document.documentElement.outerHTML.match(pattern) ?? [];
window.looks = 0;
window.leaks = [];
new MutationObserver(() => {
  if (document.body?.dataset.phase === "over") return;
  window.looks += 1;
  window.leaks.push(...window.rolesIn());
}).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
"""


class Page:
    """The scoreboard in a browser, looked through for roles at every change before the end."""

    def __init__(self, browser, address, language):
        self.page = browser.new_context(locale=language).new_page()
        self.page.add_init_script(WATCH_THE_PAGE)
        self.page.goto(address)

    def seen(self):
        self.page.wait_for_selector("body[data-phase=over]", timeout=10_000)
        return SimpleNamespace(
            looks=self.page.evaluate("window.looks"),
            leaks=self.page.evaluate("window.leaks"),
            roles_at_the_end=self.page.evaluate("window.rolesIn()"),
            text=self.page.inner_text("body"),
        )


def asked(address, path):
    """Return (status, body) of a page."""
    connection = http.client.HTTPConnection(urllib.parse.urlparse(address).netloc)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def the_record(director, address):
    """Return the finished game's page and files, by the end of their address."""

    def names():
        return re.findall(r'href="/games/([\w-]+)\?', asked(address, "/games?lang=en")[1])

    director.until(names, "the record of the game")
    (name,) = names()
    ends = ("?lang=en", ".json", ".csv", "/journal")
    return {end: asked(address, f"/games/{name}{end}") for end in ends}


@pytest.fixture(scope="module")
def evening(director_class, seed_of, chromium):
    """Play the golden game once, with everybody listening; return all that came of it."""
    golden = json.loads(GAME.read_text("utf-8"))
    roles = {int(seat): Role(name) for seat, name in golden["roles"].items()}
    settings = Settings(step=True, seed=seed_of(roles))
    with House(settings) as house:
        director = director_class(house)
        ear, viewer = Ear(house), Viewer(house.address)
        pages = {language: Page(chromium, house.address, language) for language in ("en", "ru")}
        screens, states = [], []
        house.stage.on_shown.append(lambda panel: screens.append((panel.seat, panel.shown)))
        director.watchers.append(lambda: states.append(director.state()))
        played = Golden(director, golden)
        played.play()
        director.until(lambda: viewer.sees(lambda board: board["game"]["winner"]), "the end")
        director.until(lambda: any(map(tells_a_winner, list(ear.messages))), "the end by MQTT")
        ear.close()
        found = SimpleNamespace(
            golden=golden,
            roles=roles,
            played=played,
            board=director.state(),
            states=states,
            stream=list(viewer.boards),
            heard=[(said.phrase, said.number) for said in house.stage.heard],
            messages=ear.messages,
            screens=list(screens),
            pages={language: page.seen() for language, page in pages.items()},
        )
        # The next game begins: now the last one is kept.
        director.all_hold(*SEATS, until="seating")
        found.record = the_record(director, house.address)
        yield found


# ---- the game ----


def test_everybody_sees_the_own_role_at_the_deal(evening):
    assert evening.played.looked == {seat: ICONS[role] for seat, role in evening.roles.items()}


def test_the_mafia_meets_and_nobody_else_sees_it(evening):
    mafia = [seat for seat, role in evening.roles.items() if role in (Role.MAFIA, Role.DON)]
    (don,) = [seat for seat, role in evening.roles.items() if role is Role.DON]
    met = {seat for seat, shown in evening.played.meeting.items() if re.search(r"\d", shown.title)}
    assert met == set(mafia)
    for seat in mafia:
        assert evening.played.meeting[seat].title == f"Mafia: {' '.join(map(str, mafia))}"
        assert evening.played.meeting[seat].lines[0] == f"Don: {don}"


def test_the_winner_and_the_roles_come_out(evening):
    game = evening.board["game"]
    assert game["winner"] == evening.golden["winner"]
    assert evening.played.result == f"{evening.golden['winner']}_wins"
    assert {seat["seat"]: seat["role"] for seat in game["seats"]} == evening.roles


def test_every_seat_has_its_points(evening):
    points = {
        int(seat): [earned["classic"], earned["max"]]
        for seat, earned in evening.golden["points"].items()
    }
    seats = evening.board["game"]["seats"]
    assert {seat["seat"]: [seat["classic"], seat["max"]] for seat in seats} == points


def test_the_technical_foul_is_on_the_board(evening):
    seats = evening.board["game"]["seats"]
    assert {seat["seat"] for seat in seats if seat["technical_fouls"]} == {1}


def test_speeches_go_in_order_and_the_silenced_are_silent(evening):
    days = {day["day"]: day for day in evening.golden["days"]}
    assert evening.played.orders == {n: day["speech_order"] for n, day in days.items()}
    assert evening.played.silenced == {
        n: day["silenced"] for n, day in days.items() if day.get("silenced")
    }


def test_every_ballot_counts_as_pressed(evening):
    wanted = []
    for day in evening.golden["days"]:
        for ballot in day["ballots"]:
            if ballot["kind"] == "lift":
                votes = dict.fromkeys(ballot["yes"], 0)
                top = ballot["candidates"] if ballot["passed"] else []
            else:
                votes = {s: int(who) for who, seats in ballot["presses"].items() for s in seats}
                votes |= dict.fromkeys(ballot["automatic"], ballot["candidates"][-1])
                top = ballot["top"]
            wanted.append(
                (day["day"], ballot["kind"], ballot["candidates"], votes,
                 ballot.get("automatic", []), top)
            )  # fmt: skip
    counted = [
        (ballot["day"], ballot["kind"], ballot["candidates"], dict(ballot["votes"]),
         ballot["automatic"], ballot["top"])
        for ballot in evening.board["game"]["ballots"]
    ]  # fmt: skip
    assert counted == wanted


def test_those_leave_who_should(evening):
    days = evening.golden["days"]
    assert evening.played.leavers == {day["day"]: day["leave"] for day in days if day["leave"]}
    gone = {seat for day in days for seat in day["leave"]} | {
        night["hit"] for night in evening.golden["nights"] if night.get("hit")
    }
    seats = evening.board["game"]["seats"]
    assert {seat["seat"] for seat in seats if not seat["living"]} == gone


def test_shots_hit_and_miss_as_pressed(evening):
    nights = evening.golden["nights"][1:]
    assert evening.played.shot == {night["night"]: night["hit"] for night in nights}


def test_checks_are_on_their_cards_from_the_morning_on(evening):
    nights = evening.golden["nights"][1:]
    for role, yes in (("don", "sheriff"), ("sheriff", "mafia")):
        (owner,) = [seat for seat, its in evening.roles.items() if its == role]
        told = [
            f"N{night['night']}: {check['target']} {'' if check['answer'] == yes else 'not '}{yes}"
            for night in nights
            if (check := night[f"{role}_check"])
        ]
        for day, (icon, lines) in evening.played.cards[owner].items():
            assert icon == role
            assert list(lines) == told[max(0, day - 2) : day - 1]
        assert len(evening.played.cards[owner]) == 3


def test_best_moves_and_crowns_are_shown(evening):
    farewells = [
        each
        for day in evening.golden["days"]
        for each in [day.get("farewell_of_the_shot"), *day.get("farewells", ())]
        if each
    ]
    seats = {seat["seat"]: seat for seat in evening.board["game"]["seats"]}
    for each in farewells:
        assert sorted(seats[each["seat"]]["best_move"] or []) == sorted(each["best_move"])
    crowns = {seat["seat"]: seat["crowns"] for seat in seats.values() if seat["crowns"]}
    assert crowns == {each["crown"]: [each["seat"]] for each in farewells if each["crown"]}


# ---- the record ----


def test_the_record_has_every_item_of_everybody_s_points(evening):
    status, body = evening.record[".json"]
    assert status == 200
    for seat in json.loads(body)["points"]:
        worked = evening.golden["points"][str(seat["seat"])]["items"]
        items = Counter((item["classic"], item["max"]) for item in seat["items"])
        wanted = Counter((classic, most) for _, classic, most in worked)
        del items[0, 0], wanted[0, 0]
        assert items == wanted, seat["seat"]


def test_the_record_tells_the_course_and_its_deal_can_be_checked(evening):
    status, page = evening.record["?lang=en"]
    assert status == 200
    assert "Seats 2, 5 and 7 shot at seat 9." in page
    assert evening.board["seed"] in page
    status, journal = evening.record["/journal"]
    assert status == 200
    assert (
        verify(read_record(journal.encode()), catalogue("en"), evening.board["commitment"])[1] == []
    )
    assert evening.record[".csv"][0] == 200


# ---- what nobody may learn ----


def words_in(value):
    return ROLE_WORDS.findall(json.dumps(value, ensure_ascii=False))


def test_no_board_names_a_role_before_the_end(evening):
    for boards in (evening.states, evening.stream):
        before = [board for board in boards if board and board["game"]["phase"] != "over"]
        assert len(before) > 50
        assert [found for board in before if (found := words_in(board))] == []
        assert all(not board["seed"] for board in before)
    assert evening.board["seed"]


@pytest.mark.browser
@pytest.mark.parametrize("language", ["en", "ru"])
def test_no_page_names_a_role_before_the_end(evening, language):
    page = evening.pages[language]
    assert page.looks > 100
    assert page.leaks == []
    assert page.roles_at_the_end != []


@pytest.mark.browser
@pytest.mark.parametrize(("language", "words"), [("en", "don sheriff"), ("ru", "дон шериф")])
def test_the_page_names_all_roles_at_the_end(evening, language, words):
    text = evening.pages[language].text.lower()
    for word in words.split():
        assert re.search(rf"\b{word}\b", text)


def test_a_board_of_the_night_tells_nothing_of_it(evening):
    by_night = {}
    for board in evening.stream:
        if board and board["game"]["phase"] == "night":
            by_night.setdefault(board["game"]["night"], []).append(board)
    assert set(by_night) == {0, 1, 2, 3, 4}
    assert {night: len(boards) for night, boards in by_night.items()} == dict.fromkeys(range(5), 1)


def test_by_night_all_screens_and_lamps_are_alike(evening):
    latest, unequal = {}, []
    for seat, shown in evening.screens:
        latest[seat] = shown
        dark = {s: each for s, each in latest.items() if each.scene in NIGHT_SCENES}
        if len(dark) == 10 and shown.scene not in ("meeting",):
            seen = {(each.lamp, each.mark, each.waiting, each.left_s) for each in dark.values()}
            unequal += [seen] if len(seen) > 1 else []
    assert unequal == []


def test_a_node_hears_its_own_cues_and_what_is_public_alone(evening):
    topics = {topic for topic, _ in evening.messages}
    root = "mafia/v1/rehearsal"
    own = {f"{root}/down/{EAR}/cue", f"{root}/ping/{EAR}"}
    assert topics == own | {f"{root}/public/view", f"{root}/public/event"}
    assert sum(topic.endswith("/cue") for topic, _ in evening.messages) > 100


def test_public_symptom_39_no_node_hears_of_a_role_but_its_own(evening):
    """Roles in what each client is sent: ShrimpCryptid/Secret-Hitler-Online 7."""
    cues = [json.loads(payload) for topic, payload in evening.messages if topic.endswith("/cue")]
    end = next(n for n, cue in enumerate(cues) if cue["scene"] == "over")
    # Before the first deal a screen shows the name of the game; that the mafia meets all are told.
    playing = [json.dumps(cue) for cue in cues[:end] if cue["scene"] != "idle"]
    words = words_in([cue.replace("The mafia meets", "") for cue in playing])
    assert set(words) == {evening.roles[int(EAR[-2:])]}


def test_no_public_message_names_a_role_before_the_end(evening):
    public = [message for message in evening.messages if "/public/" in message[0]]
    end = next(n for n, message in enumerate(public) if tells_a_winner(message))
    before = [json.loads(payload) for _, payload in public[:end]]
    assert len(before) > 50
    assert [found for message in before if (found := words_in(message))] == []

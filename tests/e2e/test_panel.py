"""A person plays a seat of the demo in a browser: real house, real pins, real Chromium."""

import base64
import contextlib
import io
import json
import queue
import re
import socket
import threading
import urllib.error
import urllib.request
import uuid
from concurrent.futures import Future

import pytest

from firmware.clock import SystemClock
from firmware.mosquitto import find_mosquitto
from firmware.words import LANGUAGES, catalogue
from table_controller.rehearsal.hand import Hand
from table_controller.rehearsal.house import House, Settings
from table_controller.rehearsal.panel import PanelServer

SEAT = 1
PATIENCE_S = 15.0
CLOCK = SystemClock()
ROLE = re.compile("citizen|sheriff|mafia|don")
FLOOR = re.compile("^Your speech")

pytestmark = pytest.mark.skipif(find_mosquitto() is None, reason="sudo apt install mosquitto")


class Theatre:
    """A house that steps, and its panel, in a thread of their own: the browser has this one."""

    def __init__(self, director_class):
        self._director_class = director_class
        self._jobs = queue.SimpleQueue()
        self._open = True
        self._opened = Future()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        self.addresses, self.board, self._stage = self._opened.result(2 * PATIENCE_S)
        self.address = self.addresses["en"]

    def do(self, job):
        """Let *job* be done with the director there, and return its result."""
        done = Future()
        self._jobs.put((job, done))
        self._stage.call(lambda: None)
        return done.result(2 * PATIENCE_S)

    def close(self):
        self._open = False
        self._stage.call(lambda: None)
        self._thread.join()

    def _run(self):
        words = catalogue("en")
        try:
            with contextlib.ExitStack() as stack:
                house = stack.enter_context(House(Settings(step=True, seed=1)))
                hand = Hand(house.stage, SEAT, house.folder / f"seat-{SEAT}.sock", words)
                addresses = {}
                for language in LANGUAGES:
                    panel = PanelServer(house.stage, (hand,), catalogue(language), house.address)
                    addresses[language] = stack.enter_context(panel).addresses[SEAT]
                director = self._director_class(house)
                director.begin()
                director.speech_of(SEAT)
                self._opened.set_result((addresses, house.address, house.stage))
                self._serve(director)
        except BaseException as error:
            if self._opened.done():
                raise
            self._opened.set_exception(error)

    def _serve(self, director):
        while self._open:
            try:
                job, done = self._jobs.get_nowait()
            except queue.Empty:
                director.stage.turn()
                continue
            try:
                done.set_result(job(director))
            except BaseException as error:  # noqa: BLE001 - raised where it is waited for
                done.set_exception(error)


@pytest.fixture(scope="module")
def theatre(director_class):
    """A game in which seat 1 has the floor of the first day."""
    theatre = Theatre(director_class)
    yield theatre
    theatre.close()


class Stream:
    """A page without a browser: what it is shown, and its orders."""

    def __init__(self, address):
        self.page = str(uuid.uuid4())
        self._address = address
        self._answer = urllib.request.urlopen(
            f"{address}events?page={self.page}", timeout=PATIENCE_S
        )

    def until(self, wanted):
        """Return the first view that is *wanted*."""
        end_s = CLOCK.now_s() + PATIENCE_S
        for line in self._answer:
            assert CLOCK.now_s() < end_s, "it did not come"
            if line.startswith(b"data: "):
                view = json.loads(line[6:])
                if wanted(view):
                    return view
        raise AssertionError("the stream has ended")

    def hold(self, number, *buttons):
        order(self._address, {"page": self.page, "number": number, "holds": buttons})

    def close(self):
        self._answer.close()


@pytest.fixture
def stream(theatre):
    """Opens streams, each of a page of its own."""
    with contextlib.ExitStack() as stack:
        yield lambda: stack.enter_context(contextlib.closing(Stream(theatre.address)))


def order(address, body, kind="application/json"):
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(f"{address}holds", body, {"Content-Type": kind})
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
        assert answer.status == 204


def shows_card(view):
    return ROLE.match(view["spoken"]) is not None


def shows_floor(view):
    return FLOOR.match(view["spoken"]) is not None


# ---- without a browser ----


def test_a_page_holds_the_real_button_and_sees_what_the_seat_shows(stream):
    page = stream()
    view = page.until(shows_floor)
    assert view["legend"]["vote"] == {"tap": "nominate", "hold": "your card"}
    assert (view["lamp"], view["linked"], view["down"]) == ("on", True, [])
    page.hold(1, "vote")
    assert page.until(shows_card)["down"] == ["vote"]
    page.hold(2)
    assert page.until(shows_floor)["down"] == []


def test_a_page_that_goes_lets_go(stream):
    leaver, stayer = stream(), stream()
    leaver.hold(1, "vote")
    stayer.until(shows_card)
    leaver.close()
    assert stayer.until(shows_floor)["down"] == []


def test_a_button_is_down_while_any_page_holds_it(stream):
    one, two = stream(), stream()
    one.hold(1, "vote")
    two.until(shows_card)
    two.hold(1, "vote", "shout")
    one.until(lambda view: view["down"] == ["shout", "vote"])
    two.hold(2, "vote")
    one.until(lambda view: view["down"] == ["vote"])
    one.hold(2)
    two.hold(3, "vote")
    assert shows_card(two.until(lambda view: view["screen"]))
    two.hold(4)
    one.until(shows_floor)


def test_an_order_that_was_overtaken_is_none(stream):
    page, other = stream(), stream()
    page.hold(7, "vote")
    page.until(shows_card)
    page.hold(6)
    other.hold(1, "shout")  # done after it
    assert other.until(lambda view: "shout" in view["down"])["down"] == ["shout", "vote"]
    other.hold(2)
    page.hold(8)
    page.until(shows_floor)


def test_a_page_without_a_stream_holds_nothing(theatre, stream):
    order(theatre.address, {"page": "no-stream", "number": 1, "holds": ["vote"]})
    page = stream()
    page.hold(1, "shout")
    assert page.until(lambda view: view["down"])["down"] == ["shout"]
    page.hold(2)
    page.until(lambda view: not view["down"])


def refused(address, body=None, **headers):
    """Return with which code a request is refused."""
    request = urllib.request.Request(address, body, headers)
    with pytest.raises(urllib.error.HTTPError) as error:
        urllib.request.urlopen(request, timeout=PATIENCE_S)
    error.value.close()
    return error.value.code


def test_without_its_token_a_seat_is_not_there(theatre):
    root, token = theatre.address[:-1].rsplit("/", 1)
    assert len(token) >= 22
    for wrong in ("", "x/", f"{token[:-1]}/", f"{token}x/", "%D0%B9/"):
        assert refused(f"{root}/{wrong}") == 404
        assert refused(f"{root}/{wrong or 'x/'}events?page=page-one") == 404
        assert refused(f"{root}/{wrong or 'x/'}holds", b"{}") == 404


@pytest.mark.parametrize("name", ["evil.example", "evil.example:80", "127.0.0.1.evil.example:1"])
def test_under_another_name_nothing_is_answered(theatre, name):
    for path in ("", "events?page=page-one"):
        assert refused(theatre.address + path, Host=name) == 403
    root = theatre.address[:-1].rsplit("/", 1)[0]
    assert refused(f"{root}/static/panel.js", Host=name) == 403


def test_it_listens_on_loopback_only(theatre):
    port = int(theatre.address.split(":")[2].split("/")[0])
    with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as there:
        assert there.getpeername()[0] == "127.0.0.1"
    others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None)}
    for other in {"127.0.0.2", *others} - {"127.0.0.1"}:
        with pytest.raises(OSError, match=r"refused|unreachable|assign"):
            socket.create_connection((other, port), PATIENCE_S)


def test_no_other_page_can_read_frame_or_keep_it(theatre):
    with urllib.request.urlopen(theatre.address, timeout=PATIENCE_S) as answer:
        headers, html = answer.headers, answer.read().decode()
    assert headers["Cache-Control"] == "no-store"
    assert "Access-Control-Allow-Origin" not in headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"<script(?![^>]*(?:src=|application/json))| on\w+=| style=", html)
    assert f'href="{theatre.board}"' in html


def test_the_scoreboard_does_not_lead_to_it(theatre):
    token = theatre.address[:-1].rsplit("/", 1)[1]
    for path in ("", "state"):
        with urllib.request.urlopen(theatre.board + path, timeout=PATIENCE_S) as answer:
            page = answer.read().decode()
        assert page
        assert token not in page


@pytest.mark.parametrize(
    ("body", "kind", "code"),
    [
        (b"{}", "application/json", 400),
        (b"\xff", "application/json", 400),
        (b'{"page":"page-one","number":1,"holds":["bell"]}', "application/json", 400),
        (b'{"page":"page-one","number":0,"holds":[]}', "application/json", 400),
        (b'{"page":"page-one","number":1,"holds":[],"x":1}', "application/json", 400),
        (b'{"page":"page-one","number":1,"holds":[]}', "text/plain", 415),
        (b" " * 5000, "application/json", 413),
    ],
)
def test_an_order_that_is_none_is_refused(theatre, body, kind, code):
    assert refused(f"{theatre.address}holds", body, **{"Content-Type": kind}) == code


def test_a_stream_of_a_nameless_page_is_refused(theatre):
    assert refused(f"{theatre.address}events") == 400
    assert refused(f"{theatre.address}events?page=x") == 400


# ---- in the browser ----


@pytest.fixture
def visit(theatre, chromium):
    """Opens the page: ``visit(width, height, **options of the context)``; fails on its errors."""
    contexts, faults = [], []

    def fault(said):
        if "/events" not in said.location.get("url", ""):  # a lost stream is no fault of the page
            faults.append(said.text)

    def open_page(width=1280, height=720, language="en", **options):
        context = chromium.new_context(
            viewport={"width": width, "height": height}, locale="en", **options
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE_S * 1000)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: said.type == "error" and fault(said))
        page.goto(theatre.addresses[language])
        reads(page, FLOOR)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


def reads(page, wanted):
    """Wait until the screen in words is *wanted*."""
    from playwright.sync_api import expect

    expect(page.locator("#spoken")).to_have_text(wanted, timeout=PATIENCE_S * 1000)


PIXELS = """() => {
  const image = document.getElementById("screen");
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  return [canvas.width, canvas.height, [...data].filter((_, place) => place % 4 === 0)];
}"""


def framebuffer(director):
    """Return width, height and pixels of the seat's own screen, as its program says."""
    from PIL import Image

    director.settle(SEAT)
    png = base64.b64decode(director.panels[SEAT].pictures[-1].png)
    image = Image.open(io.BytesIO(png)).convert("L")
    return [image.width, image.height, list(image.tobytes())]


FITS = (
    "document.documentElement.scrollWidth <= innerWidth"
    " && document.getElementById('screen').clientWidth % 128 === 0"
)


def same_picture(theatre, page):
    """Wait until the page's picture is the seat's framebuffer, and return it."""
    end_s = CLOCK.now_s() + PATIENCE_S
    while (seen := page.evaluate(PIXELS)) != (real := theatre.do(framebuffer)):
        assert CLOCK.now_s() < end_s, f"{sum(seen[2])} is lit in the page, {sum(real[2])} there"
    assert real[:2] == [128, 64]
    return real


@pytest.mark.browser
def test_the_picture_is_the_seats_own_framebuffer(theatre, visit):
    page = visit()
    floor = same_picture(theatre, page)
    page.keyboard.down("v")
    reads(page, ROLE)
    card = same_picture(theatre, page)
    page.keyboard.up("v")
    reads(page, FLOOR)
    assert len({str(floor), str(card), str([128, 64, [0] * 8192])}) == 3


@pytest.mark.browser
def test_it_fits_the_window_and_its_pixels_are_whole(visit):
    page = visit()
    for width, height in ((1280, 720), (1024, 600), (360, 740), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        # Asked again from here: a page whose policy forbids eval cannot be waited for inside.
        end_s = CLOCK.now_s() + PATIENCE_S
        while not page.evaluate(FITS):
            assert CLOCK.now_s() < end_s, f"it does not fit {width} x {height}"
        assert page.locator("#screen").bounding_box()["width"] >= 0.4 * min(width, 1280)
        shown = page.locator("#shout").bounding_box()
        assert shown["y"] + shown["height"] <= height


@pytest.mark.browser
def test_keys_open_the_list_and_a_key_that_repeats_is_one_press(visit):
    page = visit()
    orders = []
    page.on("request", lambda asked: asked.method == "POST" and orders.append(asked.post_data))
    page.keyboard.down("v")
    page.keyboard.down("v")
    page.keyboard.down("v")
    reads(page, ROLE)
    assert len(orders) == 1
    page.keyboard.up("v")
    reads(page, FLOOR)
    page.keyboard.press("v", delay=60)
    reads(page, re.compile(r"^Nominate\. 1 "))
    page.keyboard.press("v", delay=60)
    reads(page, re.compile(r"^Nominate\. 2 "))
    page.keyboard.press("s", delay=60)
    reads(page, FLOOR)
    page.keyboard.press("Control+v")
    assert len(orders) == 8
    page.locator("#vote").focus()
    page.keyboard.down(" ")
    reads(page, ROLE)
    page.keyboard.up(" ")
    reads(page, FLOOR)


@pytest.mark.browser
def test_a_mouse_holds_also_beside_the_button(visit):
    page = visit()
    box = page.locator("#vote").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    reads(page, ROLE)
    assert "down" in page.locator("#vote").get_attribute("class")
    page.mouse.move(5, 5)
    page.mouse.up()
    reads(page, FLOOR)
    assert "down" not in page.locator("#vote").get_attribute("class")


@pytest.mark.browser
def test_a_finger_holds_until_it_goes_or_is_taken_away(visit):
    page = visit(360, 740, has_touch=True, is_mobile=True)
    box = page.locator("#vote").bounding_box()
    finger = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    touch = page.context.new_cdp_session(page)
    for end in ("touchEnd", "touchCancel"):
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [finger]})
        reads(page, ROLE)
        touch.send("Input.dispatchTouchEvent", {"type": end, "touchPoints": []})
        reads(page, FLOOR)


@pytest.mark.browser
def test_who_looks_away_lets_go(visit):
    page = visit()
    for event in ("blur", "pagehide"):
        page.keyboard.down("v")
        reads(page, ROLE)
        page.evaluate(f"window.dispatchEvent(new Event('{event}'))")
        reads(page, FLOOR)
        page.keyboard.up("v")


@pytest.mark.browser
def test_a_page_that_is_closed_lets_go(visit, stream):
    page, stayer = visit(), stream()
    page.keyboard.down("v")
    stayer.until(shows_card)
    page.close()
    stayer.until(shows_floor)


@pytest.mark.browser
def test_without_motion_the_lamp_does_not_blink_and_a_word_tells_it(visit):
    page = visit(reduced_motion="reduce")
    assert "This seat has the floor." in page.inner_text("#lamp")
    assert page.evaluate("document.getAnimations().length") == 0


@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_of_it_bars_a_person(visit, faults_of, language):
    page = visit(language=language)
    assert faults_of(page) == []
    page.keyboard.down("v")
    reads(page, ROLE)
    assert faults_of(page) == []
    page.keyboard.up("v")
    reads(page, FLOOR)


@pytest.mark.browser
def test_a_seat_that_starts_again_is_told_and_comes_back(theatre, visit):
    page = visit()
    program = theatre.do(lambda director: director.house.seats[SEAT])
    theatre.do(lambda _: program.kill())
    page.get_by_text("The seat program is starting.").wait_for()
    assert page.locator("#screen").is_hidden()
    theatre.do(lambda _: program.start())
    reads(page, FLOOR)
    page.keyboard.down("v")
    reads(page, ROLE)
    page.keyboard.up("v")
    reads(page, FLOOR)


@pytest.mark.proof
@pytest.mark.browser
def test_a_page_that_loses_its_stream_says_so_and_comes_back(visit):
    page = visit()
    page.route("**/events*", lambda route: route.abort())
    page.reload()
    page.get_by_text("The demo does not answer. Trying again").wait_for()
    page.unroute("**/events*")
    reads(page, FLOOR)
    assert page.inner_text("#link") == ""


@pytest.mark.browser
def test_keys_nominate_and_vote(theatre, visit):
    """The last: the game goes on from here."""
    page = visit()
    page.keyboard.press("v", delay=60)
    reads(page, re.compile(r"^Nominate\. 1 "))
    page.keyboard.press("v", delay=60)
    reads(page, re.compile(r"^Nominate\. 2 "))
    page.keyboard.down("v")
    reads(page, re.compile("You nominate 2"))
    page.keyboard.up("v")

    theatre.do(lambda director: director.speech_of(2))
    reads(page, re.compile("^2 speaks"))
    page.keyboard.down("s")
    reads(page, re.compile(r"^Accuse whom\?\. 2 "))
    page.keyboard.up("s")
    assert "accuse somebody" in page.inner_text("#hint")
    page.keyboard.down("v")
    reads(page, re.compile(r"^Accuse 2 of what\?\. Insults"))
    page.keyboard.up("v")
    for shown in (r"^Accuse whom\?", "^2 speaks"):
        page.keyboard.press("s", delay=60)
        reads(page, re.compile(shown))

    def to_call(director):
        director.nominate(2, 4)
        director.step_to("candidate", 2)
        director.called(2)

    theatre.do(to_call)
    reads(page, re.compile("^2. VOTE: against this seat"))
    page.keyboard.press("v", delay=60)
    reads(page, re.compile("You have voted"))
    game = theatre.do(lambda director: director.house.stage.panels[SEAT].shown)
    assert "You have voted" in game.lines
    assert page.inner_text("#hint") == "Your vote stands. Wait."

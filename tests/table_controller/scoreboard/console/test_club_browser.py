"""The host's pages about the club on a phone: by finger and keyboard, in sight, without bars."""

import pytest

from firmware.pin import FILE, PinFile
from firmware.words import LANGUAGES
from table_controller.league import Case, Entry, open_league
from table_controller.league.games import Seen
from table_controller.record.finished import finished_game
from table_controller.scoreboard.console.access import Access
from table_controller.scoreboard.console.club import Club
from tests.table_controller.golden_record import golden_rows

from .test_club_pages import BORIS, GAME, GUEST, PIN

expect = pytest.importorskip("playwright.sync_api").expect
expect.set_options(timeout=20_000)  # two cores may be shared by many
pytestmark = pytest.mark.browser

PLAYED = "20261130-180000-1"

TOUCH_PX = 44
"""The least side of what a finger hits. Source: WCAG 2.5.5."""

SMALL = """px => [...document.querySelectorAll("a, button, input, select, textarea")]
  .filter(part => part.type !== "hidden")
  .map(part => part.type === "radio" ? part.closest("label") : part)
  .map(part => [part.outerHTML.slice(0, 80), part.getBoundingClientRect()])
  .filter(([, box]) => box.width < px || box.height < px)
  .map(([html, box]) => `${html} ${box.width}x${box.height}`)"""
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


MOST_IN_PROOF = [
    "ru",
    *(pytest.param(each, marks=pytest.mark.proof) for each in LANGUAGES if each != "ru"),
]
"""The longest words in the suite, the other languages in the proofs."""


@pytest.fixture
def league(tmp_path, clock):
    league = open_league(tmp_path / "league.db", clock)
    league.players.take(
        [Entry("Anna", "Fox", "Nord"), Entry("Борис"), Entry("Fyodor Konstantinovich X")]
    )
    yield league
    league.close()


@pytest.fixture
def url(serving, hub, clock, tmp_path, league, monkeypatch):
    monkeypatch.setattr("firmware.pin.N", 2)
    pin = PinFile(tmp_path / FILE)
    pin.write(PIN)
    club = Club(league, lambda: [BORIS, GUEST])
    return serving(hub, access=Access(pin, clock), club=club).url


@pytest.fixture
def visit(chromium, url):
    """Log in on a phone and open a path; fails on what the browser complains of."""
    contexts, faults = [], []

    def open_page(path, language="en", scheme="light"):
        context = chromium.new_context(
            locale=language,
            viewport={"width": 320, "height": 640},
            has_touch=True,
            color_scheme=scheme,
        )
        contexts.append(context)
        context.set_default_timeout(20_000)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "console",
            lambda said: faults.append(said.text) if "status of 4" not in said.text else None,
        )
        page.goto(f"{url}/host/login")
        page.locator("#pin").fill(PIN)
        page.keyboard.press("Enter")
        page.wait_for_url("**/host")
        page.goto(f"{url}{path}")
        return page

    yield open_page
    for context in contexts:
        context.close()


def test_a_whole_evening_of_the_club_on_a_phone(visit, url, league, tmp_path):
    page = visit("/host/players")
    file = tmp_path / "club.csv"
    file.write_text("name,nick\nDora,\nAnna,Fuchs\n", encoding="utf-8")
    page.get_by_label("CSV of players").set_input_files(file)
    page.get_by_role("button", name="Read in", exact=True).tap()
    expect(page.get_by_role("status")).to_have_text("1 added, 1 changed, 0 known already")
    page.get_by_label("Part of the name or nick").fill("бор")
    page.get_by_role("button", name="Find", exact=True).tap()
    page.get_by_role("button", name="Seat Борис at the table").tap()
    expect(page.get_by_role("heading", name="At the table: 1 of 10")).to_be_visible()
    page.get_by_role("link", name="Bars").tap()
    page.get_by_role("link", name="Bar Борис").tap()
    page.get_by_label("for good").check()
    page.get_by_label("Decided by").fill("Olga")
    page.get_by_role("button", name="Bar", exact=True).tap()
    expect(page.get_by_role("status")).to_have_text("The player is barred.")
    page.get_by_role("link", name="Appeals").tap()
    page.get_by_role("link", name="Take down an appeal").tap()
    page.get_by_label("Борис: Threats").check()
    page.get_by_label("What the player says").fill("No.")
    page.get_by_label("Taken down by").fill("Olga")
    page.get_by_role("button", name="Take down").tap()
    expect(page.get_by_role("status")).to_have_text("The appeal is taken down.")
    page.get_by_label("upheld").check()
    page.get_by_label("Reasons").fill("A joke.")
    page.get_by_label("Decided by").fill("Pjotr")
    page.get_by_role("button", name="Decide").tap()
    expect(page.get_by_role("status")).to_have_text("The appeal is decided.")
    assert league.bar_of("Борис", league.today()) is None
    assert league.appeals.points_removed(GAME) == {4}
    assert league.players.get("Anna").nick == "Fuchs"


def test_by_keyboard_alone_a_fault_is_reached_and_heard_at_its_field(visit, league):
    page = visit("/host/players")
    page.locator("#add-name").focus()
    page.keyboard.type("anna")
    page.keyboard.press("Enter")
    field = page.locator("#add-name")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description("Anna: there is a player of that name")
    expect(field).to_have_value("anna")
    field.focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("Emil")
    page.keyboard.press("Tab")
    page.keyboard.type("Em")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text("The player is added.")
    assert league.players.get("Emil").nick == "Em"


GROUND = "getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g).map(Number)"


@pytest.mark.proof
def test_a_phone_that_is_set_to_light_gets_light_pages_and_one_set_to_dark_dark_ones(visit):
    assert min(visit("/host/players").evaluate(GROUND)) > 200
    assert max(visit("/host/players", scheme="dark").evaluate(GROUND)) < 50


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.proof)])
@pytest.mark.parametrize("language", MOST_IN_PROOF)
def test_nothing_is_too_small_for_a_finger_wider_than_the_phone_or_barred(
    visit, url, league, faults_of, language, scheme
):
    anna = league.players.get("Anna")
    bar = league.bars.put(
        "Anna", league.today(), last_day=league.today(), reason="x", decided_by="Olga"
    )
    appeal = league.appeals.take(Case("Борис", GAME, 4, "threats"), text="No.", by="Olga")
    long = "Fyodor Konstantinovich X"
    league.players.keep_ten([league.players.person(long), league.players.person("Gast")])
    league.games.keep(finished_game(golden_rows(game=PLAYED), "club"))
    league.games.seat(Seen(PLAYED, 1, "Olga", "x" * 60), 2, long)
    page = visit("/host/players", language, scheme)
    paths = (
        "games", f"games/{PLAYED}",
        "players", "players?q=none", f"players/{anna.id}", "players/none", "bars",
        f"bars/{bar.id}", "bars/new", "appeals", f"appeals/{appeal.id}", "appeals/new",
    )  # fmt: skip
    for path in paths:
        page.goto(f"{url}/host/{path}")
        assert page.evaluate(SMALL, TOUCH_PX) == [], path
        assert page.evaluate(OVERFLOW) <= 0, path
        assert faults_of(page) == [], path
    page.goto(f"{url}/host/bars/new")
    page.evaluate("document.querySelector('form').noValidate = true")
    page.locator("main form button").tap()
    expect(page.locator(".fault").first).to_be_visible()
    assert faults_of(page) == []

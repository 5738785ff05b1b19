"""What bars a person with a screen reader, a keyboard or weak eyes, as axe-core finds it."""

from types import SimpleNamespace

import pytest

from firmware.pin import FILE, PinFile
from firmware.words import LANGUAGES
from table_controller.scoreboard.console.access import Access

expect = pytest.importorskip("playwright.sync_api").expect
expect.set_options(timeout=20_000)  # two cores may be shared by many
pytestmark = [pytest.mark.browser, pytest.mark.parametrize("language", LANGUAGES)]

PIN = "40718263"
SIZES = {"tv": (1920, 1080), "phone": (360, 740)}


@pytest.fixture
def site(serving, hub, clock, tmp_path, monkeypatch):
    monkeypatch.setattr("firmware.pin.N", 2)
    pin = PinFile(tmp_path / FILE)
    pin.write(PIN)
    return SimpleNamespace(hub=hub, url=serving(hub, access=Access(pin, clock)).url)


@pytest.fixture
def visit(chromium, site, language):
    """Open a page of the site in the language: ``visit(path, size)``."""
    contexts = []

    def open_page(path="/", size="phone"):
        width, height = SIZES[size]
        viewport = {"width": width, "height": height}
        contexts.append(chromium.new_context(viewport=viewport, locale=language))
        page = contexts[-1].new_page()
        page.set_default_timeout(20_000)
        page.goto(site.url + path)
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def logged_in(visit):
    """Open a page of the host's: ``logged_in(path)``."""

    def open_page(path="/host", size="phone"):
        page = visit("/host/login", size)
        page.locator("#pin").fill(PIN)
        page.keyboard.press("Enter")
        page.wait_for_url("**/host")
        if path != "/host":
            page.goto(page.url.removesuffix("/host") + path)
        return page

    return open_page


@pytest.mark.parametrize("size", ["phone", pytest.param("tv", marks=pytest.mark.proof)])
def test_the_scoreboard_at_every_moment(visit, site, boards, faults_of, size):
    site.hub.publish(boards["seating"])
    page = visit("/", size)
    faults = {}
    for name, board in boards.items():
        site.hub.publish(board)
        expect(page.locator("body")).to_have_attribute("data-phase", board.game.phase)
        faults |= {name: found} if (found := faults_of(page)) else {}
    assert faults == {}


def test_the_page_about_privacy(visit, faults_of):
    assert faults_of(visit("/privacy")) == []


def test_the_log_in_and_what_it_says_of_a_wrong_pin(visit, faults_of):
    page = visit("/host/login")
    assert faults_of(page) == []
    page.locator("#pin").fill("999999")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    assert faults_of(page) == []


def test_the_hosts_page(logged_in, faults_of):
    assert faults_of(logged_in()) == []

"""The pages of help in a browser: on a small phone, by keyboard, for screen readers, on paper."""

import pytest

from firmware.words import LANGUAGES

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser
PATHS = ("/help", "/help/host")


MOST_IN_PROOF = [
    "ru",
    *(pytest.param(each, marks=pytest.mark.proof) for each in LANGUAGES if each != "ru"),
]
"""The longest words in the suite, the other languages in the proofs."""


@pytest.fixture
def visit(chromium, serving, hub):
    """Open a page on a phone: ``visit(path, language)``."""
    site, contexts = serving(hub), []

    def open_page(path, language="en"):
        viewport = {"width": 320, "height": 640}
        contexts.append(chromium.new_context(viewport=viewport, locale=language))
        page = contexts[-1].new_page()
        page.set_default_timeout(20_000)
        page.complaints = []
        page.on("console", lambda said: page.complaints.append(said.text))
        page.goto(site.url + path)
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.mark.parametrize("language", MOST_IN_PROOF)
@pytest.mark.parametrize("path", PATHS)
def test_a_small_phone_shows_all_of_it_and_nothing_bars_anybody(visit, faults_of, path, language):
    page = visit(path, language)
    assert page.locator("html").get_attribute("lang") == language
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    for picture in page.locator("img").all():
        picture.scroll_into_view_if_needed()
        page.wait_for_function("each => each.complete", arg=picture.element_handle())
        assert picture.evaluate("each => [each.naturalWidth, each.naturalHeight]") == [128, 64]
    assert faults_of(page) == []
    assert page.complaints == []


@pytest.mark.parametrize("path", PATHS)
def test_every_link_is_reached_by_keyboard_and_large_enough_for_a_thumb(visit, path):
    page = visit(path)
    links = page.locator("a").all()
    assert len(links) >= 8
    for link in links:
        page.keyboard.press("Tab")
        assert link.evaluate("each => each === document.activeElement")
        assert link.bounding_box()["height"] >= 44
        assert link.evaluate("each => getComputedStyle(each).outlineStyle") == "solid"


def test_the_colours_are_drawn_and_named(visit):
    page = visit("/help")
    lamps = page.locator("svg.lamp")
    assert lamps.count() == 11
    colours = {each.get_attribute("fill") for each in page.locator("svg.lamp circle").all()}
    assert len(colours) >= 8
    for each in lamps.all():
        assert each.locator("xpath=..").inner_text().strip()


def test_paper_is_white_and_has_no_links(visit):
    page = visit("/help")
    page.emulate_media(media="print")
    background = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(background) == "rgb(255, 255, 255)"
    assert [each for each in page.locator("nav, a").all() if each.is_visible()] == []

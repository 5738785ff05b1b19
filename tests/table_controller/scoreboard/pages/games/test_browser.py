"""The pages of finished games in a browser: three sizes, three languages, two lights, paper."""

import os
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.words import LANGUAGES, catalogue
from table_controller.scoreboard.pages.games.course import course

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser
SIZES = [(320, 640), (1280, 800), (1920, 1080)]
SIMULATED = 200
SCREENS = Path(os.environ.get("MAFIA_SCREENS", "build/screens"))
"""Where the pictures of a run go; git ignores it."""


@pytest.fixture
def visit(chromium, serving, hub, past, first):
    """Open a page of a site that has the golden game: ``visit(path, language, size, light)``."""
    assert past.league.games.keep(first)
    site, contexts = serving(hub, past=past), []

    def open_page(path, language="en", size=(1280, 800), light="dark"):
        width, height = size
        contexts.append(
            chromium.new_context(
                viewport={"width": width, "height": height}, locale=language, color_scheme=light
            )
        )
        page = contexts[-1].new_page()
        page.set_default_timeout(20_000)
        page.complaints, page.asked = [], []
        page.on("console", lambda said: page.complaints.append(said.text))
        page.on("request", lambda asked: page.asked.append(asked.url))
        page.goto(site.url + path)
        assert [url for url in page.asked if not url.startswith(site.url)] == []
        return page

    yield open_page
    for context in contexts:
        context.close()


def check(page, language, width, faults_of):
    """Check that *page* fits, speaks *language*, and bars nobody."""
    assert page.locator("html").get_attribute("lang") == language
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("h1").count() == 1
    assert faults_of(page) == []
    assert page.complaints == []


def pages_of(pdf):
    """Return how many pages a PDF of Chromium's has."""
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))


def printed(page):
    return page.pdf(format="A4", prefer_css_page_size=True)


def test_a_small_phone_shows_the_record_and_paper_has_it_on_one_page(visit, faults_of, first):
    page = visit(f"/games/{first.game}", "ru", (320, 640), "light")
    check(page, "ru", 320, faults_of)
    assert page.locator("svg").count() == 2
    assert pages_of(printed(page)) == 1


@pytest.mark.proof
@pytest.mark.parametrize("light", ["dark", "light"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}")
def test_all_pages_fit_every_screen_and_bar_nobody(visit, faults_of, first, size, language, light):
    for name, path in (("games", "/games"), ("record", f"/games/{first.game}"), ("deal", "/deal")):
        page = visit(path, language, size, light)
        check(page, language, size[0], faults_of)
        SCREENS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SCREENS / f"{name}-{language}-{size[0]}-{light}.png", full_page=True)


@pytest.mark.proof
def test_every_link_can_be_reached_by_the_keyboard_and_pressed_by_a_thumb(visit, first):
    page = visit(f"/games/{first.game}", size=(360, 740))
    for link in page.locator(".links a, summary").all():
        assert link.bounding_box()["height"] >= 44
        link.focus()
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Tab")
        assert link.evaluate("each => each === document.activeElement")
        assert link.evaluate("each => getComputedStyle(each).outlineStyle") == "solid"
    page.locator("summary").first.press("Enter")
    assert page.locator("details table").first.is_visible()


@pytest.mark.proof
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_golden_game_is_one_page_of_a4(visit, past, golden_games, language):
    for game in golden_games:
        past.league.games.keep(game)
        page = visit(f"/games/{game.game}", language)
        assert pages_of(printed(page)) == 1, game.game


def length(game):
    return sum(len(line.text) for each in course(game, catalogue("de")) for line in each.lines)


@pytest.mark.proof
def test_the_longest_of_many_random_games_is_one_page_of_a4(visit, past, played):
    """Those with the longest courses, and the one of most days; wild hosts among them."""
    games = [played(seed, wild) for seed in range(SIMULATED) for wild in (0.0, 0.05)]
    games = [replace(game, game=f"20260312-183000-{n:08x}") for n, game in enumerate(games)]
    games.sort(key=length)
    days = max(games, key=lambda game: len(course(game, catalogue("de"))))
    for game in {each.game: each for each in (*games[-3:], days)}.values():
        past.league.games.keep(game)
        for language in LANGUAGES:
            page = visit(f"/games/{game.game}", language)
            assert pages_of(printed(page)) == 1, (game.game, language)


@pytest.mark.proof
def test_paper_is_white_and_has_what_is_read_but_nothing_to_press(visit, first):
    page = visit(f"/games/{first.game}")
    page.emulate_media(media="print")
    background = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(background) == "rgb(255, 255, 255)"
    for gone in (".downloads", "nav.ways", "nav.languages", "details"):
        assert not page.locator(gone).first.is_visible(), gone
    for there in (".course", ".items", ".deal", "svg", ".verdict"):
        assert page.locator(there).first.is_visible(), there
    assert page.locator(".account").count() == 10

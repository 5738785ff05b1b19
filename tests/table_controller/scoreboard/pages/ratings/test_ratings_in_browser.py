"""Ratings and player pages in a browser: three sizes and languages, by keyboard, dark and light."""

import pytest

from firmware.words import LANGUAGES
from table_controller.league import Entry

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser
SIZES = {"phone": (320, 640), "laptop": (1280, 800), "tv": (1920, 1080)}

MOST_IN_PROOF = [
    pytest.param(
        size, language, marks=[] if (size, language) == ("phone", "de") else pytest.mark.proof
    )
    for size in SIZES
    for language in LANGUAGES
]
"""The longest words on the smallest page in the suite, all else in the proofs."""


@pytest.fixture
def visit(chromium, serving, club):
    """Open a page: ``visit(path, size, language)``."""
    site, contexts = serving(club.hub, past=club.past), []

    def open_page(path, size="phone", language="en", **how):
        width, height = SIZES[size]
        contexts.append(
            chromium.new_context(
                viewport={"width": width, "height": height}, locale=language, **how
            )
        )
        page = contexts[-1].new_page()
        page.set_default_timeout(20_000)
        page.complaints = []
        page.on("console", lambda said: page.complaints.append(said.text))
        page.goto(site.url + path)
        return page

    yield open_page
    for context in contexts:
        context.close()


def sound(page, width, faults_of):
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert faults_of(page) == []
    assert page.complaints == []


@pytest.mark.parametrize(("size", "language"), MOST_IN_PROOF)
def test_every_size_and_language_shows_all_of_it(visit, club, faults_of, size, language):
    page = visit("/ratings", size, language)
    assert page.locator("html").get_attribute("lang") == language
    assert page.locator(".standings tbody tr").count() == 12
    # One picture, the one that fits.
    assert [each.is_visible() for each in page.locator("svg").all()].count(True) == 1
    assert page.locator(".legend").is_visible() == (size == "phone")
    sound(page, SIZES[size][0], faults_of)
    page.goto(page.url.split("/ratings")[0] + f"/players/{club.ids[0]}")
    assert page.locator(".played tbody tr").count() >= 10
    sound(page, SIZES[size][0], faults_of)


@pytest.mark.proof
@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("path", ["/ratings", "/players/"])
def test_lines_and_letters_stand_out_in_the_dark_and_in_the_light(
    visit, club, faults_of, scheme, path
):
    path += club.ids[0] if path.endswith("/") else ""
    page = visit(path, "laptop", color_scheme=scheme)
    for summary in page.locator("summary").all():
        summary.click()
    sound(page, 1280, faults_of)
    colours = page.evaluate(
        "[...document.querySelectorAll('.rank-plot:not(.narrow) .series .line')]"
        ".map(line => getComputedStyle(line).stroke)"
    )
    assert len(set(colours)) == len(colours) >= 1


@pytest.mark.proof
def test_filters_are_reached_by_keyboard_and_keep_a_column_that_is_sorted_by(visit, faults_of):
    page = visit("/ratings?lang=en")
    assert not page.get_by_role("columnheader", name="Wins").is_visible()
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")
    page.get_by_role("navigation", name="Sorted by").get_by_role(
        "link", name="Wins", exact=True
    ).focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**sort=wins**")
    assert page.get_by_role("columnheader", name="Wins").is_visible()
    sound(page, 320, faults_of)
    for link in page.locator("main a:visible").all():
        assert link.bounding_box()["height"] >= 44
    page.locator(".standings tbody a").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/players/*")
    page.locator(".played tbody a").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/games/*")


@pytest.mark.proof
def test_long_names_and_marks_of_another_direction_break_nothing(visit, club, faults_of):
    club.league.players.change(club.ids[1], Entry("W" * 24, "", "M" * 40))
    page = visit("/ratings")
    assert "W" * 24 in page.content()
    sound(page, 320, faults_of)
    hebrew = page.locator(".standings bdi", has_text="שירה")
    assert hebrew.evaluate("each => getComputedStyle(each).unicodeBidi") == "isolate"


@pytest.mark.proof
def test_on_paper_the_table_is_there_and_the_choices_are_not(visit):
    page = visit("/ratings", "laptop")
    page.emulate_media(media="print")
    assert page.locator(".standings").is_visible()
    assert not page.locator(".choices").first.is_visible()

"""Rules, gestures and devices in a browser: three sizes, three languages, for everybody."""

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.words import LANGUAGES
from table_controller.scoreboard.pages.posted import Device, Posted, Sight

expect = pytest.importorskip("playwright.sync_api").expect
expect.set_options(timeout=20_000)  # two cores may be shared by many
pytestmark = pytest.mark.browser

PATHS = ("/rules", "/gestures", "/devices")
SCREENS = Path(os.environ.get("MAFIA_SCREENS", "build/screens"))
SIZES = {"small": (320, 640), "phone": (390, 844), "tv": (1920, 1080)}
FIRST, PROOF = ("/gestures", "small", "de"), pytest.mark.proof
ONE_IN_SUITE = [
    pytest.param(path, size, language, marks=() if (path, size, language) == FIRST else PROOF)
    for path in PATHS
    for size in SIZES
    for language in LANGUAGES
]
DEVICE = Device(
    "node-01", 1, online=True, version="1.4", link_ms=4, temperature_c=52, throttled=False,
    fps=5, sight=Sight.SEES,
)  # fmt: skip


def devices():
    """Return ten devices: one hot, one covered, one without a link, one with another kit."""
    ten = [replace(DEVICE, user=f"node-{seat:02}", seat=seat) for seat in range(1, 11)]
    ten[1] = replace(ten[1], throttled=True, temperature_c=83)
    ten[2] = replace(ten[2], sight=Sight.COVERED, lacks=("shout", "lamp"))
    ten[3] = Device("node-04", 4, online=False, version="1.4")
    ten[4] = Device("node-05", 5, online=True, version="1.5.10rc1", table_version="1.4.10")
    return tuple(ten)


@pytest.fixture
def posted():
    posted = Posted()
    posted.devices = devices()
    return posted


@pytest.fixture
def visit(chromium, serving, hub, posted):
    """Open a page: ``visit(path, size, language, scheme)``; keeps a picture of it."""
    SCREENS.mkdir(parents=True, exist_ok=True)
    site, contexts = serving(hub, posted=posted, table="t1"), []

    def open_page(path, size="small", language="en", scheme="dark", clock=False):
        width, height = SIZES[size]
        contexts.append(
            chromium.new_context(
                viewport={"width": width, "height": height}, locale=language, color_scheme=scheme
            )
        )
        page = contexts[-1].new_page()
        page.set_default_timeout(20_000)
        page.complaints = []
        page.on("console", lambda said: page.complaints.append(said.text))
        if clock:
            page.clock.install()
        page.goto(site.url + path)
        page.screenshot(path=SCREENS / f"{path[1:]}-{size}-{language}.png", full_page=True)
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.mark.parametrize(("path", "size", "language"), ONE_IN_SUITE)
def test_it_fits_and_bars_nobody(visit, faults_of, path, size, language):
    page = visit(path, size, language)
    assert page.locator("html").get_attribute("lang") == language
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert faults_of(page) == []
    page.emulate_media(color_scheme="light")
    assert faults_of(page) == []
    assert page.complaints == []


@pytest.mark.proof
@pytest.mark.parametrize("path", PATHS)
def test_every_link_is_reached_by_keyboard_and_large_enough_for_a_thumb(visit, path):
    page = visit(path)
    for link in page.locator("a").all():
        page.keyboard.press("Tab")
        assert link.evaluate("each => each === document.activeElement")
        box = link.bounding_box()
        assert min(box["width"], box["height"]) >= 44
        assert link.evaluate("each => getComputedStyle(each).outlineStyle") == "solid"


@pytest.mark.proof
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("path", "sheets"), [("/rules", 6), ("/gestures", 2), ("/devices", 2)])
def test_on_paper_it_is_black_on_white_and_short(visit, path, sheets, language):
    page = visit(path, "phone", language)
    page.emulate_media(media="print")
    background = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(background) == "rgb(255, 255, 255)"
    assert not page.locator("header nav").is_visible()
    printed = page.pdf(format="A4")
    assert printed.count(b"/Type /Page\n") <= sheets


def test_devices_change_while_one_looks_and_say_offline_in_a_word_and_a_shape(visit, posted):
    page = visit("/devices", clock=True)
    lost = page.locator(".offline", has_text="node-04")
    expect(lost).to_have_count(1)
    expect(lost).to_contain_text("✕ offline")
    expect(lost).not_to_contain_text("°C")
    stranger = page.locator(".offline", has_text="node-05")
    expect(stranger).to_contain_text("▲ does not play")
    expect(stranger).to_contain_text("kit 1.5.10rc1, the table has 1.4.10; update it: mafia-table")
    posted.devices = (replace(DEVICE, temperature_c=61), *posted.devices[1:])
    page.clock.run_for(11_000)
    expect(page.locator("#devices li").first).to_contain_text("61 °C")
    assert page.complaints == []

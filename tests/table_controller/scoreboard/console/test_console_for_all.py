"""The host's console for every hand and eye: sizes, languages, keyboard, axe; asleep, offline."""

import itertools
import re

import pytest

expect = pytest.importorskip("playwright.sync_api").expect
expect.set_options(timeout=20_000)  # two cores may be shared by many
pytestmark = pytest.mark.browser

TOUCH_PX, BIG_PX = 44, 64
SIZES = {"small": (320, 568), "phone": (360, 740), "laptop": (1280, 800)}
MEASURE = """() => {
  const shown = one => one.checkVisibility() && one.getClientRects().length;
  const all = names => [...document.querySelectorAll(names)].filter(shown);
  const small = all("button, select, input, summary, .links a, a.act")
    .map(one => [one, (one.closest("label.switch") ?? one).getBoundingClientRect()])
    .filter(([, box]) => Math.min(box.width, box.height) < TOUCH)
    .map(([one]) => one.id || one.textContent);
  const may_end_in_dots = ".unseen, .undo, .undo span, .name, .seat, .seat-middle";
  const cut = all("button, button span, h1, h2, .tag, .kind, summary")
    .filter(one => !one.matches(may_end_in_dots))
    .filter(one => one.clientWidth && one.scrollWidth > one.clientWidth + 1)
    .map(one => one.textContent);
  return { wide: document.documentElement.scrollWidth - innerWidth, small, cut };
}""".replace("TOUCH", str(TOUCH_PX))
"""What is too small to hit, what is cut off, and by how much the page is wider than its window."""


def at(page, moment, kit, evening):
    kit.sheets.publish(evening[moment])
    expect(page.locator("body")).to_have_attribute("data-phase", evening[moment].phase)


def fits(page):
    measured = page.evaluate(MEASURE)
    assert measured == {"wide": 0, "small": [], "cut": []}


@pytest.mark.parametrize(
    ("size", "language"),
    [
        ("small", "ru"),
        *[
            pytest.param(size, language, marks=pytest.mark.proof)
            for size, language in itertools.product(SIZES, ("en", "ru", "de"))
            if (size, language) != ("small", "ru")
        ],
    ],
)
def test_all_fits_and_is_big_enough_to_hit(kit, evening, open_console, size, language):
    width, height = SIZES[size]
    kit.sheets.publish(evening["lobby"])
    page = open_console(language, viewport={"width": width, "height": height})
    for moment in evening:
        at(page, moment, kit, evening)
        fits(page)
        big = page.locator("#next")
        if big.is_visible():
            box = big.bounding_box()
            assert box["height"] >= BIG_PX
            assert box["y"] + box["height"] <= height, "in reach without scrolling"
    for moment, opener in (("vote", "#seat-5"), ("speech", "#more"), ("speech", "#undo")):
        at(page, moment, kit, evening)
        page.locator(opener).click()
        for fold in page.locator("dialog[open] summary:visible").all():
            if not fold.evaluate("element => element.parentElement.open"):
                fold.click()
        fits(page)
        page.keyboard.press("Escape")


@pytest.mark.parametrize("scheme", ["dark", pytest.param("light", marks=pytest.mark.proof)])
def test_axe_finds_no_serious_fault(kit, evening, open_console, faults_of, scheme):
    kit.sheets.publish(evening["lobby"])
    page = open_console(color_scheme=scheme, reduced_motion="reduce")
    for moment in evening:
        at(page, moment, kit, evening)
        assert faults_of(page) == [], moment
    for moment, opener in (("vote", "#seat-5"), ("speech", "#more"), ("speech", "#undo")):
        at(page, moment, kit, evening)
        page.locator(opener).click()
        for fold in page.locator("dialog[open] summary:visible").all():
            fold.click()
        assert faults_of(page) == [], opener
        page.keyboard.press("Escape")


def test_all_of_a_seat_is_done_by_keyboard_and_the_focus_comes_back(kit, evening, open_console):
    kit.sheets.publish(evening["speech"])
    page = open_console()
    expect(page.locator("#seat-4")).to_contain_text("Dmitri")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#next")).to_be_focused()
    expect(page.locator("#next")).to_have_attribute("aria-disabled", "false")
    page.keyboard.press("Enter")
    assert kit.table.order() == {"do": "end_countdown", "countdown": 12}
    expect(page.locator("#next")).to_be_focused()
    page.locator("#seat-4").focus()
    page.keyboard.press("Enter")
    sheet = page.locator("#seat-sheet")
    expect(sheet.get_by_role("button", name="Foul", exact=True)).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(page.locator("#seat-4")).to_be_focused()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    assert kit.table.order() == {"do": "give_foul", "seat": 4}
    expect(page.locator("#seat-4")).to_be_focused()


def test_a_sheet_that_is_open_follows_the_table_and_keeps_what_is_chosen(
    kit, evening, open_console
):
    kit.sheets.publish(evening["speech"])
    page = open_console()
    page.locator("#seat-4").click()
    page.locator("#fair-part summary").click()
    page.get_by_label("Offence").select_option("threats")
    at(page, "vote", kit, evening)
    expect(page.locator("#vote-part")).to_be_visible()
    expect(page.get_by_label("Offence")).to_have_value("threats")
    at(page, "night", kit, evening)
    expect(page.locator("#vote-part")).to_be_hidden()


def test_a_screen_reader_hears_the_phase_and_not_the_clock(kit, evening, open_console):
    kit.sheets.publish(evening["speech"])
    page = open_console()
    head = page.get_by_role("status").filter(has=page.locator("h1"))
    expect(head).to_have_text(re.compile("Speeches"))
    expect(page.get_by_role("timer")).to_have_attribute("aria-live", "off")
    assert page.locator("[role=status] #clock, [aria-live=polite] #clock").count() == 0
    for landmark in ("banner", "main", "navigation"):
        expect(page.get_by_role(landmark)).to_have_count(1)
    expect(page.get_by_role("region", name="Next step")).to_be_visible()


def test_without_scripts_it_says_so_and_lets_out(kit, open_console):
    page = open_console(java_script_enabled=False)
    expect(page.get_by_text("This page needs JavaScript.")).to_be_visible()
    expect(page.locator(".dock")).to_be_hidden()
    expect(page.get_by_role("link", name="Scoreboard")).to_be_visible()
    page.get_by_role("button", name="Log out").click()
    expect(page.locator("#pin")).to_be_visible()


def test_a_page_that_slept_catches_up_by_itself(kit, evening, open_console):
    kit.sheets.publish(evening["speech"])
    page = open_console()
    expect(page.locator("h1")).to_have_text("Speeches")
    page.evaluate("""() => {
      window.ages = [];
      new MutationObserver(() => window.ages.push(document.getElementById("age").textContent))
        .observe(document.getElementById("age"), { childList: true });
    }""")
    debugger = page.context.new_cdp_session(page)
    debugger.send("Page.setWebLifecycleState", {"state": "frozen"})
    kit.sheets.publish(evening["night"])
    debugger.send("Page.setWebLifecycleState", {"state": "active"})
    expect(page.locator("h1")).to_have_text("Night 2")


def test_a_page_that_comes_to_the_front_asks_at_once(kit, evening, open_console):
    kit.sheets.publish(evening["speech"])
    page = open_console()
    expect(page.locator("h1")).to_have_text("Speeches")
    # From now on a stream hangs: it is neither refused nor says anything.
    page.route("**/host/events*", lambda route: None)
    with page.expect_request("**/host/events*"):
        kit.end_streams()
    page.evaluate("for (let timer = 1; timer < 1000; timer += 1) clearInterval(timer)")
    kit.sheets.publish(evening["night"])
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("h1")).to_have_text("Night 2")


@pytest.mark.proof
def test_a_stream_that_hangs_is_helped_out_by_polling(kit, evening, open_console):
    kit.sheets.publish(evening["speech"])
    page = open_console()
    expect(page.locator("h1")).to_have_text("Speeches")
    page.route("**/host/events*", lambda route: None)
    kit.end_streams()
    kit.sheets.publish(evening["night"])
    expect(page.locator("h1")).to_have_text("Night 2")
    expect(page.locator("#news")).to_have_text("live, every 2 s")


@pytest.mark.proof
def test_a_page_without_a_link_shows_the_age_of_what_it_shows_and_recovers(
    kit, evening, open_console
):
    kit.sheets.publish(evening["speech"])
    page = open_console(allow=("ERR_FAILED", "503"))
    expect(page.locator("#news")).to_have_text("live")
    page.route("**/host/events*", lambda route: route.fulfill(status=503))
    page.route("**/host/state*", lambda route: route.abort())
    kit.end_streams()
    expect(page.locator("#age")).to_have_text(re.compile(r"As it was \d+ s ago"))
    expect(page.locator("#news")).to_have_text(re.compile(r"no news for \d+ s"))
    expect(page.locator("#said")).to_have_text("The link to the table is lost")
    kit.sheets.publish(evening["night"])
    page.unroute("**/host/state*")
    expect(page.locator("h1")).to_have_text("Night 2")
    expect(page.locator("#age")).to_be_hidden()
    expect(page.locator("#news")).to_have_text("live, every 2 s")

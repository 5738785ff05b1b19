"""The host's log-in in a real browser: keyboard, screen reader, phone, without JavaScript."""

import pytest

from firmware.pin import FILE, PinFile
from table_controller.scoreboard.console.access import ONE, Access

expect = pytest.importorskip("playwright.sync_api").expect
expect.set_options(timeout=20_000)  # two cores may be shared by many
pytestmark = pytest.mark.browser

PIN = "40718263"
PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True}
TOUCH_PX = 44
"""The least side of what a finger hits. Source: WCAG 2.5.5."""

CONTRAST = """element => {
  const light = colour => {
    const parts = colour.match(/[\\d.]+/g).slice(0, 3).map(part => part / 255)
      .map(part => part <= .03928 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
    return .2126 * parts[0] + .7152 * parts[1] + .0722 * parts[2];
  };
  let behind = element;
  const ground = () => getComputedStyle(behind).backgroundColor;
  while (ground() === "rgba(0, 0, 0, 0)") behind = behind.parentElement;
  const two = [getComputedStyle(element).color, ground()].map(light);
  return (Math.max(...two) + .05) / (Math.min(...two) + .05);
}"""
"""Of text and what is behind it. Source: WCAG 2.1, relative luminance."""


@pytest.fixture
def url(serving, hub, clock, tmp_path, monkeypatch):
    monkeypatch.setattr("firmware.pin.N", 2)
    pin = PinFile(tmp_path / FILE)
    pin.write(PIN)
    return serving(hub, access=Access(pin, clock)).url


@pytest.fixture
def visit(chromium, url):
    """Open the host's page; fails on what a browser complains of.

    With *url*, so that the browser leaves before the server does: what it still loads then
    would be reset.
    """
    contexts, faults = [], []

    def open_page(url, **options):
        context = chromium.new_context(locale="en", **options)
        contexts.append(context)
        context.set_default_timeout(20_000)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "console",
            lambda said: faults.append(said.text) if "status of 4" not in said.text else None,
        )
        page.goto(f"{url}/host")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


@pytest.mark.parametrize("javascript", [True, False], ids=["with", "without JavaScript"])
def test_a_host_logs_in_and_out_with_the_keyboard_alone(visit, url, javascript):
    page = visit(url, java_script_enabled=javascript)
    expect(page.get_by_label("The host's PIN")).to_be_focused()
    page.keyboard.type(PIN)
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_have_text("You are logged in as the host.")
    assert page.url == f"{url}/host"
    # A key, or a step back, while a page still loads is lost, or breaks off what it loads.
    page.wait_for_load_state("load")
    leave = page.get_by_role("button", name="Log out")
    page.keyboard.press("Tab")
    while not leave.evaluate("element => element === document.activeElement"):
        page.keyboard.press("Tab")
        expect(page.locator("body")).not_to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Host", level=1)).to_be_visible()
    expect(page.get_by_label("The host's PIN")).to_have_value("")
    page.wait_for_load_state("load")
    page.go_back()
    page.reload()
    expect(page.get_by_label("The host's PIN")).to_be_visible()


def test_a_screen_reader_hears_what_went_wrong_and_what_to_do(visit, url):
    page = visit(url)
    expect(page.get_by_role("alert")).to_have_count(0)
    for _ in range(ONE.free):
        page.get_by_label("The host's PIN").fill("999999")
        page.get_by_role("button", name="Log in").click()
        expect(page.get_by_role("alert")).to_have_text("This PIN is wrong.")
    field = page.get_by_label("The host's PIN")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(
        "This PIN is wrong. No PIN, or lost? On the table controller, run: mafia-table pin"
    )
    field.fill(PIN)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert")).to_have_text("Too many wrong PINs. Try again in 5 s.")


@pytest.mark.parametrize("language", ["en", "ru", "de"])
def test_on_a_small_phone_all_is_in_sight_and_big_enough_to_hit(visit, url, language):
    page = visit(url, **PHONE)
    page.goto(f"{url}/host/login?lang={language}")
    field, button = page.locator("#pin"), page.locator("button")
    for part in (field, button):
        box = part.bounding_box()
        assert min(box["width"], box["height"]) >= TOUCH_PX
        assert box["y"] + box["height"] <= PHONE["viewport"]["height"] / 2, "above the keyboard"
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
    expect(field).to_have_attribute("inputmode", "numeric")
    expect(field).to_have_attribute("type", "password")
    for part in page.locator("h1, label, button, p, a").all():
        assert part.evaluate(CONTRAST) >= 4.5, part.inner_text()
    field.fill("999999")
    button.click()
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator(".said")).to_be_visible()
    # Before its style has come nothing has a colour.
    page.wait_for_load_state("load")
    assert page.locator(".said").evaluate(CONTRAST) >= 4.5


def test_no_script_of_a_page_sees_the_session(visit, url):
    page = visit(url)
    page.get_by_label("The host's PIN").fill(PIN)
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_be_visible()
    assert page.evaluate("document.cookie") == ""
    kept = {cookie["name"]: cookie for cookie in page.context.cookies([f"{url}/host"])}
    assert kept["mafia_host"]["httpOnly"]
    assert kept["mafia_host"]["sameSite"] == "Strict"
    assert page.context.cookies([url]) == [], "not sent for the scoreboard"

"""A house of real programs, and hosts with the console on phones."""

import re

import pytest

from firmware.pin import FILE, PinFile
from firmware.wire import Icon
from table_controller.game import SEATS

expect = pytest.importorskip("playwright.sync_api").expect
expect.set_options(timeout=20_000)  # two cores may be shared by many

PIN = "40718263"
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "locale": "en"}
TABS_MAX = 200
STEPS_MAX = 200
ROLES = re.compile(r"citizen|sheriff|\bdon\b", re.IGNORECASE)


class Host:
    """One host with one phone; by *keyboard* alone, or with a thumb."""

    def __init__(self, director, page, *, keyboard=False):
        self.director, self.page, self.keyboard = director, page, keyboard

    def sheet(self):
        """Return what the page is sent; before the end of a game nothing of it is a role."""
        asked = self.page.context.request.get(f"{self.director.house.address}host/state")
        sheet = asked.json()["sheet"]
        game = sheet["game"]
        if game and not game["public"]["winner"]:
            assert {seat["role"] for seat in game["public"]["seats"]} == {None}
            assert not ROLES.search(asked.text())
        return sheet

    def press(self, locator):
        """Press a button, as a hand would."""
        expect(locator).to_be_visible()
        if not self.keyboard:
            locator.click()
            return
        self.tab_to(locator)
        self.page.keyboard.press("Enter")

    def tab_to(self, locator):
        for _ in range(TABS_MAX):
            if locator.evaluate("element => element === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{locator} is not reached by TAB")

    def next(self, name):
        """Press the big button once it is *name* and has settled."""
        button = self.page.locator("#next")
        expect(button).to_have_text(name)
        expect(button).to_have_attribute("aria-disabled", "false")
        self.press(button)

    def done(self, name):
        said, refusal = self.page.locator("#said"), self.page.locator("#refusal")
        answered = said.filter(has_text=f"Done: {name}").or_(refusal.locator("p").first)
        expect(answered).to_be_attached()
        assert refusal.inner_text() == ""

    def seat(self, number, *folds):
        """Open the sheet of a seat and these parts of it, and return it."""
        self.press(self.page.locator(f"#seat-{number}"))
        sheet = self.page.locator("#seat-sheet")
        expect(sheet).to_be_visible()
        for fold in folds:
            part = sheet.locator(f"#{fold}-part")
            if not part.evaluate("element => element.open"):
                self.press(part.locator("summary"))
        return sheet

    def more(self, name):
        """Give an order of the sheet of the game."""
        self.press(self.page.locator("#more"))
        self.press(self.page.locator("#more-sheet").get_by_role("button", name=name))

    def phase(self, name, within_s=20):
        body = self.page.locator("body")
        expect(body).to_have_attribute("data-phase", name, timeout=1000 * within_s)

    def step_to(self, phase, called=0):
        """Let countdowns expire until the game is in *phase*, and the page shows it.

        By the scoreboard, not by the voice, which may speak a moment later.
        """
        for _ in range(STEPS_MAX):
            game = self.director.state()["game"]
            if game["phase"] == phase and called in (0, game["called"]):
                self.phase(phase)
                self.sheet()
                return
            self.director.stage.step()
        raise AssertionError(f"{phase} did not come in {STEPS_MAX} steps")

    def speaks(self, seat):
        self.phase("speech")
        expect(self.page.locator("#who")).to_have_text(re.compile(rf"^{seat}\b"))


@pytest.fixture
def new_host(chromium):
    """Makes hosts: ``new_host(director)`` has typed the PIN and reads the console."""
    contexts, faults = [], []

    def new(director, *, keyboard=False, allow=()):
        house = director.house
        if not contexts:  # Another PIN ends the sessions of the one before.
            PinFile(house.folder / "data" / FILE).write(PIN)
        context = chromium.new_context(**PHONE)
        contexts.append(context)
        context.set_default_timeout(20_000)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "console",
            lambda said: (
                faults.append(said.text)
                if said.type == "error" and not any(word in said.text for word in allow)
                else None
            ),
        )
        page.goto(f"{house.address}host")
        expect(page.locator("#pin")).to_be_focused()
        page.keyboard.type(PIN)
        page.keyboard.press("Enter")
        page.wait_for_url("**/host")
        expect(page.locator("#news")).to_have_text("live")
        return Host(director, page, keyboard=keyboard)

    yield new
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture
def evening(new_house, director_class):
    """A kit that steps, before its first game, with a readiness round."""
    director = director_class(new_house(step=True, readiness=True, speed=20.0, seed=1))
    director.house.wait_ready()
    return director


@pytest.fixture
def mafia_of():
    """Tells from the open cards which seats are mafia."""

    def read(director):
        icons = {seat: director.panels[seat].shown.icon for seat in SEATS}
        return [seat for seat, icon in icons.items() if icon in (Icon.MAFIA, Icon.DON)]

    return read

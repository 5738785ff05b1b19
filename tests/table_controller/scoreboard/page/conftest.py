"""The table's page in a real browser."""

import os
from pathlib import Path

import pytest

from tests.table_controller.scoreboard.page.reading import SIZES, expect

SCREENS = Path(os.environ.get("MAFIA_SCREENS", "build/screens"))
"""Where the pictures of a run go; git ignores it."""


def is_fault(said):
    """Return whether a console's line is one: that a stopped table refuses is told by design."""
    asked = said.location.get("url", "")
    refused = "/state" in asked and "ERR_CONNECTION" in said.text
    return said.type == "error" and "/events" not in asked and not refused


@pytest.fixture
def visit(chromium):
    """Open the page as a viewer: ``visit(url, size=.., locale=..)``. Fails on console errors."""
    contexts, faults = [], []

    def open_page(url, size="tv", locale="en", wait=True, clock=False, **options):
        width, height = SIZES[size]
        context = chromium.new_context(
            viewport={"width": width, "height": height}, locale=locale, **options
        )
        contexts.append(context)
        context.set_default_timeout(10_000)
        page = context.new_page()
        if clock:
            page.clock.install()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if is_fault(said) else None)
        page.goto(url)
        if wait:
            expect(page.locator("body")).not_to_have_attribute("data-phase", "waiting")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture
def keep_picture():
    """Keep a picture of the page among the artefacts of the run: ``keep_picture(page, name)``."""

    def keep(page, name):
        SCREENS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SCREENS / f"{name}.png")

    return keep

"""How a test reads the table's page."""

import re

import pytest

expect = pytest.importorskip("playwright.sync_api").expect
expect.set_options(timeout=20_000)  # two cores may be shared by many

SIZES = {"tv": (1920, 1080), "laptop": (1366, 768), "phone": (390, 844), "small": (320, 640)}
ROLE_WORDS = re.compile(
    r"citizen|sheriff|mafia|\bdon\b|мирн|шериф|мафи|\bдон\b|bürger", re.IGNORECASE
)


def shown(page, phase):
    """Wait until the page shows *phase*."""
    expect(page.locator("body")).to_have_attribute("data-phase", phase)


def reads(page, selector, text):
    """Wait until *selector* reads *text*, a string or a pattern."""
    expect(page.locator(selector)).to_have_text(text)


def text(page, selector):
    return page.inner_text(selector)


def is_as_wide_as_the_window(page):
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")

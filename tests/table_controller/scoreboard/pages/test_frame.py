"""The frame of the public pages that are read: ways, languages, name."""

import re
from html import unescape

import pytest

from firmware.words import LANGUAGES, catalogue
from table_controller.scoreboard import create_app
from table_controller.scoreboard.pages.frame import NAVIGATION


@pytest.fixture
def client(hub):
    return create_app(hub, "en", table="red room").test_client()


def part(page, kind):
    """Return the links of one list of the frame: (address, attributes, name)."""
    nav = re.search(rf'<nav class="{kind}".*?</nav>', page, re.DOTALL)[0]
    links = re.findall(r'<a href="([^"]*)"([^>]*)>([^<]*)</a>', nav)
    return [(unescape(href), rest, name) for href, rest, name in links]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_way_leads_to_a_page_and_keeps_the_language(client, language):
    t = catalogue(language).gettext
    ways = part(client.get(f"/privacy?lang={language}").text, "ways")
    assert len(ways) >= 3
    names = {f"{path}?lang={language}": t(name) for path, name in NAVIGATION}
    for href, _, name in ways:
        assert names[href] == name
        answer = client.get(href)
        assert (answer.status_code, answer.mimetype) == (200, "text/html")
        assert f'<html lang="{language}">' in answer.text


def test_the_way_that_one_is_on_is_marked_also_from_a_page_below_it(client):
    def marked(path):
        ways = part(client.get(path).text, "ways")
        return [(href, rest.strip()) for href, rest, _ in ways if "aria-current" in rest]

    assert marked("/privacy") == [("/privacy?lang=en", 'aria-current="page"')]
    assert marked("/help/host") == [("/help?lang=en", 'aria-current="true"')]


def test_another_language_keeps_the_path_and_what_was_asked(client):
    page = client.get("/help/host?season=2026%26x&lang=de&team=town&team=mafia").text
    links = part(page, "languages")
    assert [name for *_, name in links] == ["English", "Русский", "Deutsch"]
    for (href, rest, _), language in zip(links, LANGUAGES, strict=True):
        asked = f"/help/host?season=2026%26x&team=town&team=mafia&lang={language}"
        assert href == asked
        assert f'lang="{language}"' in rest
        assert ("aria-current" in rest) == (language == "de")


def test_what_is_asked_cannot_write_into_the_page(client):
    page = client.get("/help?x=%22%3E%3Cscript%3E&%3Cb%3E=1").text
    assert "<script" not in page
    assert "<b>" not in page


def test_the_table_is_named_and_the_answer_says_its_language(client):
    answer = client.get("/privacy?lang=ru")
    assert "Стол red room" in answer.text
    assert answer.headers["Content-Language"] == "ru"
    assert "Accept-Language" in answer.headers["Vary"]

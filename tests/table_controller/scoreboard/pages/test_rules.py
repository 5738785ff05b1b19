"""The page of rules: written from the ruleset in force, marked, in three languages."""

import re
from html import unescape

import pytest
from msgspec.structs import replace

from firmware.words import LANGUAGES, catalogue
from table_controller.game import NORMAL, TURBO
from table_controller.game.points import Points
from table_controller.game.rulefile import lines
from table_controller.game.terms import Offence
from table_controller.scoreboard import create_app
from table_controller.scoreboard.pages.marked import Marked
from table_controller.scoreboard.pages.posted import Posted
from table_controller.scoreboard.pages.rules import _CARDS
from table_controller.wording import offence_name

KEYS = [line.key for line in lines(NORMAL)]
UNNOTICED = {"gather_s"}
"""What no player can notice stands in the list of all numbers only."""

WITH = {"few_left": "few_left_short_speech", "few_left_speech_s": "few_left_short_speech"}
"""Numbers that mean something only with a flag."""


@pytest.fixture
def posted():
    return Posted()


@pytest.fixture
def read(hub, posted):
    client = create_app(hub, "en", posted=posted).test_client()

    def page(language="en"):
        return client.get(f"/rules?lang={language}").text

    return page


def text_of(page):
    """Return the page as a reader gets it, the list of all numbers apart."""
    text = unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page)))
    told, listed = text.rsplit("All numbers", 1)
    return told, listed


def changed(ruleset, key):
    """Return *ruleset* with another value of *key*."""
    if key.startswith("points."):
        row = key.removeprefix("points.")
        classic, best = getattr(ruleset.points, row)
        return replace(ruleset, points=replace(ruleset.points, **{row: (classic, best + 7)}))
    if flag := WITH.get(key):
        ruleset = replace(ruleset, **{flag: True})
    value = getattr(ruleset, key)
    if isinstance(value, bool):
        return replace(ruleset, **{key: not value})
    if isinstance(value, tuple):
        return replace(ruleset, **{key: (3, 4)})
    return replace(ruleset, **{key: value + 1.5 if isinstance(value, float) else value + 1})


@pytest.mark.parametrize("key", KEYS)
def test_another_number_is_another_page(read, posted, key):
    posted.ruleset = before = replace(NORMAL, **{WITH[key]: True}) if key in WITH else NORMAL
    old = text_of(read())
    posted.ruleset = changed(before, key)
    told, listed = text_of(read())
    assert (told != old[0]) == (key not in UNNOTICED)
    assert key.startswith("points.") or listed != old[1]


def test_every_row_of_points_is_on_one_card_with_max_before_classic(read):
    on_cards = [key for keys in _CARDS.values() for key in keys]
    assert sorted(on_cards) == sorted(Points.__struct_fields__)
    page = read()
    cell = re.search(r"win of the town</th><td[^>]*>(.*?)</td>", page, re.DOTALL)[1]
    assert re.search(r"<b>\+1\.35</b>.*<small>\+1\.00</small>", cell, re.DOTALL)


def test_each_number_says_whether_it_is_fixed_default_or_the_clubs_own(read, posted):
    posted.ruleset = replace(NORMAL, silent_s=21.0)
    marks = {
        "speech_s": ("60\N{NO-BREAK SPACE}s", "fixed", "●"),
        "silent_s": ("21\N{NO-BREAK SPACE}s", "changed", "◆"),
        "ballot_s": ("5\N{NO-BREAK SPACE}s", "default", "○"),
    }
    marked = Marked(posted.ruleset, catalogue("en"))
    page = read()
    for key, (value, word, sign) in marks.items():
        assert sign in marked[key]
        assert value in marked[key]
        assert f"({word})" in marked[key]
        assert marked[key] in page
    # None stands there without.
    assert len(re.findall(r'class="value', page)) > 30
    assert not re.search(r'class="value[^"]*">[^<]*</span>(?!<span class="mark)', page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_turbo_shows_its_own_times(read, posted, language):
    posted.ruleset = TURBO
    page = read(language)
    t = catalogue(language).gettext
    assert f">25\N{NO-BREAK SPACE}{t('s')}</span>" in page
    assert t("changed by this club") in page
    assert 'class="mark changed"><' not in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_offences_and_kin_are_told_in_each_language(read, language):
    page = unescape(read(language))
    words = catalogue(language)
    for offence in Offence:
        assert f"<dd>{offence_name(offence, words)}</dd>" in page
    assert "1986" in page
    assert "1997" in page
    assert "{" not in page
    if language == "de":
        assert "Werwolf" in page
        assert "+1,35" in page


def test_each_language_has_a_page_of_its_own(read):
    def sentences(language):
        return set(re.findall(r"<li>([^<]{20,})", read(language)))

    english = sentences("en")
    assert len(english) > 40
    for language in ("ru", "de"):
        assert len(sentences(language)) >= len(english) - 3
        assert not sentences(language) & english


def test_the_contents_lead_to_every_heading(read):
    page = read()
    anchors = re.findall(r' id="([^"]*)"', page)
    assert len(anchors) == len(set(anchors))
    assert set(re.findall(r'href="#([^"]*)"', page)) == {*anchors} - {"contents"}
    assert page.count("<h1>") == 1
    assert "<script" not in page
    assert " style=" not in page

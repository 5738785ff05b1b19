"""The catalogues: whole, in the letters of their language, with its forms of plural and numbers."""

import datetime
import functools
import re
import unicodedata
from pathlib import Path

import pytest

from firmware.words import LANGUAGES, SOURCE, catalogue
from firmware.words.collect import collect, path_of, read
from table_controller.league.names import day_name
from table_controller.scoreboard.pages.games import numbers
from table_controller.scoreboard.pages.marked import decimal, points

ROOT = Path(__file__).parents[3]
TRANSLATED = [language for language in LANGUAGES if language != SOURCE]

FORMS = {
    "ru": {1: 0, 2: 1, 4: 1, 5: 2, 11: 2, 12: 2, 21: 0, 22: 1, 25: 2, 111: 2, 0: 2},
    "de": {1: 0, 2: 1, 0: 1, 5: 1, 21: 1},
}
"""A count and which form of the plural it takes."""

LETTERS = {"ru": ("CYRILLIC", "LATIN"), "de": ("LATIN",)}

NUMBERS = {"en": "+1.35", "ru": "+1,35", "de": "+1,35"}
SMALL = {"en": "0.8", "ru": "0,8", "de": "0,8"}
DAYS = {"en": "November", "ru": "30 ноября 2026", "de": "30. November 2026"}
CLOCK = {"en": "18:05", "ru": "18:05", "de": "18:05"}


def texts(language):
    """Yield each text with its translations."""
    for message in read(path_of(ROOT, language), language):
        if message.id:
            forms = (message.string,) if isinstance(message.string, str) else message.string
            one = message.id if isinstance(message.id, str) else message.id[0]
            yield one, message, forms


@pytest.mark.parametrize("language", TRANSLATED)
def test_nothing_is_doubtful_left_over_or_the_source_itself(language):
    words = read(path_of(ROOT, language), language)
    assert [message.id for message in words if message.id and message.fuzzy] == []
    assert list(words.obsolete) == []
    # A sentence that is the same in two languages was forgotten.
    same = [one for one, _, forms in texts(language) if one in forms and len(one.split()) > 4]
    assert same == []


def ends(text):
    """Return how *text* begins and ends; an abbreviation may end with a full stop."""
    return text[:1].isspace(), text[-1:].isspace(), text[-1:] == ":"


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_begins_and_ends_as_its_text_does(language):
    wrong = [
        (one, form)
        for one, _, forms in texts(language)
        for form in filter(None, forms)
        if ends(one) != ends(form) or (one[-1] == "." and form[-1] != ".")
    ]
    assert wrong == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_count_has_its_form(language):
    words = catalogue(language)
    plurals = {text for text in collect(ROOT) if isinstance(text, tuple)}
    assert plurals
    for one, many in plurals:
        message = read_once(language)[one]
        forms = message.string
        assert len(forms) == max(FORMS[language].values()) + 1, one
        assert all(forms), one
        for count, form in FORMS[language].items():
            assert words.ngettext(one, many, count) == forms[form], (one, count)


@functools.cache
def read_once(language):
    return {one: message for one, message, _ in texts(language)}


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_word_is_written_in_one_alphabet_and_in_the_languages_own(language):
    strange = []
    for one, _, forms in texts(language):
        for word in re.findall(r"[^\W\d_]+", re.sub(r"\{[^}]*\}", " ", " ".join(forms))):
            found = {unicodedata.name(letter).split()[0] for letter in word}
            if len(found) > 1 or not found <= set(LETTERS[language]):
                strange.append((one, word))
            if language == "ru" and found == {"LATIN"} and word.lower() not in one.lower():
                strange.append((one, word))
    assert strange == []


def test_a_text_of_the_code_is_english():
    plain = [text if isinstance(text, str) else text[1] for text in collect(ROOT)]
    assert [text for text in plain if re.search(r"[^\W\d_a-zA-Z]", text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_days_and_times_are_written_as_the_language_writes_them(language):
    assert points(135, language) == numbers.points(135, language) == NUMBERS[language]
    assert decimal(0.8, language) == SMALL[language]
    day = datetime.date(2026, 11, 30)
    assert DAYS[language] in day_name(day, catalogue(language))
    assert DAYS[language] in numbers.day(day, language)
    at = datetime.datetime(2026, 11, 30, 18, 5, tzinfo=datetime.UTC)
    assert numbers.clock(at, language) == CLOCK[language]


MANY = ("letters; expected {most}", "the last {games} games")
"""Counts that are never one."""


def test_no_count_stands_before_a_word_that_has_no_other_form():
    """Such a text is marked as a plural; or it says "fouls: {fouls}", which any number fits."""
    counted = re.compile(r"\{(count|games|players|minutes|fouls|votes|n|wins)\} [a-z]{3,}s\b")
    texts = [text for text in collect(ROOT) if isinstance(text, str) and counted.search(text)]
    assert [text for text in texts if not any(each in text for each in MANY)] == []

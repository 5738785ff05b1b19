import subprocess
import sys
from pathlib import Path
from string import Formatter

import pytest

from firmware.errors import CardError
from firmware.words import LANGUAGES, N_, SOURCE, catalogue
from firmware.words.collect import (
    MarkError,
    collect,
    path_of,
    read,
    texts_in,
    texts_of_page,
    texts_of_python,
    update,
)

ROOT = Path(__file__).parents[3]
TRANSLATED = [language for language in LANGUAGES if language != SOURCE]


def fields(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def test_english_is_the_source_itself():
    words = catalogue("en")
    assert words.gettext("Nobody wrote this") == "Nobody wrote this"
    assert [words.ngettext("one", "many", n) for n in (1, 2)] == ["one", "many"]
    assert N_("later") == "later"


def test_english_is_there_without_babel():
    code = "import sys, firmware.words as w; w.catalogue('en'); print('babel' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_language_is_compiled_once():
    assert catalogue("ru") is catalogue("ru")


def test_an_unknown_language_is_an_error_of_the_card():
    with pytest.raises(CardError, match="language 'eo': expected one of en, ru"):
        catalogue("eo")


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_of_the_source_is_translated_and_no_other(language):
    used, there = collect(ROOT), texts_in(read(path_of(ROOT, language), language))
    assert {text: used[text] for text in used if not there.get(text)} == {}, "run: make words"
    assert there.keys() - used.keys() == set(), "run: python -m firmware.words --prune"


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_has_the_fields_of_its_text(language):
    wrong = []
    for message in read(path_of(ROOT, language), language):
        if not message.id:
            continue
        texts = (message.id,) if isinstance(message.id, str) else message.id
        forms = (message.string,) if isinstance(message.string, str) else message.string
        wrong += [form for form in forms if fields(form) != fields(texts[-1])]
    assert wrong == []


def test_marked_texts_of_python_are_found():
    source = (
        """t("a" "b"); words.gettext('c'); N_("d"); t(name); other("e"); w.ngettext("x", "y", n)"""
    )
    assert list(texts_of_python(source, "x.py")) == ["ab", "c", "d", ("x", "y")]


@pytest.mark.parametrize("call", ['t(f"seat {n}")', 't("seat " + n)', 't("seat %d" % n)'])
def test_a_marked_text_must_be_a_literal(call):
    with pytest.raises(MarkError, match=r"x\.py:1"):
        list(texts_of_python(call, "x.py"))


def test_marked_texts_of_a_page_are_found():
    source = """{{ _("it's") }} {{ t('b') }} {{ ngettext("one", "many", n) }} {{ at("no") }}"""
    assert list(texts_of_page(source)) == ["it's", "b", ("one", "many")]


def test_the_tool_adds_what_is_missing_and_removes_what_is_unused(tmp_path):
    for package in ("firmware/words", "table_controller", "seat_node"):
        (tmp_path / package).mkdir(parents=True)
    source = tmp_path / "seat_node" / "a.py"
    source.write_text('t("Seat {seat}"); w.ngettext("{n} foul", "{n} fouls", n)')
    assert "ru.po: to translate: 'Seat {seat}' (seat_node/a.py)" in set(
        update(tmp_path, prune=False)
    )
    catalog = read(path_of(tmp_path, "ru"), "ru")
    assert texts_in(catalog) == {"Seat {seat}": False, ("{n} foul", "{n} fouls"): False}

    source.write_text('t("Seat {seat}")')
    assert "ru.po: unused: ('{n} foul', '{n} fouls')" in set(update(tmp_path, prune=False))
    assert "ru.po: unused, removed: ('{n} foul', '{n} fouls')" in set(update(tmp_path, prune=True))
    assert texts_in(read(path_of(tmp_path, "ru"), "ru")) == {"Seat {seat}": False}

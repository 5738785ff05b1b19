"""The pages of help: shown from the code's tables, in three languages, public and cheap."""

import re
import shutil
from html import unescape
from pathlib import Path

import pytest

from firmware.signals import LAMPS, MARKS
from firmware.words import LANGUAGES, catalogue
from table_controller import scoreboard
from table_controller.game import NORMAL, TURBO
from table_controller.lights import SIGNS, TINTS, Hue, Pattern
from table_controller.scoreboard import create_app
from table_controller.scoreboard.pages import help as pages
from table_controller.scoreboard.pages import help_texts
from table_controller.scoreboard.pages.help import HOSTS, PICTURES, PLAYERS

GOLDEN = Path(__file__).parents[3] / "golden" / "screens"
SHOWN = Path(scoreboard.__file__).parent / "static" / "help"
PATHS = ("/help", "/help/host")


@pytest.fixture
def client(hub):
    return create_app(hub, "en").test_client()


def read(client, path, language):
    """Return the page's text as a reader gets it."""
    page = client.get(f"{path}?lang={language}").text
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pictures_are_the_screens_that_seats_draw(language, request):
    if request.config.getoption("--update-golden"):
        SHOWN.mkdir(exist_ok=True)
        for picture in PICTURES:
            shutil.copy(GOLDEN / language / f"{picture}.png", SHOWN / f"{language}-{picture}.png")
    there = {path.name for path in SHOWN.glob(f"{language}-*.png")}
    assert there == {f"{language}-{picture}.png" for picture in PICTURES}
    for picture in PICTURES:
        shown = (SHOWN / f"{language}-{picture}.png").read_bytes()
        assert shown == (GOLDEN / language / f"{picture}.png").read_bytes(), picture


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("path", "pictures"), [("/help", PLAYERS), ("/help/host", HOSTS)])
def test_every_picture_of_a_page_is_served_with_what_to_do(client, path, pictures, language):
    page = client.get(f"{path}?lang={language}").text
    sources = re.findall(r'<img src="([^"]*)"', page)
    assert sources == [f"/static/help/{language}-{picture}.png" for picture in pictures]
    for source in sources:
        with client.get(source) as answer:
            assert (answer.status_code, answer.mimetype) == (200, "image/png")
    assert page.count("<dt>") >= (20 if path == "/help" else 1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_lamps_lights_and_marks_are_those_of_the_code(client, language):
    t = catalogue(language).gettext
    text = read(client, "/help", language)
    for sign in LAMPS.values():
        assert t(sign.look) in text
        assert t(sign.meaning) in text
    for mark in MARKS.values():
        assert mark.glyph in text
        assert t(mark.meaning) in text
    for path in PATHS:
        text = read(client, path, language)
        for meaning in (
            *(look.meaning for look in SIGNS.values()),
            *(x[1] for x in TINTS.values()),
        ):
            assert t(meaning) in text


def test_every_light_has_words_for_its_look():
    words = catalogue("en")
    assert len(pages.lights(words)) == len(SIGNS)
    assert len(pages.tints(words)) == len(Hue)
    assert set(Pattern) == set(pages._PATTERNS)
    assert {look.level for look in SIGNS.values()} <= set(pages._LEVELS)
    # No two lights look the same, but for those that never meet.
    looks = [lamp.look for lamp in pages.lights(words)]
    assert len(set(looks)) == len(looks) - 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_numbers_are_those_of_the_rules(client, language):
    text = read(client, "/help", language)
    for name in ("speech_s", "ballot_s", "farewell_s", "look_s"):
        pair = f"{getattr(NORMAL, name):g} / {getattr(TURBO, name):g}"
        assert pair in text, name
    for path in PATHS:
        assert "{" not in read(client, path, language)


@pytest.mark.parametrize("path", PATHS)
def test_each_language_has_a_page_of_its_own(client, path):
    def lines(language):
        return set(
            re.findall(r"<li>([^<\s][^<]*)</li>", client.get(f"{path}?lang={language}").text)
        )

    english = lines("en")
    assert len(english) > 15
    for language in ("ru", "de"):
        assert len(lines(language)) == len(english)
        assert not lines(language) & english


@pytest.mark.parametrize("path", PATHS)
def test_a_page_is_made_once_a_language_and_costs_little_after(client, path, monkeypatch):
    first = client.get(f"{path}?lang=de").text

    def again(*_):
        raise AssertionError("made again")

    monkeypatch.setattr(help_texts, "players", again)
    monkeypatch.setattr(help_texts, "hosts", again)
    answer = client.get(f"{path}?lang=de")
    assert answer.text == first
    assert answer.headers["Content-Language"] == "de"
    assert "Accept-Language" in answer.headers["Vary"]
    # A language that nobody speaks makes no page more.
    assert client.get(f"{path}?lang=xx", headers={"Accept-Language": "de"}).text == first


@pytest.mark.parametrize("path", PATHS)
def test_the_pages_stand_without_scripts_and_styles_of_their_own(client, path):
    answer = client.get(path)
    assert answer.status_code == 200
    assert "<script" not in answer.text
    assert " style=" not in answer.text
    assert "default-src" in answer.headers["Content-Security-Policy"]
    assert answer.text.count("<h1>") == 1
    anchors = re.findall(r' id="([^"]*)"', answer.text)
    assert len(anchors) == len(set(anchors))


def test_scoreboard_and_privacy_lead_there_in_their_language(client):
    assert 'href="/help?lang=ru"' in client.get("/?lang=ru").text
    assert 'href="/help?lang=ru"' in client.get("/privacy?lang=ru").text
    assert 'href="/help/host?lang=ru"' in client.get("/help?lang=ru").text
    assert 'href="/help?lang=ru"' in client.get("/help/host?lang=ru").text

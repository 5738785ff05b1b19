import configparser
import re
from pathlib import Path

import pytest

from firmware.words import LANGUAGES
from table_controller.record.backups import KEPT
from table_controller.record.journals import KEPT_ASIDE, KEPT_GAMES
from table_controller.scoreboard import create_app
from table_controller.scoreboard.pages.privacy import LOG_MB

SYSTEMD = Path(__file__).parents[4] / "systemd"


@pytest.fixture
def client(hub):
    return create_app(hub, "en").test_client()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_tells_what_is_kept_with_the_numbers_of_the_code(client, language):
    answer = client.get(f"/privacy?lang={language}")
    assert answer.headers["Content-Language"] == language
    text = re.sub(r"<[^>]*>", " ", answer.text)
    for number in (KEPT_GAMES, KEPT, KEPT_ASIDE, LOG_MB):
        assert re.search(rf"\b{number}\b", text), number
    assert "{" not in text


def test_each_language_has_a_page_of_its_own(client):
    pages = {client.get(f"/privacy?lang={language}").text for language in LANGUAGES}
    assert len(pages) == len(LANGUAGES)
    english = re.findall(r"<p>([^<]*)</p>", client.get("/privacy?lang=en").text)
    assert len(english) > 10
    for language in ("ru", "de"):
        page = client.get(f"/privacy?lang={language}").text
        assert [line for line in english if f"<p>{line}</p>" in page] == []


def test_the_logs_size_is_that_of_the_journals_configuration():
    parser = configparser.ConfigParser()
    parser.read(SYSTEMD / "journald.conf.d" / "mafia.conf")
    assert parser["Journal"]["SystemMaxUse"] == f"{LOG_MB}M"


def test_what_the_page_says_of_the_cameras_program_is_so_in_its_unit():
    unit = (SYSTEMD / "mafia-eyes.service").read_text()
    assert "\nPrivateNetwork=yes\n" in unit


def test_the_scoreboard_leads_there_in_its_own_language(client):
    assert 'href="/privacy?lang=de"' in client.get("/?lang=de").text
    assert 'href="/?lang=de"' in client.get("/privacy?lang=de").text


def test_a_screen_reader_finds_its_way(client):
    page = client.get("/privacy?lang=ru").text
    assert '<html lang="ru">' in page
    assert page.count("<h1>") == 1
    ids = set(re.findall(r'<h2 id="([^"]+)"', page))
    assert len(ids) == 4
    assert set(re.findall(r'aria-labelledby="([^"]+)"', page)) == ids


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height"), [(360, 740), (1920, 1080)])
def test_it_can_be_read_on_a_phone_and_reached_by_the_keyboard(
    serving, hub, chromium, width, height
):
    context = chromium.new_context(viewport={"width": width, "height": height}, locale="de")
    try:
        page = context.new_page()
        faults = []
        page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
        page.goto(f"{serving(hub).url}/privacy")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        focused = "document.activeElement.getAttribute('href')"
        page.keyboard.press("Tab")
        assert page.evaluate(focused) == "#content"
        page.keyboard.press("Tab")
        assert page.evaluate(focused) == "/?lang=de"
        assert faults == []
    finally:
        context.close()

import json
import re

import pytest

from firmware.words import LANGUAGES
from table_controller.scoreboard import create_app

ROLE_WORDS = re.compile(
    r"citizen|sheriff|mafia|\bdon\b|мирн|шериф|мафи|\bдон\b|bürger", re.IGNORECASE
)
PAGES = [
    "/",
    "/?lang=ru",
    "/state",
    "/healthz",
    "/words/end.json",
    "/privacy",
    "/help",
    "/help/host",
    "/static/table.js",
    "/nowhere",
]


@pytest.fixture
def client(hub):
    return create_app(hub, "en").test_client()


def words_of(html):
    block = re.search(r'<script type="application/json" id="words">(.*?)</script>', html, re.DOTALL)
    return json.loads(block[1])


@pytest.mark.parametrize("path", PAGES)
def test_every_answer_carries_the_security_headers_and_no_cookie(client, path):
    headers = client.get(path, buffered=True).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "style-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "Set-Cookie" not in headers


def test_the_page_has_nothing_inline_and_nothing_from_elsewhere(client):
    html = client.get("/").text
    assert re.findall(r"\son\w+=|style=|<style|javascript:", html) == []
    assert re.findall(r"<script(?![^>]*(?:src=|application/json))", html) == []
    assert [url for url in re.findall(r'(?:src|href)="([^"]*)"', html) if url[0] != "/"] == []
    assert "//" not in "".join(re.findall(r'(?:src|href)="([^"]*)"', html))


def test_state_is_the_latest_board_with_its_age(client, hub, boards, clock):
    assert client.get("/state").json == {"age_s": 0.0, "board": None}
    hub.publish(boards["speech"])
    clock.advance(2.0)
    answer = client.get("/state")
    assert answer.json["age_s"] == 2.0
    assert answer.json["board"]["game"]["nominees"] == [7, 8]
    assert answer.headers["Cache-Control"] == "no-store"
    assert "ETag" not in answer.headers


def test_healthz_says_that_it_lives(client):
    assert client.get("/healthz").json == {"ok": True, "streams": 0}


@pytest.mark.parametrize(
    ("url", "asked", "table", "spoken"),
    [
        ("/", "", "en", "en"),
        ("/", "", "ru", "ru"),
        ("/", "ru-RU,ru;q=0.9,en;q=0.5", "en", "ru"),
        ("/", "en-GB", "ru", "en"),
        ("/", "fr", "ru", "ru"),
        ("/?lang=ru", "en", "en", "ru"),
        ("/?lang=xx", "en", "ru", "en"),
    ],
)
def test_the_page_speaks_the_asked_language_else_the_tables(hub, url, asked, table, spoken):
    client = create_app(hub, table).test_client()
    answer = client.get(url, headers={"Accept-Language": asked} if asked else {})
    assert f'<html lang="{spoken}">' in answer.text
    assert f"/words/end.json?lang={spoken}" in answer.text
    assert answer.headers["Content-Language"] == spoken
    word = {"en": "Waiting for players", "ru": "Ждём игроков"}[spoken]
    assert words_of(answer.text)["phase.waiting"] == word


def test_the_words_of_all_languages_have_the_same_places(client):
    def places(text):
        return sorted(re.findall(r"\{\w+\}", text))

    en, *others = (words_of(client.get(f"/?lang={language}").text) for language in LANGUAGES)
    for other in others:
        assert en.keys() == other.keys()
        assert {key for key in en if places(en[key]) != places(other[key])} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_role_word_is_on_the_page_before_the_end(client, hub, boards, language):
    hub.publish(boards["farewell"])
    for path in (f"/?lang={language}", "/state"):
        assert ROLE_WORDS.findall(client.get(path).text) == []
    end = client.get(f"/words/end.json?lang={language}").json
    assert {ROLE_WORDS.search(end[f"role.{role}"]) is not None for role in ("citizen", "don")} == {
        True
    }


def test_every_word_that_a_script_says_is_on_the_page(client):
    words = words_of(client.get("/").text) | client.get("/words/end.json").json
    scripts = "".join(
        client.get(f"/static/{name}.js", buffered=True).text
        for name in ("table", "seats", "ballots", "clock", "fairplay", "words")
    )
    said = set(re.findall(r'say\(\s*"([\w.]+)"', scripts))
    groups = set(re.findall(r"say\(\s*`(\w+\.)\$", scripts))
    assert said - words.keys() == set()
    assert len(said) > 20
    assert {group for group in groups if not any(key.startswith(group) for key in words)} == set()


def test_every_value_of_the_board_has_a_word(client):
    from firmware.wire import Button
    from table_controller.game.model import BallotKind, Cause, CountdownKind, Role, Winner
    from table_controller.game.views import PublicPhase
    from table_controller.readiness import Stage

    words = words_of(client.get("/").text) | client.get("/words/end.json").json
    by_night = {"nightfall", "meeting", "rest", "call", "window", "last_window", "gather"}
    wanted = {f"phase.{phase}" for phase in PublicPhase} | {f"cause.{cause}" for cause in Cause}
    wanted |= {f"clock.{kind}" for kind in CountdownKind if kind not in by_night}
    wanted |= {f"ballot.{kind}" for kind in BallotKind} | {f"role.{role}" for role in Role}
    wanted |= {f"winner.{winner}" for winner in Winner}
    wanted |= {f"readiness.{stage}" for stage in Stage if stage is not Stage.READY}
    wanted |= {f"missing.{button}" for button in Button}
    assert wanted - words.keys() == set()

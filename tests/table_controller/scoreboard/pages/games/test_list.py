"""The list of finished games: the newest first, by season, in pages."""

import datetime
import re

import pytest
from msgspec.structs import replace

from firmware.words import LANGUAGES
from table_controller.scoreboard.pages.games.routes import ON_A_PAGE


def later(game, days, year=2026):
    """Return *game* as if it had been played so many days after the first of the year."""
    at = datetime.datetime(year, 1, 1, 18, tzinfo=datetime.UTC) + datetime.timedelta(days=days)
    end = at + datetime.timedelta(minutes=57)
    return replace(
        game,
        game=f"{at:%Y%m%d-%H%M%S}-{days:08x}",
        day=at.date(),
        began_utc=at.isoformat(),
        ended_utc=end.isoformat(),
    )


def games_on(page):
    return re.findall(r'href="/games/([0-9a-f-]+)\?', page)


def test_the_newest_comes_first_and_older_ones_are_a_page_further(site, first):
    games = [later(first, day) for day in range(ON_A_PAGE + 3)]
    site.keep(*games)
    page = site.get("/games").text
    names = [game.game for game in reversed(games)]
    assert games_on(page) == names[:ON_A_PAGE]
    (older,) = re.findall(r'rel="next" href="([^"]+)"', page)
    page = site.get(older.replace("&amp;", "&")).text
    assert games_on(page) == names[ON_A_PAGE:]
    assert 'rel="next"' not in page


def test_a_season_has_its_own_games_and_nothing_else(site, first):
    old, new = later(first, 300, 2025), later(first, 3)
    site.keep(old, new)
    assert games_on(site.get("/games").text) == [new.game]
    page = site.get("/games?season=2025").text
    assert games_on(page) == [old.game]
    assert re.search(r'season=2025[^>]*aria-current="true"', page)
    assert games_on(site.get("/games?season=nonsense").text) == [new.game]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("The town wins", "5 January 2026", "57 minutes")),
        ("de", ("Die Stadt gewinnt", "5. Januar 2026", "57 Minuten")),
        ("ru", ("5 января 2026", "57 минут")),
    ],
)
def test_the_list_speaks_the_reader_s_language(site, first, language, words):
    site.keep(later(first, 4))
    page = site.get(f"/games?lang={language}").text
    assert f'<html lang="{language}">' in page
    for text in words:
        assert text in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_empty_list_says_so(site, language):
    page = site.get(f"/games?lang={language}").text
    assert games_on(page) == []
    assert page.count("<h1") == 1
    assert '<ul class="games">' not in page


def test_a_game_that_has_just_ended_is_not_called_unfinished(site):
    """It is on the scoreboard, and here when the host keeps it or the next one begins."""
    page = site.get("/games?lang=en").text
    assert "The last one comes when the host keeps it" in page


def test_games_before_one_that_is_not_kept_are_none_and_no_fault(site, first):
    """Of a game that runs, as of none: it was answered as if the league were away."""
    site.keep(first)
    for name in ("20991231-235959-1", "null", "00000000-000000-0"):
        answer = site.get(f"/games?before={name}")
        assert answer.status_code == 200
        assert games_on(answer.text) == []


def test_a_league_that_cannot_be_read_is_told_in_a_line_without_its_place(site, first, tmp_path):
    site.keep(first)
    site.past.league.close()
    (tmp_path / "league.db").write_bytes(b"no file of ours any more" * 1000)
    for path in ("", f"/{first.game}", f"/{first.game}.json", f"/{first.game}/journal"):
        answer = site.get(f"/games{path}")
        assert (answer.status_code, answer.text) == (503, "503 Service Unavailable\n")
        assert answer.headers["Retry-After"]

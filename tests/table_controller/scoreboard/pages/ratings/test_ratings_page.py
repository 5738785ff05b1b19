"""The page of ratings: a season's table, its filters and orders, each with an address."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from firmware.words import LANGUAGES, catalogue
from table_controller.league import Case, Verdict
from table_controller.league.games import Seen
from table_controller.league.ratings import ratings
from table_controller.scoreboard.pages.ratings.asked import ORDERS, SIDES, Asked, asked
from table_controller.scoreboard.pages.ratings.ratings_page import ON_A_PAGE

CUP = "season=cup"


def column(table, title):
    at = next(at for at, head in enumerate(table[0]) if head == title)
    return [row[at] for row in table[1:]]


def links(page, name):
    """Return (address, is current, name) of a list of links."""
    nav = re.search(rf'<nav class="choices" aria-label="{name}">(.*?)</nav>', page, re.DOTALL)[1]
    found = re.findall(r'<a href="([^"]*)"([^>]*)><bdi>([^<]*)</bdi>', nav)
    return [(unescape(href), "aria-current" in rest, unescape(text)) for href, rest, text in found]


def test_the_table_is_that_of_the_finished_games_by_max_with_classic_below(club, tables):
    table = tables(club.get("/ratings").text)[0]
    season = club.past.seasons()[0]
    counted = ratings(club.league.games.rows(season.first, season.last), ci=True)
    assert len(counted) == 12
    assert [row[0] for row in table[1:]] == [str(line.rank) for line in counted]
    assert [row[2] for row in table[1:]] == [
        f"{line.points / 100:.2f} Classic {line.points_classic / 100:.2f}".replace("-", "\u2212")
        for line in counted
    ]
    assert column(table, "Games") == [str(line.games) for line in counted]
    assert column(table, "Ci") == [f"{line.ci / 100:.2f}" for line in counted]
    assert any(line.ci for line in counted)


def test_a_season_without_ci_has_no_word_of_it(club, tables):
    page = club.get("/ratings?season=2026").text
    assert "Ci" not in tables(page)[0][0]
    assert "compensation" not in page
    assert "This season adds Ci" not in page
    assert "This season adds Ci" in club.get("/ratings?season=cup").text


def test_every_choice_is_an_address_that_says_so_and_keeps_the_others(club):
    start = f"/ratings?{CUP}&as=town&games=3&club=Nord&sort=wins&lang=de"
    page = club.get(start).text
    t = catalogue("de").gettext
    for name, key in (
        ("Saisons", "season"),
        (t("Role"), "as"),
        (t("Club"), "club"),
        (t("Sorted by"), "sort"),
    ):
        found = links(page, name)
        assert [current for _, current, _ in found].count(True) == 1
        for href, _, _ in found:
            said = parse_qs(urlsplit(href).query)
            kept = {
                "season": ["cup"],
                "as": ["town"],
                "games": ["3"],
                "club": ["Nord"],
                "sort": ["wins"],
                "lang": ["de"],
            }
            kept.pop(key)
            assert kept.items() <= said.items(), href
            assert club.get(href).status_code == 200


def test_filters_choose_players_and_games(club, tables):
    every = tables(club.get("/ratings").text)[0]
    nord = tables(club.get("/ratings?club=Nord").text)[0]
    assert 1 < len(nord) < len(every)
    assert all(row[1].endswith("Nord") for row in nord[1:])
    assert [row[0] for row in nord[1:]] == [str(at) for at in range(1, len(nord))]
    often = tables(club.get("/ratings?games=20").text)[0]
    assert 1 < len(often) < len(every)
    assert set(column(often, "Games")) == {"20"}
    don = tables(club.get("/ratings?as=don").text)[0]
    assert sum(map(int, column(don, "Games"))) == 20
    assert "Town" not in don[0]


def test_the_table_is_sorted_as_asked_and_the_rank_stays_that_of_max(club, tables):
    by_max = {row[1]: row[0] for row in tables(club.get("/ratings").text)[0][1:]}
    for order in ORDERS:
        page = club.get(f"/ratings?sort={order}").text
        assert page.count('aria-sort="descending"') == 1
        assert {row[1]: row[0] for row in tables(page)[0][1:]} == by_max
    games = [int(each) for each in column(tables(club.get("/ratings?sort=games").text)[0], "Games")]
    assert games == sorted(games, reverse=True)
    wins = [int(each) for each in column(tables(club.get("/ratings?sort=wins").text)[0], "Wins")]
    assert wins == sorted(wins, reverse=True)


@pytest.mark.parametrize(
    "query",
    [
        "season=x&as=y&sort=z&games=0&page=0",
        "games=-3&page=1.5",
        "games=99999999999&page=²",
        "club=%00",
    ],
)
def test_what_nobody_offers_is_as_if_left_out(club, query):
    assert club.get(f"/ratings?{query}").status_code == 200
    assert club.get(f"/ratings.csv?{query}").status_code == 200


def test_what_is_asked_is_what_the_address_says(club):
    seasons = club.past.seasons()
    for side in SIDES:
        for order in ORDERS:
            wanted = Asked(seasons[1], side, 7, "=Süd & Söhne", order, 3)
            args = {key: each[0] for key, each in parse_qs(wanted.query("ru")).items()}
            assert asked(args, seasons) == wanted


def test_names_are_texts_whatever_is_in_them(club):
    page = club.get("/ratings").text
    assert "<b>" not in page
    assert "<bdi>&lt;b&gt;Jan&lt;/b&gt;</bdi>" in page
    assert "<bdi>שירה</bdi>" in page
    assert "<script" not in club.get("/ratings?club=%3Cscript%3E").text


def test_a_guest_is_in_no_line_and_has_no_page(site, tables):
    site.join()
    site.play(4, guests=2)
    table = tables(site.get("/ratings").text)[0]
    assert not any("Guest" in row[1] for row in table)
    assert sum(int(each) for each in column(table, "Games")) == 4 * 8


def test_no_game_and_one_game_are_shown(site, tables):
    page = site.get("/ratings")
    assert page.status_code == 200
    assert "Nobody to show" in page.text
    assert "<svg" not in page.text
    site.join()
    site.play(1)
    one = site.get("/ratings").text
    assert len(tables(one)[0]) == 11
    assert "1 game ·" in one


@pytest.mark.parametrize("count", [120, pytest.param(500, marks=pytest.mark.proof)])
def test_many_players_are_shown_a_page_after_the_other(site, tables, count):
    site.join([(f"Player {number}", "", "") for number in range(count)])
    site.play(count // 10)
    page = site.get("/ratings").text
    assert len(tables(page)[0]) == 1 + ON_A_PAGE
    pages = links(page, "Places")
    seen = [row[1] for href, _, _ in pages for row in tables(site.get(href).text)[0][1:]]
    assert len(seen) == len(set(seen)) == count
    last = site.get("/ratings?page=999").text
    assert tables(last)[0] == tables(site.get(pages[-1][0]).text)[0]


def test_a_corrected_game_corrects_the_table_at_once(club, tables):
    def line():
        table = tables(club.get("/ratings").text)[0]
        return next(row for row in table if row[1].startswith("Anna"))

    def seen(game):
        return Seen(game, club.league.games.get(game).newest, "Vera", "a mistake")

    before = line()
    row = next(each for each in club.league.games.rows() if each.player == club.ids[0])
    club.league.games.set_points(seen(row.game), row.seat, (row.classic, row.max + 1000))
    assert line()[2] != before[2]
    club.league.games.strike(seen(row.game), struck=True)
    assert int(line()[4]) == int(before[4]) - 1
    club.league.games.strike(seen(row.game), struck=False)
    club.league.games.set_points(seen(row.game), row.seat, None)
    assert line() == before


def test_who_wants_no_name_is_anonymous_and_nobodys_numbers_change(club, tables):
    before = tables(club.get("/ratings").text)[0]
    rank = next(row[0] for row in before if row[1].startswith("Anna"))
    club.league.anonymise(club.ids[0])
    for language in LANGUAGES:
        word = catalogue(language).gettext("Anonymous player")
        page = club.get(f"/ratings?lang={language}").text
        assert "Anna" not in page
        assert club.ids[0] not in page
        assert [row[1] for row in tables(page)[0] if row[0] == rank] == [word]
    after = tables(club.get("/ratings").text)[0]
    assert [[*row[:1], *row[2:]] for row in after] == [[*row[:1], *row[2:]] for row in before]
    assert [row[1] for row in after if row[0] != rank] == [
        row[1] for row in before if row[0] != rank
    ]


def test_nothing_of_bars_appeals_and_their_reasons_is_told(club):
    row = club.league.games.rows()[0]
    appeal = club.league.appeals.take(
        Case(row.player, row.game, row.seat, "threats"), text="quite private", by="Vera"
    )
    club.league.appeals.decide(appeal.id, Verdict.UPHELD, reasons="secret reasons", by="Vera")
    for path in ("/ratings", "/ratings.csv", f"/players/{row.player}"):
        page = club.get(path).text
        for word in ("private", "secret", "Vera", "appeal", "threats", appeal.id):
            assert word not in page.replace("Privacy", "").replace("/privacy", ""), (path, word)


def test_nothing_of_a_game_that_runs_is_told(club, hub, boards):
    paths = ("/ratings", "/ratings.csv", f"/players/{club.ids[0]}")
    before = [club.get(path).data for path in paths]
    for board in boards.values():
        hub.publish(board)
        assert [club.get(path).data for path in paths] == before


def test_a_league_that_cannot_be_read_is_told_in_a_line_without_its_place(club):
    club.league.close()
    club.file.write_bytes(b"no file of ours any more" * 1000)
    for path in ("/ratings", "/ratings.csv", f"/players/{club.ids[0]}"):
        answer = club.get(path)
        assert (answer.status_code, answer.mimetype) == (503, "text/plain")
        assert "league" not in answer.text
        assert answer.headers["Retry-After"]


def test_the_pages_carry_no_script_and_no_style_of_their_own(club):
    for path in ("/ratings", f"/players/{club.ids[0]}"):
        page = club.get(path)
        assert "<script" not in page.text
        assert "<style" not in page.text
        assert " style=" not in page.text
        assert page.text.count("<h1>") == 1
        ids = re.findall(r' id="([^"]*)"', page.text)
        assert len(ids) == len(set(ids))
        assert page.headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_plot_has_a_table_with_the_same_numbers(club, tables, language):
    page = club.get(f"/ratings?lang={language}").text
    standings, course = tables(page)[:2]
    newest = course[1]
    assert newest[1:] == [row[0] for row in standings[1:7]]
    assert len(course) == 1 + 10
    assert page.count("<svg") == 2
    t = catalogue(language).gettext
    assert page.count(f">{t('Rank over time')}</title>") == 2

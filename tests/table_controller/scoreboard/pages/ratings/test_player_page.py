"""A player's public page, and the ratings as a file."""

import csv
import io

import pytest

from firmware.words import LANGUAGES, catalogue
from table_controller.league.ratings import ratings
from table_controller.record.seat_rows import Result
from table_controller.scoreboard.pages.ratings.sheet import COLUMNS


def test_a_players_page_has_the_numbers_of_the_games_and_each_game(club, tables):
    id_ = club.ids[0]
    page = club.get(f"/players/{id_}").text
    season = club.past.seasons()[0]
    rows = club.league.games.rows(season.first, season.last)
    own = [row for row in rows if row.player == id_]
    line = next(each for each in ratings(rows, ci=True) if each.player == id_)
    roles, moves, course, games = tables(page)
    assert roles[1][1:3] == [str(len(own)), str(sum(row.result is Result.WON for row in own))]
    assert [row[1] for row in roles if row[0] == "Sheriff"] == [
        str(sum(row.role.value == "sheriff" for row in own))
    ]
    given = [row for row in own if row.tier]
    assert moves[1][1:] == [str(sum(row.hits == n for row in given)) for n in (3, 2, 1, 0)]
    assert course[1][1] == str(line.rank)
    assert len(games) == 1 + len(own)
    assert [row[2].split()[0].replace("\u2212", "-").removeprefix("+") for row in games[1:]] == [
        f"{row.max / 100:.2f}" for row in reversed(own)
    ]
    for row in own:
        assert f'href="/games/{row.game}?lang=en"' in page
        assert club.get(f"/games/{row.game}").status_code == 200
    assert "<h1>Anna</h1>" in page


def test_another_season_has_other_games_and_an_empty_one_says_so(club):
    id_ = club.ids[0]
    assert (
        "No finished game of this season that counts."
        in club.get(f"/players/{id_}?season=2025").text
    )
    assert "/games/" in club.get(f"/players/{id_}?season=2026").text


def test_only_who_has_played_a_finished_game_has_a_page(site):
    site.join()
    assert site.get(f"/players/{site.ids[0]}").status_code == 404
    site.play(1)
    assert site.get(f"/players/{site.ids[3]}").status_code == 200
    # No name is an address, and no id of another kind.
    for path in ("Anna", "anna", "0" * 12, "..", "'", "%00"):
        assert site.get(f"/players/{path}").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_wants_no_name_has_a_page_without_one(club, tables, language):
    id_ = club.ids[0]
    before = tables(club.get(f"/players/{id_}?lang={language}").text)
    club.league.anonymise(id_)
    page = club.get(f"/players/{id_}?lang={language}").text
    assert f"<h1>{catalogue(language).gettext('Anonymous player')}</h1>" in page
    for gone in ("Anna", "Вега", "Nord"):
        assert gone not in page
    assert tables(page) == before


def read(answer):
    assert answer.data.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig"))))


def test_the_file_has_every_player_with_whole_numbers_and_no_formula(club):
    answer = club.get("/ratings.csv")
    assert answer.mimetype == "text/csv"
    assert 'filename="ratings-cup.csv"' in answer.headers["Content-Disposition"]
    lines = read(answer)
    season = club.past.seasons()[0]
    counted = ratings(club.league.games.rows(season.first, season.last), ci=True)
    assert tuple(lines[0]) == COLUMNS
    assert [
        (line["player"], int(line["max_hundredths"]), int(line["ci_hundredths"])) for line in lines
    ] == [(each.player, each.points, each.ci) for each in counted]
    names = {line["name"] for line in lines}
    assert "'=1+1" in names
    assert "<b>Jan</b>" in names
    assert {line["club"] for line in lines} >= {"'=Süd", "Nord", ""}
    cells = [
        cell for line in lines for name, cell in line.items() if name in ("player", "name", "club")
    ]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


def test_the_file_has_the_filters_and_the_order_of_the_page(club):
    lines = read(club.get("/ratings.csv?as=town&club=Nord&sort=games"))
    assert lines
    assert {line["club"] for line in lines} == {"Nord"}
    games = [int(line["games"]) for line in lines]
    assert games == sorted(games, reverse=True)
    assert {line["don_games"] for line in lines} == {"0"}


def test_the_file_tells_of_who_wants_no_name_by_no_id(club):
    club.league.anonymise(club.ids[0])
    text = club.get("/ratings.csv?lang=ru").data.decode("utf-8-sig")
    assert club.ids[0] not in text
    assert "Anna" not in text
    assert "Анонимный игрок" in text

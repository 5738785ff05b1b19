"""The host's pages of finished games, as a browser without scripts sends them."""

import html
import re

import pytest

from firmware.pin import FILE, PinFile
from firmware.words import LANGUAGES
from table_controller.league import Entry, open_league
from table_controller.league.games import Seen
from table_controller.league.games_keeper import Keeper
from table_controller.record.finished import finished_game
from table_controller.scoreboard import create_app
from table_controller.scoreboard.console.access import Access
from table_controller.scoreboard.console.club import Club
from table_controller.scoreboard.console.games import Keeping
from tests.table_controller.golden_record import golden, golden_rows, write_journal

from .test_club_pages import PIN, Host, faults, said

GAME = "20261130-180000-1"
WHO = {"by": "Olga", "why": "the host had the list wrong"}


@pytest.fixture
def league(tmp_path, clock):
    league = open_league(tmp_path / "league.db", clock)
    yield league
    league.close()


@pytest.fixture
def kept(league):
    league.games.keep(finished_game(golden_rows(), "club"))


@pytest.fixture
def ended():
    """The game that is over, as the table tells; a test may change it."""
    return [""]


@pytest.fixture
def host(hub, clock, tmp_path, league, ended, monkeypatch):
    monkeypatch.setattr("firmware.pin.N", 2)
    pin = PinFile(tmp_path / FILE)
    pin.write(PIN)
    keeper = Keeper(league.games, tmp_path / "journal", "club", lambda _: None)
    club = Club(league, tuple, Keeping(keeper, lambda: ended[0]))
    return Host(create_app(hub, "en", access=Access(pin, clock), club=club))


def correct(host, what, **values):
    newest = re.search(r'name="newest" value="(\d+)"', host.get(f"/host/games/{GAME}").text)[1]
    return host.post(f"/host/games/{GAME}/{what}", **({"newest": newest} | WHO | values))


def row(league, seat):
    return next(row for row in league.games.rows() if row.seat == seat)


# ---- the list ----


def test_games_are_listed_with_their_results_the_newest_first(host, league, kept):
    for nth in (1, 2):
        league.games.keep(
            finished_game(golden_rows("game-1", game=f"20261130-19000{nth}-1"), "hall")
        )
    league.games.strike(Seen("20261130-190002-1", 1, "Olga", "a trial"), struck=True)
    page = host.get("/host/games").text
    assert set(re.findall(r'href="/host/games/([^?"]+)', page)) == {
        GAME, "20261130-190001-1", "20261130-190002-1",
    }  # fmt: skip
    assert page.count("in no rating") == 1
    assert page.count("corrected") == 1
    assert "Older games" not in page


def test_an_empty_league_says_so(host):
    assert "No game is kept yet." in host.get("/host/games").text
    assert host.get("/host/games/none").status_code == 404


def test_the_last_game_is_kept_when_the_host_says_so(host, league, tmp_path, ended):
    write_journal(tmp_path / "journal", golden_rows())
    (tmp_path / "journal" / "current").write_text(GAME)
    assert "Keep this game" not in host.get("/host/games").text
    ended[0] = GAME
    assert "Keep this game" in host.get("/host/games").text
    assert said(host.post("/host/games/keep", game=GAME)) == ["The game is kept."]
    assert [each.game for each in league.games.list()] == [GAME]
    assert "Keep this game" not in host.get("/host/games").text
    assert host.post("/host/games/keep", game=GAME).status_code == 200
    assert len(league.games.history(GAME)) == 1


@pytest.mark.parametrize("name", [GAME, "", "../club"])
def test_a_game_that_is_not_over_is_not_kept_nor_read(host, league, tmp_path, name):
    (tmp_path / "journal").mkdir()
    (tmp_path / "journal" / f"{GAME}.db").write_text("whoever reads this would find damage")
    page = host.post("/host/games/keep", game=name)
    assert page.status_code == 409
    assert "not over" in page.text
    assert league.games.list() == ()


# ---- one game ----


def test_a_game_shows_who_sat_where_and_the_points_that_were_worked_by_hand(host, kept):
    page = html.unescape(host.get(f"/host/games/{GAME}").text)
    shown = re.findall(r"Max ([\S]+), Classic ([\S]+)<", page)
    said_ = golden()["points"]
    as_text = [
        tuple(
            f"{earned[part] / 100:+.2f}" if earned[part] else "0.00" for part in ("max", "classic")
        )
        for earned in said_.values()
    ]
    assert shown == as_text
    assert page.count(", guest") == 10


def test_a_guest_becomes_a_member(host, league, kept):
    boris = league.players.add(Entry("Boris"))
    assert said(correct(host, "seat", seat="2", who="boris")) == ["It is corrected."]
    assert row(league, 2).player == boris.id
    page = host.get(f"/host/games/{GAME}").text
    assert page.count(", guest") == 9
    assert "<b>another player at a seat</b>, Olga" in page
    assert WHO["why"] in page


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        (("1.35", "1"), (135, 100)),
        (("-0,5", "0"), (-50, 0)),
        (("\N{MINUS SIGN}0.05", "+2.3"), (-5, 230)),
    ],
)
def test_points_are_set_by_hand_and_taken_back(host, league, kept, typed, stored):
    before = row(league, 3)
    page = correct(host, "points", seat="3", max=typed[0], classic=typed[1])
    assert said(page) == ["It is corrected."]
    assert (row(league, 3).max, row(league, 3).classic) == stored
    assert f"by hand: {WHO['why']}" in page.text
    correct(host, "points", seat="3", max=" ", classic="")
    assert row(league, 3) == before


def test_a_game_is_struck_and_put_back(host, league, kept):
    assert "Strike it" in host.get(f"/host/games/{GAME}").text
    page = correct(host, "rated", struck="yes")
    assert "Put it back" in page.text
    assert "in no rating" in page.text
    assert league.games.rows() == ()
    correct(host, "rated", struck="no")
    assert len(league.games.rows()) == 10


def test_a_correction_is_undone(host, league, kept):
    before = league.games.rows()
    assert "Let it be so again" not in host.get(f"/host/games/{GAME}").text
    correct(host, "seat", seat="2", who="Somebody")
    page = correct(host, "back", revision="1")
    assert league.games.rows() == before
    assert "<b>as it was before</b>, Olga" in page.text


@pytest.mark.parametrize(
    ("what", "wrong", "field"),
    [
        ("seat", {"seat": "2", "who": ""}, "who"),
        ("seat", {"seat": "2", "who": "anna"}, "who"),
        ("seat", {"seat": "11", "who": "Olga"}, "seat"),
        ("seat", {"seat": "x", "who": "Olga"}, "seat"),
        ("points", {"seat": "3", "max": "much", "classic": "1"}, "max"),
        ("points", {"seat": "3", "max": "1", "classic": ""}, "classic"),
        ("points", {"seat": "3", "max": "1000", "classic": "1"}, "max"),
        ("points", {"seat": "3", "max": "1", "classic": "1", "why": ""}, "why"),
        ("rated", {"struck": "yes", "by": ""}, "by"),
        ("back", {"revision": "9"}, "revision"),
    ],
)
def test_what_a_correction_lacks_is_said_beside_its_field(host, league, kept, what, wrong, field):
    correct(host, "seat", seat="10", who="Somebody")
    before = len(league.games.history(GAME))
    page = correct(host, what, **wrong)
    assert page.status_code == 422
    assert set(faults(page)) == {field}
    assert len(league.games.history(GAME)) == before


def test_a_form_that_two_hosts_send_corrects_once(host, league, kept):
    page = correct(host, "rated", struck="yes", newest="1")
    assert page.status_code == 200
    page = correct(host, "rated", struck="yes", newest="1")
    assert page.status_code == 422
    assert "Something has changed meanwhile." in page.text
    assert len(league.games.history(GAME)) == 2


def test_a_game_that_does_not_exist_is_not_corrected(host):
    for what in ("seat", "points", "rated", "back"):
        values = {"newest": "1", "seat": "1", "who": "x", "max": "1", "classic": "1"}
        page = host.post(f"/host/games/none/{what}", **values, **WHO)
        assert page.status_code == 404


@pytest.mark.parametrize("what", ["keep", f"{GAME}/seat", f"{GAME}/rated", f"{GAME}/back"])
def test_nobody_corrects_without_the_pin_or_the_token(host, league, kept, what):
    client = host.client.application.test_client()
    for sender in (client, host.client):
        answer = sender.post(f"/host/games/{what}", data={"newest": "1", "struck": "yes"} | WHO)
        assert answer.status_code in (302, 303, 400, 401, 403), answer.status
    assert client.get(f"/host/games/{GAME}").status_code != 200
    assert len(league.games.history(GAME)) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_speak_every_language(host, kept, language):
    correct(host, "rated", struck="yes")
    for path in ("/host/games", f"/host/games/{GAME}"):
        page = host.get(f"{path}?lang={language}").text
        assert f'<html lang="{language}"' in page
        assert (language == "en") is ("Finished games" in page or "Points by hand" in page)

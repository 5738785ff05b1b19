"""The record of a game: all that happened, every point with its reason, in three languages."""

import json
import re
from collections import Counter
from html import unescape

import pytest
from msgspec.structs import replace

from firmware.words import LANGUAGES, catalogue
from table_controller.game import NORMAL, actions
from table_controller.game import events as ev
from table_controller.game.outcome import mistakes_left
from table_controller.game.terms import Offence, Sanction
from table_controller.league import Entry
from table_controller.league.games import Seen
from table_controller.record.entries import Undone
from table_controller.record.finished import NONE, finished_game, points_of
from table_controller.scoreboard.pages.games.course import course
from table_controller.scoreboard.pages.games.ledger import accounts
from table_controller.scoreboard.pages.games.numbers import points
from table_controller.scoreboard.pages.games.pictures import ballots, lives
from tests.table_controller.game.conftest import dealt
from tests.table_controller.golden_record import golden

ITEM = re.compile(
    r'<tr class="(\w+)"><td class="when">(.*?)</td><td>(.*?)</td>'
    r'<td class="number big">(.*?)</td><td class="number soft">(.*?)</td></tr>'
)
ACCOUNT = re.compile(
    r'<div class="account \w+">\s*<h3><span class="no">(\d+)</span>(.*?)</table>', re.S
)


def accounts_on(page):
    """Return {seat: [(look, when, reason, Max, Classic)]} as they stand on a page."""
    return {int(seat): ITEM.findall(text) for seat, text in ACCOUNT.findall(page)}


def sums_on(page):
    """Return {seat: (Classic, Max)} as the big figures have them."""
    found = re.findall(
        r'class="no">(\d+)<.*?<p class="sum"><b>(.*?)</b>.*?Classic (.*?)<', page, re.S
    )
    return {int(seat): (hundredths(classic), hundredths(most)) for seat, most, classic in found}


def hundredths(text):
    return round(float(text.replace("\u2212", "-").replace(",", ".")) * 100)


def text_of(page):
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page)))


def check_points(game, page):
    """Check that the items on *page* add up to what counts of *game*."""
    counted = points_of(game)
    shown = accounts_on(page)
    assert set(shown) == set(counted)
    assert sums_on(page) == dict(counted)
    for seat, items in shown.items():
        classic = sum(hundredths(item[4]) for item in items)
        assert (classic, sum(hundredths(item[3]) for item in items)) == counted[seat]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_item_of_the_golden_game_is_there_with_its_sum(site, first, language):
    site.keep(first)
    page = site.get(f"/games/{first.game}?lang={language}").text
    shown = accounts_on(page)
    for seat, worked in golden()["points"].items():
        came = Counter((hundredths(item[4]), hundredths(item[3])) for item in shown[int(seat)])
        expected = Counter((classic, most) for _, classic, most in worked["items"])
        del came[0, 0], expected[0, 0]
        assert came == expected, seat
    check_points(first, page)
    assert {look for items in shown.values() for look, *_ in items} == {"fixed", "default"}
    decisive = [item for item in shown[3] if catalogue(language).gettext("decisive") in item[2]]
    assert len(decisive) == 4


def test_all_golden_games_are_told_with_their_points(site, golden_games):
    site.keep(*golden_games)
    for number, game in enumerate(golden_games):
        language = LANGUAGES[number % 3]
        answer = site.get(f"/games/{game.game}?lang={language}")
        assert (answer.status_code, answer.headers["Content-Language"]) == (200, language)
        assert not re.search(r"[{}]", text_of(answer.text)), game.game
        check_points(game, answer.text)


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(n, marks=pytest.mark.proof) for n in range(3, 200))]
)
def test_a_game_of_random_players_adds_up_in_three_languages(site, played, seed):
    game = played(seed, wild=0.03 if seed % 2 else 0.0)
    site.keep(game)
    for language in LANGUAGES:
        page = site.get(f"/games/{game.game}?lang={language}").text
        assert not re.search(r"[{}]", text_of(page))
        if game.void:
            assert accounts_on(page) == {}
        else:
            check_points(game, page)


def lines_of(game, language="en"):
    return [line.text for chapter in course(game, catalogue(language)) for line in chapter.lines]


def test_the_course_tells_who_shot_checked_voted_and_left(first):
    chapters = {chapter.key: chapter for chapter in course(first, catalogue("en"))}
    assert list(chapters) == ["N0", "D1", "N1", "D2", "N2", "D3", "N3", "D4", "N4", "D5"]
    night_1 = [line.text for line in chapters["N1"].lines]
    assert night_1 == [
        "Seats 2, 5 and 7 shot at seat 9.",
        "A hit: seat 9.",
        "The don checked seat 4: the sheriff.",
        "The sheriff checked seat 7: mafia.",
    ]
    day_2 = [line.text for line in chapters["D2"].lines]
    for told in (
        "Seat 9 was shot in the night.",
        "Farewell of seat 9: best move 2, 5 and 6, 2 of them mafia; the crown to seat 4.",
        "Speeches in order: 2, 3, 4, 5, 6, 7, 8, 10, 1.",
        "Seat 10 shouted: foul 3.",
        "Seat 8 nominated seat 5.",
        "Technical foul 1 for seat 1: Insults. Decided by the host.",
        "Vote: against 7: 4 votes (3, 4, 6, 8); against 8: 3 votes (2, 5, 7); against 5: 2 votes "
        "(1, 10). Not pressed, so automatic: 10. Decisive: 3, 4, 6 and 8.",
        "Seat 7 left.",
    ):
        assert told in day_2
    day_3 = [line.text for line in chapters["D3"].lines]
    assert "Seat 10 was silent, for its fouls." in day_3
    assert "Seats 5 and 4 left together." in day_3
    assert chapters["D4"].lines[-2].text == "Seat 8, the only nominee, left without a vote."


def test_the_right_to_a_mistake_is_the_true_one_of_each_dawn(golden_games):
    for game in golden_games:
        worked = golden(f"game-{game.game.rsplit('-', 1)[1]}")
        read = {c.number: c.reading for c in course(game, catalogue("en")) if not c.by_night}
        for day in worked["days"]:
            if "mistakes_left_true" in day:
                assert read[day["day"]] == day["mistakes_left_true"], (game.game, day["day"])
    assert mistakes_left(7, 3) == 1


def test_every_kind_of_event_that_a_reader_asks_for_has_a_sentence(golden_games):
    """Every event of the engine is told, or is no more than a step of the machine."""
    silent = {
        ev.SeatReady, ev.AllReady, ev.RolesDealt, ev.LookBegan, ev.MafiaWoke, ev.MafiaSlept,
        ev.NumberCalled, ev.WindowOpened, ev.WindowClosed, ev.RoundCalled, ev.NightPressed,
        ev.SpeechEnded, ev.NominationChosen, ev.SingleNomineeWarned, ev.ShoutEnded,
        ev.CandidateCalled, ev.LiftCalled, ev.VoteCast, ev.RollCalled, ev.FarewellPicks,
        ev.GroundsLapsed, ev.MotionPut, ev.GameEnded,
    }  # fmt: skip
    from table_controller.scoreboard.pages.games.course import _TELL
    from table_controller.scoreboard.pages.games.sentences import PLAIN

    told = set(_TELL) | set(PLAIN)
    assert told | silent == set(ev.Event.__args__)
    assert told & silent == set()


# ---- what the host took back, and what the club has corrected ----


@pytest.fixture
def taken_back(journal_of):
    """A game in whose first speech a shout was undone by the host, then ended without result."""
    play = dealt(NORMAL)
    while not play.told(ev.SpeechBegan):
        play.act(actions.Expire(play.clock().id))
    before = len(play.actions)
    ruling = actions.Rule(Sanction.TECHNICAL_FOUL, 5, Offence.INSULTS)
    wrong = [actions.Shout(4), ruling, Undone(before)]
    rows = journal_of([*play.actions, *wrong, actions.Shout(6), actions.Void()])
    return finished_game(rows, "t1")


def test_what_the_host_took_back_is_told_as_such_and_believed_by_nobody(site, taken_back):
    (day,) = [c for c in course(taken_back, catalogue("en")) if not c.by_night]
    assert [(line.text, line.undone) for line in day.lines[1:5]] == [
        ("Seat 4 shouted: foul 1.", True),
        ("Technical foul 1 for seat 5: Insults. Decided by the host.", True),
        ("The host went back: what is struck out here counts for nothing.", False),
        ("Seat 6 shouted: foul 1.", False),
    ]
    site.keep(taken_back)
    page = site.get(f"/games/{taken_back.game}").text
    assert "<s><span" in page
    sanctions = page[page.index('id="sanctions"') :]
    assert "Technical foul" not in sanctions[: sanctions.index("</section>")]


def test_a_void_game_has_no_points_and_says_so(site, taken_back):
    site.keep(taken_back)
    page = site.get(f"/games/{taken_back.game}").text
    assert accounts_on(page) == {}
    assert "without a result" in text_of(page)
    assert ".csv" not in page
    assert site.get(f"/games/{taken_back.game}.csv").status_code == 404


def test_a_correction_is_told_without_its_private_reason(site, first):
    site.keep(first)
    seen = Seen(first.game, 1, "Vera", "an appeal of a quarrel in the hall")
    site.past.league.games.set_points(seen, 1, (5, 7))
    page = site.get(f"/games/{first.game}").text
    assert "The sum was set by the club by correction." in page
    assert sums_on(page)[1] == (5, 7)
    assert "Corrected on" in page
    for private in ("Vera", "appeal", "quarrel"):
        for path in ("", ".json", ".csv"):
            assert private not in site.get(f"/games/{first.game}{path}").text


def test_points_that_an_appeal_removed_are_gone_with_no_word_of_it(first):
    eased = replace(NONE, removed=(1,))
    (one,) = [each for each in accounts(first, eased, catalogue("en")) if each.seat == 1]
    assert "technical_foul" not in [entry.item.row for entry in one.entries]
    assert one.max == 180
    assert one.eased


def test_a_club_s_own_value_is_marked_and_the_rules_say_what_differs(site, first):
    own = replace(NORMAL.points, vote_mafia=(11, 22))
    game = replace(first, ruleset=replace(NORMAL, points=own, silent_s=20.0))
    site.keep(game)
    page = site.get(f"/games/{game.game}").text
    (item,) = [i for i in accounts_on(page)[1] if i[1:2] == ("D2",) and "seat 5" in i[2]]
    assert item[0] == "club"
    assert item[3] == points(22, "en")
    assert "a silenced seat&#39;s slot to nominate: 20 s" in page
    assert "default 15 s" in page


# ---- names ----


def test_a_name_is_text_and_nothing_else(site, first, renamed):
    site.keep(renamed(first, {1: ("", "<script>alert(1)</script>"), 2: ("", '"><b>')}))
    page = site.get(f"/games/{first.game}").text
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<b>" not in page.replace("<b>+", "").replace("<b>0", "").replace(
        "<b>\u2212", ""
    ).replace("<b>D", "")


def test_who_wants_no_name_any_more_has_none_on_page_or_in_files(site, first, renamed):
    players = site.past.league.players
    gone = players.add(Entry("Wilhelmina"))
    site.keep(renamed(first, {3: (gone.id, "Wilhelmina")}))
    paths = [f"/games/{first.game}{end}" for end in ("", ".json", ".csv")]
    assert all("Wilhelmina" in site.get(path).text for path in paths)
    before = points_of(site.past.league.games.get(first.game).game)
    site.past.league.anonymise(gone.id)
    for path in (*paths, "/games"):
        assert "Wilhelmina" not in site.get(path).text, path
    assert "a player without a name" in site.get(paths[0]).text
    assert points_of(site.past.league.games.get(first.game).game) == before


# ---- dates, numbers ----


@pytest.mark.parametrize(
    ("language", "day", "amount", "pause"),
    [
        ("en", "30 November 2026", "+1.35", "4 votes"),
        ("de", "30. November 2026", "+1,35", "4 Stimmen"),
        ("ru", "30 ноября 2026", "+1,35", "4 голоса"),
    ],
)
def test_dates_numbers_and_plurals_follow_the_language(site, first, language, day, amount, pause):
    site.keep(first)
    page = text_of(site.get(f"/games/{first.game}?lang={language}").text)
    for words in (day, amount, pause):
        assert words in page


def test_the_pictures_are_named_for_who_cannot_see_them_and_hold_no_style(site, first):
    site.keep(first)
    page = site.get(f"/games/{first.game}").text
    assert page.count("<svg") == 2
    assert page.count("<desc id=") == 2
    assert not re.search(r"\sstyle=|<style|<script|\son\w+=", page)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert (
        json.dumps(sorted(set(re.findall(r'aria-labelledby="([^"]+)"', page)))).count("-title") == 2
    )


def test_a_single_ballot_is_not_drawn_as_large_as_the_page(site, journal_of):
    """The page gives every picture its own width: a narrow one is a high one."""
    rows = journal_of([*map(actions.Ready, range(1, 11)), actions.Void()])
    game = finished_game(rows, "t1")
    words = catalogue("en")
    narrow = [ballots(game, (), words), lives(game, (), words)]
    assert all(picture.height < 1.2 * picture.width for picture in narrow)


def test_a_game_that_ended_before_its_deal_has_a_page_without_names(site, journal_of):
    rows = journal_of([actions.Ready(1), actions.Ready(2), actions.Void()])
    site.keep(finished_game(rows, "t1"))
    name = rows[0].entry.game
    page = site.get(f"/games/{name}")
    assert page.status_code == 200
    assert "It ended before the roles were dealt." in page.text
    for path in ("", ".json"):
        assert "Anna" not in site.get(f"/games/{name}{path}").text


@pytest.mark.parametrize(
    ("language", "titles"),
    [
        ("en", ("Day 1: vote", "Day 1: revote", "Day 1: lift")),
        ("de", ("Tag 1: Abstimmung", "Tag 1: Stichwahl", "Tag 1: Aufstehen")),
        ("ru", ("День 1: голосование", "День 1: переголосование", "День 1: подъём")),
    ],
)
def test_the_table_of_votes_names_each_ballot_as_players_do(site, first, language, titles):
    site.keep(first)
    page = site.get(f"/games/{first.game}?lang={language}").text
    table = page[page.index('<table class="votes">') :]
    heads = re.findall(r'<th scope="col">([^<]*)</th>', table[: table.index("</thead>")])
    assert tuple(heads[1:4]) == titles

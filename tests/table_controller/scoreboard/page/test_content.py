"""What the table's page says of each board."""

import re

import pytest
from msgspec.structs import replace

from table_controller.game.decisions import Decider, PublicDecision
from table_controller.game.model import Offence, Sanction, Source
from table_controller.game.views import (
    PublicAccusation,
    PublicGrounds,
    PublicMotion,
    PublicPhase,
)
from tests.table_controller.scoreboard.page.reading import (
    ROLE_WORDS,
    expect,
    reads,
    shown,
    text,
)

pytestmark = pytest.mark.browser


def test_once_the_vote_is_over_nobody_is_a_nominee_any_more(serving, visit, hub, boards):
    board = boards["farewell"]
    hub.publish(with_game(board, nominees=(7, 8, 5)))
    page = visit(serving(hub).url)
    assert page.locator(".tag.listed, .badge.place").count() == 0
    expect(page.locator("#list-panel")).to_be_hidden()


def test_an_empty_table_waits_for_players(serving, visit, hub):
    page = visit(serving(hub).url, wait=False)
    assert text(page, "h1") == "Waiting for players"
    assert page.locator(".seat").count() == 10
    assert page.locator("#side").is_hidden()


def test_before_the_deal_the_page_says_who_is_missing_what(serving, visit, hub, boards):
    hub.publish(boards["check"])
    page = visit(serving(hub).url)
    tags = [seat.locator(".tag").all_inner_texts() for seat in page.locator(".seat").all()]
    assert text(page, "h1") == "Everybody presses both buttons"
    assert text(page, "#line") == "7 of 10 have pressed"
    assert tags[1] == ["press SHOUT"]
    assert tags[5] == ["offline", "press VOTE", "press SHOUT"]
    assert tags[0] == ["ready"]
    hub.publish(boards["practice"])
    expect(page.locator("h1")).to_have_text("Practice: it counts for nothing")
    assert "press" not in page.locator("#seats").inner_text()
    hub.publish(boards["seating"])
    expect(page.locator("h1")).to_have_text("Players take their seats")


def test_a_speech_shows_who_speaks_who_is_listed_and_who_is_out(serving, visit, hub, boards):
    hub.publish(boards["speech"])
    page = visit(serving(hub).url)
    seats = [seat.inner_text() for seat in page.locator(".seat").all()]
    assert (text(page, "#when"), text(page, "h1")) == ("Day 2", "Speeches")
    assert text(page, "#who") == "5 · Elena"
    assert "speaks" in seats[4]
    assert "offline" in seats[1]
    assert "thumb up (town)" in seats[2]
    assert "crown from 9" in seats[3]
    assert "no speech" in seats[9]
    assert "fouls: 3" in page.locator(".seat").nth(9).text_content()
    assert "shot" in seats[8]
    assert "suspects 2 5 6" in seats[8]
    assert "number 7" in seats[7]
    nominees = [line.inner_text().split() for line in page.locator(".nominee").all()]
    assert nominees == [["7", "Galina"], ["8", "Hugo"]]
    assert "Shot last night: seat 9" in text(page, "#facts")


def test_a_closed_ballot_shows_who_voted_for_whom_and_what_was_automatic(
    serving, visit, hub, boards
):
    hub.publish(boards["farewell"])
    page = visit(serving(hub).url)
    reads(page, "#ballot-head", "Day 2: vote")
    rows = page.locator("#ballot .row").all()
    assert [row.inner_text().split() for row in rows] == [
        ["7", "Galina", "4", "3", "4", "6", "8", "most", "votes"],
        ["8", "Hugo", "3", "2", "5", "7"],
        ["5", "Elena", "2", "1", "10", "automatic"],
    ]
    reads(page, "#ballot .legend", "underlined: automatic")


def test_earlier_ballots_are_a_matrix_of_who_voted_against_whom(serving, visit, hub, boards):
    hub.publish(boards["farewell"])
    page = visit(serving(hub).url)
    rows = page.locator("#earlier tr").all()
    cells = [[cell.text_content() for cell in row.locator("th, td").all()] for row in rows]
    assert cells == [
        ["", *map(str, range(1, 11)), "→ out"],
        ["D1 lift", "", "", "✓ for it", "✓ for it", "", "", "", "✓ for it", "✓ for it",
         "✓ for it", "– not passed"],
        ["D1 revote", "6", "6", "6", "2", "6", "2", "6", "2", "2", "2", "= tied"],
        ["D1 vote", "6", "6", "6", "2", "6", "2", "6", "2", "2", "2 automatic", "= tied"],
    ]  # fmt: skip


def test_a_closed_lift_shows_who_wanted_it_and_how_many_it_needed(serving, visit, hub, boards):
    hub.publish(boards["speech"])
    page = visit(serving(hub).url)
    lift = " ".join([text(page, "#ballot-head"), *page.inner_text("#ballot").split()])
    assert lift == (
        "Day 1: lift 6 2 for removing all 5 3 4 8 9 10 not passed 5 of 10, more than half needed"
    )


def test_a_tie_lists_the_tied_and_nobody_else(serving, visit, hub, boards):
    """In the tied ones' speeches nobody else can be voted out."""
    board = with_game(
        boards["vote"], phase=PublicPhase.TIE_SPEECH, called=0, candidates=(), floor=8,
        ballots=(replace(boards["farewell"].game.ballots[-1], top=(7, 8)),),
    )  # fmt: skip
    hub.publish(board)
    page = visit(serving(hub).url)
    reads(page, "#list-head", "Candidates, in order")
    assert page.locator(".nominee .name").all_inner_texts() == ["Galina", "Hugo"]
    assert page.locator(".tag.listed").all_inner_texts() == ["nominee 1", "nominee 2"]


def test_the_called_candidate_is_marked(serving, visit, hub, boards):
    hub.publish(boards["vote"])
    page = visit(serving(hub).url)
    assert page.locator(".nominee.now").inner_text().split("\n") == ["8", "Hugo", "vote now"]
    assert page.locator(".seat.called .no").all_text_contents() == ["Seat 8"]
    assert text(page, "#clock-kind") == "against"


def test_a_shout_has_the_big_clock_and_the_speakers_clock_stands(serving, visit, hub, boards):
    hub.publish(boards["shout"])
    page = visit(serving(hub).url)
    assert text(page, "#who") == "10 · Jan"
    assert text(page, "#clock-kind") == "shout"
    assert text(page, "#other") == "speech 0:31"


def test_the_end_shows_roles_and_points_in_the_pages_language(serving, visit, hub, boards):
    hub.publish(boards["farewell"])
    running = serving(hub)
    pages = {locale: visit(running.url, locale=locale) for locale in ("en", "ru")}
    for page in pages.values():
        assert ROLE_WORDS.findall(page.content()) == []
    hub.publish(boards["over"])
    for page in pages.values():
        shown(page, "over")
    assert text(pages["en"], "#who") == "The town wins"
    assert pages["en"].locator(".role").all_inner_texts()[:5] == [
        "Citizen", "Mafia", "Citizen", "Sheriff", "Don",
    ]  # fmt: skip
    assert pages["en"].locator(".max").all_inner_texts()[:2] == ["+1.35", "-0.20"]
    assert pages["en"].locator(".classic").first.inner_text() == "Classic +1.00"
    assert pages["ru"].locator(".max").all_inner_texts()[:2] == ["+1,35", "-0,20"]
    assert pages["en"].locator("#seed").text_content() == boards["over"].seed


def test_the_commitment_is_short_and_whole_on_demand(serving, visit, hub, boards):
    hub.publish(boards["speech"])
    page = visit(serving(hub).url)
    whole = boards["speech"].commitment
    reads(page, "#commitment-short", f"{whole[:8]}…{whole[-8:]}")
    expect(page.locator("#commitment")).to_be_hidden()
    expect(page.locator("#seed-line")).to_be_hidden()
    page.focus("#commitment-line summary")
    page.keyboard.press("Enter")
    expect(page.locator("#commitment")).to_be_visible()
    reads(page, "#commitment", whole)


def test_a_name_is_text_whatever_it_holds(serving, visit, hub, boards):
    name = "<img src=x onerror=\"document.title='owned'\">"
    board = boards["farewell"]
    seats = tuple(replace(seat, name=name) for seat in board.seats)
    hub.publish(replace(board, seats=seats, table=name, notice=name))
    page = visit(serving(hub).url)
    assert page.locator(".seat .name").all_text_contents() == [name] * 10
    assert page.locator("img").count() == 0
    assert page.title() == "Scoreboard"


def test_a_change_of_phase_is_announced_in_one_sentence_and_nothing_else_is(
    serving, visit, hub, boards
):
    hub.publish(boards["speech"])
    page = visit(serving(hub).url)
    reads(page, "#said", "Day 2. Speeches")
    page.evaluate(
        "window.said = [];"
        "new MutationObserver(() => window.said.push(document.querySelector('#said').textContent))"
        ".observe(document.querySelector('#said'), {childList: true, subtree: true})"
    )
    hub.publish(with_game(boards["speech"], floor=6))
    reads(page, "#who", re.compile("^6 · "))
    hub.publish(boards["shout"])
    reads(page, "#who", "10 · Jan")
    hub.publish(boards["vote"])
    reads(page, "#said", "Day 2. Vote")
    hub.publish(boards["over"])
    reads(page, "#said", "Game over. The town wins")
    assert page.evaluate("window.said") == ["Day 2. Vote", "Game over. The town wins"]
    assert page.get_attribute("#said", "aria-live") == "polite"
    assert page.get_attribute("#clock", "aria-live") == "off"


def test_the_page_says_its_language_and_has_one_heading_and_lists(serving, visit, hub, boards):
    hub.publish(boards["speech"])
    page = visit(serving(hub).url, locale="ru")
    assert page.get_attribute("html", "lang") == "ru"
    assert page.locator("h1").count() == 1
    assert page.get_by_role("list").count() >= 3


# ---- fair play -------------------------------------------------------------------

ACCUSATION = PublicAccusation(3, 7, Offence.BETS)
MOTION = PublicMotion(Sanction.TECHNICAL_FOUL, 7, Offence.BETS, voters=9, needed=5)
GROUNDS = PublicGrounds(8, Offence.AWAY, Sanction.DISQUALIFICATION, Source.PRESENCE)
SECONDED = PublicGrounds(
    8, Offence.BETS, Sanction.TECHNICAL_FOUL, Source.SEAT, by=3, confirmed_by=5
)
CARRIED = PublicDecision(
    2, 7, Sanction.TECHNICAL_FOUL, Offence.BETS, Decider.ROOM, True, (1, 2, 3, 4, 5, 6), 9, 5
)
DECISIONS = (
    CARRIED,
    replace(CARRIED, passed=False, yes=(1, 2)),
    PublicDecision(2, 7, Sanction.TECHNICAL_FOUL, Offence.INSULTS, Decider.HOST),
    PublicDecision(2, 7, Sanction.DISQUALIFICATION, Offence.INSULTS, Decider.SECOND_FOUL),
)


def with_game(board, **changes):
    return replace(board, game=replace(board.game, **changes))


def entries(page):
    return [
        " | ".join(one.locator("h3, p").all_inner_texts())
        for one in page.locator("#fair .case").all()
    ]


def test_an_accusation_is_read_by_the_whole_room(serving, visit, hub, boards):
    hub.publish(boards["speech"])
    page = visit(serving(hub).url)
    expect(page.locator("#fair-panel")).to_be_hidden()
    hub.publish(with_game(boards["speech"], accusation=ACCUSATION))
    reads(page, "#line", "3 accuses 7: Offering bets")
    assert entries(page) == ["3 accuses 7: Offering bets | A second seat can confirm it: VOTE"]
    assert "accused" in text(page, ".seat:nth-child(7)")


def test_a_motion_shows_what_it_needs_and_no_count(serving, visit, hub, boards):
    hub.publish(
        with_game(boards["speech"], phase=PublicPhase.MOTION, floor=0, motion=MOTION,
                  grounds=(GROUNDS, SECONDED))
    )  # fmt: skip
    page = visit(serving(hub).url)
    reads(page, "#who", "7 · Galina")
    reads(page, "#line", "Technical foul for seat 7: more than half needed: 5 of 9")
    assert entries(page) == [
        "Technical foul for seat 7 | Offering bets · more than half needed: 5 of 9",
        "To be voted on: Disqualification of seat 8 | Away over 15 s · seen by the camera",
        "To be voted on: Technical foul for seat 8 | Offering bets · seat 3, confirmed by seat 5",
    ]


def test_what_was_decided_says_by_whom_the_newest_first(serving, visit, hub, boards):
    fouled = replace(boards["speech"].game.seats[6], technical_fouls=1)
    seats = (*boards["speech"].game.seats[:6], fouled, *boards["speech"].game.seats[7:])
    hub.publish(with_game(boards["speech"], decisions=DECISIONS, seats=seats))
    page = visit(serving(hub).url)
    assert [line.text_content() for line in page.locator("#decided li").all()] == [
        "Day 2: Disqualification of seat 7Insults · By the rules: the second technical foul",
        "Day 2: Technical foul for seat 7Insults · Ruled by the host",
        "Day 2: Technical foul for seat 7Offering bets · "
        "The table, 2 of 9: not carried, 5 were needed",
        "Day 2: Technical foul for seat 7Offering bets · The table, 6 of 9: carried, 5 were needed",
    ]
    assert "technical fouls: 1" in text(page, ".seat:nth-child(7)")


def test_a_stop_needs_two_thirds_and_does_not_say_half(serving, visit, hub, boards):
    stop = replace(MOTION, sanction=Sanction.OPPONENT_VICTORY, offence=None, needed=6)
    hub.publish(with_game(boards["speech"], phase=PublicPhase.MOTION, floor=0, motion=stop))
    page = visit(serving(hub).url)
    reads(page, "#line", "Opponent Victory against seat 7: needed: 6 of 9")

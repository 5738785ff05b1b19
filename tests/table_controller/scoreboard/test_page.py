import itertools
import random
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from table_controller.game.actions import Expire, Pause
from table_controller.game.decisions import Decider, PublicDecision
from table_controller.game.legal import course_actions
from table_controller.game.model import Cause, Offence, Phase, Sanction, Source
from table_controller.game.rules import apply, countdowns, new_game
from table_controller.game.ruleset import TURBO
from table_controller.game.views import (
    PublicAccusation,
    PublicGrounds,
    PublicMotion,
    PublicPhase,
    public_view,
)
from table_controller.scoreboard.board import Board
from table_controller.scoreboard.hub import STREAMS_MAX

expect = pytest.importorskip("playwright.sync_api").expect
expect.set_options(timeout=20_000)  # two cores may be shared by many
pytestmark = pytest.mark.browser

SIZES = {"tv": (1920, 1080), "laptop": (1280, 720), "phone": (360, 740)}
ROLE_WORDS = re.compile(
    r"citizen|sheriff|mafia|\bdon\b|мирн|шериф|мафи|\bдон\b|bürger", re.IGNORECASE
)
GOLDEN = Path(__file__).parents[2] / "golden" / "pages" / "table.png"


@pytest.fixture
def visit(chromium):
    """Open the page as a viewer: ``visit(url, size=.., locale=..)``. Fails on console errors."""
    contexts, faults = [], []

    def open_page(url, size="tv", locale="en", wait=True, clock=False, **options):
        width, height = SIZES[size]
        context = chromium.new_context(
            viewport={"width": width, "height": height}, locale=locale, **options
        )
        contexts.append(context)
        context.set_default_timeout(10_000)
        page = context.new_page()
        if clock:
            page.clock.install()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "console",
            lambda said: (
                faults.append(said.text)
                if said.type == "error" and "/events" not in said.location.get("url", "")
                else None
            ),
        )
        page.goto(url)
        if wait:
            expect(page.locator("body")).not_to_have_attribute("data-phase", "waiting")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


def shown(page, phase):
    expect(page.locator("body")).to_have_attribute("data-phase", phase)


def reads(page, selector, text):
    """Wait until *selector* reads *text*, a string or a pattern."""
    expect(page.locator(selector)).to_have_text(text)


def text(page, selector):
    return page.inner_text(selector)


def a_whole_game(seed):
    """Yield every state of a game of random legal moves, clocks running out often."""
    dice = random.Random(seed)
    state = new_game(TURBO)
    while state.phase is not Phase.OVER:
        yield state
        moves = [move for move in course_actions(state) if not isinstance(move, Pause)]
        ends = [move for move in moves if isinstance(move, Expire)]
        move = dice.choice(ends if ends and dice.random() < 0.7 else moves)
        state, _ = apply(state, move)
    yield state


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("locale", ["en", "ru"])
def test_no_board_makes_the_page_scroll_sideways(serving, visit, hub, boards, size, locale):
    hub.publish(boards["seating"])
    page = visit(serving(hub).url, size, locale)
    for name, board in boards.items():
        seats = (*board.seats[:-1], replace(board.seats[-1], name="W" * 40))
        hub.publish(replace(board, seats=seats))
        shown(page, board.game.phase)
        overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert overflow <= 0, name


@pytest.mark.parametrize("size", ["tv", "laptop"])
@pytest.mark.parametrize("locale", ["en", "ru"])
def test_no_card_of_the_ring_covers_another_or_cuts_its_text(
    serving, visit, hub, boards, size, locale
):
    hub.publish(boards["seating"])
    page = visit(serving(hub).url, size, locale)
    for name, board in boards.items():
        if name == "night":
            continue
        hub.publish(board)
        shown(page, board.game.phase)
        boxes = [seat.bounding_box() for seat in page.locator(".seat").all()]
        for one, other in itertools.combinations(boxes, 2):
            apart = (
                one["x"] + one["width"] <= other["x"]
                or other["x"] + other["width"] <= one["x"]
                or one["y"] + one["height"] <= other["y"]
                or other["y"] + other["height"] <= one["y"]
            )
            assert apart, name
        cut = page.evaluate(
            "[...document.querySelectorAll('.seat')]"
            ".filter(seat => seat.scrollHeight > seat.clientHeight + 1"
            " || seat.scrollWidth > seat.clientWidth + 1).map(seat => seat.innerText)"
        )
        assert cut == [], name
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), name


@pytest.mark.parametrize("size", ["tv", "laptop"])
@pytest.mark.parametrize("locale", ["en", "ru"])
def test_a_crowded_card_cuts_no_tag_and_covers_none(serving, visit, hub, boards, size, locale):
    farewell, over = boards["farewell"], boards["over"]
    crowd = [
        replace(seat, crowns=(9,), silenced=True) if seat.living
        else replace(seat, best_move=(2, 5, 6))
        for seat in farewell.game.seats
    ]  # fmt: skip
    crowded = replace(farewell.game, seats=tuple(crowd), nominees=(7, 8, 5), called=8)
    hub.publish(replace(farewell, game=crowded))
    page = visit(serving(hub).url, size, locale)
    outside = (
        "[...document.querySelectorAll('.seat .tag, .seat .classic, .seat .role')].filter(tag => {"
        " const box = tag.getBoundingClientRect(), card = tag.closest('.seat');"
        " const edge = card.getBoundingClientRect();"
        " return box.right > edge.right || box.bottom > edge.bottom;"
        "}).map(tag => tag.innerText)"
    )
    assert page.locator(".seat").nth(7).locator(".tag").count() == 4
    assert page.evaluate(outside) == []
    for cause in Cause:
        seats = [replace(seat, living=False, cause=cause) for seat in over.game.seats]
        hub.publish(replace(over, game=replace(over.game, seats=tuple(seats)), notice=f"{cause}"))
        reads(page, "#notice", f"{cause}")
        expect(page.locator(".seat .tag.out")).to_have_count(10)
        assert page.evaluate(outside) == [], cause
        covered = page.evaluate(
            "[...document.querySelectorAll('.result')].filter(result => {"
            " const [tag, points] = ['.tag.out', '.classic']"
            "   .map(kind => result.querySelector(kind).getBoundingClientRect());"
            " return tag.right > points.left && tag.top < points.bottom - 1"
            "   && tag.bottom > points.top + 1;"
            "}).map(result => result.innerText)"
        )
        assert covered == [], cause


def test_one_who_says_farewell_is_no_nominee_any_more(serving, visit, hub, boards):
    board = boards["farewell"]
    hub.publish(replace(board, game=replace(board.game, nominees=(7, 8, 5))))
    page = visit(serving(hub).url)
    assert page.locator(".tag.listed").all_inner_texts() == ["nominee 3", "nominee 2"]


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
    assert tags[0] == []
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
    assert text(page, "#signs").split("\n") == ["seat 3: thumb up (town)", "seat 8: number 7"]
    nominees = [line.inner_text().split() for line in page.locator(".nominee").all()]
    assert nominees == [["7", "Galina"], ["8", "Hugo"]]
    assert "Shot last night: seat 9" in text(page, "#facts")


def test_a_closed_ballot_shows_who_voted_for_whom_and_what_was_automatic(
    serving, visit, hub, boards
):
    hub.publish(boards["farewell"])
    page = visit(serving(hub).url)
    titles = page.locator(".ballot h3").all_inner_texts()
    assert titles == ["Day 2: vote", "Day 1: lift", "Day 1: revote", "Day 1: vote"]
    rows = page.locator(".ballot").first.locator(".row").all()
    assert [row.inner_text().split() for row in rows] == [
        ["7", "Galina", "4", "3", "4", "6", "8", "most", "votes"],
        ["8", "Hugo", "3", "2", "5", "7"],
        ["5", "Elena", "2", "1", "10", "automatic"],
    ]
    lift = " ".join(page.locator(".ballot.lift").inner_text().split())
    assert lift == (
        "Day 1: lift 6 2 for removing all 5 3 4 8 9 10 not passed 5 of 10, more than half needed"
    )


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


def test_the_clock_runs_by_itself_from_the_boards_age_on(serving, visit, hub, boards, clock):
    hub.publish(boards["speech"])
    clock.advance(10.0)
    page = visit(serving(hub).url, clock=True)
    reads(page, "#clock-digits", re.compile("^0:3[0-3]$"))
    clock.advance(20.0)
    page.clock.fast_forward(20_000)
    reads(page, "#clock-digits", re.compile("^0:1[0-3]$"))
    clock.advance(5.0)
    page.clock.fast_forward(5_000)
    reads(page, "#clock-digits", re.compile(r"^[5-7]\.\d$"))
    clock.advance(60.0)
    page.clock.fast_forward(60_000)
    reads(page, "#clock-digits", "0.0")


def test_a_paused_clock_stands(serving, visit, hub, boards, clock):
    hub.publish(boards["paused"])
    clock.advance(300.0)
    page = visit(serving(hub).url, clock=True)
    page.clock.fast_forward(20_000)
    reads(page, "#clock-digits", "0:43")
    assert text(page, "#clock-kind") == "Paused"
    assert text(page, "h1") == "Speeches · Paused"
    assert text(page, "#notice") == "Paused after a restart"


@pytest.mark.parametrize("size", SIZES)
def test_the_night_is_a_still(serving, visit, hub, boards, size):
    hub.publish(boards["farewell"])
    page = visit(serving(hub).url, size)
    hub.publish(boards["night"])
    shown(page, "night")
    assert text(page, "#still-word") == "Night 2"
    assert page.locator("main").is_hidden()
    assert page.locator("#still").is_visible()


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
    assert text(pages["en"], "#seed") == boards["over"].seed
    assert text(pages["en"], "#commitment") == boards["over"].commitment


def test_a_name_is_text_whatever_it_holds(serving, visit, hub, boards):
    name = "<img src=x onerror=\"document.title='owned'\">"
    board = boards["farewell"]
    seats = tuple(replace(seat, name=name) for seat in board.seats)
    hub.publish(replace(board, seats=seats, table=name, notice=name))
    page = visit(serving(hub).url)
    assert page.locator(".seat .name").all_text_contents() == [name] * 10
    assert page.locator("img").count() == 0
    assert page.title() == "Scoreboard"


def test_a_lost_table_is_told_with_its_age_and_comes_back_by_itself(
    serving, visit, hub, boards, clock
):
    hub.publish(boards["speech"])
    running = serving(hub)
    page = visit(running.url, clock=True)
    reads(page, "#news", "live")
    running.server.stop()
    page.clock.fast_forward(12_000)
    reads(page, "#news", re.compile(r"^no news for 1\d s$"))
    assert page.locator("body.stale").count() == 1
    back = type(hub)(clock)
    back.publish(boards["vote"])
    serving(back, port=running.port)
    page.clock.run_for(3_000)
    shown(page, "ballot")
    reads(page, "#news", "live")


def test_a_page_without_a_stream_polls_and_gets_one_later(serving, visit, hub, boards):
    taken = [hub.join("127.0.0.1") for _ in range(STREAMS_MAX)]
    hub.publish(boards["speech"])
    page = visit(serving(hub).url, clock=True, wait=False)
    page.clock.run_for(3_000)
    shown(page, "speech")
    reads(page, "#news", "live, every 2 s")
    hub.publish(boards["vote"])
    page.clock.run_for(3_000)
    shown(page, "ballot")
    for stream in taken:
        hub.leave(stream)
    page.clock.run_for(11_000)
    assert hub.wait(lambda hub: hub.streams == 1)
    hub.publish(boards["over"])
    shown(page, "over")


def test_with_reduced_motion_nothing_glides(serving, visit, hub, boards):
    hub.publish(boards["speech"])
    page = visit(serving(hub).url, reduced_motion="reduce")
    durations = page.evaluate(
        "[...document.querySelectorAll('*')].map(node => getComputedStyle(node).transitionDuration)"
    )
    assert set(durations) == {"0s"}
    share = float(page.get_attribute("#clock-arc", "stroke-dasharray").split()[0])
    assert share * 60 / 100 == pytest.approx(round(share * 60 / 100), abs=0.01)


def test_the_phase_is_announced_and_the_page_says_its_language(serving, visit, hub, boards):
    hub.publish(boards["speech"])
    page = visit(serving(hub).url, locale="ru")
    assert page.get_attribute("html", "lang") == "ru"
    assert page.locator("[aria-live=polite] h1").count() == 1
    assert page.get_attribute("#clock", "aria-live") == "off"
    assert page.locator("h1").count() == 1
    assert page.get_by_role("list").count() >= 3


@pytest.mark.parametrize("size", ["tv", "phone"])
def test_a_whole_game_tells_no_role_before_its_end(serving, visit, hub, boards, size):
    board: Board = boards["seating"]
    hub.publish(replace(board, notice="step 0"))
    page = visit(serving(hub).url, size)
    last, steps = None, 0
    for state in a_whole_game(seed=7):
        view = public_view(state)
        if last is not None and view.phase is last.phase and view.floor == last.floor:
            continue
        last, steps = view, steps + 1
        hub.publish(replace(board, game=view, notice=f"step {steps}"))
        reads(page, "#notice", f"step {steps}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if view.winner is None:
            assert ROLE_WORDS.findall(hub.latest().decode()) == []
            assert ROLE_WORDS.findall(page.content()) == []
    assert steps > 30
    assert view.winner is not None
    assert {clock.kind for clock in countdowns(state)} == set()
    assert page.locator(".role").count() == 10
    assert sum("Don" in role for role in page.locator(".role").all_inner_texts()) == 1


def test_the_readmes_screenshot_can_be_made(serving, visit, hub, boards, request):
    hub.publish(boards["speech"])
    page = visit(serving(hub).url, "laptop")
    reads(page, "#news", "live")
    picture = page.screenshot()
    assert picture.startswith(b"\x89PNG")
    if request.config.getoption("--update-golden"):
        GOLDEN.parent.mkdir(parents=True, exist_ok=True)
        GOLDEN.write_bytes(picture)
    assert GOLDEN.read_bytes()[16:24] == picture[16:24], "another size: pytest --update-golden"


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
        for one in page.locator("#fair .ballot").all()
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
        "Technical foul for seat 7 | Offering bets | more than half needed: 5 of 9",
        "To be voted on: Disqualification of seat 8 | Away over 15 s | seen by the camera",
        "To be voted on: Technical foul for seat 8 | Offering bets | seat 3, confirmed by seat 5",
    ]


def test_what_was_decided_says_by_whom_the_newest_first(serving, visit, hub, boards):
    fouled = replace(boards["speech"].game.seats[6], technical_fouls=1)
    seats = (*boards["speech"].game.seats[:6], fouled, *boards["speech"].game.seats[7:])
    hub.publish(with_game(boards["speech"], decisions=DECISIONS, seats=seats))
    page = visit(serving(hub).url)
    reads(page, "#fair-head", "Fair play")
    assert entries(page) == [
        "Day 2: Disqualification of seat 7 | Insults | By the rules: the second technical foul",
        "Day 2: Technical foul for seat 7 | Insults | Ruled by the host",
        "Day 2: Technical foul for seat 7 | Offering bets | "
        "The table, 2 of 9: not carried, 5 were needed",
        "Day 2: Technical foul for seat 7 | Offering bets | "
        "The table, 6 of 9: carried, 5 were needed",
    ]
    assert "technical fouls: 1" in text(page, ".seat:nth-child(7)")


def test_a_stop_needs_two_thirds_and_does_not_say_half(serving, visit, hub, boards):
    stop = replace(MOTION, sanction=Sanction.OPPONENT_VICTORY, offence=None, needed=6)
    hub.publish(with_game(boards["speech"], phase=PublicPhase.MOTION, floor=0, motion=stop))
    page = visit(serving(hub).url)
    reads(page, "#line", "Opponent Victory against seat 7: needed: 6 of 9")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("locale", ["ru", "de"])
def test_fair_play_fits_the_page(serving, visit, hub, boards, size, locale):
    hub.publish(
        with_game(boards["speech"], phase=PublicPhase.MOTION, floor=0, motion=MOTION,
                  grounds=(GROUNDS, SECONDED), decisions=DECISIONS)
    )  # fmt: skip
    page = visit(serving(hub).url, size, locale)
    expect(page.locator("#fair .ballot")).to_have_count(7)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0

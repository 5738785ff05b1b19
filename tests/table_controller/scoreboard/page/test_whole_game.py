"""Whole games in a real browser: nothing told too early, nothing off the screen, pictures kept."""

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from table_controller.game.actions import Expire, Pause
from table_controller.game.legal import course_actions
from table_controller.game.model import Phase
from table_controller.game.rules import apply, countdowns, new_game
from table_controller.game.ruleset import TURBO
from table_controller.game.views import public_view
from table_controller.scoreboard.board import Board
from tests.table_controller.scoreboard.page.reading import (
    ROLE_WORDS,
    is_as_wide_as_the_window,
    reads,
    shown,
)

pytestmark = pytest.mark.browser
GOLDEN = Path(__file__).parents[3] / "golden" / "pages" / "table.png"
STORED = """async () => JSON.stringify([
  Object.entries(localStorage), Object.entries(sessionStorage), document.cookie,
  await indexedDB.databases(), await caches.keys(),
])"""
FIRST_IN_SUITE = [
    pytest.param("laptop", "de"),
    pytest.param("tv", "en", marks=pytest.mark.proof),
    pytest.param("phone", "ru", marks=pytest.mark.proof),
    pytest.param("small", "de", marks=pytest.mark.proof),
]


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


@pytest.mark.proof
@pytest.mark.parametrize(
    ("size", "locale"), [("tv", "ru"), ("laptop", "de"), ("phone", "en"), ("small", "de")]
)
def test_a_whole_game_tells_no_role_before_its_end(
    serving, visit, hub, boards, keep_picture, size, locale
):
    """Not in the document, not in what came by the network, not in what the browser keeps."""
    board: Board = boards["seating"]
    hub.publish(replace(board, notice="step 0"))
    page = visit(serving(hub).url, size, locale)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    last, steps, pictured = None, 0, set()
    for state in a_whole_game(seed=7):
        view = public_view(state)
        if last is not None and view.phase is last.phase and view.floor == last.floor:
            continue
        last, steps = view, steps + 1
        hub.publish(replace(board, game=view, notice=f"step {steps}"))
        reads(page, "#notice", f"step {steps}")
        assert is_as_wide_as_the_window(page)
        if view.winner is None:
            assert ROLE_WORDS.findall(hub.latest().decode()) == []
            assert ROLE_WORDS.findall(page.content()) == []
            assert not any("/words/end" in url for url in asked)
        if view.phase not in pictured:
            pictured.add(view.phase)
            keep_picture(page, f"{size}-{locale}-{len(pictured):02}-{view.phase}")
    assert steps > 30
    assert len(pictured) >= 10
    assert view.winner is not None
    assert {clock.kind for clock in countdowns(state)} == set()
    assert page.locator(".role").count() == 10
    assert page.evaluate(STORED) == '[[],[],"",[],[]]'
    assert {url.split("/")[3].partition("?")[0] for url in asked} <= {"words", "events", "state"}


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize(("size", "locale"), FIRST_IN_SUITE)
def test_no_moment_bars_anybody(serving, visit, hub, boards, faults_of, size, locale, scheme):
    """Contrast, names, headings, roles: asked of every board in both colour schemes."""
    hub.publish(boards["seating"])
    site = serving(hub, address="http://192.168.178.23:8080/")
    page = visit(site.url, size, locale, color_scheme=scheme, bypass_csp=True)
    for name, board in boards.items():
        hub.publish(board)
        shown(page, board.game.phase)
        assert faults_of(page) == [], name


def test_the_readmes_screenshot_can_be_made(serving, visit, hub, boards, request):
    hub.publish(boards["speech"])
    site = serving(hub, address="http://mafia.local:8080/")
    page = visit(site.url, "laptop", color_scheme="dark")
    reads(page, "#news", "live")
    picture = page.screenshot()
    assert picture.startswith(b"\x89PNG")
    if request.config.getoption("--update-golden"):
        GOLDEN.parent.mkdir(parents=True, exist_ok=True)
        GOLDEN.write_bytes(picture)
    assert GOLDEN.read_bytes()[16:24] == picture[16:24], "another size: pytest --update-golden"

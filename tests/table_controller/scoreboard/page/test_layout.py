"""The page at every size: nothing is covered, cut, too small, or off the screen."""

import pytest
from msgspec.structs import replace

from table_controller.game.decisions import Decider, PublicDecision
from table_controller.game.model import Cause, Offence, Sanction, Source
from table_controller.game.views import PublicGrounds, PublicMotion, PublicPhase
from tests.table_controller.scoreboard.page.reading import (
    SIZES,
    expect,
    is_as_wide_as_the_window,
    reads,
    shown,
)

pytestmark = pytest.mark.browser
ONE_IN_SUITE = [
    pytest.param("laptop", "de"),
    *(
        pytest.param(size, locale, marks=pytest.mark.proof)
        for size in ("tv", "laptop")
        for locale in ("en", "ru", "de")
        if (size, locale) != ("laptop", "de")
    ),
]
"""The longest words on the smaller wide screen in the suite, the others in the proofs."""

OVERLAPS = """() => {
  const boxes = [];
  for (const seat of document.querySelectorAll(".seat")) {
    const no = seat.querySelector(".no").textContent.match(/\\d+/)[0];
    for (const node of seat.querySelectorAll(".name, .tag, .role, .fouls, .max, .classic")) {
      const range = document.createRange();
      range.selectNodeContents(node);
      const whole = node.matches(".fouls, .name, .tag");
      for (const box of whole ? [node.getBoundingClientRect()] : range.getClientRects())
        if (box.width) boxes.push([`${no}: ${node.className}`, box]);
    }
  }
  document.querySelectorAll(".disc .body").forEach((disc, at) =>
    boxes.push([`disc ${at + 1}`, disc.getBoundingClientRect()]));
  for (const node of document.querySelectorAll("#find img, #find .address, #side, #clock-digits")) {
    const box = node.getBoundingClientRect();
    if (box.width) boxes.push([node.id || node.className || node.tagName, box]);
  }
  const found = [];
  for (const [name, box] of boxes) {
    if (box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight)
      found.push(`${name} is off the screen`);
  }
  boxes.forEach(([name, one], at) => boxes.slice(at + 1).forEach(([other, two]) => {
    const wide = Math.min(one.right, two.right) - Math.max(one.left, two.left);
    const high = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
    if (wide > 2 && high > 3) found.push(`${name} covers ${other}`);
  }));
  return found;
}"""
"""Texts beside the ring that lie on one another, on a disc, or off the screen."""

CUT = """() => ["side", "middle"].filter(id => {
  const node = document.getElementById(id);
  return node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1;
})"""
"""Parts of the page whose content does not fit."""


def with_game(board, **changes):
    return replace(board, game=replace(board.game, **changes))


@pytest.mark.parametrize(
    "size",
    ["small", *(pytest.param(s, marks=pytest.mark.proof) for s in ("phone", "laptop", "tv"))],
)
@pytest.mark.parametrize("locale", ["de", pytest.param("ru", marks=pytest.mark.proof)])
def test_no_board_makes_the_page_scroll_sideways(serving, visit, hub, boards, size, locale):
    hub.publish(boards["seating"])
    page = visit(serving(hub).url, size, locale)
    for name, board in boards.items():
        seats = (*board.seats[:-1], replace(board.seats[-1], name="W" * 40))
        hub.publish(replace(board, seats=seats))
        shown(page, board.game.phase)
        assert is_as_wide_as_the_window(page), name


@pytest.mark.parametrize(("size", "locale"), ONE_IN_SUITE)
def test_nothing_around_the_ring_is_covered_or_cut(serving, visit, hub, boards, size, locale):
    hub.publish(boards["seating"])
    page = visit(serving(hub, address="http://192.168.178.23:8080/").url, size, locale)
    for number, (name, board) in enumerate(boards.items()):
        if name == "night":
            continue
        hub.publish(replace(board, table=f"t{number}"))
        expect(page.locator("#table-name")).to_contain_text(f"t{number}")
        assert page.evaluate(OVERLAPS) == [], name
        assert page.evaluate(CUT) == [], name
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), name


@pytest.mark.parametrize(("size", "locale"), ONE_IN_SUITE)
def test_a_crowd_of_tags_covers_nothing(serving, visit, hub, boards, size, locale):
    farewell, over = boards["farewell"], boards["over"]
    crowd = [
        replace(seat, crowns=(9,), silenced=True, fouls=4) if seat.living
        else replace(seat, best_move=(2, 5, 6))
        for seat in farewell.game.seats
    ]  # fmt: skip
    crowded = replace(
        boards["vote"].game, seats=tuple(crowd), nominees=(7, 8, 5), candidates=(7, 8, 5)
    )
    hub.publish(replace(farewell, game=crowded))
    page = visit(serving(hub).url, size, locale)
    assert page.locator(".seat").nth(7).locator(".tag").count() == 3
    assert page.evaluate(OVERLAPS) == []
    for cause in Cause:
        seats = [replace(seat, living=False, cause=cause) for seat in over.game.seats]
        hub.publish(replace(over, game=replace(over.game, seats=tuple(seats)), table=f"{cause}"))
        expect(page.locator("#table-name")).to_contain_text(cause)
        expect(page.locator(".seat .tag.out")).to_have_count(10)
        assert page.evaluate(OVERLAPS) == [], cause


@pytest.mark.parametrize(("size", "locale"), ONE_IN_SUITE)
def test_many_ballots_do_not_overflow(serving, visit, hub, boards, size, locale):
    board = boards["farewell"]
    first = board.game.ballots
    earlier = tuple(replace(ballot, day=day) for day in range(1, 5) for ballot in first[:3])
    assert len(earlier) == 12
    hub.publish(with_game(board, ballots=(*earlier, first[-1])))
    page = visit(serving(hub).url, size, locale)
    expect(page.locator("#earlier tr")).to_have_count(13)
    assert page.evaluate(CUT) == []
    # Nobody has pressed in time.
    voters = tuple(range(1, 10))
    late = replace(first[-1], votes=tuple((seat, 7) for seat in voters), automatic=voters)
    hub.publish(with_game(board, ballots=(*earlier, late)))
    expect(page.locator("#ballot .voter.auto")).to_have_count(9)
    assert page.evaluate(CUT) == []
    # Four candidates, whose tie is argued.
    four = replace(first[-1], candidates=(7, 8, 5, 3), top=(7, 8))
    hub.publish(
        with_game(boards["vote"], phase=PublicPhase.TIE_SPEECH, called=0, candidates=(),
                  nominees=(7, 8, 5, 3), ballots=(*earlier[:4], four))
    )  # fmt: skip
    expect(page.locator("#ballot .row")).to_have_count(4)
    assert page.evaluate(CUT) == []
    # All ten nominated, and a ballot about all ten.
    all_ten = replace(first[0], candidates=tuple(range(1, 11)))
    hub.publish(
        with_game(boards["vote"], nominees=tuple(range(1, 11)), candidates=tuple(range(1, 11)),
                  ballots=(*earlier, all_ten))
    )  # fmt: skip
    expect(page.locator(".nominee")).to_have_count(10)
    assert page.evaluate(CUT) == []


MOTION = PublicMotion(Sanction.TECHNICAL_FOUL, 7, Offence.BETS, voters=9, needed=5)
GROUNDS = PublicGrounds(8, Offence.AWAY, Sanction.DISQUALIFICATION, Source.PRESENCE)
SECONDED = PublicGrounds(
    8, Offence.BETS, Sanction.TECHNICAL_FOUL, Source.SEAT, by=3, confirmed_by=5
)
CARRIED = PublicDecision(
    2, 7, Sanction.TECHNICAL_FOUL, Offence.BETS, Decider.ROOM, True, (1, 2, 3, 4, 5, 6), 9, 5
)


@pytest.mark.parametrize(
    ("size", "locale"), [*ONE_IN_SUITE, pytest.param("small", "de", marks=pytest.mark.proof)]
)
def test_fair_play_fits_the_page(serving, visit, hub, boards, size, locale):
    hub.publish(
        with_game(boards["speech"], phase=PublicPhase.MOTION, floor=0, motion=MOTION,
                  grounds=(GROUNDS, SECONDED), decisions=(CARRIED,) * 4)
    )  # fmt: skip
    page = visit(serving(hub).url, size, locale)
    expect(page.locator("#fair .case")).to_have_count(3)
    assert is_as_wide_as_the_window(page)
    if size != "small":
        assert page.evaluate(CUT) == []
        hub.publish(with_game(boards["speech"], decisions=(CARRIED,) * 4))
        expect(page.locator("#fair-panel")).to_be_hidden()
        assert page.evaluate(CUT) == []


def test_a_tv_is_read_from_five_metres(serving, visit, hub, boards):
    """Letters of 26 px are 15 mm on a TV of 125 cm: 10 minutes of arc, twice what eyes need."""
    hub.publish(boards["speech"])
    page = visit(serving(hub).url, "tv")
    sizes = page.evaluate(
        "Object.fromEntries(['#clock-digits', 'h1', '#who', '.seat .name', '.nominee .name',"
        " '#line', '.seat .tag', '.candidate .name', '.facts li'].map(where =>"
        " [where, parseFloat(getComputedStyle(document.querySelector(where)).fontSize)]))"
    )
    assert sizes.pop("#clock-digits") > 160
    assert {where: size for where, size in sizes.items() if size < 24} == {}


@pytest.mark.parametrize("size", SIZES)
def test_the_night_is_a_still(serving, visit, hub, boards, size):
    hub.publish(boards["farewell"])
    page = visit(serving(hub).url, size, color_scheme="light")
    hub.publish(boards["night"])
    shown(page, "night")
    reads(page, "#still-word", "Night 2")
    expect(page.locator("main")).to_be_hidden()
    expect(page.locator("#still")).to_be_visible()
    dark = "rgb(6, 8, 13)"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark
    assert page.evaluate("document.getAnimations().length") == 0
    # Nothing in it tells one seat from another.
    assert len(set(page.locator(".still-seat").evaluate_all(
        "all => all.map(seat => seat.getAttribute('class') + seat.getAttribute('r'))"
    ))) == 1  # fmt: skip

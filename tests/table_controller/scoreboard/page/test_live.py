"""The page catches up by itself, and its clock is right meanwhile."""

import re

import pytest
from msgspec.structs import replace

from table_controller.scoreboard.hub import STREAMS_MAX
from tests.table_controller.scoreboard.page.reading import expect, reads, shown, text

pytestmark = pytest.mark.browser


def test_a_lost_table_is_told_with_its_age_and_comes_back_by_itself(
    serving, visit, hub, boards, clock
):
    hub.publish(boards["speech"])
    running = serving(hub)
    page = visit(running.url, clock=True)
    reads(page, "#news", "live")
    running.server.stop()
    page.clock.fast_forward(12_000)
    reads(page, "#news", re.compile(r"^no news for \d\d+ s$"))
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


def test_with_reduced_motion_nothing_glides(serving, visit, hub, boards):
    hub.publish(boards["speech"])
    page = visit(serving(hub).url, reduced_motion="reduce")
    durations = page.evaluate(
        "[...document.querySelectorAll('*')].map(node => getComputedStyle(node).transitionDuration)"
    )
    assert set(durations) == {"0s"}
    share = float(page.get_attribute("#clock-arc", "stroke-dasharray").split()[0])
    assert share * 60 / 100 == pytest.approx(round(share * 60 / 100), abs=0.01)


def test_a_restarted_table_is_found_again_with_what_it_shows_now(
    serving, visit, hub, boards, clock
):
    hub.publish(boards["speech"])
    running = serving(hub)
    page = visit(running.url)
    running.server.stop()
    back = type(hub)(clock)
    back.publish(boards["farewell"])
    serving(back, port=running.port)
    shown(page, "farewell")  # the browser itself asks again
    reads(page, "#news", "live")
    reads(page, "#who", "7 · Galina")


def test_a_phone_that_slept_shows_the_present_when_it_is_looked_at(serving, visit, hub, boards):
    """Asleep, its timers stand and its stream dies unseen; nothing but the waking tells it."""
    hub.publish(boards["speech"])
    page = visit(serving(hub, beat_s=600.0).url, "phone", clock=True)
    reads(page, "#news", "live")
    page.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)
    hub._streams.clear()  # as a socket that swallows all
    hub.publish(boards["vote"])
    page.clock.set_system_time(page.evaluate("Date.now() / 1000") + 600)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    shown(page, "ballot")


def test_a_page_whose_own_loop_was_blocked_for_five_seconds_catches_up(
    serving, visit, hub, boards, clock
):
    hub.publish(boards["speech"])
    page = visit(serving(hub).url)
    reads(page, "#clock-digits", re.compile("^0:4"))
    clock.advance(5.0)
    page.evaluate("setTimeout(() => { const end = Date.now() + 5000; while (Date.now() < end); })")
    hub.publish(boards["vote"])  # comes while it is deaf
    hub.publish(boards["farewell"])
    reads(page, "#who", "7 · Galina")
    reads(page, "#news", "live")


def test_a_table_that_is_held_up_for_five_seconds_loses_no_page(serving, visit, hub, boards, clock):
    """The web server has threads of its own: its beat goes on while the loop does nothing."""
    hub.publish(boards["speech"])
    page = visit(serving(hub, beat_s=0.5).url, clock=True)
    page.evaluate("window.worst = ''; setInterval(() => document.body.classList.contains('stale')"
                  " && (window.worst = 'stale'), 100)")  # fmt: skip
    for _ in range(10):
        page.clock.run_for(500)
    clock.advance(5.0)
    hub.publish(boards["vote"])
    shown(page, "ballot")
    assert page.evaluate("window.worst") == ""


def test_a_slow_viewer_is_dropped_comes_back_and_sees_the_last_board(serving, visit, hub, boards):
    hub.publish(boards["speech"])
    page = visit(serving(hub).url)
    assert hub.wait(lambda hub: hub.streams == 1)
    slow = next(iter(hub._streams))
    slow.offer = lambda news: False  # as one whose backlog is full
    hub.publish(boards["vote"])
    assert hub.wait(lambda hub: hub.left == 1)
    hub.publish(boards["farewell"])
    shown(page, "farewell")
    reads(page, "#news", "live")


def test_a_lost_links_clock_is_told_to_be_old(serving, visit, hub, boards):
    hub.publish(boards["speech"])
    running = serving(hub)
    page = visit(running.url, clock=True)
    reads(page, "#clock-kind", "speech")
    running.server.stop()
    page.clock.fast_forward(9_000)
    reads(page, "#clock-kind", re.compile(r"^no news for \d+ s$"))
    expect(page.locator("#clock-head")).to_be_hidden()


def test_the_clock_is_right_to_a_fifth_of_a_second(serving, visit, hub, boards, clock):
    """The arc and the digits, against the time that has passed since the board was made."""
    running = replace(boards["vote"].clocks[0], left_s=9.5, length_s=15.0)
    hub.publish(replace(boards["vote"], clocks=(running,)))
    clock.advance(1.0)
    page = visit(serving(hub).url, clock=True)
    page.clock.pause_at(page.evaluate("Date.now() / 1000") + 0.1)
    first = float(text(page, "#clock-digits"))
    assert 6.0 < first <= 8.5
    for step in range(1, 9):
        page.clock.run_for(500)
        left_s = float(text(page, "#clock-digits"))
        assert left_s == pytest.approx(first - step / 2, abs=0.11)
        share = float(page.get_attribute("#clock-arc", "stroke-dasharray").split()[0]) / 100
        assert 15.0 * share == pytest.approx(left_s, abs=0.06)


def test_a_light_falls_on_the_one_who_has_the_floor_and_time_runs_towards_it(
    serving, visit, hub, boards
):
    hub.publish(boards["speech"])
    page = visit(serving(hub).url)
    for name, seat, light in (
        ("speech", 5, "floor"),
        ("vote", 8, "called"),
        ("shout", 10, "shouts"),
    ):
        hub.publish(boards[name])
        expect(page.locator("#ring")).to_have_attribute("data-light", light)
        turn = f"rotate({36 * (seat - 1) - 18} 500 500)"
        expect(page.locator("#clock-turn")).to_have_attribute("transform", turn)
        lit = page.locator(f".disc.{light}")
        assert lit.locator(".num").all_text_contents() == [str(seat)]

"""What the host's console shows, in a real browser."""

import re

import pytest

expect = pytest.importorskip("playwright.sync_api").expect
expect.set_options(timeout=20_000)  # two cores may be shared by many
pytestmark = pytest.mark.browser


def test_the_head_says_where_the_game_is_and_its_clock_runs_by_itself(show):
    page = show("speech")
    expect(page.locator("h1")).to_have_text("Speeches")
    expect(page.locator("#when")).to_have_text("Day 2")
    expect(page.locator("#who")).to_have_text("5 · Elena")
    digits = page.locator("#clock-digits")
    first = digits.inner_text()
    assert re.fullmatch(r"0:4\d", first)
    expect(digits).not_to_have_text(first)


def test_offline_looks_and_reads_different_from_not_done(show):
    page = show("speech")
    expect(page.locator("#seat-2")).to_have_accessible_name(re.compile("Seat 2.*Boris.*offline"))
    expect(page.locator("#seat-2")).to_have_class(re.compile(r"\blost\b"))
    expect(page.locator("#seat-2 .tag use")).to_have_attribute("href", "#i-offline")
    page = show("counting")
    expect(page.locator("#seat-2")).to_have_accessible_name(re.compile("no vote yet"))
    expect(page.locator("#seat-2")).not_to_have_class(re.compile(r"\blost\b"))
    expect(page.locator("#seat-2 .tag use")).to_have_attribute("href", "#i-waits")
    expect(page.locator("#seat-1")).to_have_accessible_name(re.compile("has voted"))


def test_a_device_that_does_not_play_says_both_versions_and_what_to_do(show, choose):
    page = show("lobby")
    expect(page.locator("#seat-3 .tag")).to_have_text(["kit 0.2.0, not 0.1.0"])
    expect(page.locator("#seat-6 .tag")).to_have_text(["offline"])
    update = "the table has 0.1.0; update it: mafia-table update"
    spare = page.locator("#spares li", has_text="node-12")
    expect(spare).to_contain_text(f"kit ?, {update}")
    expect(choose(page, 3).locator("#device-line")).to_contain_text(f"kit 0.2.0, {update}")


def test_a_seat_says_all_that_is_public_of_it(show):
    page = show("speech")
    expect(page.locator("#seat-5")).to_contain_text("speaks")
    expect(page.locator("#seat-7")).to_contain_text("away 1")
    expect(page.locator("#seat-7")).to_contain_text("nominee 1")
    expect(page.locator("#seat-9")).to_have_class(re.compile(r"\bgone\b"))
    expect(page.locator("#seat-9")).to_contain_text("shot")
    expect(page.locator("#seat-10")).to_contain_text("no speech")
    expect(page.locator("#seat-10")).to_contain_text("fouls: 3")


def test_who_has_voted_is_told_after_the_calls_and_not_for_what(show):
    page = show("counting")
    expect(page.locator("#ballot-count")).to_have_text("4 of 9 have voted")
    expect(page.locator("#ballot-waits")).to_have_text("Not yet: 2, 5, 6, 8, 10")


@pytest.mark.parametrize("vote", ["vote", "lift", "motion"])
def test_votes_whose_moment_would_tell_for_what_are_not_counted_before_the_close(show, vote):
    page = show(vote)
    expect(page.locator("#ballot")).to_be_visible()
    expect(page.locator("#ballot-count")).to_have_text("")
    expect(page.locator("#ballot-waits")).to_have_text("")
    expect(page.locator("#seat-2")).not_to_have_accessible_name(re.compile("vote"))


def test_grounds_and_motions_are_listed_with_what_is_open(show):
    page = show("motion")
    lines = page.locator("#grounds li")
    expect(lines).to_have_count(3)
    expect(lines.nth(0)).to_contain_text("Motion: technical foul for seat 3")
    expect(lines.nth(0)).to_contain_text("5 of 8 needed")
    expect(lines.nth(1)).to_contain_text("seat 5, confirmed by seat 8")
    expect(lines.nth(2)).to_contain_text("Seat 7: away from the table")
    expect(page.locator("#seat-3")).to_contain_text("technical fouls: 1")
    expect(page.locator("#seat-3")).not_to_contain_text("vote", use_inner_text=True)


def test_before_the_deal_it_says_who_is_missing_what(show, press_next):
    page = show("check")
    expect(page.locator("#round-line")).to_have_text("6 of 10 have pressed both buttons")
    expect(page.locator("#round-missing")).to_have_text("Still to press: 2, 5, 6, 8")
    expect(page.locator("#seat-6")).to_contain_text("press VOTE")
    expect(page.locator("#seat-6")).to_contain_text("press SHOUT")
    expect(page.locator("#seat-8")).to_contain_text("SHOUT stays pressed")
    expect(page.locator("#seat-1")).to_contain_text("pressed")
    press_next(page, "Skip this round")


def test_by_night_it_offers_what_the_table_takes_and_tells_of_no_press(show):
    page = show("night")
    expect(page.locator("h1")).to_have_text("Night 2")
    expect(page.locator("#seats .tag:visible")).to_have_count(0)
    expect(page.locator("#clock")).to_be_hidden()
    expect(page.locator("#undo")).to_be_disabled()
    page.locator("#more").click()
    buttons = page.locator("#more-sheet button:visible")
    expect(buttons).to_have_text(["Pause", "Call again", "End without a result", "Close"])


def test_roles_are_on_the_scoreboard_and_never_here(show, kit, evening):
    page = show("over")
    expect(page.locator("h1")).to_have_text("The town wins")
    expect(page.locator("#result a")).to_be_visible()
    words = page.locator("body").inner_text() + page.locator("#words").text_content()
    assert not re.search(r"citizen|sheriff|\bdon\b", words, re.IGNORECASE)


def test_what_the_table_says_stands_newest_first(show):
    page = show("speech")
    expect(page.locator("#notices li")).to_have_text(
        re.compile("Seat 2 has lost its device node-02")
    )

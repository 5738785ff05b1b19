"""Each order of the host's console once, with a thumb, on real programs; two hosts at once."""

import re

import pytest

from firmware.wire import Button

expect = pytest.importorskip("playwright.sync_api").expect
pytestmark = [pytest.mark.browser, pytest.mark.proof]


@pytest.fixture
def day_one(evening, new_host):
    """A host on the first day, seat 1 speaking."""
    director = evening
    host = new_host(director, allow=("409",))
    host.phase("lobby")
    host.next("Start the game")
    director.scenes("check")
    host.next("Skip this round")
    director.scenes("seating")
    director.vote(*range(1, 11))
    director.scenes("card")
    host.step_to("speech")
    host.speaks(1)
    return host


def game(host):
    return host.director.state()["game"]


def until(host, true):
    return host.director.until_state(true, "what the host has ordered")


def test_devices_are_found_placed_and_swapped_before_a_game(evening, new_host):
    director, host = evening, new_host(evening)
    panels = director.panels
    page = host.page
    host.press(host.seat(3, "device").get_by_role("button", name="Show where it is"))
    director.scenes("identify", seats={3})
    expect(page.locator("#seat-3")).to_contain_text("shows itself")
    host.press(host.seat(3, "device").get_by_role("button", name="Show where it is"))
    director.scenes("idle")

    sheet = host.seat(3, "device")
    sheet.get_by_label("Play with another device").select_option("node-05")
    host.press(sheet.get_by_role("button", name="Swap"))
    expect(host.seat(3).locator("#device-line")).to_contain_text("node-05")
    page.keyboard.press("Escape")

    host.press(page.locator("#devices-panel summary"))
    begin = page.locator("#devices-panel").get_by_role("button", name="Place the devices")
    host.press(begin)
    expect(page.locator("#placing-line")).to_have_text("Whoever sits at seat 1 presses VOTE")
    host.press(page.locator("#placing").get_by_role("button", name="Leave all as it was"))
    expect(page.locator("#placing")).to_be_hidden()
    host.press(begin)
    for seat in range(1, 10):
        asked = page.locator("#placing-line")
        expect(asked).to_have_text(f"Whoever sits at seat {seat} presses VOTE")
        if seat == 2:
            host.press(page.locator("#placing").get_by_role("button", name="Skip this seat"))
        else:
            panels[seat].tap(Button.VOTE)
            director.settle(seat)
    host.press(page.locator("#placing").get_by_role("button", name="Enough: keep these"))
    expect(page.locator("#placing")).to_be_hidden()
    expect(host.seat(3).locator("#device-line")).to_contain_text("node-03")


def test_the_round_before_the_deal_is_led_from_the_page(evening, new_host):
    director, host = evening, new_host(evening)
    page = host.page
    host.next("Start the game")
    director.scenes("check")
    expect(page.locator("#round-missing")).to_have_text(re.compile("1, 2, 3, 4, 5"))
    director.tap(Button.VOTE, 4)
    expect(page.locator("#seat-4")).not_to_contain_text("press VOTE")
    expect(page.locator("#seat-4")).to_contain_text("press SHOUT")
    host.press(page.locator("#round").get_by_role("button", name="Practise a vote"))
    director.scenes("practice")
    director.scenes("seating")  # Its windows run by themselves.
    host.press(page.locator("#pause"))
    expect(page.locator("h1")).to_contain_text("Paused")
    host.next("Go on")
    director.vote(*range(1, 11))
    host.phase("look")


def test_fouls_clocks_and_nominations_are_put_right_and_undone(day_one):
    host, page = day_one, day_one.page
    host.press(host.seat(2).get_by_role("button", name="Foul", exact=True))
    expect(page.locator("#seat-2")).to_contain_text("fouls: 1")
    expect(page.locator("#undo")).to_contain_text("Seat 2 got a foul (1)")
    host.press(host.seat(2).get_by_role("button", name="Take a foul back"))
    expect(page.locator("#seat-2")).to_contain_text("fouls: 0")
    host.press(host.seat(2).get_by_role("button", name="Foul", exact=True))
    expect(page.locator("#seat-2")).to_contain_text("fouls: 1")

    host.director.shout(3)
    host.next("End the shout")
    until(host, lambda now: not now["shout"])
    length_s = game(host)["countdowns"][0]["length_s"]
    host.more("+10 s for: speech")
    until(host, lambda now: now["countdowns"][0]["length_s"] == length_s + 10)
    host.more("Pause")
    until(host, lambda now: now["paused"])
    host.next("Go on")
    until(host, lambda now: not now["paused"])

    host.press(host.seat(1).get_by_role("button", name="Seat 5,"))
    host.done("Seat 1 nominates 5")
    host.next("End the speech")
    host.speaks(2)
    expect(page.locator("#seat-5")).to_contain_text("nominee 1")
    sheet = host.seat(1, "nominate")
    host.press(sheet.get_by_role("button", name="nobody"))
    expect(page.locator("#seat-5")).not_to_contain_text("nominee 1")
    host.press(page.locator("#undo"))
    expect(page.locator("#steps li").first).to_contain_text("taken back")
    host.press(page.locator("#steps button").first)
    expect(page.locator("#seat-5")).to_contain_text("nominee 1")
    host.press(page.locator("#undo"))
    earlier = page.locator("#steps li").filter(has_text="Seat 2 got a foul (1)").first
    host.press(earlier.get_by_role("button"))
    expect(page.locator("#seat-2")).to_contain_text("fouls: 0")
    host.speaks(1)


def test_fair_play_is_in_the_hosts_hand(day_one):
    host, page = day_one, day_one.page
    sheet = host.seat(9, "fair")
    sheet.get_by_label("Offence").select_option("insults")
    host.press(sheet.get_by_role("button", name="I rule: technical foul"))
    expect(page.locator("#seat-9")).to_contain_text("technical fouls: 1")
    sheet = host.seat(10, "fair")
    sheet.get_by_label("Offence").select_option("forbidden_gesture")
    sheet.get_by_label("Ask for a disqualification").check()
    host.press(sheet.get_by_role("button", name="Open grounds"))
    expect(page.locator("#grounds")).to_contain_text("Seat 10: the forbidden gesture")
    expect(page.locator("#grounds")).to_contain_text("disqualification")
    host.next("End the speech")
    host.phase("motion")
    host.director.scenes("motion", seats=host.director.living - {10})
    host.director.vote(1, 2, 3)
    host.press(host.seat(4).get_by_role("button", name="for it"))
    host.done("The vote of seat 4")
    host.press(host.seat(4).get_by_role("button", name="no vote"))
    host.done("The vote of seat 4")
    host.more("Call again")
    host.done("Call again")
    host.director.stage.step()
    host.speaks(2)
    expect(page.locator("#seat-10")).not_to_contain_text("disqualified")
    (decision,) = [each for each in game(host)["decisions"] if each["seat"] == 10]
    assert decision["yes"] == [1, 2, 3], "what was entered for seat 4 was taken back"

    sheet = host.seat(8, "fair")
    host.press(sheet.get_by_role("button", name="Stop the game"))
    expect(page.locator("#grounds")).to_contain_text("Opponent Victory against seat 8")
    host.next("End the speech")
    host.phase("motion")
    host.director.stage.step()
    host.speaks(3)
    assert game(host)["winner"] is None

    sheet = host.seat(7, "fair")
    sheet.get_by_label("Offence").select_option("threats")
    host.press(sheet.get_by_role("button", name="I rule: disqualification"))
    expect(page.locator("#seat-7")).to_contain_text("disqualified")
    host.press(page.locator("#undo"))
    host.press(page.locator("#steps button").first)
    expect(page.locator("#seat-7")).not_to_contain_text("disqualified")
    host.press(host.seat(6).get_by_role("button", name="Leaves without fault"))
    expect(page.locator("#seat-6")).to_contain_text("withdrawn")

    host.more("End without a result")
    expect(page.locator("h1")).to_have_text("Ended without a result")
    host.press(page.locator("#undo"))
    host.press(page.locator("#steps button").first)
    host.phase("speech")


def test_by_night_a_round_is_called_again_and_a_seat_leaves_at_dawn(day_one):
    host, page, director = day_one, day_one.page, day_one.director
    for seat in range(1, 11):
        host.speaks(seat)
        host.next("End the speech")
    host.phase("night")
    director.step_to("number", 3)
    host.more("Call again")
    director.step_to("number", 1)
    host.next("Pause")
    expect(page.locator("h1")).to_contain_text("Paused")
    host.next("Go on")
    expect(page.locator("h1")).to_have_text("Night 1")
    sheet = host.seat(4)
    host.press(sheet.get_by_role("button", name="Leaves without fault"))
    sure = page.locator("#sure-sheet")
    expect(sure).to_contain_text("This cannot be undone.")
    host.press(sure.get_by_role("button", name="Seat 4 leaves without fault"))
    host.done("Seat 4 leaves without fault")
    expect(page.locator("#seats .tag:visible")).to_have_count(0)
    host.step_to("morning")
    host.step_to("speech")
    expect(page.locator("#seat-4")).to_contain_text("withdrawn")


def test_a_game_goes_on_without_a_seat_whose_device_is_lost(day_one):
    host, page, director = day_one, day_one.page, day_one.director
    child = director.house.seats[2]
    child.kill()
    expect(page.locator("#seat-2")).to_contain_text("offline")
    host.next("End the speech")
    host.speaks(2)
    host.next("Go on without the lost seats")
    host.next("End the speech")
    host.speaks(3)


def test_two_hosts_see_the_same_and_the_second_of_two_is_refused(day_one, new_host):
    first, director = day_one, day_one.director
    second = new_host(director, allow=("409",))
    second.speaks(1)
    sheet = second.seat(2)
    # The second page sleeps: it still shows the sheet from before.
    asleep = second.page.context.new_cdp_session(second.page)
    asleep.send("Page.setWebLifecycleState", {"state": "frozen"})
    first.press(first.seat(2).get_by_role("button", name="Foul", exact=True))
    expect(first.page.locator("#seat-2")).to_contain_text("fouls: 1")
    asleep.send("Page.setWebLifecycleState", {"state": "active"})
    expect(second.page.locator("#seat-2")).to_contain_text("fouls: 1")

    # Both press at once: what the second sends was meant for an older sheet.
    second.page.route(
        "**/host/order?*",
        lambda route: route.continue_(
            post_data=re.sub(
                r'"step":(\d+)', lambda at: f'"step":{int(at[1]) - 1}', route.request.post_data
            )
        ),
    )
    second.press(sheet.get_by_role("button", name="Foul", exact=True))
    alert = second.page.locator("#refusal")
    expect(alert).to_contain_text("Not done: Foul for seat 2")
    expect(alert).to_contain_text("Seat 2 got a foul (1)")
    expect(second.page.locator("#seat-2")).to_contain_text("fouls: 1")
    second.page.unroute("**/host/order?*")
    second.press(second.seat(2).get_by_role("button", name="Foul", exact=True))
    for host in (first, second):
        expect(host.page.locator("#seat-2")).to_contain_text("fouls: 2")
    expect(alert).to_be_empty()

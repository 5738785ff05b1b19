"""What the host's console orders of the table, in a real browser."""

import re

import pytest
from msgspec.structs import replace

from table_controller.game import IllegalAction, Refusal, events
from table_controller.host.refusal import Refused

expect = pytest.importorskip("playwright.sync_api").expect
expect.set_options(timeout=20_000)  # two cores may be shared by many
pytestmark = pytest.mark.browser


# ---- what it orders ----


def test_the_big_button_is_the_next_sensible_step(show, kit, press_next):
    page = show("speech")
    press_next(page, "End the speech")
    assert kit.table.order() == {"do": "end_countdown", "countdown": 12}
    expect(page.locator("#said")).to_have_text("Done: End the speech")


def test_a_button_that_has_changed_under_the_thumb_is_not_pressed(show, kit, press_next):
    page = show("speech")
    press_next(page, "End the speech")
    assert kit.table.order()["do"] == "end_countdown"
    page.evaluate("""() => {
      window.pressed = 0;
      const next = document.getElementById("next");
      new MutationObserver(() => {
        if (next.textContent !== "Go on") return;
        window.pressed += 1;
        next.click();
      }).observe(next, { childList: true });
    }""")
    show("paused")
    expect(page.locator("#next")).to_have_text("Go on")
    press_next(page, "Go on")
    assert kit.table.order() == {"do": "resume"}
    assert page.evaluate("window.pressed") == 1
    assert kit.table.asked.empty()


def test_fouls_votes_and_nominations_are_put_right_at_the_seat(show, kit, choose):
    page = show("speech")
    choose(page, 1).get_by_role("button", name="Foul", exact=True).click()
    assert kit.table.order() == {"do": "give_foul", "seat": 1}
    expect(page.locator("#seat-sheet")).to_be_hidden()
    expect(page.locator("#seat-1")).to_be_focused()
    choose(page, 1).get_by_role("button", name="Take a foul back").click()
    assert kit.table.order() == {"do": "take_back_foul", "seat": 1}
    choose(page, 5).get_by_role("button", name="Seat 10, Jan").click()
    assert kit.table.order() == {"do": "correct_nomination", "speaker": 5, "nominee": 10}
    sheet = choose(page, 5)
    expect(sheet.get_by_role("button", name=re.compile("^Seat [789]"))).to_have_count(0)
    sheet.get_by_role("button", name="nobody").click()
    assert kit.table.order() == {"do": "correct_nomination", "speaker": 5, "nominee": None}
    show("vote")
    sheet = choose(page, 2)
    expect(sheet.locator("#vote-picks button")).to_have_text(["7", "8", "no vote"])
    sheet.get_by_role("button", name="Seat 8, Hugo").first.click()
    assert kit.table.order() == {"do": "correct_vote", "seat": 2, "candidate": 8}
    choose(page, 2).get_by_role("button", name="no vote").click()
    assert kit.table.order() == {"do": "correct_vote", "seat": 2, "candidate": None}
    show("lift")
    choose(page, 2).get_by_role("button", name="for it").click()
    assert kit.table.order() == {"do": "correct_vote", "seat": 2, "candidate": 0}


def test_grounds_and_rulings_carry_the_offence(show, kit, choose):
    page = show("speech")
    sheet = choose(page, 3)
    sheet.locator("#fair-part summary").click()
    expect(sheet.get_by_label("Ask for a disqualification")).to_be_hidden()
    sheet.get_by_label("Offence").select_option("forbidden_gesture")
    sheet.get_by_label("Ask for a disqualification").check()
    sheet.get_by_role("button", name="Open grounds").click()
    expected = {"do": "open_grounds", "seat": 3, "offence": "forbidden_gesture", "severe": True}
    assert kit.table.order() == expected
    for name, sanction in (("technical foul", "technical_foul"), ("disq", "disqualification")):
        sheet = choose(page, 3)
        sheet.locator("#fair-part summary").click()
        sheet.get_by_label("Offence").select_option("threats")
        sheet.get_by_role("button", name=re.compile(f"I rule: {name}")).click()
        expected = {"do": "rule", "sanction": sanction, "seat": 3, "offence": "threats"}
        assert kit.table.order() == expected
    sheet = choose(page, 3)
    sheet.locator("#fair-part summary").click()
    sheet.get_by_role("button", name="Stop the game").click()
    assert kit.table.order() == {"do": "put_opponent_victory", "seat": 3}
    choose(page, 3).get_by_role("button", name="Leaves without fault").click()
    assert kit.table.order() == {"do": "withdraw", "seat": 3}


def test_a_seats_device_is_found_swapped_and_its_camera_switched(show, kit, choose):
    page = show("speech")

    def device():
        sheet = choose(page, 3)
        sheet.locator("#device-part summary").click()
        return sheet

    device().get_by_role("button", name="Show where it is").click()
    assert kit.table.order() == {"do": "identify", "seat": 3, "node": "", "for_s": 10.0}
    device().get_by_role("button", name="Camera off").click()
    assert kit.table.order() == {"do": "camera", "seat": 3, "on": False}
    device().get_by_label("Play with another device").select_option("node-12")
    page.get_by_role("button", name="Swap").click()
    assert kit.table.order() == {"do": "swap", "seat": 3, "node": "node-12"}


def test_more_has_the_clocks_and_what_is_seldom_needed(show, kit):
    page = show("speech")
    for name, do, by_s in (
        ("+10 s for: speech", "extend_countdown", 10.0),
        ("+30 s for: speech", "extend_countdown", 30.0),
        ("−10 s for: speech", "shorten_countdown", 10.0),
        ("−30 s for: speech", "shorten_countdown", 30.0),
    ):
        page.locator("#more").click()
        page.get_by_role("button", name=name).click()
        assert kit.table.order() == {"do": do, "countdown": 12, "by_s": by_s}
    page.locator("#more").click()
    page.get_by_role("button", name="End without a result").click()
    assert kit.table.order() == {"do": "void"}, "undo reaches it: nothing is asked"
    page.locator("#pause").click()
    assert kit.table.order() == {"do": "pause"}


def test_undo_is_in_reach_and_a_readable_list(show, kit):
    page = show("speech")
    expect(page.locator("#undo")).to_contain_text("Seat 4 got a foul (3)")
    page.locator("#undo").click()
    steps = page.locator("#steps li")
    expect(steps).to_have_count(3)
    steps.nth(1).get_by_role("button").click()
    assert kit.table.order() == {"do": "undo", "keep": 38}


def test_what_undo_does_not_reach_is_asked_about(show, kit, choose):
    page = show("night")
    choose(page, 3).get_by_role("button", name="Leaves without fault").click()
    sure = page.locator("#sure-sheet")
    expect(sure).to_contain_text("This cannot be undone.")
    expect(sure.get_by_role("button", name="No, back")).to_be_focused()
    page.keyboard.press("Enter")
    expect(sure).to_be_hidden()
    page.keyboard.press("Escape")
    choose(page, 3).get_by_role("button", name="Leaves without fault").click()
    sure.get_by_role("button", name="Seat 3 leaves").click()
    assert kit.table.order() == {"do": "withdraw", "seat": 3}
    assert kit.table.asked.empty(), "no was no"
    show("speech")
    page.locator("#machine-panel summary").click()
    page.get_by_role("button", name="Switch the table off").click()
    sure.get_by_role("button", name="Switch the table off").click()
    assert kit.table.order() == {"do": "shutdown"}


def test_without_a_voice_the_line_is_big_and_a_tap_calls_the_next(show, kit, evening):
    page = show("silent voice")
    line = page.locator("#line")
    expect(line).to_contain_text("Seat 5, one minute.")
    line.click()
    assert kit.table.order() == {"do": "next_line"}
    kit.sheets.publish(replace(evening["silent voice"], orders=(), next=()))
    expect(line).to_be_disabled()
    expect(line).to_have_text(re.compile(r"^\s*Seat 5, one minute\.\s*$"), use_inner_text=True)
    show("speech")
    expect(line).to_be_hidden()


def test_devices_voice_and_machine(show, kit):
    page = show("speech")
    page.locator("#devices-panel summary").click()
    page.get_by_role("button", name="Show where it is: node-11").click()
    assert kit.table.order() == {"do": "identify", "seat": 0, "node": "node-11", "for_s": 10.0}
    page.locator("#devices-panel").get_by_role("button", name="Place the devices").click()
    assert kit.table.order() == {"do": "place", "step": "begin"}
    page.locator("#voice-panel summary").click()
    page.get_by_label("Volume").press("ArrowUp")
    assert kit.table.order() == {"do": "volume", "percent": 75}
    page.get_by_label("Music by night").check()
    assert kit.table.order() == {"do": "music", "on": True}
    page.locator("#machine-panel summary").click()
    page.get_by_role("button", name="Make a backup").click()
    assert kit.table.order() == {"do": "backup"}
    show("placing")
    expect(page.locator("#placing-line")).to_have_text("Whoever sits at seat 3 presses VOTE")
    for name, step in (("Skip this", "skip"), ("Enough", "finish"), ("Leave all", "cancel")):
        page.locator("#placing").get_by_role("button", name=name).click()
        assert kit.table.order() == {"do": "place", "step": step}


# ---- a new game ----


def test_the_last_ten_play_at_once_but_not_who_is_barred(show, kit, press_next):
    page = show("lobby", allow=("409",))
    expect(page.locator(".player").nth(7)).to_contain_text("barred: until")
    press_next(page, "Start the game")
    expect(page.locator("#refusal")).to_contain_text("Hugo")
    page.get_by_label("Player 8", exact=True).fill("Zoe, a guest")
    expect(page.locator(".player").nth(7)).not_to_contain_text("barred")
    press_next(page, "Start the game")
    order = kit.table.order()
    assert order["do"] == "new_game"
    assert order["players"][6:] == ["Galina", "Zoe, a guest", "Irina", "Jan"]
    assert [bool(id_) for id_ in order["ids"]] == [*[True] * 7, False, True, False]
    assert (order["fixed"], order["ruleset"]) == (False, "default")


def test_whom_the_club_knows_is_offered_while_typing(show, kit, club):
    page = show("lobby")
    field = page.get_by_label("Player 8", exact=True)
    field.fill("")
    field.press_sequentially("wan")
    expect(page.locator("#known option[value=Wanda]")).to_be_attached()
    field.fill("Wanda")
    page.get_by_role("button", name="Start the game").first.click()
    order = kit.table.order()
    assert (order["players"][7], order["ids"][7]) == ("Wanda", club.players.get("Wanda").id)


def test_players_are_typed_ordered_and_counted_before_they_are_sent(show, kit):
    page = show("lobby")
    page.get_by_label("Player 8", exact=True).fill("Wanda")
    page.get_by_label("Player 2", exact=True).fill("")
    page.get_by_role("button", name="Start the game").first.click()
    expect(page.locator("#new-game-problem")).to_contain_text("these are missing: 2")
    expect(page.locator("#player-2")).to_be_focused()
    page.keyboard.type("  wanda ")
    page.keyboard.press("Enter")
    expect(page.locator("#player-3")).to_be_focused()
    page.get_by_role("button", name="Start the game").first.click()
    expect(page.locator("#new-game-problem")).to_contain_text("stands twice")
    page.get_by_label("Player 2", exact=True).fill("Boris")
    page.get_by_label("Fixed seats").check()
    page.get_by_role("button", name="Player 2 one up").click()
    page.get_by_label("Rules").select_option("turbo")
    page.get_by_role("button", name="Start the game").first.click()
    order = kit.table.order()
    assert order["players"][:3] == ["Boris", "Anna", "Clara"]
    assert (order["fixed"], order["ruleset"]) == (True, "turbo")


def test_what_is_typed_stays_when_another_sheet_comes(show, kit, evening):
    page = show("lobby")
    page.get_by_label("Player 4", exact=True).fill("Wanda")
    kit.sheets.publish(evening["placing"])
    expect(page.locator("#placing")).to_be_visible()
    expect(page.get_by_label("Player 4", exact=True)).to_have_value("Wanda")


def test_after_a_game_the_same_players_play_again(show, kit, press_next):
    page = show("over")
    press_next(page, "Rematch, new seats")
    assert kit.table.order() == {"do": "rematch"}


# ---- refused, unknown, asked once ----


def test_a_refusal_says_why_and_what_has_changed(show, kit, choose):
    page = show("speech", allow=("409",))
    kit.table.refuse(Refused("Something has changed meanwhile."), events.FoulGiven(1, 2))
    choose(page, 1).get_by_role("button", name="Foul", exact=True).click()
    alert = page.locator("#refusal")
    expect(alert).to_contain_text("Not done: Foul for seat 1")
    expect(alert).to_contain_text("Something has changed meanwhile.")
    expect(alert.locator("li")).to_have_text(["Seat 1 got a foul (2)"])
    expect(alert).to_have_role("alert")
    expect(page.locator("#seat-sheet")).to_be_hidden()
    alert.get_by_role("button", name="OK").click()
    expect(alert).to_be_empty()


def test_an_order_without_an_answer_is_asked_again_as_the_same(show, kit):
    page = show("speech", allow=("ERR_FAILED",))
    sent = []
    page.on("request", lambda asked: sent.append(asked) if asked.method == "POST" else None)
    page.route("**/host/order?*", lambda route: route.abort(), times=1)
    page.locator("#pause").click()
    expect(page.locator("#said")).to_have_text("Done: Pause")
    assert kit.table.order() == {"do": "pause"}
    first, second = (asked.post_data_json for asked in sent)
    assert first == second
    assert first["step"] == 20


def test_two_hosts_are_told_each_in_the_language_of_the_own_page(kit, evening, open_console):
    # What their browsers ask for is another one.
    pages = [open_console(language, locale="en-GB", allow=("409",)) for language in ("de", "ru")]
    kit.sheets.publish(evening["speech"])
    for page, notice, why in zip(
        pages,
        ("Platz 2 hat sein Gerät node-02 verloren", "Место 2 осталось без устройства node-02"),
        ("Das Spiel ist nicht pausiert.", "Игра не на паузе."),
        strict=True,
    ):
        expect(page.locator("#notices li")).to_contain_text(notice)
        kit.table.refuse(IllegalAction(Refusal.NOT_PAUSED), events.FoulGiven(4, 3))
        page.locator("#pause").click()
        expect(page.locator("#refusal")).to_contain_text(why)
        kit.table.order()


def test_an_order_that_nobody_answers_is_said_to_be_unknown(show, kit):
    page = show("speech", allow=("ERR_FAILED",))
    page.route("**/host/order?*", lambda route: route.abort())
    page.locator("#pause").click()
    alert = page.locator("#refusal")
    expect(alert).to_contain_text("it is not known whether this was done: Pause")
    page.unroute("**/host/order?*")
    alert.get_by_role("button", name="Ask again").click()
    expect(alert).to_be_empty()
    assert kit.table.order() == {"do": "pause"}


def test_whose_log_in_has_ended_is_told_so(show, kit):
    page = show("speech", allow=("403",))
    page.context.clear_cookies()
    page.locator("#pause").click()
    expect(page.locator("#shut")).to_contain_text("You are no longer logged in.")
    expect(page.locator("#shut a")).to_be_visible()

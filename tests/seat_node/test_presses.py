import pytest

from firmware.board import Level
from firmware.wire import (
    NIGHT_ANSWER_SIZE,
    NIGHT_PRESSES_MAX,
    Answer,
    Ask,
    AskKind,
    Button,
    How,
    Mark,
    NightAnswer,
    Press,
    PressMode,
    TopicKind,
)
from seat_node.seat import ASKED_S

VOTE, SHOUT = Button.VOTE, Button.SHOUT


# ---- press modes ----


@pytest.mark.parametrize("button", list(Button))
def test_in_mode_edge_a_press_is_said_at_once_with_its_edges_time(rig, button):
    rig.cue(press=PressMode.EDGE)
    at_s = rig.down(button)
    assert [(said.what, said.made_s, said.cue) for said in rig.said] == [
        (Press(button, How.EDGE), at_s, 1)
    ]
    rig.wait(2.0)
    rig.up(button)
    assert rig.whats == [Press(button, How.EDGE)]


def test_in_mode_release_a_tap_is_said_when_released_with_the_time_of_its_press(rig):
    rig.cue(press=PressMode.RELEASE)
    at_s = rig.down(SHOUT)
    rig.wait(0.3)
    assert rig.said == []
    rig.up(SHOUT)
    assert [(said.what, said.made_s) for said in rig.said] == [(Press(SHOUT, How.TAP), at_s)]


def test_shout_held_is_said_when_its_time_is_reached_and_not_again(rig):
    rig.cue(press=PressMode.RELEASE)
    rig.down(SHOUT)
    rig.wait(1.49)
    assert rig.said == []
    rig.wait(0.01)
    assert rig.whats == [Press(SHOUT, How.HOLD)]
    rig.up(SHOUT)
    assert rig.whats == [Press(SHOUT, How.HOLD)]


def test_vote_held_and_let_go_are_both_said(rig):
    rig.cue(press=PressMode.RELEASE)
    rig.down()
    rig.wait(0.8)
    assert rig.whats == [Press(VOTE, How.HOLD)]
    rig.up()
    assert rig.whats == [Press(VOTE, How.HOLD), Press(VOTE, How.LET_GO)]


def test_in_mode_off_presses_leave_no_trace(rig):
    rig.cue(press=PressMode.OFF)
    faces = list(rig.faces)
    for button in Button:
        rig.tap(button)
        rig.hold(button)
    rig.wait(3.0)
    assert (rig.said, rig.faces) == ([], faces)


def test_before_the_first_cue_presses_say_nothing(rig):
    rig.tap()
    assert rig.said == []


@pytest.mark.parametrize("after", [PressMode.EDGE, PressMode.NIGHT, PressMode.OFF])
def test_a_press_begun_in_mode_release_is_no_tap_in_another_mode(rig, after):
    rig.cue(press=PressMode.RELEASE)
    rig.down(SHOUT)
    rig.cue(press=after)
    rig.wait(0.2)
    rig.up(SHOUT)
    assert rig.said == []


def test_an_edge_never_becomes_a_hold_or_a_tap(rig):
    rig.cue(press=PressMode.EDGE)
    rig.down()
    rig.cue(press=PressMode.RELEASE, on_hold=("don",))
    rig.wait(1.0)
    assert not rig.shown.card
    rig.up()
    assert rig.whats == [Press(VOTE, How.EDGE)]


def test_a_tap_across_two_cues_carries_the_cue_of_its_press(rig):
    rig.cue(press=PressMode.RELEASE)
    rig.down(SHOUT)
    rig.cue(press=PressMode.RELEASE)
    rig.wait(0.2)
    rig.up(SHOUT)
    assert [said.cue for said in rig.said] == [1]


def test_a_button_down_at_the_start_says_nothing_until_released(new_rig):
    rig = new_rig(closed=(VOTE,))
    rig.link_up()
    rig.cue(press=PressMode.RELEASE)
    rig.wait(5.0)
    rig.up()
    assert rig.said == []
    rig.tap()
    assert rig.whats == [Press(VOTE, How.TAP)]


# ---- the card ----


def test_the_card_is_shown_while_vote_is_held(rig):
    rig.cue(press=PressMode.RELEASE, title="Day", on_hold=("sheriff", "N1: 3 mafia"))
    rig.down()
    rig.wait(0.7)
    assert not rig.shown.card
    rig.wait(0.1)
    assert (rig.shown.card, rig.shown.lines) == (True, ("sheriff", "N1: 3 mafia"))
    rig.up()
    assert (rig.shown.card, rig.shown.title) == (False, "Day")


@pytest.mark.parametrize("blank", [(), ("", "", ""), ("   ", "")])
def test_a_blank_card_is_not_shown_but_the_hold_is_said(rig, blank):
    rig.cue(press=PressMode.RELEASE, on_hold=blank)
    rig.down()
    rig.wait(1.0)
    assert not rig.shown.card
    assert rig.whats == [Press(VOTE, How.HOLD)]


def test_the_card_is_gone_when_a_cue_ends_the_day(rig):
    rig.cue(press=PressMode.RELEASE, on_hold=("don",))
    rig.down()
    rig.wait(1.0)
    rig.cue(scene="nightfall", press=PressMode.OFF, on_hold=("don",))
    assert not rig.shown.card


def test_a_hold_that_ends_by_night_is_let_go_in_the_morning(rig):
    rig.cue(press=PressMode.RELEASE)
    rig.down()
    rig.wait(1.0)
    rig.cue(scene="night", press=PressMode.NIGHT, heard=1)
    rig.up()
    rig.wait(5.0)
    assert rig.whats == [Press(VOTE, How.HOLD)]
    rig.cue(press=PressMode.RELEASE)
    assert rig.whats == [Press(VOTE, How.HOLD), Press(VOTE, How.LET_GO)]


# ---- answers on the screen ----


def test_a_press_is_shown_at_once_and_waits_after_a_second(rig):
    rig.cue(press=PressMode.EDGE)
    rig.down()
    assert (rig.faces[-1].reply, rig.shown.waiting) == ("pressed", True)
    rig.wait(0.99)
    assert rig.faces[-1].reply == "pressed"
    rig.wait(0.02)
    assert (rig.faces[-1].reply, rig.shown.waiting) == ("waiting", True)


@pytest.mark.parametrize("mark", list(Mark))
def test_an_answer_is_shown_for_a_second_and_a_half(rig, mark):
    rig.cue(press=PressMode.EDGE)
    rig.down()
    rig.cue(press=PressMode.EDGE, heard=1, answer=Answer(1, mark))
    assert (rig.shown.mark, rig.shown.waiting) == (mark, False)
    rig.wait(1.49)
    assert rig.shown.mark is mark
    rig.wait(0.02)
    assert rig.shown.mark is None
    rig.cue(press=PressMode.EDGE, heard=1, answer=Answer(1, mark))
    assert rig.shown.mark is None


def test_a_press_that_was_heard_waits_no_longer_and_its_answer_may_come_later(rig):
    rig.cue(press=PressMode.EDGE)
    rig.down()
    rig.cue(press=PressMode.EDGE, heard=1)
    assert (rig.shown.waiting, rig.shown.mark) == (False, None)
    rig.cue(press=PressMode.EDGE, heard=1, answer=Answer(1, Mark.LATE))
    assert rig.shown.mark is Mark.LATE


def test_an_answer_to_an_earlier_press_leaves_the_last_one_waiting(rig):
    rig.cue(press=PressMode.EDGE)
    rig.tap()
    rig.tap()
    rig.cue(press=PressMode.EDGE, heard=1, answer=Answer(1, Mark.ACCEPTED))
    assert (rig.shown.waiting, rig.shown.mark) == (True, None)


def test_the_lamp_never_answers_a_press(rig):
    rig.cue(press=PressMode.EDGE, lamp="blink")
    rig.down()
    rig.cue(press=PressMode.EDGE, lamp="blink", heard=1, answer=Answer(1, Mark.LATE))
    rig.wait(3.0)
    assert {face.lamp for face in rig.faces[1:]} == {"blink"} | {rig.faces[1].lamp}


# ---- the night ----


def night(rig, ask, night_round=1, **fields):
    rig.cue(
        scene="night",
        press=PressMode.NIGHT,
        ask=Ask(AskKind.NIGHT, ask, night_round),
        **fields,
    )
    rig.wait(ASKED_S)


def night_answers(rig):
    return [what for what in rig.whats if isinstance(what, NightAnswer)]


def test_every_night_call_is_answered_with_all_presses_of_its_round(rig):
    night(rig, 1)
    assert night_answers(rig) == [NightAnswer(1, 1, ())]
    first_s = rig.tap()
    night(rig, 2)
    second_s = rig.tap()
    night(rig, 3)
    assert night_answers(rig)[1:] == [
        NightAnswer(2, 1, (first_s,)),
        NightAnswer(3, 1, (first_s, round(second_s, 6))),
    ]
    night(rig, 4, night_round=2)
    assert night_answers(rig)[-1] == NightAnswer(4, 2, ())


def test_a_press_at_night_changes_no_screen_and_is_not_said(rig):
    night(rig, 1)
    faces, said = list(rig.faces), len(rig.said)
    rig.tap()
    rig.tap(SHOUT)
    rig.hold(VOTE)
    rig.hold(SHOUT)
    rig.wait(3.0)
    assert (rig.faces, len(rig.said)) == (faces, said)


def test_a_press_that_still_bounces_when_the_round_ends_is_in_its_last_answer(rig):
    night(rig, 1)
    at_s = rig.clock.now_s()
    rig.seat.take(Level(VOTE, at_s, True), at_s)
    night(rig, 2)
    assert night_answers(rig)[-1] == NightAnswer(2, 1, (at_s,))


def test_shout_at_night_is_in_no_answer(rig):
    night(rig, 1)
    rig.tap(SHOUT)
    night(rig, 2)
    assert night_answers(rig)[-1].presses == ()


def test_night_answers_are_of_one_size_and_not_kept(rig):
    night(rig, 1)
    for _ in range(NIGHT_PRESSES_MAX + 3):
        rig.tap()
        night(rig, rig.seat._last_cue + 1)
    sizes = {
        len(item.payload)
        for item in rig.heard
        if getattr(item, "topic", "").endswith(TopicKind.SAID)
    }
    assert sizes == {NIGHT_ANSWER_SIZE}
    assert {said.n for said in rig.said} == {0}
    assert len(night_answers(rig)[-1].presses) == NIGHT_PRESSES_MAX


def test_a_days_answer_is_not_shown_at_night(rig):
    rig.cue(press=PressMode.EDGE)
    rig.down()
    rig.cue(scene="nightfall", press=PressMode.OFF, heard=1, answer=Answer(1, Mark.LATE))
    assert rig.shown.mark is None

import pytest

from firmware.wire import (
    Button,
    ClockFace,
    Entry,
    Gesture,
    How,
    Look,
    Menu,
    Pick,
    Picking,
    Press,
    PressMode,
)
from seat_node.reports import Hand

VOTE, SHOUT = Button.VOTE, Button.SHOUT


def menu(**fields):
    entries = tuple(Entry(seat, f"{seat} name") for seat in (2, 5, 7))
    return Menu(**({"id": 9, "entries": entries, "title": "Nominate"} | fields))


def show(rig, **fields):
    return rig.cue(press=PressMode.RELEASE, on_hold=("don",), menu=menu(**fields))


def labels(rig):
    return [(row.label, row.marked) for row in rig.shown.rows]


def pointed(rig):
    return rig.shown.rows[rig.shown.cursor].value


# ---- one mark: a nominee, a crown ----


def test_a_closed_list_is_opened_by_a_tap_on_its_first_entry(rig):
    show(rig, opens=True)
    assert rig.shown.rows == ()
    rig.tap()
    assert (pointed(rig), rig.shown.layout, rig.shown.title) == (2, "list", "Nominate")
    assert rig.whats == [Picking(9, open=True)]


def test_taps_go_round_the_entries_without_a_word_to_the_table(rig):
    show(rig)
    seen = []
    for _ in range(4):
        seen.append(pointed(rig))
        rig.tap()
    assert seen == [2, 5, 7, 2]
    assert rig.said == []


def test_a_hold_confirms_the_entry_at_once_and_never_shows_the_card(rig):
    show(rig, opens=True)
    rig.tap()
    rig.tap()
    rig.down()
    rig.wait(0.8)
    assert rig.whats == [Picking(9, open=True), Pick(9, (5,))]
    assert (rig.shown.rows, rig.shown.card) == ((), False)
    rig.up()
    assert len(rig.whats) == 2


def test_shout_leaves_a_list_with_nothing_in_it(rig):
    show(rig, opens=True)
    rig.tap()
    rig.tap(SHOUT)
    assert rig.whats == [Picking(9, open=True), Picking(9, open=False)]
    assert rig.shown.rows == ()


def test_shout_takes_back_what_stands(rig):
    show(rig, marked=(5,))
    assert labels(rig) == [("2 name", False), ("5 name", True), ("7 name", False)]
    rig.tap(SHOUT)
    assert rig.whats == [Pick(9, ())]


def test_shout_held_in_a_list_is_said_as_such(rig):
    show(rig)
    rig.hold(SHOUT)
    assert rig.whats == [Press(SHOUT, How.HOLD)]


def test_with_the_list_closed_shout_shouts_and_vote_held_shows_the_card(rig):
    show(rig, opens=True)
    rig.tap(SHOUT)
    rig.down()
    rig.wait(0.8)
    assert rig.shown.card
    assert rig.whats == [Press(SHOUT, How.TAP), Press(VOTE, How.HOLD)]


# ---- several marks: a best move ----


def test_holds_mark_and_unmark_and_done_confirms_in_order(rig):
    show(rig, marks=3, done="Done")
    rig.hold()
    rig.tap()
    rig.tap()
    rig.hold()
    assert labels(rig) == [("2 name", True), ("5 name", False), ("7 name", True), ("Done", False)]
    for _ in range(2):
        rig.tap()
    rig.hold()
    for _ in range(3):
        rig.tap()
    assert pointed(rig) == 0
    rig.hold()
    assert rig.whats == [Pick(9, (7,))]
    assert rig.shown.rows == ()


def test_no_more_than_so_many_marks_can_be_set(rig):
    show(rig, marks=2, done="Done")
    for _ in range(3):
        rig.hold()
        rig.tap()
    assert [row.value for row in rig.shown.rows if row.marked] == [2, 5]


def test_shout_unmarks_the_last_mark_and_then_leaves(rig):
    show(rig, marks=3, done="Done")
    rig.tap()
    rig.hold()
    rig.tap()
    rig.hold()
    rig.tap(SHOUT)
    assert [row.value for row in rig.shown.rows if row.marked] == [5]
    rig.tap(SHOUT)
    assert rig.said == []
    rig.tap(SHOUT)
    assert rig.whats == [Picking(9, open=False)]


def test_marks_that_stand_are_marked(rig):
    show(rig, marks=3, done="Done", marked=(7, 2))
    assert [row.value for row in rig.shown.rows if row.marked] == [2, 7]


# ---- newer cues ----


def test_the_same_list_in_a_newer_cue_keeps_cursor_marks_and_openness(rig):
    show(rig, marks=3, done="Done", opens=True)
    rig.tap()
    rig.hold()
    rig.tap()
    show(rig, marks=3, done="Done", opens=True, title="Best move")
    assert (rig.shown.title, pointed(rig)) == ("Best move", 5)
    assert [row.value for row in rig.shown.rows if row.marked] == [2]


def test_a_closed_list_opens_by_itself_when_its_pick_time_begins(rig):
    show(rig, opens=True, marks=3, done="Done")
    assert rig.shown.rows == ()
    show(rig, opens=False, marks=3, done="Done")
    assert pointed(rig) == 2
    rig.tap(SHOUT)
    assert rig.shown.rows == ()
    show(rig, opens=False, marks=3, done="Done")
    assert rig.shown.rows == ()


@pytest.mark.parametrize("between", ["another", "none"])
def test_another_list_or_none_resets_it(rig, between):
    show(rig, opens=True)
    rig.tap()
    rig.tap()
    if between == "another":
        show(rig, opens=True, id=10)
    else:
        rig.cue(press=PressMode.RELEASE)
        show(rig, opens=True)
    assert rig.shown.rows == ()
    rig.tap()
    assert pointed(rig) == 2


def test_an_entry_that_is_gone_takes_its_mark_and_the_cursor_with_it(rig):
    show(rig, marks=3, done="Done")
    rig.tap()
    rig.tap()
    rig.hold()
    rig.tap()
    show(rig, marks=3, done="Done", entries=(Entry(2, "2 name"),))
    assert labels(rig) == [("2 name", False), ("Done", False)]
    assert pointed(rig) == 0


def test_in_mode_edge_a_list_takes_no_press(rig):
    rig.cue(press=PressMode.EDGE, menu=menu())
    rig.tap()
    assert rig.whats == [Press(VOTE, How.EDGE)]
    assert pointed(rig) == 2


# ---- by hand ----


def test_a_number_shown_by_hand_moves_the_cursor_and_confirms_nothing(rig):
    rig.cue(press=PressMode.RELEASE, menu=menu(), look=Look(gestures=("number",), two_hands=True))
    rig.seat.take(Hand("number", 7, 0.9, 1000.0), rig.clock.now_s())
    assert pointed(rig) == 7
    rig.seat.take(Hand("number", 3, 0.9, 1000.0), rig.clock.now_s())
    assert pointed(rig) == 7
    assert rig.whats == [Gesture("number", 7, 0.9), Gesture("number", 3, 0.9)]


def test_the_clock_runs_on_over_a_list(rig):
    rig.cue(press=PressMode.RELEASE, menu=menu(), clock=ClockFace(30.0))
    rig.wait(2.0)
    assert rig.shown.left_s == 28.0

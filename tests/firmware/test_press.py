from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.press import (
    BOUNCE_S,
    CLOSED_S,
    LATE_S,
    OPEN_S,
    STUCK_S,
    TRUST_S,
    Contact,
    Held,
    Pressed,
    Released,
)
from tests.firmware.traces import TRACES_MS

HOLD_S = 0.8


def play(levels, until_s, contact=None):
    """Feed (time, closed) pairs and let time run to *until_s* in due steps; return all events."""
    contact = contact or Contact(HOLD_S)
    events = []
    for at_s, closed in levels:
        while contact.next_due_s is not None and contact.next_due_s <= at_s:
            events += contact.tick(contact.next_due_s)
        events += contact.feed(at_s, closed)
    while contact.next_due_s is not None and contact.next_due_s <= until_s:
        events += contact.tick(contact.next_due_s)
    return events


def alternating(times, first=True):
    return [(at_s, first is (number % 2 == 0)) for number, at_s in enumerate(times)]


def presses(events):
    return [event.at_s for event in events if isinstance(event, Pressed)]


def test_a_clean_tap_is_pressed_and_released_at_its_edges():
    assert play([(1.0, True), (1.1, False)], 2.0) == [Pressed(1.0), Released(1.1, False)]


def test_a_press_is_certain_once_no_opening_can_be_on_its_way():
    contact = Contact(HOLD_S)
    contact.feed(1.0, True)
    due_s = 1.0 + CLOSED_S + LATE_S
    assert contact.next_due_s == due_s
    assert contact.tick(due_s - 0.0001) == ()
    assert contact.tick(due_s) == (Pressed(1.0),)


def test_a_bouncing_press_carries_the_time_of_its_first_edge():
    levels = alternating([1.0, 1.001, 1.004, 1.005, 1.008])
    assert presses(play(levels, 1.1)) == [1.0]


@pytest.mark.parametrize("closing", TRACES_MS.values(), ids=TRACES_MS)
@pytest.mark.parametrize("opening", TRACES_MS.values(), ids=TRACES_MS)
def test_a_recorded_trace_is_one_press_and_one_release(closing, opening):
    times = [1.0 + at_ms / 1000 for at_ms in closing] + [1.2 + at_ms / 1000 for at_ms in opening]
    pressed, released = play(alternating(times), 2.0)
    assert pressed == Pressed(1.0)
    assert 1.2 <= released.at_s <= 1.2 + opening[-1] / 1000
    assert not released.after_hold


@pytest.mark.parametrize("trace", TRACES_MS.values(), ids=TRACES_MS)
def test_a_recorded_trace_holds_from_its_first_edge(trace):
    times = [1.0 + at_ms / 1000 for at_ms in trace]
    assert play(alternating(times), 3.0) == [Pressed(1.0), Held(1.0 + HOLD_S)]


def test_an_edge_more_than_forty_milliseconds_ago_was_noise():
    levels = [(1.0, True), (1.001, False), (1.05, True)]
    assert presses(play(levels, 1.2)) == [1.05]


def test_after_old_noise_the_first_edge_of_the_bouncing_press_counts():
    levels = alternating([1.0, 1.001, 1.05, 1.051, 1.053])
    assert presses(play(levels, 1.2)) == [1.05]


def test_a_spike_of_the_release_is_no_first_edge_of_the_next_press():
    levels = alternating([1.0, 1.1, 1.138, 1.139, 1.150])
    assert presses(play(levels, 1.3)) == [1.0, 1.150]


def test_a_run_that_begins_in_time_but_ends_late_starts_by_itself():
    levels = [(1.0, True), (1.001, False), (1.039, True)]
    assert presses(play(levels, 1.2)) == [1.039]


def test_a_hold_is_told_when_it_is_reached():
    events = play([(1.0, True), (2.5, False)], 3.0)
    assert events == [Pressed(1.0), Held(1.0 + HOLD_S), Released(2.5, True)]


def test_a_release_just_before_the_hold_time_is_a_tap():
    events = play([(1.0, True), (1.0 + HOLD_S - 0.001, False)], 3.0)
    assert events == [Pressed(1.0), Released(1.0 + HOLD_S - 0.001, False)]


def test_a_trembling_finger_does_not_end_a_hold():
    levels = alternating([1.0, 1.5, 1.5 + OPEN_S / 2, 2.0])
    assert play(levels, 3.0) == [Pressed(1.0), Held(1.0 + HOLD_S), Released(2.0, True)]


def test_a_trembling_at_the_hold_time_only_delays_the_news():
    contact = Contact(HOLD_S)
    levels = [(1.0, True), (1.795, False), (1.803, True)]
    assert play(levels, 2.5, contact) == [Pressed(1.0), Held(1.0 + HOLD_S)]


def test_a_bouncing_release_is_no_second_press():
    levels = alternating([1.0, 1.2, 1.212, 1.217, 1.219, 1.225])
    assert play(levels, 2.0) == [Pressed(1.0), Released(1.2, False)]


def test_a_button_closed_at_boot_is_no_press_until_it_was_released():
    contact = Contact(HOLD_S, closed_s=0.5)
    assert play([(1.0, False)], 5.0, contact) == []
    assert play([(6.0, True)], 6.1, contact) == [Pressed(6.0)]


# ---- stuck ----


def stuck_from_the_start():
    return Contact(HOLD_S, closed_s=1.0)


def pressed_for_too_long():
    contact = Contact(HOLD_S)
    play([(1.0, True)], 1.0 + STUCK_S, contact)
    return contact


@pytest.mark.parametrize("new_contact", [stuck_from_the_start, pressed_for_too_long])
def test_a_button_down_for_thirty_seconds_is_stuck(new_contact):
    contact = new_contact()
    assert not contact.stuck(1.0 + STUCK_S - 0.001)
    assert contact.stuck(1.0 + STUCK_S)
    assert contact.next_due_s is None


@pytest.mark.parametrize("new_contact", [stuck_from_the_start, pressed_for_too_long])
def test_a_stuck_button_that_trembles_stays_stuck(new_contact):
    contact = new_contact()
    play(alternating([20.0, 20.0 + OPEN_S / 2], first=False), 20.5, contact)
    assert contact.stuck(1.0 + STUCK_S)


@pytest.mark.parametrize("new_contact", [stuck_from_the_start, pressed_for_too_long])
def test_of_a_switch_of_the_other_kind_letting_go_is_no_press(new_contact):
    contact = new_contact()
    pushes = alternating([60.0, 60.2, 70.0, 71.5, 80.0, 80.0 + TRUST_S - 0.1], first=False)
    events = play(pushes, 200.0, contact)
    assert presses(events) == []
    assert contact.stuck(200.0)


@pytest.mark.parametrize("new_contact", [stuck_from_the_start, pressed_for_too_long])
def test_a_stuck_button_that_came_up_and_stays_up_presses_again(new_contact):
    contact = new_contact()
    events = play([(60.0, False)], 60.0 + TRUST_S + LATE_S, contact)
    assert presses(events) == []
    assert not contact.stuck(60.0 + TRUST_S + LATE_S)
    again_s = 60.0 + TRUST_S + 1.0
    assert presses(play([(again_s, True)], again_s + 0.1, contact)) == [again_s]


def test_a_hold_of_any_length_ends_when_the_button_comes_up():
    contact = pressed_for_too_long()
    assert play([(60.0, False)], 60.1, contact) == [Released(60.0, True)]


def test_a_button_let_go_soon_after_the_start_was_never_stuck():
    contact = stuck_from_the_start()
    play([(5.0, False), (5.2, True), (5.3, False)], 10.0, contact)
    assert not contact.stuck(100.0)


# ---- what is told twice or late ----


def test_a_level_told_twice_changes_nothing():
    assert play([(1.0, True), (1.001, True), (1.1, False), (1.2, False)], 2.0) == [
        Pressed(1.0),
        Released(1.1, False),
    ]


def test_a_level_told_twice_does_not_begin_anew():
    assert presses(play([(1.0, True), (1.002, True), (1.0035, False)], 2.0)) == [1.0]


def test_late_news_of_both_edges_gives_the_same_events_at_once():
    contact = Contact(HOLD_S)
    assert contact.feed(1.0, True) == ()
    assert contact.feed(1.1, False) == (Pressed(1.0),)
    assert contact.tick(9.0) == (Released(1.1, False),)


@given(
    st.lists(
        st.floats(CLOSED_S + 1e-4, CLOSED_S + BOUNCE_S - 1e-4),
        max_size=12,
        unique=True,
    ).map(sorted),
)
def test_noise_within_the_lockout_gives_one_press(noise):
    events = play(alternating([0.0, *noise]), 0.2)
    assert presses(events) == [0.0]


@given(
    st.lists(
        st.tuples(st.floats(0.0005, 0.3), st.floats(0.0001, CLOSED_S - 1e-4)),
        max_size=30,
    )
)
def test_spikes_shorter_than_three_milliseconds_are_no_press(spikes):
    times, now_s = [], 0.0
    for pause_s, length_s in spikes:
        times += [now_s + pause_s, now_s + pause_s + length_s]
        now_s = times[-1]
    assert play(alternating(times), now_s + 1.0) == []


MOMENTS_MS = st.sampled_from([0.5, 1.0, 2.0, 2.9, 3.1, 5.0, 9.9, 10.1, 39.0, 41.0, 60.0])


@given(st.lists(st.tuples(MOMENTS_MS, st.floats(0.0, LATE_S)), min_size=1, max_size=30))
def test_edges_told_a_little_late_change_nothing(steps):
    plain, late, told, now_s, told_s = Contact(HOLD_S), Contact(HOLD_S), [], 0.0, 0.0
    for number, (pause_ms, delay_s) in enumerate(steps):
        now_s += pause_ms / 1000
        told.append((now_s, number % 2 == 0, told_s := max(told_s, now_s + delay_s)))
    events = []
    for at_s, closed, told_s in told:
        # As eager as a loop can be: it looks when something is due, and just before the news.
        while late.next_due_s is not None and late.next_due_s < told_s:
            events += late.tick(late.next_due_s)
        events += late.feed(at_s, closed)
    events += late.tick(9.0)
    assert events == play([(at_s, closed) for at_s, closed, _ in told], 9.0, plain)


@given(
    st.lists(
        st.tuples(st.floats(0.050, 0.3), st.floats(0.004, HOLD_S - 0.001)), min_size=1, max_size=20
    )
)
def test_a_release_before_the_hold_time_is_never_a_hold(taps):
    times, now_s = [], 0.0
    for pause_s, length_s in taps:
        times += [now_s + pause_s, now_s + pause_s + length_s]
        now_s = times[-1]
    events = play(alternating(times), now_s + 5.0)
    assert not any(isinstance(event, Held) for event in events)
    assert not any(event.after_hold for event in events if isinstance(event, Released))


@given(
    st.floats(0.010, 0.140),
    st.lists(st.floats(0.0, 0.002), min_size=5, max_size=40),
)
def test_five_clean_presses_a_second_lose_none(length_s, jitter):
    edges = [number * 0.2 + off for number, off in enumerate(jitter)]
    levels = [level for at_s in edges for level in ((at_s, True), (at_s + length_s, False))]
    events = play(levels, len(edges) * 0.2 + 1.0)
    assert presses(events) == edges
    assert [e for e in events if isinstance(e, Released)] == [
        Released(at_s + length_s, False) for at_s in edges
    ]


@given(st.lists(st.floats(0.0, 5.0), max_size=60, unique=True).map(sorted))
def test_any_edges_give_presses_and_releases_in_turn_and_in_order(times):
    events = play(alternating(times), 10.0)
    kinds = [type(event) for event in events if not isinstance(event, Held)]
    assert kinds == [Pressed if number % 2 == 0 else Released for number in range(len(kinds))]
    for one, other in pairwise(presses(events)):
        assert other - one >= CLOSED_S + BOUNCE_S - OPEN_S
    assert all(at_s in times for at_s in presses(events))


@given(
    st.lists(st.floats(0.0, 3.0), max_size=40, unique=True).map(sorted),
    st.lists(st.floats(0.0, 4.0), max_size=40),
)
def test_the_events_do_not_depend_on_when_time_is_let_pass(times, ticks):
    levels = alternating(times)
    plain = Contact(HOLD_S)
    once = [event for at_s, closed in levels for event in plain.feed(at_s, closed)]
    once += plain.tick(9.0)
    often = Contact(HOLD_S)
    steps = sorted([(at_s, 1, closed) for at_s, closed in levels] + [(t, 0, None) for t in ticks])
    events = []
    for at_s, is_level, closed in steps:
        events += often.feed(at_s, closed) if is_level else often.tick(at_s)
    assert events + list(often.tick(9.0)) == once

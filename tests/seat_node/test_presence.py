import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.wire import Presence
from seat_node.presence import GAP_S, GONE_S, Watcher
from seat_node.reports import Chair, Empty

PRESENT, AWAY, UNKNOWN = Presence.PRESENT, Presence.AWAY, Presence.UNKNOWN
RATES = pytest.mark.parametrize(
    "pause_s", [1.0, 0.5, 1 / 3, 0.1], ids=["1 fps", "2 fps", "3 fps", "10 fps"]
)


def watch(watcher, *stretches, **time):
    """Look through *stretches* of (seconds, seen); return the changes, and proofs of an absence."""
    return [chair for chair in everything(watcher, *stretches, **time) if isinstance(chair, Chair)]


def everything(watcher, *stretches, pause_s=0.5, at_s=100.0):
    """Return the proofs of an absence too."""
    changes = []
    for long_s, seen in stretches:
        for _ in range(round(long_s / pause_s)):
            if chair := watcher.update(seen, at_s):
                changes.append(chair)
            at_s += pause_s
    return changes


@RATES
def test_a_player_who_leaves_is_away_since_they_were_last_seen(pause_s):
    present, away = watch(Watcher(), (10, True), (10, False), pause_s=pause_s)
    assert present.state is PRESENT
    assert away.state is AWAY
    assert away.since_s == pytest.approx(110.0 - pause_s)


@RATES
def test_a_player_who_comes_back_ends_the_absence_with_the_first_look(pause_s):
    changes = watch(Watcher(), (5, True), (20, False), (5, True), pause_s=pause_s)
    assert [chair.state for chair in changes] == [PRESENT, AWAY, UNKNOWN, PRESENT]
    assert changes[2].since_s == pytest.approx(125.0, abs=pause_s / 2)
    assert changes[3].since_s == pytest.approx(125.0 + pause_s, abs=pause_s / 2)


@RATES
def test_each_look_at_an_empty_chair_proves_the_absence_anew(pause_s):
    said = everything(Watcher(), (5, True), (20, False), pause_s=pause_s)
    away = next(chair for chair in said if getattr(chair, "state", None) is AWAY)
    proofs = said[said.index(away) + 1 :]
    assert {type(proof) for proof in proofs} == {Empty}
    assert {proof.since_s for proof in proofs} == {away.since_s}
    times = [proof.at_s for proof in proofs]
    assert times[-1] == pytest.approx(125.0 - pause_s)
    assert [b - a for a, b in itertools.pairwise(times)] == pytest.approx(
        [pause_s] * (len(times) - 1), abs=1e-6
    )


@RATES
def test_a_player_who_looks_down_for_two_seconds_stays_present(pause_s):
    changes = watch(Watcher(), (5, True), (2, False), (5, True), (2, False), pause_s=pause_s)
    assert [chair.state for chair in changes] == [PRESENT]


def test_one_look_at_a_face_ends_an_absence_and_is_no_presence():
    watcher = Watcher()
    watch(watcher, (5, True), (5, False))
    changes = watch(watcher, (0.5, True), (5, False), at_s=110.0)
    assert changes == [Chair(UNKNOWN, 110.0), Chair(AWAY, 110.0)]


def test_a_chair_that_is_empty_from_the_start_is_away_since_the_first_look():
    assert watch(Watcher(), (5, False)) == [Chair(AWAY, 100.0)]


def test_a_dark_room_is_unknown_and_its_time_is_not_held_against_anybody():
    changes = watch(Watcher(), (5, True), (20, None), (5, False))
    assert [chair.state for chair in changes] == [PRESENT, UNKNOWN, AWAY]
    assert changes[-1].since_s == 124.5  # the last dark look


def test_one_bad_frame_does_not_end_a_presence():
    watcher = Watcher()
    changes = watch(watcher, (5, True), (0.5, None), (5, True))
    assert [chair.state for chair in changes] == [PRESENT]


def test_one_bad_frame_ends_an_absence():
    changes = watch(Watcher(), (5, False), (0.5, None), (1, False))
    assert changes == [Chair(AWAY, 100.0), Chair(UNKNOWN, 105.0)]


def test_a_pause_in_the_looks_ends_an_absence():
    watcher = Watcher()
    watch(watcher, (5, False))
    assert watcher.update(False, 120.0) == Chair(UNKNOWN, 120.0)
    assert watch(watcher, (5, False), at_s=120.5) == [Chair(AWAY, 120.0)]


def test_time_without_looks_does_not_count_towards_away():
    watcher = Watcher()
    watch(watcher, (5, True))
    assert watch(watcher, (5, False), at_s=140.0) == [Chair(AWAY, 140.0)]


def test_a_seat_that_connects_is_told_what_stands():
    watcher = Watcher()
    assert watcher.chair(99.0) == Chair(UNKNOWN, 99.0)
    watch(watcher, (5, True), (5, False))
    assert watcher.chair(110.0) == Chair(AWAY, 104.5)


@given(
    st.lists(
        st.tuples(
            st.sampled_from([0.1, 1 / 3, 0.5, 1.0, 1.9, 2.1, 20.0]),
            st.sampled_from([True, False, False, False, None]),
        ),
        max_size=60,
    )
)
def test_what_is_unknown_never_counts_as_away(steps):
    watcher, looks, at_s = Watcher(), [], 0.0
    for pause_s, seen in steps:
        at_s += pause_s
        chair = watcher.update(seen, at_s)
        looks.append((at_s, seen))
        if isinstance(chair, Chair):
            assert watcher.chair(at_s) == chair
        if isinstance(chair, Empty):
            assert chair == Empty(watcher.chair(at_s).since_s, at_s)
        if watcher.state is not AWAY:
            assert not isinstance(chair, Empty)
            continue
        since_s = watcher.chair(at_s).since_s
        within = [look for look in looks if look[0] >= since_s]
        assert at_s - since_s >= GONE_S
        assert {known for moment, known in within if moment > since_s} == {False}
        assert all(b - a <= GAP_S for (a, _), (b, _) in itertools.pairwise(within))


@given(st.lists(st.sampled_from([True, None]), max_size=60))
def test_a_player_who_is_never_missed_is_never_away(seen):
    watcher = Watcher()
    changes = [watcher.update(look, i / 2) for i, look in enumerate(seen)]
    assert AWAY not in [chair.state for chair in changes if chair]

"""An absence is told once, by a look that proves more than 15 s seen without a break. RULES 2.1."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.wire import Absence, Absent, Answer, Mark, Presence, Present, PressMode
from seat_node.absence import FRESH_S, Meter
from seat_node.inbox import EyesGone
from seat_node.presence import Watcher
from seat_node.reports import Chair, Empty
from tests.seat_node.conftest import LOOK_S

LIMIT_S = 15.0
ASKED = Absence(warn_s=5.0, limit_s=LIMIT_S)


@pytest.fixture
def day(rig):
    """A seat that measures since 1000.0, and a table that sends the day's cue again."""

    def cue(**fields):
        return rig.cue(**({"press": PressMode.RELEASE, "absence": ASKED} | fields))

    cue()
    return cue


def absences(rig):
    return [what for what in rig.whats if isinstance(what, Absent)]


def until_told(rig, within_s=40.0):
    """Wait for the next absence; return it and how long it took."""
    known, began_s = len(absences(rig)), rig.clock.now_s()
    while len(absences(rig)) == known:
        assert rig.clock.now_s() < began_s + within_s
        rig.wait(0.05)
    return absences(rig)[-1], rig.clock.now_s() - began_s


def test_an_absence_is_told_with_the_first_look_that_proves_more_than_15_s(rig, day):
    rig.wait(5.0)
    left_s = rig.clock.now_s()
    rig.chair(Presence.AWAY)
    absent, after_s = until_told(rig)
    assert absent.since_s == left_s
    assert LIMIT_S < absent.until_s - left_s <= LIMIT_S + LOOK_S + 1e-6
    assert after_s <= LIMIT_S + 0.4
    rig.wait(120.0)
    assert absences(rig) == [absent]


def test_exactly_15_s_are_no_absence(rig, day):
    rig.chair(Presence.AWAY)
    rig.hang()
    for _ in range(15):
        rig.wait(1.0)
        rig.look()
    assert absences(rig) == []
    rig.wait(0.002)
    rig.look()
    assert absences(rig) == [Absent(1000.0, 1015.002)]


def test_the_screen_counts_down_to_the_moment_that_is_told(rig, day):
    rig.wait(5.0)
    rig.chair(Presence.AWAY)
    rig.wait(14.9)
    assert rig.shown.left_s == 1.0
    assert absences(rig) == []
    until_told(rig)
    assert rig.shown.left_s == 0.0


def test_what_was_before_the_table_asked_does_not_count(rig, day):
    day(absence=None)
    rig.chair(Presence.AWAY)
    rig.wait(30.0)
    asked_s = rig.clock.now_s()
    day()
    absent, after_s = until_told(rig)
    assert absent.since_s == asked_s
    assert after_s == pytest.approx(LIMIT_S, abs=0.4)


def test_a_pause_in_the_middle_begins_the_count_anew(rig, day):
    rig.chair(Presence.AWAY)
    rig.wait(10.0)
    day(absence=None)
    rig.wait(600.0)
    assert absences(rig) == []
    day()
    assert until_told(rig)[1] == pytest.approx(LIMIT_S, abs=0.4)


def test_another_cue_that_asks_does_not_begin_the_count_anew(rig, day):
    rig.chair(Presence.AWAY)
    rig.wait(10.0)
    day()
    assert until_told(rig)[1] == pytest.approx(5.0, abs=0.4)


def test_a_lost_link_begins_the_count_anew(rig, day, broker):
    rig.chair(Presence.AWAY)
    rig.wait(14.0)
    broker.lose("node-03")
    rig.wait(60.0)
    broker.restore("node-03")
    rig.wait(60.0)
    assert absences(rig) == []
    day()
    assert until_told(rig)[1] == pytest.approx(LIMIT_S, abs=0.4)


def test_eyes_that_fall_silent_accuse_nobody_and_are_unknown(rig, day):
    rig.chair(Presence.AWAY)
    rig.wait(14.0)
    assert rig.shown.scene == "away"
    rig.hang()
    rig.wait(FRESH_S)
    assert rig.shown.scene == "test"
    assert [what.state for what in rig.whats] == [Presence.AWAY, Presence.UNKNOWN]
    rig.wait(60.0)
    assert absences(rig) == []


def test_eyes_that_speak_again_begin_the_count_anew(rig, day):
    rig.chair(Presence.AWAY)
    rig.wait(14.0)
    rig.hang()
    rig.wait(3.0)
    spoke_s = rig.clock.now_s()
    rig.look()
    assert rig.whats[-1] == Present(Presence.AWAY, 1000.0)
    for _ in range(15):
        rig.wait(1.0)
        rig.look()
        assert absences(rig) == []
    rig.wait(0.5)
    rig.look()
    assert absences(rig) == [Absent(spoke_s, spoke_s + 15.5)]


def test_a_seat_that_stood_still_counts_nothing_of_that_time(rig, day):
    """SIGSTOP: the eyes went on, and their reports come all at once."""
    rig.chair(Presence.AWAY)
    rig.wait(5.0)
    rig.clock.advance(20.0)
    for ago in range(20, 0, -1):
        rig.look(late_s=float(ago))
    woke_s = rig.clock.now_s()
    rig.look()
    assert absences(rig) == []
    absent, _ = until_told(rig)
    assert absent.since_s >= woke_s - FRESH_S
    assert absent.until_s - absent.since_s > LIMIT_S


def test_looks_that_come_late_prove_nothing(rig, day):
    rig.chair(Presence.AWAY)
    rig.hang()
    for _ in range(60):
        rig.wait(1.0)
        rig.look(late_s=3.0)
    assert [what.state for what in rig.whats] == [Presence.AWAY, Presence.UNKNOWN]


def test_a_death_of_the_eyes_ends_the_absence(rig, day):
    rig.chair(Presence.AWAY)
    rig.wait(14.0)
    rig.seat.take(EyesGone("dead", rig.clock.now_s()), rig.clock.now_s())
    rig.chair(Presence.AWAY, ago_s=14.0)
    assert until_told(rig)[1] == pytest.approx(LIMIT_S, abs=0.4)


@pytest.mark.parametrize("by_s", [3600.0, -3600.0])
def test_the_time_of_day_has_no_part_in_it(rig, day, by_s):
    rig.chair(Presence.AWAY)
    rig.wait(7.0)
    rig.clock.step_wall(by_s)
    assert until_told(rig)[1] == pytest.approx(8.0, abs=0.4)


# ---- once ----


def test_a_second_absence_is_told_too(rig, day):
    rig.chair(Presence.AWAY)
    first, _ = until_told(rig)
    rig.chair(Presence.PRESENT)
    rig.wait(1.0)
    rig.chair(Presence.AWAY)
    second, after_s = until_told(rig)
    assert second.since_s > first.until_s
    assert after_s == pytest.approx(LIMIT_S, abs=0.4)


@pytest.mark.parametrize(("mark", "again"), [(Mark.ACCEPTED, 0), (Mark.NOTHING, 1)])
def test_after_a_pause_only_what_the_table_did_not_take_is_told_again(rig, day, mark, again):
    rig.chair(Presence.AWAY)
    until_told(rig)
    number = rig.said[-1].n
    day(absence=None, heard=number, answer=Answer(number, mark))
    rig.wait(5.0)
    day(heard=number)
    rig.wait(60.0)
    assert len(absences(rig)) == 1 + again


# ---- by night ----


def test_by_night_it_waits_and_shows_nothing(rig, day):
    day(scene="night", press=PressMode.NIGHT)
    rig.chair(Presence.AWAY)
    faces = len(rig.faces)
    rig.wait(30.0)
    assert rig.said == []
    assert len(rig.faces) == faces
    day(scene="morning")
    assert absences(rig) == [Absent(1000.0, pytest.approx(1015.33, abs=0.01))]


def test_what_waits_is_dropped_when_the_table_asks_no_more(rig, day):
    day(scene="night", press=PressMode.NIGHT)
    rig.chair(Presence.AWAY)
    rig.wait(30.0)
    day(scene="paused", absence=None)
    assert absences(rig) == []


# ---- whatever happens ----

STEPS = st.lists(
    st.tuples(
        st.sampled_from([0.1, 1 / 3, 0.5, 1.0, 1.9, 2.1, 14.0]),
        st.sampled_from(
            [*["empty"] * 12, "seen", "dark", "silent", "pause", "link", "stall", "dead"]
        ),
        st.sampled_from([1, 4, 40]),
    ),
    max_size=40,
)


@given(STEPS)
def test_only_more_than_15_s_of_looks_at_an_empty_chair_are_ever_told(steps):
    """Eyes and seat together, through all that may happen to them."""
    watcher, meter, now_s = Watcher(), Meter(), 100.0
    meter.cue(ASKED, None, now_s)
    broken_s, looks, told = now_s, [], []
    for pause_s, happens, times in steps:
        for _ in range(times):
            now_s += pause_s
            if happens in ("empty", "seen", "dark"):
                seen = {"empty": False, "seen": True, "dark": None}[happens]
                report = watcher.update(seen, now_s)
                looks.append((now_s, seen))
                if isinstance(report, Chair):
                    meter.state(report, now_s)
                elif isinstance(report, Empty) and (absent := meter.look(report, now_s)):
                    told.append(absent)
                    within = [known for at_s, known in looks if absent.since_s < at_s <= now_s]
                    assert set(within) == {False}
                    moments = [absent.since_s] + [s for s, _ in looks if s > absent.since_s]
                    gaps = [b - a for a, b in itertools.pairwise(moments)]
                    assert max(gaps) <= FRESH_S
                    assert now_s - absent.since_s > LIMIT_S
                    assert absent.since_s >= broken_s
                continue
            if happens in ("pause", "link", "dead"):
                broken_s = now_s
            if happens == "pause":
                meter.cue(None, None, now_s)
                meter.cue(ASKED, None, now_s)
            elif happens == "link":
                meter.unlinked()
                meter.cue(ASKED, None, now_s)
            elif happens == "dead":
                watcher = Watcher()
                meter.state(Chair(Presence.UNKNOWN, now_s), now_s)
            elif happens == "stall":
                watcher.update(False, now_s)  # looked, and not heard
                looks.append((now_s, False))
                now_s += FRESH_S + 0.1
                meter.tick(now_s)
    sinces = [absent.since_s for absent in told]
    assert sorted(set(sinces)) == sinces

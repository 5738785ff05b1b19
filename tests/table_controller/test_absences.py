"""From an empty chair to grounds: eyes' Watcher, real seats, a real table. RULES 2.1."""

import pytest
from msgspec.structs import replace

from firmware.wire import Absent, Present, TopicKind, decode
from seat_node.absence import FRESH_S
from seat_node.presence import Watcher
from table_controller.absences import HOST_S, Away
from table_controller.game import NORMAL, Phase, actions
from table_controller.game.terms import Cause, Offence, Source

LOOK_S = 1 / 3
REPORTED_S = (15.0, 15.4)
"""From the moment the player was last seen to the grounds. Source: DESIGN 10."""


class Eyes:
    """The eyes of one seat; *seen* is what a look at the chair shows."""

    def __init__(self, rig, seat):
        self.rig, self.seat, self.seen = rig, seat, True
        self.watcher = Watcher()
        self.heard = []
        link = rig.seats[seat].link
        publish = link.publish

        def overheard(topic, payload, **options):
            self.heard.append((topic, payload))
            return publish(topic, payload, **options)

        link.publish = overheard

    def look(self):
        if report := self.watcher.update(self.seen, self.rig.now_s):
            self.rig.seats[self.seat].inbox.put(report)

    def said(self, type_):
        said = [
            decode(TopicKind.SAID, payload)
            for topic, payload in self.heard
            if topic.endswith(TopicKind.SAID)
        ]
        whats = {each.id: each.what for each in said}
        return [what for what in whats.values() if isinstance(what, type_)]


class Evening:
    """A day that lasts, and chairs that are looked at."""

    def __init__(self, rig, *seats):
        self.rig = rig
        self.eyes = {seat: Eyes(rig, seat) for seat in seats}

    def passes(self, for_s, until=lambda: False):
        """Let time pass, looking; return how long it took."""
        began_s = self.rig.now_s
        while self.rig.now_s < began_s + for_s - 1e-6 and not until():
            for each in self.eyes.values():
                each.look()
            self.rig.advance(LOOK_S)
        return self.rig.now_s - began_s

    def until_grounds(self, within_s=60.0):
        known = len(self.grounds)
        return self.passes(within_s, until=lambda: len(self.grounds) > known)

    @property
    def grounds(self):
        return [
            (each.seat, each.offence, each.source)
            for each in self.rig.state.grounds
            if each.offence is Offence.AWAY
        ]

    @property
    def idle(self):
        return self.rig.table.absences.idle


AWAY_OF_4 = (4, Offence.AWAY, Source.PRESENCE)


@pytest.fixture
def evening(rig):
    """The first day, 4 and 7 watched and present for 3 s."""
    rig.to_first_day()
    evening = Evening(rig, 4, 7)
    evening.passes(3.0)
    return evening


def test_an_empty_chair_is_grounds_15_s_after_the_player_was_last_seen(evening):
    last_s = evening.rig.now_s - LOOK_S
    evening.eyes[4].seen = False
    evening.until_grounds()
    assert evening.grounds == [AWAY_OF_4]
    assert REPORTED_S[0] < evening.rig.now_s - LOOK_S - last_s <= REPORTED_S[1]
    evening.passes(20.0)
    assert len(evening.eyes[4].said(Absent)) == 1
    assert evening.grounds == [AWAY_OF_4]
    assert 4 in evening.rig.state.living


def test_who_is_back_at_14_s_has_no_grounds(evening):
    evening.eyes[4].seen = False
    evening.passes(14.0)
    evening.eyes[4].seen = True
    evening.passes(30.0)
    assert evening.grounds == []
    assert evening.eyes[4].said(Absent) == []


def test_who_is_back_before_the_table_has_heard_was_away_all_the_same(evening):
    rig = evening.rig
    evening.eyes[4].seen = False
    evening.passes(15.0)
    rig.clock.advance(LOOK_S)
    evening.eyes[4].look()
    evening.eyes[4].seen = True
    rig.clock.advance(LOOK_S)
    evening.eyes[4].look()
    rig.settle()
    assert evening.grounds == [AWAY_OF_4]


@pytest.mark.parametrize("seen", [None, True])
def test_what_is_unknown_or_present_is_never_grounds(evening, seen):
    evening.eyes[4].seen = seen
    evening.passes(40.0)
    assert evening.grounds == []


@pytest.mark.parametrize("by_s", [3600.0, -3600.0])
def test_15_s_keep_their_length_when_the_wall_clock_steps(evening, by_s):
    """RotorHazard PR 439 and 490."""
    evening.eyes[4].seen = False
    evening.passes(7.0)
    evening.rig.clock.step_wall(by_s)
    assert evening.until_grounds() == pytest.approx(8.3, abs=0.4)


def test_a_pause_in_the_middle_counts_for_nobody_and_the_count_begins_anew(evening):
    rig = evening.rig
    evening.eyes[4].seen = False
    evening.passes(10.0)
    rig.table.playing.act(actions.Pause(), rig.now_s)
    evening.passes(300.0)
    assert evening.grounds == []
    rig.table.playing.act(actions.Resume(), rig.now_s)
    assert evening.until_grounds() == pytest.approx(15.0, abs=0.7)


def test_an_absence_that_was_told_into_a_pause_counts_after_it_only_if_it_lasts(evening):
    rig = evening.rig
    evening.eyes[4].seen = False
    evening.passes(15.0)
    # The cue of the pause and the last look cross each other.
    rig.clock.advance(LOOK_S)
    evening.eyes[4].look()
    rig.table.playing.act(actions.Pause(), rig.now_s)
    rig.seats[4].seat.take(rig.seats[4].inbox.get(), rig.now_s)
    rig.settle()
    assert (evening.grounds, evening.idle) == ([], 1)
    rig.table.playing.act(actions.Resume(), rig.now_s)
    evening.passes(14.0)
    assert evening.grounds == []
    evening.until_grounds()
    assert evening.grounds == [AWAY_OF_4]


def test_a_lost_link_is_no_absence_and_what_it_delayed_counts_nowhere(evening):
    rig = evening.rig
    evening.eyes[4].seen = False
    evening.passes(10.0)
    rig.broker.lose("node-04")
    evening.passes(30.0)
    rig.broker.restore("node-04")
    rig.settle()
    assert evening.grounds == []
    evening.passes(14.0)
    assert evening.grounds == []
    evening.until_grounds()
    assert evening.grounds == [AWAY_OF_4]


def test_what_a_seat_measured_before_its_link_came_back_is_no_grounds(evening):
    """Whatever the seat says: a pause may have come and gone meanwhile."""
    rig = evening.rig
    evening.passes(20.0)
    left_s = rig.now_s - 17.0
    rig.broker.lose("node-04")
    rig.seats[4].seat._say(Absent(left_s, rig.now_s))
    rig.advance(1.0)
    rig.broker.restore("node-04")
    rig.advance(2.0)
    assert (evening.grounds, evening.idle) == ([], 1)


def test_a_table_that_begins_anew_in_the_middle_begins_the_count_anew(evening):
    rig = evening.rig
    evening.eyes[4].seen = False
    evening.passes(10.0)
    rig.kill_table()
    evening.passes(5.0)
    rig.start_table()
    evening.passes(30.0)
    assert rig.state.paused
    assert evening.grounds == []
    rig.table.playing.act(actions.Resume(), rig.now_s)
    evening.passes(14.0)
    assert evening.grounds == []
    evening.until_grounds()
    assert evening.grounds == [AWAY_OF_4]


def test_a_table_that_stood_still_judges_by_the_seats_measure(evening):
    """SIGSTOP of the table for 3 s: the looks went on."""
    rig = evening.rig
    evening.eyes[4].seen = False
    evening.passes(13.0)
    for _ in range(9):
        rig.clock.advance(LOOK_S)
        evening.eyes[4].look()
        rig.seats[4].seat.take(rig.seats[4].inbox.get(), rig.now_s)
    rig.settle()
    (absent,) = evening.eyes[4].said(Absent)
    assert REPORTED_S[0] < absent.until_s - absent.since_s <= REPORTED_S[1]
    assert evening.grounds == [AWAY_OF_4]


def test_a_seat_that_stood_still_accuses_nobody_of_that_time(evening):
    rig = evening.rig
    evening.eyes[4].seen = False
    evening.passes(8.0)
    for _ in range(60):
        rig.clock.advance(LOOK_S)
        evening.eyes[4].look()
    woke_s = rig.now_s
    rig.settle()
    assert evening.grounds == []
    evening.until_grounds()
    assert rig.now_s - woke_s > 15.0 - FRESH_S - LOOK_S


def test_eyes_that_hang_accuse_nobody(evening):
    evening.eyes[4].seen = False
    evening.passes(12.0)
    del evening.eyes[4]
    evening.passes(60.0)
    assert evening.grounds == []
    assert evening.rig.show.nodes.at(4).presence == "unknown"


def test_an_absence_is_grounds_once_and_a_new_one_is_grounds_again(evening):
    rig = evening.rig
    evening.eyes[4].seen = False
    evening.until_grounds()
    evening.passes(30.0)
    rig.until(lambda: rig.phase is not Phase.MOTION)
    assert len(evening.eyes[4].said(Absent)) == 1
    evening.eyes[4].seen = True
    evening.passes(3.0)
    evening.eyes[4].seen = False
    evening.passes(16.0)
    assert len(evening.eyes[4].said(Absent)) == 2


def test_the_dead_may_leave(evening):
    rig = evening.rig
    rig.table.playing.act(actions.Withdraw(4), rig.now_s)
    evening.eyes[4].seen = False
    evening.passes(40.0)
    assert evening.grounds == []
    assert evening.eyes[4].said(Absent) == []


@pytest.mark.parametrize(
    "wrong",
    [
        lambda now_s: Absent(now_s - 15.0, now_s),
        lambda now_s: Absent(now_s - 1000.0, now_s),
        lambda now_s: Absent(now_s, now_s - 20.0),
    ],
    ids=["15 s", "from before the day", "backwards"],
)
def test_what_a_seat_cannot_have_measured_is_no_grounds(evening, wrong):
    rig = evening.rig
    evening.passes(20.0)
    rig.seats[4].seat._say(wrong(rig.now_s))
    rig.settle()
    assert (evening.grounds, evening.idle) == ([], 1)


# ---- the host ----


def test_the_host_sees_who_is_away_from_ten_seconds_on(evening):
    def away():
        return evening.rig.table.absences.away(evening.rig.now_s)

    evening.eyes[4].seen = False
    evening.passes(HOST_S - 1.0)
    assert away() == ()
    evening.passes(1.0)
    ((seat, for_s),) = [(each.seat, each.for_s) for each in away()]
    assert (seat, for_s) == (4, pytest.approx(HOST_S, abs=0.4))
    board = evening.rig.show.board
    assert Away.__struct_fields__ == ("seat", "for_s")
    assert "away" not in repr(board).lower()
    evening.rig.table.playing.act(actions.Pause(), evening.rig.now_s)
    assert away() == ()


# ---- by night ----


def night(rig):
    """Let 4 leave in the first night, and go on to the day."""
    evening = Evening(rig, 4, 7)
    rig.start_game()
    rig.until_phase(Phase.MEETING)
    evening.passes(2.0)
    evening.eyes[4].seen = False
    while rig.phase in (Phase.MEETING, Phase.REST):
        assert evening.eyes[4].said(Present | Absent) == []
        assert evening.grounds == []
        evening.passes(LOOK_S)
    while rig.phase not in (Phase.SPEECH, Phase.MOTION):
        evening.passes(LOOK_S)
    evening.passes(LOOK_S)
    return evening


@pytest.mark.parametrize("at_night", [False, True])
def test_an_absence_by_night_is_told_after_the_morning_call_if_the_table_wants_it(
    at_night, tmp_path, clock, rig
):
    rig = type(rig)(tmp_path / "night", clock, ruleset=replace(NORMAL, presence_at_night=at_night))
    evening = night(rig)
    assert len(evening.eyes[4].said(Absent)) == at_night
    assert evening.grounds == [AWAY_OF_4] * at_night


def test_the_grounds_give_a_motion_by_themselves_and_the_room_decides(evening):
    rig = evening.rig
    evening.eyes[4].seen = False
    evening.until_grounds()
    evening.eyes[4].seen = True
    assert rig.phase is Phase.SPEECH
    rig.end_floor(1)
    assert rig.phase is Phase.MOTION
    assert rig.seats[2].face.lines[:2] == ("Disqualification", "Away over 15 s")
    rig.press(1, 2, 3, 5, 6)
    rig.until(lambda: rig.show.board.game.decisions)
    (decision,) = rig.show.board.game.decisions
    assert (decision.seat, decision.offence, decision.passed) == (4, Offence.AWAY, True)
    assert not rig.show.board.game.seats[3].living
    assert rig.show.board.game.seats[3].cause is Cause.DISQUALIFIED

"""Votes on a link that delays, repeats, reorders and loses, between programs that start anew.

What counts is compared with what the windows of the table and the time of each press say.
"""

import contextlib
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from firmware.fakes import FakeClock
from firmware.wire import NODES, How, Press, TopicKind, decode
from seat_node.face import Reply
from table_controller.game import SEATS, TURBO, actions
from table_controller.game import Phase as GamePhase
from table_controller.nodes import DOUBT_S

QUICK = msgspec.structs.replace(TURBO, look_s=1.0, read_name_s=0.5, ballot_s=2.0)
CANDIDATES = (6, 2)
STEP_S = 0.02
LAST_S = 7.0
"""When the windows are over, from the reading of the list on, if nothing pauses the game."""
PRESSING = (1, 3, 4)

TIMES = st.integers(0, round(LAST_S / STEP_S)).map(lambda n: n * STEP_S)


@dataclass(frozen=True)
class Trouble:
    """What happens to one seat's part of the link, in seconds from the reading on."""

    delays: tuple[tuple[float, float], ...] = ()
    """(from when, how long) what the seat says is under way."""
    repeats: bool = False
    lost_s: tuple[float, float] | None = None
    boot_s: float | None = None


TROUBLES = st.builds(
    Trouble,
    delays=st.lists(st.tuples(TIMES, st.sampled_from((0.0, 0.1, 0.4, 1.3, 3.1))), max_size=3).map(
        lambda found: tuple(sorted(found))
    ),
    repeats=st.booleans(),
    lost_s=st.none() | st.tuples(TIMES, TIMES),
    boot_s=st.none() | TIMES,
)


@dataclass
class Said:
    """A press that a seat has said, and what it came to."""

    seat: int
    boot: str
    n: int
    made_s: float
    said_s: float
    votes: bool
    mark: str = ""


@dataclass
class Air:
    """The link of the rig, with its troubles."""

    rig: Any
    troubles: dict[int, Trouble]
    began_s: float
    said: dict[tuple[str, int], Said] = field(default_factory=dict)
    windows: list[Any] = field(default_factory=list)
    mended: bool = False
    """Nothing is delayed any more."""
    under_way: list[tuple[float, int, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._take = self.rig.broker.take
        self._order = 0
        self._free_s = dict.fromkeys(SEATS, 0.0)
        self.rig.broker.take = self.take

    def take(self, link: Any, topic: str, payload: bytes, qos: int, retain: bool) -> bool:
        kind = topic.rsplit("/", 1)[1]
        if kind == "cue":
            self.note_answer(payload)
        if kind != "said":
            return bool(self._take(link, topic, payload, qos, retain))
        seat = NODES.index(link.user) + 1
        self.note_press(seat, payload)
        if not link.linked:
            return False
        trouble, now_s = self.troubles.get(seat, Trouble()), self.rig.now_s
        delay_s = 0.0
        for from_s, for_s in trouble.delays:
            if not self.mended and now_s >= self.began_s + from_s:
                delay_s = for_s
        # In order on one connection, whatever it takes.
        due_s = self._free_s[seat] = max(self._free_s[seat], now_s + delay_s)
        for repeat_s in (0.0, 1.7) if trouble.repeats else (0.0,):
            self._order += 1
            self.under_way.append(
                (due_s + repeat_s, self._order, (link, topic, payload, qos, retain))
            )
        self.deliver()
        return True

    def deliver(self) -> None:
        now_s = self.rig.now_s
        due = sorted(each for each in self.under_way if each[0] <= now_s)
        self.under_way = [each for each in self.under_way if each[0] > now_s]
        for _, _, (link, *message) in due:
            if link.linked:
                self._take(link, *message)

    def note_press(self, seat: int, payload: bytes) -> None:
        said = decode(TopicKind.SAID, payload)
        if isinstance(said.what, Press):
            votes = said.what.how is How.EDGE
            press = Said(seat, said.boot, said.n, said.made_s, self.rig.now_s, votes)
            self.said.setdefault((said.boot, said.n), press)

    def note_answer(self, payload: bytes) -> None:
        cue = decode(TopicKind.CUE, payload)
        press = self.said.get((cue.boot, cue.answer.n)) if cue.answer else None
        if press is not None:
            press.mark = str(cue.answer.mark)

    def look(self) -> None:
        for window in self.rig.table.playing.windows.all:
            if not any(window is each for each in self.windows):
                self.windows.append(window)


def to_the_list(rig: Any) -> None:
    """Bring the game to the reading of the list, without fingers."""
    playing = rig.table.playing
    playing.start()
    for seat in SEATS:
        playing.act(actions.Ready(seat), rig.now_s)
    while rig.phase is not GamePhase.READING:
        if rig.phase is GamePhase.SPEECH:
            if rig.state.floor <= len(CANDIDATES):
                playing.act(
                    actions.Nominate(rig.state.floor, CANDIDATES[rig.state.floor - 1]), rig.now_s
                )
            playing.act(actions.EndFloor(rig.state.floor), rig.now_s)
        else:
            playing.expire()
    rig.advance(0.2)


def reboot(rig: Any, seat: int) -> None:
    user = NODES[seat - 1]
    rig.broker.lose(user)
    rig.broker.part(rig.seats[seat].link, "killed", will=True, for_ever=True)
    rig.seats[seat] = type(rig.seats[seat])(rig, user, f"{seat + 90:08x}")
    rig.seats[seat].link.__enter__()


def happen(rig: Any, air: Air, presses: list[tuple[float, int]], table_s: Any) -> None:
    """Let it all happen, then let all come back and the vote be counted."""
    waiting = sorted(presses)
    ups: list[tuple[float, int]] = []
    pressed_s: dict[int, float] = {}
    at_s = 0.0
    while at_s < LAST_S + 4.0:
        for seat, trouble in air.troubles.items():
            if trouble.boot_s is not None and abs(trouble.boot_s - at_s) < STEP_S / 2:
                reboot(rig, seat)
            if trouble.lost_s is not None:
                if abs(trouble.lost_s[0] - at_s) < STEP_S / 2:
                    rig.broker.lose(NODES[seat - 1])
                elif abs(sum(trouble.lost_s) - at_s) < STEP_S / 2:
                    rig.broker.restore(NODES[seat - 1])
        if table_s is not None and abs(table_s - at_s) < STEP_S / 2:
            air.look()
            rig.kill_table()
            for window in air.windows:
                window.closed_s = rig.now_s if window.closed_s is None else window.closed_s
            rig.start_table()
        while waiting and waiting[0][0] <= at_s:
            _, seat = waiting.pop(0)
            if seat not in [s for _, s in ups] and at_s - pressed_s.get(seat, -1.0) > 0.2:
                rig.down(seat)
                ups.append((at_s + 0.06, seat))
                pressed_s[seat] = at_s
        for up in [up for up in ups if up[0] <= at_s]:
            ups.remove(up)
            rig.up(up[1])
        air.deliver()
        rig.advance(STEP_S)
        air.look()
        at_s += STEP_S
        see_who_waits(rig, air)
    for seat in SEATS:
        rig.broker.restore(NODES[seat - 1])
    air.mended = True
    for _ in range(400):
        # A seat that is lost and has voted is not waited for; its other presses are under way.
        if rig.state.ballots and not under_way(rig, air):
            return
        if rig.state.paused:
            rig.all_hold()
        air.deliver()
        rig.advance(0.1)
        air.look()
    raise AssertionError("the vote was not counted, or a press not answered")


def under_way(rig: Any, air: Air) -> bool:
    """Tell whether a press of a node that lives still waits for its answer."""
    boots = {seat: rig.seats[seat].seat._who.boot for seat in SEATS}
    return any(not each.mark for each in air.said.values() if each.boot == boots[each.seat])


def see_who_waits(rig: Any, air: Air) -> None:
    """A seat whose last press has no answer for a second shows so, and no answer otherwise."""
    for seat in PRESSING:
        answers = rig.seats[seat].seat._answers
        # A finger that is down shows first.
        if answers._n and not rig.seats[seat].seat._buttons.pressing:
            press = air.said[rig.seats[seat].seat._who.boot, answers._n]
            if rig.now_s > press.said_s + 1.0 + STEP_S:
                assert rig.seats[seat].face.reply is Reply.WAITING


def windows_of(air: Air, press: Said, calm: bool) -> set[int | None]:
    """Return whom a press is for, to the millisecond; with troubles it may be dated later."""
    return {
        next(
            (
                window.number
                for window in air.windows
                if window.opened_s <= at_s and (window.closed_s is None or at_s < window.closed_s)
            ),
            None,
        )
        for at_s in (press.made_s - 0.001, press.made_s + (0.001 if calm else DOUBT_S))
    }


def evening(
    rig_class: Any, presses: Any, troubles: dict[int, Trouble], table_s: float | None
) -> tuple[dict[int, int], dict[int, list[str]]]:
    """Play a vote, judge it, and return the votes and what each seat's presses came to."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        rig = rig_class(Path(folder) / "journal", FakeClock(), ruleset=QUICK)
        stack.callback(lambda: rig.journals.close())
        stack.callback(lambda: rig.table.playing.close())
        to_the_list(rig)
        air = Air(rig, troubles, rig.now_s)
        happen(rig, air, presses, table_s)
        votes = judge(rig, air, table_s)
    marks: dict[int, list[str]] = {}
    for press in air.said.values():
        if press.votes:
            marks.setdefault(press.seat, []).append(press.mark)
    return votes, marks


def judge(rig: Any, air: Air, table_s: float | None) -> dict[int, int]:
    ballot = rig.state.ballots[0]
    votes = {seat: who for seat, who in ballot.votes if seat not in ballot.automatic}
    for seat in SEATS:
        calm = air.troubles.get(seat, Trouble()) == Trouble() and table_s is None
        presses = [each for each in air.said.values() if each.seat == seat and each.votes]
        fors = {(each.boot, each.n): windows_of(air, each, calm) for each in presses}
        boot = rig.seats[seat].seat._who.boot
        assert seat not in votes or any(votes[seat] in each for each in fors.values())
        for press in presses:
            if press.mark == "accepted":
                assert votes[seat] in windows_of(air, press, calm)
            elif press.mark == "nothing":
                assert seat in votes
            elif press.boot == boot:
                assert press.mark == "late"
            if calm and None not in fors[press.boot, press.n]:
                assert press.mark != "late"
        if calm and (made := [each for each in presses if None not in fors[each.boot, each.n]]):
            assert {votes[seat]} == fors[made[0].boot, made[0].n]
    return votes


@settings(
    max_examples=25,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    presses=st.lists(st.tuples(TIMES, st.sampled_from(PRESSING)), min_size=1, max_size=8),
    troubles=st.dictionaries(st.sampled_from(PRESSING), TROUBLES),
    table_s=st.none() | st.none() | TIMES,
)
def test_a_press_counts_where_its_own_time_says_or_is_shown_as_too_late(
    rig: Any, presses: Any, troubles: Any, table_s: Any
) -> None:
    evening(type(rig), presses, troubles, table_s)


def test_presses_of_a_lost_seat_that_has_voted_are_answered_when_it_is_back(rig: Any) -> None:
    troubles = {4: Trouble(delays=((0.72, 0.0), (2.46, 0.1), (4.22, 3.1)), lost_s=(4.22, 0.34))}
    presses = [(2.52, 4), (4.22, 4), (5.54, 4), (5.88, 4)]
    votes, marks = evening(type(rig), presses, troubles, None)
    assert votes == {4: 6}
    assert marks == {4: ["accepted", "nothing", "late", "late"]}


def test_a_press_of_a_node_whose_words_all_come_late_never_counts_for_the_next_candidate(
    rig: Any,
) -> None:
    troubles = {1: Trouble(delays=((0.0, 3.1),), boot_s=0.02)}
    votes, marks = evening(type(rig), [(2.0, 1)], troubles, None)
    assert 1 not in votes
    assert marks == {1: ["late"]}


@pytest.mark.parametrize(("pressed_s", "candidate"), [(1.5, 6), (3.6, 2)])
def test_a_vote_under_way_when_the_table_is_killed_counts_for_whom_it_was_made(
    rig: Any, pressed_s: float, candidate: int
) -> None:
    troubles = {1: Trouble(lost_s=(pressed_s - 0.3, 3.0))}
    votes, marks = evening(type(rig), [(pressed_s, 1)], troubles, 4.2)
    assert votes[1] == candidate
    assert marks == {1: ["accepted"]}


def test_windows_by_the_clock_of_a_machine_that_has_started_anew_are_none(rig: Any) -> None:
    to_the_list(rig)
    rig.until_phase(GamePhase.BALLOT)
    rig.advance(1.0)
    rig.kill_table()
    rig.clock.restart()
    rig.start_table()
    assert rig.table.playing.windows.all == ()
    assert rig.show.nodes.at(1).reading is None


@pytest.mark.parametrize("delay_s", [0.0, 1.3, 5.2])
@pytest.mark.parametrize("after_s", [0.001, 0.05, 0.49])
def test_a_vote_after_the_timer_is_too_late_and_does_not_count_in_the_next_vote(
    rig: Any, after_s: float, delay_s: float
) -> None:
    to_the_list(rig)
    rig.until_phase(GamePhase.BALLOT)
    due_s, _ = rig.show.countdowns.first()
    rig.advance(due_s - rig.now_s + after_s)
    air = Air(rig, {3: Trouble(delays=((0.0, delay_s),))}, rig.now_s)
    rig.down(3)
    while not rig.state.ballots:
        rig.advance(STEP_S)
        air.deliver()
    assert 3 in rig.state.ballots[0].automatic
    assert [press.mark for press in air.said.values()] == ["late"]


@pytest.mark.parametrize("delay_s", [0.0, 2.6])
def test_a_press_at_night_counts_at_its_own_number_or_at_none(rig: Any, delay_s: float) -> None:
    playing = rig.table.playing
    playing.start()
    for seat in SEATS:
        playing.act(actions.Ready(seat), rig.now_s)
    while rig.phase is not GamePhase.CALLING:
        playing.expire()
    air = Air(rig, {4: Trouble(delays=((0.0, delay_s),))}, rig.now_s)
    reboot(rig, 4)
    while rig.state.call.called < 3:
        rig.advance(STEP_S)
        air.deliver()
    rig.advance(1.0)
    rig.press(4)
    number = rig.state.call.numbers[2]
    while rig.state.call.called < 9:
        rig.advance(STEP_S)
        air.deliver()
    assert rig.state.call.presses == (() if delay_s else ((4, number),))

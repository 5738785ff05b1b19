"""A broker that stands still for half a minute, with systemd listening to table and seat."""

import itertools
import selectors
import socket

import pytest

from firmware.mosquitto import find_mosquitto
from firmware.wire import Mark
from table_controller.game import SEATS
from table_controller.nodes import ALIVE_S
from table_controller.rehearsal.house import House, Settings

pytestmark = pytest.mark.proof

LIMIT_S = 4.0
"""Of the watchdogs; a card gives 20."""

FROZEN_S = ALIVE_S + 2.0
"""Longer than anybody passes for alive without a word."""

RETURN_S = 5.0
"""Every seat can vote again so soon after the broker is back. Source: RULES 1.17."""


class Watched:
    """Hears a program feed its watchdog, while the *stage* turns."""

    def __init__(self, stage, path):
        self._clock = stage.clock
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self.path = path
        self.fed_s = []
        stage.selector.register(self._socket, selectors.EVENT_READ, self._hear)

    def _hear(self):
        if self._socket.recv(100) == b"WATCHDOG=1":
            self.fed_s.append(self._clock.now_s())

    def longest_silence_s(self):
        """Return the longest time from one feeding to the next, the last one to now."""
        times = [*self.fed_s, self._clock.now_s()]
        return max(after - before for before, after in itertools.pairwise(times))

    def close(self):
        self._socket.close()


class WatchedHouse(House):
    """A house whose table and seat 3 are watched."""

    def __init__(self, settings):
        super().__init__(settings)
        self.watched = {}

    def table_program(self, name, *arguments):
        return self._watch(name, super().table_program(name, *arguments))

    def seat_program(self, name, seat):
        child = super().seat_program(name, seat)
        return self._watch(name, child) if seat == 3 else child

    def _watch(self, name, child):
        self.watched[name] = Watched(self.stage, self.folder / f"{name}.notify")
        variables = {"NOTIFY_SOCKET": self.watched[name].path, "WATCHDOG_USEC": int(LIMIT_S * 1e6)}
        child._command[:0] = ["env", *(f"{name}={value}" for name, value in variables.items())]
        return child

    def __exit__(self, *exc):
        super().__exit__(*exc)
        for each in self.watched.values():
            each.close()


@pytest.fixture
def house():
    if find_mosquitto() is None:
        pytest.skip("mosquitto is not installed: sudo apt install mosquitto")
    with WatchedHouse(Settings(step=True, seed=1)) as house:
        yield house


def test_a_broker_frozen_for_half_a_minute_trips_no_watchdog_and_all_vote_soon_after(
    house, director_class
):
    director = director_class(house)
    stage, clock = director.stage, director.stage.clock
    director.begin()
    director.to_ballot(4, 5)
    director.cast(1)
    house.broker.freeze()
    end_s = clock.now_s() + FROZEN_S
    stage.until(lambda: director.state()["game"]["paused"], 15.0, "the pause")
    assert director.state()["notice"] == "link lost"
    assert all(director.panels[seat].scene == "candidate" for seat in SEATS)
    director.vote(2)  # Seat 2 cannot know of the pause.
    marks = []
    stage.on_shown.append(lambda panel: panel.seat == 2 and marks.append(panel.shown.mark))
    stage.until(lambda: clock.now_s() >= end_s, FROZEN_S + 5.0, "the end of the standstill")
    assert director.panels[2].shown.waiting
    house.broker.thaw()
    back_s = clock.now_s()
    director.scenes("paused")
    director.all_hold(*director.living, until="candidate")
    director.called(4)
    director.cast(*(seat for seat in SEATS if seat not in (1, 9)))
    assert clock.now_s() - back_s < RETURN_S
    assert Mark.LATE in marks
    assert director.state()["notice"] == ""
    director.step_to("vote_over")
    (ballot,) = director.until_state(lambda game: game["ballots"], "the count")["ballots"]
    assert dict(ballot["votes"]) == {seat: 4 for seat in SEATS if seat != 9} | {9: 5}
    assert ballot["automatic"] == [9]
    silences_s = {name: each.longest_silence_s() for name, each in house.watched.items()}
    assert silences_s.keys() == {"table", "seat-3"}
    assert max(silences_s.values()) < LIMIT_S, silences_s

"""The controller's buttons, all ten VOTE, and an evening of three games, on pins."""

import logging
import sys

import msgspec
import pytest

from firmware.board import PHASE_PINS, SEAT_LIGHT_PINS, SeatBoard, TableButtons, TableLights
from firmware.board import mock_pins as new_pins
from firmware.errors import JournalError
from firmware.wire import Button
from table_controller import buttons as the_buttons
from table_controller.buttons import STOP_S, Buttons, power_off
from table_controller.game import SEATS, Phase, actions
from table_controller.game.views import public_view
from table_controller.host.orders import GoOn, HostOrder
from table_controller.lights import NIGHT, Hue, Lights, frame
from table_controller.together import TOGETHER_S

BOUNCE_S = 0.02
LIGHTS = (*SEAT_LIGHT_PINS, *PHASE_PINS)


class OnPins:
    """The rig's table with its own lights and buttons, and a seat for each node, on mock pins.

    Pins stamp an edge with the real clock: here it is the rig's.
    """

    def __init__(self, rig):
        self.rig = rig
        self.factories = [new_pins() for _ in range(11)]
        self.boards = {
            seat: SeatBoard(self.factories[seat], self._stamped(rig.seats[seat].inbox))
            for seat in SEATS
        }
        self.pins = self.factories[0]
        self.restart()

    def restart(self, stuck=""):
        """Pull the table's plug and start it anew, on its pins; a button may be down then."""
        rig, self.writes = self.rig, 0
        rig.kill_table()
        self.lights, self.buttons = TableLights(self.pins), TableButtons(self.pins, self._put)
        if stuck:
            self.buttons.push(stuck)
        rig.start_table(Lights(self))
        rig.buttons = Buttons(
            rig.table.playing, rig.show.lights, closed=self.buttons.closed, now_s=rig.now_s
        )

    def set(self, values):
        self.writes += 1
        self.lights.set(values)

    def _put(self, level):
        self._stamped(self.rig.inbox)(level)

    def _stamped(self, inbox):
        return lambda level: inbox.put(msgspec.structs.replace(level, at_s=self.rig.now_s))

    @property
    def lit(self):
        return tuple(self.pins.pin(gpio).state for gpio in LIGHTS)

    def press(self, name, for_s=0.1):
        self.buttons.push(name)
        self.rig.advance(for_s)
        self.buttons.release(name)
        self.rig.advance(0.1)

    def down(self, *seats):
        for seat in seats or SEATS:
            self.boards[seat].push(Button.VOTE)

    def up(self, *seats):
        for seat in seats or SEATS:
            self.boards[seat].release(Button.VOTE)

    def tap(self, *seats):
        self.down(*seats)
        self.rig.advance(0.1)
        self.up(*seats)
        self.rig.advance(0.1)

    def all_hold(self, *seats, for_s=TOGETHER_S + 0.1):
        self.down(*seats)
        self.rig.advance(for_s)
        self.up(*seats)
        self.rig.advance(0.2)

    def assert_right(self):
        """The pins show what the public view says, now."""
        rig = self.rig
        expected = frame(public_view(rig.state), frozenset()).values(rig.now_s)
        assert self.lit == pytest.approx(expected), rig.phase

    def close(self):
        for factory in self.factories:
            factory.reset()


@pytest.fixture
def on_pins(rig):
    pins = OnPins(rig)
    yield pins
    pins.close()


def order(rig, action):
    said = []
    rig.inbox.put(HostOrder(action, said.append))
    rig.settle()
    return said


def to_a_speech(on_pins):
    on_pins.all_hold()
    on_pins.tap()
    on_pins.rig.until_phase(Phase.SPEECH)


# ---- start / pause ----


def test_start_begins_a_game_pauses_it_and_lets_it_go_on(on_pins):
    rig = on_pins.rig
    assert rig.state is None
    on_pins.press("start")
    assert (rig.phase, rig.state.paused) == (Phase.SEATING, False)
    on_pins.tap()
    rig.until_phase(Phase.SPEECH)
    rig.advance(10.0)
    on_pins.press("start")
    assert rig.state.paused
    on_pins.assert_right()
    rig.advance(100.0)
    on_pins.press("start")
    assert not rig.state.paused
    rig.advance(40.0)
    assert rig.state.floor == 1, "the speech went on with what was left of it"


def test_start_plays_the_next_game_when_one_is_over(on_pins):
    rig = on_pins.rig
    to_a_speech(on_pins)
    assert order(rig, actions.Void()) == [""]
    assert rig.phase is Phase.OVER
    first = rig.show.started.game
    on_pins.press("start")
    assert rig.phase is Phase.SEATING
    assert rig.show.started.game != first


def test_start_works_at_night_and_no_seat_light_tells_of_it(on_pins):
    rig = on_pins.rig
    to_a_speech(on_pins)
    while rig.phase is Phase.SPEECH:
        rig.end_floor(rig.state.floor)
    rig.until_phase(Phase.CALLING)
    night, writes = on_pins.lit, on_pins.writes
    on_pins.press("start")
    assert rig.state.paused
    rig.advance(20.0)
    on_pins.press("start")
    assert not rig.state.paused
    assert (on_pins.lit, on_pins.writes) == (night, writes)
    assert night[:10] == (NIGHT,) * 10


def test_a_start_that_bounces_at_both_edges_acts_once(on_pins):
    rig = on_pins.rig
    to_a_speech(on_pins)
    for _ in range(2):
        for _ in range(5):
            on_pins.buttons.push("start")
            rig.advance(BOUNCE_S / 10)
            on_pins.buttons.release("start")
            rig.advance(BOUNCE_S / 10)
        on_pins.buttons.push("start")
        rig.advance(0.2)
        for _ in range(5):
            on_pins.buttons.release("start")
            rig.advance(BOUNCE_S / 10)
            on_pins.buttons.push("start")
            rig.advance(BOUNCE_S / 10)
        on_pins.buttons.release("start")
        rig.advance(0.2)
    acted = [type(action) for action in rig.table.playing.past.actions]
    assert acted[-2:] == [actions.Pause, actions.Resume]
    assert acted.count(actions.Pause) == acted.count(actions.Resume) == 1


def test_a_spike_on_the_wire_is_no_press(on_pins):
    on_pins.press("start", for_s=0.002)
    on_pins.press("stop", for_s=0.002)
    assert on_pins.rig.state is None
    assert on_pins.writes == 1


@pytest.mark.parametrize("name", ["start", "stop"])
def test_a_button_that_is_stuck_at_the_start_does_nothing_until_it_was_up(on_pins, name):
    rig = on_pins.rig
    to_a_speech(on_pins)
    on_pins.restart(stuck=name)
    rig.advance(5.0)
    # A finger, or a wire, that trembles.
    on_pins.buttons.release(name)
    rig.advance(0.004)
    on_pins.buttons.push(name)
    rig.advance(5.0)
    assert rig.state.paused
    assert not rig.buttons.stopped
    on_pins.buttons.release(name)
    rig.advance(0.5)
    assert rig.state.paused
    if name == "start":
        on_pins.press("start")
        assert not rig.state.paused
    else:
        on_pins.press("stop", for_s=STOP_S + 0.1)
        assert rig.buttons.stopped


def test_a_full_disk_refuses_start_as_it_refuses_everything(on_pins, monkeypatch):
    rig = on_pins.rig

    def refuse(*_):
        raise JournalError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(rig.journals, "create", refuse)
        on_pins.press("start")
        assert rig.state is None
    rig.advance(10.0)
    on_pins.press("start")
    assert rig.phase is Phase.SEATING


# ---- stop ----


def seen_while_held(on_pins, for_s):
    """Hold stop, and return what the phase lamp showed, without repeats."""
    seen = []
    on_pins.buttons.push("stop")
    for _ in range(round(for_s / 0.05)):
        on_pins.rig.advance(0.05)
        if not seen or seen[-1] != on_pins.lit[10:]:
            seen.append(on_pins.lit[10:])
    return seen


def test_stop_held_for_three_seconds_counts_pauses_and_ends_the_table(on_pins):
    rig = on_pins.rig
    to_a_speech(on_pins)
    day = on_pins.lit
    counted = seen_while_held(on_pins, STOP_S - 0.1)
    assert not rig.buttons.stopped
    levels = [red for red, _, _ in counted if red == max(counted[0]) or red not in day[10:]]
    assert [level for level in levels if level] == [1.0, 0.5, 0.2]
    assert on_pins.lit[:10] == day[:10]
    assert not rig.state.paused
    rig.advance(0.2)
    assert rig.buttons.stopped
    assert rig.state.paused


def test_stop_let_go_before_three_seconds_has_done_nothing(on_pins):
    rig = on_pins.rig
    to_a_speech(on_pins)
    day, acted = on_pins.lit, len(rig.table.playing.past.actions)
    on_pins.press("stop", for_s=STOP_S - 0.1)
    assert not rig.buttons.stopped
    assert len(rig.table.playing.past.actions) == acted
    assert on_pins.lit == day
    rig.advance(5.0)
    assert not rig.buttons.stopped


def test_at_night_stop_counts_on_the_lamp_alone(on_pins):
    rig = on_pins.rig
    to_a_speech(on_pins)
    while rig.phase is Phase.SPEECH:
        rig.end_floor(rig.state.floor)
    rig.until_phase(Phase.CALLING)
    night = on_pins.lit
    counted = seen_while_held(on_pins, STOP_S - 0.1)
    assert [lamp[0] for lamp in counted if lamp[0]] == [1.0, 0.5, 0.2]
    assert on_pins.lit[:10] == night[:10] == (NIGHT,) * 10
    on_pins.buttons.release("stop")
    rig.advance(0.2)
    assert on_pins.lit == night


def test_stop_without_a_game_ends_the_table_too(on_pins):
    on_pins.press("stop", for_s=STOP_S + 0.1)
    assert on_pins.rig.buttons.stopped


def test_the_machine_is_shut_down_by_a_command(tmp_path):
    assert power_off((sys.executable, "-c", f"open({str(tmp_path / 'off')!r}, 'w')"))
    assert (tmp_path / "off").exists()


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ((sys.executable, "-c", "import sys; sys.exit('Access denied')"), "Access denied"),
        (("/nowhere/systemctl", "poweroff"), "No such file"),
    ],
)
def test_a_machine_that_is_not_shut_down_says_why(command, why, caplog):
    with caplog.at_level(logging.ERROR, the_buttons.__name__):
        assert not power_off(command)
    (record,) = caplog.records
    assert "the machine is not shut down" in record.getMessage()
    assert why in record.getMessage()


# ---- all ten VOTE ----


def test_all_ten_hold_vote_for_two_seconds_from_the_last_ones_begin(on_pins):
    rig = on_pins.rig
    on_pins.down(*range(1, 10))
    rig.advance(5.0)
    on_pins.down(10)
    rig.advance(TOGETHER_S - 0.05)
    assert rig.state is None
    rig.advance(0.1)
    assert rig.phase is Phase.SEATING


def test_one_who_lets_go_before_cancels_and_begins_the_time_anew(on_pins):
    rig = on_pins.rig
    on_pins.down()
    rig.advance(TOGETHER_S - 0.1)
    on_pins.up(4)
    rig.advance(5.0)
    assert rig.state is None
    on_pins.down(4)
    rig.advance(TOGETHER_S - 0.05)
    assert rig.state is None
    rig.advance(0.1)
    assert rig.phase is Phase.SEATING


def test_one_whose_device_goes_has_let_go(on_pins):
    rig = on_pins.rig
    on_pins.down()
    rig.advance(1.5)
    rig.broker.lose("node-04")
    rig.advance(5.0)
    assert rig.state is None


def test_what_was_held_before_a_pause_lets_no_game_go_on_at_once(on_pins):
    rig = on_pins.rig
    to_a_speech(on_pins)
    # All look at their cards.
    on_pins.down()
    rig.advance(5.0)
    on_pins.press("start")
    assert rig.state.paused
    rig.advance(TOGETHER_S - 0.5)
    assert rig.state.paused


def test_holds_that_were_kept_while_the_link_was_away_let_no_game_go_on(rig):
    rig.to_first_day()
    rig.table.playing.act(actions.Pause(), rig.now_s)
    rig.advance(10.0)
    came_s = rig.now_s
    for node in map(rig.show.nodes.at, SEATS):
        # All ten holds of long ago, before the first word that it was let go.
        rig.table._together.hold(node, came_s - 8.0, came_s)
    rig.table.tick()
    assert rig.state.paused
    rig.advance(1.0)
    assert rig.state.paused


def test_those_who_live_let_a_game_go_on_and_nobody_else_is_asked(on_pins):
    rig = on_pins.rig
    to_a_speech(on_pins)
    assert order(rig, actions.Withdraw(3)) == [""]
    on_pins.press("start")
    living = [seat for seat in SEATS if seat != 3]
    on_pins.all_hold(*living[1:])
    assert rig.state.paused
    on_pins.all_hold(*living)
    assert not rig.state.paused


def test_nobody_who_holds_is_not_all(on_pins):
    rig = on_pins.rig
    to_a_speech(on_pins)
    for number in SEATS:
        rig.broker.lose(f"node-{number:02}")
    rig.advance(5.0)
    order(rig, GoOn())
    on_pins.press("start")
    rig.advance(60.0)
    assert rig.state.paused


# ---- an evening ----


def play_to_the_draw(on_pins, cut):
    """Play a game in which nobody does anything, looking at the lights in each step.

    *cut*, once it is the second day: the plug is pulled, and all who live hold VOTE.
    """
    rig = on_pins.rig
    hues, is_cut = set(), False
    while rig.phase is not Phase.OVER:
        on_pins.assert_right()
        hues.add(frame(public_view(rig.state), frozenset()).phase)
        if cut and not is_cut and rig.state.day == 2 and rig.state.floor == 4:
            is_cut = True
            rig.advance(7.0)
            cut()
        rig.table.playing.expire()
        rig.settle()
    on_pins.assert_right()
    return hues


def pull_the_plug(on_pins):
    rig = on_pins.rig
    for gpio in LIGHTS:
        on_pins.pins.pin(gpio).state = 0.7
    on_pins.restart()
    rig.table.tick()
    assert on_pins.writes == 1
    # No seat has said yet that it is there.
    gone = frame(public_view(rig.state), frozenset(SEATS)).values(rig.now_s)
    assert on_pins.lit == pytest.approx(gone)
    rig.advance(2.0)
    assert rig.state.paused
    on_pins.assert_right()
    on_pins.all_hold()
    assert not rig.state.paused
    assert rig.state.floor == 4


def test_an_evening_of_three_games_needs_no_phone(on_pins):
    """Start, a cut in the middle, rematch, rematch: by VOTE alone, the lights right all along."""
    rig = on_pins.rig
    games = []
    for number in range(3):
        on_pins.all_hold()
        assert rig.phase is Phase.SEATING
        games.append(rig.show.started.game)
        on_pins.assert_right()
        on_pins.tap()
        assert rig.phase is Phase.LOOK
        cut = (lambda: pull_the_plug(on_pins)) if number == 1 else None
        hues = play_to_the_draw(on_pins, cut)
        assert hues == {Hue.DEAL, Hue.NIGHT, Hue.MORNING, Hue.SPEECHES}
        assert frame(public_view(rig.state), frozenset()).phase is Hue.NOBODY
    assert len(set(games)) == 3

"""From the edges of a pin to what the seat says: the pins' layer, the buttons and the seat."""

import queue
import threading

import pytest

from firmware.board import SEAT_PINS, SeatBoard, mock_pins
from firmware.wire import Ask, AskKind, Button, How, NightAnswer, Press, PressMode
from seat_node.seat import ASKED_S
from tests.firmware.traces import TRACES_MS

VOTE, SHOUT = Button.VOTE, Button.SHOUT
DEADLINE_S = 15.0
BURST_MS = TRACES_MS["a burst of 20 ms"]


class PinRig:
    """A seat on a board of mock pins, whose edges the clock stamps as a kernel does."""

    def __init__(self, new_rig, clock, *, kind="no", at_rest=True, faces=None):
        pins = mock_pins()

        class Stamped(pins.pin_class):
            def _change_state(self, value):
                changed = super()._change_state(value)
                self._last_change = clock.now_s()
                return changed

        pins.pin_class = Stamped
        self.clock, self.kind = clock, kind
        self.inbox = queue.SimpleQueue()
        closed = tuple(Button) if kind == "nc" else ()
        self.board = SeatBoard(pins, self.inbox.put, normally_closed=closed)
        self.pin = {button: pins.pin(SEAT_PINS[button]) for button in Button}
        for button in Button:
            self.drive(button, closed=not at_rest)
        self.rig = new_rig(closed=self.board.closed, faces=faces)
        self.rig.link_up()
        self.take()

    def drive(self, button, *, closed):
        """Let the finger close or open the contact: it may be of either kind."""
        pulls_up = closed is (self.kind == "nc")
        self.pin[button].drive_high() if pulls_up else self.pin[button].drive_low()

    def take(self):
        while not self.inbox.empty():
            self.rig.seat.take(self.inbox.get(), self.clock.now_s())

    def play(self, trace_ms, button=VOTE, *, closed=True):
        """Let the contact change at each moment, first to *closed*, and a little time pass."""
        start_s = self.clock.now_s()
        for number, at_ms in enumerate(trace_ms):
            self.rig.wait(max(0.0, start_s + at_ms / 1000 - self.clock.now_s()))
            self.drive(button, closed=closed is (number % 2 == 0))
            self.take()
        self.rig.wait(0.1)
        return start_s

    @property
    def presses(self):
        return [(said.what, said.made_s) for said in self.rig.said if isinstance(said.what, Press)]


@pytest.fixture
def new_pins(new_rig, clock):
    return lambda **options: PinRig(new_rig, clock, **options)


@pytest.fixture(params=["no", "nc"])
def pins(request, new_pins):
    """Buttons with a switch of either kind."""
    return new_pins(kind=request.param)


# ---- public symptoms: the number and the report, see the names of the traces ----


@pytest.mark.parametrize("trace", TRACES_MS.values(), ids=TRACES_MS)
@pytest.mark.parametrize(
    ("mode", "how"), [(PressMode.EDGE, How.EDGE), (PressMode.RELEASE, How.TAP)]
)
def test_symptom_12_one_press_that_bounces_at_both_edges_is_one_action(pins, mode, how, trace):
    pins.rig.cue(press=mode)
    at_s = pins.play(trace)
    pins.play(trace, closed=False)
    assert pins.presses == [(Press(VOTE, how), at_s)]


def test_symptom_12_a_held_button_that_bounces_when_released_is_one_hold(pins):
    pins.rig.cue(press=PressMode.RELEASE)
    pins.play(BURST_MS, SHOUT)
    pins.rig.wait(2.0)
    pins.play(BURST_MS, SHOUT, closed=False)
    assert [what for what, _ in pins.presses] == [Press(SHOUT, How.HOLD)]


def test_symptom_12_a_press_at_night_that_bounces_is_in_the_answer_once(pins):
    pins.rig.cue(scene="night", press=PressMode.NIGHT, ask=Ask(AskKind.NIGHT, 1, 1))
    at_s = pins.play(BURST_MS)
    pins.play(BURST_MS, closed=False)
    pins.rig.cue(scene="night", press=PressMode.NIGHT, ask=Ask(AskKind.NIGHT, 2, 1))
    pins.rig.wait(ASKED_S)
    assert pins.rig.whats[-1] == NightAnswer(2, 1, (at_s,))


def test_symptom_13_of_five_clean_presses_a_second_none_is_lost(pins):
    pins.rig.cue(press=PressMode.EDGE)
    made = []
    for number in range(50):
        length_ms = (10.0, 35.0, 60.0, 99.0)[number % 4]
        start_s = pins.clock.now_s()
        pins.drive(VOTE, closed=True)
        pins.take()
        pins.rig.wait(length_ms / 1000)
        pins.drive(VOTE, closed=False)
        pins.take()
        made.append(round(start_s, 6))
        pins.rig.wait(start_s + 0.2 - pins.clock.now_s())
    first = {said.n: said.made_s for said in reversed(pins.rig.said)}
    assert [first[n] for n in sorted(first)] == made


@pytest.mark.parametrize("length_ms", [1.0, 2.0, 2.9])
@pytest.mark.parametrize("mode", [PressMode.EDGE, PressMode.RELEASE, PressMode.NIGHT])
def test_symptom_15_spikes_on_a_long_cable_are_no_press(pins, mode, length_ms):
    pins.rig.cue(press=mode, scene="night", ask=Ask(AskKind.NIGHT, 1, 1))
    for _ in range(20):
        pins.play([0.0, length_ms])
    pins.rig.cue(press=mode, scene="night", ask=Ask(AskKind.NIGHT, 2, 1))
    pins.rig.wait(ASKED_S)
    assert (pins.presses, pins.rig.whats[-1]) == ([], NightAnswer(2, 1, ()))


@pytest.mark.parametrize("kind", ["no", "nc"])
def test_symptom_15_a_button_that_is_down_at_the_start_is_no_press(new_pins, kind):
    pins = new_pins(kind=kind, at_rest=False)
    pins.rig.cue(press=PressMode.EDGE)
    pins.rig.wait(20.0)
    pins.play(BURST_MS, closed=False)
    assert pins.presses == []
    at_s = pins.play(BURST_MS)
    assert pins.presses == [(Press(VOTE, How.EDGE), at_s)]


# ---- a switch of the other kind than the card says ----


@pytest.mark.parametrize("mode", [PressMode.EDGE, PressMode.RELEASE])
def test_a_switch_of_the_other_kind_never_votes(new_pins, mode):
    pins = new_pins(at_rest=False)
    pins.rig.cue(press=mode)
    pins.rig.wait(60.0)
    for _ in range(5):
        pins.play([0.0, 150.0], closed=False)
        pins.rig.wait(5.0)
    assert pins.presses == []


# ---- the callbacks ----


class SlowFaces(list):
    """A screen that takes its time over the first answer to a press."""

    def __init__(self):
        self.reached, self.go_on = threading.Event(), threading.Event()

    def append(self, face):
        super().append(face)
        if face.reply == "pressed" and not self.reached.is_set():
            self.reached.set()
            self.in_time = self.go_on.wait(DEADLINE_S)


def test_a_slow_consumer_delays_no_other_button(new_pins):
    faces = SlowFaces()
    pins = new_pins(faces=faces)
    pins.rig.cue(press=PressMode.EDGE)

    def consume():
        while (item := pins.inbox.get()) is not None:
            pins.rig.seat.take(item, pins.clock.now_s())

    def tap(button):
        at_s = pins.clock.now_s()
        for closed in (True, False):
            pins.drive(button, closed=closed)
            pins.clock.advance(0.1)
        return at_s

    consumer = threading.Thread(target=consume)
    consumer.start()
    vote_s = tap(VOTE)
    assert faces.reached.wait(DEADLINE_S)
    # This thread is the library's: it comes back while the consumer is still busy.
    shout_s = tap(SHOUT)
    assert len(pins.presses) == 1
    faces.go_on.set()
    pins.inbox.put(None)
    consumer.join(DEADLINE_S)
    assert faces.in_time
    assert pins.presses == [
        (Press(VOTE, How.EDGE), vote_s),
        (Press(SHOUT, How.EDGE), shout_s),
    ]

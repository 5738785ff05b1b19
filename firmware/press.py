"""Levels of a contact -> presses. Pure: times come with the levels.

A press is a contact closed for :data:`CLOSED_S` in one go within
:data:`BOUNCE_S` of the first edge; it is stamped with that first edge, so that
"who was first" is decided by the finger and not by the debouncing. After it the
contact is not listened to for :data:`BOUNCE_S`. A button that is down at the
start is no press, and one that is down for :data:`STUCK_S` is stuck.

Source: DESIGN 6; measured bounce and tick times, gpiozero's lgpio pins.
"""

import enum

import msgspec

CLOSED_S = 0.003
"""Shorter closings are noise on the line. Source: DESIGN 6."""

BOUNCE_S = 0.040
"""How long a contact can bounce after an edge. Source: DESIGN 6."""

OPEN_S = 0.010
"""Shorter openings of a pressed button are a trembling finger, not a release."""

LATE_S = 0.003
"""How late we may hear of an edge: nothing is certain before this has passed.

Without it an opening that is still on its way would come too late to tell a
spike from a press. Source: lgpio holds edges back for 0.5 ms to sort them and
looks for them each 0.5 ms, 0.5-1.5 ms in all; twice that.
"""

VOTE_HOLD_S = 0.8
"""How long a seat's VOTE is down for a hold. Source: DESIGN 6."""

SHOUT_HOLD_S = 1.5
"""How long a seat's SHOUT is. Source: DESIGN 6."""

STUCK_S = 30.0
"""Nobody holds a button for so long: it is jammed, or wired as the other kind."""

TRUST_S = 3.0
"""A stuck button that was up for so long is listened to again.

Of a switch wired as the other kind a player's press is such an opening, only
shorter; letting go of it must not count as a press.
"""


class Pressed(msgspec.Struct, frozen=True):
    """The button went down; *at_s* is its first edge."""

    at_s: float


class Held(msgspec.Struct, frozen=True):
    """The button has been down for its hold time; *at_s* is when that was reached."""

    at_s: float


class Released(msgspec.Struct, frozen=True):
    """The button came up at *at_s*; *after_hold*: a :class:`Held` came before."""

    at_s: float
    after_hold: bool


PressEvent = Pressed | Held | Released


class _State(enum.Enum):
    UP = enum.auto()
    DOWN = enum.auto()
    STUCK = enum.auto()
    """Closed since before we looked, or for too long: no press until it was released."""


class Contact:
    """One button's contact, from levels to presses.

    *hold_s* is its hold time. A button found down at *closed_s*, the start, is
    no press. Levels must be fed in order of time, and no later than
    :data:`LATE_S` after they began; what the present level makes of itself is
    told by :meth:`tick`.
    """

    def __init__(self, hold_s: float, *, closed_s: float | None = None) -> None:
        self._hold_s = hold_s
        self._closed = closed_s is not None
        self._since_s = float("-inf")
        self._state = _State.UP if closed_s is None else _State.STUCK
        self._first_s: float | None = None
        self._deaf_until_s = float("-inf")
        self._pressed_s = closed_s or 0.0
        self._held = False

    def feed(self, at_s: float, closed: bool) -> tuple[PressEvent, ...]:
        """Take a level that began at *at_s*; return what became certain by then."""
        events = self._certain(at_s)
        if closed != self._closed:
            self._closed, self._since_s = closed, at_s
            if closed and self._state is _State.UP and at_s >= self._deaf_until_s:
                self._note_first_edge(at_s)
        return events

    def tick(self, now_s: float) -> tuple[PressEvent, ...]:
        """Return what is certain at *now_s*, oldest first."""
        return self._certain(now_s, LATE_S)

    @property
    def next_due_s(self) -> float | None:
        """When :meth:`tick` has something to tell if the level stays; None: never."""
        return None if (due_s := self._due_s()) is None else due_s + LATE_S

    def stuck(self, now_s: float) -> bool:
        """Return whether it is stuck: the press before it counted, no other one does."""
        return self._state is not _State.UP and now_s >= self._pressed_s + STUCK_S

    def _certain(self, until_s: float, late_s: float = 0.0) -> tuple[PressEvent, ...]:
        events: list[PressEvent] = []
        while (due_s := self._due_s()) is not None and due_s + late_s <= until_s:
            event = self._pass(due_s)
            if event is not None:
                events.append(event)
        return tuple(events)

    def _due_s(self) -> float | None:
        """Return when the present level makes an event, if it lasts until then."""
        if self._state is _State.UP:
            if not self._closed:
                return None
            return max(self._since_s + CLOSED_S, self._deaf_until_s)
        if not self._closed:
            doubtful = self._state is _State.STUCK and self.stuck(self._since_s)
            return max(self._since_s + (TRUST_S if doubtful else OPEN_S), self._deaf_until_s)
        if self._state is _State.DOWN and not self._held:
            return max(self._pressed_s + self._hold_s, self._since_s)
        return None

    def _note_first_edge(self, at_s: float) -> None:
        if self._first_s is None or at_s - self._first_s > BOUNCE_S:
            self._first_s = at_s

    def _pass(self, due_s: float) -> PressEvent | None:
        if self._state is _State.UP:
            return self._go_down(due_s)
        if not self._closed:
            return self._come_up()
        self._held = True
        return Held(self._pressed_s + self._hold_s)

    def _go_down(self, due_s: float) -> PressEvent:
        first_s = self._first_s
        # An edge too long ago was noise; a run begun while deaf starts by itself.
        if first_s is None or due_s - first_s > BOUNCE_S:
            first_s = self._since_s
        self._state, self._pressed_s, self._held = _State.DOWN, first_s, False
        self._first_s = None
        self._deaf_until_s = due_s + BOUNCE_S
        return Pressed(first_s)

    def _come_up(self) -> PressEvent | None:
        was = self._state
        late = was is _State.DOWN and self.stuck(self._since_s)
        self._state = _State.STUCK if late else _State.UP
        self._deaf_until_s = max(self._deaf_until_s, self._since_s + BOUNCE_S)
        return Released(self._since_s, self._held) if was is _State.DOWN else None

"""Levels of a contact -> presses. Pure: times come with the levels.

A press is a contact closed for :data:`CLOSED_S` in one go within
:data:`BOUNCE_S` of the first edge; it is stamped with that first edge, so that
"who was first" is decided by the finger and not by the debouncing. After it the
contact is not listened to for :data:`BOUNCE_S`.

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
    """Closed since before we looked: no press until it was released."""


class Contact:
    """One button's contact, from levels to presses.

    *hold_s* is its hold time. *closed* tells the level at the start: a button
    that is down then is no press. Levels must be fed in order of time, and
    :meth:`tick` only after all levels up to that time were fed.
    """

    def __init__(self, hold_s: float, *, closed: bool = False) -> None:
        self._hold_s = hold_s
        self._closed = closed
        self._since_s = float("-inf")
        self._state = _State.STUCK if closed else _State.UP
        self._first_s: float | None = None
        self._deaf_until_s = float("-inf")
        self._pressed_s = 0.0
        self._held = False

    def feed(self, at_s: float, closed: bool) -> tuple[PressEvent, ...]:
        """Take a level that began at *at_s*; return what became certain by then."""
        events = self.tick(at_s)
        if closed != self._closed:
            self._closed, self._since_s = closed, at_s
            if closed and self._state is _State.UP and at_s >= self._deaf_until_s:
                self._note_first_edge(at_s)
        return events

    def tick(self, now_s: float) -> tuple[PressEvent, ...]:
        """Return what became certain up to *now_s*, oldest first."""
        events: list[PressEvent] = []
        while (due_s := self.next_due_s) is not None and due_s <= now_s:
            event = self._pass(due_s)
            if event is not None:
                events.append(event)
        return tuple(events)

    @property
    def next_due_s(self) -> float | None:
        """When something becomes certain if the level stays; None: never."""
        if self._state is _State.UP:
            if not self._closed:
                return None
            return max(self._since_s + CLOSED_S, self._deaf_until_s)
        if not self._closed:
            return max(self._since_s + OPEN_S, self._deaf_until_s)
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
        self._state = _State.UP
        self._deaf_until_s = max(self._deaf_until_s, self._since_s + BOUNCE_S)
        return Released(self._since_s, self._held) if was is _State.DOWN else None

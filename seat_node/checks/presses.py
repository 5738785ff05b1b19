"""The press test: each button is asked for and must come, go, and be the right one."""

import enum
from collections.abc import Collection, Mapping
from typing import Final

from firmware.board import SEAT_PINS, Level
from firmware.finding import Finding, Translate, fault, fine
from firmware.header import PIN_OF
from firmware.press import Contact, Pressed, PressEvent, Released
from firmware.wire import Button

PRESS_S: Final = 20.0
"""Patience with a button that is asked for."""

RELEASE_S: Final = 5.0
"""How long a pressed one may stay down; longer, it is stuck."""

HOLD_S: Final = 3600.0
"""No hold is looked for here."""


class Pressing(enum.Enum):
    """How a button did."""

    WORKS = enum.auto()
    NOTHING = enum.auto()
    STUCK = enum.auto()
    """It is down and does not come up."""
    OTHER = enum.auto()
    """The other button's contact closed instead."""


class PressTest:
    """Asks for one button after the other. Pure: times come with the calls.

    *closed* are the *buttons* that are down at *now_s*. Levels must be fed in
    order of time.
    """

    def __init__(self, buttons: Collection[Button], closed: Collection[Button], now_s: float):
        self.results: dict[Button, Pressing] = {}
        self._contacts: Mapping[str, Contact] = {
            button: Contact(HOLD_S, closed_s=now_s if button in closed else None)
            for button in buttons
        }
        self._down = set(closed)
        self._left = [button for button in Button if button in buttons]
        self._pressed = False
        self._other = False
        self._due_s = now_s + PRESS_S

    @property
    def wanted(self) -> Button | None:
        """The button that is asked for; None: all have been."""
        return self._left[0] if self._left else None

    @property
    def waits_for_release(self) -> bool:
        """Whether the button came and should go."""
        return self._pressed

    @property
    def next_due_s(self) -> float:
        """When :meth:`tick` has something to do."""
        dues = (contact.next_due_s for contact in self._contacts.values())
        return min(due_s for due_s in (*dues, self._due_s) if due_s is not None)

    def feed(self, level: Level) -> None:
        """Take a level of a button."""
        if level.closed:
            self._down.add(Button(level.button))
        else:
            self._down.discard(Button(level.button))
        for event in self._contacts[level.button].feed(level.at_s, level.closed):
            self._take(Button(level.button), event)
        # A pin that hangs in the air gives levels without end.
        self._give_up(level.at_s)

    def tick(self, now_s: float) -> None:
        """Take what became certain up to *now_s*."""
        for button, contact in self._contacts.items():
            for event in contact.tick(now_s):
                self._take(Button(button), event)
        self._give_up(now_s)

    def _give_up(self, now_s: float) -> None:
        if self.wanted is not None and now_s >= self._due_s:
            self._end(self._verdict(self.wanted), now_s)

    def _verdict(self, button: Button) -> Pressing:
        if self._pressed or button in self._down:
            return Pressing.STUCK
        return Pressing.OTHER if self._other else Pressing.NOTHING

    def _take(self, button: Button, event: PressEvent) -> None:
        match event:
            case Pressed(at_s) if button is self.wanted and not self._pressed:
                self._pressed, self._due_s = True, at_s + RELEASE_S
            case Pressed() if button is not self.wanted:
                self._other = True
            case Released(at_s) if button is self.wanted and self._pressed:
                self._end(Pressing.WORKS, at_s)

    def _end(self, result: Pressing, at_s: float) -> None:
        self.results[self._left.pop(0)] = result
        self._pressed = self._other = False
        self._due_s = at_s + PRESS_S


def wire_of(t: Translate, button: Button) -> str:
    """Return where *button* is to be wired."""
    gpio = SEAT_PINS[button]
    text = t("{button} belongs between pin {pin} (GPIO{gpio}) and ground")
    return text.format(button=button.upper(), pin=PIN_OF[gpio], gpio=gpio)


def pressing(t: Translate, button: Button, result: Pressing) -> Finding:
    """Return what the press test found of *button*."""
    part, wire = button.upper(), wire_of(t, button)
    match result:
        case Pressing.WORKS:
            return fine(part, t("pressed and released"))
        case Pressing.NOTHING:
            return fault(part, t("no press came"), t("Check its wires: {wire}.").format(wire=wire))
        case Pressing.STUCK:
            remedy = t("It is stuck, or its wires touch: {wire}.").format(wire=wire)
            return fault(part, t("stays pressed"), remedy)
        case Pressing.OTHER:
            remedy = t("The wires of the two buttons are swapped: {wire}.").format(wire=wire)
            return fault(part, t("the other button answered"), remedy)

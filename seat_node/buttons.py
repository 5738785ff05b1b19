"""What presses mean at a seat, by the press mode and the list of the present cue.

A press belongs to the mode in which it began: one that began as an edge never
becomes a hold, and one that began by day says nothing by night.
Source: DESIGN 6.
"""

from collections.abc import Collection
from typing import Final, NamedTuple, Protocol

from firmware.board import Level
from firmware.press import SHOUT_HOLD_S, VOTE_HOLD_S, Contact, Held, Pressed, PressEvent, Released
from firmware.wire import (
    NIGHT_PRESSES_MAX,
    AskKind,
    Button,
    Cue,
    How,
    Pick,
    Picking,
    Press,
    PressMode,
)
from seat_node.listing import Listing

HOLD_S: Final = {Button.VOTE: VOTE_HOLD_S, Button.SHOUT: SHOUT_HOLD_S}


class Say(Protocol):
    """Says *what* to the table; *answered*: its answer is shown to the player."""

    def __call__(
        self, what: Press | Picking | Pick, made_s: float, cue: int, *, answered: bool
    ) -> None:
        """Say it."""
        ...


class _Down(NamedTuple):
    mode: PressMode
    at_s: float
    cue: int


class Buttons:
    """Both buttons of a seat, its open list and the presses of the night.

    *closed* are the buttons that are down at the start, at *now_s*.
    """

    def __init__(self, say: Say, closed: Collection[Button] = (), now_s: float = 0.0) -> None:
        self.listing: Listing | None = None
        self.held = False
        """VOTE is held outside of a list, and the table was told so."""
        self.round = 0
        """Night round that :attr:`night` belongs to."""
        self.night: list[float] = []
        """VOTE edges of this night round, oldest first."""
        self._say = say
        self._mode = PressMode.OFF
        self._cue = 0
        self._contacts = {
            button: Contact(HOLD_S[button], closed_s=now_s if button in closed else None)
            for button in Button
        }
        self._down: dict[Button, _Down] = {}
        self._let_go_s: float | None = None
        """When a hold ended that the table still takes for one."""

    def cue(self, cue: Cue) -> None:
        """Work by *cue* from now on."""
        self._mode, self._cue = cue.press, cue.id
        if cue.menu is None:
            self.listing = None
        elif self.listing is not None and self.listing.menu.id == cue.menu.id:
            self.listing.update(cue.menu)
        else:
            self.listing = Listing(cue.menu)
        if cue.ask is not None and cue.ask.kind is AskKind.NIGHT and cue.ask.round != self.round:
            self.round = cue.ask.round
            self.night.clear()
        self._tell_let_go()

    def level(self, level: Level) -> None:
        """Take a contact's change."""
        button = Button(level.button)
        for event in self._contacts[button].feed(level.at_s, level.closed):
            self._take(button, event)

    def tick(self, now_s: float) -> None:
        """Take what became certain up to *now_s*."""
        for button, contact in self._contacts.items():
            for event in contact.tick(now_s):
                self._take(button, event)

    @property
    def next_due_s(self) -> float | None:
        """When :meth:`tick` has something to do; None: never."""
        dues = (contact.next_due_s for contact in self._contacts.values())
        return min((due_s for due_s in dues if due_s is not None), default=None)

    def stuck(self, now_s: float) -> tuple[Button, ...]:
        """Return the buttons that are stuck, jammed or wired as the other kind."""
        return tuple(b for b, contact in self._contacts.items() if contact.stuck(now_s))

    @property
    def pressing(self) -> bool:
        """Whether a button is down that has not said yet what its press means."""
        return self._mode is PressMode.RELEASE and (
            self.held or any(down.mode is PressMode.RELEASE for down in self._down.values())
        )

    @property
    def list_open(self) -> bool:
        """Whether the player is in a list."""
        return self.listing is not None and self.listing.open

    def _take(self, button: Button, event: PressEvent) -> None:
        match event:
            case Pressed():
                self._down[button] = _Down(self._mode, event.at_s, self._cue)
                self._pressed(button, event.at_s)
            case Held():
                down = self._down.pop(button, None)
                if down is not None and down.mode is self._mode is PressMode.RELEASE:
                    self._hold(button, event.at_s)
            case Released():
                down = self._down.pop(button, None)
                if button is Button.VOTE and self.held:
                    self.held, self._let_go_s = False, event.at_s
                    self._tell_let_go()
                elif (
                    down is not None
                    and down.mode is self._mode is PressMode.RELEASE
                    and not event.after_hold
                ):
                    self._tap(button, down)

    def _pressed(self, button: Button, at_s: float) -> None:
        if self._mode is PressMode.EDGE:
            self._say(Press(button, How.EDGE), at_s, self._cue, answered=True)
        elif (
            self._mode is PressMode.NIGHT
            and button is Button.VOTE
            and len(self.night) < NIGHT_PRESSES_MAX
        ):
            self.night.append(round(at_s, 6))

    def _hold(self, button: Button, at_s: float) -> None:
        if button is Button.SHOUT:
            self._say(Press(button, How.HOLD), at_s, self._cue, answered=True)
        elif self.listing is not None and self.listing.open:
            pick = self.listing.hold()
            if pick is not None:
                self._say(pick, at_s, self._cue, answered=True)
        else:
            self.held, self._let_go_s = True, None
            self._say(Press(button, How.HOLD), at_s, self._cue, answered=False)

    def _tap(self, button: Button, down: _Down) -> None:
        if self.listing is not None and (button is Button.VOTE or self.listing.open):
            said = self.listing.tap() if button is Button.VOTE else self.listing.back()
            if said is not None:
                self._say(said, down.at_s, down.cue, answered=isinstance(said, Pick))
        else:
            self._say(Press(button, How.TAP), down.at_s, down.cue, answered=True)

    def _tell_let_go(self) -> None:
        # Not by night, when nothing that differs by seat is sent; then in the morning.
        if self._let_go_s is not None and self._mode in (PressMode.RELEASE, PressMode.EDGE):
            at_s, self._let_go_s = self._let_go_s, None
            self._say(Press(Button.VOTE, How.LET_GO), at_s, self._cue, answered=False)

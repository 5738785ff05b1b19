"""Accusations that seats are picking: first whom, then of what.

Half an accusation is nobody's business: it is on its own seat's hooded screen, here,
and nowhere else. Only the whole one becomes an action of the game. A restart loses it.
Source: RULES 2.2, DESIGN 6.
"""

import math
from typing import Final, NamedTuple

from firmware.clock import Clock
from firmware.press import SHOUT_HOLD_S
from firmware.wire import Button, Cue, How, Mark, Pick, Picking, Press
from table_controller import aside_cues
from table_controller.game import Action, actions
from table_controller.game.terms import Offence
from table_controller.game.views import charges, seat_view
from table_controller.playing import Playing
from table_controller.show import Show

PICK_S: Final = 20.0
"""A list in which nothing is chosen for so long closes by itself."""

OFFENCES: Final = tuple(Offence)
"""As the list shows them."""

_FIRST_MENU: Final = 10_000
"""Ids of these lists are above those of :func:`~table_controller.interpret.menu_id`."""


class _Half(NamedTuple):
    """What one seat has picked so far."""

    menu: int
    """Id of the list that is open: each is another one, so that no choice counts in two."""
    accused: int
    """0: the seat is still to be picked."""
    since_s: float


class Accusing:
    """The accusations that are being picked, by seat."""

    def __init__(self, clock: Clock, playing: Playing, show: Show) -> None:
        self._clock = clock
        self._playing = playing
        self._show = show
        self._halves: dict[int, _Half] = {}
        self._menus = _FIRST_MENU

    @property
    def halves(self) -> tuple[tuple[int, int], ...]:
        """Which seat has which list open: when that changes, its screen does."""
        return tuple((seat, half.menu) for seat, half in self._halves.items())

    def picks(self, seat: int) -> bool:
        """Tell whether *seat* is picking: its hand is then no sign for the room."""
        return seat in self._halves

    def look(self, now_s: float) -> None:
        """Forget what took too long, and what the game does not allow any more."""
        if self._halves:
            self._halves = {
                seat: half
                for seat, half in self._halves.items()
                if now_s < half.since_s + PICK_S and self._may_accuse(seat)
            }

    def due_s(self) -> float:
        """Return when the next one takes too long; infinity: none is being picked."""
        since_s = [half.since_s for half in self._halves.values()]
        return min(since_s, default=math.inf) + PICK_S

    def cue(self, seat: int, content: Cue, key: object) -> tuple[Cue, object]:
        """Return *content* with the list that *seat* picks from, if it does; and its key."""
        half, state = self._halves.get(seat), self._playing.state
        if half is None or state is None:
            return content, key
        of, words = charges(state, seat), self._show.words
        if half.accused:
            offences = of.get(half.accused, ())
            lines = [(n, offence) for n, offence in enumerate(OFFENCES, 1) if offence in offences]
            menu = aside_cues.offence_menu(half.menu, half.accused, lines, words)
        else:
            menu = aside_cues.accused_menu(half.menu, tuple(of), self._show.names, words)
        return aside_cues.accuse(content, menu, two_hands=not half.accused), (half, key)

    def take(
        self, seat: int, what: Press | Picking | Pick, when: tuple[float, float], now_s: float
    ) -> Action | Mark | None:
        """Take what *seat* did with its buttons: an accusation, an answer; None: not ours."""
        self.look(now_s)
        half = self._halves.get(seat)
        match what:
            case Press(button=Button.SHOUT, how=How.HOLD) if half is not None:
                del self._halves[seat]
                return Mark.ACCEPTED
            case Press(button=Button.SHOUT, how=How.HOLD) if self._may_accuse(seat):
                # Held to end the own floor, which ended meanwhile, it accuses nobody.
                if not self._playing.windows.may_shout(seat, when[1] - SHOUT_HOLD_S):
                    return Mark.NOTHING
                self._open(seat, 0, now_s)
                return Mark.ACCEPTED
            case Picking(menu=menu, open=False) if half is not None and menu == half.menu:
                del self._halves[seat]
                if half.accused:
                    self._open(seat, 0, now_s)
                return Mark.ACCEPTED
            case Pick(menu=menu, values=values) if half is not None and menu == half.menu:
                return self._picked(seat, half, values, now_s)
        return None

    def _picked(
        self, seat: int, half: _Half, values: tuple[int, ...], now_s: float
    ) -> Action | Mark:
        state = self._playing.state
        assert state is not None
        del self._halves[seat]
        of = charges(state, seat)
        match values:
            case (accused,) if not half.accused and accused in of:
                self._open(seat, accused, now_s)
                return Mark.ACCEPTED
            case (number,) if half.accused and 1 <= number <= len(OFFENCES):
                return actions.Accuse(seat, half.accused, OFFENCES[number - 1])
        return Mark.NOTHING

    def _open(self, seat: int, accused: int, now_s: float) -> None:
        self._menus += 1
        self._halves[seat] = _Half(self._menus, accused, now_s)

    def _may_accuse(self, seat: int) -> bool:
        state = self._playing.state
        return state is not None and self._playing.runs and seat_view(state, seat).may_accuse

"""Press to identify: which device stands at which seat.

Either the host lets one device show itself, or all are asked in turn: whoever
sits at seat 1 presses VOTE, then seat 2, and so on. A cable or a card in the
wrong place shows by that, and is put right.
"""

import enum
import math
from typing import Final

from firmware.wire import NODES
from firmware.words import N_
from table_controller.game import SEATS
from table_controller.game.views import PublicPhase, PublicView
from table_controller.host.refusal import Refused
from table_controller.nodes import Node, Nodes

IDENTIFY_S: Final = 10.0
"""How long a device shows itself unless the host says otherwise."""

IDENTIFY_MAX_S: Final = 120.0
"""The longest that it can be told to: its own screen is hidden meanwhile."""

PLACE_S: Final = 180.0
"""A seat is asked for no longer: a host who has gone away holds up no game."""

_SECRET: Final = (PublicPhase.LOOK, PublicPhase.NIGHT, PublicPhase.MORNING)
_VOTE: Final = (
    PublicPhase.READING,
    PublicPhase.BALLOT,
    PublicPhase.COUNTING,
    PublicPhase.LIFT,
    PublicPhase.MOTION,
)


class PlacingRefused(Refused):
    """The host ordered it at the wrong time, or of a device that is not there."""


class Identifying:
    """The devices that show themselves at the moment: number big, lamp fast."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._until_s: dict[str, float] = {}

    def order(self, seat: int, user: str, for_s: float, now_s: float) -> None:
        """Let the device of *seat*, or *user*, show itself for *for_s*, or no longer if it does.

        :raises PlacingRefused: if there is no such device on the link.
        """
        if seat in SEATS and not user:
            user = self._nodes.at(seat).user
        if user not in NODES or (seat and self._nodes.seat_of(user) != seat):
            raise PlacingRefused(N_("Choose a seat or a device of the kit."))
        if not 0 < for_s <= IDENTIFY_MAX_S:
            raise PlacingRefused(
                N_("A device shows itself for up to {most:g} s."), most=IDENTIFY_MAX_S
            )
        if self._until_s.pop(user, None) is not None:
            return
        if not self._nodes.by_user[user].online:
            raise PlacingRefused(N_("{user} is not on the link."), user=user)
        self._until_s[user] = now_s + for_s

    def look(self, public: PublicView | None, now_s: float) -> None:
        """End what is over, and all of it when it is not the time for it."""
        if why_not(public):
            self._until_s.clear()
        self._until_s = {
            user: until_s for user, until_s in self._until_s.items() if until_s > now_s
        }

    def shows(self, node: Node) -> bool:
        """Tell whether *node* shows itself."""
        return node.user in self._until_s

    @property
    def users(self) -> tuple[str, ...]:
        """Return who shows itself."""
        return tuple(self._until_s)

    def due_s(self) -> float:
        """Return when the next one ends; infinity: none shows itself."""
        return min(self._until_s.values(), default=math.inf)


def why_not(public: PublicView | None) -> str:
    """Return why no device may show itself now; "" if it may."""
    if public is None:
        return ""
    if public.phase in _SECRET:
        return N_("Not from the deal to the morning: lamps and screens tell nothing then.")
    if public.phase in _VOTE and not public.paused:
        return N_("Not in a vote: a lamp and a number say who is called. Pause first.")
    return ""


class PlaceStep(enum.StrEnum):
    """What the host wants of the placing."""

    BEGIN = "begin"
    SKIP = "skip"
    """Leave the seat asked for as it is."""
    FINISH = "finish"
    """Leave the rest as it is; what was pressed holds."""
    CANCEL = "cancel"
    """Leave everything as it was."""


class Placing:
    """Asks for one seat after the other; what was pressed holds once all were asked."""

    def __init__(self) -> None:
        self.asks = 0
        """The seat asked for; 0: nothing is."""
        self.placed: dict[str, int] = {}
        """By node: the seat that it was pressed for."""
        self.ended_s = -math.inf
        """When it asked last: a press that was made before was meant for it."""
        self._asked_s = 0.0

    @property
    def done(self) -> bool:
        """Tell whether all seats were asked for."""
        return self.asks not in (0, *SEATS)

    def due_s(self) -> float:
        """Return when it is given up; infinity: nothing is asked."""
        return self._asked_s + PLACE_S if self.asks else math.inf

    def begin(self, now_s: float) -> None:
        """Ask for seat 1, whatever was asked before."""
        self.asks, self._asked_s = SEATS[0], now_s
        self.placed.clear()

    def skip(self, now_s: float) -> None:
        """Ask for the next seat."""
        self.asks, self._asked_s = self.asks + 1, now_s

    def end(self, now_s: float) -> None:
        """Ask no more."""
        self.asks, self.ended_s = 0, now_s
        self.placed.clear()

    def press(self, node: Node, made_s: float, now_s: float) -> bool:
        """Take a press of *node*; tell whether it gets the seat asked for.

        One made before that seat was asked for was meant for another.
        """
        if node.user in self.placed or made_s < self._asked_s:
            return False
        self.placed[node.user] = self.asks
        self.skip(now_s)
        return True

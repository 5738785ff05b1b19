"""What the host, and a rehearsal, ask of the table, and how it is done or refused."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from firmware.clock import Clock
from firmware.errors import JournalError, KitError
from table_controller.asides import Asides
from table_controller.game import SEATS, Action, IllegalAction, Phase, actions
from table_controller.lost import LostSeats
from table_controller.nodes import Nodes
from table_controller.placing import IDENTIFY_S, PlaceStep, PlacingRefused
from table_controller.playing import Playing, UndoRefused
from table_controller.readiness import ReadinessRefused


class SwapRefused(KitError, ValueError):
    """The host named a seat or a node that the kit does not have."""


REFUSED: Final = (IllegalAction, UndoRefused, SwapRefused, PlacingRefused, ReadinessRefused)
"""Why an order is not carried out."""


@dataclass(frozen=True, slots=True)
class StepRequest:
    """A rehearsal asks to let the next countdown expire; *reply* gets its kind, or "" for none."""

    reply: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Undo:
    """Go back to right after the first *keep* actions of the game."""

    keep: int


@dataclass(frozen=True, slots=True)
class Swap:
    """Let *node* play for *seat*; a node that did becomes a spare or takes its seat."""

    seat: int
    node: str


@dataclass(frozen=True, slots=True)
class GoOn:
    """Wait no longer for the seats that are lost now: clocks run, a ballot is counted."""


@dataclass(frozen=True, slots=True)
class Identify:
    """Let the device of *seat*, or *node*, show itself for *for_s*; once more: end that."""

    seat: int = 0
    node: str = ""
    for_s: float = IDENTIFY_S


@dataclass(frozen=True, slots=True)
class Place:
    """Ask all devices in turn which of them is at seat 1, 2 ... 10, go on with that, or end it."""

    step: PlaceStep = PlaceStep.BEGIN


@dataclass(frozen=True, slots=True)
class Practice:
    """Practise a ballot now, or once more, before the deal."""


@dataclass(frozen=True, slots=True)
class SkipReadiness:
    """Wait no longer for buttons or practice: on to the deal."""


Order = Action | Undo | Swap | GoOn | Identify | Place | Practice | SkipReadiness


@dataclass(frozen=True, slots=True)
class HostOrder:
    """The host wants *action*; *reply* gets why it is refused, or "" when it is done."""

    action: Order
    reply: Callable[[str], None]


class Orders:
    """Carries out what the host orders; each order is answered once."""

    def __init__(
        self, clock: Clock, nodes: Nodes, playing: Playing, lost: LostSeats, asides: Asides
    ) -> None:
        self._clock = clock
        self._nodes = nodes
        self._playing = playing
        self._lost = lost
        self._asides = asides

    def take(self, order: HostOrder) -> None:
        """Carry *order* out, or answer why not."""
        if self._playing.state is None and not isinstance(order.action, Swap | Identify | Place):
            order.reply("there is no game")
            return
        try:
            match order.action:
                case Undo(keep=keep):
                    self._playing.undo(keep)
                case Swap(seat=seat, node=node):
                    self._swap(seat, node)
                case GoOn():
                    self._lost.without |= self._lost.now()
                    state = self._playing.state
                    if state and self._playing.runs and state.phase is Phase.ROLL_CALL:
                        self._playing.act(actions.CloseBallot(), self._clock.now_s())
                case Identify(seat=seat, node=node, for_s=for_s):
                    self._asides.identify(seat, node, for_s)
                case Place(step=step):
                    self._asides.place(step)
                case Practice():
                    self._asides.readiness.practise(self._clock.now_s())
                case SkipReadiness():
                    self._asides.readiness.skip(self._clock.now_s())
                case action:
                    self._playing.act(action, self._clock.now_s())
        except REFUSED as refused:
            order.reply(str(refused))
        except JournalError as refused:
            order.reply(str(refused))
            raise
        else:
            order.reply("")

    def _swap(self, seat: int, node: str) -> None:
        if seat not in SEATS or node not in self._nodes.by_user:
            raise SwapRefused(f"swap {seat} to {node!r}: expected a seat and a node of the kit")
        self._asides.swap(seat, node)

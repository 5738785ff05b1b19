"""Orders carried out on the table's loop: refused, in conflict with another host's, or done."""

import logging
import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from firmware.clock import Clock
from firmware.errors import JournalError
from firmware.words import N_
from table_controller.asides import Asides
from table_controller.game import SEATS, IllegalAction, Phase, Source, actions, countdowns
from table_controller.game.corrections import LEAST_LEFT_S, SHORTENED
from table_controller.game.floor import BY_DAY
from table_controller.host import orders
from table_controller.host.changes import TOLD_MAX, Change, Changes
from table_controller.host.lineups import Lineups, lineup_of
from table_controller.host.orders import ConsoleOrder, HostOrder, Order, Request
from table_controller.host.refusal import Refused
from table_controller.lost import LostSeats
from table_controller.misfits import check_kit
from table_controller.nodes import Nodes
from table_controller.playing import Playing, UndoRefused

ANSWERS_KEPT: Final = 100
"""Answers that are remembered, for an order that comes again."""

NO_GAME_NEEDED: Final = (
    orders.Swap,
    orders.Identify,
    orders.Place,
    orders.NewGame,
    orders.Rematch,
)

log = logging.getLogger(__name__)


REFUSED: Final = (Refused, IllegalAction)
"""Why an order is not carried out."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of an order; *step* is the table's after it."""

    step: int
    why: Exception | None = None
    """None: it is done."""
    changed: tuple[Change, ...] = ()
    """What has happened since the page was made."""


@dataclass(frozen=True, slots=True)
class ConsoleRequest:
    """An order of the host's page; *reply* gets its answer, on the table's loop."""

    request: Request
    reply: Callable[[Answer], None]


class Ordering:
    """Carries out what the host orders; each order is answered once, a repeated one again."""

    def __init__(
        self,
        clock: Clock,
        nodes: Nodes,
        playing: Playing,
        lost: LostSeats,
        asides: Asides,
        lineups: Lineups,
    ) -> None:
        self.changes: Changes = playing.changes
        self._clock = clock
        self._nodes = nodes
        self._playing = playing
        self._lost = lost
        self._asides = asides
        self._lineups = lineups
        self._answers: OrderedDict[str, tuple[ConsoleOrder, Answer]] = OrderedDict()
        self._served: dict[type, Callable[[Any], None]] = {}

    def serve(self, kind: type, do: Callable[[Any], None]) -> None:
        """Let *do* carry out the orders of this *kind*.

        It may raise :class:`Refused`. Without one such an order is refused.
        """
        self._served[kind] = do

    @property
    def served(self) -> tuple[type, ...]:
        """Return the kinds that :meth:`serve` was told of."""
        return tuple(self._served)

    def take(self, order: HostOrder) -> None:
        """Carry out what a rehearsal orders, or answer why not.

        :raises JournalError: if the disk refuses it; it is answered all the same.
        """
        before = self.changes.step
        try:
            self._do(order.action)
            if isinstance(order.action, ConsoleOrder):
                self.changes.ordered(order.action, before)
        except REFUSED as refused:
            order.reply(str(refused))
        except JournalError as refused:
            order.reply(str(refused))
            raise
        else:
            order.reply("")

    def take_request(self, item: ConsoleRequest) -> None:
        """Carry out an order of the host's page, or answer why not.

        :raises JournalError: as :meth:`take`.
        """
        request = item.request
        if (known := self._answers.get(request.id)) is not None:
            order, answered = known
            if order != request.order:
                other = Refused(N_("Another order has come under the same id."))
                answered = Answer(self.changes.step, other)
            item.reply(answered)
            return
        failed: JournalError | None = None
        try:
            answer = self._answer(request)
        except JournalError as error:
            answer, failed = Answer(self.changes.step, error), error
        self._answers[request.id] = (request.order, answer)
        while len(self._answers) > ANSWERS_KEPT:
            self._answers.popitem(last=False)
        item.reply(answer)
        if failed is not None:
            raise failed

    def _answer(self, request: Request) -> Answer:
        order, seen = request.order, request.step
        if not self.changes.knows(seen):
            return Answer(self.changes.step, Refused(N_("The page is too old; look again.")))
        if against := self.changes.against(order, seen):
            return Answer(
                self.changes.step,
                Refused(N_("Something has changed meanwhile.")),
                against[-TOLD_MAX:],
            )
        before = self.changes.step
        try:
            self._do(order)
        except REFUSED as refused:
            return Answer(self.changes.step, refused, self.changes.since(seen)[-TOLD_MAX:])
        self.changes.ordered(order, before)
        return Answer(self.changes.step)

    def _do(self, order: Order | ConsoleOrder) -> None:
        if (do := self._served.get(type(order))) is not None:
            do(order)
            return
        if self._playing.state is None and not isinstance(order, NO_GAME_NEEDED):
            raise Refused(N_("There is no game."))
        now_s = self._clock.now_s()
        match order:
            case orders.Undo(keep=keep):
                self._undo_to(keep)
            case orders.Swap(seat=seat, node=node):
                self._swap(seat, node)
            case orders.GoOn():
                self._go_on(now_s)
            case orders.Identify(seat=seat, node=node, for_s=for_s):
                self._asides.identify(seat, node, for_s)
            case orders.Place(step=step):
                self._asides.place(step)
            case orders.Practice():
                self._asides.readiness.practise(now_s)
            case orders.SkipReadiness():
                self._asides.readiness.skip(now_s)
            case orders.Accuse(seat=seat, offence=offence, severe=severe):
                grounds = actions.OpenGrounds(seat, offence, Source.HOST, severe)
                self._playing.act(grounds, now_s)
            case orders.NewGame() | orders.Rematch():
                self._begin(order)
            case actions.ShortenCountdown(countdown=countdown, by_s=by_s):
                self._check_left(countdown, by_s)
                self._playing.act(order, now_s)
            case (
                orders.Camera()
                | orders.NextLine()
                | orders.ReadOut()
                | orders.Volume()
                | orders.Music()
                | orders.Backup()
                | orders.Shutdown()
            ):
                raise Refused(N_("This table cannot do that."))
            case action:
                self._playing.act(action, now_s)

    def _check_left(self, countdown: int, by_s: float) -> None:
        """Refuse to take so much of a floor that its speaker could not come to an end.

        The rules know no time; whatever else is wrong with the order they tell.
        """
        state = self._playing.state
        floors = countdowns(state) if state is not None and state.phase in BY_DAY else ()
        if not any(each.id == countdown and each.kind in SHORTENED for each in floors):
            return
        left_s = self._playing.left_s(countdown)
        if left_s - by_s < LEAST_LEFT_S:
            raise Refused(
                N_("Only {left} s are left, and {least:g} s are to stay. End it instead."),
                left=math.floor(left_s),
                least=LEAST_LEFT_S,
            )

    def _begin(self, order: orders.NewGame | orders.Rematch) -> None:
        if self._playing.state is not None and not self._playing.over:
            raise Refused(N_("A game is being played. End it first."))
        if isinstance(order, orders.NewGame):
            self._lineups.choose(
                lineup_of(order.players, order.ids, fixed=order.fixed, ruleset=order.ruleset)
            )
        self._playing.start()

    def _undo_to(self, nth: int) -> None:
        """Go back to right after public step *nth* of the day, 0 the first."""
        targets = self._playing.past.targets if self._playing.undo_points() else ()
        if not 0 <= nth < len(targets):
            raise UndoRefused(N_("The game cannot go back to that any more."))
        self._playing.undo(targets[nth])

    def _go_on(self, now_s: float) -> None:
        state, lost = self._playing.state, self._lost.now() - self._lost.without
        counts = state is not None and self._playing.runs and state.phase is Phase.ROLL_CALL
        # By night no answer tells whose device is there.
        if self._playing.night or not (lost or counts):
            raise Refused(N_("No device is waited for."))
        self._lost.without |= lost
        if counts:
            self._playing.act(actions.CloseBallot(), now_s)

    def _swap(self, seat: int, node: str) -> None:
        if seat not in SEATS or node not in self._nodes.by_user:
            raise Refused(N_("Choose a seat and a device of the kit."))
        if self._nodes.at(seat).user == node:
            raise Refused(N_("That device plays for that seat already."))
        check_kit(self._nodes, node)
        if self._playing.night:
            # Whoever holds it would see what is that seat's alone, and nobody would see it done.
            raise Refused(N_("Pause the game first: by night no device changes its seat."))
        self._asides.swap(seat, node)

"""What the table does beside a game: readiness round, identify, placing of devices, accusing.

Each shows screens of its own over the game's, and takes presses before the game does.
"""

import contextlib
from typing import Final

from firmware.clock import Clock
from firmware.wire import Button, Cue, How, Mark, Press
from firmware.words import N_
from table_controller import aside_cues
from table_controller.accusing import Accusing
from table_controller.game import SEATS, Phase
from table_controller.game.views import PublicView, public_view
from table_controller.host.orders import Camera
from table_controller.host.refusal import Refused
from table_controller.kept_seats import KeptSeats
from table_controller.lost import LostSeats
from table_controller.nodes import Node
from table_controller.placing import Identifying, PlaceStep, Placing, PlacingRefused, why_not
from table_controller.playing import Playing
from table_controller.readiness import Readiness, Stage
from table_controller.scoreboard.board import BoardReadiness
from table_controller.show import Show

_TAPS: Final = (How.TAP, How.HOLD)


class Asides:
    """The asides of one table; *kept* is where the seats' devices are kept, None nowhere."""

    def __init__(
        self,
        clock: Clock,
        playing: Playing,
        show: Show,
        lost: LostSeats,
        kept: KeptSeats | None,
        *,
        readiness: bool,
    ) -> None:
        self.readiness = Readiness(playing, show, lost, on=readiness)
        self.identifying = Identifying(show.nodes)
        self.placing = Placing()
        self.accusing = Accusing(clock, playing, show)
        self._clock = clock
        self._playing = playing
        self._show = show
        self._nodes = show.nodes
        self._kept = kept
        self._shown: object = None
        show.aside = self

    # ---- what is shown ----

    def look(self) -> None:
        """Follow the game and the time, before anything is shown."""
        now_s = self._clock.now_s()
        self.readiness.look(now_s)
        self.accusing.look(now_s)
        # A public view is not made for nothing: this runs at every message.
        if self.identifying.users:
            self.identifying.look(self._public(), now_s)
        if self.placing.asks and (now_s >= self.placing.due_s() or not self.may_place):
            self.placing.end(now_s)

    def tick(self) -> None:
        """Show what time or presses have changed."""
        self.look()
        shown = self._state()
        if shown != self._shown:
            self._shown = shown
            self._show.everything(self._playing.state)

    def due_s(self) -> float:
        """Return when :meth:`tick` has something to do by itself; infinity: never."""
        return min(
            self.readiness.due_s(),
            self.identifying.due_s(),
            self.placing.due_s(),
            self.accusing.due_s(),
        )

    def cue(self, node: Node, content: Cue, key: object) -> tuple[Cue, object]:
        """Return what *node* shows instead of the game's *content*, or that; and its key."""
        if self.placing.asks:
            placed = self.placing.placed.get(node.user, 0)
            content = aside_cues.place(self.placing.asks, placed, self._show.words)
            return content, content
        if self.identifying.shows(node) and not why_not(self._public()):
            seat = self._nodes.seat_of(node.user)
            return aside_cues.identify(content, seat, node.user), ("identify", seat, key)
        seat = self._nodes.seat_of(node.user)
        stage, ballot = self.readiness.stage, self.readiness.ballot
        if not seat or not self._playing.runs:
            return content, key
        if stage is Stage.CHECK:
            content = aside_cues.check(self.readiness.seat(seat), self._show.words)
            return content, content
        if stage is Stage.PRACTICE and ballot is not None:
            content = aside_cues.practice(seat, ballot, self._show.words, self._clock.now_s())
            # The clock runs down at the seat by itself: only another step is news.
            return content, ("practice", ballot.number, ballot.since_s, ballot.result(seat))
        return self.accusing.cue(seat, content, key)

    def board(self) -> BoardReadiness | None:
        """Return what the room may read of the round."""
        return self.readiness.public()

    def _state(self) -> object:
        ballot = self.readiness.ballot
        return (
            self.readiness.view(),
            ballot and (ballot.number, ballot.since_s),
            self.identifying.users,
            self.placing.asks,
            self.accusing.halves,
        )

    def _public(self) -> PublicView | None:
        state = self._playing.state
        return public_view(state) if state else None

    # ---- presses ----

    def press(self, node: Node, press: Press, when: tuple[float, float]) -> Mark | None:
        """Take a press, and return the answer; None: it is the game's."""
        if not self.placing.asks:
            if when[1] < self.placing.ended_s:
                return Mark.LATE
            return self.readiness.press(node, self._nodes.seat_of(node.user), press, when)
        if press.button is not Button.VOTE or press.how not in _TAPS:
            return Mark.NOTHING
        if not self.placing.press(node, when[1], self._clock.now_s()):
            return Mark.LATE
        if self.placing.done:
            self._place()
        return Mark.ACCEPTED

    # ---- the host's orders ----

    def identify(self, seat: int, user: str, for_s: float) -> None:
        """Let a device show itself, or end that.

        :raises PlacingRefused: if it is not the time for it, or the device is not there.
        """
        if why := why_not(self._public()):
            raise PlacingRefused(why)
        self.identifying.order(seat, user, for_s, self._clock.now_s())

    def place(self, step: PlaceStep) -> None:
        """Begin to ask which device is at which seat, go on with it, or end it.

        :raises PlacingRefused: if it is not the time for it.
        """
        if step is PlaceStep.BEGIN:
            if not self.may_place:
                raise PlacingRefused(N_("Devices are placed before a deal or between games."))
            self.placing.begin(self._clock.now_s())
            return
        if not self.placing.asks:
            raise PlacingRefused(N_("No devices are being placed."))
        match step:
            case PlaceStep.SKIP:
                self.placing.skip(self._clock.now_s())
                if self.placing.done:
                    self._place()
            case PlaceStep.FINISH:
                self._place()
            case PlaceStep.CANCEL:
                self.placing.end(self._clock.now_s())

    def camera(self, order: Camera) -> None:
        """Let the camera of a seat look or not, in the next games and after a restart too.

        :raises Refused: if there is no such seat.
        """
        if order.seat not in SEATS:
            raise Refused(N_("Choose a seat of the table."))
        self._nodes.switch_camera(order.seat, on=order.on)
        if self._kept is not None:
            self._kept.save(self._nodes)
        # By night a cue to one seat alone would be seen.
        self._show.everything(self._playing.state, common=self._playing.night)

    def swap(self, seat: int, user: str) -> None:
        """Let *user* play for *seat* from now on, in the next games and after a restart too.

        :raises JournalError: if the disk refuses it; nothing has changed then.
        """
        self._playing.swap(seat, user)
        if self._kept is not None:
            self._kept.save(self._nodes)

    @property
    def may_identify(self) -> bool:
        """Tell whether a device may show itself now."""
        return not why_not(self._public())

    @property
    def may_place(self) -> bool:
        """Tell whether devices may be placed now."""
        state = self._playing.state
        return state is None or state.phase in (Phase.SEATING, Phase.OVER)

    def _place(self) -> None:
        """Give the devices their seats: each one that was pressed for takes it from another."""
        with contextlib.ExitStack() as stack:
            stack.callback(self.placing.end, self._clock.now_s())
            for user, seat in sorted(self.placing.placed.items(), key=lambda item: item[1]):
                if seat in SEATS and self._nodes.seat_of(user) != seat:
                    self.swap(seat, user)

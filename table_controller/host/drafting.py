"""Drafts the host's sheet from what the table knows. Pure but for what was drafted last."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from table_controller.absences import Absences
from table_controller.asides import Asides
from table_controller.game import SEATS, actions, host_actions
from table_controller.game.views import HostView, PublicPhase, host_view
from table_controller.host import orders
from table_controller.host.lineups import Lineups
from table_controller.host.notices import HostNotice, NoticeKind, Notices
from table_controller.host.offers import AT_NIGHT, next_orders, open_orders
from table_controller.host.ordering import Ordering
from table_controller.host.orders import ConsoleOrder
from table_controller.host.sheet import Lobby, LobbyPlayer, Sheet, SheetPlacing, SheetSeat, Spare
from table_controller.lost import FLOORS, LostSeats
from table_controller.misfits import misfit_kit
from table_controller.nodes import Node
from table_controller.playing import Playing
from table_controller.readiness import CameraState, Stage, camera_of
from table_controller.scoreboard.board import Board
from table_controller.show import Show

LOBBY: Final = "lobby"
"""The phase of a table without a game."""

PARTS: Final = {"shout": "shout", "lamp": "lamp", "screen": "screen", "eyes": "camera"}
"""What a seat may lack, by the name of its device, and in ours."""

OF_THE_TABLE: Final = frozenset(
    {
        NoticeKind.RECORD,
        NoticeKind.DISK_FULL,
        NoticeKind.DISK_TAKES,
        NoticeKind.LIGHTS_FAIL,
        NoticeKind.BUTTONS_FAIL,
        NoticeKind.VOICE_FAILS,
        NoticeKind.VOICE_BACK,
        NoticeKind.UNREAD,
        NoticeKind.CLUB_FAILS,
    }
)
"""Notices that tell nothing of a seat: they come by night too."""


class Drafting:
    """Drafts one sheet after the other; by night the seats stay as nightfall found them."""

    def __init__(
        self,
        playing: Playing,
        show: Show,
        notices: Notices,
        asides: Asides,
        absences: Absences,
        lost: LostSeats,
        lineups: Lineups,
        ordering: Ordering,
    ) -> None:
        self._playing = playing
        self._show = show
        self._notices = notices
        self._asides = asides
        self._absences = absences
        self._lost = lost
        self._lineups = lineups
        self._ordering = ordering
        self._last: Sheet | None = None

    def draft(self, now_s: float) -> Sheet:
        """Return the sheet of now."""
        playing, asides = self._playing, self._asides
        state = playing.state
        game = host_view(state) if state is not None else None
        night = game is not None and game.public.phase is PublicPhase.NIGHT
        before = self._last if night else None
        sheet = Sheet(
            step=playing.changes.step,
            phase=game.public.phase if game else LOBBY,
            paused=state is not None and state.paused,
            over=playing.over,
            halted=playing.halted,
            game=game,
            board=self._board(now_s),
            readiness=asides.readiness.view(),
            placing=SheetPlacing(asides.placing.asks, dict(asides.placing.placed)),
            identifying=asides.identifying.users,
            seats=_frozen(before.seats) if before else self._seats(now_s, night=night),
            spares=before.spares if before else self._spares(night=night),
            kit=self._show.nodes.kit,
            notices=self._told(before),
            undo=playing.past.steps() if playing.undo_points() else (),
            orders=()
            if playing.halted
            else open_orders(state, tuple(self._table_orders(night=night))),
            next=() if playing.halted else self._next(game),
            lobby=self._lobby(),
        )
        self._last = sheet
        return sheet

    def _board(self, now_s: float) -> Board | None:
        board = self._show.board
        if board is None or self._playing.state is None:
            return None
        return msgspec.structs.replace(board, clocks=self._show.clocks(board.game, now_s))

    def _seats(self, now_s: float, *, night: bool) -> tuple[SheetSeat, ...]:
        away = {each.seat: each.for_s for each in self._absences.away(now_s)}
        return tuple(self._seat(seat, away.get(seat, 0.0), night=night) for seat in SEATS)

    def _seat(self, seat: int, away_s: float, *, night: bool) -> SheetSeat:
        node = self._show.nodes.at(seat)
        return SheetSeat(
            seat=seat,
            name=self._show.names[seat - 1],
            user=node.user,
            # A table that starts at night has found nobody yet, and tells nothing till morning.
            online=node.online or night,
            kit="" if night else misfit_kit(node),
            lacks=tuple(
                name for part, name in PARTS.items() if node.boot and part not in node.parts
            ),
            camera="unknown" if night else _camera(node, off=self._show.nodes.camera_off(node)),
            away_s=away_s,
        )

    def _spares(self, *, night: bool) -> tuple[Spare, ...]:
        nodes = self._show.nodes
        return tuple(
            Spare(node.user, node.online, "" if night else misfit_kit(node))
            for node in nodes
            if not nodes.seat_of(node.user)
        )

    def _told(self, before: Sheet | None) -> tuple[HostNotice, ...]:
        if before is None:
            return self._notices.all
        stood = set(before.notices)
        return tuple(
            notice for notice in self._notices.all if notice in stood or notice.kind in OF_THE_TABLE
        )

    # ---- what is offered ----

    def _next(self, game: HostView | None) -> tuple[ConsoleOrder, ...]:
        playing = self._playing
        state = playing.state
        calls = state is not None and actions.CallAgain in host_actions(state)
        return next_orders(
            game,
            stage=self._asides.readiness.stage,
            waits=self._waits(game),
            back=len(playing.past.targets) - 1 if playing.over and playing.undo_points() else None,
            calls=calls,
        )

    def _waits(self, game: HostView | None) -> bool:
        """Tell whether a clock stands, or a count is held up, for a lost seat."""
        lost = self._lost.now() - self._lost.without
        if game is None or not lost:
            return False
        held = any(clock.kind in FLOORS and clock.seat in lost for clock in game.countdowns)
        return held or game.public.phase is PublicPhase.COUNTING

    def _table_orders(self, *, night: bool) -> Iterator[type[Any]]:
        """Yield the orders of the table that could be carried out now."""
        playing, asides = self._playing, self._asides
        served = self._ordering.served
        if playing.undo_points():
            yield orders.Undo
        if night:
            yield from (kind for kind in served if kind in AT_NIGHT)
            return
        yield from served
        if playing.state is None or playing.over:
            yield from (orders.NewGame, orders.Rematch)
        elif self._lost.now() - self._lost.without:
            yield orders.GoOn
        yield orders.Swap
        if asides.may_identify:
            yield orders.Identify
        if asides.may_place:
            yield orders.Place
        if asides.readiness.may_practise:
            yield orders.Practice
        if asides.readiness.stage in (Stage.CHECK, Stage.PRACTICE):
            yield orders.SkipReadiness

    def _lobby(self) -> Lobby | None:
        if self._playing.state is not None and not self._playing.over:
            return None
        now = self._lineups.now
        return Lobby(
            players=tuple(map(LobbyPlayer, now.ids, now.names)),
            rulesets=self._lineups.rulesets.names,
            ruleset=now.ruleset,
            fixed=now.fixed,
        )


def _frozen(seats: tuple[SheetSeat, ...]) -> tuple[SheetSeat, ...]:
    """Return *seats* as nightfall found them: by night nobody is away."""
    return tuple(msgspec.structs.replace(seat, away_s=0.0) for seat in seats)


def _camera(node: Node, *, off: bool) -> str:
    state = camera_of(node, off=off)
    if state in (CameraState.NONE, CameraState.OFF):
        return state.value
    unknown = (CameraState.DARK, CameraState.COVERED, CameraState.FAILS, CameraState.LOOKS)
    return "unknown" if state in unknown else "on"

"""Drafts the host's sheet from what the table knows. Pure but for what was drafted last."""

from typing import Final

import msgspec

from table_controller.absences import Absences
from table_controller.asides import Asides
from table_controller.game import SEATS, GameState, Source, actions
from table_controller.game.views import HostView, PublicPhase, host_view
from table_controller.nodes import Node
from table_controller.notices import HostNotice, NoticeKind, Notices
from table_controller.orders import ConsoleOrder
from table_controller.playing import Playing
from table_controller.readiness import CameraState, camera_of
from table_controller.scoreboard.board import Board
from table_controller.sheet import Sheet, SheetPlacing, SheetSeat, Spare
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
        NoticeKind.CLUB_FAILS,
    }
)
"""Notices that tell nothing of a seat: they come by night too."""


class Drafting:
    """Drafts one sheet after the other; by night the seats stay as nightfall found them."""

    def __init__(
        self, playing: Playing, show: Show, notices: Notices, asides: Asides, absences: Absences
    ) -> None:
        self._playing = playing
        self._show = show
        self._notices = notices
        self._asides = asides
        self._absences = absences
        self._last: Sheet | None = None

    def draft(self, now_s: float) -> Sheet:
        """Return the sheet of now."""
        state = self._playing.state
        game = _game(state)
        night = game is not None and game.public.phase is PublicPhase.NIGHT
        before = self._last if night and self._last and _is_night(self._last) else None
        asides = self._asides
        sheet = Sheet(
            step=self._playing.changes.step,
            phase=game.public.phase if game else LOBBY,
            paused=state is not None and state.paused,
            over=self._playing.over,
            halted=self._playing.halted,
            game=game,
            board=self._board(now_s),
            readiness=asides.readiness.view(),
            placing=SheetPlacing(asides.placing.asks, dict(asides.placing.placed)),
            identifying=asides.identifying.users,
            seats=before.seats if before else self._seats(now_s, night=night),
            spares=before.spares if before else self._spares(),
            notices=self._told(before),
            undo=self._playing.past.steps() if self._playing.undo_points() else (),
            orders=open_orders(state, self._playing),
            next=(),
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
            lacks=tuple(
                name for part, name in PARTS.items() if node.boot and part not in node.parts
            ),
            camera="unknown" if night else _camera(node),
            away_s=away_s,
        )

    def _spares(self) -> tuple[Spare, ...]:
        nodes = self._show.nodes
        return tuple(
            Spare(node.user, node.online) for node in nodes if not nodes.seat_of(node.user)
        )

    def _told(self, before: Sheet | None) -> tuple[HostNotice, ...]:
        if before is None:
            return self._notices.all
        stood = set(before.notices)
        return tuple(
            notice for notice in self._notices.all if notice in stood or notice.kind in OF_THE_TABLE
        )


def _is_night(sheet: Sheet) -> bool:
    return sheet.phase == PublicPhase.NIGHT


def _game(state: GameState | None) -> HostView | None:
    if state is None:
        return None
    view = host_view(state)
    if view.public.phase is not PublicPhase.NIGHT:
        return view
    # What a camera has seen by night is told after the morning call. Source: RULES 2.1.
    told = tuple(each for each in view.grounds if not each.by_night or each.source is Source.HOST)
    return msgspec.structs.replace(view, grounds=told)


def _camera(node: Node) -> str:
    state = camera_of(node)
    if state is CameraState.NONE:
        return "none"
    unknown = (CameraState.DARK, CameraState.COVERED, CameraState.FAILS, CameraState.LOOKS)
    return "unknown" if state in unknown else "on"


def open_orders(state: GameState | None, playing: Playing) -> tuple[str, ...]:
    """Return the names of the orders that would be taken now, of some seat at least."""
    names: list[type[ConsoleOrder]] = []
    if state is not None and not playing.over:
        names.append(actions.Resume if state.paused else actions.Pause)
    return tuple(str(kind.__struct_config__.tag) for kind in names)

"""What the room sees and hears: cues, board, public topics, lights, voice.

The only way out of the game: everything here is made from its views.
"""

import math
import secrets
from dataclasses import dataclass, field
from typing import Final, Protocol

import msgspec

from firmware import service
from firmware.card import GESTURES, GesturesCard
from firmware.clock import Clock
from firmware.link import Link
from firmware.wire import (
    CUE_SIZE,
    Answer,
    Ask,
    ClockFace,
    Cue,
    Gesture,
    Public,
    TopicKind,
    Topics,
    encode,
)
from firmware.words import Words
from table_controller import cues, deal
from table_controller.countdown import Countdowns
from table_controller.cue_parts import camera_off
from table_controller.game import SEATS, CountdownKind, Event, GameState
from table_controller.game.events import PUBLIC
from table_controller.game.views import PublicPhase, PublicView
from table_controller.lights import Lights
from table_controller.nodes import Node, Nodes
from table_controller.record.entries import Started
from table_controller.scoreboard.board import Board, BoardClock, BoardReadiness, BoardSeat, Notice
from table_controller.scoreboard.hub import Hub
from table_controller.viewing import Views
from table_controller.voice.phrases import Announcer, Voice
from table_controller.wording import gesture_meaning

GESTURE_S: Final = 3.0
"""How long a gesture stays on the board."""

_CUES_A_START: Final = 1 << 24
"""Ids of one start of the table begin at a random multiple of this, so that a press
which answers a cue of the start before is not taken for an answer to one of ours."""


class Aside(Protocol):
    """What the table does beside the game, and shows over it."""

    def look(self) -> None:
        """Follow the game and the time; called before everything is shown."""
        ...

    def cue(self, node: Node, content: Cue, key: object) -> tuple[Cue, object]:
        """Return what *node* shows instead of the game's *content*, or that; and its key."""
        ...

    def board(self) -> BoardReadiness | None:
        """Return what the room may read of it."""
        ...


@dataclass
class Show:
    """The table's outputs.

    *link* carries cues and public topics, *hub* the scoreboard, the others may
    be absent from a table: then they do nothing.
    """

    clock: Clock
    link: Link
    topics: Topics
    nodes: Nodes
    countdowns: Countdowns
    hub: Hub
    voice: Voice
    lights: Lights
    words: Words
    boot: str = field(default_factory=lambda: secrets.token_hex(4))
    """Made anew at each start of the table; cues carry it."""
    names: tuple[str, ...] = ("",) * len(SEATS)
    started: Started | None = None
    first_cue: int = field(default_factory=lambda: secrets.randbelow(1 << 24) * _CUES_A_START)
    ask: Ask | None = None
    """What every cue asks of the nodes at the moment."""
    board: Board | None = None
    notice: Notice = Notice.NONE
    gestures_on: GesturesCard = GESTURES
    """The club's table of gestures."""
    gestures: dict[int, tuple[Gesture, float]] = field(default_factory=dict)
    """By seat: the gesture of the moment and when it was seen."""
    aside: Aside | None = None
    views: Views = field(default_factory=Views)

    def __post_init__(self) -> None:
        self._announcer = Announcer(self.words)

    def events(self, events: tuple[Event, ...], state: GameState) -> None:
        """Say and publish what has just happened."""
        for phrase in self._announcer.of(events, state):
            self.voice.say(phrase)
        for event in events:
            if isinstance(event, PUBLIC):
                body = msgspec.Raw(msgspec.json.encode(event))
                self._publish_public(TopicKind.EVENT, Public("event", body), retain=False)

    def everything(self, state: GameState | None, *, common: bool = False) -> None:
        """Send each node its cue and the room its board, where they differ.

        With *common* every node gets its cue, at once and whatever is in it:
        the calls of the night.
        """
        if self.aside is not None:
            self.aside.look()
        public = self.views.public(state) if state else None
        # What the room reads first: it is one thing for all, the cues are ten.
        board = self._show_board(public)
        if board is not None:
            service.give_way()
        for node in self.nodes:
            self._send(node, state, public, always=common)
        if board is not None:
            self._publish_board(board)

    def node(self, node: Node, state: GameState | None, answer: Answer | None = None) -> None:
        """Send one node its cue again, with the answer to what it said."""
        public = self.views.public(state) if state else None
        self._send(node, state, public, answer, always=True)

    def answer(self, node: Node, state: GameState | None, answer: Answer) -> None:
        """Send one node the answer to what it said, on what it shows; :meth:`everything` follows.

        Whoever pressed waits for the answer, and a screen changes its strip sooner than
        all of it.
        """
        cue = node.cue
        if cue is None:
            self.node(node, state, answer)
            return
        now_s = self.clock.now_s()
        clock = cue.clock
        if clock is not None and clock.runs:
            left_s = max(0.0, clock.left_s - (now_s - node.cue_sent[cue.id]))
            clock = ClockFace(round(left_s, 3))
        id_ = self._next_id(node)
        cue = msgspec.structs.replace(
            cue, id=id_, heard=node.last, clock=clock, answer=answer, ask=None
        )
        node.sent(cue, now_s)
        self._publish_cue(node.user, cue)
        service.give_way()

    def rival(self, user: str, boot: str) -> None:
        """Tell *boot* that another device plays with its identity."""
        node = self.nodes.by_user[user]
        cue = Cue(
            boot=boot,
            id=self._next_id(node),
            heard=0,
            by=self.boot,
            back_off_s=node.send_away(boot, self.clock.now_s()),
        )
        self._publish_cue(user, cue)

    def republish(self, state: GameState | None) -> None:
        """Publish all retained topics again: the broker may have lost them."""
        if self.board is not None:
            self._publish_board(self.board)
        self.everything(state)

    def gestures_due_s(self) -> float:
        """Return when the oldest gesture leaves the board; infinity without one."""
        seen = [seen_s for _, seen_s in self.gestures.values()]
        return min(seen, default=math.inf) + GESTURE_S

    def forget_gestures(self, now_s: float) -> None:
        """Take the gestures off the board that have been there long enough."""
        self.gestures = {
            seat: (gesture, seen_s)
            for seat, (gesture, seen_s) in self.gestures.items()
            if seen_s + GESTURE_S > now_s
        }

    def _send(
        self,
        node: Node,
        state: GameState | None,
        public: PublicView | None,
        answer: Answer | None = None,
        *,
        always: bool = False,
    ) -> None:
        if not node.boot or not (node.there or always):
            return
        content, key = self._content(node, state, public)
        if self.aside is not None and node.fits:
            content, key = self.aside.cue(node, content, key)
        if self.nodes.camera_off(node):
            content, key = camera_off(content, self.words), (key, "camera off")
        if not always and key == node.cue_key:
            return
        cue = msgspec.structs.replace(
            content,
            boot=node.boot,
            id=self._next_id(node),
            heard=node.last,
            by=self.boot,
            answer=answer,
            ask=self.ask,
        )
        node.cue_key = key
        node.sent(cue, self.clock.now_s())
        self._publish_cue(node.user, cue)

    def _content(
        self, node: Node, state: GameState | None, public: PublicView | None
    ) -> tuple[Cue, object]:
        """Return the cue's content, and a key that is equal while it need not be sent again."""
        # A device that does not play is nobody's: by night it keeps dark as a spare does.
        seat = self.nodes.seat_of(node.user) if node.fits else 0
        if state is None or public is None or not seat:
            if public is not None and public.phase is PublicPhase.NIGHT and state is not None:
                # A spare node keeps the night like everybody else.
                seat = SEATS[0]
                view = msgspec.structs.replace(self.views.seat(state, seat), mates=(), don=0)
            else:
                kits = (node.version, self.nodes.kit)
                content = cues.idle(self.words) if node.fits else cues.misfit(*kits, self.words)
                return content, (content, self.ask)
        else:
            view = self.views.seat(state, seat)
        shown = cues.clock_of(view, public)
        left_s = self.countdowns.left_s(shown.id, self.clock.now_s()) if shown else None
        runs = self.countdowns.runs(shown.id) if shown else False
        setting = cues.Setting(
            self.words,
            self.names,
            left_s,
            runs,
            state.ruleset.away_s,
            self.gestures_on,
            state.ruleset.presence_at_night,
        )
        content = cues.cue(view, public, setting)
        # A clock runs down at the seat by itself: only another clock is news.
        clock_key = (shown.id, runs) if shown and content.clock else None
        return content, (msgspec.structs.replace(content, clock=None), clock_key, self.ask)

    def _next_id(self, node: Node) -> int:
        # Counted a node: a common counter would tell each node of the others' presses.
        node.cues += 1
        return self.first_cue + node.cues

    def _publish_cue(self, user: str, cue: Cue) -> None:
        payload = encode(cue, CUE_SIZE)
        self.link.publish(self.topics.of(TopicKind.CUE, user), payload, qos=1, retain=False)

    def _show_board(self, public: PublicView | None) -> Board | None:
        """Show the room its board and lights; return the board if it is another one."""
        # The music follows what is shown, whatever led there: a restart, an undo.
        night = public is not None and public.phase is PublicPhase.NIGHT and not public.paused
        self.voice.night(on=night)
        if public is None:
            return None
        board = self._board(public)
        # What is left of a clock is not news: a press that changes nothing in public, a vote
        # say, must not show as a new board.
        if self.board is not None and _stood(board) == _stood(self.board):
            return None
        self.board = board
        self.hub.publish(board)
        offline = frozenset(seat.seat for seat in board.seats if not seat.online)
        self.lights.show(public, offline)
        return board

    def _publish_board(self, board: Board) -> None:
        body = msgspec.Raw(msgspec.json.encode(board))
        self._publish_public(TopicKind.VIEW, Public("board", body), retain=True)

    def _board(self, public: PublicView) -> Board:
        now_s = self.clock.now_s()
        night = public.phase is PublicPhase.NIGHT
        # From nightfall to morning the seats stay as nightfall found them.
        was_night = self.board is not None and self.board.game.phase is PublicPhase.NIGHT
        frozen = self.board.seats if self.board and night and was_night else None
        over = public.phase is PublicPhase.OVER and not public.voided
        seed = self.started.seed if self.started else ""
        return Board(
            table=self.topics.root.rsplit("/", 1)[-1],
            game=public,
            seats=frozen or tuple(self._board_seat(seat, night=night) for seat in SEATS),
            clocks=self.clocks(public, now_s),
            commitment=deal.commitment(bytes.fromhex(seed)) if seed else "",
            seed=seed if over else "",
            notice=self.notice,
            readiness=self.aside.board() if self.aside is not None else None,
        )

    def clocks(self, public: PublicView, now_s: float) -> tuple[BoardClock, ...]:
        """Return the clocks of *public* as they stand at *now_s*, a shout's first."""
        return tuple(
            BoardClock(
                kind=countdown.kind,
                seat=countdown.seat,
                left_s=self.countdowns.left_s(countdown.id, now_s),
                length_s=self.countdowns.length_s(countdown.id),
                runs=self.countdowns.runs(countdown.id),
            )
            for countdown in sorted(
                public.countdowns, key=lambda each: each.kind is not CountdownKind.SHOUT
            )
        )

    def _board_seat(self, seat: int, *, night: bool) -> BoardSeat:
        # A table that starts at night has found nobody yet: it tells nothing of links till morning.
        online = self.nodes.at(seat).online or (night and self.board is None)
        gesture, _ = self.gestures.get(seat, (None, 0.0))
        if gesture is None or night:
            return BoardSeat(seat, self.names[seat - 1], online)
        said = self.gestures_on.meaning(gesture.name)
        meaning = said or gesture_meaning(gesture.name, self.words)
        return BoardSeat(seat, self.names[seat - 1], online, gesture.name, gesture.number, meaning)

    def _publish_public(self, kind: TopicKind, message: Public, *, retain: bool) -> None:
        self.link.publish(self.topics.of(kind), encode(message), qos=1, retain=retain)


def _stood(board: Board) -> Board:
    """Return *board* as if no time passed on its clocks."""
    clocks = tuple(msgspec.structs.replace(clock, left_s=0.0) for clock in board.clocks)
    return msgspec.structs.replace(board, clocks=clocks)

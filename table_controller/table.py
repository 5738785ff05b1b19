"""The table: one inbox, one loop.

``take`` an item: interpret what it says, and let the game act on it. Everything
runs on the loop's thread.
"""

import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from firmware.clock import Clock
from firmware.errors import JournalError, KitError, WireError
from firmware.link import BEAT_S, Linked, Received, Unlinked
from firmware.wire import (
    KEPT,
    Answer,
    Button,
    Gesture,
    GestureName,
    Health,
    How,
    Mark,
    NightAnswer,
    Pick,
    Picking,
    Present,
    Press,
    RollCall,
    Said,
    Status,
    TopicKind,
    decode,
)
from table_controller.game import SEATS, Action, IllegalAction, Phase, Refusal, actions
from table_controller.game.views import public_view, seat_view
from table_controller.interpret import Late, interpret
from table_controller.journals import Journals
from table_controller.lost import LostSeats
from table_controller.nodes import ALIVE_S, Node, Taken
from table_controller.notices import Notices
from table_controller.playing import Playing, Terms, UndoRefused
from table_controller.scoreboard.board import Notice
from table_controller.show import Show

log = logging.getLogger(__name__)

LATE: Final = (Refusal.NOT_CALLED, Refusal.WRONG_PHASE, Refusal.LOCKED)
"""Refusals that a player is told as "too late"."""

UNLINKED_S: Final = 3.0
"""A broker away for longer pauses the game; a shorter gap only delays presses."""

BEATS_LOST: Final = 5
"""So many beats in a row without an answer: the link is up and carries nothing."""

LOG_S: Final = 60.0
"""Messages that are not of the kit are logged no more often. Source: DESIGN 5."""


class SwapRefused(KitError, ValueError):
    """The host named a seat or a node that the kit does not have."""


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
class HostOrder:
    """The host wants *action*; *reply* gets why it is refused, or "" when it is done."""

    action: Action | Undo | Swap | GoOn
    reply: Callable[[str], None]


Item = Received | Linked | Unlinked | StepRequest | HostOrder


class Table:
    """One table, with a game or between games."""

    def __init__(self, *, clock: Clock, journals: Journals, terms: Terms, show: Show) -> None:
        self.notices = Notices(clock, show.words)
        self.playing = Playing(
            clock=clock, journals=journals, terms=terms, show=show, notices=self.notices
        )
        self.lost = LostSeats(self.playing, show, self.notices)
        self.refused = 0
        """Messages that were not of the kit, since the start."""
        self._clock = clock
        self._show = show
        self._nodes = show.nodes
        self._steps: list[StepRequest] = []
        self._stepped: tuple[StepRequest, str] | None = None
        self._unlinked_s: float | None = None
        self._beat_s = clock.now_s()
        self._drops = show.link.drops
        self._refused_logged_s = float("-inf")

    # ---- the loop ----

    def take(self, item: Item) -> None:
        """Take one item of the inbox."""
        with self.playing.halting():
            self._take(item)

    def _take(self, item: Item) -> None:
        match item:
            case Received():
                self._receive(item)
            case Linked():
                self._unlinked_s = None
                if self._show.notice is Notice.LINK_LOST:
                    self._show.notice = Notice.NONE
                self._show.republish(self.playing.state)
            case Unlinked(at_s=at_s):
                self._unlinked_s = at_s if self._unlinked_s is None else self._unlinked_s
                self._show.notice = Notice.LINK_LOST
                for node in self._nodes:
                    node.online = False
                self._show.everything(self.playing.state)
            case StepRequest():
                self._steps.append(item)
            case HostOrder():
                self._order(item)
        self.lost.look(self._clock.now_s())
        self._serve_steps()

    def tick(self) -> None:
        """Do what is due."""
        with self.playing.halting():
            self._tick()

    def _tick(self) -> None:
        now_s = self._clock.now_s()
        self.playing.tick(now_s)
        if now_s >= self._beat_s + BEAT_S:
            self._beat_s = now_s
            self._beat(now_s)
        if self._show.gestures_due_s() <= now_s:
            self._show.forget_gestures(now_s)
            self._show.everything(self.playing.state)
        for node in self._nodes.silent(now_s):
            log.warning("%s was not heard for %g s: it is taken for lost", node.user, ALIVE_S)
            node.online = node.holding = False
            self._show.everything(self.playing.state)
        unlinked_s = self._unlinked_s
        if self.playing.runs and unlinked_s is not None and now_s >= unlinked_s + UNLINKED_S:
            self.playing.act(actions.Pause(), now_s)
        self.lost.look(now_s)
        self._serve_steps()

    def _beat(self, now_s: float) -> None:
        """Feel the link's pulse: repair it, pause a game that it does not carry."""
        link, show = self._show.link, self._show
        if not link.healthy(now_s) or link.drops > self._drops:
            # What was dropped, a cue or a view, is published anew on a new connection.
            self._drops = link.drops
            link.reset()
        if link.unanswered >= BEATS_LOST and self.playing.runs:
            show.notice = Notice.LINK_LOST
            self.playing.act(actions.Pause(), now_s)
        elif link.linked and not link.unanswered and show.notice is Notice.LINK_LOST:
            show.notice = Notice.NONE
            show.everything(self.playing.state)
        link.beat()

    def next_due_s(self) -> float:
        """Return when :meth:`tick` has something to do next."""
        due = [
            self._beat_s + BEAT_S,
            self._show.gestures_due_s(),
            self._nodes.silent_due_s(),
            self.lost.due_s(),
            self.playing.next_due_s(),
        ]
        if self.playing.runs and self._unlinked_s is not None:
            due.append(self._unlinked_s + UNLINKED_S)
        return min(due)

    def _order(self, order: HostOrder) -> None:
        if self.playing.state is None and not isinstance(order.action, Swap):
            order.reply("there is no game")
            return
        try:
            match order.action:
                case Undo(keep=keep):
                    self.playing.undo(keep)
                case Swap(seat=seat, node=node):
                    self._swap(seat, node)
                case GoOn():
                    self.lost.without |= self.lost.now()
                    state = self.playing.state
                    if state and self.playing.runs and state.phase is Phase.ROLL_CALL:
                        self.playing.act(actions.CloseBallot(), self._clock.now_s())
                case action:
                    self.playing.act(action, self._clock.now_s())
        except (IllegalAction, UndoRefused, SwapRefused) as refused:
            order.reply(str(refused))
        except JournalError as refused:
            order.reply(str(refused))
            raise
        else:
            order.reply("")

    def _swap(self, seat: int, node: str) -> None:
        if seat not in SEATS or node not in self._nodes.by_user:
            raise SwapRefused(f"swap {seat} to {node!r}: expected a seat and a node of the kit")
        self.playing.swap(seat, node)
        self.playing.close_when_all_answered()

    # ---- what arrives ----

    def _receive(self, item: Received) -> None:
        # What was due before it arrived comes first, whichever the loop gets to see first.
        self.playing.tick(item.at_s)
        try:
            kind, user = self._show.topics.parse(item.topic)
            message = decode(kind, item.payload)
            if kind not in (TopicKind.STATUS, TopicKind.SAID, TopicKind.HEALTH):
                return
            if user not in self._nodes.by_user:
                raise WireError(f"user {user!r}: no node of this kit")
        except WireError as error:
            self._refuse(error, item.at_s)
            return
        match message:
            case Status():
                taken = self._nodes.status(user, message, item.at_s, kept=item.retained)
                self._there(user, message.boot, taken)
                if not message.online:
                    self._show.everything(self.playing.state)
            case Said():
                self._said(user, message, item.at_s)
            case Health():
                self._there(user, message.boot, self._nodes.health(user, message, item.at_s))

    def _refuse(self, error: WireError, at_s: float) -> None:
        self.refused += 1
        if at_s >= self._refused_logged_s + LOG_S:
            self._refused_logged_s = at_s
            log.warning("%d messages refused so far, the last: %s", self.refused, error)

    def _there(self, user: str, boot: str, taken: Taken) -> None:
        """Give *boot* its cue when it is there (again), or send it away."""
        node = self._nodes.by_user[user]
        if taken is Taken.RIVAL:
            self.notices.twins(user, self._nodes.seat_of(user), plays=node.boot, leaves=boot)
            self._show.rival(user, boot)
        elif taken is Taken.NEW:
            # What it said last may have been answered to a cue that never came.
            mark = node.answers.get(node.last)
            if mark is None and f"{node.boot}:{node.last}" in self._nodes.journalled:
                mark = Mark.ACCEPTED
            answer = Answer(node.last, mark) if mark and not self.playing.night else None
            self._show.node(node, self.playing.state, answer)
            self._show.everything(self.playing.state)

    def _said(self, user: str, said: Said, at_s: float) -> None:
        node = self._nodes.by_user[user]
        back = not node.online or said.boot != node.boot
        taken = self._nodes.said(user, said, at_s)
        if back and taken is not Taken.RIVAL:
            self._there(user, said.boot, Taken.NEW)
        match taken:
            case Taken.RIVAL:
                self._there(user, said.boot, Taken.RIVAL)
            case Taken.REPEAT:
                known = Mark.ACCEPTED if said.id in self._nodes.journalled else Mark.NOTHING
                self.playing.answer(node, said.n, node.answers.get(said.n, known))
            case Taken.NEW if self.playing.halted:
                # Its node keeps it, and shows that it waits.
                pass
            case Taken.NEW if isinstance(said.what, KEPT):
                if (mark := self._kept(node, said, at_s)) is not None:
                    self.playing.answer(node, said.n, mark)
                self._all_hold()
            case Taken.NEW:
                self._not_kept(node, said, at_s)
        self.playing.close_when_all_answered()

    def _kept(self, node: Node, said: Said, at_s: float) -> Mark | None:
        """Act on a kept message; return the answer to it, None when it is given already."""
        seat = self._nodes.seat_of(node.user)
        match said.what:
            case Present(state=presence):
                node.presence = presence
                return Mark.ACCEPTED
            case Press(button=Button.VOTE, how=How.HOLD):
                node.holding = True
            case Press(button=Button.VOTE, how=How.LET_GO):
                node.holding = False
        state = self.playing.state
        if state is None or not seat or not isinstance(said.what, Press | Picking | Pick):
            return Mark.NOTHING
        when = node.dated(said.made_s, said.cue, at_s)
        view, public = seat_view(state, seat), public_view(state)
        action = interpret(said.what, when, view, public, self.playing.windows)
        if action is None:
            return Mark.NOTHING
        if isinstance(action, Late):
            return Mark.LATE
        try:
            self.playing.act(action, at_s, said.id, heard=(node, said.n))
        except IllegalAction as refused:
            return Mark.LATE if refused.refusal in LATE else Mark.NOTHING
        return None

    def _not_kept(self, node: Node, said: Said, at_s: float) -> None:
        seat = self._nodes.seat_of(node.user)
        match said.what:
            case RollCall(ask=ask, last=last):
                node.answered, node.roll = ask, last
            case NightAnswer():
                node.answered = max(node.answered, said.what.ask)
                if seat and self.playing.state is not None:
                    self._night_presses(node, seat, said.what, said, at_s)
            # The forbidden one is grounds, never news for the room.
            case Gesture(name=name) if name is not GestureName.FORBIDDEN:
                if self.playing.runs and not self.playing.night and self.playing.lives(seat):
                    self._show.gestures[seat] = (said.what, at_s)
                    self._show.everything(self.playing.state)

    def _night_presses(
        self, node: Node, seat: int, answer: NightAnswer, said: Said, at_s: float
    ) -> None:
        """Take the presses of a night answer that were not taken before, in their order."""
        if answer.round != self.playing.asking.serial:
            return
        round_, taken = node.night_taken
        if round_ != answer.round:
            taken = 0
        for index in range(taken, len(answer.presses)):
            number = self.playing.windows.of(*node.dated(answer.presses[index], 0, at_s))
            if number is not None:
                msgid = f"{said.boot}:night{answer.round}.{index}"
                if msgid in self._nodes.journalled:
                    continue
                with contextlib.suppress(IllegalAction):
                    self.playing.act(actions.PressAtNight(seat, number), at_s, msgid)
        node.night_taken = (answer.round, max(taken, len(answer.presses)))

    def _all_hold(self) -> None:
        """Start, go on or play again when everybody holds VOTE."""
        state = self.playing.state
        over = state is None or self.playing.over
        if not over and not (state and state.paused):
            return
        seats = [seat for seat in SEATS if over or self.playing.lives(seat)]
        nodes = [self._nodes.at(seat) for seat in seats if seat not in self.lost.without]
        if not all(node.holding for node in nodes):
            return
        for node in self._nodes:
            node.holding = False
        if over:
            self.playing.start()
        else:
            self.playing.act(actions.Resume(), self._clock.now_s())

    def _serve_steps(self) -> None:
        if self._stepped and not self.playing.asking.unanswered():
            request, kind = self._stepped
            self._stepped = None
            request.reply(kind)
        if self._steps and not self._stepped and not self.playing.asking.unanswered():
            request = self._steps.pop(0)
            countdown = None
            with self.playing.halting():
                countdown = self.playing.expire()
            if countdown is None:
                request.reply("")
            else:
                self._stepped = (request, str(countdown.kind))
                self._serve_steps()

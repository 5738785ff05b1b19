"""The table: one inbox, one loop.

``take`` an item: interpret it, apply it, journal it, and only then assign the
state and show it. Everything runs on the loop's thread.
"""

import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from firmware.clock import Clock
from firmware.errors import WireError
from firmware.link import BEAT_S, Linked, Received, Unlinked
from firmware.wire import (
    KEPT,
    Answer,
    Ask,
    AskKind,
    Button,
    Gesture,
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
from table_controller import deal
from table_controller.game import (
    SEATS,
    Action,
    Countdown,
    Event,
    GameState,
    IllegalAction,
    Phase,
    Refusal,
    Ruleset,
    actions,
    apply,
    countdowns,
    new_game,
    replay,
)
from table_controller.game.events import (
    AllReady,
    BallotClosed,
    MorningCame,
    NumberCalled,
    RollCalled,
    RoundBegan,
    RoundCalled,
)
from table_controller.game.views import PublicPhase, public_view, seat_view
from table_controller.interpret import Late, Windows, interpret
from table_controller.journal import Acted, Journal, Journals, Started, Swapped
from table_controller.nodes import Node, Taken
from table_controller.show import Show

log = logging.getLogger(__name__)

NOTE_S: Final = 0.5
"""How often the running clocks are noted on disk. Source: DESIGN 7."""

ASK_S: Final = 1.0
"""How often an unanswered roll call is asked again."""

LATE: Final = (Refusal.NOT_CALLED, Refusal.WRONG_PHASE, Refusal.LOCKED)
"""Refusals that a player is told as "too late"."""

UNLINKED_S: Final = 3.0
"""A broker away for longer pauses the game; a shorter gap only delays presses."""


@dataclass(frozen=True, slots=True)
class StepRequest:
    """A rehearsal asks to let the next countdown expire; *reply* gets its kind, or "" for none."""

    reply: Callable[[str], None]


Item = Received | Linked | Unlinked | StepRequest


@dataclass(frozen=True, slots=True)
class Terms:
    """What the table's games are played with."""

    ruleset: Ruleset
    names: tuple[str, ...]
    """Ten players, not yet seated."""
    version: str
    rehearsal_seed: int | None = None


class Table:
    """One table, with a game or between games."""

    def __init__(self, *, clock: Clock, journals: Journals, terms: Terms, show: Show) -> None:
        self._clock = clock
        self._journals = journals
        self._terms = terms
        self._show = show
        self._nodes = show.nodes
        self._countdowns = show.countdowns
        self._windows = Windows()
        self._journal: Journal | None = None
        self._state: GameState | None = None
        self._games = 0
        self._serial = 0
        self._asks = 0
        self._asked_s = 0.0
        self._holding: set[int] = set()
        self._steps: list[StepRequest] = []
        self._stepped: tuple[StepRequest, str] | None = None
        self._unlinked_s: float | None = None
        self._noted_s = self._beat_s = clock.now_s()
        self.refused = 0
        """Messages that were not of the kit, since the start."""

    @property
    def over(self) -> bool:
        """Tell whether a game has been played to its end and none has begun since."""
        return self._state is not None and self._state.phase is Phase.OVER

    # ---- life of a game ----

    def resume(self) -> None:
        """Take up the game that the journal ends with, paused; do nothing without one."""
        journal = self._journals.current()
        if journal is None:
            return
        rows = list(journal.rows())
        started = rows[0].entry
        if not isinstance(started, Started):
            raise TypeError(f"journal {journal.path}: does not begin with a start")
        for row in rows:
            if row.msgid:
                boot, _, number = row.msgid.partition(":")
                if number.isdigit():
                    self._nodes.heard[boot] = max(self._nodes.heard.get(boot, 0), int(number))
            if isinstance(row.entry, Swapped):
                self._nodes.assign(row.entry.seat, row.entry.node)
        acted = [row.entry.action for row in rows if isinstance(row.entry, Acted)]
        self._begin(journal, started, replay(started.ruleset, acted))
        for countdown, left_s in journal.lefts().items():
            self._countdowns.restore(countdown, left_s)
        if self._state is not None and not self.over and not self._state.paused:
            self._act(actions.Pause(), self._clock.now_s())
        log.info("game %s goes on after %d entries", started.game, len(rows))

    def start(self) -> None:
        """Seat the players at random and begin a new game."""
        number = self._terms.rehearsal_seed
        seed = deal.fresh_seed() if number is None else deal.rehearsal_seed(number + self._games)
        utc = self._clock.wall()
        started = Started(
            format=1,
            version=self._terms.version,
            game=f"{utc:%Y%m%d-%H%M%S}-{deal.commitment(seed)[:8]}",
            ruleset=self._terms.ruleset,
            names=deal.seating(seed, self._terms.names),
            seed=seed.hex(),
            nodes=self._nodes.users(),
        )
        if self._journal:
            self._journal.close()
        self._games += 1
        self._begin(self._journals.create(started, utc), started, new_game(started.ruleset))
        log.info("game %s begins", started.game)

    def close(self) -> None:
        """Close the journal."""
        if self._journal:
            self._journal.close()

    def swap(self, seat: int, user: str) -> None:
        """Let the node *user* play for *seat*, from now on and after a restart."""
        if self._journal:
            self._journal.append(Swapped(seat, user), (), self._clock.wall())
        self._nodes.assign(seat, user)
        self._show.everything(self._state)

    def _begin(self, journal: Journal, started: Started, state: GameState) -> None:
        self._journal, self._state = journal, state
        self._show.names, self._show.started = started.names, started
        self._show.ask = None
        self._windows = Windows()
        self._countdowns.follow(countdowns(state), self._clock.now_s())
        self._show.everything(state)

    # ---- the loop ----

    def take(self, item: Item) -> None:
        """Take one item of the inbox."""
        match item:
            case Received():
                self._receive(item)
            case Linked():
                self._unlinked_s = None
                self._show.republish(self._state)
            case Unlinked(at_s=at_s):
                self._unlinked_s = at_s if self._unlinked_s is None else self._unlinked_s
                for node in self._nodes:
                    node.online = False
                self._show.everything(self._state)
            case StepRequest():
                self._steps.append(item)
        self._serve_steps()

    def tick(self) -> None:
        """Do what is due."""
        now_s = self._clock.now_s()
        while (due_s := self._countdowns.next_due_s()) is not None and due_s <= now_s:
            self._expire()
        if now_s >= self._noted_s + NOTE_S and self._journal and self._countdowns.first():
            self._noted_s = now_s
            self._journal.note_lefts(self._countdowns.lefts(now_s))
        if now_s >= self._beat_s + BEAT_S:
            self._beat_s = now_s
            if not self._show.link.healthy(now_s):
                self._show.link.reset()
            self._show.link.beat()
        if self._show.ask and now_s >= self._asked_s + ASK_S:
            self._ask_again(now_s)
        if self._show.gestures_due_s() <= now_s:
            self._show.forget_gestures(now_s)
            self._show.everything(self._state)
        unlinked = self._unlinked_s is not None and now_s >= self._unlinked_s + UNLINKED_S
        if unlinked and self._playing() and self._state and not self._state.paused:
            self._act(actions.Pause(), now_s)
        self._serve_steps()

    def next_due_s(self) -> float:
        """Return when :meth:`tick` has something to do next."""
        due = [self._beat_s + BEAT_S, self._show.gestures_due_s()]
        if (countdown_s := self._countdowns.next_due_s()) is not None:
            due.append(countdown_s)
        if self._countdowns.first():
            due.append(self._noted_s + NOTE_S)
        if self._show.ask:
            due.append(self._asked_s + ASK_S)
        if self._unlinked_s is not None and self._playing():
            due.append(max(self._unlinked_s + UNLINKED_S, self._clock.now_s() + NOTE_S))
        return min(due)

    def _playing(self) -> bool:
        return self._state is not None and not self.over

    # ---- what arrives ----

    def _receive(self, item: Received) -> None:
        try:
            kind, user = self._show.topics.parse(item.topic)
            message = decode(kind, item.payload)
            if kind not in (TopicKind.STATUS, TopicKind.SAID, TopicKind.HEALTH):
                return
            if user not in self._nodes.by_user:
                raise WireError(f"user {user!r}: no node of this kit")
        except WireError as error:
            self.refused += 1
            log.warning("refused: %s", error)
            return
        match message:
            case Status():
                self._status(user, message, item.at_s)
            case Said():
                self._said(user, message, item.at_s)
            case Health() if message.boot == self._nodes.by_user[user].boot:
                node = self._nodes.by_user[user]
                node.health, node.word_s = message, item.at_s

    def _status(self, user: str, status: Status, at_s: float) -> None:
        taken = self._nodes.status(user, status, at_s)
        if taken is Taken.RIVAL:
            log.warning("two devices play as %s; the second is told to leave", user)
            self._show.rival(user, status.boot)
            return
        if taken is Taken.NEW:
            self._show.node(self._nodes.by_user[user], self._state)
        else:
            self._holding.discard(self._nodes.seat_of(user))
        self._show.everything(self._state)

    def _said(self, user: str, said: Said, at_s: float) -> None:
        node = self._nodes.by_user[user]
        match self._nodes.said(user, said, at_s):
            case Taken.RIVAL:
                self._show.rival(user, said.boot)
            case Taken.REPEAT:
                self._answer(node, said.n, node.answers.get(said.n, Mark.NOTHING))
            case Taken.NEW if isinstance(said.what, KEPT):
                if (mark := self._kept(node, said, at_s)) is not None:
                    self._answer(node, said.n, mark)
                self._all_hold()
            case Taken.NEW:
                self._not_kept(node, said, at_s)
        self._close_when_all_answered()

    def _answer(self, node: Node, n: int, mark: Mark) -> None:
        """Tell the node what became of its message *n*."""
        node.last = max(node.last, n)
        node.answer(n, mark)
        if self._night():
            # A reply would tell the air who spoke: it rides in the next common cue.
            return
        self._show.node(node, self._state, Answer(n, mark))

    def _kept(self, node: Node, said: Said, at_s: float) -> Mark | None:
        """Act on a kept message; return the answer to it, None when it is given already."""
        seat = self._nodes.seat_of(node.user)
        match said.what:
            case Present(state=presence):
                node.presence = presence
                return Mark.ACCEPTED
            case Press(button=Button.VOTE, how=How.HOLD):
                self._holding.add(seat)
            case Press(button=Button.VOTE, how=How.LET_GO):
                self._holding.discard(seat)
        if self._state is None or not seat or not isinstance(said.what, Press | Picking | Pick):
            return Mark.NOTHING
        made_s = node.dated(said.made_s, said.cue, at_s)
        view = seat_view(self._state, seat)
        action = interpret(said.what, made_s, view, public_view(self._state), self._windows)
        if action is None:
            return Mark.NOTHING
        if isinstance(action, Late):
            return Mark.LATE
        try:
            self._act(action, at_s, said.id, heard=(node, said.n))
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
                if seat and self._state is not None:
                    self._night_presses(node, seat, said.what, said, at_s)
            case Gesture():
                if seat and self._state is not None and self._gestures_count(seat):
                    self._show.gestures[seat] = (said.what, at_s)
                    self._show.everything(self._state)

    def _gestures_count(self, seat: int) -> bool:
        assert self._state is not None
        return not self._night() and self._playing() and seat_view(self._state, seat).living

    def _night_presses(
        self, node: Node, seat: int, answer: NightAnswer, said: Said, at_s: float
    ) -> None:
        """Take the presses of a night answer that were not taken before, in their order."""
        if answer.round != self._serial:
            return
        round_, taken = node.night_taken
        if round_ != answer.round:
            taken = 0
        for index in range(taken, len(answer.presses)):
            made_s = node.dated(answer.presses[index], 0, at_s)
            number = self._windows.at(made_s)
            if number is not None:
                msgid = f"{said.boot}:night{answer.round}.{index}"
                with contextlib.suppress(IllegalAction):
                    self._act(actions.PressAtNight(seat, number), at_s, msgid)
        node.night_taken = (answer.round, max(taken, len(answer.presses)))

    def _all_hold(self) -> None:
        """Start, go on or play again when everybody holds VOTE."""
        state = self._state
        if state is None or state.phase is Phase.OVER:
            if self._holding.issuperset(SEATS):
                self._holding.clear()
                self.start()
        elif state.paused:
            living = {seat for seat in SEATS if seat_view(state, seat).living}
            if self._holding >= living:
                self._holding.clear()
                self._act(actions.Resume(), self._clock.now_s())

    # ---- acting ----

    def _act(
        self,
        action: Action,
        at_s: float,
        msgid: str | None = None,
        heard: tuple[Node, int] | None = None,
    ) -> None:
        """Apply, journal, assign, show; *at_s* is when it takes effect.

        *heard* is the kept message that asked for it: its answer goes out first.

        :raises IllegalAction: if the rules refuse it; nothing has changed then.
        """
        assert self._state is not None
        assert self._journal is not None
        state, events = apply(self._state, action)
        self._journal.append(Acted(action), events, self._clock.wall(), msgid)
        self._state = state
        self._countdowns.follow(countdowns(state), at_s)
        self._windows.follow(events, at_s)
        common = self._ask_of(events)
        if heard:
            self._answer(*heard, Mark.ACCEPTED)
        self._show.events(events, state)
        self._show.everything(state, common=common)
        if any(isinstance(event, AllReady) for event in events):
            assert self._show.started is not None
            roles = deal.roles(bytes.fromhex(self._show.started.seed))
            self._act(actions.Deal(roles), at_s)

    def _ask_of(self, events: tuple[Event, ...]) -> bool:
        """Set what the cues ask from now on; tell whether it is a call to all nodes."""
        common = False
        for event in events:
            match event:
                case RoundBegan(serial=serial):
                    self._serial = serial
                    self._new_ask(AskKind.NIGHT)
                    common = True
                case NumberCalled() | RoundCalled():
                    self._new_ask(AskKind.NIGHT)
                    common = True
                case RollCalled():
                    self._new_ask(AskKind.ROLL_CALL)
                case BallotClosed() | MorningCame():
                    self._show.ask = None
        return common

    def _new_ask(self, kind: AskKind) -> None:
        self._asks += 1
        self._asked_s = self._clock.now_s()
        self._show.ask = Ask(kind, self._asks, self._serial if kind is AskKind.NIGHT else 0)

    def _ask_again(self, now_s: float) -> None:
        self._asked_s = now_s
        if self._show.ask and self._show.ask.kind is AskKind.ROLL_CALL:
            for node in self._unanswered():
                self._show.node(node, self._state)

    def _close_when_all_answered(self) -> None:
        if self._state is None or self._state.phase is not Phase.ROLL_CALL or self._state.paused:
            return
        ask = self._show.ask
        nodes = [self._nodes.at(seat) for seat in SEATS if seat_view(self._state, seat).living]
        if ask and all(node.answered == ask.id and node.last >= node.roll for node in nodes):
            self._act(actions.CloseBallot(), self._clock.now_s())

    def _unanswered(self) -> list[Node]:
        ask = self._show.ask
        if ask is None or self._state is None:
            return []
        return [
            node
            for node in (self._nodes.at(seat) for seat in SEATS)
            if node.online and node.answered != ask.id
        ]

    def _expire(self) -> Countdown | None:
        first = self._countdowns.first()
        if first is None:
            return None
        due_s, countdown = first
        now_s = self._clock.now_s()
        # The next clock starts when this one was due; one that is stepped over ends now.
        at_s = now_s if self._countdowns.stepping else min(due_s, now_s)
        self._act(actions.Expire(countdown.id), at_s)
        return countdown

    def _serve_steps(self) -> None:
        if self._stepped and not self._unanswered():
            request, kind = self._stepped
            self._stepped = None
            request.reply(kind)
        if self._steps and not self._stepped and not self._unanswered():
            request = self._steps.pop(0)
            countdown = self._expire()
            if countdown is None:
                request.reply("")
            else:
                self._stepped = (request, str(countdown.kind))
                self._serve_steps()

    def _night(self) -> bool:
        return (
            self._state is not None
            and not self._state.paused
            and public_view(self._state).phase is PublicPhase.NIGHT
        )

"""The game that is being played: applied, journalled, assigned, and only then shown.

All that changes a game goes through :meth:`Playing.act`.
"""

import logging
import math
import secrets
from dataclasses import dataclass
from typing import Final

from firmware.clock import Clock
from firmware.errors import KitError
from firmware.wire import Answer, Ask, AskKind, Mark
from table_controller import deal
from table_controller.entries import FORMAT, Acted, Started, Swapped, Undone
from table_controller.game import (
    SEATS,
    Action,
    Countdown,
    Event,
    GameState,
    Phase,
    Ruleset,
    actions,
    apply,
    countdowns,
    new_game,
    replay,
    undo_points,
)
from table_controller.game.events import (
    BallotClosed,
    ListRead,
    MorningCame,
    MotionClosed,
    MotionPut,
    NumberCalled,
    Resumed,
    RollCalled,
    RoundBegan,
    RoundCalled,
)
from table_controller.game.views import PublicPhase, public_view, seat_view
from table_controller.interpret import Windows
from table_controller.journal import Journal
from table_controller.journals import Journals
from table_controller.nodes import Node
from table_controller.scoreboard.board import Notice
from table_controller.show import Show

log = logging.getLogger(__name__)

NOTE_S: Final = 0.5
"""How often the running clocks are noted on disk. Source: DESIGN 7."""

ASK_S: Final = 1.0
"""How often an unanswered roll call is asked again."""

HELD_UP_S: Final = 0.25
"""When the table shows a thing so much later than it was due, it begins when it is shown.

The room waits for the table: a card that stalls must not open a window, or end a
shout, of which nobody has heard.
"""


class UndoRefused(KitError, ValueError):
    """The host cannot go back that far."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What the table's games are played with."""

    ruleset: Ruleset
    names: tuple[str, ...]
    """Ten players, not yet seated."""
    version: str
    rehearsal_seed: int | None = None


class Playing:
    """The table's present game; between games there is none, or one that is over."""

    def __init__(self, *, clock: Clock, journals: Journals, terms: Terms, show: Show) -> None:
        self.state: GameState | None = None
        self.windows = Windows()
        self.serial = 0
        """Of the night round's present call."""
        self._clock = clock
        self._journals = journals
        self._terms = terms
        self._show = show
        self._nodes = show.nodes
        self._countdowns = show.countdowns
        self._journal: Journal | None = None
        self._acted: list[Action] = []
        """The actions so far that were not undone."""
        self._games = 0
        # Not from 0: an answer to the table before a restart must not pass for one to us.
        self._asks = secrets.randbelow(1 << 24) << 16
        self._asked_s = self._noted_s = clock.now_s()

    @property
    def over(self) -> bool:
        """Tell whether a game has been played to its end and none has begun since."""
        return self.state is not None and self.state.phase is Phase.OVER

    @property
    def runs(self) -> bool:
        """Tell whether a game is being played and not paused."""
        return self.state is not None and not self.over and not self.state.paused

    @property
    def night(self) -> bool:
        """Tell whether it is night, when nothing may tell who did what."""
        return (
            self.state is not None
            and self.runs
            and public_view(self.state).phase is PublicPhase.NIGHT
        )

    def lives(self, seat: int) -> bool:
        """Tell whether *seat* is in the game."""
        return self.state is not None and seat_view(self.state, seat).living

    # ---- from start to end ----

    def resume(self) -> None:
        """Take up the game that the journal ends with, paused; do nothing without one."""
        journal = self._journals.current()
        if journal is None:
            return
        started, *rows = journal.rows()
        if not isinstance(started.entry, Started):
            raise TypeError(f"journal {journal.path}: does not begin with a start")
        for seat, user in zip(SEATS, started.entry.nodes, strict=True):
            self._nodes.assign(seat, user)
        for row in rows:
            if row.msgid:
                self._nodes.journal(row.msgid)
            if isinstance(row.entry, Swapped):
                self._nodes.assign(row.entry.seat, row.entry.node)
        acted: list[Action] = []
        for row in rows:
            match row.entry:
                case Acted(action=action):
                    acted.append(action)
                case Undone(keep=keep):
                    del acted[keep:]
        state = replay(started.entry.ruleset, acted)
        self._begin(journal, started.entry, state, journal.lefts())
        self._acted = acted
        now_s = self._clock.now_s()
        # The plug may have been pulled between the last "ready" and the deal.
        self._deal(now_s)
        if not self.over:
            self._show.notice = Notice.RESTARTED
        if self.runs:
            self.act(actions.Pause(), now_s)
        log.info("game %s goes on after %d entries", started.entry.game, len(rows))

    def start(self) -> None:
        """Seat the players at random and begin a new game."""
        number = self._terms.rehearsal_seed
        seed = deal.fresh_seed() if number is None else deal.rehearsal_seed(number + self._games)
        utc = self._clock.wall()
        started = Started(
            format=FORMAT,
            version=self._terms.version,
            game=f"{utc:%Y%m%d-%H%M%S}-{deal.commitment(seed)[:8]}",
            ruleset=self._terms.ruleset,
            names=deal.seating(seed, self._terms.names),
            seed=seed.hex(),
            nodes=self._nodes.users(),
        )
        self.close()
        self._games += 1
        # Rounds of the night are counted from 1 in every game.
        self._nodes.journalled.clear()
        if self._show.notice is Notice.RESTARTED:
            self._show.notice = Notice.NONE
        self._begin(self._journals.create(started, utc), started, new_game(started.ruleset), {})
        self._acted = []
        log.info("game %s begins", started.game)

    def close(self) -> None:
        """Close the journal."""
        if self._journal:
            self._journal.close()

    def answers(self) -> bool:
        """Tell whether the journal answers; without a game there is none to ask."""
        return self._journal is None or self._journal.answers()

    def swap(self, seat: int, user: str) -> None:
        """Let the node *user* play for *seat*, from now on and after a restart."""
        if self._journal:
            self._journal.append(Swapped(seat, user), (), self._clock.wall())
        self._nodes.assign(seat, user)
        self._show.everything(self.state)

    def undo(self, keep: int) -> None:
        """Go back to right after the first *keep* actions, and pause there.

        What is undone stays in the journal.

        :raises UndoRefused: if that is not a public step since the last morning
            call. Source: RULES 1.16.
        """
        points = self.undo_points()
        if keep not in points:
            raise UndoRefused(f"undo to {keep}: expected one of {points or 'none'}")
        assert self._journal is not None
        assert self._show.started is not None
        state = replay(self._show.started.ruleset, self._acted[:keep])
        self._journal.append(Undone(keep), (), self._clock.wall())
        del self._acted[keep:]
        self._begin(self._journal, self._show.started, state, {})
        if self.runs:
            self.act(actions.Pause(), self._clock.now_s())

    def undo_points(self) -> tuple[int, ...]:
        """Return what :meth:`undo` takes now; nothing by night and after the end."""
        if self.over or self._show.started is None:
            return ()
        return undo_points(self._show.started.ruleset, self._acted)

    def _begin(
        self, journal: Journal, started: Started, state: GameState, lefts: dict[int, float]
    ) -> None:
        self._journal, self.state = journal, state
        self._show.names, self._show.started = started.names, started
        self._show.ask = None
        self.windows = Windows()
        now_s = self._clock.now_s()
        self._countdowns.follow(countdowns(state), now_s)
        for countdown, left_s in lefts.items():
            self._countdowns.restore(countdown, left_s)
        self._note_shouts(now_s)
        self._show.everything(state)

    # ---- time ----

    def tick(self, now_s: float) -> None:
        """Let expire what is due, note the clocks, ask again."""
        while (due_s := self._countdowns.next_due_s()) is not None and due_s <= now_s:
            self.expire()
        if now_s >= self._noted_s + NOTE_S and self._journal and self._countdowns.first():
            self._noted_s = now_s
            self._journal.note_lefts(self._countdowns.lefts(now_s))
        if self._show.ask and now_s >= self._asked_s + ASK_S:
            self._ask_again(now_s)

    def next_due_s(self) -> float:
        """Return when :meth:`tick` has something to do; infinity: never."""
        due = [math.inf]
        if (countdown_s := self._countdowns.next_due_s()) is not None:
            due.append(countdown_s)
        if self._countdowns.first():
            due.append(self._noted_s + NOTE_S)
        if self._show.ask:
            due.append(self._asked_s + ASK_S)
        return min(due)

    # ---- acting ----

    def act(
        self,
        action: Action,
        at_s: float,
        msgid: str | None = None,
        heard: tuple[Node, int] | None = None,
    ) -> None:
        """Apply, journal, assign, show; *at_s* is when it takes effect, unless that is long ago.

        *heard* is the kept message that asked for it: its answer goes out first.

        :raises IllegalAction: if the rules refuse it; nothing has changed then.
        """
        assert self.state is not None
        assert self._journal is not None
        state, events = apply(self.state, action)
        self._journal.append(Acted(action), events, self._clock.wall(), msgid)
        self._acted.append(action)
        if msgid:
            self._nodes.journal(msgid)
        now_s = self._clock.now_s()
        if now_s - at_s > HELD_UP_S:
            at_s = now_s
        self.state = state
        self._countdowns.follow(countdowns(state), at_s)
        self.windows.follow(events, at_s)
        self._note_shouts(at_s)
        common = self._ask_of(events)
        if heard:
            self.answer(*heard, Mark.ACCEPTED)
        self._show.events(events, state)
        self._show.everything(state, common=common)
        self._deal(at_s)

    def _deal(self, at_s: float) -> None:
        if self.state is not None and self.state.phase is Phase.DEALING:
            assert self._show.started is not None
            roles = deal.roles(bytes.fromhex(self._show.started.seed))
            self.act(actions.Deal(roles), at_s)

    def _note_shouts(self, at_s: float) -> None:
        state = self.state
        assert state is not None
        self.windows.shouts(
            frozenset(seat for seat in SEATS if seat_view(state, seat).may_shout), at_s
        )

    def answer(self, node: Node, n: int, mark: Mark) -> None:
        """Tell *node* what became of its message *n*."""
        node.last = max(node.last, n)
        node.answer(n, mark)
        if self.night:
            # A reply would tell the air who spoke: it rides in the next common cue.
            return
        self._show.node(node, self.state, Answer(n, mark))

    def _ask_of(self, events: tuple[Event, ...]) -> bool:
        """Set what the cues ask from now on; tell whether it is a call to all nodes."""
        common = False
        for event in events:
            match event:
                case RoundBegan(serial=serial):
                    self.serial = serial
                    self._new_ask(AskKind.NIGHT)
                    common = True
                case NumberCalled() | RoundCalled():
                    self._new_ask(AskKind.NIGHT)
                    common = True
                # Before a vote too: where nobody has spoken for minutes, the answers tell the
                # nodes' clocks before a press has to be dated by them.
                case ListRead() | MotionPut() | RollCalled():
                    self._new_ask(AskKind.ROLL_CALL)
                case BallotClosed() | MotionClosed() | MorningCame():
                    self._show.ask = None
                case Resumed():
                    self._show.notice = Notice.NONE
        return common

    def _new_ask(self, kind: AskKind) -> None:
        self._asks += 1
        self._asked_s = self._clock.now_s()
        self._show.ask = Ask(kind, self._asks, self.serial if kind is AskKind.NIGHT else 0)

    def _ask_again(self, now_s: float) -> None:
        self._asked_s = now_s
        if self._show.ask and self._show.ask.kind is AskKind.ROLL_CALL:
            for node in self.unanswered():
                self._show.node(node, self.state)

    def close_when_all_answered(self) -> None:
        """Count the ballot once every living seat has answered the roll call."""
        if self.state is None or self.state.phase is not Phase.ROLL_CALL or not self.runs:
            return
        ask = self._show.ask
        nodes = [self._nodes.at(seat) for seat in SEATS if self.lives(seat)]
        if ask and all(node.answered == ask.id and node.last >= node.roll for node in nodes):
            self.act(actions.CloseBallot(), self._clock.now_s())

    def unanswered(self) -> list[Node]:
        """Return the nodes that are there and have not answered what they were asked."""
        ask = self._show.ask
        if ask is None or self.state is None:
            return []
        return [
            node
            for node in (self._nodes.at(seat) for seat in SEATS)
            if node.online and node.answered != ask.id
        ]

    def expire(self) -> Countdown | None:
        """Let the countdown that is due first expire, and return it; None: none runs."""
        first = self._countdowns.first()
        if first is None:
            return None
        due_s, countdown = first
        now_s = self._clock.now_s()
        # The next clock starts when this one was due; one that is stepped over ends now.
        at_s = now_s if self._countdowns.stepping else min(due_s, now_s)
        self.act(actions.Expire(countdown.id), at_s)
        return countdown

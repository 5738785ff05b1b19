"""The game that is being played: applied, journalled, assigned, and only then shown.

All that changes a game goes through :meth:`Playing.act`.
"""

import contextlib
import logging
from collections.abc import Callable, Iterator
from typing import Final

from firmware.clock import Clock
from firmware.errors import JournalError
from firmware.wire import Answer, Mark
from firmware.words import N_
from table_controller import deal
from table_controller.asking import Asking
from table_controller.game import (
    SEATS,
    Action,
    Countdown,
    Event,
    GameState,
    Phase,
    actions,
    apply,
    countdowns,
    new_game,
    replay,
)
from table_controller.game.events import GameEnded, GameVoided, MorningCame, Resumed
from table_controller.game.views import PublicPhase, public_phase, seat_view
from table_controller.host.changes import Changes
from table_controller.host.lineups import Lineups
from table_controller.host.notices import Notices
from table_controller.host.refusal import Refused
from table_controller.interpret import Windows
from table_controller.misfits import check_kits
from table_controller.nodes import Node
from table_controller.record.backups import Reason
from table_controller.record.entries import Acted, Started, Swapped, Undone
from table_controller.record.halt import Halt
from table_controller.record.journal import Journal
from table_controller.record.journals import Journals
from table_controller.record.notes import Note, Notes
from table_controller.record.past import Past
from table_controller.record.taking_up import take_up
from table_controller.scoreboard.board import Notice
from table_controller.show import Show

log = logging.getLogger(__name__)

HELD_UP_S: Final = 0.25
"""When the table shows a thing so much later than it was due, it begins when it is shown.

The room waits for the table: a card that stalls must not open a window, or end a
shout, of which nobody has heard.
"""


Heard = tuple[Node, int]
"""A kept message: whose, and its number."""


class UndoRefused(Refused):
    """The host cannot go back that far."""


class Playing:
    """The table's present game; between games there is none, or one that is over.

    *keep* has a game that nobody can take up again kept in the league; it never waits.
    """

    def __init__(
        self, *, clock: Clock, journals: Journals, lineups: Lineups, show: Show, notices: Notices,
        keep: Callable[[str], None],
    ) -> None:  # fmt: skip
        self.state: GameState | None = None
        self.windows = Windows()
        self.changes = Changes()
        self.asking = Asking(clock, show)
        self._clock = clock
        self._journals = journals
        self._lineups = lineups
        self._show = show
        self._nodes = show.nodes
        self._countdowns = show.countdowns
        self.notices = notices
        self._halt = Halt(clock, journals, show, notices)
        self._journal: Journal | None = None
        self.past = Past()
        self._voided = Note()
        """The clocks as they were when the host ended the game, if that was the last action."""
        self._games = 0
        self._notes = Notes(clock, show.countdowns, show.nodes)
        self._keep = keep

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
        state = self.state
        return state is not None and self.runs and public_phase(state) is PublicPhase.NIGHT

    def lives(self, seat: int) -> bool:
        """Tell whether *seat* is in the game."""
        return self.state is not None and self._show.views.seat(self.state, seat).living

    # ---- from start to end ----

    def resume(self) -> None:
        """Take up the game that the journal ends with, paused; do nothing without one.

        What a disk did to it is told.
        """
        self._halt.unread = True
        with self.halting():
            journal = self._journals.current()
            for loss in self._journals.losses:
                self.notices.record(loss, loss.fault)
            if journal is not None:
                self._take_up(journal)
            self._halt.unread = False
            if self._journals.losses:
                self._show.notice = Notice.RECORD_LOST
            if self.runs:
                self.act(actions.Pause(), self._clock.now_s())

    def _take_up(self, journal: Journal) -> None:
        started, self.past, note = take_up(journal, self._nodes)
        if not self.past.actions:
            self._lineups.took_up(started)
        self._begin(journal, started, replay(started.ruleset, self.past.actions), note)
        # No clock runs in a game that is over: its note is of the moment before.
        self._voided = note.clocks()
        if not self.over:
            self._show.notice = Notice.RESTARTED
        elif not self.undo_points():
            self._keep(started.game)
        log.info("game %s goes on", started.game)
        self._halt.unread = False
        # The plug may have been pulled between the last "ready" and the deal.
        self._deal(self._clock.now_s())

    def start(self) -> None:
        """Seat the players at random and begin a new game."""
        check_kits(self._nodes)
        utc = self._clock.wall()
        started = self._lineups.begin(self._games, utc, self._nodes.users())
        self._halt.check()
        before = self._show.started
        journal = self._journals.create(started, utc)
        self.close()
        if before is not None:
            self._keep(before.game)
        self._games += 1
        # Rounds of the night are counted from 1 in every game.
        self._nodes.journalled.clear()
        if self._show.notice in (Notice.RESTARTED, Notice.RECORD_LOST):
            self._show.notice = Notice.NONE
        self._begin(journal, started, new_game(started.ruleset))
        self.past = Past()
        self._lineups.began()
        self._journals.backups.attempt(journal, Reason.START)
        log.info("game %s begins", started.game)

    def left_s(self, countdown: int) -> float:
        """Return what is left of *countdown*, in seconds of the game; 0: there is none such."""
        left_s = self._countdowns.left_s(countdown, self._clock.now_s())
        return left_s / self._countdowns.scaled_s(1.0)

    def close(self) -> None:
        """Close the journal."""
        if self._journal:
            self._journal.close()

    def answers(self) -> bool:
        """Tell whether the journal answers; without a game there is none to ask."""
        return self._journal is None or self._journal.answers()

    def swap(self, seat: int, user: str) -> None:
        """Let the node *user* play for *seat*, from now on and after a restart."""
        self._halt.check()
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
        self._halt.check()
        points = self.undo_points()
        if keep not in points:
            raise UndoRefused(N_("The game cannot go back to that any more."))
        assert self._journal is not None
        assert self._show.started is not None
        state = replay(self._show.started.ruleset, self.past.actions[:keep])
        self._journal.append(Undone(keep), (), self._clock.wall())
        undone = self.past.actions[keep:]
        note = self._voided if undone == [actions.Void()] else Note()
        self.past.cut(keep)
        self._begin(self._journal, self._show.started, state, note)
        if self.runs:
            self.act(actions.Pause(), self._clock.now_s())

    def undo_points(self) -> tuple[int, ...]:
        """Return what :meth:`undo` takes now; nothing by night and after a result."""
        if self.state is None or self._show.started is None:
            return ()
        if self.over and self.state.decided is not None:
            return ()
        return self.past.points

    def _begin(
        self, journal: Journal, started: Started, state: GameState, note: Note | None = None
    ) -> None:
        self._journal, self.state = journal, state
        self._show.names, self._show.started = started.names, started
        self._show.ask = None
        self.windows = Windows()
        now_s = self._clock.now_s()
        self._countdowns.follow(countdowns(state), now_s)
        if note:
            self._notes.recall(note, self.windows)
        self._note_shouts(now_s)
        self._show.everything(state)

    # ---- time ----

    def tick(self, now_s: float) -> None:
        """Let expire what is due, note the clocks, ask again."""
        while (due_s := self._countdowns.next_due_s()) is not None and due_s <= now_s:
            self.expire()
        if now_s >= self._notes.due_s():
            self._note()
        if now_s >= self.asking.due_s():
            self.asking.again(now_s, self.state)
        if (due_s := self._halt.due_s()) is not None and due_s <= now_s:
            self._try_the_disk()

    def _note(self) -> None:
        if self._journal:
            self._notes.write(self._journal, self.windows)

    def next_due_s(self) -> float:
        """Return when :meth:`tick` has something to do; infinity: never."""
        due = [self.asking.due_s(), self._notes.due_s()]
        if (countdown_s := self._countdowns.next_due_s()) is not None:
            due.append(countdown_s)
        if (retry_s := self._halt.due_s()) is not None:
            due.append(retry_s)
        return min(due)

    # ---- the disk ----

    @property
    def halted(self) -> bool:
        """Tell whether the disk takes nothing: then nothing is applied or answered."""
        return self._halt.on

    @contextlib.contextmanager
    def halting(self) -> Iterator[None]:
        """Let the game stand still, paused, when the disk refuses what is done in here."""
        try:
            yield
        except JournalError as error:
            if not self._halt.begin(error):
                return
            if self.state is not None and self.runs:
                state, events = apply(self.state, actions.Pause())
                self._halt.owe(events)
                self._take_effect(state, events, self._clock.now_s())
            self._show.everything(self.state)

    def _try_the_disk(self) -> None:
        owed = self._halt.owes
        if not self._halt.room(self._journal):
            return
        if owed is not None:
            self.past.add(actions.Pause(), owed, self._clock.wall().isoformat(timespec="seconds"))
        self._show.everything(self.state)
        if self._halt.unread:
            self.resume()

    # ---- acting ----

    def act(
        self, action: Action, at_s: float, msgid: str | None = None, heard: Heard | None = None
    ) -> None:
        """Apply, journal, assign, show; *at_s* is when it takes effect, unless that is long ago.

        *heard* asked for it: its answer goes out first.

        :raises IllegalAction: if the rules refuse it; nothing has changed then.
        :raises JournalError: if the disk does; likewise.
        """
        self._halt.check()
        assert self.state is not None
        assert self._journal is not None
        state, events = apply(self.state, action)
        utc = self._clock.wall()
        self._journal.append(Acted(action), events, utc, msgid)
        self.past.add(action, events, utc.isoformat(timespec="seconds"))
        if msgid:
            self._nodes.journal(msgid)
        now_s = self._clock.now_s()
        if isinstance(action, actions.Void):
            self._voided = self._notes.clocks(now_s)
        if now_s - at_s > HELD_UP_S:
            at_s = now_s
        self._take_effect(state, events, at_s, heard)
        if any(isinstance(event, MorningCame) for event in events):
            self._journals.backups.attempt(self._journal, Reason.MORNING)
        if self.over:
            self._journals.backups.attempt(self._journal, Reason.END)
        self._deal(at_s)

    def _take_effect(
        self, state: GameState, events: tuple[Event, ...], at_s: float, heard: Heard | None = None
    ) -> None:
        self.state = state
        if heard:
            # Whoever pressed waits for the answer, not for what follows.
            self.answer(*heard, Mark.ACCEPTED, first=True)
        self._countdowns.follow(countdowns(state), at_s)
        # In a pause no clock runs that would have it noted: the host may make one longer.
        if self.windows.follow(events, at_s) or (state.paused and not self.over):
            self._note()
        common = self.asking.follow(events)
        if any(isinstance(event, Resumed | GameVoided | GameEnded) for event in events):
            self._show.notice = Notice.NONE
        self.changes.happened(events)
        self._show.everything(state, common=common)
        self._note_shouts(at_s)
        self._show.events(events, state)

    def _deal(self, at_s: float) -> None:
        # Paused, as by a disk that refused the deal, it waits: the next thing done is to go on.
        if self.state is not None and self.state.phase is Phase.DEALING and self.runs:
            assert self._show.started is not None
            roles = deal.roles(bytes.fromhex(self._show.started.seed))
            self.act(actions.Deal(roles), at_s)

    def _note_shouts(self, at_s: float) -> None:
        state = self.state
        assert state is not None
        self.windows.shouts(
            frozenset(seat for seat in SEATS if self._show.views.seat(state, seat).may_shout),
            at_s,
        )

    def answer(self, node: Node, n: int, mark: Mark, *, first: bool = False) -> None:
        """Tell *node* what became of its message *n*; *first*: before what follows from it."""
        node.last = max(node.last, n)
        node.answer(n, mark)
        # By night a reply would tell the air who spoke: it rides in the next common cue.
        if not self.night:
            send = self._show.answer if first else self._show.node
            send(node, self.state, Answer(n, mark))

    def close_when_all_answered(self) -> None:
        """Count the ballot once every living seat has answered the roll call."""
        if self.state is None or self.state.phase is not Phase.ROLL_CALL or not self.runs:
            return
        ask = self._show.ask
        nodes = [
            self._nodes.at(seat)
            for seat in self.state.living
            # Without its device nothing more can come of it, and its vote is there.
            if not seat_view(self.state, seat).voted or self._nodes.at(seat).online
        ]
        if ask and all(node.answered == ask.id and node.last >= node.roll for node in nodes):
            self.act(actions.CloseBallot(), self._clock.now_s())

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

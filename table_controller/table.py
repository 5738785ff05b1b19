"""The table: one inbox, one loop.

``take`` an item: interpret what it says, and let the game act on it. Everything
runs on the loop's thread.
"""

import logging
import math
from collections.abc import Callable
from typing import Final

from firmware.clock import Clock
from firmware.link import BEAT_S, Linked, Received, Unlinked
from table_controller.absences import Absences
from table_controller.asides import Asides
from table_controller.game import GameState, actions
from table_controller.hearing import Hearing
from table_controller.host.drafting import Drafting
from table_controller.host.lineups import Lineups
from table_controller.host.notices import Notices
from table_controller.host.ordering import ConsoleRequest, Ordering
from table_controller.host.orders import Camera, HostOrder, StepRequest
from table_controller.kept_seats import KeptSeats
from table_controller.league.games_keeper import Unkept
from table_controller.lost import LostSeats
from table_controller.nodes import ALIVE_S
from table_controller.playing import Playing
from table_controller.posting import Posting
from table_controller.record.journals import Journals
from table_controller.scoreboard.board import Notice
from table_controller.scoreboard.console.sheets import Sheets
from table_controller.scoreboard.pages.posted import Posted
from table_controller.show import Show
from table_controller.stuck import StuckButtons
from table_controller.terms import Terms
from table_controller.together import Together
from table_controller.voice.last_seconds import LastSeconds
from table_controller.voice.reading_out import ReadingOut
from table_controller.voice.settings import KeptVoice

log = logging.getLogger(__name__)

UNLINKED_S: Final = 3.0
"""A broker away for longer pauses the game; a shorter gap only delays presses."""

BEATS_LOST: Final = 5
"""So many beats in a row without an answer: the link is up and carries nothing."""

SHEET_S: Final = 0.1
"""The hosts' sheet is drafted no more often: a press that waits for its answer comes first."""

Item = Received | Linked | Unlinked | StepRequest | HostOrder | ConsoleRequest | Unkept


class Table:
    """One table, with a game or between games.

    With *readiness* the first deal waits for a readiness round; *kept* is where the
    seats' devices are kept between games; *keep* has a finished one kept, as :class:`Playing`.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        journals: Journals,
        terms: Terms,
        show: Show,
        readiness: bool = False,
        kept: KeptSeats | None = None,
        sheets: Sheets | None = None,
        kept_voice: KeptVoice | None = None,
        by_hand: bool = False,
        lineups: Lineups | None = None,
        posted: Posted | None = None,
        keep: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.notices = Notices(clock)
        self.lineups = lineups or Lineups(terms)
        self.playing = Playing(
            clock=clock,
            journals=journals,
            lineups=self.lineups,
            show=show,
            notices=self.notices,
            keep=keep,
        )
        self.lost = LostSeats(self.playing, show, self.notices)
        self._stuck = StuckButtons(self.playing, show, self.notices)
        show.lights.report(self.notices.lights_fail)
        self.asides = Asides(clock, self.playing, show, self.lost, kept, readiness=readiness)
        self._clock = clock
        self._show = show
        self._nodes = show.nodes
        self._steps: list[StepRequest] = []
        self._stepped: tuple[StepRequest, str] | None = None
        self._unlinked_s: float | None = None
        self._beat_s = clock.now_s()
        self._drops = show.link.drops
        self.orders = Ordering(
            clock, show.nodes, self.playing, self.lost, self.asides, self.lineups
        )
        self.orders.serve(Camera, self.asides.camera)
        self.reading = ReadingOut(
            clock,
            self.playing,
            show,
            self.notices,
            kept_voice or KeptVoice(None),
            by_hand=by_hand,
            watched=lambda: sheets is not None and sheets.watched,
        )
        self.reading.serve(self.orders)
        self._last_seconds = LastSeconds(self.playing, show)
        self._together = Together(self.playing, show.nodes, self.lost)
        self._hearing = Hearing(self.playing, show, self.notices, self.asides, self._together)
        self._sheets = sheets
        self._drafting = Drafting(
            self.playing,
            show,
            self.notices,
            self.asides,
            self._hearing.absences,
            self.lost,
            self.lineups,
            self.orders,
        )
        self._posting = Posting(self.playing, show, self.lineups, posted)
        self._drafted_s = self._next_s = -math.inf
        self._drafted: GameState | None = None
        self._stale = True
        """The hosts' sheet is to be drafted anew."""

    @property
    def refused(self) -> int:
        """Messages that were not of the kit, since the start."""
        return self._hearing.refused

    @property
    def absences(self) -> Absences:
        """What is known of the chairs, for the host."""
        return self._hearing.absences

    # ---- the loop ----

    def take(self, item: Item) -> None:
        """Take one item of the inbox."""
        self._stale = True
        with self.playing.halting():
            self._take(item)

    def _take(self, item: Item) -> None:
        match item:
            case Received():
                self._hearing.receive(item)
            case Linked():
                self._unlinked_s = None
                if self._show.notice is Notice.LINK_LOST:
                    self._show.notice = Notice.NONE
                self._show.republish(self.playing.state)
            case Unlinked(at_s=at_s):
                self._unlinked_s = at_s if self._unlinked_s is None else self._unlinked_s
                self._show.notice = Notice.LINK_LOST
                for node in self._nodes:
                    node.there = False
                self._show.everything(self.playing.state)
            case StepRequest():
                self._steps.append(item)
            case HostOrder():
                self.orders.take(item)
            case ConsoleRequest():
                self._drafted_s = -math.inf
                self.orders.take_request(item)
            case Unkept(fault=fault):
                self.notices.games_unkept(fault)
        self.lost.look(self._clock.now_s())
        self.playing.close_when_all_answered()
        self._serve_steps()

    def tick(self) -> None:
        """Do what is due."""
        with self.playing.halting():
            self._tick()

    def _tick(self) -> None:
        now_s = self._clock.now_s()
        self._last_seconds.look(now_s)
        self.playing.tick(now_s)
        self.reading.look(now_s)
        if now_s >= self._beat_s + BEAT_S:
            self._beat_s = now_s
            self._beat(now_s)
        if self._show.gestures_due_s() <= now_s:
            self._show.forget_gestures(now_s)
            self._show.everything(self.playing.state)
        for node in self._nodes.silent(now_s):
            log.warning("%s was not heard for %g s: it is taken for lost", node.user, ALIVE_S)
            node.there = node.holding = False
            self._show.everything(self.playing.state)
        unlinked_s = self._unlinked_s
        if self.playing.runs and unlinked_s is not None and now_s >= unlinked_s + UNLINKED_S:
            self.playing.act(actions.Pause(), now_s)
        self.lost.look(now_s)
        self._stuck.look()
        self.playing.close_when_all_answered()
        self._together.look(now_s)
        self.asides.tick()
        self._stale |= now_s >= self._next_s
        self._serve_steps()
        self._show.lights.tick(now_s)
        self._publish_sheet(now_s)
        self._posting.look()

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

    def _publish_sheet(self, now_s: float) -> None:
        """Draft the hosts' sheet when something may have changed it, but not at every press."""
        # The controller's own buttons act on the game without a word to us.
        self._stale |= self.playing.state is not self._drafted
        if self._sheets is None or not self._stale or now_s < self._drafted_s + SHEET_S:
            return
        self._stale, self._drafted_s, self._drafted = False, now_s, self.playing.state
        self._sheets.publish(self.reading.add(self._drafting.draft(now_s)))

    def next_due_s(self) -> float:
        """Return when :meth:`tick` has something to do next."""
        due = [
            self._beat_s + BEAT_S,
            self._show.gestures_due_s(),
            self._nodes.silent_due_s(),
            self.lost.due_s(),
            self._together.due_s(),
            self._show.lights.next_due_s(self._clock.now_s()),
            self.asides.due_s(),
            self.reading.due_s(self._clock.now_s()),
            self._last_seconds.due_s(self._clock.now_s()),
            self.playing.next_due_s(),
        ]
        if self.playing.runs and self._unlinked_s is not None:
            due.append(self._unlinked_s + UNLINKED_S)
        self._next_s = min(due)
        if self._sheets is not None and self._stale:
            return min(self._next_s, self._drafted_s + SHEET_S)
        return self._next_s

    def _serve_steps(self) -> None:
        if self._stepped and not self.playing.asking.unanswered():
            request, kind = self._stepped
            self._stepped = None
            # Whoever steps looks at the page next.
            self._drafted_s = -math.inf
            self._publish_sheet(self._clock.now_s())
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

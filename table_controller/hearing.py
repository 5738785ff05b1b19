"""What arrives from the nodes: taken once each, interpreted, answered."""

import contextlib
import logging
from typing import Final

from firmware.errors import WireError
from firmware.fit import shown
from firmware.link import Received
from firmware.wire import (
    KEPT,
    Absent,
    Answer,
    Button,
    Forbidden,
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
from table_controller.absences import Absences
from table_controller.asides import Asides
from table_controller.forbidden import Finger
from table_controller.game import IllegalAction, Refusal, actions
from table_controller.host.notices import Notices
from table_controller.interpret import Late, interpret
from table_controller.nodes import Node, Taken
from table_controller.playing import Playing
from table_controller.show import Show
from table_controller.together import Together

log = logging.getLogger(__name__)

LATE: Final = (Refusal.NOT_CALLED, Refusal.WRONG_PHASE, Refusal.LOCKED)
"""Refusals that a player is told as "too late"."""

LOG_S: Final = 60.0
"""Messages that are not of the kit are logged no more often. Source: DESIGN 5."""


class Hearing:
    """Takes the nodes' messages."""

    def __init__(
        self,
        playing: Playing,
        show: Show,
        notices: Notices,
        asides: Asides,
        together: Together,
    ) -> None:
        self.refused = 0
        """Messages that were not of the kit, since the start."""
        self.misfits = 0
        """What devices said whose kit does not fit the table's, since the start."""
        self._misfit_boots: set[str] = set()
        """Those of them that are in the log."""
        self._playing = playing
        self._show = show
        self._nodes = show.nodes
        self._notices = notices
        self._asides = asides
        self._together = together
        self._finger = Finger(playing, show, notices)
        self.absences = Absences(playing, show)
        self._refused_logged_s = float("-inf")

    def receive(self, item: Received) -> None:
        """Take one message."""
        # What was due before it arrived comes first, whichever the loop gets to see first.
        self._playing.tick(item.at_s)
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
                    self._show.everything(self._playing.state)
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
            self._notices.twins(user, self._nodes.seat_of(user), plays=node.boot, leaves=boot)
            self._show.rival(user, boot)
        elif taken is Taken.NEW:
            self._log_misfit(node)
            # It measures anew: nobody knows what it heard, or did not hear, meanwhile.
            node.measured_s = None
            # What it said last may have been answered to a cue that never came.
            mark = node.answers.get(node.last)
            if mark is None and f"{node.boot}:{node.last}" in self._nodes.journalled:
                mark = Mark.ACCEPTED
            answer = Answer(node.last, mark) if mark and not self._playing.night else None
            self._show.node(node, self._playing.state, answer)
            self._show.everything(self._playing.state)

    def _log_misfit(self, node: Node) -> None:
        if node.fits or node.boot in self._misfit_boots:
            return
        self._misfit_boots.add(node.boot)
        log.warning(
            "%s has kit %s, the table %s: it does not play, and nothing that it says counts",
            node.user,
            shown(node.version),
            self._nodes.kit,
        )

    def _said(self, user: str, said: Said, at_s: float) -> None:
        node = self._nodes.by_user[user]
        back = not node.there or said.boot != node.boot
        taken = self._nodes.said(user, said, at_s)
        if back and taken is not Taken.RIVAL:
            self._there(user, said.boot, Taken.NEW)
        match taken:
            case Taken.RIVAL:
                self._there(user, said.boot, Taken.RIVAL)
            case Taken.MISFIT:
                # Not answered: a table that it fits may still take it.
                self.misfits += 1
            case Taken.REPEAT:
                known = Mark.ACCEPTED if said.id in self._nodes.journalled else Mark.NOTHING
                self._playing.answer(node, said.n, node.answers.get(said.n, known))
            case Taken.NEW if self._playing.halted:
                # Its node keeps it, and shows that it waits.
                pass
            case Taken.NEW if isinstance(said.what, KEPT):
                if (mark := self._kept(node, said, at_s)) is not None:
                    self._playing.answer(node, said.n, mark)
            case Taken.NEW:
                self._not_kept(node, said, at_s)

    def _kept(self, node: Node, said: Said, at_s: float) -> Mark | None:
        """Act on a kept message; return the answer to it, None when it is given already."""
        seat = self._nodes.seat_of(node.user)
        match said.what:
            case Present() | Absent() | Forbidden() if seat in self._nodes.cameras_off:
                # Seen before the camera was switched off, it is not seen any more.
                return Mark.NOTHING
            case Present():
                self.absences.chair(node, said.what, at_s)
                return Mark.ACCEPTED
            case Absent():
                return self.absences.told(node, said, said.what, at_s)
            case Forbidden():
                return self._finger.shown(node, said, said.what, at_s)
            # A finger that asks for a seat wants no game to begin.
            case Press(button=Button.VOTE, how=How.HOLD) if not self._asides.placing.asks:
                self._together.hold(node, node.dated(said.made_s, said.cue, at_s)[1], at_s)
            case Press(button=Button.VOTE, how=How.LET_GO):
                node.holding = False
        when = node.dated(said.made_s, said.cue, at_s)
        if isinstance(said.what, Press):
            mark = self._asides.press(node, said.what, when)
            if mark is not None:
                return mark
        state = self._playing.state
        if state is None or not seat or not isinstance(said.what, Press | Picking | Pick):
            return Mark.NOTHING
        accuses = self._asides.accusing.take(seat, said.what, when, at_s)
        if isinstance(accuses, Mark):
            return accuses
        view, public = self._show.views.seat(state, seat), self._show.views.public(state)
        action = accuses or interpret(said.what, when, view, public, self._playing.windows)
        if action is None:
            return Mark.NOTHING
        if isinstance(action, Late):
            return Mark.LATE
        try:
            self._playing.act(action, at_s, said.id, heard=(node, said.n))
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
                if seat and self._playing.state is not None:
                    self._night_presses(node, seat, said.what, said, at_s)
            case Gesture(name=name) if name in self._show.gestures_on.names:
                if name is GestureName.NUMBER and self._asides.accusing.picks(seat):
                    # It fills in a list that is nobody else's business.
                    return
                if seat in self._nodes.cameras_off:
                    return
                if self._playing.runs and not self._playing.night and self._playing.lives(seat):
                    self._show.gestures[seat] = (said.what, at_s)
                    self._show.everything(self._playing.state)

    def _night_presses(
        self, node: Node, seat: int, answer: NightAnswer, said: Said, at_s: float
    ) -> None:
        """Take the presses of a night answer that were not taken before, in their order."""
        if answer.round != self._playing.asking.serial:
            return
        round_, taken = node.night_taken
        if round_ != answer.round:
            taken = 0
        for index in range(taken, len(answer.presses)):
            number = self._playing.windows.of(*node.dated(answer.presses[index], 0, at_s))
            if number is not None:
                msgid = f"{said.boot}:night{answer.round}.{index}"
                if msgid in self._nodes.journalled:
                    continue
                with contextlib.suppress(IllegalAction):
                    self._playing.act(actions.PressAtNight(seat, number), at_s, msgid)
        node.night_taken = (answer.round, max(taken, len(answer.presses)))

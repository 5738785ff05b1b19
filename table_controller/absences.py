"""Absences: from what a seat measured to grounds, never to a penalty.

A seat measures while its cue asks for that, and its measure counts if all of it lies in
the stretch in which the table has asked without a break: no pause, no lost link, no
restart. A player who is back by then was away all the same; what a lost link has
delayed counts nowhere. Source: RULES 2.1.
"""

import datetime
import logging
from typing import Final

import msgspec

from firmware.wire import Absent, Mark, Presence, Present, Said
from table_controller.game import SEATS, IllegalAction, Refusal, actions
from table_controller.game.terms import Offence, Source
from table_controller.nodes import Node
from table_controller.playing import Playing
from table_controller.show import Show

HOST_S: Final = 10.0
"""The host sees after so long that a chair is empty. Source: DESIGN 6."""

SLACK_S: Final = 0.01
"""Times of a node are told in whole microseconds, its clock is read with as much doubt."""

log = logging.getLogger(__name__)


class Away(msgspec.Struct, frozen=True):
    """A chair that is empty now; for the host alone."""

    seat: int
    for_s: float
    """Since the player was last seen, of the stretch that is measured."""


class Absences:
    """Opens grounds for what the seats measured."""

    def __init__(self, playing: Playing, show: Show) -> None:
        self.idle = 0
        """Absences that were told and counted for nothing, since the start."""
        self._playing = playing
        self._show = show

    def chair(self, node: Node, what: Present, at_s: float) -> None:
        """Note the state of a chair."""
        node.presence = what.state
        node.presence_s = node.dated(what.since_s, 0, at_s)[1]

    def told(self, node: Node, said: Said, what: Absent, at_s: float) -> Mark | None:
        """Open grounds for an absence; None: they are open, and the message is answered."""
        seat = self._show.nodes.seat_of(node.user)
        since_s = node.dated(what.since_s, 0, at_s)[1]
        if not self._counts(node, what, since_s) or self._playing.state is None or not seat:
            return self._nothing(node, what, "not in the stretch that is measured")
        away = self._show.clock.wall() - datetime.timedelta(
            seconds=max(0.0, self._show.clock.now_s() - since_s)
        )
        grounds = actions.OpenGrounds(
            seat, Offence.AWAY, Source.PRESENCE, seen=away.isoformat(timespec="seconds")
        )
        try:
            self._playing.act(grounds, at_s, said.id, heard=(node, said.n))
        except IllegalAction as refused:
            if refused.refusal is Refusal.ALREADY_OPEN:
                # Somebody else was faster: it is the same absence.
                return Mark.ACCEPTED
            return self._nothing(node, what, refused.refusal)
        return None

    def away(self, now_s: float) -> tuple[Away, ...]:
        """Return which chairs are empty for long enough that the host should know."""
        if not self._playing.runs or self._playing.night:
            return ()
        nodes = ((seat, self._show.nodes.at(seat)) for seat in SEATS)
        empty = (
            Away(seat, now_s - max(node.presence_s, node.measured_s))
            for seat, node in nodes
            if node.online and node.presence is Presence.AWAY and node.measured_s is not None
        )
        return tuple(each for each in empty if each.for_s >= HOST_S)

    def _counts(self, node: Node, what: Absent, since_s: float) -> bool:
        began_s, state = node.measured_s, self._playing.state
        if began_s is None or state is None or not self._playing.runs:
            return False
        long = round(what.until_s - what.since_s, 3) > state.ruleset.away_s
        return long and since_s >= began_s - SLACK_S

    def _nothing(self, node: Node, what: Absent, why: str) -> Mark:
        self.idle += 1
        log.info(
            "%s: an absence of %.1f s is no grounds: %s",
            node.user,
            what.until_s - what.since_s,
            why,
        )
        return Mark.NOTHING

"""The forbidden gesture: from a seat's word to grounds, never to a penalty.

Source: RULES 2.2 and 2.5.
"""

import datetime

from firmware.wire import Forbidden, Mark, Said
from table_controller.game import IllegalAction, actions
from table_controller.game.terms import Offence, Source
from table_controller.host.notices import Notices
from table_controller.nodes import Node
from table_controller.playing import Playing
from table_controller.show import Show


class Finger:
    """Opens grounds for a forbidden gesture that a seat's camera saw."""

    def __init__(self, playing: Playing, show: Show, notices: Notices) -> None:
        self._playing = playing
        self._show = show
        self._notices = notices

    def shown(self, node: Node, said: Said, what: Forbidden, at_s: float) -> Mark | None:
        """Open grounds if it was seen today, of a living seat; None: they are open, and answered.

        It may come late, after the link was away. Then it counts while the day and the
        stretch without a pause last in which it was made, and nowhere else.
        """
        seat = self._show.nodes.seat_of(node.user)
        if self._playing.state is None or not seat or self._show.gestures_on.grounds is None:
            return Mark.NOTHING
        # In doubt it was made before.
        earliest_s, seen_s = node.dated(said.made_s, said.cue, at_s)
        if earliest_s < self._playing.windows.watched_s:
            return Mark.NOTHING
        seen = self._show.clock.wall() - datetime.timedelta(
            seconds=max(0.0, self._show.clock.now_s() - seen_s)
        )
        grounds = actions.OpenGrounds(
            seat,
            Offence.FORBIDDEN_GESTURE,
            Source.GESTURE,
            confidence=what.confidence,
            seen=seen.isoformat(timespec="seconds"),
        )
        try:
            self._playing.act(grounds, at_s, said.id, heard=(node, said.n))
        except IllegalAction:
            # Night, pause, a seat that is out, or grounds that are open already.
            return Mark.NOTHING
        self._notices.forbidden(seat, node.user, what.confidence, seen)
        return None

"""Buttons that do not come up: the host is told, never by night.

By night it would tell of a press; what a node then says is the day's anyway.
"""

from firmware.wire import Button
from table_controller.host.notices import Notices
from table_controller.lost import NIGHT
from table_controller.playing import Playing
from table_controller.show import Show


class StuckButtons:
    """Follows what the nodes' health says of their buttons."""

    def __init__(self, playing: Playing, show: Show, notices: Notices) -> None:
        self._playing = playing
        self._nodes = show.nodes
        self._notices = notices
        self._told: dict[str, frozenset[Button]] = {}
        """By user: the buttons that the host knows of."""

    def look(self) -> None:
        """Tell the host of buttons that are stuck now, and that work again."""
        state = self._playing.state
        if state is not None and state.phase in NIGHT:
            return
        for node in self._nodes:
            # A node that is away, or was started anew, has not said that they work again.
            if node.health is None or not node.online or node.health.boot != node.boot:
                continue
            stuck, told = frozenset(node.health.stuck), self._told.get(node.user, frozenset())
            seat = self._nodes.seat_of(node.user)
            for button in sorted(stuck - told):
                self._notices.button_stuck(seat, node.user, button)
            for button in sorted(told - stuck):
                self._notices.button_free(seat, node.user, button)
            self._told[node.user] = stuck

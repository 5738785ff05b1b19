"""Players hold VOTE together: a game begins, goes on, or is played again, without a phone.

All ten begin one. Those who live let it go on, but for lost seats that the host
goes on without. Source: DESIGN 7, RULES 1.17.
"""

import math
from collections.abc import Collection
from typing import Final

from firmware.press import VOTE_HOLD_S
from table_controller.game import SEATS, actions
from table_controller.host.refusal import Refused
from table_controller.lost import LostSeats
from table_controller.nodes import Node, Nodes
from table_controller.playing import Playing

TOGETHER_S: Final = 2.0
"""How long all must hold VOTE, from when the last of them put it down."""

LATE_S: Final = 0.5
"""A hold that was under way for longer counts from when it comes."""


class Together:
    """Acts when all hold VOTE while no game runs; who does is ``Node.holding``."""

    def __init__(self, playing: Playing, nodes: Nodes, lost: LostSeats) -> None:
        self._playing = playing
        self._nodes = nodes
        self._lost = lost
        self._since: dict[str, float] = {}
        """By user: when VOTE went down that it held last."""
        self._ran_s = -math.inf
        """When a game ran last: who looks at a card then does not ask for anything yet."""

    def hold(self, node: Node, told_s: float, came_s: float) -> None:
        """Take note that *node* holds VOTE: it found that at *told_s*, by our clock."""
        node.holding = True
        # What comes late may be over long ago, and that comes right behind it.
        sure_s = told_s if came_s - told_s < LATE_S else came_s
        self._since[node.user] = sure_s - VOTE_HOLD_S

    def due_s(self) -> float:
        """Return when all will have held for long enough; infinity while somebody does not."""
        state = self._playing.state
        if self._playing.runs or self._playing.halted:
            return math.inf
        if state is None or self._playing.over:
            seats: Collection[int] = SEATS
        else:
            seats = set(state.living) - self._lost.without
        nodes = [self._nodes.at(seat) for seat in seats]
        if not nodes or not all(node.holding for node in nodes):
            return math.inf
        return max(self._ran_s, *(self._since[node.user] for node in nodes)) + TOGETHER_S

    def look(self, now_s: float) -> None:
        """Begin or go on when it is due; what is held on then counts no second time."""
        if self._playing.runs:
            self._ran_s = now_s
        if now_s < self.due_s():
            return
        for node in self._nodes:
            node.holding = False
        begin_or_go_on(self._playing, now_s)


def begin_or_go_on(playing: Playing, now_s: float) -> None:
    """Let a paused game go on; without one, or with one that is over, begin the next."""
    if playing.state is None or playing.over:
        try:
            playing.start()
        except Refused as refused:
            # Nobody has a phone in the hand: the host's page tells, when it is looked at.
            playing.notices.no_start(refused)
    else:
        playing.act(actions.Resume(), now_s)

"""Seats whose device does not answer: by day their clock stands, and the host is told.

At night a lost seat stops nothing and is told of in the morning. A link of the
table's own that is down loses no seat: then nobody can say who is there.
"""

import math
from typing import Final

from table_controller.game import CountdownKind, Phase, countdowns
from table_controller.host.notices import Notices
from table_controller.playing import Playing
from table_controller.show import Show

FLOORS: Final = frozenset(
    {
        CountdownKind.SPEECH,
        CountdownKind.SILENT,
        CountdownKind.PICK,
        CountdownKind.TIE_SPEECH,
        CountdownKind.FAREWELL,
        CountdownKind.FAREWELL_PICKS,
    }
)
"""Clocks of a seat; it could not end them, nor pick, without its device."""

NIGHT: Final = frozenset(
    {Phase.NIGHTFALL, Phase.MEETING, Phase.REST, Phase.CALLING, Phase.GATHERING, Phase.MORNING}
)
"""When nothing is told of a seat."""


TOLD_S: Final = 3.0
"""How long a seat is lost before the host is told: a node that connects anew needs less."""


class LostSeats:
    """Looks after the living seats that are offline."""

    def __init__(self, playing: Playing, show: Show, notices: Notices) -> None:
        self.without: set[int] = set()
        """Lost seats that the host goes on without, until they are back."""
        self._playing = playing
        self._show = show
        self._notices = notices
        self._since: dict[int, float] = {}
        """When each seat that is lost now was found so."""
        self._told: set[int] = set()

    def look(self, now_s: float) -> None:
        """Tell the host who was lost and who is back; let clocks stand and run on."""
        state = self._playing.state
        if state is None or self._playing.over or not self._show.link.linked:
            self._show.countdowns.hold(frozenset(), now_s)
            self._since.clear()
            return
        lost = self.now()
        self.without &= lost
        self._since = {seat: self._since.get(seat, now_s) for seat in lost}
        if state.phase not in NIGHT:
            self._tell(now_s)
        held = frozenset(
            countdown.id
            for countdown in countdowns(state)
            if countdown.kind in FLOORS and countdown.seat in lost - self.without
        )
        if self._show.countdowns.hold(held, now_s):
            self._show.everything(state)

    def now(self) -> frozenset[int]:
        """Return the living seats that are offline."""
        state, nodes = self._playing.state, self._show.nodes
        living = state.living if state else ()
        return frozenset(seat for seat in living if not nodes.at(seat).online)

    def due_s(self) -> float:
        """Return when :meth:`look` has something to tell; infinity: not before news come."""
        if self._playing.state is None or self._playing.state.phase in NIGHT:
            return math.inf
        untold = [since_s for seat, since_s in self._since.items() if seat not in self._told]
        return min(untold, default=math.inf) + TOLD_S

    def _tell(self, now_s: float) -> None:
        lost = {seat for seat, since_s in self._since.items() if now_s >= since_s + TOLD_S}
        for seat in sorted(lost - self._told):
            self._notices.seat_lost(seat, self._show.nodes.at(seat).user)
        for seat in sorted(self._told - self._since.keys()):
            if self._playing.lives(seat):
                self._notices.seat_back(seat, self._show.nodes.at(seat).user)
        self._told = lost | (self._told & self._since.keys())

"""Is the player in the chair? Evidence with hysteresis: present, away or unknown.

Pure: every look brings its own time. What cannot be judged (dark, covered,
frozen, no camera, no looks at all) is unknown, and no second of it ever counts
as away. The 15 s of the rules are counted by the seat, from *since_s* to a look
that still showed an empty chair: :class:`~seat_node.reports.Empty`.
"""

from collections import deque
from typing import Final

from firmware.wire import Presence
from seat_node.reports import Chair, Empty

BACK: Final = 2
BACK_OF: Final = 3
"""So many of the last looks must show the player before they are present.

One look alone may be a false face: 1 in 40 pictures of empty offices has one. It ends an
absence all the same, for it may as well be a player who is hard to see.
"""

GONE_S: Final = 2.5
"""Nobody seen for this long is away; a player who looks down is not."""

GONE_LOOKS: Final = 3
"""And in at least so many looks. One a second says that nobody is there: see eyes.BODY_S."""

BLIND_S: Final = 1.0
"""Nothing to judge by for this long ends *present*; a single bad frame does not.

*Away* ends with the first such frame: an absence is seen without a break or not at all.
"""

GAP_S: Final = 2.0
"""A longer pause between looks is time that nobody can judge."""


class Watcher:
    """Turns looks at the chair into changes of its state."""

    def __init__(self) -> None:
        self.state = Presence.UNKNOWN
        self._since_s: float | None = None
        self._recent: deque[bool] = deque(maxlen=BACK_OF)
        self._absent = 0
        """Looks in a row that showed an empty chair."""
        self._not_away_s = 0.0
        """Last moment that cannot count as away: the player seen, or nothing to judge by."""
        self._judged_s: float | None = None
        """Last look that could be judged."""
        self._looked_s: float | None = None

    def update(self, seen: bool | None, at_s: float) -> Chair | Empty | None:
        """Take a look at *at_s* and return what it says: a new state, or away still.

        *seen* is None when the picture says nothing either way. Looks come in
        the order of their times.
        """
        paused = self._looked_s is None or at_s - self._looked_s > GAP_S
        self._looked_s = at_s
        if paused:
            self._recent.clear()
        if seen is None or (paused and self.state is Presence.AWAY):
            return self._blind(at_s)
        if paused:
            self._not_away_s = at_s
            self._absent = 0
        self._judged_s = at_s
        self._recent.append(seen)
        if seen:
            return self._seen(at_s)
        self._absent += 1
        if self.state is Presence.AWAY:
            return Empty(self._not_away_s, at_s)
        if at_s - self._not_away_s >= GONE_S and self._absent >= GONE_LOOKS:
            return self._become(Presence.AWAY, self._not_away_s)
        return None

    def chair(self, at_s: float) -> Chair:
        """Return the state as it stands at *at_s*, for a seat that has just connected."""
        return Chair(self.state, at_s if self._since_s is None else self._since_s)

    def _seen(self, at_s: float) -> Chair | None:
        self._not_away_s = at_s
        self._absent = 0
        if self.state is Presence.AWAY:
            return self._become(Presence.UNKNOWN, at_s)
        if self.state is not Presence.PRESENT and sum(self._recent) >= BACK:
            return self._become(Presence.PRESENT, at_s)
        return None

    def _blind(self, at_s: float) -> Chair | None:
        """Take a moment that says nothing: it ends an absence, and counts as no part of one."""
        self._not_away_s = at_s
        self._absent = 0
        lasting = self._judged_s is None or at_s - self._judged_s >= BLIND_S
        if self.state is Presence.UNKNOWN or (self.state is Presence.PRESENT and not lasting):
            return None
        self._recent.clear()
        return self._become(Presence.UNKNOWN, at_s)

    def _become(self, state: Presence, since_s: float) -> Chair:
        self.state = state
        self._since_s = since_s
        return Chair(state, since_s)

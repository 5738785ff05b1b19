"""How long the chair is empty while the table wants to know. Pure: every call brings its time.

The eyes give the proof: only a look that has just shown an empty chair can end in
:class:`~firmware.wire.Absent`. Eyes that fall silent, a lost link, a cue that does not
ask and all that is unknown begin the count anew: nobody is accused of a second that
nobody saw. Source: RULES 2.1.
"""

import math
from typing import Final

from firmware.wire import Absence, Absent, Answer, Mark, Presence
from seat_node.reports import Chair, Empty

FRESH_S: Final = 2.0
"""A look that is older proves nothing, and away without a newer one is unknown.

The eyes look at an empty chair every second: see eyes.BODY_S.
"""


class Meter:
    """Counts the absence of one player."""

    def __init__(self) -> None:
        self.chair: Chair | None = None
        """What stands of the chair; None: the eyes said nothing yet."""
        self._asked: Absence | None = None
        self._began_s: float | None = None
        """Since when the table wants to know, without a break; None: it does not."""
        self._known_s = -math.inf
        """Before this moment an absence was not seen without a break."""
        self._look_s = -math.inf
        self._told = False
        """This absence was told since :attr:`_began_s`."""
        self._number = 0
        """Counter of the message that told it."""
        self._ruled = False
        """And the table took it: it is not told a second time."""

    @property
    def shown(self) -> Chair | None:
        """The chair, away since the count began; since infinity: nothing is counted."""
        if self.chair is None or self.chair.state is not Presence.AWAY:
            return self.chair
        return Chair(Presence.AWAY, self._start_s(self.chair.since_s))

    @property
    def due_s(self) -> float | None:
        """When :meth:`tick` must be called; None: never."""
        return self._look_s + FRESH_S if self._away else None

    # ---- the eyes ----

    def state(self, chair: Chair, now_s: float) -> None:
        """Take a new state of the chair."""
        self.tick(now_s)
        self._look_s = now_s
        if chair.state is not Presence.AWAY:
            self._known_s = max(self._known_s, chair.since_s)
        elif not self._away and chair.since_s < self._known_s:
            # They have seen it all the time, and we have not heard of it.
            self._known_s = now_s
        if chair != self.chair:
            self._told = self._ruled = False
        self.chair = chair

    def look(self, empty: Empty, now_s: float) -> Absent | None:
        """Take a look at an empty chair and return the absence that it proves, once."""
        if now_s >= empty.at_s + FRESH_S:
            return None
        self.tick(now_s)
        if not self._away:
            self.state(Chair(Presence.AWAY, empty.since_s), now_s)
        self._look_s = empty.at_s
        start_s = self._start_s(empty.since_s)
        if self._asked is None or self._told or self._ruled:
            return None
        # Strictly more, and of 15.0 s not the last bit of a float.
        if round(empty.at_s - start_s, 3) <= self._asked.limit_s:
            return None
        self._told = True
        return Absent(start_s, empty.at_s)

    def tick(self, now_s: float) -> None:
        """Let what was seen grow old."""
        if self._away and now_s >= self._look_s + FRESH_S:
            self.state_unknown(now_s)

    def state_unknown(self, at_s: float) -> None:
        """Take that nobody looks since *at_s*."""
        self._known_s = max(self._known_s, at_s)
        self._told = self._ruled = False
        self.chair = Chair(Presence.UNKNOWN, at_s)

    # ---- the table ----

    def cue(self, asked: Absence | None, answer: Answer | None, now_s: float) -> None:
        """Take what a cue asks for, and how the table took what was told."""
        if answer is not None and answer.n == self._number and answer.mark is Mark.ACCEPTED:
            self._ruled = self._told
        self._asked = asked
        if asked is None:
            self._began_s = None
        elif self._began_s is None:
            self._began_s = now_s
            self._told = False

    def said(self, number: int) -> None:
        """Remember that the absence went out as message *number*."""
        self._number = number

    def unlinked(self) -> None:
        """Take that the table is out of reach: the next cue begins anew."""
        self._asked = self._began_s = None

    @property
    def _away(self) -> bool:
        return self.chair is not None and self.chair.state is Presence.AWAY

    def _start_s(self, since_s: float) -> float:
        began_s = math.inf if self._began_s is None else self._began_s
        return max(since_s, self._known_s, began_s)

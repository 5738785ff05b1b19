"""Tells a speaker that ten seconds are left, and that the time is over.

By time, not by an event: :meth:`LastSeconds.look` has to be called before what
is due expires.
"""

import math
from typing import Final

from table_controller.game import Countdown, CountdownKind
from table_controller.playing import Playing
from table_controller.show import Show
from table_controller.voice.phrasebook import phrase

WARNED: Final = frozenset(
    {
        CountdownKind.SPEECH,
        CountdownKind.SILENT,
        CountdownKind.TIE_SPEECH,
        CountdownKind.FAREWELL,
    }
)
"""Floors whose end is told; the picks after them are silent."""

LEFT_S: Final = 10.0
SHORT_S: Final = 12.0
"""A floor that is not longer has no warning: it would come with its beginning."""


class LastSeconds:
    """The tones of the floor that runs."""

    def __init__(self, playing: Playing, show: Show) -> None:
        self._playing = playing
        self._show = show
        self._warned = self._ended = 0
        """Ids of the countdowns of which it was told."""

    def look(self, now_s: float) -> None:
        """Say what is due."""
        clock = self._clock()
        if clock is None:
            return
        left_s, warns_s = self._left_s(clock, now_s)
        if left_s > warns_s:
            # The host may have made it longer.
            self._warned = 0
        elif self._warned != clock.id and clock.length_s > SHORT_S and left_s > 0:
            self._warned = clock.id
            self._say("ten_seconds")
        if left_s <= 0 and self._ended != clock.id:
            self._ended = clock.id
            self._say("time_over")

    def due_s(self, now_s: float) -> float:
        """Return when :meth:`look` has something to say; infinity: not before news come."""
        clock = self._clock()
        if clock is None or self._warned == clock.id:
            return math.inf
        left_s, warns_s = self._left_s(clock, now_s)
        return now_s + left_s - warns_s if left_s > warns_s else math.inf

    def _clock(self) -> Countdown | None:
        state, countdowns = self._playing.state, self._show.countdowns
        clock = state.clock if state is not None else None
        if clock is None or clock.kind not in WARNED or countdowns.stepping:
            return None
        return clock if countdowns.runs(clock.id) else None

    def _left_s(self, clock: Countdown, now_s: float) -> tuple[float, float]:
        """Return what is left, and at how much it is warned; a rehearsal's speed is in both."""
        countdowns = self._show.countdowns
        return countdowns.left_s(clock.id, now_s), countdowns.scaled_s(LEFT_S)

    def _say(self, name: str) -> None:
        self._show.voice.say(phrase(self._show.words, name))

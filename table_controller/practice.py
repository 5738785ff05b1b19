"""The practice ballot before the deal: called and judged like a real one, and then forgotten.

Nothing of it reaches the rules or the journal. Pure: time is handed in.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from firmware.wire import Mark
from table_controller.game import Ruleset
from table_controller.game.events import WindowClosed, WindowOpened
from table_controller.interpret import Windows
from table_controller.playing import HELD_UP_S

CANDIDATES: Final = (1, 2)
"""The seats that are called; two of them, so that everybody sees a window close."""

RESULT_S: Final = 4.0
"""How long each player reads what became of the own press."""


class Step(NamedTuple):
    """A part of the ballot."""

    length_s: float
    called: int = 0
    """The candidate of the moment; 0: nobody is called."""
    told: bool = False
    """Each player is told what became of the own press."""


class PracticeBallot:
    """One practice ballot, from *now_s* on; *scaled* gives a length of the game in real seconds."""

    def __init__(self, ruleset: Ruleset, scaled: Callable[[float], float], now_s: float) -> None:
        first, second = CANDIDATES
        self._steps = [
            Step(scaled(len(CANDIDATES) * ruleset.read_name_s)),
            Step(scaled(ruleset.ballot_s), called=first),
            Step(scaled(ruleset.ballot_gap_s)),
            Step(scaled(ruleset.ballot_s), called=second),
            Step(scaled(RESULT_S), told=True),
        ]
        self._windows = Windows()
        self._marks: dict[int, tuple[Mark, int]] = {}
        self.number = 0
        """Of the present step, from 0."""
        self.since_s = now_s

    @property
    def step(self) -> Step:
        """Return the present step; the last one stays."""
        return self._steps[min(self.number, len(self._steps) - 1)]

    @property
    def over(self) -> bool:
        """Tell whether all has been called and told."""
        return self.number == len(self._steps)

    @property
    def due_s(self) -> float:
        """Return when the present step ends."""
        return self.since_s + self.step.length_s

    def tick(self, now_s: float) -> None:
        """Go on to the step of *now_s*."""
        while not self.over and (due_s := self.due_s) <= now_s:
            if called := self.step.called:
                self._windows.follow((WindowClosed(called),), due_s)
            # As in a game: no window opens before anybody could hear of it.
            self.since_s = now_s if now_s - due_s > HELD_UP_S else due_s
            self.number += 1
            if not self.over and (called := self.step.called):
                self._windows.follow((WindowOpened(called),), self.since_s)

    def press(self, seat: int, when: tuple[float, float]) -> Mark:
        """Return what becomes of a press of *seat*, made at the earliest and most likely *when*."""
        mark, _ = self._marks.get(seat, (Mark.NOTHING, 0))
        if mark is Mark.ACCEPTED:
            # As in a real ballot: the first vote stands.
            return Mark.NOTHING
        candidate = self._windows.of(*when)
        self._marks[seat] = (Mark.ACCEPTED, candidate) if candidate else (Mark.LATE, 0)
        return self._marks[seat][0]

    def result(self, seat: int) -> tuple[Mark, int]:
        """Return what became of the press of *seat*, and for whom; NOTHING: it made none."""
        return self._marks.get(seat, (Mark.NOTHING, 0))

"""Bots: players of a rehearsal. Each sees its own screen, hears the room, presses pins.

What a bot does on a screen is a script, a generator that yields what it waits
for; another screen ends it. A bot knows what its player could know: the screen,
the mates of the acquaintance night, what the voice said.
"""

from collections.abc import Callable, Generator
from random import Random
from typing import Final, NamedTuple

from firmware.rehearsal import Heard, Row, Shown
from firmware.wire import Button, Mark
from firmware.words import Words
from table_controller.rehearsal.mind import Mind, numbers
from table_controller.rehearsal.stage import GAP_S, HOLD_S, TAP_S, Panel, Stage

PATIENCE_S: Final = 2.0
"""After this a press that changed nothing is tried again, or given up."""

MARGIN_S: Final = 0.5
"""Left on a clock when the last press of a plan is over."""

GUARD_S: Final = 0.3
"""A night window opens this long after its number's call begins. Source: RULES 1.11."""

ABOUT: Final = ("candidate", "day", "practice")
"""Scenes of which each candidate's, or speaker's, is another one."""

LINE_S: Final = TAP_S + 2 * GAP_S
"""Time to go one line down in a list."""


class Wait(NamedTuple):
    """Until *done*, looked at when the screen changes, or for *within_s*."""

    within_s: float
    done: Callable[[], bool] | None = None


Script = Generator[Wait, None, None]


class Bot:
    """The player of one panel.

    *pace* is the real length of a second of the game, *words* the language of
    its screen. The same *seed* plays the same, as far as the moments allow.
    *again*: after a game it wants another one.
    """

    def __init__(
        self, panel: Panel, stage: Stage, words: Words, pace: float, seed: str, *, again: bool
    ) -> None:
        self._panel = panel
        self._stage = stage
        self._words = words
        self._pace = pace
        self._again = again
        self._random = Random(seed)  # noqa: S311 - whims, no secret
        self._mind = Mind(panel.seat, self._random)
        self._screen: object = None
        self._script: Script | None = None
        self._wait = Wait(0.0)
        self._serial = 0
        stage.on_shown.append(self._see)
        stage.on_heard.append(self._hear)

    # ---- what it perceives ----

    def _see(self, panel: Panel) -> None:
        if panel is not self._panel:
            return
        shown = self._shown
        # A candidate or speaker is another screen, an answer or a clock on it is not.
        about = next(numbers((shown.title,)), 0) if shown.scene in ABOUT else 0
        if (shown.scene, about) != self._screen:
            self._screen = (shown.scene, about)
            if self._script is not None:
                self._script.close()
            self._script = self._script_of(shown)
            self._go_on()
        elif self._wait.done is not None and self._wait.done():
            self._go_on()

    def _hear(self, heard: Heard) -> None:
        self._mind.hear(heard.phrase, heard.number)
        if heard.phrase == "number" and self._mind.presses_at(heard.number):
            moment_s = GUARD_S + self._mind.random.uniform(0.1, 0.7)
            self._stage.after(moment_s * self._pace, lambda: self._panel.tap(Button.VOTE))

    def _go_on(self) -> None:
        self._serial += 1
        serial = self._serial
        self._wait = Wait(0.0)
        if self._script is None:
            return
        try:
            self._wait = next(self._script)
        except StopIteration:
            self._script = None
            return
        self._stage.after(self._wait.within_s, lambda: self._wake(serial))

    def _wake(self, serial: int) -> None:
        if serial == self._serial:
            self._go_on()

    # ---- what it does ----

    def _script_of(self, shown: Shown) -> Script | None:
        mind, t = self._mind, self._words.gettext
        match shown.scene:
            case "idle" | "paused":
                return self._hold_on()
            case "over" if self._again:
                return self._hold_on()
            case "check":
                return self._try_buttons()
            case "practice" if mind.practises(tuple(numbers((shown.title,)))):
                return self._vote()
            case "seating":
                # Nothing of the last game counts in this one.
                self._mind = Mind(self._panel.seat, self._random)
                return self._be_ready()
            case "card" | "morning":
                negation = t("not {what}").format(what="").strip()
                mind.read_card(shown.icon, shown.lines, negation)
            case "meeting":
                mind.read_meeting(tuple(numbers((shown.title,))))
            case "day" if mind.feels_like_shouting():
                return self._shout()
            case "floor" | "silent":
                return self._speak()
            case "tie":
                return self._talk()
            case "reading":
                mind.choose_vote(tuple(numbers(shown.lines)))
            case "candidate" if mind.vote in numbers((shown.title,)):
                return self._vote()
            case "lift" if mind.wants_lift(tuple(numbers((shown.title,)))):
                return self._vote()
            case "accusation" if t("VOTE: confirm") in shown.lines and mind.seconds():
                return self._vote()
            case "motion" if mind.wants_sanction(next(numbers((shown.title,)), 0)):
                return self._vote()
            case "farewell":
                return self._say_farewell()
            case "farewell_picks":
                return self._give_picks()
        return None

    def _hold_on(self) -> Script:
        """Hold VOTE with all the others; now and then take it anew."""
        while True:
            yield Wait(self._mind.random.uniform(0.1, 0.4))
            self._panel.push(Button.VOTE)
            try:
                yield Wait(10.0)
            finally:
                self._panel.release(Button.VOTE)

    def _try_buttons(self) -> Script:
        """Press what the screen asks for, one button after the other."""
        t = self._words.gettext
        asked = {t("Press VOTE"): Button.VOTE, t("Press SHOUT"): Button.SHOUT}
        yield Wait(self._mind.random.uniform(0.3, 3.0) * self._pace)
        while wanted := [line for line in self._shown.lines if line in asked]:
            was = self._shown.lines
            self._panel.tap(asked[wanted[0]])
            yield Wait(PATIENCE_S, lambda was=was: self._shown.lines != was)  # type: ignore[misc]

    def _be_ready(self) -> Script:
        asked = self._words.gettext("Press VOTE")
        yield Wait(self._mind.random.uniform(0.3, 6.0) * self._pace)
        while asked in self._shown.lines:
            self._panel.tap(Button.VOTE)
            yield Wait(PATIENCE_S, lambda: asked not in self._shown.lines)

    def _shout(self) -> Script:
        yield Wait(self._mind.random.uniform(0.1, 0.3) * self._left_s)
        self._panel.tap(Button.SHOUT)

    def _vote(self) -> Script:
        yield Wait(self._mind.random.uniform(0.3, 2.0) * self._pace)
        self._panel.tap(Button.VOTE)

    def _speak(self) -> Script:
        nominee = self._mind.nominee(int((self._spare_s - HOLD_S[Button.VOTE]) / LINE_S))
        if nominee:
            yield from self._choose(nominee)
        yield from self._talk()

    def _say_farewell(self) -> Script:
        yield from self._give_picks()
        yield from self._talk()

    def _talk(self) -> Script:
        """Speak a while, then give up the rest unless the clock is as quick as the hold."""
        yield Wait(self._mind.random.uniform(0.1, 0.3) * self._left_s)
        while self._spare_s > HOLD_S[Button.SHOUT]:
            self._panel.hold(Button.SHOUT)
            yield Wait(HOLD_S[Button.SHOUT] + PATIENCE_S)

    def _give_picks(self) -> Script:
        """Give best move and crown, as far as the clock has time for it."""
        t = self._words.gettext
        way_s = 10 * LINE_S + HOLD_S[Button.VOTE]
        shown = self._shown
        if t("VOTE: best move") in shown.lines or shown.title == t("Best move (0-3)"):
            if self._spare_s < way_s:
                return
            marks = min(3, int((self._spare_s - way_s) / HOLD_S[Button.VOTE]))
            yield from self._choose(*self._mind.suspects(marks), 0)
            yield Wait(PATIENCE_S, lambda: self._shown.mark is Mark.ACCEPTED)
        shown = self._shown
        if t("VOTE: crown") in shown.lines or shown.title == t("Crown"):
            if self._spare_s < way_s:
                return
            yield from self._choose(self._mind.heir())
            yield Wait(PATIENCE_S, lambda: self._shown.mark is Mark.ACCEPTED)

    def _choose(self, *values: int) -> Script:
        """Go down the list and hold VOTE on each of *values*, in the list's order.

        Gives up where a press changes nothing or a value is not listed.
        """
        for value in values:
            confirmed = False
            while not confirmed:
                was = self._list
                rows, cursor = was
                if rows and value not in {row.value for row in rows}:
                    return
                confirmed = bool(rows) and rows[cursor].value == value
                if confirmed:
                    self._panel.hold(Button.VOTE)
                else:
                    self._panel.tap(Button.VOTE)
                yield Wait(PATIENCE_S, lambda was=was: self._list != was)  # type: ignore[misc]
                if self._list == was:
                    return
                yield Wait(GAP_S)

    # ---- its screen ----

    @property
    def _shown(self) -> Shown:
        assert self._panel.shown is not None
        return self._panel.shown

    @property
    def _left_s(self) -> float:
        return self._shown.left_s or 0.0

    @property
    def _spare_s(self) -> float:
        return self._left_s - MARGIN_S

    @property
    def _list(self) -> tuple[tuple[Row, ...], int]:
        return self._shown.rows, self._shown.cursor

"""The readiness round before the first deal: it shows what works and what does not.

Each player presses both buttons under the own name; then all practise a ballot.
The rules know nothing of it: a press in here makes no seat ready, and nothing is
journalled. What a device has shown is remembered by device until the table stops.
"""

import enum
import math
from typing import Final

import msgspec

from firmware.wire import Button, How, Mark, Presence, Press
from firmware.words import N_
from table_controller.game import SEATS, GameState, Phase
from table_controller.host.refusal import Refused
from table_controller.lost import LostSeats
from table_controller.nodes import Node
from table_controller.playing import Playing
from table_controller.practice import PracticeBallot
from table_controller.scoreboard.board import BoardReadiness
from table_controller.show import Show
from table_controller.voice.phrases import practice_phrases


class ReadinessRefused(Refused):
    """The host ordered something of the round when it is not the time for it."""


class Stage(enum.StrEnum):
    """How far the round is."""

    CHECK = "check"
    """Everybody presses both buttons."""
    PRACTICE = "practice"
    READY = "ready"
    """Everybody presses VOTE for the deal."""


class ButtonState(enum.StrEnum):
    """What is known of a button."""

    PRESSED = "pressed"
    MISSING = "missing"
    STUCK = "stuck"
    NOT_FITTED = "not fitted"


class CameraState(enum.StrEnum):
    """What is known of a camera, in a word."""

    NONE = "none"
    SEES = "sees"
    EMPTY = "empty"
    """It sees nobody."""
    CLOSER = "closer"
    """It sees a face that is too small."""
    FARTHER = "farther"
    """Or one that is too large."""
    EDGE = "edge"
    """Or one at the edge of the picture."""
    DARK = "dark"
    COVERED = "covered"
    FAILS = "fails"
    OFF = "off"
    """The host has switched it off."""
    LOOKS = "looks"
    """It has not said yet."""


AIMS: Final = {
    "dark": CameraState.DARK,
    "closer": CameraState.CLOSER,
    "farther": CameraState.FARTHER,
    **dict.fromkeys(("up", "down", "left", "right"), CameraState.EDGE),
}
"""What a camera that sees its player says of how well it does."""

WAITS: Final = (ButtonState.MISSING, ButtonState.STUCK)


class SeatReadiness(msgspec.Struct, frozen=True):
    """What the host reads of a seat."""

    seat: int
    name: str
    user: str
    """Its device."""
    online: bool
    vote: ButtonState
    shout: ButtonState
    camera: CameraState
    ready: bool
    """The player has pressed VOTE for the deal."""

    @property
    def missing(self) -> tuple[Button, ...]:
        """Return the buttons that the round waits for."""
        if self.ready:
            return ()
        states = {Button.VOTE: self.vote, Button.SHOUT: self.shout}
        return tuple(button for button, state in states.items() if state in WAITS)


class ReadinessView(msgspec.Struct, frozen=True):
    """What the host reads of the round."""

    stage: Stage
    seats: tuple[SeatReadiness, ...]


class Readiness:
    """The round of the first seating since the start of the table, if the club has it *on*.

    Of a later game only the practice can be ordered.
    """

    def __init__(self, playing: Playing, show: Show, lost: LostSeats, *, on: bool) -> None:
        self.stage: Stage | None = None
        """None: no game is before its deal, or it has no round."""
        self.ballot: PracticeBallot | None = None
        """The practice that is on, or was last."""
        self._playing = playing
        self._show = show
        self._lost = lost
        self._owed = on
        self._game = ""
        self._began_s = 0.0
        self._ready_s = math.inf
        self._pressed: set[tuple[str, Button]] = set()
        self._held: set[str] = set()
        """Nodes whose VOTE went down for a hold within the round."""

    # ---- its course ----

    def look(self, now_s: float) -> None:
        """Follow the game and the time."""
        state = self._playing.state
        if state is None or self._playing.over or state.phase is not Phase.SEATING:
            if state is not None and not self._playing.over:
                self._owed = False
            self.stage = self.ballot = None
            return
        game = self._show.started.game if self._show.started else ""
        if game != self._game:
            self._game, self._began_s, self.ballot = game, now_s, None
            self._held.clear()
            self.stage, self._owed = (Stage.CHECK if self._owed else None), False
        if state.paused:
            # It begins anew when the game goes on.
            if self.stage is Stage.PRACTICE:
                self.ballot = None
            return
        if self.stage is Stage.CHECK and not self._waits():
            self.stage = Stage.PRACTICE
        if self.stage is Stage.PRACTICE:
            self._practise(state, now_s)

    def _practise(self, state: GameState, now_s: float) -> None:
        if self.ballot is None:
            self.ballot = PracticeBallot(state.ruleset, self._show.countdowns.scaled_s, now_s)
            self._say(0)
        before = self.ballot.number
        self.ballot.tick(now_s)
        if self.ballot.over:
            self.stage, self._ready_s = Stage.READY, now_s
        elif self.ballot.number != before and self.ballot.step.called:
            self._say(self.ballot.step.called)

    def _say(self, called: int) -> None:
        for phrase in practice_phrases(called, self._show.words):
            self._show.voice.say(phrase)

    def _waits(self) -> bool:
        return any(seat.missing for seat in self._seats() if seat.seat not in self._lost.without)

    def due_s(self) -> float:
        """Return when :meth:`look` has something to do by itself; infinity: never."""
        if self.stage is Stage.PRACTICE and self.ballot is not None:
            return self.ballot.due_s
        return math.inf

    def skip(self, now_s: float) -> None:
        """Leave out what is left of the round.

        :raises ReadinessRefused: if nothing of it is left.
        """
        if self.stage not in (Stage.CHECK, Stage.PRACTICE):
            raise ReadinessRefused(N_("There is nothing to skip before the deal."))
        self.stage, self.ballot, self._ready_s = Stage.READY, None, now_s

    @property
    def may_practise(self) -> bool:
        """Tell whether a practice can be held now."""
        state = self._playing.state
        return state is not None and state.phase is Phase.SEATING and not state.paused

    def practise(self, now_s: float) -> None:
        """Practise now, or once more, without waiting for what is missing.

        :raises ReadinessRefused: if no game is before its deal, or it is paused.
        """
        state = self._playing.state
        if state is None or state.phase is not Phase.SEATING:
            raise ReadinessRefused(N_("A practice is for the time before the deal."))
        if state.paused:
            raise ReadinessRefused(N_("The game is paused."))
        self.stage, self.ballot = Stage.PRACTICE, None
        self._practise(state, now_s)

    # ---- presses ----

    def press(self, node: Node, seat: int, press: Press, when: tuple[float, float]) -> Mark | None:
        """Take a press of *seat* and return the answer; None: it is the game's.

        *when*, at the earliest and most likely, it was made: one of the round that
        comes after it still is none for the deal.
        """
        if when[1] < self._began_s:
            # Of a game before this one, come late.
            return Mark.NOTHING
        if self.stage is None or not seat or not self._playing.runs:
            return None
        if self.stage is Stage.READY and when[1] >= self._ready_s:
            return None
        if press.how is How.EDGE:
            if self.ballot is None or press.button is not Button.VOTE:
                return Mark.NOTHING
            return self.ballot.press(seat, when)
        return self._check(node, press)

    def _check(self, node: Node, press: Press) -> Mark:
        # A VOTE that is held counts when it comes up: a jammed one does not.
        if press.button is Button.VOTE and press.how is How.HOLD:
            self._held.add(node.user)
            return Mark.NOTHING
        if press.how is How.LET_GO and node.user not in self._held:
            return Mark.NOTHING
        self._pressed.add((node.user, press.button))
        return Mark.ACCEPTED

    # ---- what is known ----

    def view(self) -> ReadinessView | None:
        """Return what the host reads; None: there is no round."""
        return None if self.stage is None else ReadinessView(self.stage, self._seats())

    def public(self) -> BoardReadiness | None:
        """Return what the room reads, as long as somebody has to do something for it."""
        if self.stage not in (Stage.CHECK, Stage.PRACTICE):
            return None
        if self.stage is Stage.PRACTICE:
            return BoardReadiness(self.stage)
        return BoardReadiness(self.stage, tuple(seat.missing for seat in self._seats()))

    def seat(self, seat: int) -> SeatReadiness:
        """Return what is known of *seat*."""
        node, state = self._show.nodes.at(seat), self._playing.state
        return SeatReadiness(
            seat=seat,
            name=self._show.names[seat - 1],
            user=node.user,
            online=node.online,
            vote=self._button(node, Button.VOTE),
            shout=self._button(node, Button.SHOUT),
            camera=camera_of(node, off=self._show.nodes.camera_off(node)),
            ready=state is not None and seat in state.ready,
        )

    def _seats(self) -> tuple[SeatReadiness, ...]:
        return tuple(self.seat(seat) for seat in SEATS)

    def _button(self, node: Node, button: Button) -> ButtonState:
        if not node.fits:
            # What it has shown before it came with another kit shows nothing now.
            return ButtonState.MISSING
        # A node that was never heard has not said yet what it lacks.
        if button is Button.SHOUT and node.boot and "shout" not in node.parts:
            return ButtonState.NOT_FITTED
        health = node.health
        if health is not None and health.boot == node.boot and button in health.stuck:
            return ButtonState.STUCK
        if (node.user, button) in self._pressed:
            return ButtonState.PRESSED
        return ButtonState.MISSING


def camera_of(node: Node, *, off: bool = False) -> CameraState:
    """Return what *node* has told of its camera, unless the host has switched it *off*."""
    if "eyes" not in node.parts:
        return CameraState.NONE
    if off:
        return CameraState.OFF
    health = node.health if node.health and node.health.boot == node.boot else None
    if node.presence is Presence.PRESENT:
        aim = health.aim if health else ""
        return AIMS.get(aim, CameraState.SEES)
    word = health.eyes if health else ""
    if word in (CameraState.DARK, CameraState.COVERED):
        return CameraState(word)
    # One that was just switched on has said "off" last.
    if word not in ("", "ok", "off"):
        return CameraState.FAILS
    return CameraState.EMPTY if node.presence is Presence.AWAY else CameraState.LOOKS

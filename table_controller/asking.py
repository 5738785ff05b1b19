"""What the cues ask of all nodes: presses of a night's call, the roll call of a vote."""

import math
import secrets
from typing import Final

from firmware.clock import Clock
from firmware.wire import Ask, AskKind
from table_controller.game import SEATS, Event, GameState
from table_controller.game.events import (
    BallotClosed,
    GameEnded,
    GameVoided,
    ListRead,
    MorningCame,
    MotionClosed,
    MotionPut,
    NumberCalled,
    RollCalled,
    RoundBegan,
    RoundCalled,
    VoteDropped,
)
from table_controller.nodes import Node
from table_controller.show import Show

ASK_S: Final = 1.0
"""How often an unanswered roll call is asked again."""


class Asking:
    """The question of the moment; it goes out with every cue."""

    def __init__(self, clock: Clock, show: Show) -> None:
        self.serial = 0
        """Of the night round's present call."""
        self._clock = clock
        self._show = show
        # Not from 0: an answer to the table before a restart must not pass for one to us.
        self._asks = secrets.randbelow(1 << 24) << 16
        self._asked_s = clock.now_s()

    def follow(self, events: tuple[Event, ...]) -> bool:
        """Set what the cues ask from now on; tell whether it is a call to all nodes."""
        common = False
        for event in events:
            match event:
                case RoundBegan(serial=serial):
                    self.serial = serial
                    self._new(AskKind.NIGHT)
                    common = True
                case NumberCalled() | RoundCalled():
                    self._new(AskKind.NIGHT)
                    common = True
                # Before a vote too: where nobody has spoken for minutes, the answers tell the
                # nodes' clocks before a press has to be dated by them.
                case ListRead() | MotionPut() | RollCalled():
                    self._new(AskKind.ROLL_CALL)
                case (
                    BallotClosed()
                    | VoteDropped()
                    | MotionClosed()
                    | MorningCame()
                    | GameVoided()
                    | GameEnded()
                ):
                    self._show.ask = None
        return common

    def due_s(self) -> float:
        """Return when to ask again; infinity: nothing is asked."""
        return self._asked_s + ASK_S if self._show.ask else math.inf

    def again(self, now_s: float, state: GameState | None) -> None:
        """Ask the nodes once more that have not answered a roll call."""
        self._asked_s = now_s
        if self._show.ask and self._show.ask.kind is AskKind.ROLL_CALL:
            for node in self.unanswered():
                self._show.node(node, state)

    def unanswered(self) -> list[Node]:
        """Return the nodes that are there and have not answered what they were asked."""
        ask = self._show.ask
        if ask is None:
            return []
        return [
            node
            for node in (self._show.nodes.at(seat) for seat in SEATS)
            if node.online and node.answered != ask.id
        ]

    def _new(self, kind: AskKind) -> None:
        self._asks += 1
        self._asked_s = self._clock.now_s()
        self._show.ask = Ask(kind, self._asks, self.serial if kind is AskKind.NIGHT else 0)

"""The stage: ten virtual seat panels and the room, on the programs' rehearsal sockets.

Bots and tests stand here. They can press pins, see screens and hear the voice;
no way leads from here to the state of a game. One loop serves all sockets.
"""

import contextlib
import heapq
import itertools
import queue
import selectors
import socket
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final, Self, TypeVar

import msgspec

from firmware import rehearsal
from firmware.clock import Clock
from firmware.errors import KitError
from firmware.rehearsal import (
    Done,
    Heard,
    Lit,
    Order,
    Photograph,
    Picture,
    Push,
    Refused,
    Release,
    Shown,
    Step,
    Stepped,
    Swap,
)
from firmware.wire import Button
from table_controller.game import Action
from table_controller.rehearsal.connection import Connection

TAP_S: Final = 0.05
"""How long a tap closes the contact; debouncing needs 3 ms."""

GAP_S: Final = 0.07
"""Least time between two pushes' end and start; a contact is deaf for 40 ms after each."""

HOLD_S: Final = {Button.VOTE: 0.95, Button.SHOUT: 1.65}
"""How long a hold closes the contact: the seat's hold time and a little. Source: DESIGN 6."""

POLL_S: Final = 0.5
"""A condition is looked at so often although nothing has happened."""

_T = TypeVar("_T")


class StageError(KitError, TimeoutError):
    """What was waited for did not happen, or a program refused a request."""


class Panel:
    """The buttons, the lamp and the hooded screen of one seat."""

    def __init__(self, stage: "Stage", seat: int, path: Path) -> None:
        self.seat = seat
        self.shown: Shown | None = None
        """What is shown; None until the seat was reached."""
        self.pictures: list[Picture] = []
        """The photographs taken so far."""
        self._stage = stage
        self._presses: dict[Button, deque[float]] = {button: deque() for button in Button}
        self._busy: set[Button] = set()
        self._decode = msgspec.json.Decoder(rehearsal.SeatReply).decode
        self._connection = Connection(stage, path, self._take)

    @property
    def scene(self) -> str:
        """Return the name of the screen; "" until the seat was reached."""
        return self.shown.scene if self.shown else ""

    @property
    def linked(self) -> bool:
        """Return whether the seat program listens."""
        return self._connection.linked

    def describe(self) -> str:
        """Return what is shown, in a few words for an error."""
        if self.shown is None:
            return "away"
        mark = self.shown.mark or ("waiting" if self.shown.waiting else "")
        return " ".join(filter(None, [self.shown.scene, *self.shown.lines[:1], mark]))

    def push(self, button: Button) -> None:
        """Close the contact, until :meth:`release`."""
        self._busy.add(button)
        self._connection.send(Push(button))

    def release(self, button: Button) -> None:
        """Open the contact; it is deaf for a moment, so the next tap or hold waits."""
        self._connection.send(Release(button))
        self._stage.after(GAP_S, lambda: self._next(button))

    def tap(self, button: Button) -> None:
        """Press shortly, after what this finger was told before."""
        self._press(button, TAP_S)

    def hold(self, button: Button) -> None:
        """Press for the button's hold time, after what this finger was told before."""
        self._press(button, HOLD_S[button])

    def busy(self, button: Button) -> bool:
        """Return whether the finger still has to do what it was told."""
        return button in self._busy

    def photograph(self) -> None:
        """Ask for a picture of the screen, as it is after all that was pressed before."""
        self._connection.send(Photograph())

    def close(self) -> None:
        """Leave the seat."""
        self._connection.close()

    def _press(self, button: Button, for_s: float) -> None:
        self._presses[button].append(for_s)
        if button not in self._busy:
            self._next(button)

    def _next(self, button: Button) -> None:
        if not self._presses[button]:
            self._busy.discard(button)
            return
        self.push(button)
        self._stage.after(self._presses[button].popleft(), lambda: self.release(button))

    def _take(self, line: bytes) -> None:
        match self._decode(line):
            case Shown() as told:
                self.shown = told
                self._stage.tell_shown(self)
            case Picture() as picture:
                self.pictures.append(picture)
            case Refused(reason=reason):
                raise StageError(f"seat {self.seat} refuses: {reason}")


class Stage:
    """The loop over all panels and the room. A context manager; for one thread."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.selector = selectors.DefaultSelector()
        self.panels: dict[int, Panel] = {}
        self.heard: list[Heard] = []
        """All that was said."""
        self.lights: tuple[float, ...] = ()
        """What the table's lights show: the seats, then red, green, blue."""
        self.on_shown: list[Callable[[Panel], None]] = []
        self.on_heard: list[Callable[[Heard], None]] = []
        self._table: Connection | None = None
        self.connections: list[Connection] = []
        """All that were made on it; they end with it."""
        self._stepped: list[str] = []
        self._done = False
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._serial = itertools.count()
        self._decode = msgspec.json.Decoder(rehearsal.TableReply).decode
        self._called: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._bell, self._ear = socket.socketpair()
        self._bell.setblocking(False)
        self.selector.register(self._ear, selectors.EVENT_READ, self._answer)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        for connection in self.connections:
            connection.close()
        self.selector.close()
        self._bell.close()
        self._ear.close()

    def seat(self, seat: int, path: Path) -> Panel:
        """Put a panel for *seat* on the stage."""
        self.panels[seat] = Panel(self, seat, path)
        return self.panels[seat]

    def table(self, path: Path) -> None:
        """Listen to the table."""
        self._table = Connection(self, path, self._hear)

    @property
    def table_linked(self) -> bool:
        """Return whether the table program listens."""
        return self._table is not None and self._table.linked

    def after(self, delay_s: float, do: Callable[[], None]) -> None:
        """Call *do* after *delay_s*."""
        heapq.heappush(self._timers, (self.clock.now_s() + delay_s, next(self._serial), do))

    def call(self, do: Callable[[], None]) -> None:
        """Let the loop call *do* soon; from any thread, without waiting, in order."""
        self._called.put(do)
        with contextlib.suppress(OSError):  # full: it is being woken already
            self._bell.send(b"!")

    def turn(self, patience_s: float = POLL_S) -> None:
        """Do what is due and take what comes; wait for it at most *patience_s*."""
        if self._timers:
            patience_s = min(patience_s, max(0.0, self._timers[0][0] - self.clock.now_s()))
        for key, _ in self.selector.select(patience_s):
            key.data()
        while self._timers and self._timers[0][0] <= self.clock.now_s():
            heapq.heappop(self._timers)[2]()

    def until(self, done: Callable[[], _T], within_s: float, what: str) -> _T:
        """Go on until *done* returns something true, and return that.

        :raises StageError: after *within_s*, with *what* was waited for and all screens.
        """
        end_s = self.clock.now_s() + within_s
        while not (result := done()):
            if self.clock.now_s() >= end_s:
                raise StageError(f"{what}: not within {within_s:g} s; {self._screens()}")
            self.turn(min(POLL_S, max(0.0, end_s - self.clock.now_s())))
        return result

    def step(self, within_s: float = 10.0) -> str:
        """Let the next countdown expire; return its kind once every node has answered.

        :raises StageError: if the table refuses or does not answer.
        """
        assert self._table is not None
        self._stepped.clear()
        self._table.send(Step())
        return self.until(lambda: self._stepped, within_s, "a step")[0]

    def order(self, action: Action, within_s: float = 10.0) -> None:
        """Let the host order *action*, and go on when it is done.

        :raises StageError: if the table refuses or does not answer.
        """
        self.ask(Order(msgspec.Raw(msgspec.json.encode(action))), within_s)

    def swap(self, seat: int, node: str, within_s: float = 10.0) -> None:
        """Let the host give *seat* to *node*, and go on when it is done.

        :raises StageError: if the table refuses or does not answer.
        """
        self.ask(Swap(seat, node), within_s)

    def ask(self, order: rehearsal.TableRequest, within_s: float = 10.0) -> None:
        """Let the host give *order*, and go on when it is done.

        :raises StageError: if the table refuses or does not answer.
        """
        assert self._table is not None
        self._done = False
        self._table.send(order)
        self.until(lambda: self._done, within_s, "the host's order")

    def _answer(self) -> None:
        self._ear.recv(4096)
        with contextlib.suppress(queue.Empty):
            while True:
                self._called.get_nowait()()

    def tell_shown(self, panel: Panel) -> None:
        """Tell everybody on the stage what *panel* shows."""
        for listener in self.on_shown:
            listener(panel)

    def _hear(self, line: bytes) -> None:
        match self._decode(line):
            case Heard() as told:
                self.heard.append(told)
                for listener in self.on_heard:
                    listener(told)
            case Lit(values=values):
                self.lights = values
            case Stepped(kind=kind):
                self._stepped.append(kind)
            case Done():
                self._done = True
            case Refused(reason=reason):
                raise StageError(f"the table refuses: {reason}")

    def _screens(self) -> str:
        """Return what all seats show, and what was said last."""
        seats = [f"{seat}: {panel.describe()}" for seat, panel in sorted(self.panels.items())]
        last = self.heard[-1].phrase if self.heard else "nothing"
        return f"last heard: {last}; shown: {'; '.join(seats)}"

"""The hand of a person on a seat's buttons, and what the person is shown."""

import threading
from collections import deque
from pathlib import Path
from typing import Final

import msgspec

from firmware import rehearsal
from firmware.rehearsal import Heard, Photograph, Picture, Push, Refused, Release, Shown
from firmware.wire import Button, Lamp
from firmware.words import Words
from table_controller.rehearsal.connection import Connection
from table_controller.rehearsal.legend import Legend, legend, spoken
from table_controller.rehearsal.stage import Stage, StageError

HEARD_MAX: Final = 4
"""What the voice said last, for who has no loudspeaker."""


class View(msgspec.Struct, frozen=True):
    """All that a seat's page shows."""

    name: str = ""
    """The player, once the seat has shown it."""
    screen: str = ""
    """The hooded screen as a base64 PNG; empty while the seat program is away."""
    spoken: str = ""
    left_s: float | None = None
    lamp: Lamp = Lamp.OFF
    linked: bool = False
    """The seat has its link to the table."""
    legend: Legend | None = None
    down: tuple[Button, ...] = ()
    heard: tuple[str, ...] = ()
    """What the voice said, the newest last."""


class Over(Exception):
    """Nothing more will come."""


class Latest:
    """The newest body, for readers in threads of their own; a slow one skips some."""

    def __init__(self) -> None:
        self._body = b""
        self._count = 0
        self._over = False
        self._changed = threading.Condition()

    def put(self, body: bytes) -> None:
        """Let every reader have *body*, unless it is what they have."""
        with self._changed:
            if body != self._body:
                self._body = body
                self._count += 1
                self._changed.notify_all()

    def take(self, seen: int, timeout_s: float) -> tuple[int, bytes] | None:
        """Return the newest and its number if that is not *seen*; None after *timeout_s*.

        :raises Over: after :meth:`close`.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._over or self._count != seen, timeout_s)
            if self._over:
                raise Over
            return None if self._count == seen else (self._count, self._body)

    def close(self) -> None:
        """Let all readers go."""
        with self._changed:
            self._over = True
            self._changed.notify_all()


class _Page:
    """One open page of the seat."""

    def __init__(self) -> None:
        self.streams = 0
        self.last = 0
        """Number of its last order."""
        self.holds: frozenset[Button] = frozenset()


class Hand:
    """Presses the pins of *seat* as its pages say, and shows them what the seat shows.

    A button is down while any page holds it; a page that goes lets go. All
    methods are for the thread of *stage*; :attr:`latest` is for any.
    """

    def __init__(self, stage: Stage, seat: int, path: Path, words: Words) -> None:
        self.seat = seat
        self.latest = Latest()
        """The encoded :class:`View`."""
        self._words = words
        self._pages: dict[str, _Page] = {}
        self._down: frozenset[Button] = frozenset()
        self._new: Shown | None = None
        self._shown: Shown | None = None
        """What :attr:`_screen` is a picture of."""
        self._screen = self._name = ""
        self._asked = self._stale = False
        self._heard: deque[str] = deque(maxlen=HEARD_MAX)
        self._decode = msgspec.json.Decoder(rehearsal.SeatReply).decode
        self._connection = Connection(stage, path, self._take, self._on_link)
        stage.on_heard.append(self._hear)
        self._publish()

    # ---- its pages ----

    def join(self, page: str) -> None:
        """Take orders of *page* from now on."""
        self._pages.setdefault(page, _Page()).streams += 1

    def leave(self, page: str) -> None:
        """Let go of what *page* held, unless it has come back meanwhile."""
        self._pages[page].streams -= 1
        if not self._pages[page].streams:
            del self._pages[page]
            self._move()

    def hold(self, page: str, number: int, buttons: frozenset[Button]) -> None:
        """Let *page* hold just these *buttons*; an order older than its last is none."""
        known = self._pages.get(page)
        if known is not None and number > known.last:
            known.last, known.holds = number, buttons
            self._move()

    def close(self) -> None:
        """Leave the seat and let all pages go."""
        self._connection.close()
        self.latest.close()

    def _move(self) -> None:
        empty: frozenset[Button] = frozenset()
        down = empty.union(*(page.holds for page in self._pages.values()))
        was, self._down = self._down, down
        for button in sorted(down - was):
            self._connection.send(Push(button))
        for button in sorted(was - down):
            self._connection.send(Release(button))
        self._publish()

    # ---- its seat ----

    def _on_link(self) -> None:
        self._asked = self._stale = False
        self._new = self._shown = None
        self._screen = ""
        if self._connection.linked:
            # The program is new; the finger is where it was.
            for button in sorted(self._down):
                self._connection.send(Push(button))
        self._publish()

    def _take(self, line: bytes) -> None:
        match self._decode(line):
            case Shown() as told:
                self._new, self._stale = told, True
                if told.scene in ("check", "seating"):
                    self._name = told.title
            case Picture(png=png):
                self._screen, self._shown, self._asked = png, self._new, False
                self._publish()
            case Refused(reason=reason):
                raise StageError(f"seat {self.seat} refuses: {reason}")
        if self._stale and not self._asked:
            self._stale, self._asked = False, True
            self._connection.send(Photograph())

    def _hear(self, heard: Heard) -> None:
        self._heard.append(heard.text)
        self._publish()

    def _publish(self) -> None:
        view = View(name=self._name, down=tuple(sorted(self._down)), heard=tuple(self._heard))
        if (shown := self._shown) is not None:
            view = msgspec.structs.replace(
                view,
                screen=self._screen,
                spoken=spoken(shown, self._words),
                left_s=shown.left_s,
                lamp=shown.lamp,
                linked=shown.linked,
                legend=legend(shown, self._words),
            )
        self.latest.put(msgspec.json.encode(view))

"""Rehearsal sockets: how bots and tests press pins, see screens and hear the room.

A program started with ``--rehearsal PATH`` listens on that unix socket (0600).
Both ways: one JSON object a line. A player without hardware can do here what a
player can do at the table, and no more.
"""

from typing import Final, Literal

import msgspec

from firmware.wire import Button, Icon, Lamp, Layout, Mark, PressMode

LINE_MAX: Final = 256 * 1024
"""Longest line in bytes; a longer one ends the connection."""


class _Do(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag=str.lower):
    pass


class _Tell(msgspec.Struct, frozen=True, tag_field="tell", tag=str.lower):
    pass


# ---- to a seat ----


class Push(_Do, frozen=True):
    """Close the button's contact: drives the mock pin."""

    button: Button


class Release(_Do, frozen=True):
    """Open the button's contact."""

    button: Button


class Look(_Do, frozen=True):
    """Ask for one :class:`Shown`."""


class Watch(_Do, frozen=True):
    """Ask for what is shown (seat) or lit (table) now, and at every change from now on."""


class Photograph(_Do, frozen=True):
    """Ask for one :class:`Picture` of the hooded screen."""


# ---- to the table ----


class Step(_Do, frozen=True):
    """Let the next countdown expire, once every node has answered what it was asked.

    Only in a table started with ``--step``, whose countdowns never run out alone.
    """


class Order(_Do, frozen=True):
    """The host rules, corrects, pauses: one of the game's actions, as JSON."""

    action: msgspec.Raw


class Swap(_Do, frozen=True):
    """The host lets *node* play for *seat*."""

    seat: int
    node: str


class GoOn(_Do, frozen=True):
    """The host waits no longer for the seats whose device is lost."""


class Identify(_Do, frozen=True):
    """The host lets the device of *seat*, or *node*, show itself; once more: end that."""

    seat: int = 0
    node: str = ""
    for_s: float = 10.0


class Place(_Do, frozen=True):
    """The host asks which device is at which seat."""

    step: Literal["begin", "skip", "finish", "cancel"] = "begin"


class Practice(_Do, frozen=True):
    """The host lets all practise a ballot before the deal."""


class SkipReadiness(_Do, frozen=True):
    """The host leaves out what is left of the readiness round."""


SeatRequest = Push | Release | Look | Watch | Photograph
TableRequest = Watch | Step | Order | Swap | GoOn | Identify | Place | Practice | SkipReadiness


# ---- from a seat ----


class Row(msgspec.Struct, frozen=True):
    """A line of an open list."""

    value: int
    label: str
    marked: bool


class Shown(_Tell, frozen=True):
    """What the player of the seat sees: the screen in words, and the lamp."""

    scene: str
    layout: Layout
    title: str
    lines: tuple[str, ...]
    icon: Icon
    lamp: Lamp
    left_s: float | None = None
    rows: tuple[Row, ...] = ()
    """The open list; empty while none is open. The line *done* has value 0."""
    cursor: int = 0
    """Index into *rows* of the line that is pointed at."""
    card: bool = False
    """The card is shown because VOTE is held."""
    mark: Mark | None = None
    """The table's answer to the last press, while it is shown."""
    waiting: bool = False
    """A press is on its way and not answered yet."""
    linked: bool = True
    press: PressMode = PressMode.OFF
    """What a press means now."""


class Picture(_Tell, frozen=True):
    """The hooded screen, 128x64 one-bit, as a base64 PNG."""

    png: str


# ---- from the table ----


class Heard(_Tell, frozen=True):
    """What the voice says to the whole room."""

    phrase: str
    """Name of the phrase, as of a recording."""
    number: int
    """The number in it (seat, night ...); 0: none."""
    text: str
    """The words, in the table's language."""


class Lit(_Tell, frozen=True):
    """What the lights around the table show."""

    values: tuple[float, ...]
    """Thirteen in 0-1: the seats, then red, green, blue; empty before the first are lit."""


class Stepped(_Tell, frozen=True):
    """A step is done and every node has answered; *kind* of the countdown that expired."""

    kind: str


class Done(_Tell, frozen=True):
    """The order was carried out."""


class Refused(_Tell, frozen=True):
    """The request was not understood or not possible now, with the reason."""

    reason: str


SeatReply = Shown | Picture | Refused
TableReply = Heard | Lit | Stepped | Done | Refused

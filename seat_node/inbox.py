"""What reaches the seat's one loop besides levels of buttons and the link's items."""

from collections.abc import Callable

import msgspec

from firmware.board import Level
from firmware.link import Linked, Received, Unlinked
from firmware.rehearsal import Look, Photograph, Picture, Shown, Watch
from seat_node.reports import Report

Tell = Callable[[Shown | Picture], object]
"""Hands an answer to who asked, without waiting."""


class Asked(msgspec.Struct, frozen=True):
    """A request from the rehearsal socket."""

    request: Look | Watch | Photograph
    tell: Tell


class EyesGone(msgspec.Struct, frozen=True):
    """The camera process ended or hangs; *word* is what health says of it."""

    word: str
    at_s: float


class ScreenGone(msgspec.Struct, frozen=True):
    """The screen failed, or works again with *reason* ``""``."""

    reason: str


class Stop(msgspec.Struct, frozen=True):
    """The program should end."""


Item = Level | Received | Linked | Unlinked | Report | EyesGone | ScreenGone | Asked | Stop

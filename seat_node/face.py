"""What a seat shows, as a value; screens.py draws it and puts it into words."""

import msgspec

from firmware.errors import CardError
from firmware.rehearsal import Row, Shown
from firmware.signals import Reply
from firmware.wire import Icon, Lamp, Layout, Mark, PressMode
from firmware.words import SOURCE, Words, catalogue

_MARKS = {Reply.ACCEPTED: Mark.ACCEPTED, Reply.LATE: Mark.LATE, Reply.NOTHING: Mark.NOTHING}


class Face(msgspec.Struct, frozen=True):
    """Everything that the player of a seat sees. Equal faces are drawn once."""

    scene: str = ""
    layout: Layout = Layout.NOTE
    title: str = ""
    lines: tuple[str, ...] = ()
    icon: Icon = Icon.NONE
    lamp: Lamp = Lamp.OFF
    left_s: int | None = None
    """Whole seconds on the clock, rounded up; None: no clock."""
    rows: tuple[Row, ...] = ()
    cursor: int = 0
    hand: int = 0
    """The number that a hand shows to the open list; 0: none."""
    card: bool = False
    reply: Reply = Reply.NONE
    even: bool = False
    """Fill the strip up so that all such screens give the same light."""
    linked: bool = True
    press: PressMode = PressMode.OFF
    language: str = "en"


def describe(face: Face) -> Shown:
    """Return *face* in words, as the rehearsal socket tells it."""
    return Shown(
        scene=face.scene,
        layout=face.layout,
        title=face.title,
        lines=face.lines,
        icon=face.icon,
        lamp=face.lamp,
        left_s=None if face.left_s is None else float(face.left_s),
        rows=face.rows,
        cursor=face.cursor,
        card=face.card,
        mark=_MARKS.get(face.reply),
        waiting=face.reply in (Reply.PRESSED, Reply.WAITING),
        linked=face.linked,
        press=face.press,
    )


def words_of(language: str) -> Words:
    """Return the words of *language*, or English when the kit does not speak it."""
    try:
        return catalogue(language)
    except CardError:
        return catalogue(SOURCE)

"""A face -> the 128x64 one-bit image of the hooded screen.

Above, the layout that the cue names; below, a strip that answers presses.
"""

import base64
import io
from typing import Final

from PIL import Image, ImageDraw

from firmware.rehearsal import Picture
from firmware.signals import MARKS
from firmware.wire import Icon, Layout
from seat_node.face import Face, words_of
from seat_node.icons import ICON_PX, draw_icon, light_of
from seat_node.lettering import Box, put, width_px, write

WIDTH_PX: Final = 128
HEIGHT_PX: Final = 64

BAR_PX: Final = 14
"""Height of the title's bar."""

STRIP_PX: Final = 11
"""Height of the strip that answers presses."""

GLYPH_PX: Final = 12
"""Side of a mark's glyph."""

BODY_BOTTOM_PX: Final = HEIGHT_PX - STRIP_PX - 1

EVEN_LIGHT_PX: Final = 1700
"""Lit pixels of every even screen, so that its glow tells nobody what is on it.

The strip makes up the difference to what a screen lights by itself.
"""

CARD_ICON_PX: Final = 600
"""Lit pixels of a held card's icon with the block below it."""

BODY: Final = Box(0, BAR_PX + 1, WIDTH_PX, BODY_BOTTOM_PX)


def render(face: Face) -> Image.Image:
    """Return *face* as a one-bit image of 128x64 pixels.

    :raises BoardError: if the fonts are not installed.
    """
    image = Image.new("1", (WIDTH_PX, HEIGHT_PX))
    pen = ImageDraw.Draw(image)
    pen.fontmode = "1"
    if face.card:
        _card(pen, face)
    elif face.rows:
        _list(pen, face)
    else:
        _LAYOUTS[face.layout](pen, face)
    if face.even:
        _even_out(image, pen)
    elif not face.card:
        _strip(pen, face)
    return image


def photograph(face: Face) -> Picture:
    """Return the screen of *face* as the rehearsal socket hands it out."""
    file = io.BytesIO()
    render(face).save(file, "PNG")
    return Picture(base64.b64encode(file.getvalue()).decode("ascii"))


# ---- the parts of a screen ----


def clock_text(left_s: int) -> str:
    """Return a clock's seconds as a player reads them: ``47``, ``1:05``."""
    return str(left_s) if left_s < 60 else f"{left_s // 60}:{left_s % 60:02d}"


def _corner_clock(pen: ImageDraw.ImageDraw, face: Face) -> int:
    """Draw the clock small in the upper right; return where it begins."""
    if face.left_s is None:
        return WIDTH_PX
    text = clock_text(face.left_s)
    left = WIDTH_PX - width_px(text, 11, bold=True)
    put(pen, (left, 0), text, 11, bold=True)
    return left - 3


def _bar(pen: ImageDraw.ImageDraw, face: Face, *, clock: bool = True) -> None:
    right = _corner_clock(pen, face) if clock else WIDTH_PX
    title = Box(0, 0, right, BAR_PX - 1)
    write(pen, title, (face.title,), largest=11, bold=True, centre=False)
    if face.title or right < WIDTH_PX:
        pen.line((0, BAR_PX - 1, WIDTH_PX - 1, BAR_PX - 1), fill=1)


def _bottom(face: Face) -> int:
    """Return where a layout ends that uses the strip's room while there is no strip."""
    return BODY_BOTTOM_PX if face.even or _strip_text(face) else HEIGHT_PX


def _title(pen: ImageDraw.ImageDraw, face: Face) -> None:
    split = 28 if face.lines else BODY_BOTTOM_PX
    right = _corner_clock(pen, face)
    write(pen, Box(0, 0, right, split), (face.title,), largest=22, bold=True)
    write(pen, Box(0, split, WIDTH_PX, BODY_BOTTOM_PX), face.lines, largest=12)


def _big(pen: ImageDraw.ImageDraw, face: Face) -> None:
    split = BODY_BOTTOM_PX - 24 if face.lines else BODY_BOTTOM_PX
    right = _corner_clock(pen, face)
    draw_icon(pen, face.icon, 0, -4)
    # As far from the left as from the clock: the number stays in the middle.
    edge = max(WIDTH_PX - right, ICON_PX if face.icon is not Icon.NONE else 0)
    middle = Box(edge, 0, WIDTH_PX - edge, split)
    write(pen, middle, (face.title,), largest=32, bold=True)
    write(pen, Box(0, split, WIDTH_PX, BODY_BOTTOM_PX), face.lines, largest=11)


def _clock(pen: ImageDraw.ImageDraw, face: Face) -> None:
    _bar(pen, face, clock=False)
    split = 41 if face.lines else BODY.bottom
    text = "" if face.left_s is None else clock_text(face.left_s)
    write(pen, BODY._replace(bottom=split), (text,), largest=32, smallest=20, bold=True)
    below = Box(0, split, WIDTH_PX, _bottom(face))
    write(pen, below, (" ".join(face.lines),), largest=12, smallest=8)


def _icon(pen: ImageDraw.ImageDraw, face: Face) -> None:
    _bar(pen, face)
    draw_icon(pen, face.icon, 0, BAR_PX + 1)
    left = 0 if face.icon is Icon.NONE else ICON_PX + 4
    box = Box(left, BODY.top, WIDTH_PX, _bottom(face))
    write(pen, box, face.lines, largest=16, smallest=8)


def _note(pen: ImageDraw.ImageDraw, face: Face) -> None:
    _bar(pen, face)
    write(pen, BODY._replace(bottom=_bottom(face)), face.lines, largest=20)


def _card(pen: ImageDraw.ImageDraw, face: Face) -> None:
    # The first line in a bright bar, the rest below it on the whole screen. Bar and
    # icon light as much for all, so that the glow of a card says little of what is on it.
    split = BAR_PX - 1
    pen.rectangle((0, 0, WIDTH_PX - 1, split - 1), fill=1)
    bar = Box(1, 0, WIDTH_PX - 1, split)
    write(pen, bar, face.lines[:1], largest=11, bold=True, fill=0)
    left = 0
    if face.icon is not Icon.NONE:
        draw_icon(pen, face.icon, 0, split + 2)
        _light_up(pen, HEIGHT_PX - 1, ICON_PX, CARD_ICON_PX - light_of(face.icon))
        left = ICON_PX + 4
    box = Box(left, split, WIDTH_PX, HEIGHT_PX)
    write(pen, box, face.lines[1:], largest=13, smallest=8)


def _list(pen: ImageDraw.ImageDraw, face: Face) -> None:
    _bar(pen, face)
    step = 12
    seen = BODY.height // step
    first = min(max(0, face.cursor - seen // 2), max(0, len(face.rows) - seen))
    for place, row in enumerate(face.rows[first : first + seen]):
        top = BODY.top + place * step
        chosen = first + place == face.cursor
        if chosen:
            pen.rectangle((0, top, WIDTH_PX - 5, top + step - 1), fill=1)
        ink = 0 if chosen else 1
        box = Box(12, top, WIDTH_PX - 7, top + step)
        write(pen, box, (row.label,), largest=11, smallest=10, centre=False, fill=ink)
        if row.marked:
            pen.line((2, top + 6, 4, top + 8), fill=ink, width=2)
            pen.line((4, top + 8, 9, top + 3), fill=ink, width=2)
    if len(face.rows) > seen:
        travel = BODY.height - 8
        top = BODY.top + round(travel * face.cursor / (len(face.rows) - 1))
        pen.line((WIDTH_PX - 2, BODY.top, WIDTH_PX - 2, BODY.bottom - 1), fill=1)
        pen.rectangle((WIDTH_PX - 3, top, WIDTH_PX - 1, top + 7), fill=1)


def _strip_text(face: Face) -> str:
    t = words_of(face.language).gettext
    sign = MARKS.get(face.reply)
    if sign is not None:
        return t(sign.word)
    if not face.rows or not face.hand:
        return ""
    there = any(row.value == face.hand for row in face.rows)
    echo = t("By hand: {number}") if there else t("By hand: {number}, not in the list")
    return echo.format(number=face.hand)


def _strip(pen: ImageDraw.ImageDraw, face: Face) -> None:
    text = _strip_text(face)
    if not text:
        return
    top = HEIGHT_PX - STRIP_PX
    sign = MARKS.get(face.reply)
    solid = sign is not None and sign.solid
    pen.rectangle((0, top, WIDTH_PX - 1, HEIGHT_PX - 1), fill=int(solid), outline=1)
    ink = int(not solid)
    box = Box(2, top, WIDTH_PX - 2, HEIGHT_PX)
    if sign is not None:
        # At both ends: the eye finds one of them, wherever it looks.
        for left in (3, WIDTH_PX - 3 - GLYPH_PX):
            glyph = Box(left, top - 1, left + GLYPH_PX, HEIGHT_PX)
            write(pen, glyph, (sign.glyph,), largest=GLYPH_PX, smallest=9, bold=True, fill=ink)
        box = box._replace(left=3 + GLYPH_PX, right=WIDTH_PX - 3 - GLYPH_PX)
    write(pen, box, (text,), largest=9, smallest=8, fill=ink)


def _even_out(image: Image.Image, pen: ImageDraw.ImageDraw) -> None:
    # Pillow keeps a lit pixel as 1 or as 255.
    missing = EVEN_LIGHT_PX - sum(image.histogram()[1:])
    _light_up(pen, HEIGHT_PX - 1, WIDTH_PX, min(missing, WIDTH_PX * STRIP_PX))


def _light_up(pen: ImageDraw.ImageDraw, bottom: int, width: int, pixels: int) -> None:
    """Light so many *pixels* from the left, *width* a row, from row *bottom* upwards."""
    for place in range(pixels):
        row, column = divmod(place, width)
        pen.point((column, bottom - row), fill=1)


_LAYOUTS: Final = {
    Layout.TITLE: _title,
    Layout.BIG: _big,
    Layout.CLOCK: _clock,
    Layout.LIST: _note,
    Layout.ICON: _icon,
    Layout.NOTE: _note,
}
"""LIST without an open list is its title and lines."""

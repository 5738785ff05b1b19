"""A face -> the 128x64 one-bit image of the hooded screen.

Above, the layout that the cue names; below, a strip that answers presses. Text
shrinks, then wraps, then ends in an ellipsis; it never leaves its box.
"""

import base64
import functools
import io
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image, ImageDraw, ImageFont

from firmware.errors import BoardError
from firmware.rehearsal import Picture
from firmware.wire import Icon, Layout
from seat_node.face import Face, Reply, words_of
from seat_node.icons import ICON_PX, draw_icon

WIDTH_PX: Final = 128
HEIGHT_PX: Final = 64

FONTS: Final = Path("/usr/share/fonts/truetype/dejavu")
"""Where Debian's fonts-dejavu-core puts them; Pillow's own font has no Cyrillic."""

BAR_PX: Final = 14
"""Height of the title's bar."""

STRIP_PX: Final = 11
"""Height of the strip that answers presses."""

BODY_BOTTOM_PX: Final = HEIGHT_PX - STRIP_PX - 1

EVEN_LIGHT_PX: Final = 1700
"""Lit pixels of every even screen, so that its glow tells nobody what is on it.

The strip makes up the difference to what a screen lights by itself.
"""

ELLIPSIS: Final = "…"


class Box(NamedTuple):
    """A rectangle of the screen in pixels, right and bottom outside."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """Return the columns of the box."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Return the rows of the box."""
        return self.bottom - self.top


BODY: Final = Box(0, BAR_PX + 1, WIDTH_PX, BODY_BOTTOM_PX)


@functools.cache
def font(size: int, *, bold: bool = False, folder: Path = FONTS) -> ImageFont.FreeTypeFont:
    """Return DejaVu Sans of *size* pixels.

    :raises BoardError: if the font is not installed.
    """
    path = folder / ("DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf")
    try:
        # Opened here: given a name, Pillow would search the system for another file.
        with path.open("rb") as file:
            return ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)
    except OSError as error:
        raise BoardError(
            f"font {path} cannot be read ({error}): install the package fonts-dejavu-core"
        ) from error


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
        _even_out(image)
    elif not face.card:
        _strip(pen, face)
    return image


def photograph(face: Face) -> Picture:
    """Return the screen of *face* as the rehearsal socket hands it out."""
    file = io.BytesIO()
    render(face).save(file, "PNG")
    return Picture(base64.b64encode(file.getvalue()).decode("ascii"))


# ---- text that fits ----


def _width(text: str, size: int, bold: bool) -> int:
    left, _, right, _ = font(size, bold=bold).getbbox(text, mode="1")
    return int(right - min(0, left))


def _line_px(size: int, bold: bool) -> int:
    ascent, descent = font(size, bold=bold).getmetrics()
    return ascent + descent


def _cut(text: str, width: int, size: int, bold: bool) -> str:
    if _width(text, size, bold) <= width:
        return text
    while text and _width(text + ELLIPSIS, size, bold) > width:
        text = text[:-1].rstrip()
    return text + ELLIPSIS


def _wrap(text: str, width: int, size: int, bold: bool) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        if lines and _width(f"{lines[-1]} {word}", size, bold) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _write(
    pen: ImageDraw.ImageDraw,
    box: Box,
    texts: tuple[str, ...],
    *,
    largest: int,
    smallest: int = 9,
    bold: bool = False,
    centre: bool = True,
    fill: int = 1,
) -> None:
    """Write *texts*, each on lines of its own, as large as the box allows."""
    texts = tuple(text for text in (" ".join(text.split()) for text in texts) if text)
    if not texts or box.height <= 0:
        return
    for size in range(largest, smallest - 1, -1):
        lines = [line for text in texts for line in _wrap(text, box.width, size, bold)]
        fits = all(_width(line, size, bold) <= box.width for line in lines)
        if fits and len(lines) * _line_px(size, bold) <= box.height:
            break
    else:
        size = smallest
        room = max(1, box.height // _line_px(size, bold))
        if len(lines) > room:
            lines = [*lines[: room - 1], " ".join(lines[room - 1 :])]
        lines = [_cut(line, box.width, size, bold) for line in lines]
    step = _line_px(size, bold)
    top = box.top + max(0, (box.height - step * len(lines)) // 2) if centre else box.top
    for number, line in enumerate(lines):
        left = box.left
        if centre:
            left += max(0, (box.width - _width(line, size, bold)) // 2)
        # Some letters (J) begin left of their place.
        left -= min(0, int(font(size, bold=bold).getbbox(line, mode="1")[0]))
        pen.text((left, top + number * step), line, fill=fill, font=font(size, bold=bold))


# ---- the parts of a screen ----


def clock_text(left_s: int) -> str:
    """Return a clock's seconds as a player reads them: ``47``, ``1:05``."""
    return str(left_s) if left_s < 60 else f"{left_s // 60}:{left_s % 60:02d}"


def _corner_clock(pen: ImageDraw.ImageDraw, face: Face) -> int:
    """Draw the clock small in the upper right; return where it begins."""
    if face.left_s is None:
        return WIDTH_PX
    text = clock_text(face.left_s)
    left = WIDTH_PX - _width(text, 11, bold=True)
    pen.text((left, 0), text, fill=1, font=font(11, bold=True))
    return left - 3


def _bar(pen: ImageDraw.ImageDraw, face: Face, *, clock: bool = True) -> None:
    right = _corner_clock(pen, face) if clock else WIDTH_PX
    title = Box(0, 0, right, BAR_PX - 1)
    _write(pen, title, (face.title,), largest=11, bold=True, centre=False)
    if face.title or right < WIDTH_PX:
        pen.line((0, BAR_PX - 1, WIDTH_PX - 1, BAR_PX - 1), fill=1)


def _title(pen: ImageDraw.ImageDraw, face: Face) -> None:
    split = 28 if face.lines else BODY_BOTTOM_PX
    right = _corner_clock(pen, face)
    _write(pen, Box(0, 0, right, split), (face.title,), largest=22, bold=True)
    _write(pen, Box(0, split, WIDTH_PX, BODY_BOTTOM_PX), face.lines, largest=12)


def _big(pen: ImageDraw.ImageDraw, face: Face) -> None:
    split = BODY_BOTTOM_PX - 24 if face.lines else BODY_BOTTOM_PX
    right = _corner_clock(pen, face)
    # As far from the left as from the clock: the number stays in the middle.
    middle = Box(WIDTH_PX - right, 0, right, split)
    _write(pen, middle, (face.title,), largest=32, bold=True)
    _write(pen, Box(0, split, WIDTH_PX, BODY_BOTTOM_PX), face.lines, largest=11)


def _clock(pen: ImageDraw.ImageDraw, face: Face) -> None:
    _bar(pen, face, clock=False)
    split = BODY.bottom - 12 if face.lines else BODY.bottom
    text = "" if face.left_s is None else clock_text(face.left_s)
    _write(pen, BODY._replace(bottom=split), (text,), largest=32, smallest=20, bold=True)
    _write(pen, BODY._replace(top=split), (" ".join(face.lines),), largest=10)


def _icon(pen: ImageDraw.ImageDraw, face: Face) -> None:
    _bar(pen, face)
    left = 0
    if face.icon is not Icon.NONE:
        draw_icon(pen, face.icon, 0, BAR_PX + 1)
        left = ICON_PX + 4
    strip = face.even or bool(_strip_text(face))
    box = Box(left, BODY.top, WIDTH_PX, BODY.bottom if strip else HEIGHT_PX)
    _write(pen, box, face.lines, largest=14, smallest=8)


def _note(pen: ImageDraw.ImageDraw, face: Face) -> None:
    _bar(pen, face)
    _write(pen, BODY, face.lines, largest=12, centre=False)


def _card(pen: ImageDraw.ImageDraw, face: Face) -> None:
    # The first line in a bright bar, the rest below it on the whole screen. The bar
    # is the same for all, so that the glow of a card says little of what is on it.
    split = BAR_PX - 1
    pen.rectangle((0, 0, WIDTH_PX - 1, split - 1), fill=1)
    bar = Box(1, 0, WIDTH_PX - 1, split)
    _write(pen, bar, face.lines[:1], largest=11, bold=True, fill=0)
    _write(pen, Box(0, split, WIDTH_PX, HEIGHT_PX), face.lines[1:], largest=13, smallest=8)


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
        _write(pen, box, (row.label,), largest=11, smallest=10, centre=False, fill=ink)
        if row.marked:
            pen.line((2, top + 6, 4, top + 8), fill=ink, width=2)
            pen.line((4, top + 8, 9, top + 3), fill=ink, width=2)
    if len(face.rows) > seen:
        travel = BODY.height - 8
        top = BODY.top + round(travel * face.cursor / (len(face.rows) - 1))
        pen.line((WIDTH_PX - 2, BODY.top, WIDTH_PX - 2, BODY.bottom - 1), fill=1)
        pen.rectangle((WIDTH_PX - 3, top, WIDTH_PX - 1, top + 7), fill=1)


def _strip_text(face: Face) -> str:
    if face.reply is Reply.NOTHING or (face.reply is Reply.NONE and face.linked):
        return ""
    t = words_of(face.language).gettext
    return {
        Reply.NONE: t("no link"),
        Reply.PRESSED: t("pressed"),
        Reply.WAITING: t("waiting for the table"),
        Reply.ACCEPTED: t("accepted"),
        Reply.LATE: t("too late"),
    }[face.reply]


def _strip(pen: ImageDraw.ImageDraw, face: Face) -> None:
    text = _strip_text(face)
    if not text:
        return
    top = HEIGHT_PX - STRIP_PX
    solid = face.reply in (Reply.ACCEPTED, Reply.LATE)
    pen.rectangle((0, top, WIDTH_PX - 1, HEIGHT_PX - 1), fill=int(solid), outline=1)
    box = Box(2, top, WIDTH_PX - 2, HEIGHT_PX)
    _write(pen, box, (text,), largest=9, smallest=8, fill=int(not solid))


def _even_out(image: Image.Image) -> None:
    # Pillow keeps a lit pixel as 1 or as 255.
    missing = EVEN_LIGHT_PX - sum(image.histogram()[1:])
    for place in range(min(missing, WIDTH_PX * STRIP_PX)):
        row, column = divmod(place, WIDTH_PX)
        image.putpixel((column, HEIGHT_PX - 1 - row), 1)


_LAYOUTS: Final = {
    Layout.TITLE: _title,
    Layout.BIG: _big,
    Layout.CLOCK: _clock,
    Layout.LIST: _note,
    Layout.ICON: _icon,
    Layout.NOTE: _note,
}
"""LIST without an open list is its title and lines."""

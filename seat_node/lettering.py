"""Text for the hooded screen: it shrinks, then wraps, then ends in an ellipsis.

What the font cannot draw becomes :data:`MISSING`; nothing leaves its box.
"""

import functools
import unicodedata
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image, ImageDraw, ImageFont

from firmware.errors import BoardError

FONTS: Final = Path("/usr/share/fonts/truetype/dejavu")
"""Where Debian's fonts-dejavu-core puts them; Pillow's own font has no Cyrillic."""

ELLIPSIS: Final = "…"

MISSING: Final = "□"
"""Stands for a character that the font has not got, an emoji say."""

_NO_CHARACTER: Final = "\U0010fffe"


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


def drawable(text: str) -> str:
    """Return *text* in characters that the font has, on one line.

    Accents are put together with their letters; those that fit no letter, and
    marks that only steer the text's direction or joining, are left out.
    """
    shown = []
    for character in unicodedata.normalize("NFC", " ".join(text.split())):
        kind = unicodedata.category(character)
        if kind not in ("Mn", "Me", "Cf", "Cc"):
            shown.append(character if _is_drawn(character) else MISSING)
    return " ".join("".join(shown).split())


@functools.lru_cache(maxsize=1024)
def _is_drawn(character: str) -> bool:
    if unicodedata.category(character) in ("Cs", "Co", "Cn"):
        return False
    # In both weights: a title is bold.
    return all(_shape(character, bold) != _shape(_NO_CHARACTER, bold) for bold in (False, True))


def _shape(character: str, bold: bool) -> tuple[bytes, tuple[int, int]]:
    mask = font(20, bold=bold).getmask(character, mode="1")
    return bytes(mask), mask.size


@functools.lru_cache(maxsize=4096)
def width_px(text: str, size: int, *, bold: bool) -> int:
    """Return how many columns *text* takes."""
    left, right = _span_px(text, size, bold)
    return right - min(0, left)


@functools.lru_cache(maxsize=2048)
def _span_px(text: str, size: int, bold: bool) -> tuple[int, int]:
    """Return the first column of *text*, and the one after its last.

    Measuring is most of a picture's work, and an evening has few texts.
    """
    left, _, right, _ = font(size, bold=bold).getbbox(text, mode="1")
    return int(left), int(right)


def put(
    pen: ImageDraw.ImageDraw,
    place: tuple[int, int],
    text: str,
    size: int,
    *,
    bold: bool,
    fill: int = 1,
) -> None:
    """Put *text* at *place* as it is."""
    letters = _letters(text, size, bold)
    if letters is not None:
        at = (place[0] + letters.left, place[1] + letters.top)
        pen.bitmap(at, letters.image, fill=fill)


class _Letters(NamedTuple):
    """The picture of a line, and where it lies from the line's place."""

    left: int
    top: int
    image: Image.Image


@functools.lru_cache(maxsize=512)
def _letters(text: str, size: int, bold: bool) -> _Letters | None:
    """Draw *text* once for all pictures that show it; None: it has no ink."""
    face = font(size, bold=bold)
    left, top, right, bottom = map(int, face.getbbox(text, mode="1"))
    if right <= left or bottom <= top:
        return None
    image = Image.new("1", (right - left, bottom - top))
    pen = ImageDraw.Draw(image)
    pen.fontmode = "1"
    pen.text((-left, -top), text, fill=1, font=face)
    return _Letters(left, top, image)


def line_px(size: int, *, bold: bool) -> int:
    """Return how many rows a line takes."""
    ascent, descent = font(size, bold=bold).getmetrics()
    return ascent + descent


def write(
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
    texts = tuple(text for text in map(drawable, texts) if text)
    if not texts or box.height <= 0:
        return
    for size in range(largest, smallest - 1, -1):
        lines = [line for text in texts for line in _wrap(text, box.width, size, bold)]
        fits = all(width_px(line, size, bold=bold) <= box.width for line in lines)
        if fits and len(lines) * line_px(size, bold=bold) <= box.height:
            break
    else:
        size = smallest
        room = max(1, box.height // line_px(size, bold=bold))
        if len(lines) > room:
            lines = [*lines[: room - 1], " ".join(lines[room - 1 :])]
        lines = [_cut(line, box.width, size, bold) for line in lines]
    step = line_px(size, bold=bold)
    top = box.top + max(0, (box.height - step * len(lines)) // 2) if centre else box.top
    for number, line in enumerate(lines):
        left = box.left
        if centre:
            left += max(0, (box.width - width_px(line, size, bold=bold)) // 2)
        # Some letters (J) begin left of their place.
        left -= min(0, _span_px(line, size, bold)[0])
        put(pen, (left, top + number * step), line, size, bold=bold, fill=fill)


def _cut(text: str, width: int, size: int, bold: bool) -> str:
    if width_px(text, size, bold=bold) <= width:
        return text
    while text and width_px(text + ELLIPSIS, size, bold=bold) > width:
        text = text[:-1].rstrip()
    return text + ELLIPSIS


def _wrap(text: str, width: int, size: int, bold: bool) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        if lines and width_px(f"{lines[-1]} {word}", size, bold=bold) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines

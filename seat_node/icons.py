"""The pictures of the hooded screen, drawn by code: one-bit, ICON_PX square."""

import functools
import math
from collections.abc import Callable
from typing import Final

from PIL import Image
from PIL.ImageDraw import Draw, ImageDraw

from firmware.wire import Icon

ICON_PX: Final = 36
"""Side of an icon's square in pixels."""


def draw_icon(pen: ImageDraw, icon: Icon, x: int, y: int) -> None:
    """Draw *icon* lit, its square's upper left corner at (*x*, *y*)."""
    drawer = _DRAWERS.get(icon)
    if drawer is not None:
        drawer(pen, x, y)


@functools.cache
def light_of(icon: Icon) -> int:
    """Return how many pixels *icon* lights."""
    image = Image.new("1", (2 * ICON_PX, 2 * ICON_PX))
    draw_icon(Draw(image), icon, 0, 0)
    # Pillow keeps a lit pixel as 1 or as 255.
    return sum(image.histogram()[1:])


def _citizen(pen: ImageDraw, x: int, y: int) -> None:
    pen.ellipse((x + 11, y + 2, x + 24, y + 15), fill=1)
    pen.pieslice((x + 3, y + 18, x + 32, y + 50), 180, 360, fill=1)
    pen.rectangle((x, y + ICON_PX, x + ICON_PX, y + 52), fill=0)


def _star(x: float, y: float, outer: float, inner: float, points: int) -> list[tuple[float, float]]:
    turn = math.pi / points
    return [
        (
            x + (outer if step % 2 == 0 else inner) * math.sin(step * turn),
            y - (outer if step % 2 == 0 else inner) * math.cos(step * turn),
        )
        for step in range(2 * points)
    ]


def _sheriff(pen: ImageDraw, x: int, y: int) -> None:
    pen.polygon(_star(x + 17.5, y + 18, 17, 7.5, 5), fill=1)
    pen.ellipse((x + 13, y + 14, x + 22, y + 23), fill=0)
    pen.ellipse((x + 16, y + 17, x + 19, y + 20), fill=1)


def _hat(pen: ImageDraw, x: int, y: int) -> None:
    pen.rounded_rectangle((x + 9, y + 6, x + 26, y + 24), 5, fill=1)
    pen.rectangle((x + 9, y + 17, x + 26, y + 20), fill=0)
    pen.ellipse((x, y + 20, x + 35, y + 29), fill=1)


def _don(pen: ImageDraw, x: int, y: int) -> None:
    _hat(pen, x, y + 5)
    pen.polygon([(x + 10, y + 8), (x + 10, y), (x + 14, y + 4), (x + 17.5, y), (x + 21, y + 4),
                 (x + 25, y), (x + 25, y + 8)], fill=1)  # fmt: skip
    pen.line((x + 9, y + 10, x + 26, y + 10), fill=0, width=2)


def _moon(pen: ImageDraw, x: int, y: int) -> None:
    pen.ellipse((x + 4, y + 3, x + 33, y + 32), fill=1)
    pen.ellipse((x + 13, y, x + 40, y + 27), fill=0)


def _sun(pen: ImageDraw, x: int, y: int) -> None:
    pen.ellipse((x + 9, y + 9, x + 26, y + 26), fill=1)
    for ray in range(8):
        across, down = math.cos(ray * math.pi / 4), math.sin(ray * math.pi / 4)
        pen.line(
            (x + 17.5 + 12 * across, y + 17.5 + 12 * down,
             x + 17.5 + 17 * across, y + 17.5 + 17 * down), fill=1, width=2,
        )  # fmt: skip


def _crown(pen: ImageDraw, x: int, y: int) -> None:
    pen.polygon([(x + 3, y + 26), (x + 2, y + 8), (x + 10, y + 17), (x + 17.5, y + 4),
                 (x + 25, y + 17), (x + 33, y + 8), (x + 32, y + 26)], fill=1)  # fmt: skip
    pen.rectangle((x + 3, y + 29, x + 32, y + 32), fill=1)


def _link(pen: ImageDraw, x: int, y: int) -> None:
    for arm in (6, 14):
        pen.arc((x + 17 - arm * 1.2, y + 26 - arm * 1.6, x + 18 + arm * 1.2, y + 26 + arm * 1.6),
                220, 320, fill=1, width=3)  # fmt: skip
    pen.ellipse((x + 15, y + 26, x + 20, y + 31), fill=1)
    pen.line((x + 5, y + 32, x + 31, y + 3), fill=0, width=6)
    pen.line((x + 5, y + 32, x + 31, y + 3), fill=1, width=2)


def _cross(pen: ImageDraw, x: int, y: int) -> None:
    pen.line((x + 6, y + 6, x + 29, y + 29), fill=1, width=5)
    pen.line((x + 29, y + 6, x + 6, y + 29), fill=1, width=5)


def _check(pen: ImageDraw, x: int, y: int) -> None:
    pen.line((x + 4, y + 19, x + 13, y + 28), fill=1, width=5)
    pen.line((x + 13, y + 28, x + 31, y + 7), fill=1, width=5)


_DRAWERS: Final[dict[Icon, Callable[[ImageDraw, int, int], None]]] = {
    Icon.CITIZEN: _citizen,
    Icon.SHERIFF: _sheriff,
    Icon.MAFIA: _hat,
    Icon.DON: _don,
    Icon.MOON: _moon,
    Icon.SUN: _sun,
    Icon.CROWN: _crown,
    Icon.LINK: _link,
    Icon.CROSS: _cross,
    Icon.CHECK: _check,
}

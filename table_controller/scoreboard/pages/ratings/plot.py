"""Ranks over time as an SVG picture that a page takes in. Pure; the only file importing pygal.

pygal writes a style sheet, a script and words for its own tooltips into each picture; the
policy of our pages forbids the first two. They are taken out: what is left are shapes with
classes, which ``ratings.css`` colours for dark and for light.
"""

import datetime
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import pygal
from pygal.style import Style

# It leaves a finder of the old kind for its plugins, at which Python warns of every module
# that is not there: who only tries an import would stumble.
sys.meta_path[:] = [each for each in sys.meta_path if type(each).__module__ != "pygal"]

LINES_MAX: Final = 6
"""Lines of a picture: so many can be told apart by colour and dash."""

DOTS_MAX: Final = 30
"""Days with a dot each; of more the line alone is drawn."""

TICKS_Y: Final = 6

LEADING: Final = 1.35
"""Height of a line of text, in heights of its letters."""


class Line(NamedTuple):
    """One player's ranks."""

    label: str
    """At its right end."""
    ranks: Sequence[int | None]
    """One for each day; None: before the first game."""


class Size(NamedTuple):
    """Of a picture, in its own units."""

    name: str
    """A class of the style sheet, which shows the one that fits."""
    width: int
    height: int
    label: int
    """Room for the labels at the right."""
    font: int
    """Height of letters, as the style sheet has it."""
    ticks: int
    """Days written below it."""


WIDE: Final = Size("wide", 1000, 400, 220, 17, 5)
ALONE: Final = Size("alone", 720, 300, 24, 16, 5)
"""Of one line on a page of one column."""

NARROW: Final = Size("narrow", 380, 320, 44, 15, 3)


def rank_plot(
    days: Sequence[datetime.date],
    lines: Sequence[Line],
    size: Size,
    *,
    title: str,
    about: str,
    day_name: Callable[[datetime.date], str],
) -> str:
    """Return the picture as an SVG element, "" without days: rank 1 at the top, time to the right.

    *title* and *about* are read out in its place; names in it are escaped.
    """
    if not days or not lines:
        return ""
    lowest = max(rank for line in lines for rank in line.ranks if rank is not None)
    chart = pygal.XY(
        width=size.width,
        height=size.height,
        margin=8,
        margin_right=size.label,
        style=Style(label_font_size=size.font, major_label_font_size=size.font),
        js=(),
        show_legend=False,
        dots_size=4,
        inverse_y_axis=True,
        range=(1, max(2, lowest)),
        # One day alone stands in the middle.
        xrange=(days[0].toordinal() - (len(days) == 1), days[-1].toordinal() + (len(days) == 1)),
        x_value_formatter=lambda at: day_name(datetime.date.fromordinal(round(at))),
        value_formatter=lambda rank: f"{rank:.0f}",
        disable_xml_declaration=True,
    )
    chart.x_labels = [day.toordinal() for day in _ticks_x(days, size.ticks)]
    chart.y_labels = _ticks_y(max(2, lowest))
    for line in lines:
        ranked = zip(days, line.ranks, strict=True)
        points = [(day.toordinal(), rank) for day, rank in ranked if rank is not None]
        # One point alone makes no line.
        chart.add(line.label, points, show_dots=len(days) <= DOTS_MAX or len(points) == 1)
    name = f"rank-plot-{size.name}"

    def settle(root: Any) -> Any:
        _strip(root)
        root.set("class", f"rank-plot {size.name}")
        root.set("role", "img")
        root.set("id", name)
        root.set("aria-labelledby", f"{name}-title {name}-about")
        heading = next(each for each in root if each.tag == "title")
        heading.text = title
        heading.set("id", f"{name}-title")
        described = root.makeelement("desc", {"id": f"{name}-about"})
        described.text = about
        root.insert(list(root).index(heading) + 1, described)
        _label(root, lines, size)
        return root

    chart.add_xml_filter(settle)
    return str(chart.render(is_unicode=True))


def _ticks_x(days: Sequence[datetime.date], most: int) -> list[datetime.date]:
    """Return some of *days* about as far from each other as can be, the first and last too."""
    count = min(most, len(days))
    if count == 1:
        return list(days)
    span = days[-1] - days[0]
    wanted = (days[0] + span * at / (count - 1) for at in range(count))
    near = {min(days, key=lambda day: abs(day - each)) for each in wanted}
    least = span / (2 * count)
    kept = [days[0]]
    for day in sorted(near - {days[0], days[-1]}):
        if day - kept[-1] > least and days[-1] - day > least:
            kept.append(day)
    return [*kept, days[-1]]


def _ticks_y(lowest: int) -> list[int]:
    """Return rank 1 and round ones below it."""
    step = next(
        size * unit
        for unit in (1, 10, 100, 1000, 10_000)
        for size in (1, 2, 5)
        if lowest <= size * unit * TICKS_Y
    )
    return [1, *(rank for rank in range(step, lowest + 1, step) if rank > 1)]


def _strip(root: Any) -> None:
    """Take out of *root* what the pages' policy forbids, and what only a script would read."""
    for parent in list(root.iter()):
        for child in list(parent):
            inner = child.tag == "title" and parent is not root
            tooltip = "tooltip" in child.get("class", "") and child.tag == "g"
            if not isinstance(child.tag, str) or child.tag in ("defs", "desc") or inner or tooltip:
                parent.remove(child)
        for name in ("style", "id"):
            parent.attrib.pop(name, None)


def _label(root: Any, lines: Sequence[Line], size: Size) -> None:
    """Write each line's label at its right end, none over another."""
    found = {
        number: point
        for number in range(len(lines))
        if (point := _last_point(root, f"serie-{number}")) is not None
    }
    group = next(_by_class(root, "text-overlay"))
    order = sorted(found, key=lambda number: (found[number][1], number))
    heights = spread([found[number][1] for number in order], size.font * LEADING, size.height - 44)
    for number, height in zip(order, heights, strict=True):
        place = {"x": f"{found[number][0] + 12:.1f}", "y": f"{height + size.font * 0.35:.1f}"}
        text = group.makeelement("text", place | {"class": f"end color-{number}"})
        text.text = lines[number].label
        group.append(text)


def spread(heights: Sequence[float], least: float, bottom: float) -> list[float]:
    """Return *heights*, which rise, moved as far as needed to be *least* from each other.

    None goes below *bottom* if there is room above.
    """
    found = list(heights)
    for at in range(1, len(found)):
        found[at] = max(found[at], found[at - 1] + least)
    for at in reversed(range(len(found))):
        below = found[at + 1] - least if at + 1 < len(found) else bottom
        found[at] = min(found[at], below)
    return found


def _last_point(root: Any, serie: str) -> tuple[float, float] | None:
    """Return where the line of *serie* ends."""
    groups = list(_by_class(root, serie))
    for path in (path for group in groups for path in group.iter("path")):
        x, y = path.get("d").split()[-2:]
        return float(x.lstrip("L")), float(y)
    for dot in (dot for group in groups for dot in group.iter("circle")):
        return float(dot.get("cx")), float(dot.get("cy"))
    return None


def _by_class(root: Any, name: str) -> Iterator[Any]:
    return (each for each in root.iter() if name in each.get("class", "").split())

"""Ranks over time as a picture: what the pages' policy lets in, and what a reader sees."""

import datetime
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.scoreboard.pages.ratings.plot import (
    DOTS_MAX,
    NARROW,
    WIDE,
    Line,
    rank_plot,
    spread,
)

SVG = "{http://www.w3.org/2000/svg}"
FIRST = datetime.date(2026, 9, 1)


def days(count, gap=7):
    return [FIRST + datetime.timedelta(days=gap * at) for at in range(count)]


def plot(days, lines, size=WIDE):
    """Return the picture as a tree."""
    svg = rank_plot(
        days, lines, size, title="Rank", about="Anna leads", day_name=lambda day: f"{day:%d.%m.}"
    )
    return ET.fromstring(svg)


def texts(tree, name):
    found = [each for each in tree.iter(f"{SVG}text") if name in each.get("class", "")]
    return [each.text for each in found]


def heights(tree, line):
    """Return the heights of a line's dots from the left to the right."""
    group = next(
        each
        for each in tree.iter(f"{SVG}g")
        if f"serie-{line} " in each.get("class", "") and each.find(f".//{SVG}circle") is not None
    )
    return [float(dot.get("cy")) for dot in group.iter(f"{SVG}circle")]


@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize("count", [1, 2, DOTS_MAX, DOTS_MAX + 1])
def test_nothing_in_it_is_forbidden_by_the_policy_or_from_elsewhere(size, count):
    svg = rank_plot(
        days(count), [Line('<b onload="x">&', [1] * count)], size,
        title="Rank", about="<script>", day_name=str,
    )  # fmt: skip
    tree = ET.fromstring(svg)
    tags = {each.tag.removeprefix(SVG) for each in tree.iter()}
    assert tags <= {"svg", "title", "desc", "g", "rect", "path", "text", "circle"}
    names = {name for each in tree.iter() for name in each.attrib}
    assert not {name for name in names if name == "style" or name.startswith(("on", "{"))}
    assert "<!--" not in svg
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
    assert texts(tree, "end") == ['<b onload="x">&']


def test_it_has_a_name_and_words_for_who_does_not_see_it():
    tree = plot(days(2), [Line("Anna", [1, 1])])
    title, about = tree.find(f"{SVG}title"), tree.find(f"{SVG}desc")
    assert (title.text, about.text, tree.get("role")) == ("Rank", "Anna leads", "img")
    assert tree.get("aria-labelledby") == f"{title.get('id')} {about.get('id')}"
    assert "wide" in tree.get("class")


def test_the_first_rank_is_at_the_top_and_a_line_begins_with_its_first_game():
    tree = plot(
        days(3), [Line("Anna", [2, 1, 1]), Line("Boris", [1, 2, 3]), Line("C", [None] * 2 + [2])]
    )
    anna, boris = heights(tree, 0), heights(tree, 1)
    assert anna[0] > anna[1] == anna[2] == boris[0]
    assert boris[0] < boris[1] < boris[2]
    assert heights(tree, 2) == [boris[1]]
    assert sorted(texts(tree, "end")) == ["Anna", "Boris", "C"]


def test_of_many_days_lines_are_drawn_and_of_one_day_a_dot():
    many = plot(
        days(DOTS_MAX + 1), [Line("Anna", [1] * (DOTS_MAX + 1)), Line("B", [None] * DOTS_MAX + [2])]
    )
    assert len(list(many.iter(f"{SVG}circle"))) == 1  # of B, who has one day
    assert sorted(texts(many, "end")) == ["Anna", "B"]
    once = plot(days(1), [Line("Anna", [1])])
    assert len(list(once.iter(f"{SVG}circle"))) == 1
    assert rank_plot([], [], WIDE, title="", about="", day_name=str) == ""


def test_days_are_written_below_it_the_first_and_the_last_too():
    tree = plot(days(40), [Line("Anna", [1] * 40)])
    axis = next(each for each in tree.iter(f"{SVG}g") if each.get("class") == "axis x")
    written = [each.text for each in axis.iter(f"{SVG}text")]
    assert (written[0], written[-1], len(written)) == ("01.09.", "01.06.", WIDE.ticks)


@given(
    rises=st.lists(st.floats(0, 300), min_size=1, max_size=6).map(sorted), least=st.floats(1, 40)
)
def test_no_label_lies_over_another(rises, least):
    moved = spread(rises, least, bottom=320.0)
    assert len(moved) == len(rises)
    assert all(b - a >= least - 1e-6 for a, b in pairwise(moved))
    assert moved[-1] <= 320.0
    if all(b - a >= least for a, b in pairwise(rises)):
        assert moved == rises

"""Ranks over time as pictures and as a table with the same numbers."""

import datetime
import functools
from typing import NamedTuple

from markupsafe import Markup

from firmware.words import catalogue
from table_controller.scoreboard.pages.games import numbers
from table_controller.scoreboard.pages.ratings.plot import ALONE, NARROW, WIDE, Line, rank_plot


class Course(NamedTuple):
    """Ranks over time."""

    pictures: tuple[Markup, ...]
    """One for wide and one for narrow pages."""
    names: tuple[str, ...]
    """Of the lines, in the order of their numbers."""
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    """(day, ranks): the newest first."""


@functools.lru_cache(maxsize=16)
def course(
    days: tuple[datetime.date, ...],
    ranks: tuple[tuple[int | None, ...], ...],
    names: tuple[str, ...],
    language: str,
) -> Course:
    """Return the ranks of the players of *names*, "" being one without, on *days*.

    The last ones are kept: a picture takes a while.
    """
    t = catalogue(language).gettext
    shown = [name or t("Anonymous player") for name in names]
    about = t("Rank 1 is at the top. After {day}: {ranks}.").format(
        day=numbers.day(days[-1], language),
        ranks=", ".join(
            t("{name} {rank}").format(name=name, rank=course[-1])
            for name, course in zip(shown, ranks, strict=True)
        ),
    )

    def day_name(day: datetime.date) -> str:
        return numbers.short_day(day, language, year=False)

    labels = {WIDE: shown, NARROW: [str(at) for at, _ in enumerate(shown, start=1)]}
    if len(shown) == 1:
        labels = {ALONE: [""], NARROW: [""]}
    return Course(
        # The picture escapes what is in it.
        pictures=tuple(
            Markup(  # noqa: S704
                rank_plot(
                    days,
                    [Line(*each) for each in zip(labels[size], ranks, strict=True)],
                    size,
                    title=t("Rank over time"),
                    about=about,
                    day_name=day_name,
                )
            )
            for size in labels
        ),
        names=tuple(shown),
        rows=tuple(
            (
                numbers.day(day, language),
                tuple("–" if course[at] is None else str(course[at]) for course in ranks),
            )
            for at, day in reversed(list(enumerate(days)))
        ),
    )

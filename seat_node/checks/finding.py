"""What a check found, and how it is told: lines of a terminal, pages of the screen."""

import enum
from collections.abc import Callable, Sequence
from typing import Final

import click
import msgspec

from firmware.wire import Layout
from firmware.words import N_
from seat_node.face import Face

Translate = Callable[[str], str]
"""``gettext`` of the card's language."""

LINES_A_PAGE: Final = 3
"""Lines that the screen's note layout shows in full."""


class Outcome(enum.IntEnum):
    """How a part is."""

    FINE = 0
    NOTE = 1
    """The seat plays, and somebody should know."""
    FAULT = 2
    """Something the seat needs, or the card says it has, is missing or broken."""


MARKS: Final = {Outcome.FINE: N_("ok"), Outcome.NOTE: N_("note"), Outcome.FAULT: N_("FAULT")}
COLOURS: Final = {Outcome.FINE: "green", Outcome.NOTE: "yellow", Outcome.FAULT: "red"}


class Finding(msgspec.Struct, frozen=True):
    """One part, as a check found it; all texts in the card's language."""

    part: str
    """Its name in at most twelve letters."""
    outcome: Outcome
    found: str
    remedy: str = ""
    """What to do; of a part that is not fine."""


def fine(part: str, found: str) -> Finding:
    """Return that *part* works."""
    return Finding(part, Outcome.FINE, found)


def note(part: str, found: str, remedy: str) -> Finding:
    """Return that the seat plays although *found*."""
    return Finding(part, Outcome.NOTE, found, remedy)


def fault(part: str, found: str, remedy: str) -> Finding:
    """Return that *part* does not work."""
    return Finding(part, Outcome.FAULT, found, remedy)


def in_lines(finding: Finding, t: Translate, *, colour: bool) -> str:
    """Return *finding* as a line, and one more with what to do."""
    width = max(len(t(mark)) for mark in MARKS.values())
    mark = f"{t(MARKS[finding.outcome]):<{width}}"
    if colour:
        mark = click.style(mark, fg=COLOURS[finding.outcome], bold=True)
    # What a library says may have lines of its own.
    line = f"{mark}  {finding.part:<12}  {_one_line(finding.found)}"
    if finding.remedy:
        line += f"\n{'':<{width + 2}}-> {_one_line(finding.remedy)}"
    return line


def in_pages(findings: Sequence[Finding], t: Translate, language: str) -> list[Face]:
    """Return *findings* as pages of the hooded screen, a line a part, the worst first."""
    worst_first = sorted(findings, key=lambda finding: -finding.outcome)
    lines = [f"{finding.part}: {t(MARKS[finding.outcome])}" for finding in worst_first]
    pages = [lines[at : at + LINES_A_PAGE] for at in range(0, len(lines), LINES_A_PAGE)]
    return [
        Face(
            scene="check",
            layout=Layout.NOTE,
            title=t("Self-test {page}/{pages}").format(page=number, pages=len(pages)),
            lines=tuple(page),
            language=language,
        )
        for number, page in enumerate(pages, start=1)
    ]


def _one_line(text: str) -> str:
    return " ".join(text.split())

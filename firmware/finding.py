"""What a check found, and how it is told at a terminal: a line, and one more with what to do."""

import enum
import os
import sys
from collections.abc import Callable
from typing import Final

import click
import msgspec

from firmware.words import N_, Words

Translate = Callable[[str], str]
"""``gettext`` of the card's language."""


class Outcome(enum.IntEnum):
    """How a part is."""

    FINE = 0
    NOTE = 1
    """It plays, and somebody should know."""
    FAULT = 2
    """Something that is needed, or that the card says is there, is missing or broken."""


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
    """Return that it plays although *found*."""
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


class Report:
    """Prints each finding as it comes, and keeps it."""

    def __init__(self, words: Words) -> None:
        self.language = words.language
        self.t: Translate = words.gettext
        self.findings: list[Finding] = []
        # https://no-color.org: set and not empty, whatever it is set to.
        self._colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")

    def add(self, finding: Finding) -> None:
        """Print *finding*."""
        self.findings.append(finding)
        click.echo(in_lines(finding, self.t, colour=self._colour), color=self._colour)

    @property
    def faults(self) -> list[str]:
        """The parts that do not work."""
        return [one.part for one in self.findings if one.outcome is Outcome.FAULT]


def _one_line(text: str) -> str:
    return " ".join(text.split())

"""What the checks found, as pages of the hooded screen."""

from collections.abc import Sequence
from typing import Final

from firmware.finding import MARKS, Finding, Translate
from firmware.wire import Layout
from seat_node.face import Face

LINES_A_PAGE: Final = 3
"""Lines that the screen's note layout shows in full."""


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

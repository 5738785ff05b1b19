"""Tables as CSV files that a spreadsheet opens and takes no text of for a formula."""

import csv
import io
from collections.abc import Iterable
from typing import Final

MARK: Final = b"\xef\xbb\xbf"
"""By which Excel knows UTF-8."""

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What a formula begins with. Source: OWASP, CSV Injection."""


def csv_file(header: Iterable[str], rows: Iterable[Iterable[str | int]]) -> bytes:
    """Return the table; numbers are whole ones, so that no language writes them otherwise."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    return MARK + text.getvalue().encode()


def _safe(cell: str | int) -> str | int:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell

"""What the program has said since its start, kept for whoever looks into a fault."""

import datetime
import logging
from collections import deque
from typing import Final, Self

LINES_MAX: Final = 2000
LINE_MAX: Final = 600
"""Letters of one message, its traceback with it."""


class RecentLog(logging.Handler):
    """Keeps the newest messages from INFO up. A context manager: it listens while entered."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self._lines: deque[str] = deque(maxlen=LINES_MAX)

    def __enter__(self) -> Self:
        logging.getLogger().addHandler(self)
        return self

    def __exit__(self, *exc: object) -> None:
        logging.getLogger().removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep *record*."""
        at = datetime.datetime.fromtimestamp(record.created, datetime.UTC)
        text = self.format(record)[:LINE_MAX]
        name = f"{record.levelname[:1]} {record.name}"
        self._lines.append(f"{at.isoformat(timespec='seconds')} {name}: {text}\n")

    def text(self) -> str:
        """Return all that is kept, the newest last."""
        self.acquire()
        try:
            return "".join(self._lines)
        finally:
            self.release()

"""Files that a command makes for its reader alone, and for no other user of the machine."""

import contextlib
import stat
from collections.abc import Iterator
from pathlib import Path

from firmware.errors import JournalError
from firmware.words import Words
from table_controller.record.journal import scratch_file


@contextlib.contextmanager
def new_file(path: Path, words: Words) -> Iterator[Path]:
    """Give a file to write to that becomes *path*, which must be new and private."""
    t = words.gettext
    if path.exists():
        raise JournalError(t("{path} is there already; nothing is overwritten").format(path=path))
    try:
        with scratch_file(path) as scratch:
            if stat.S_IMODE(scratch.stat().st_mode) & 0o077:
                raise JournalError(
                    t("{path}: others could read it there; take a disk with file rights").format(
                        path=path
                    )
                )
            yield scratch
    except OSError as error:
        if isinstance(error, JournalError):
            raise
        raise JournalError(f"{path}: {error.strerror}") from error

"""The table program, killed at a moment of a new game: ``dying_table MOMENT FILE WORD...``.

It dies once *FILE* is there, so that a game can be played before.
"""

import os
import signal
import sys
from pathlib import Path

from table_controller.host.ordering import Ordering
from table_controller.host.people import People
from table_controller.playing import Playing
from table_controller.record.journals import Journals

MOMENTS = {
    "before the journal": (Journals, "create", "before"),
    "before it is the current one": (Journals, "name_current", "before"),
    "after the commit": (Journals, "create", "after"),
    "before it is shown": (Playing, "_begin", "before"),
    "before the answer": (Ordering, "_answer", "after"),
    "before the ten are kept": (People, "keep", "before"),
    "after the ten are kept": (People, "keep", "after"),
}
"""Which call it does not live to make, or to return from."""


def die_at(moment: str, armed: Path) -> None:
    owner, name, when = MOMENTS[moment]
    was = getattr(owner, name)

    def call(*words, **more):
        if armed.exists() and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        done = was(*words, **more)
        if armed.exists():
            os.kill(os.getpid(), signal.SIGKILL)
        return done

    setattr(owner, name, call)


def main() -> None:
    moment, armed = sys.argv[1:3]
    del sys.argv[1:3]
    die_at(moment, Path(armed))
    # Imported when everything is in its place.
    from table_controller.__main__ import main as run

    run()

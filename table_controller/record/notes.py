"""What is noted beside the journal: what would only be worse without it.

A note is not synced, so that it does not cost the card a write through the
cache twice a second: the end of the program does not harm it, a pulled plug may.
"""

import contextlib
import math
from pathlib import Path
from typing import Final

import msgspec

from firmware.clock import Clock
from table_controller.countdown import Countdowns
from table_controller.interpret import Window, Windows
from table_controller.nodes import Nodes, Reading
from table_controller.record.journal import Journal, replace_file

NOTE_S: Final = 0.5
"""How often the running clocks are noted on disk. Source: DESIGN 7."""


class Note(msgspec.Struct, frozen=True):
    """What is noted beside the entries."""

    entries: int = 0
    """How many there were: fewer at a start have been lost."""
    lefts: dict[int, float] = {}
    """What was left of each countdown, in s."""
    lengths: dict[int, float] = {}
    """What each had in all then, in s."""
    at_s: float = 0.0
    """When it was written."""
    origin: str = ""
    """Of the clock that *at_s*, the windows and the readings are told by."""
    windows: tuple[Window, ...] = ()
    readings: dict[str, Reading] = {}
    """How the clock of each boot of a node stands to ours."""

    def clocks(self) -> "Note":
        """Return what it says of the clocks alone."""
        return Note(lefts=self.lefts, lengths=self.lengths)


class Notes:
    """Keeps the note of the running game: each half second, and when a window changes."""

    def __init__(self, clock: Clock, countdowns: Countdowns, nodes: Nodes) -> None:
        self._clock = clock
        self._countdowns = countdowns
        self._nodes = nodes
        self._noted_s = clock.now_s()

    def due_s(self) -> float:
        """Return when to write the next note; infinity: no clock runs."""
        return self._noted_s + NOTE_S if self._countdowns.first() else math.inf

    def write(self, journal: Journal, windows: Windows) -> None:
        """Note how things stand now; a disk that refuses loses the note alone."""
        self._noted_s = now_s = self._clock.now_s()
        note = Note(
            entries=journal.entries,
            lefts=self._countdowns.lefts(now_s),
            lengths=self._countdowns.lengths(),
            at_s=now_s,
            origin=self._clock.origin(),
            windows=windows.all,
            readings=self._nodes.readings(),
        )
        write_note(journal.path, note)

    def clocks(self, now_s: float) -> Note:
        """Return how the clocks stand."""
        return Note(lefts=self._countdowns.lefts(now_s), lengths=self._countdowns.lengths())

    def recall(self, note: Note, windows: Windows) -> None:
        """Take up what *note* says of a game that goes on.

        Its windows and the nodes' clocks if its clock is ours: a vote that was under way
        when the program ended counts by its own time then.
        """
        for countdown, left_s in note.lefts.items():
            self._countdowns.restore(countdown, left_s, note.lengths.get(countdown))
        if note.origin != self._clock.origin():
            return
        windows.recall(note.windows, note.at_s)
        self._nodes.recall(note.readings, note.at_s)


def note_path(path: Path) -> Path:
    """Return where the note beside the journal at *path* is."""
    return path.with_suffix(".left")


def read_note(path: Path) -> Note:
    """Return the note beside the journal at *path*; an empty one when there is none."""
    try:
        return msgspec.json.decode(note_path(path).read_bytes(), type=Note)
    except (OSError, msgspec.MsgspecError, RecursionError):
        return Note()


def write_note(path: Path, note: Note) -> None:
    """Put *note* beside the journal at *path*, if the disk takes it."""
    with contextlib.suppress(OSError):
        replace_file(note_path(path), msgspec.json.encode(note))

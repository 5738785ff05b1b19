"""A game taken up again from its journal."""

import msgspec

from firmware.errors import JournalError
from table_controller.game import SEATS
from table_controller.interpret import WINDOWS_END
from table_controller.nodes import Nodes
from table_controller.record.entries import Acted, Started, Swapped, Undone
from table_controller.record.journal import Journal
from table_controller.record.notes import Note, read_note
from table_controller.record.past import Past


def take_up(journal: Journal, nodes: Nodes) -> tuple[Started, Past, Note]:
    """Return how the game began, what it has come by, and the note beside it.

    Assigns the game's nodes.

    :raises JournalError: if an entry cannot be read.
    """
    first, *rows = journal.rows()
    started = first.entry
    if not isinstance(started, Started):
        raise JournalError(f"journal {journal.path}: does not begin with a start")
    for seat, user in zip(SEATS, started.nodes, strict=True):
        nodes.assign(seat, user)
    past = Past()
    note = read_note(journal.path)
    for row in rows:
        if row.msgid:
            nodes.journal(row.msgid)
        match row.entry:
            case Swapped(seat=seat, node=node):
                nodes.assign(seat, node)
            case Acted(action=action):
                past.add(action, row.events, row.utc)
            case Undone(keep=keep):
                past.cut(keep)
        undone = isinstance(row.entry, Undone)
        if row.number > note.entries and (
            undone or any(isinstance(event, WINDOWS_END) for event in row.events)
        ):
            note = msgspec.structs.replace(note, windows=())
    return started, past, note

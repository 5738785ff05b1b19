"""A game taken up again from its journal."""

from firmware.errors import JournalError
from table_controller.entries import Acted, Started, Swapped, Undone
from table_controller.game import SEATS, Action
from table_controller.journal import Journal
from table_controller.nodes import Nodes


def take_up(journal: Journal, nodes: Nodes) -> tuple[Started, list[Action]]:
    """Return how the game began and its actions that were not undone; assign its nodes.

    :raises JournalError: if an entry cannot be read.
    """
    first, *rows = journal.rows()
    started = first.entry
    if not isinstance(started, Started):
        raise JournalError(f"journal {journal.path}: does not begin with a start")
    for seat, user in zip(SEATS, started.nodes, strict=True):
        nodes.assign(seat, user)
    acted: list[Action] = []
    for row in rows:
        if row.msgid:
            nodes.journal(row.msgid)
        match row.entry:
            case Swapped(seat=seat, node=node):
                nodes.assign(seat, node)
            case Acted(action=action):
                acted.append(action)
            case Undone(keep=keep):
                del acted[keep:]
    return started, acted

"""Which device plays for which seat, kept on disk between games.

A game's journal has it too, and is right for its game; this file is for a table
that starts without one.
"""

import logging
import os
from pathlib import Path

import msgspec

from firmware.wire import NODES
from table_controller.game import SEATS
from table_controller.nodes import Nodes

log = logging.getLogger(__name__)


class KeptSeats:
    """The file at *path*: ten nodes as JSON, seat 1 first; 0600, whole or not at all."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read_into(self, nodes: Nodes) -> None:
        """Assign the seats as they were kept; without a good file leave them."""
        try:
            users = msgspec.json.decode(self._path.read_bytes(), type=tuple[str, ...])
        except FileNotFoundError:
            return
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            log.warning("%s: %s: each device plays for its own number's seat", self._path, error)
            return
        if len(users) != len(SEATS) or len(set(users) & set(NODES)) != len(SEATS):
            log.warning("%s: not ten nodes: each plays for its own number's seat", self._path)
            return
        for seat, user in zip(SEATS, users, strict=True):
            nodes.assign(seat, user)

    def save(self, nodes: Nodes) -> None:
        """Keep the seats as they are now; a disk that refuses is told in the log."""
        fresh = self._path.with_name(self._path.name + ".new")
        try:
            fresh.unlink(missing_ok=True)
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(msgspec.json.encode(nodes.users()))
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self._path)
        except OSError as error:
            log.warning("%s: %s: the seats' devices are kept until the stop only", fresh, error)

"""Which device plays for which seat, and which cameras are off, kept on disk between games.

A game's journal has the devices too, and is right for its game; this file is for a
table that starts without one. The cameras are kept here alone.
"""

import logging
import os
from pathlib import Path

import msgspec

from firmware.wire import NODES
from table_controller.game import SEATS
from table_controller.nodes import Nodes

log = logging.getLogger(__name__)


class _Kept(msgspec.Struct, frozen=True):
    nodes: tuple[str, ...]
    """Seat 1 first."""
    cameras_off: frozenset[int] = frozenset()


class KeptSeats:
    """The file at *path*: the seats as JSON; 0600, whole or not at all.

    One of a kit that could switch no camera off is the ten nodes alone.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def read_into(self, nodes: Nodes) -> None:
        """Assign the seats as they were kept; without a good file leave them."""
        try:
            kept = msgspec.json.decode(self._path.read_bytes(), type=_Kept | tuple[str, ...])
        except FileNotFoundError:
            return
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            log.warning("%s: %s: each device plays for its own number's seat", self._path, error)
            return
        kept = kept if isinstance(kept, _Kept) else _Kept(kept)
        users = kept.nodes
        nodes.cameras_off = kept.cameras_off & frozenset(SEATS)
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
                file.write(msgspec.json.encode(_Kept(nodes.users(), nodes.cameras_off)))
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self._path)
        except OSError as error:
            log.warning("%s: %s: the seats' devices are kept until the stop only", fresh, error)

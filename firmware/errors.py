"""The kit's own errors.

One root, a leaf per kind of mistake; a leaf also inherits the builtin that a
caller would expect. Messages say what was found, what was expected and what
to do.
"""


class KitError(Exception):
    """Root of every error the kit raises on purpose."""


class WireError(KitError, ValueError):
    """Bytes or a topic on the link that are not a message of the kit."""


class CardError(KitError, ValueError):
    """A key of a card's kit.toml is missing, unknown or has a wrong value."""


class BoardError(KitError, OSError):
    """A part (pin, screen, camera, disk, port) is missing or does not answer."""


class LinkError(KitError, ConnectionError):
    """The broker cannot be reached or refuses this user."""


class JournalError(KitError, OSError):
    """The journal cannot be opened, is locked by another table, or is damaged."""


class LeagueError(KitError, OSError):
    """The league's file cannot be opened, is damaged, or a newer program wrote it."""

"""What a scoreboard page shows: the game's public view and the table around it."""

import enum

import msgspec

from table_controller.game.model import CountdownKind
from table_controller.game.views import PublicView


class Notice(enum.StrEnum):
    """A public word of the table itself."""

    NONE = ""
    LINK_LOST = "link lost"
    RESTARTED = "paused after a restart"
    RECORD_LOST = "part of the record is lost"
    DISK_FULL = "disk full"


class BoardClock(msgspec.Struct, frozen=True):
    """A clock as it stood when the board was made."""

    kind: CountdownKind
    seat: int
    left_s: float
    length_s: float
    runs: bool


class BoardSeat(msgspec.Struct, frozen=True):
    """What the table, not the game, knows of a seat."""

    seat: int
    name: str
    online: bool
    gesture: str = ""
    """Name of the gesture of the moment, by day; ``""`` none."""
    number: int = 0
    """1-10 with the gesture ``number``."""
    meaning: str = ""
    """What that hand says, in the table's language: the page's own words know no role."""


class BoardReadiness(msgspec.Struct, frozen=True):
    """What the players have to do before the deal."""

    stage: str
    """``check``: everybody presses both buttons; ``practice``: a ballot that counts for nothing."""
    missing: tuple[tuple[str, ...], ...] = ()
    """By seat, seat 1 first: the buttons that nobody has pressed there yet."""


class Board(msgspec.Struct, frozen=True):
    """One whole picture of the table. Equal boards are sent once.

    Nothing in it grows or changes from nightfall to morning.
    """

    table: str
    game: PublicView
    seats: tuple[BoardSeat, ...]
    clocks: tuple[BoardClock, ...] = ()
    """The shout's clock first when one is open. Empty at night."""
    commitment: str = ""
    """SHA-256 (hex) of the deal's seed, shown before the deal."""
    seed: str = ""
    """The seed (hex), after the game only."""
    notice: Notice = Notice.NONE
    readiness: BoardReadiness | None = None
    """Before the first deal only."""

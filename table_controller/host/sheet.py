"""What the host's page shows: the board, and around it what is for the host alone.

No role is in it. From nightfall to morning no press, vote or link moves it.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from firmware.words import Words
from table_controller.game import Event
from table_controller.game.views import HostView
from table_controller.host.notices import HostNotice
from table_controller.host.orders import ConsoleOrder
from table_controller.scoreboard.board import Board

if TYPE_CHECKING:
    from table_controller.readiness import ReadinessView


class SheetSeat(msgspec.Struct, frozen=True):
    """A seat's device and chair."""

    seat: int
    name: str
    user: str
    online: bool
    kit: str = ""
    """Version of its kit, if that does not fit the table's; then it does not play."""
    lacks: tuple[str, ...] = ()
    """Parts that its device does not have: ``shout``, ``lamp``, ``screen``, ``camera``."""
    camera: str = "unknown"
    """``on``, ``off``, ``none`` or ``unknown``: it has not said, or something is in its way."""
    away_s: float = 0.0
    """For how long the chair has been empty when the sheet was made; 0: it is not, or not yet
    for long enough to say so. Grows with the sheet's age."""


class Spare(msgspec.Struct, frozen=True):
    """A device that plays for no seat."""

    user: str
    online: bool
    kit: str = ""


class SheetPlacing(msgspec.Struct, frozen=True):
    """The placing of devices."""

    asks: int = 0
    """The seat whose device is asked for; 0: none is."""
    placed: dict[str, int] = {}
    """By device, the seat that it was pressed for."""


class PastStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """A public step that can be taken back, with all that came after it."""

    keep: int
    """What the order to take it back says: how many public steps of the day stay before it.
    Actions are not counted: their number would tell of votes and of presses by night."""
    utc: str
    told: tuple[Event, ...] = ()
    """What happened; becomes *text* when it is put into words."""
    text: str = ""


class Line(msgspec.Struct, frozen=True):
    """What the host reads out when there is no voice."""

    id: str
    text: str


class VoiceState(msgspec.Struct, frozen=True):
    """How the voice is."""

    on: bool = False
    fault: str = ""
    volume: int = 100
    music: bool = False
    by_hand: bool = False
    """Calls wait until the host has read them out."""


class LobbyPlayer(msgspec.Struct, frozen=True):
    """One of the ten who played last."""

    id: str
    """Of the league; "" a guest."""
    name: str
    barred: str = ""
    """Until when; "" is not barred."""


class Lobby(msgspec.Struct, frozen=True):
    """What a new game can be made of."""

    players: tuple[LobbyPlayer, ...]
    rulesets: tuple[str, ...]
    ruleset: str
    """Of the last game, or the table's own."""
    fixed: bool
    """The players sit where they are listed."""


Told = Callable[[Lobby, Words], Lobby]
"""Returns a lobby with what the club knows of its people."""


class Sheet(msgspec.Struct, frozen=True):
    """One whole picture for the host. Equal sheets are sent once."""

    step: int
    """Grows with what happens in public and with orders, by nothing else."""
    phase: str
    """A :class:`PublicPhase`, or ``lobby`` without a game."""
    paused: bool = False
    over: bool = False
    halted: bool = False
    """The disk takes nothing."""
    game: HostView | None = None
    board: Board | None = None
    readiness: "ReadinessView | None" = None
    placing: SheetPlacing = SheetPlacing()
    identifying: tuple[str, ...] = ()
    seats: tuple[SheetSeat, ...] = ()
    spares: tuple[Spare, ...] = ()
    kit: str = ""
    """Version of the table's."""
    notices: tuple[HostNotice, ...] = ()
    """Newest last."""
    undo: tuple[PastStep, ...] = ()
    """Newest first."""
    orders: tuple[str, ...] = ()
    """Names of the orders that would be taken now, of some seat at least."""
    next: tuple[ConsoleOrder, ...] = ()
    """What is sensible now, the best first."""
    line: Line | None = None
    voice: VoiceState = VoiceState()
    lobby: Lobby | None = None
    """When no game runs."""

    def spoken(self, words: Words, lobby: Told | None = None) -> "Sheet":
        """Return the sheet put into *words*, its *lobby* as the club knows it."""
        from table_controller.host.telling import tell_all

        undo = tuple(
            PastStep(step.keep, step.utc, text=tell_all(step.told, words)) for step in self.undo
        )
        told = self.lobby and lobby(self.lobby, words) if lobby else self.lobby
        notices = tuple(notice.spoken(words) for notice in self.notices)
        return msgspec.structs.replace(self, undo=undo, notices=notices, lobby=told)

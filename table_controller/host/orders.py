"""What the host, and a rehearsal, can order of the table, and how an order is read.

An order of the host's page is JSON, ``{"do": "give_foul", "seat": 4}``. Those of the
game are its own actions, but only the ones that are the host's.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import msgspec

from firmware.wire import NODES
from table_controller.game import Action, actions
from table_controller.game.terms import Offence
from table_controller.placing import IDENTIFY_S, PlaceStep

ID_MAX: Final = 64
"""Letters of an order's id."""


class _TableOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    pass


# ---- of the game ----


class Accuse(_TableOrder, frozen=True, tag="open_grounds"):
    """The host has seen something: grounds against *seat*, and *severe*, as the host says."""

    seat: int
    offence: Offence
    severe: bool = False


class Undo(_TableOrder, frozen=True, tag="undo"):
    """Go back to right after public step *keep* of the day, 0 being the morning call."""

    keep: int


class GoOn(_TableOrder, frozen=True, tag="go_on"):
    """Wait no longer for the seats that are lost now: clocks run, a ballot is counted."""


# ---- between and before games ----


class NewGame(_TableOrder, frozen=True, tag="new_game"):
    """Begin a game with these ten, each a player's id or a name; with *fixed* in this order."""

    players: tuple[str, ...]
    fixed: bool = False
    ruleset: str = "default"
    ids: tuple[str, ...] = ()
    """Of those in the league, once it was asked; the page sends none."""


class Rematch(_TableOrder, frozen=True, tag="rematch"):
    """Begin a game with the players of the last one, at new seats unless the club fixes them."""


class Practice(_TableOrder, frozen=True, tag="practice"):
    """Practise a ballot now, or once more, before the deal."""


class SkipReadiness(_TableOrder, frozen=True, tag="skip_readiness"):
    """Wait no longer for buttons or practice: on to the deal."""


# ---- devices ----


class Swap(_TableOrder, frozen=True, tag="swap"):
    """Let *node* play for *seat*; a node that did becomes a spare or takes its seat."""

    seat: int
    node: str


class Identify(_TableOrder, frozen=True, tag="identify"):
    """Let the device of *seat*, or *node*, show itself for *for_s*; once more: end that."""

    seat: int = 0
    node: str = ""
    for_s: float = IDENTIFY_S


class Place(_TableOrder, frozen=True, tag="place"):
    """Ask all devices in turn which of them is at seat 1, 2 ... 10, go on with that, or end it."""

    step: PlaceStep = PlaceStep.BEGIN


class Camera(_TableOrder, frozen=True, tag="camera"):
    """Let the camera of *seat* look, or not."""

    seat: int
    on: bool


# ---- the room ----


class NextLine(_TableOrder, frozen=True, tag="next_line"):
    """The line was read out: on to the next one."""


class ReadOut(_TableOrder, frozen=True, tag="read_out"):
    """Let the calls wait for the host, who reads them out, or come by themselves."""

    on: bool


class Volume(_TableOrder, frozen=True, tag="volume"):
    """How loud the voice is, 0-100."""

    percent: int


class Music(_TableOrder, frozen=True, tag="music"):
    """Play music by night, or none."""

    on: bool


class Backup(_TableOrder, frozen=True, tag="backup"):
    """Make a copy of the game's record now."""


class Shutdown(_TableOrder, frozen=True, tag="shutdown"):
    """Stop the program and switch the controller off."""


TableOrder = (
    Undo
    | GoOn
    | NewGame
    | Rematch
    | Practice
    | SkipReadiness
    | Swap
    | Identify
    | Place
    | Camera
    | NextLine
    | ReadOut
    | Volume
    | Music
    | Backup
    | Shutdown
)
"""Orders that are no action of the game."""

HostAction = (
    actions.Pause
    | actions.Resume
    | actions.EndCountdown
    | actions.ExtendCountdown
    | actions.ShortenCountdown
    | actions.GiveFoul
    | actions.TakeBackFoul
    | actions.CorrectNomination
    | actions.CorrectVote
    | actions.CallAgain
    | actions.PutOpponentVictory
    | actions.Rule
    | actions.Withdraw
    | actions.Void
)
"""Actions of the game that its host can order as they are."""

ConsoleOrder = HostAction | Accuse | TableOrder
"""What the host's page can order."""

Order = Action | Accuse | TableOrder
"""What a rehearsal can order: every action of the game."""

CONSOLE_ORDERS: Final = tuple(
    kind.__struct_config__.tag for kind in (*HostAction.__args__, Accuse, *TableOrder.__args__)
)
"""Names of the orders of the host's page."""


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An order as the host's page sends it."""

    id: str
    """Made by the page; the same again is the same request, repeated."""
    step: int
    """Of the sheet that the page showed."""
    order: ConsoleOrder


class BadRequest(ValueError):
    """What was sent is no order; says what was found and what is expected."""


_decode: Final = msgspec.json.Decoder(Request)


def read_request(body: bytes) -> Request:
    """Return the order that *body* holds.

    :raises BadRequest: if it is none.
    """
    try:
        request = _decode.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        known = f"; the orders are {', '.join(CONSOLE_ORDERS)}" if "order.do" in str(error) else ""
        raise BadRequest(f"no order: {error}{known}") from error
    if not 0 < len(request.id) <= ID_MAX:
        raise BadRequest(f"id of {len(request.id)} letters: expected 1 to {ID_MAX}")
    if request.step < 0:
        raise BadRequest(f"step {request.step}: expected that of a sheet")
    if isinstance(request.order, Swap) and request.order.node not in NODES:
        raise BadRequest(f"node {request.order.node!r}: expected one of {', '.join(NODES)}")
    return request


@dataclass(frozen=True, slots=True)
class StepRequest:
    """A rehearsal asks to let the next countdown expire; *reply* gets its kind, or "" for none."""

    reply: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class HostOrder:
    """A rehearsal's host wants *action*; *reply* gets why it is refused, or "" when it is done."""

    action: Order
    reply: Callable[[str], None]

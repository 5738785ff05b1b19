"""What may be shown, to whom: types that list it field by field.

There is no other way from the state to a socket, a screen or a page.
"""

import enum

import msgspec

from table_controller.game.events import BallotKind
from table_controller.game.model import Cause, Countdown, GameState, Phase, Role, Winner


class PublicPhase(enum.StrEnum):
    """Phases as the room sees them; every phase of a night is NIGHT."""

    SEATING = "seating"
    LOOK = "look"
    NIGHT = "night"
    MORNING = "morning"
    SPEECH = "speech"
    READING = "reading"
    BALLOT = "ballot"
    COUNTING = "counting"
    TIE_SPEECH = "tie_speech"
    LIFT = "lift"
    FAREWELL = "farewell"
    FAREWELL_PICKS = "farewell_picks"
    OVER = "over"


class PublicSeat(msgspec.Struct, frozen=True):
    """A seat as the room sees it."""

    seat: int
    living: bool
    ready: bool
    fouls: int
    silenced: bool
    """The speech of the current round of speeches, or of the next one, is lost."""
    cause: Cause | None = None
    """Why it left; None while living."""
    crowns: tuple[int, ...] = ()
    """Who gave this seat the crown."""
    best_move: tuple[int, ...] | None = None
    """Suspects, once locked; None: not given (yet)."""
    role: Role | None = None
    """None until the game is over."""
    classic: int | None = None
    """Hundredths; None until the game is over."""
    max: int | None = None
    """Hundredths; None until the game is over."""


class PublicBallot(msgspec.Struct, frozen=True):
    """A closed ballot."""

    day: int
    kind: BallotKind
    candidates: tuple[int, ...]
    votes: tuple[tuple[int, int], ...]
    automatic: tuple[int, ...]
    top: tuple[int, ...]
    living: int


class PublicView(msgspec.Struct, frozen=True):
    """The scoreboard's game. From nightfall to morning it does not change."""

    phase: PublicPhase
    day: int
    """0 before the first morning."""
    night: int
    """-1 before the first nightfall; 0 is the acquaintance."""
    paused: bool
    seats: tuple[PublicSeat, ...]
    floor: int = 0
    """Who speaks (speech, tie speech, farewell, silent slot); 0: nobody."""
    silent: bool = False
    """The floor is a silenced seat's slot, or a farewell's silent picks."""
    shout: int = 0
    """Whose shout is open; 0: nobody's."""
    nominees: tuple[int, ...] = ()
    """The list in order, as read out."""
    candidates: tuple[int, ...] = ()
    """Of the open ballot or lift."""
    called: int = 0
    """The candidate who is called now; 0: none."""
    ballots: tuple[PublicBallot, ...] = ()
    """All closed ballots of the game, oldest first."""
    shot: int | None = None
    """Last night's announced victim; 0: a miss; None: not announced (yet)."""
    leaving: tuple[int, ...] = ()
    """Who leaves in the present farewells."""
    mistakes_left: int | None = None
    """From public facts. Source: RULES 1.14."""
    countdowns: tuple[Countdown, ...] = ()
    """Those of the day; empty at night."""
    winner: Winner | None = None
    """None until the last farewell has ended."""


class Deed(enum.StrEnum):
    """What a seat's VOTE can do now."""

    NONE = "none"
    READY = "ready"
    VOTE = "vote"
    """A vote against ``PublicView.called``."""
    LIFT = "lift"
    NIGHT = "night"
    """A press at any number, by every seat alike."""
    NOMINATE = "nominate"
    BEST_MOVE = "best_move"
    CROWN = "crown"


class CardFact(msgspec.Struct, frozen=True):
    """A line of a card: a night check of this seat, with its answer."""

    night: int
    target: int
    positive: bool


class Card(msgspec.Struct, frozen=True):
    """The private card: the role and what its player learned at night."""

    role: Role
    facts: tuple[CardFact, ...] = ()


class SeatView(msgspec.Struct, frozen=True):
    """What one seat's player may see and do."""

    seat: int
    phase: Phase
    """The exact phase at night too: it is the same for all seats."""
    living: bool
    deed: Deed
    choices: tuple[int, ...] = ()
    """Seats that can be picked in this deed's list."""
    marks: int = 1
    """How many of them."""
    chosen: tuple[int, ...] = ()
    """What stands: the nomination, the suspects, the crown."""
    voted: bool = False
    """This seat has a vote in the open ballot or lift."""
    may_shout: bool = False
    own_floor: bool = False
    silenced: bool = False
    card: Card | None = None
    """None where a card is blank: at night, after departure, before the deal."""
    card_open: bool = False
    """LOOK and MORNING: the card is shown without holding VOTE."""
    mates: tuple[int, ...] = ()
    """N0 meeting, mafia only: the whole team by seat, the own seat too."""
    don: int = 0
    """N0 meeting, mafia only: who is the don."""


def public_view(state: GameState) -> PublicView:
    """Return what the room may see of *state*."""
    raise NotImplementedError


def seat_view(state: GameState, seat: int) -> SeatView:
    """Return what the player of *seat* may see of *state*."""
    raise NotImplementedError

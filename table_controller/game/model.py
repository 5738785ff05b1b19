"""The game's values: roles, phases, countdowns, the state.

Seats are 1-10 everywhere, never an index.
"""

import enum

import msgspec

from table_controller.game.events import Event
from table_controller.game.ruleset import Ruleset
from table_controller.game.terms import BallotKind as BallotKind
from table_controller.game.terms import Cause as Cause
from table_controller.game.terms import NightRound as NightRound
from table_controller.game.terms import Offence as Offence
from table_controller.game.terms import Role as Role
from table_controller.game.terms import Sanction as Sanction
from table_controller.game.terms import Source as Source
from table_controller.game.terms import Team as Team
from table_controller.game.terms import Winner as Winner

SEATS = tuple(range(1, 11))
"""Fixed: ten seats. Source: RULES, head."""


class Phase(enum.StrEnum):
    """Where the game is."""

    SEATING = "seating"
    """Each screen shows its player's name; waiting for ten VOTE presses."""
    DEALING = "dealing"
    """All are ready; the shell must now give :class:`actions.Deal`."""
    LOOK = "look"
    NIGHTFALL = "nightfall"
    MEETING = "meeting"
    """N0, the mafia are awake."""
    REST = "rest"
    """N0, after the meeting."""
    CALLING = "calling"
    """A shooting night's round: numbers are called."""
    GATHERING = "gathering"
    """A night round's last answers come in; a fixed time whoever is online."""
    MORNING = "morning"
    SPEECH = "speech"
    """Also the silent slot of a silenced seat."""
    PICKING = "picking"
    """3 s for a nominee list still open at the end of a speech."""
    READING = "reading"
    """The list of candidates is read out."""
    BALLOT = "ballot"
    TIE_SPEECH = "tie_speech"
    LIFT = "lift"
    ROLL_CALL = "roll_call"
    """A ballot's or lift's windows are over; waiting for every living seat's node."""
    FAREWELL = "farewell"
    FAREWELL_PICKS = "farewell_picks"
    OVER = "over"


class CountdownKind(enum.StrEnum):
    """What a countdown measures."""

    LOOK = "look"
    NIGHTFALL = "nightfall"
    MEETING = "meeting"
    REST = "rest"
    CALL = "call"
    """Night: from a number's call to the opening of its window (0.3 s)."""
    WINDOW = "window"
    """Night: from the opening of a number's window to the next call."""
    LAST_WINDOW = "last_window"
    """Night: the 0.3 s by which the last number's window outlives its call."""
    GATHER = "gather"
    """Night: fixed real time for the last answers to arrive. Never scaled."""
    MORNING = "morning"
    SPEECH = "speech"
    SILENT = "silent"
    PICK = "pick"
    READ = "read"
    BALLOT = "ballot"
    BALLOT_GAP = "ballot_gap"
    ROLL_CALL = "roll_call"
    """The longest that an offline seat is waited for. Never scaled."""
    TIE_SPEECH = "tie_speech"
    LIFT = "lift"
    FAREWELL = "farewell"
    FAREWELL_PICKS = "farewell_picks"
    SHOUT = "shout"


UNSCALED = frozenset({CountdownKind.GATHER, CountdownKind.ROLL_CALL})
"""Countdowns that wait for devices, which a rehearsal's speed does not change."""


class Countdown(msgspec.Struct, frozen=True):
    """A clock that the state wants; the shell makes it so.

    A countdown with a new *id* starts when the one before it was due (or now,
    if a press or the host brought it); with *runs* False it keeps what is left.
    """

    id: int
    kind: CountdownKind
    length_s: float
    runs: bool
    seat: int = 0
    """Whose floor it is; 0: nobody's."""


class Refusal(enum.StrEnum):
    """Why the rules refuse an action."""

    GAME_OVER = "game_over"
    PAUSED = "paused"
    NOT_PAUSED = "not_paused"
    WRONG_PHASE = "wrong_phase"
    STALE_COUNTDOWN = "stale_countdown"
    NO_SUCH_SEAT = "no_such_seat"
    NOT_LIVING = "not_living"
    ALREADY_READY = "already_ready"
    BAD_DEAL = "bad_deal"
    NOT_YOUR_FLOOR = "not_your_floor"
    YOUR_FLOOR = "your_floor"
    ALREADY_LISTED = "already_listed"
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"
    ALREADY_VOTED = "already_voted"
    NOT_CALLED = "not_called"
    BAD_BEST_MOVE = "bad_best_move"
    BAD_CROWN = "bad_crown"
    LOCKED = "locked"
    SHOUTING = "shouting"
    """That seat's shout is open or waiting already: the same shout."""


class IllegalAction(ValueError):
    """The rules forbid this action in this state; nothing changed."""

    def __init__(self, refusal: Refusal, detail: str = "") -> None:
        super().__init__(f"{refusal}: {detail}" if detail else str(refusal))
        self.refusal = refusal


# ---- what is going on ----


class Ballot(msgspec.Struct, frozen=True):
    """The vote, revote or lift that is open."""

    kind: BallotKind
    candidates: tuple[int, ...]
    """In list order."""
    called: int = 0
    """How many of the candidates have been called so far; 0 in a lift."""
    votes: tuple[tuple[int, int], ...] = ()
    """(seat, candidate) as they came; candidate 0 in a lift."""


class NightCall(msgspec.Struct, frozen=True):
    """The night round that is open, in its present call."""

    round: NightRound
    numbers: tuple[int, ...]
    """The living seats, in the order in which they are called."""
    called: int
    """How many of the numbers have been called so far."""
    presses: tuple[tuple[int, int], ...] = ()
    """(seat, number) as they came, cover and all."""


class Farewell(msgspec.Struct, frozen=True):
    """The farewell that is going on."""

    seat: int
    best_move: tuple[int, ...] | None = None
    """None: not given yet."""
    crown: int | None = None
    crowned: bool = False
    """The crown has been settled, perhaps on nobody."""
    locked: bool = False


# ---- what has been ----


class BallotRecord(msgspec.Struct, frozen=True):
    """A closed ballot or lift."""

    day: int
    kind: BallotKind
    candidates: tuple[int, ...]
    votes: tuple[tuple[int, int], ...]
    """(seat, candidate) by seat, automatic ones included; in a lift those for it, with 0."""
    automatic: tuple[int, ...]
    top: tuple[int, ...]
    """Who has most votes; in a lift the candidates when it passed, else empty."""
    living: int


class DayRecord(msgspec.Struct, frozen=True):
    """A day whose vote has its result."""

    day: int
    order: tuple[int, ...]
    silenced: tuple[int, ...]
    nominations: tuple[tuple[int, int], ...]
    """(speaker, nominee) in list order."""
    leave: tuple[int, ...]
    mistakes_left: int
    """The true reading at this day's dawn. Source: RULES 1.14."""


class CheckRecord(msgspec.Struct, frozen=True):
    """A night check with its answer."""

    seat: int
    target: int
    positive: bool


class NightRecord(msgspec.Struct, frozen=True):
    """A shooting night."""

    night: int
    shots: tuple[tuple[int, int | None], ...]
    """(mafioso, target or None), every living mafioso once, by seat."""
    hit: int | None
    checks: tuple[CheckRecord, ...] = ()


class Departure(msgspec.Struct, frozen=True):
    """How a seat left; *day* is the day of its farewell."""

    seat: int
    cause: Cause
    day: int


class FarewellRecord(msgspec.Struct, frozen=True):
    """The locked picks of a farewell."""

    seat: int
    best_move: tuple[int, ...] | None
    """None: not given."""
    crown: int | None


class GameState(msgspec.Struct, frozen=True):
    """Everything the rules know. Secret: leaves the engine through views only."""

    ruleset: Ruleset
    phase: Phase = Phase.SEATING
    paused: bool = False
    day: int = 0
    """0 before the first morning."""
    night: int = -1
    """-1 before the first nightfall; 0 is the acquaintance."""
    clock: Countdown | None = None
    """The main countdown; whether it runs is for ``countdowns`` to say."""
    shout_clock: Countdown | None = None
    last_countdown: int = 0
    """Id of the newest countdown."""

    ready: tuple[int, ...] = ()
    """Seats that pressed VOTE under the own name, by seat."""
    roles: tuple[Role, ...] = ()
    """Seat 1 first; empty before the deal."""
    living: tuple[int, ...] = SEATS
    """By seat."""
    fouls: tuple[int, ...] = (0,) * 10
    """Seat 1 first."""
    silences: tuple[int, ...] = (0,) * 10
    """Rounds of speeches that fouls have cost so far, seat 1 first."""
    shouts: tuple[int, ...] = ()
    """The seat whose shout is open, then those who wait."""

    first: int = SEATS[-1]
    """First seat in order of the last round of speeches."""
    order: tuple[int, ...] = ()
    """Of the present day's round, fixed when it began."""
    silenced: tuple[int, ...] = ()
    """Whose speech of the present round is lost."""
    shortened: tuple[int, ...] = ()
    """Whose speech of the present round is short instead of lost."""
    to_speak: tuple[int, ...] = ()
    """Who still has a speech or tie speech; the first has the floor."""
    floor: int = 0
    """Whose floor it is; 0: nobody's."""
    choice: int = 0
    """The nomination that stands in the open speech; 0: none."""
    pick_open: bool = False
    """The speaker has the nominee list open."""
    nominations: tuple[tuple[int, int], ...] = ()
    """(speaker, nominee) of the present day, in list order."""
    ballot: Ballot | None = None
    leaving: tuple[int, ...] = ()
    """Who leaves in the present farewells."""
    farewell: Farewell | None = None
    call: NightCall | None = None
    last_call: int = 0
    """Serial of the newest night call."""

    announced: int | None = None
    """Last night's victim, 0 a miss; None: not announced (yet)."""
    mistakes_left: int = 0
    """The true reading of the last dawn."""
    public_mistakes_left: int | None = None
    """The reading of the last dawn from public facts; None before the first."""
    idle_nights: int = 0
    """Shooting nights running without any departure since."""
    decided: Winner | None = None
    """Frozen result, hidden until the last farewell has ended."""

    departures: tuple[Departure, ...] = ()
    days: tuple[DayRecord, ...] = ()
    nights: tuple[NightRecord, ...] = ()
    ballots: tuple[BallotRecord, ...] = ()
    farewells: tuple[FarewellRecord, ...] = ()
    course: tuple[Event, ...] = ()
    """The events so far that last, which are scored and recorded at the end."""

    @property
    def nominees(self) -> tuple[int, ...]:
        """Return the list in order."""
        return tuple(nominee for _, nominee in self.nominations)

    @property
    def mafia(self) -> tuple[int, ...]:
        """Return the living mafia by seat, the don too."""
        return tuple(seat for seat in self.living if self.roles[seat - 1].team is Team.MAFIA)

    def living_with(self, role: Role) -> int | None:
        """Return the living seat that holds *role*, one of a kind; None: it is out."""
        seat = self.roles.index(role) + 1
        return seat if seat in self.living else None

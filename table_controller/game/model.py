"""The game's values: what is going on, what has been, the state.

Seats are 1-10 everywhere, never an index.
"""

from table_controller.game.events import Event
from table_controller.game.phases import GAPS as GAPS
from table_controller.game.phases import UNSCALED as UNSCALED
from table_controller.game.phases import CountdownKind as CountdownKind
from table_controller.game.phases import IllegalAction as IllegalAction
from table_controller.game.phases import Phase as Phase
from table_controller.game.phases import Refusal as Refusal
from table_controller.game.phases import Then as Then
from table_controller.game.ruleset import Ruleset
from table_controller.game.terms import MAFIA
from table_controller.game.terms import BallotKind as BallotKind
from table_controller.game.terms import Cause as Cause
from table_controller.game.terms import NightRound as NightRound
from table_controller.game.terms import Offence as Offence
from table_controller.game.terms import Role as Role
from table_controller.game.terms import Sanction as Sanction
from table_controller.game.terms import Source as Source
from table_controller.game.terms import Team as Team
from table_controller.game.terms import Value as Value
from table_controller.game.terms import Winner as Winner

SEATS = tuple(range(1, 11))
"""Fixed: ten seats. Source: RULES, head."""


class Countdown(Value, frozen=True):
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


# ---- what is going on ----


class Ballot(Value, frozen=True):
    """The vote, revote or lift that is open."""

    kind: BallotKind
    candidates: tuple[int, ...]
    """In list order."""
    called: int = 0
    """How many of the candidates have been called so far; 0 in a lift."""
    votes: tuple[tuple[int, int], ...] = ()
    """(seat, candidate) as they came; candidate 0 in a lift."""


class NightCall(Value, frozen=True):
    """The night round that is open, in its present call."""

    round: NightRound
    numbers: tuple[int, ...]
    """The living seats, in the order in which they are called."""
    called: int
    """How many of the numbers have been called so far."""
    presses: tuple[tuple[int, int], ...] = ()
    """(seat, number) as they came, cover and all."""


class Farewell(Value, frozen=True):
    """The farewell that is going on."""

    seat: int
    best_move: tuple[int, ...] | None = None
    """None: not given yet."""
    crown: int | None = None
    crowned: bool = False
    """The crown has been settled, perhaps on nobody."""
    locked: bool = False


class Grounds(Value, frozen=True):
    """Grounds for a sanction, until they are settled or lapse."""

    number: int
    """In this game, from 1."""
    seat: int
    offence: Offence
    sanction: Sanction
    source: Source
    by: int
    """The seat that accuses; 0: another source."""
    confirmed_by: int
    """The second seat; 0: another source."""
    day: int
    """The day when they came up, or the one before that night."""
    by_night: bool
    """Opened at night; the room hears of it in the morning."""
    put: bool = False
    """Their motion has been put."""


class Accusation(Value, frozen=True):
    """What a seat says that another has done, while no second seat confirms it."""

    by: int
    seat: int
    offence: Offence


class Motion(Value, frozen=True):
    """The vote on a sanction that is open."""

    sanction: Sanction
    seat: int
    grounds: int
    """0: Opponent Victory, without grounds."""
    offence: Offence | None
    """None: Opponent Victory."""
    votes: tuple[int, ...] = ()
    """Who is for it, as they came."""


class Ruling(Value, frozen=True):
    """What the host has ruled at night, until it takes effect at dawn."""

    seat: int
    sanction: Sanction | None
    """None: the seat is withdrawn."""
    offence: Offence | None
    """None: the seat is withdrawn."""


# ---- what has been ----


class BallotRecord(Value, frozen=True):
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


class DayRecord(Value, frozen=True):
    """A day whose vote has its result."""

    day: int
    order: tuple[int, ...]
    silenced: tuple[int, ...]
    nominations: tuple[tuple[int, int], ...]
    """(speaker, nominee) in list order."""
    leave: tuple[int, ...]
    mistakes_left: int
    """The true reading at this day's dawn. Source: RULES 1.14."""
    dropped: bool = False
    """A disqualification has dropped this vote."""


class CheckRecord(Value, frozen=True):
    """A night check with its answer."""

    seat: int
    target: int
    positive: bool


class NightRecord(Value, frozen=True):
    """A shooting night."""

    night: int
    shots: tuple[tuple[int, int | None], ...]
    """(mafioso, target or None), every living mafioso once, by seat."""
    hit: int | None
    checks: tuple[CheckRecord, ...] = ()


class Departure(Value, frozen=True):
    """How a seat left; *day* is the day of its farewell."""

    seat: int
    cause: Cause
    day: int


class FarewellRecord(Value, frozen=True):
    """The locked picks of a farewell."""

    seat: int
    best_move: tuple[int, ...] | None
    """None: not given."""
    crown: int | None


class GameState(Value, frozen=True):
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
    """Who still has a speech, tie speech or farewell; who has the floor is the first."""
    floor: int = 0
    """Whose floor it is; 0: nobody's."""
    choice: int = 0
    """The nomination that stands in the open speech; 0: none."""
    pick_open: bool = False
    """The speaker has the nominee list open."""
    nominations: tuple[tuple[int, int], ...] = ()
    """(speaker, nominee) of the present day, in list order."""
    ballot: Ballot | None = None
    tied: tuple[int, ...] = ()
    """The tied set of the present vote, in list order; empty: no tie."""
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

    technical_fouls: tuple[int, ...] = (0,) * 10
    """Seat 1 first."""
    hushed: tuple[int, ...] = ()
    """Seats with a technical foul of this night, of which the room hears in the morning."""
    disqualified: tuple[int, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    """What takes effect at dawn."""
    dropped: tuple[int, ...] = ()
    """Days whose votes are dropped."""
    grounds: tuple[Grounds, ...] = ()
    """Open ones, oldest first; those voted down too, until they lapse."""
    last_grounds: int = 0
    """Number of the newest grounds."""
    accusation: Accusation | None = None
    accusation_clock: Countdown | None = None
    accusers: tuple[int, ...] = ()
    """Who has made an accusation today."""
    stop: int = 0
    """Against whom the host has put Opponent Victory, before its motion; 0: nobody."""
    motion: Motion | None = None
    resume: Then | None = None
    """What comes after the motion or the gap."""

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
    def settled(self) -> bool:
        """Return whether today's vote has its result."""
        return bool(self.days) and self.days[-1].day == self.day

    @property
    def mafia(self) -> tuple[int, ...]:
        """Return the living mafia by seat, the don too."""
        roles = self.roles
        return tuple([seat for seat in self.living if roles[seat - 1] in MAFIA])

    def living_with(self, role: Role) -> int | None:
        """Return the living seat that holds *role*, one of a kind; None: it is out."""
        seat = self.roles.index(role) + 1
        return seat if seat in self.living else None

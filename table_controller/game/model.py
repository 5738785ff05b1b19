"""The game's values: roles, phases, countdowns, the state.

Seats are 1-10 everywhere, never an index.
"""

import enum

import msgspec

from table_controller.game.ruleset import Ruleset

SEATS = tuple(range(1, 11))
"""Fixed: ten seats. Source: RULES, head."""


class Role(enum.StrEnum):
    """A player's card."""

    CITIZEN = "citizen"
    SHERIFF = "sheriff"
    MAFIA = "mafia"
    DON = "don"

    @property
    def team(self) -> "Team":
        """Return the side this role plays for."""
        return Team.MAFIA if self in (Role.MAFIA, Role.DON) else Team.TOWN


class Team(enum.StrEnum):
    """A side."""

    TOWN = "town"
    MAFIA = "mafia"


class Winner(enum.StrEnum):
    """How a game ended."""

    TOWN = "town"
    MAFIA = "mafia"
    DRAW = "draw"


class Cause(enum.StrEnum):
    """Why a seat left."""

    VOTE = "vote"
    LIFT = "lift"
    SINGLE = "single"
    SHOT = "shot"


class NightRound(enum.StrEnum):
    """The three rounds of every shooting night, in order."""

    SHOTS = "shots"
    DON = "don"
    SHERIFF = "sheriff"


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


class GameState(msgspec.Struct, frozen=True):
    """Everything the rules know. Secret: leaves the engine through views only."""

    ruleset: Ruleset
    phase: Phase = Phase.SEATING

"""Where a game can be, what its clocks measure, what follows, why something is refused."""

from table_controller.game.terms import Term


class Phase(Term):
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
    MOTION = "motion"
    """A vote on a sanction, in a gap of the day."""
    ROLL_CALL = "roll_call"
    """The windows of a ballot, lift or motion are over; waiting for every living seat's node."""
    GAP = "gap"
    """By day, between two things, while an accusation or a pause holds the next one up."""
    FAREWELL = "farewell"
    FAREWELL_PICKS = "farewell_picks"
    OVER = "over"


class CountdownKind(Term):
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
    MOTION = "motion"
    ACCUSATION = "accusation"
    """For a second seat to confirm it."""


UNSCALED = frozenset({CountdownKind.GATHER, CountdownKind.ROLL_CALL})
"""Countdowns that wait for devices, which a rehearsal's speed does not change."""


class Refusal(Term):
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
    DISQUALIFIED = "disqualified"
    """Nothing more can be done to that seat."""
    ALREADY_RULED = "already_ruled"
    """The host has ruled so this night already; it takes effect at dawn."""
    BAD_SANCTION = "bad_sanction"
    BAD_GROUNDS = "bad_grounds"
    """That source does not see such an offence."""
    ALREADY_OPEN = "already_open"
    """These grounds, this accusation or this motion waits already."""
    ALREADY_ACCUSED = "already_accused"
    """That seat has made an accusation today."""
    NOT_FOR_YOU = "not_for_you"
    """It is that seat that is accused, or that accuses."""
    NOTHING_TO_CONFIRM = "nothing_to_confirm"
    NOTHING_TO_CALL = "nothing_to_call"
    NOT_SPOKEN = "not_spoken"
    """That seat has not had its speech today."""
    BAD_EXTENSION = "bad_extension"
    NO_FLOOR = "no_floor"
    """That countdown is a window, or the table's own: it is not made shorter."""
    TOO_SHORT = "too_short"


class IllegalAction(ValueError):
    """The rules forbid this action in this state; nothing changed."""

    def __init__(self, refusal: Refusal, detail: str = "") -> None:
        super().__init__(f"{refusal}: {detail}" if detail else str(refusal))
        self.refusal = refusal


class Then(Term):
    """What follows when a part of the game is through with an input."""

    STAY = "stay"
    """Nothing: wait for the next input."""
    NIGHT = "night"
    MORNING = "morning"
    ROUND = "round"
    """The round of speeches."""
    SPEECH = "speech"
    """The next speech of the round."""
    VOTE = "vote"
    TIE = "tie"
    """The next tie speech; after the last one the revote."""
    LIFT = "lift"
    FAREWELL = "farewell"
    """The first farewell of those in ``GameState.leaving``."""
    NEXT_FAREWELL = "next_farewell"
    END = "end"


GAPS = frozenset(
    {
        Then.NIGHT,
        Then.ROUND,
        Then.SPEECH,
        Then.VOTE,
        Then.TIE,
        Then.LIFT,
        Then.NEXT_FAREWELL,
    }
)
"""What a motion can come before. Source: RULES 2.3."""

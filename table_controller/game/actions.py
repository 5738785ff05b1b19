"""What can be asked of the game: imperative, one Struct an action.

The shell (``interpret.py``) turns presses into these; the engine decides
whether the rules allow them now. Seats are 1-10.
"""

from table_controller.game.terms import Offence, Role, Sanction, Source, Value


class _Action(Value, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    pass


class Ready(_Action, frozen=True, tag="ready"):
    """The player of *seat* pressed VOTE under the own name, before the deal."""

    seat: int


class Deal(_Action, frozen=True, tag="deal"):
    """Give the roles; *roles* has one a seat, seat 1 first. All ten are ready."""

    roles: tuple[Role, ...]


class Expire(_Action, frozen=True, tag="expire"):
    """The countdown with this id ran out. A stale id is refused."""

    countdown: int


class EndFloor(_Action, frozen=True, tag="end_floor"):
    """*seat* gives up the rest of its own floor (speech, tie speech, farewell, silent slot)."""

    seat: int


class OpenPick(_Action, frozen=True, tag="open_pick"):
    """*seat* has the nominee list open, so the end of its speech waits up to 3 s."""

    seat: int


class ClosePick(_Action, frozen=True, tag="close_pick"):
    """*seat* left the nominee list without a choice."""

    seat: int


class Nominate(_Action, frozen=True, tag="nominate"):
    """*seat*, in its own floor, names *nominee*; a new choice replaces the earlier one."""

    seat: int
    nominee: int


class TakeBackNomination(_Action, frozen=True, tag="take_back_nomination"):
    """*seat*, in its own floor, withdraws its nomination."""

    seat: int


class Shout(_Action, frozen=True, tag="shout"):
    """*seat* pressed SHOUT outside its own floor."""

    seat: int


class Vote(_Action, frozen=True, tag="vote"):
    """*seat* votes against *candidate*, who has been called in the open ballot."""

    seat: int
    candidate: int


class VoteLift(_Action, frozen=True, tag="vote_lift"):
    """*seat* votes for the lift."""

    seat: int


class CloseBallot(_Action, frozen=True, tag="close_ballot"):
    """Every living seat has answered the roll call: count the ballot or the lift."""


class GiveBestMove(_Action, frozen=True, tag="give_best_move"):
    """*seat*, in its farewell, names 0-3 *suspects* as its best move."""

    seat: int
    suspects: tuple[int, ...]


class GiveCrown(_Action, frozen=True, tag="give_crown"):
    """*seat*, in its farewell, gives the crown to *target*; None: to nobody."""

    seat: int
    target: int | None


class PressAtNight(_Action, frozen=True, tag="press_at_night"):
    """*seat* pressed VOTE in *number*'s window of the open night round.

    Accepted for any window of this round that has opened, until the round is
    counted. A seat's presses come in the order they were made. Cover presses
    are actions too, so that nothing differs by role.
    """

    seat: int
    number: int


class Pause(_Action, frozen=True, tag="pause"):
    """Stop every clock (host, restart, link lost)."""


class Resume(_Action, frozen=True, tag="resume"):
    """Go on: a speech with its remaining time, a ballot's call or a night round from its start."""


# ---- fair play ----


class OpenGrounds(_Action, frozen=True, tag="open_grounds"):
    """There are grounds against *seat*: seen by its camera, or opened by the host.

    *severe*: the host asks for a disqualification where the offence leaves the
    choice. On grounds that are open already it changes them to that. What a
    camera was sure of, and when, is for the record: nothing depends on it.
    """

    seat: int
    offence: Offence
    source: Source
    severe: bool = False
    confidence: float = 1.0
    seen: str = ""
    """When, UTC, ISO 8601; "" at the moment of this action."""


class Accuse(_Action, frozen=True, tag="accuse"):
    """Seat *by* accuses *seat*; a second seat must confirm it."""

    by: int
    seat: int
    offence: Offence


class ConfirmAccusation(_Action, frozen=True, tag="confirm_accusation"):
    """*seat* is the second of the open accusation."""

    seat: int


class VoteMotion(_Action, frozen=True, tag="vote_motion"):
    """*seat* votes for the open motion."""

    seat: int


class PutOpponentVictory(_Action, frozen=True, tag="put_opponent_victory"):
    """The host asks to stop the game for what *seat* did, at the next gap."""

    seat: int


class Rule(_Action, frozen=True, tag="rule"):
    """The host gives *seat* a technical foul or disqualifies it."""

    sanction: Sanction
    seat: int
    offence: Offence


class Withdraw(_Action, frozen=True, tag="withdraw"):
    """The host lets *seat*, which must leave without fault, leave."""

    seat: int


class Void(_Action, frozen=True, tag="void"):
    """The host ends the game without a result."""


# ---- corrections by the host ----


class GiveFoul(_Action, frozen=True, tag="give_foul"):
    """The host enters a shout of *seat* that was made without the button."""

    seat: int


class TakeBackFoul(_Action, frozen=True, tag="take_back_foul"):
    """The host takes a foul of *seat* back."""

    seat: int


class CorrectNomination(_Action, frozen=True, tag="correct_nomination"):
    """The host changes whom *speaker* has nominated; None: nobody."""

    speaker: int
    nominee: int | None


class CorrectVote(_Action, frozen=True, tag="correct_vote"):
    """The host changes or enters the vote of *seat*; None: it has none.

    In a lift or motion *candidate* is 0, a vote for it.
    """

    seat: int
    candidate: int | None


class EndCountdown(_Action, frozen=True, tag="end_countdown"):
    """The host lets the countdown with this id be over now."""

    countdown: int


class ExtendCountdown(_Action, frozen=True, tag="extend_countdown"):
    """The host makes the countdown with this id longer by *by_s* seconds."""

    countdown: int
    by_s: float


class ShortenCountdown(_Action, frozen=True, tag="shorten_countdown"):
    """The host makes the floor with this countdown shorter by *by_s* seconds."""

    countdown: int
    by_s: float


class CallAgain(_Action, frozen=True, tag="call_again"):
    """The host has the open night round, or the call of an open ballot, called again."""


Action = (
    Ready
    | Deal
    | Expire
    | EndFloor
    | OpenPick
    | ClosePick
    | Nominate
    | TakeBackNomination
    | Shout
    | Vote
    | VoteLift
    | CloseBallot
    | GiveBestMove
    | GiveCrown
    | PressAtNight
    | Pause
    | Resume
    | OpenGrounds
    | Accuse
    | ConfirmAccusation
    | VoteMotion
    | PutOpponentVictory
    | Rule
    | Withdraw
    | Void
    | GiveFoul
    | TakeBackFoul
    | CorrectNomination
    | CorrectVote
    | EndCountdown
    | ExtendCountdown
    | ShortenCountdown
    | CallAgain
)

"""What happened: past tense, one Struct an event.

An event is secret unless :data:`PUBLIC` lists its type; a public type holds
nothing but what the whole table may know at the moment it happens.
"""

from table_controller.game.terms import BallotKind as BallotKind
from table_controller.game.terms import (
    Cause,
    NightRound,
    Offence,
    Role,
    Sanction,
    Source,
    Team,
    Value,
    Winner,
)


class _Event(Value, frozen=True, forbid_unknown_fields=True, tag_field="event"):
    pass


# ---- before the game ----


class SeatReady(_Event, frozen=True, tag="seat_ready"):
    """The player of *seat* has pressed VOTE under the own name."""

    seat: int


class AllReady(_Event, frozen=True, tag="all_ready"):
    """All ten are ready; the shell deals now."""


class RolesDealt(_Event, frozen=True, tag="roles_dealt"):
    """Secret. *roles*, seat 1 first."""

    roles: tuple[Role, ...]


class LookBegan(_Event, frozen=True, tag="look_began"):
    """The players look at their cards."""


# ---- night ----


class NightFell(_Event, frozen=True, tag="night_fell"):
    """Masks on. *night* 0 is the acquaintance."""

    night: int


class MafiaWoke(_Event, frozen=True, tag="mafia_woke"):
    """N0: the mafia open their eyes for 60 s."""


class MafiaSlept(_Event, frozen=True, tag="mafia_slept"):
    """N0: the mafia close their eyes again."""


class RoundBegan(_Event, frozen=True, tag="round_began"):
    """A night round starts, or starts again: presses of an earlier call no longer count."""

    round: NightRound
    serial: int
    """Rises by one with each call of a round, through the whole game."""


class NumberCalled(_Event, frozen=True, tag="number_called"):
    """The number of a living seat is called out in a night round."""

    round: NightRound
    number: int


class WindowOpened(_Event, frozen=True, tag="window_opened"):
    """From the due time of this event on, a press counts for *number*."""

    number: int
    """The seat called: a candidate in a ballot, a number at night; 0 in a lift."""


class WindowClosed(_Event, frozen=True, tag="window_closed"):
    """From the due time of this event on, a press no longer counts for *number*."""

    number: int


class RoundCalled(_Event, frozen=True, tag="round_called"):
    """All numbers of the round have been called and the last window is closed."""

    round: NightRound


class NightPressed(_Event, frozen=True, tag="night_pressed"):
    """Secret. A press of *seat* was taken, cover or not."""

    seat: int
    number: int


class ShotsFixed(_Event, frozen=True, tag="shots_fixed"):
    """Secret. The round of shots is counted."""

    shots: tuple[tuple[int, int | None], ...]
    """(mafioso, target or None), every living mafioso once, by seat."""
    hit: int | None


class Checked(_Event, frozen=True, tag="checked"):
    """Secret. The round of the don or the sheriff is counted."""

    seat: int
    target: int
    positive: bool
    """The don asks "sheriff?", the sheriff asks "mafia?"."""


# ---- morning, day ----


class MorningCame(_Event, frozen=True, tag="morning_came"):
    """Masks off; the cards of the living light up for 5 s."""

    day: int


class ShotAnnounced(_Event, frozen=True, tag="shot_announced"):
    """The seat shot this night; its role is not told."""

    seat: int


class MissAnnounced(_Event, frozen=True, tag="miss_announced"):
    """Nobody was shot this night."""


class DayBegan(_Event, frozen=True, tag="day_began"):
    """The round of speeches begins in this order."""

    day: int
    order: tuple[int, ...]


class SpeechBegan(_Event, frozen=True, tag="speech_began"):
    """*seat* has the floor. *silent*: a silenced seat's slot to nominate."""

    seat: int
    silent: bool
    tie: bool = False


class SpeechEnded(_Event, frozen=True, tag="speech_ended"):
    """The floor of *seat* is over."""

    seat: int


class NominationChosen(_Event, frozen=True, tag="nomination_chosen"):
    """Secret until the speech ends. *nominee* None: taken back."""

    seat: int
    nominee: int | None


class NominationStood(_Event, frozen=True, tag="nomination_stood"):
    """Read out after the speech of *seat*: *nominee* is on the list."""

    seat: int
    nominee: int


class SingleNomineeWarned(_Event, frozen=True, tag="single_nominee_warned"):
    """Before the day's last speech, from D2 on: *nominee*, alone, leaves without a vote."""

    nominee: int


class ShoutBegan(_Event, frozen=True, tag="shout_began"):
    """*seat* shouts and has the floor; it has *fouls* now."""

    seat: int
    fouls: int


class ShoutEnded(_Event, frozen=True, tag="shout_ended"):
    """The floor of the shout is over."""

    seat: int


# ---- vote ----


class ListRead(_Event, frozen=True, tag="list_read"):
    """The list of candidates is read out, in this order."""

    kind: BallotKind
    candidates: tuple[int, ...]


class CandidateCalled(_Event, frozen=True, tag="candidate_called"):
    """Votes against *candidate* are taken now."""

    candidate: int


class LiftCalled(_Event, frozen=True, tag="lift_called"):
    """Who wants all tied *candidates* to leave presses VOTE now."""

    candidates: tuple[int, ...]


class VoteCast(_Event, frozen=True, tag="vote_cast"):
    """Secret until the ballot closes. *candidate* 0: for the lift."""

    seat: int
    candidate: int


class RollCalled(_Event, frozen=True, tag="roll_called"):
    """The last window has closed; the table asks every node whether it has more."""


class BallotClosed(_Event, frozen=True, tag="ballot_closed"):
    """The ballot is counted and may be shown."""

    kind: BallotKind
    day: int
    candidates: tuple[int, ...]
    votes: tuple[tuple[int, int], ...]
    """(seat, candidate) by seat, automatic ones included; in a lift those for it, with 0."""
    automatic: tuple[int, ...]
    top: tuple[int, ...]
    """Who has most votes; in a lift the candidates when it passed, else empty."""
    living: int


class VoteSettled(_Event, frozen=True, tag="vote_settled"):
    """The day's vote has its result: *leave* go (several after a lift), maybe nobody."""

    day: int
    leave: tuple[int, ...]
    single: bool = False
    """A single nominee, without a ballot."""


class SeatLeft(_Event, frozen=True, tag="seat_left"):
    """*seat* is out of the game."""

    seat: int
    cause: Cause


class FarewellBegan(_Event, frozen=True, tag="farewell_began"):
    """*seat*, just out, has its farewell speech."""

    seat: int


class FarewellPicks(_Event, frozen=True, tag="farewell_picks"):
    """The speech is over; *seat* may still give best move and crown, in silence."""

    seat: int


class BestMoveGiven(_Event, frozen=True, tag="best_move_given"):
    """Shown when it is locked."""

    seat: int
    suspects: tuple[int, ...]


class CrownGiven(_Event, frozen=True, tag="crown_given"):
    """Shown when it is locked."""

    seat: int
    target: int


class FarewellEnded(_Event, frozen=True, tag="farewell_ended"):
    """The farewell of *seat* is over; its picks are locked."""

    seat: int


# ---- fair play ----


class GroundsOpened(_Event, frozen=True, tag="grounds_opened"):
    """There are grounds against *seat*; or these grounds now ask for another *sanction*."""

    grounds: int
    """Number of the grounds in this game, from 1."""
    seat: int
    offence: Offence
    sanction: Sanction
    source: Source
    by: int = 0
    """The seat that accuses; 0: another source."""
    confirmed_by: int = 0
    """The second seat; 0: another source."""


class GroundsLapsed(_Event, frozen=True, tag="grounds_lapsed"):
    """These grounds are closed without a motion that passed."""

    grounds: int


class AccusationMade(_Event, frozen=True, tag="accusation_made"):
    """Seat *by* accuses *seat*; a second seat has 5 s to confirm it."""

    by: int
    seat: int
    offence: Offence


class AccusationLapsed(_Event, frozen=True, tag="accusation_lapsed"):
    """Nobody has confirmed the accusation of seat *by*."""

    by: int


class MotionPut(_Event, frozen=True, tag="motion_put"):
    """The table votes on *sanction* against *seat*; told again when it is called again."""

    sanction: Sanction
    seat: int
    grounds: int
    """0: Opponent Victory, put by the host without grounds."""


class MotionClosed(_Event, frozen=True, tag="motion_closed"):
    """The motion is counted, or closed uncounted because what it asks for is done."""

    sanction: Sanction
    seat: int
    grounds: int
    yes: tuple[int, ...]
    """Who voted for it, by seat."""
    living: int
    """How many seats live, the accused included if it lives."""
    passed: bool
    counted: bool = True
    """False: it was closed because what it asks for is done."""


class TechnicalFoulGiven(_Event, frozen=True, tag="technical_foul_given"):
    """*seat* has its technical foul number *count*. Also told at night."""

    seat: int
    count: int
    offence: Offence
    by_host: bool
    """Ruled by the host; False: by a motion."""
    after_decision: bool
    """Secret until the game is over: the result stood already, so it costs no points."""


class Disqualified(_Event, frozen=True, tag="disqualified"):
    """*seat* is disqualified; if it still lived, SeatLeft follows."""

    seat: int
    offence: Offence
    by_host: bool
    by_second_foul: bool
    after_decision: bool
    """The result stood already, so it costs no points."""


class Withdrawn(_Event, frozen=True, tag="withdrawn"):
    """*seat* is withdrawn without fault; if it still lived, SeatLeft follows."""

    seat: int


class VoteDropped(_Event, frozen=True, tag="vote_dropped"):
    """There is no vote on *day*, today or tomorrow; no VoteSettled comes for it."""

    day: int


class NomineeStruck(_Event, frozen=True, tag="nominee_struck"):
    """*seat*, out of the game, is off the list or the tied set."""

    seat: int


class OpponentVictoryGiven(_Event, frozen=True, tag="opponent_victory_given"):
    """The game is stopped for what *seat* did; its *team* loses."""

    seat: int
    team: Team
    """Of *seat*."""
    after_decision: bool = False
    """The result stood already and stands."""


class GameVoided(_Event, frozen=True, tag="game_voided"):
    """The game ends without a result; no GameEnded comes."""


# ---- corrections by the host ----


class FoulGiven(_Event, frozen=True, tag="foul_given"):
    """The host has entered a shout of *seat*; it has *fouls* now."""

    seat: int
    fouls: int


class FoulTakenBack(_Event, frozen=True, tag="foul_taken_back"):
    """The host has taken a foul of *seat* back; it has *fouls* now."""

    seat: int
    fouls: int


class NominationCorrected(_Event, frozen=True, tag="nomination_corrected"):
    """The host has changed whom *speaker*, whose speech is over, nominated."""

    speaker: int
    nominee: int | None


class VoteCorrected(_Event, frozen=True, tag="vote_corrected"):
    """Secret until the close. The host has changed the vote of *seat*; None: it has none."""

    seat: int
    candidate: int | None


class CountdownChanged(_Event, frozen=True, tag="countdown_changed"):
    """The host has made a countdown longer, or shorter."""

    countdown: int
    by_s: float
    """Less than 0: shorter."""


# ---- course ----


class GameDecided(_Event, frozen=True, tag="game_decided"):
    """Secret until the last farewell ends."""

    winner: Winner


class GameEnded(_Event, frozen=True, tag="game_ended"):
    """The game is over and everything may be shown."""

    winner: Winner


class Paused(_Event, frozen=True, tag="paused"):
    """Every clock stands."""


class Resumed(_Event, frozen=True, tag="resumed"):
    """The game goes on."""


Event = (
    SeatReady
    | AllReady
    | RolesDealt
    | LookBegan
    | NightFell
    | MafiaWoke
    | MafiaSlept
    | RoundBegan
    | NumberCalled
    | WindowOpened
    | WindowClosed
    | RoundCalled
    | NightPressed
    | ShotsFixed
    | Checked
    | MorningCame
    | ShotAnnounced
    | MissAnnounced
    | DayBegan
    | SpeechBegan
    | SpeechEnded
    | NominationChosen
    | NominationStood
    | SingleNomineeWarned
    | ShoutBegan
    | ShoutEnded
    | ListRead
    | CandidateCalled
    | LiftCalled
    | VoteCast
    | RollCalled
    | BallotClosed
    | VoteSettled
    | SeatLeft
    | FarewellBegan
    | FarewellPicks
    | BestMoveGiven
    | CrownGiven
    | FarewellEnded
    | GameDecided
    | GameEnded
    | Paused
    | Resumed
    | GroundsOpened
    | GroundsLapsed
    | AccusationMade
    | AccusationLapsed
    | MotionPut
    | MotionClosed
    | TechnicalFoulGiven
    | Disqualified
    | Withdrawn
    | VoteDropped
    | NomineeStruck
    | OpponentVictoryGiven
    | GameVoided
    | FoulGiven
    | FoulTakenBack
    | NominationCorrected
    | VoteCorrected
    | CountdownChanged
)

PUBLIC = (
    SeatReady,
    AllReady,
    LookBegan,
    NightFell,
    MorningCame,
    ShotAnnounced,
    MissAnnounced,
    DayBegan,
    SpeechBegan,
    SpeechEnded,
    NominationStood,
    SingleNomineeWarned,
    ShoutBegan,
    ShoutEnded,
    ListRead,
    CandidateCalled,
    LiftCalled,
    BallotClosed,
    VoteSettled,
    SeatLeft,
    FarewellBegan,
    FarewellPicks,
    BestMoveGiven,
    CrownGiven,
    FarewellEnded,
    GameEnded,
    Paused,
    Resumed,
    AccusationMade,
    AccusationLapsed,
    MotionPut,
    MotionClosed,
    Withdrawn,
    VoteDropped,
    NomineeStruck,
    OpponentVictoryGiven,
    GameVoided,
    FoulGiven,
    FoulTakenBack,
    NominationCorrected,
    CountdownChanged,
)
"""Events that the ``public/event`` topic may carry. The calls of a night are
heard in the room but not here: from nightfall to morning nothing is sent. So
neither are technical fouls and grounds, which the host can bring at night, nor
disqualifications, which know whether the game is decided: the view has them."""

PASSING = frozenset(
    {
        SeatReady,
        AllReady,
        LookBegan,
        MafiaWoke,
        MafiaSlept,
        RoundBegan,
        NumberCalled,
        WindowOpened,
        WindowClosed,
        RoundCalled,
        NightPressed,
        SpeechBegan,
        SpeechEnded,
        NominationChosen,
        ShoutEnded,
        ListRead,
        CandidateCalled,
        LiftCalled,
        VoteCast,
        RollCalled,
        FarewellBegan,
        FarewellPicks,
        FarewellEnded,
        AccusationMade,
        AccusationLapsed,
        VoteCorrected,
        CountdownChanged,
        Paused,
        Resumed,
    }
)
"""Events that are over with their moment; all others stay in the game's course."""

"""What may be shown, to whom: types that list it field by field.

There is no other way from the state to a socket, a screen or a page.
"""

import enum

import msgspec

from table_controller.game import day, floor, night, scoring, voting
from table_controller.game.model import (
    SEATS,
    BallotKind,
    BallotRecord,
    Cause,
    Countdown,
    GameState,
    Phase,
    Role,
    Winner,
)


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
    kind: BallotKind | None = None
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


_PUBLIC_PHASES = {
    Phase.SEATING: PublicPhase.SEATING,
    Phase.DEALING: PublicPhase.SEATING,
    Phase.LOOK: PublicPhase.LOOK,
    Phase.NIGHTFALL: PublicPhase.NIGHT,
    Phase.MEETING: PublicPhase.NIGHT,
    Phase.REST: PublicPhase.NIGHT,
    Phase.CALLING: PublicPhase.NIGHT,
    Phase.GATHERING: PublicPhase.NIGHT,
    Phase.MORNING: PublicPhase.MORNING,
    Phase.SPEECH: PublicPhase.SPEECH,
    Phase.PICKING: PublicPhase.SPEECH,
    Phase.READING: PublicPhase.READING,
    Phase.BALLOT: PublicPhase.BALLOT,
    Phase.TIE_SPEECH: PublicPhase.TIE_SPEECH,
    Phase.LIFT: PublicPhase.LIFT,
    Phase.ROLL_CALL: PublicPhase.COUNTING,
    Phase.FAREWELL: PublicPhase.FAREWELL,
    Phase.FAREWELL_PICKS: PublicPhase.FAREWELL_PICKS,
    Phase.OVER: PublicPhase.OVER,
}

_CARD_PHASES = floor.BY_DAY | {Phase.LOOK, Phase.OVER}
"""When a living seat has a card to look at."""


def public_view(state: GameState) -> PublicView:
    """Return what the room may see of *state*."""
    over = state.phase is Phase.OVER
    by_night = state.phase in night.BY_NIGHT
    ballot = state.ballot
    called = voting.open_window(state) if state.phase is Phase.BALLOT else None
    return PublicView(
        phase=_PUBLIC_PHASES[state.phase],
        day=state.day,
        night=state.night,
        paused=state.paused,
        seats=_public_seats(state),
        floor=state.floor,
        silent=(state.floor in state.silenced and state.phase in (Phase.SPEECH, Phase.PICKING))
        or state.phase is Phase.FAREWELL_PICKS,
        shout=state.shouts[0] if state.shouts else 0,
        nominees=state.nominees,
        candidates=ballot.candidates if ballot is not None else (),
        kind=ballot.kind if ballot is not None else None,
        called=called or 0,
        ballots=tuple(map(_public_ballot, state.ballots)),
        shot=state.announced,
        leaving=state.leaving,
        mistakes_left=state.public_mistakes_left,
        countdowns=() if by_night else floor.countdowns(state),
        winner=state.decided if over else None,
    )


def _public_seats(state: GameState) -> tuple[PublicSeat, ...]:
    # Nothing before the game is over may tell a role or an amount.
    over = state.phase is Phase.OVER
    earned = scoring.totals(scoring.score(state.ruleset, state.course)) if over else {}
    causes = {departure.seat: departure.cause for departure in state.departures}
    best_moves = {record.seat: record.best_move for record in state.farewells}
    return tuple(
        PublicSeat(
            seat=seat,
            living=seat in state.living,
            ready=seat in state.ready,
            fouls=state.fouls[seat - 1],
            silenced=_silenced(state, seat),
            cause=causes.get(seat),
            crowns=tuple(record.seat for record in state.farewells if record.crown == seat),
            best_move=best_moves.get(seat),
            role=state.roles[seat - 1] if over else None,
            classic=earned[seat][0] if earned else None,
            max=earned[seat][1] if earned else None,
        )
        for seat in SEATS
    )


def _silenced(state: GameState, seat: int) -> bool:
    return seat in state.living and (seat in state.silenced or floor.owes_silence(state, seat))


def _public_ballot(record: BallotRecord) -> PublicBallot:
    return PublicBallot(
        record.day,
        record.kind,
        record.candidates,
        record.votes,
        record.automatic,
        record.top,
        record.living,
    )


def seat_view(state: GameState, seat: int) -> SeatView:
    """Return what the player of *seat* may see of *state*."""
    deed, choices, chosen = _deed(state, seat)
    meets = state.phase is Phase.MEETING and seat in state.mafia
    ballot = state.ballot
    return SeatView(
        seat=seat,
        phase=state.phase,
        living=seat in state.living,
        deed=deed,
        choices=choices,
        marks=state.ruleset.best_move_max if deed is Deed.BEST_MOVE else 1,
        chosen=chosen,
        voted=ballot is not None and any(voter == seat for voter, _ in ballot.votes),
        may_shout=floor.may_shout(state, seat),
        own_floor=state.floor == seat,
        silenced=_silenced(state, seat),
        card=_card(state, seat),
        card_open=seat in state.living and state.phase in (Phase.LOOK, Phase.MORNING),
        mates=state.mafia if meets else (),
        don=state.roles.index(Role.DON) + 1 if meets else 0,
    )


def _card(state: GameState, seat: int) -> Card | None:
    if seat not in state.living or state.phase not in _CARD_PHASES:
        return None
    return Card(
        state.roles[seat - 1],
        tuple(
            CardFact(record.night, check.target, check.positive)
            for record in state.nights
            for check in record.checks
            if check.seat == seat
        ),
    )


_Doing = tuple[Deed, tuple[int, ...], tuple[int, ...]]
"""What can be done, the choices for it, what stands already."""


def _deed(state: GameState, seat: int) -> _Doing:
    nothing: _Doing = (Deed.NONE, (), ())
    if state.paused:
        return nothing
    if state.floor == seat:
        return _floor_deed(state)
    if seat not in state.living:
        return nothing
    match state.phase:
        case Phase.SEATING if seat not in state.ready:
            return (Deed.READY, (), ())
        case Phase.CALLING | Phase.GATHERING:
            return (Deed.NIGHT, (), ())
        case Phase.BALLOT | Phase.LIFT if voting.may_press(state, seat):
            return (Deed.LIFT if state.phase is Phase.LIFT else Deed.VOTE, (), ())
        case _:
            return nothing


def _floor_deed(state: GameState) -> _Doing:
    if state.phase in (Phase.SPEECH, Phase.PICKING):
        chosen = (state.choice,) if state.choice else ()
        return (Deed.NOMINATE, day.candidates(state), chosen)
    open_ = state.farewell
    if open_ is None or open_.locked:
        return (Deed.NONE, (), ())
    if open_.best_move is None:
        others = tuple(seat for seat in SEATS if seat != open_.seat)
        return (Deed.BEST_MOVE, others, ())
    return (Deed.CROWN, state.living, ())

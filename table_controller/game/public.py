"""What the whole room may see, listed field by field."""

import enum

import msgspec

from table_controller.game import floor, motions, night, scoring, voting
from table_controller.game.decisions import PublicDecision, decisions
from table_controller.game.model import (
    SEATS,
    BallotKind,
    BallotRecord,
    Cause,
    Countdown,
    GameState,
    Offence,
    Phase,
    Role,
    Sanction,
    Source,
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
    MOTION = "motion"
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
    technical_fouls: int = 0
    """Those of a night come in the morning."""
    disqualified: bool = False
    """Also when it had left before, by the cause above."""


class PublicGrounds(msgspec.Struct, frozen=True):
    """Grounds whose motion is still to come."""

    seat: int
    offence: Offence
    sanction: Sanction
    source: Source
    by: int = 0
    """The seat that accuses; 0: another source."""
    confirmed_by: int = 0
    """The second seat; 0: another source."""


class PublicAccusation(msgspec.Struct, frozen=True):
    """What seat *by* says that *seat* has done; a second seat can confirm it."""

    by: int
    seat: int
    offence: Offence


class PublicMotion(msgspec.Struct, frozen=True):
    """The vote on a sanction that is open."""

    sanction: Sanction
    seat: int
    """The accused."""
    offence: Offence | None
    """None: Opponent Victory."""
    voters: int
    """How many may vote: the living but the accused."""
    needed: int
    """So many votes pass it."""


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
    voided: bool = False
    """The game has ended without a result."""
    grounds: tuple[PublicGrounds, ...] = ()
    """Those whose motion is still to come, oldest first; those of a night come in the morning."""
    accusation: PublicAccusation | None = None
    motion: PublicMotion | None = None
    dropped: tuple[int, ...] = ()
    """Days whose votes a disqualification has dropped."""
    decisions: tuple[PublicDecision, ...] = ()
    """Sanctions given and motions lost, oldest first."""


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
    Phase.MOTION: PublicPhase.MOTION,
    Phase.GAP: PublicPhase.SPEECH,
    Phase.ROLL_CALL: PublicPhase.COUNTING,
    Phase.FAREWELL: PublicPhase.FAREWELL,
    Phase.FAREWELL_PICKS: PublicPhase.FAREWELL_PICKS,
    Phase.OVER: PublicPhase.OVER,
}


def public_phase(state: GameState) -> PublicPhase:
    """Return the phase as the room may see it."""
    return _PUBLIC_PHASES[state.phase]


def public_view(state: GameState) -> PublicView:
    """Return what the room may see of *state*."""
    over = state.phase is Phase.OVER
    by_night = state.phase in night.BY_NIGHT
    ballot = state.ballot
    called = voting.open_window(state) if state.phase is Phase.BALLOT else None
    return PublicView(
        phase=public_phase(state),
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
        voided=over and state.decided is None,
        grounds=tuple(
            PublicGrounds(
                each.seat, each.offence, each.sanction, each.source, each.by, each.confirmed_by
            )
            for each in state.grounds
            if not each.put and not (by_night and each.by_night)
        ),
        accusation=_public_accusation(state),
        motion=_public_motion(state),
        dropped=state.dropped,
        decisions=decisions(state),
    )


def _public_accusation(state: GameState) -> PublicAccusation | None:
    open_ = state.accusation
    return None if open_ is None else PublicAccusation(open_.by, open_.seat, open_.offence)


def _public_motion(state: GameState) -> PublicMotion | None:
    open_ = state.motion
    if open_ is None:
        return None
    voters, needed = len(motions.voters(state)), motions.needed(state)
    return PublicMotion(open_.sanction, open_.seat, open_.offence, voters, needed)


def _public_seats(state: GameState) -> tuple[PublicSeat, ...]:
    # Nothing before the game is over may tell a role or an amount. A void game can be taken
    # up again: it tells them in its record, once another game has begun.
    over = state.phase is Phase.OVER and state.decided is not None
    earned = scoring.totals(scoring.score(state.ruleset, state.course)) if over else {}
    causes = {departure.seat: departure.cause for departure in state.departures}
    best_moves = {record.seat: record.best_move for record in state.farewells}
    return tuple(
        PublicSeat(
            seat=seat,
            living=seat in state.living,
            ready=seat in state.ready,
            fouls=state.fouls[seat - 1],
            silenced=silenced(state, seat),
            cause=causes.get(seat),
            crowns=tuple(record.seat for record in state.farewells if record.crown == seat),
            best_move=best_moves.get(seat),
            role=state.roles[seat - 1] if over and state.roles else None,
            classic=earned[seat][0] if earned else None,
            max=earned[seat][1] if earned else None,
            technical_fouls=state.technical_fouls[seat - 1] - state.hushed.count(seat),
            disqualified=seat in state.disqualified,
        )
        for seat in SEATS
    )


def silenced(state: GameState, seat: int) -> bool:
    """Return whether *seat* has no speech in the round of speeches, or in the next one."""
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

"""What may be shown, to whom: types that list it field by field.

There is no other way from the state to a socket, a screen or a page.
"""

import enum

import msgspec

from table_controller.game import (
    corrections,
    day,
    floor,
    grounds,
    motions,
    voting,
)
from table_controller.game.actions import Accuse
from table_controller.game.model import (
    SEATS,
    Countdown,
    GameState,
    Grounds,
    Offence,
    Phase,
    Role,
    Ruling,
)
from table_controller.game.public import PublicAccusation as PublicAccusation
from table_controller.game.public import PublicBallot as PublicBallot
from table_controller.game.public import PublicGrounds as PublicGrounds
from table_controller.game.public import PublicMotion as PublicMotion
from table_controller.game.public import PublicPhase as PublicPhase
from table_controller.game.public import PublicSeat as PublicSeat
from table_controller.game.public import PublicView as PublicView
from table_controller.game.public import public_phase as public_phase
from table_controller.game.public import public_view as public_view
from table_controller.game.public import silenced


class Deed(enum.StrEnum):
    """What a seat's VOTE can do now."""

    NONE = "none"
    READY = "ready"
    VOTE = "vote"
    """A vote against ``PublicView.called``."""
    LIFT = "lift"
    MOTION = "motion"
    """A vote for ``PublicView.motion``."""
    CONFIRM = "confirm"
    """To be the second of ``PublicView.accusation``."""
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
    """This seat has a vote in the open ballot, lift or motion."""
    may_shout: bool = False
    may_accuse: bool = False
    """Of what it likes, whom it likes; not twice a day."""
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


_CARD_PHASES = floor.BY_DAY | {Phase.LOOK, Phase.OVER}
"""When a living seat has a card to look at."""


def seat_view(state: GameState, seat: int) -> SeatView:
    """Return what the player of *seat* may see of *state*."""
    deed, choices, chosen = _deed(state, seat)
    meets = state.phase is Phase.MEETING and seat in state.mafia
    return SeatView(
        seat=seat,
        phase=state.phase,
        living=seat in state.living,
        deed=deed,
        choices=choices,
        marks=state.ruleset.best_move_max if deed is Deed.BEST_MOVE else 1,
        chosen=chosen,
        voted=seat in corrections.voted(state),
        may_shout=floor.may_shout(state, seat),
        may_accuse=not state.paused and grounds.no_accuser(state, seat) is None,
        own_floor=state.floor == seat,
        silenced=silenced(state, seat),
        card=_card(state, seat),
        card_open=seat in state.living and state.phase in (Phase.LOOK, Phase.MORNING),
        mates=state.mafia if meets else (),
        don=state.roles.index(Role.DON) + 1 if meets else 0,
    )


def charges(state: GameState, by: int) -> dict[int, tuple[Offence, ...]]:
    """Return of what *by*, which may accuse, can accuse whom; grounds that wait are no news."""
    of = {
        seat: tuple(
            offence
            for offence in Offence
            if grounds.no_accused(state, Accuse(by, seat, offence)) is None
        )
        for seat in SEATS
    }
    return {seat: offences for seat, offences in of.items() if offences}


def _card(state: GameState, seat: int) -> Card | None:
    if not state.roles or seat not in state.living or state.phase not in _CARD_PHASES:
        return None
    if state.phase is Phase.OVER and state.decided is None:
        # Void, perhaps by night: what was learned in it may be asked for again.
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
        case Phase.MOTION if motions.no_vote(state, seat) is None:
            return (Deed.MOTION, (), ())
        case _ if grounds.no_second(state, seat) is None:
            return (Deed.CONFIRM, (), ())
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


class HostView(msgspec.Struct, frozen=True):
    """What the host may see while a game is played: the room's view, and no role."""

    public: PublicView
    voted: tuple[int, ...] = ()
    """Who has a vote in the open ballot, by seat, once its calls are over; not for what.

    Before that the moment tells for whom, and in a lift or a motion a vote is a yes: those
    are counted at the close.
    """
    grounds: tuple[Grounds, ...] = ()
    """All that have not lapsed, oldest first; also those of this night, and those voted down."""
    rulings: tuple[Ruling, ...] = ()
    """What the host has ruled this night, until it takes effect at dawn."""
    technical_fouls: tuple[int, ...] = (0,) * 10
    """Seat 1 first; also those of this night."""
    stop: int = 0
    """Against whom Opponent Victory waits for the next gap; 0: nobody."""
    countdowns: tuple[Countdown, ...] = ()
    """Those that the host can end or make longer; none at night."""


def host_view(state: GameState) -> HostView:
    """Return what the host may see of *state*."""
    public = public_view(state)
    return HostView(
        public=public,
        # While candidates are called the moment of a vote tells for whom it is.
        voted=corrections.voted(state) if _is_named_at_close(state) else (),
        grounds=state.grounds,
        rulings=state.rulings,
        technical_fouls=state.technical_fouls,
        stop=state.stop,
        countdowns=floor.countdowns(state) if state.phase in floor.BY_DAY else (),
    )


def _is_named_at_close(state: GameState) -> bool:
    """Return whether who has voted tells nothing more: the calls are over, and a vote is no yes."""
    return state.phase is Phase.ROLL_CALL and not corrections.is_yes_or_no(state)

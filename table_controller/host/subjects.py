"""What an order, or something that happened, is about."""

from typing import Final

from table_controller.game import Event, actions, events
from table_controller.host import orders
from table_controller.host.orders import ConsoleOrder

COURSE: Final = "course"
"""How far the game is."""

GAME: Final = "game"
"""Which game it is, and what of it stands."""

RUN: Final = "run"
"""Whether it is paused."""

BALLOT: Final = "ballot"
"""What is voted on."""

_COURSE: Final = (
    events.LookBegan,
    events.NightFell,
    events.MorningCame,
    events.DayBegan,
    events.SpeechBegan,
    events.CandidateCalled,
    events.LiftCalled,
    events.VoteSettled,
    events.FarewellBegan,
    events.FarewellPicks,
    events.FarewellEnded,
    events.GameEnded,
)
_BALLOT: Final = (
    events.ListRead,
    events.BallotClosed,
    events.MotionPut,
    events.MotionClosed,
)
_RUN: Final = (events.Paused, events.Resumed)
_FOULS: Final = (events.ShoutBegan, events.FoulGiven, events.FoulTakenBack)
_CONDUCT: Final = (
    events.AccusationMade,
    events.GroundsOpened,
    events.TechnicalFoulGiven,
    events.Disqualified,
    events.Withdrawn,
    events.SeatLeft,
    events.OpponentVictoryGiven,
)
_OTHER: Final = (
    events.SeatReady,
    events.AllReady,
    events.ShotAnnounced,
    events.MissAnnounced,
    events.SpeechEnded,
    events.SingleNomineeWarned,
    events.ShoutEnded,
    events.BestMoveGiven,
    events.CrownGiven,
    events.AccusationLapsed,
    events.VoteDropped,
    events.NomineeStruck,
)
"""Public, and no order rests on them."""


OTHER_GAME: Final = (orders.Undo, orders.NewGame, orders.Rematch)
"""Orders after which it is another game, or another course of it."""


def of_event(event: Event) -> frozenset[str] | None:
    """Return what *event* is about; None: it is secret, and no step of the table."""
    if isinstance(event, _COURSE):
        return frozenset({COURSE})
    if isinstance(event, _BALLOT):
        return frozenset({COURSE, BALLOT})
    if isinstance(event, _RUN):
        return frozenset({COURSE, RUN})
    if isinstance(event, _FOULS):
        return frozenset({f"fouls {event.seat}"})
    if isinstance(event, _CONDUCT):
        return frozenset({f"conduct {event.seat}"})
    if isinstance(event, _OTHER):
        return frozenset()
    match event:
        case events.NominationStood(seat=seat) | events.NominationCorrected(speaker=seat):
            return frozenset({f"nomination {seat}"})
        case events.CountdownChanged(countdown=countdown):
            return frozenset({f"countdown {countdown}"})
        case events.GameVoided():
            return frozenset({COURSE, GAME})
    return None


def changed_by(order: ConsoleOrder) -> frozenset[str]:
    """Return what *order* changes when it is done."""
    rests = of_order(order)
    return rests if isinstance(order, (*OTHER_GAME, actions.Void)) else rests - {GAME}


def of_order(order: ConsoleOrder) -> frozenset[str]:
    """Return what *order* rests on."""
    match order:
        case actions.Pause() | actions.Resume():
            return frozenset({RUN, GAME})
        case (
            actions.EndCountdown(countdown=id_)
            | actions.ExtendCountdown(countdown=id_)
            | actions.ShortenCountdown(countdown=id_)
        ):
            return frozenset({f"countdown {id_}", GAME})
        case actions.GiveFoul(seat=seat) | actions.TakeBackFoul(seat=seat):
            return frozenset({f"fouls {seat}", GAME})
        case actions.CorrectNomination(speaker=seat):
            return frozenset({f"nomination {seat}", GAME})
        case actions.CorrectVote(seat=seat):
            return frozenset({f"vote {seat}", BALLOT, GAME})
        case actions.Rule(seat=seat) | actions.Withdraw(seat=seat) | orders.Accuse(seat=seat):
            return frozenset({f"conduct {seat}", GAME})
        case actions.PutOpponentVictory():
            return frozenset({"stop", GAME})
        case actions.CallAgain() | actions.Void() | orders.Undo():
            return frozenset({COURSE, GAME})
        case orders.NewGame() | orders.Rematch():
            return frozenset({COURSE, GAME})
    return _of_table(order)


def _of_table(order: ConsoleOrder) -> frozenset[str]:
    match order:
        case orders.Swap(seat=seat, node=node):
            return frozenset({f"device {seat}", f"device {node}"})
        case orders.Identify(seat=seat, node=node):
            return frozenset({f"identify {node or seat}"})
        case orders.Practice() | orders.SkipReadiness():
            return frozenset({"readiness", GAME})
        case orders.Camera(seat=seat):
            return frozenset({f"camera {seat}"})
        case orders.Volume() | orders.Music() | orders.ReadOut():
            return frozenset({str(order.__struct_config__.tag)})
    return frozenset({str(order.__struct_config__.tag)})

"""What has happened and what a host has ordered, as sentences.

Of the game only what the room has seen is told. Votes are told by nobody here.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec

from firmware.words import N_, Words
from table_controller.game import Event, actions, events
from table_controller.game.terms import BallotKind, Offence, Sanction
from table_controller.host import orders
from table_controller.host.orders import ConsoleOrder
from table_controller.wording import offence_name, sanction_name

_PLAIN: Final[dict[type[Event], str]] = {
    events.SeatReady: N_("Seat {seat} is ready"),
    events.AllReady: N_("All ten are ready"),
    events.LookBegan: N_("The cards are dealt"),
    events.NightFell: N_("Night falls"),
    events.MorningCame: N_("The morning of day {day}"),
    events.ShotAnnounced: N_("Seat {seat} was shot"),
    events.MissAnnounced: N_("Nobody was shot"),
    events.DayBegan: N_("The speeches of day {day} begin"),
    events.SpeechEnded: N_("The speech of seat {seat} is over"),
    events.NominationStood: N_("Seat {seat} has nominated seat {nominee}"),
    events.SingleNomineeWarned: N_("Seat {nominee} alone is nominated"),
    events.ShoutBegan: N_("Seat {seat} shouted and got a foul ({fouls})"),
    events.ShoutEnded: N_("The shout of seat {seat} is over"),
    events.ListRead: N_("The list is read out: {candidates}"),
    events.CandidateCalled: N_("The vote against seat {candidate} was called"),
    events.LiftCalled: N_("The lift was called: {candidates}"),
    events.FarewellBegan: N_("The farewell of seat {seat} begins"),
    events.FarewellPicks: N_("Seat {seat} makes its last picks"),
    events.CrownGiven: N_("Seat {seat} gives the crown to seat {target}"),
    events.FarewellEnded: N_("The farewell of seat {seat} is over"),
    events.GameEnded: N_("The game is over"),
    events.Paused: N_("The game was paused"),
    events.Resumed: N_("The game goes on"),
    events.AccusationMade: N_("Seat {by} accuses seat {seat}: {offence}"),
    events.AccusationLapsed: N_("Nobody has confirmed what seat {by} says"),
    events.MotionPut: N_("A motion on seat {seat}: {sanction}"),
    events.GroundsOpened: N_("Grounds against seat {seat}: {offence}"),
    events.TechnicalFoulGiven: N_("Seat {seat} got a technical foul ({count}): {offence}"),
    events.Disqualified: N_("Seat {seat} is disqualified: {offence}"),
    events.Withdrawn: N_("Seat {seat} leaves without fault"),
    events.SeatLeft: N_("Seat {seat} is out"),
    events.VoteDropped: N_("There is no vote on day {day}"),
    events.NomineeStruck: N_("Seat {seat} is off the list"),
    events.OpponentVictoryGiven: N_("The game is stopped over seat {seat}"),
    events.GameVoided: N_("The game was ended without a result"),
    events.FoulGiven: N_("Seat {seat} got a foul ({fouls})"),
    events.FoulTakenBack: N_("A foul of seat {seat} was taken back ({fouls})"),
}
"""Sentences whose blanks are fields of the event."""


def tell(event: Event, words: Words) -> str:
    """Return *event* as a sentence; "" when the room has not seen it."""
    text = _PLAIN.get(type(event)) or _SPECIAL.get(type(event), _nothing)(event)
    return words.gettext(text).format(**_fields(event, words)) if text else ""


def _nothing(event: Any) -> str:
    return ""


def _speech(event: events.SpeechBegan) -> str:
    if event.tie:
        return N_("The tie speech of seat {seat} begins")
    return N_("The silent slot of seat {seat} begins") if event.silent else N_("Seat {seat} speaks")


def _counted(event: events.BallotClosed) -> str:
    if event.kind is BallotKind.LIFT:
        return N_("The lift has passed: {top}") if event.top else N_("The lift has not passed")
    return N_("The vote is counted: {top}")


def _settled(event: events.VoteSettled) -> str:
    return N_("The vote is settled: {leave}") if event.leave else N_("Nobody leaves by the vote")


def _best_move(event: events.BestMoveGiven) -> str:
    return (
        N_("Seat {seat} suspects {suspects}")
        if event.suspects
        else N_("Seat {seat} suspects nobody")
    )


def _motion(event: events.MotionClosed) -> str:
    if not event.counted:
        return N_("The motion on seat {seat} is settled by the host: {sanction}")
    if event.passed:
        return N_("The motion on seat {seat} has passed: {sanction}")
    return N_("The motion on seat {seat} has not passed: {sanction}")


def _nomination(event: events.NominationCorrected) -> str:
    if event.nominee is None:
        return N_("The nomination by seat {speaker} was taken back")
    return N_("The nomination by seat {speaker} is now seat {nominee}")


def _countdown(event: events.CountdownChanged) -> str:
    return (
        N_("A clock got {by_s:g} s more") if event.by_s > 0 else N_("A clock got {by_s:g} s less")
    )


_SPECIAL: Final[dict[type[Event], Callable[[Any], str]]] = {
    events.SpeechBegan: _speech,
    events.BallotClosed: _counted,
    events.VoteSettled: _settled,
    events.BestMoveGiven: _best_move,
    events.MotionClosed: _motion,
    events.NominationCorrected: _nomination,
    events.CountdownChanged: _countdown,
}
"""Sentences that depend on what is in the event."""

_ORDERED: Final[dict[type[Any], str]] = {
    actions.Pause: N_("A host has paused"),
    actions.Resume: N_("A host lets the game go on"),
    actions.EndCountdown: N_("A host has ended a clock"),
    actions.ExtendCountdown: N_("A host has given a clock {by_s:g} s more"),
    actions.ShortenCountdown: N_("A host has taken {by_s:g} s from a clock"),
    actions.GiveFoul: N_("A host has given seat {seat} a foul"),
    actions.TakeBackFoul: N_("A host has taken back a foul of seat {seat}"),
    actions.CorrectNomination: N_("A host has changed the nomination by seat {speaker}"),
    actions.CorrectVote: N_("A host has entered the vote of seat {seat}"),
    actions.CallAgain: N_("A host has had it called again"),
    actions.PutOpponentVictory: N_("A host has asked to stop the game over seat {seat}"),
    actions.Rule: N_("A host has ruled on seat {seat}: {sanction}, {offence}"),
    actions.Withdraw: N_("A host lets seat {seat} leave without fault"),
    actions.Void: N_("A host has ended the game without a result"),
    orders.Accuse: N_("A host has opened grounds against seat {seat}: {offence}"),
    orders.Undo: N_("A host has taken a step of the game back"),
    orders.GoOn: N_("A host goes on without the lost seats"),
    orders.NewGame: N_("A host has begun a new game"),
    orders.Rematch: N_("A host has begun a new game with the same players"),
    orders.Practice: N_("A host has begun a practice"),
    orders.SkipReadiness: N_("A host has skipped the rest before the deal"),
    orders.Swap: N_("A host has given seat {seat} the device {node}"),
    orders.Identify: N_("A host looks for a device"),
    orders.Place: N_("A host places the devices"),
    orders.Camera: N_("A host has switched the camera of seat {seat}"),
    orders.NextLine: N_("A host has called the next line"),
    orders.ReadOut: N_("A host has switched reading out"),
    orders.Volume: N_("A host has set the volume to {percent} %"),
    orders.Music: N_("A host has switched the music"),
    orders.Backup: N_("A host has made a backup"),
    orders.Shutdown: N_("A host switches the table off"),
}
"""What is told of an order that the room has seen nothing of; no vote's or nomination's aim."""

TOLD: Final = (*_PLAIN, *_SPECIAL)
"""Events that have a sentence."""


def tell_all(told: Iterable[Event], words: Words) -> str:
    """Return what the events of one moment come to."""
    return ". ".join(filter(None, (tell(event, words) for event in told)))


def tell_change(what: Event | ConsoleOrder, words: Words) -> str:
    """Return what happened, or what a host has ordered, as a sentence."""
    if isinstance(what, Event):
        return tell(what, words)
    return words.gettext(_ORDERED[type(what)]).format(**_fields(what, words))


def _fields(of: msgspec.Struct, words: Words) -> dict[str, object]:
    """Return what fills the blanks of a sentence."""
    return {name: _said(value, words) for name, value in msgspec.structs.asdict(of).items()}


def _said(value: object, words: Words) -> object:
    match value:
        case tuple():
            return ", ".join(map(str, value))
        case Offence():
            return offence_name(value, words)
        case Sanction():
            return sanction_name(value, words)
        case float():
            # Which way it goes is in the sentence.
            return abs(value)
    return value

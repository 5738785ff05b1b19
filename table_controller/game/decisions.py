"""What was decided about fair play, and by whom: read off the game's course.

Source: RULES 2.3 and 2.4.
"""

import enum
from collections.abc import Iterator

import msgspec

from table_controller.game import motions
from table_controller.game.events import (
    Disqualified,
    GroundsOpened,
    MorningCame,
    MotionClosed,
    NightFell,
    SeatLeft,
    TechnicalFoulGiven,
)
from table_controller.game.model import SEATS, GameState, Offence, Sanction


class Decider(enum.StrEnum):
    """Who has decided."""

    ROOM = "room"
    """The table, by a motion."""
    HOST = "host"
    SECOND_FOUL = "second_foul"
    """The rules: a second technical foul disqualifies."""


class PublicDecision(msgspec.Struct, frozen=True):
    """A sanction that was given, or a motion that was lost."""

    day: int
    """When the room heard of it; 0: before the first morning."""
    seat: int
    sanction: Sanction
    offence: Offence | None
    """None: Opponent Victory."""
    by: Decider
    passed: bool = True
    """False: a motion that was lost."""
    yes: tuple[int, ...] = ()
    """Who voted for the motion, by seat."""
    voters: int = 0
    """How many could; 0: there was no motion."""
    needed: int = 0
    """So many votes would pass it."""


_DECIDE = frozenset({MotionClosed, TechnicalFoulGiven, Disqualified})


def decisions(state: GameState) -> tuple[PublicDecision, ...]:
    """Return what the room knows to be decided, oldest first."""
    # Most games have none, and this is asked at every message.
    if not any(type(event) in _DECIDE for event in state.course):
        return ()
    return tuple(_walk(state))


def _walk(state: GameState) -> Iterator[PublicDecision]:
    day, living, charged = 0, set(SEATS), dict[int, Offence]()
    told = {seat: state.technical_fouls[seat - 1] - state.hushed.count(seat) for seat in SEATS}
    for event in state.course:
        match event:
            case NightFell(night=night):
                # What the host rules at night is told in the morning.
                day = night + 1
            case MorningCame():
                day = event.day
            case SeatLeft(seat=seat):
                living.discard(seat)
            case GroundsOpened(grounds=number, offence=offence):
                charged[number] = offence
            case MotionClosed(counted=True):
                voters = len(living - {event.seat})
                yield PublicDecision(
                    day,
                    event.seat,
                    event.sanction,
                    charged.get(event.grounds),
                    Decider.ROOM,
                    event.passed,
                    event.yes,
                    voters,
                    motions.needed_of(voters, event.sanction, state.ruleset),
                )
            case TechnicalFoulGiven(by_host=True) if event.count <= told[event.seat]:
                yield PublicDecision(
                    day, event.seat, Sanction.TECHNICAL_FOUL, event.offence, Decider.HOST
                )
            case Disqualified() if event.by_host or event.by_second_foul:
                by = Decider.SECOND_FOUL if event.by_second_foul else Decider.HOST
                yield PublicDecision(day, event.seat, Sanction.DISQUALIFICATION, event.offence, by)

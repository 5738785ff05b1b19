"""The voice: what the room hears, as phrases.

:func:`phrases` is pure. Only what everybody may know is said: an event that is
not named here is silent, and what the room may not know yet waits in
:class:`Announcer`.
"""

from typing import Final, Protocol

from firmware.words import Words
from table_controller.game import GameState
from table_controller.game import events as e
from table_controller.game.model import Cause, NightRound, Winner
from table_controller.game.views import PublicPhase, public_view
from table_controller.voice.phrasebook import Phrase as Phrase
from table_controller.voice.phrasebook import length, phrase


class Voice(Protocol):
    """Where phrases go."""

    @property
    def fault(self) -> str:
        """Why nothing is heard; ``""`` while it speaks."""
        ...

    def say(self, phrase: Phrase) -> None:
        """Say *phrase* after those before it; returns at once."""
        ...

    def night(self, *, on: bool) -> None:
        """Tell it that it is night, or is no more: for the music."""
        ...

    def tune(self, *, volume: int, music: bool) -> None:
        """Speak with *volume* in percent from now on, with music at night or without."""
        ...

    def close(self) -> None:
        """Fall silent and give everything back."""
        ...


class Silent:
    """A table without a voice; the host reads the lines out."""

    def __init__(self, fault: str = "") -> None:
        self.fault = fault

    def say(self, phrase: Phrase) -> None:
        """Say nothing."""

    def night(self, *, on: bool) -> None:
        """Do nothing."""

    def tune(self, *, volume: int, music: bool) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class Announcer:
    """Says what has happened, in order, with what only the state knows.

    What the host brings at night is heard in the morning.
    """

    def __init__(self, words: Words) -> None:
        self._words = words
        self._hushed: list[Phrase] = []

    def of(self, events: tuple[e.Event, ...], state: GameState) -> tuple[Phrase, ...]:
        """Return what is said of *events*, which have led to *state*."""
        night = public_view(state).phase is PublicPhase.NIGHT
        clock_s = state.clock.length_s if state.clock is not None else 0.0
        said: list[Phrase] = []
        for event in events:
            heard = phrases(event, self._words, clock_s)
            if isinstance(event, NOT_AT_NIGHT) and night:
                self._hushed += heard
                continue
            if isinstance(event, e.NightFell | e.LookBegan):
                self._hushed.clear()
            said += heard
            if isinstance(event, e.MorningCame):
                said += self._hushed
                self._hushed.clear()
        return tuple(said)


NOT_AT_NIGHT: Final = (e.TechnicalFoulGiven, e.GroundsOpened)
"""Of these the room hears in the morning. Source: RULES 2.4."""

QUIET: Final = (
    e.SeatReady,
    e.AllReady,
    e.ShoutEnded,
    e.FarewellEnded,
    e.CountdownChanged,
    e.Withdrawn,
)
"""Public events of which nothing is said: seen by all at the table, or said of another."""

_NEXT_ROUND: Final = {NightRound.SHOTS: NightRound.DON, NightRound.DON: NightRound.SHERIFF}


def phrases(event: e.Event, words: Words, clock_s: float = 0.0) -> tuple[Phrase, ...]:
    """Return what is said at *event*, in order; *clock_s* is the length of the clock it started.

    The name of a night round is said before its first number is due: at
    nightfall, and while the round before it is gathered, so that no name
    delays a number.
    """
    names = (
        _at_night(event) or _by_day(event) or _in_a_vote(event) or _fair_play(event)
    ) or _course(event)
    said = tuple(phrase(words, name, number) for name, number in names)
    if clock_s and isinstance(event, e.SpeechBegan | e.FarewellBegan):
        return (*said, length(words, clock_s))
    return said


def practice_phrases(called: int, words: Words) -> tuple[Phrase, ...]:
    """Return what is said of the practice: a call as in a vote, with 0 its beginning."""
    if called:
        return phrases(e.CandidateCalled(called), words)
    return (phrase(words, "practice"),)


_Names = tuple[tuple[str, int], ...]
"""Names of phrases with their numbers, in order."""


def _at_night(event: e.Event) -> _Names:
    match event:
        case e.NightFell(night=0):
            return (("night", 0),)
        case e.NightFell(night=night):
            return (("night", night), (f"round_{NightRound.SHOTS}", 0))
        case e.MafiaWoke():
            return (("mafia_wakes", 0),)
        case e.MafiaSlept():
            return (("mafia_sleeps", 0),)
        case e.NumberCalled(number=number):
            return (("number", number),)
        case e.RoundCalled(round=round_) if round_ in _NEXT_ROUND:
            return ((f"round_{_NEXT_ROUND[round_]}", 0),)
        case e.MorningCame(day=day):
            return (("morning", day),)
        case e.ShotAnnounced(seat=seat):
            return (("shot", seat),)
        case e.MissAnnounced():
            return (("miss", 0),)
    return ()


def _by_day(event: e.Event) -> _Names:
    match event:
        case e.LookBegan():
            return (("look", 0),)
        case e.DayBegan(day=day):
            return (("day", day),)
        case e.SpeechBegan(seat=seat, silent=silent):
            return (("silenced" if silent else "speech", seat),)
        case e.SpeechEnded():
            return (("thanks", 0),)
        case e.NominationStood(nominee=seat) | e.NominationCorrected(nominee=int(seat)):
            return (("nominated", seat),)
        case e.NominationCorrected(speaker=seat):
            return (("nomination_taken_back", seat),)
        case e.SingleNomineeWarned(nominee=seat):
            return (("single_nominee", seat),)
        case e.ShoutBegan(seat=seat, fouls=fouls) | e.FoulGiven(seat=seat, fouls=fouls):
            return (("seat", seat), ("foul", fouls))
        case e.FoulTakenBack(seat=seat):
            return (("foul_taken_back", seat),)
        case e.FarewellBegan(seat=seat):
            return (("farewell", seat),)
        case e.FarewellPicks():
            return (("farewell_picks", 0),)
        case e.BestMoveGiven(suspects=[_, *_] as suspects):
            return (("best_move", 0), *(("seat", seat) for seat in suspects))
        case e.CrownGiven(target=seat):
            return (("crown", seat),)
    return ()


def _in_a_vote(event: e.Event) -> _Names:
    match event:
        case e.ListRead(kind=kind, candidates=candidates):
            head = "list" if kind is e.BallotKind.VOTE else "tied"
            return ((head, 0), *(("seat", seat) for seat in candidates))
        case e.CandidateCalled(candidate=seat):
            return (("candidate", seat),)
        case e.LiftCalled():
            return (("lift", 0),)
        case e.RollCalled():
            return (("vote_over", 0),)
        case e.BallotClosed():
            return _result(event)
        case e.VoteSettled(leave=()):
            return (("nobody_leaves", 0),)
        case e.VoteSettled(leave=leave):
            return tuple(("leaves", seat) for seat in leave)
        case e.VoteDropped():
            return (("vote_dropped", 0),)
        case e.NomineeStruck(seat=seat):
            return (("struck", seat),)
    return ()


def _fair_play(event: e.Event) -> _Names:
    match event:
        case e.AccusationMade(by=by, seat=seat, offence=offence):
            return (("accuser", by), ("accused", seat), (f"offence_{offence}", 0))
        case e.AccusationLapsed():
            return (("accusation_lapsed", 0),)
        case e.GroundsOpened(seat=seat, offence=offence):
            return (("grounds", seat), (f"offence_{offence}", 0))
        case e.MotionPut(sanction=sanction, seat=seat):
            return ((f"motion_{sanction}", seat),)
        case e.MotionClosed(counted=False):
            # What it asks for is done, and told.
            return ()
        case e.MotionClosed(yes=yes, passed=passed):
            return (("votes", len(yes)), ("motion_carried" if passed else "motion_lost", 0))
        case e.TechnicalFoulGiven(seat=seat, offence=offence):
            return (("technical_foul", seat), (f"offence_{offence}", 0))
        case e.SeatLeft(seat=seat, cause=Cause.DISQUALIFIED):
            return (("disqualified", seat),)
        case e.SeatLeft(seat=seat, cause=Cause.WITHDRAWN):
            return (("withdrawn", seat),)
        case e.OpponentVictoryGiven(seat=seat):
            return (("opponent_victory", seat),)
    return ()


def _course(event: e.Event) -> _Names:
    match event:
        case e.GameEnded(winner=Winner.DRAW):
            return (("draw", 0),)
        case e.GameEnded(winner=winner):
            return ((f"{winner}_wins", 0),)
        case e.GameVoided():
            return (("void", 0),)
        case e.Paused():
            return (("paused", 0),)
        case e.Resumed():
            return (("resumed", 0),)
    return ()


def _result(ballot: e.BallotClosed) -> _Names:
    if ballot.kind is e.BallotKind.LIFT:
        return (("votes", len(ballot.votes)),)
    cast = [candidate for _, candidate in ballot.votes]
    pairs = ((("seat", seat), ("votes", cast.count(seat))) for seat in ballot.candidates)
    return tuple(name for pair in pairs for name in pair)

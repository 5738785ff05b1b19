"""The voice: what the room hears, as phrases, and how they are spoken.

:func:`phrases` is pure. A phrase has a name and at most one number, so that it
can be a recording as well as a text. Only what everybody may know is said: an
event that is not named here is silent.
"""

from dataclasses import dataclass
from typing import Final, Protocol

from firmware.words import Words
from table_controller.game import events as e
from table_controller.game.model import Cause, NightRound, Sanction, Winner


@dataclass(frozen=True, slots=True)
class Phrase:
    """One thing that is said."""

    name: str
    """Name of the phrase, as of a recording."""
    number: int
    """The number in it (seat, night, votes ...); 0: none."""
    text: str
    """The words, in the table's language."""
    call: bool = False
    """A window hangs on it: it cuts off what is being said and drops what waits."""


class Voice(Protocol):
    """Where phrases go."""

    def say(self, phrase: Phrase) -> None:
        """Say *phrase* after those before it; returns at once."""
        ...

    def close(self) -> None:
        """Fall silent and give everything back."""
        ...


class Silent:
    """A table without a voice; the host reads the lines out."""

    def say(self, phrase: Phrase) -> None:
        """Say nothing."""

    def close(self) -> None:
        """Do nothing."""


_NEXT_ROUND: Final = {NightRound.SHOTS: NightRound.DON, NightRound.DON: NightRound.SHERIFF}


def phrases(event: e.Event, words: Words) -> tuple[Phrase, ...]:
    """Return what is said at *event*, in order.

    The name of a night round is said before its first number is due: at
    nightfall, and while the round before it is gathered, so that no name
    delays a number.
    """
    return (
        _at_night(event, words)
        or _by_day(event, words)
        or _in_a_vote(event, words)
        or _fair_play(event, words)
    )


def practice_phrases(called: int, words: Words) -> tuple[Phrase, ...]:
    """Return what is said of the practice: a call as in a vote, with 0 its beginning."""
    if called:
        return phrases(e.CandidateCalled(called), words)
    return (Phrase("practice", 0, words.gettext("Practice: it counts for nothing")),)


def _at_night(event: e.Event, words: Words) -> tuple[Phrase, ...]:
    t = words.gettext
    match event:
        case e.NightFell(night=0):
            return (Phrase("night", 0, t("Night falls. Masks on.")),)
        case e.NightFell(night=night):
            fell = Phrase("night", night, t("Night falls. Masks on."))
            return (fell, _round(NightRound.SHOTS, words))
        case e.MafiaWoke():
            return (Phrase("mafia_wakes", 0, t("The mafia wakes up. You have one minute.")),)
        case e.MafiaSlept():
            return (Phrase("mafia_sleeps", 0, t("The mafia sleeps.")),)
        case e.NumberCalled(number=number):
            return (Phrase("number", number, str(number), call=True),)
        case e.RoundCalled(round=round_) if round_ in _NEXT_ROUND:
            return (_round(_NEXT_ROUND[round_], words),)
        case e.MorningCame(day=day):
            return (Phrase("morning", day, t("Good morning. Masks off.")),)
        case e.ShotAnnounced(seat=seat):
            return (Phrase("shot", seat, t("Seat {seat} was shot.").format(seat=seat)),)
        case e.MissAnnounced():
            return (Phrase("miss", 0, t("A miss. Everybody is alive.")),)
    return ()


def _round(round_: NightRound, words: Words) -> Phrase:
    t = words.gettext
    match round_:
        case NightRound.SHOTS:
            return Phrase("round_shots", 0, t("The mafia shoots."))
        case NightRound.DON:
            return Phrase("round_don", 0, t("The don checks."))
        case NightRound.SHERIFF:
            return Phrase("round_sheriff", 0, t("The sheriff checks."))


def _by_day(event: e.Event, words: Words) -> tuple[Phrase, ...]:
    t = words.gettext
    match event:
        case e.LookBegan():
            return (Phrase("look", 0, t("Look at your cards.")),)
        case e.DayBegan(day=day):
            return (Phrase("day", day, t("Day {day}.").format(day=day)),)
        case e.SpeechBegan(seat=seat, silent=True):
            return (Phrase("silenced", seat, t("Seat {seat} is silent.").format(seat=seat)),)
        case e.SpeechBegan(seat=seat):
            return (Phrase("speech", seat, t("Seat {seat} has the floor.").format(seat=seat)),)
        case e.SpeechEnded():
            return (Phrase("thanks", 0, t("Thank you.")),)
        case e.NominationStood(nominee=seat):
            return (Phrase("nominated", seat, t("Seat {seat} is nominated.").format(seat=seat)),)
        case e.SingleNomineeWarned(nominee=seat):
            text = t("Seat {seat} alone is nominated and leaves without a vote.")
            return (Phrase("single_nominee", seat, text.format(seat=seat)),)
        case e.ShoutBegan(seat=seat, fouls=fouls):
            return (_seat(seat, words), Phrase("foul", fouls, t("foul {n}").format(n=fouls)))
        case e.FarewellBegan(seat=seat):
            text = t("Seat {seat}, your farewell.").format(seat=seat)
            return (Phrase("farewell", seat, text),)
        case e.FarewellPicks(seat=seat):
            return (Phrase("farewell_picks", seat, t("Best move and crown, in silence.")),)
        case e.BestMoveGiven(suspects=[_, *_] as suspects):
            best = Phrase("best_move", 0, t("Best move:"))
            return (best, *(_seat(seat, words) for seat in suspects))
        case e.CrownGiven(target=seat):
            return (Phrase("crown", seat, t("The crown goes to seat {seat}.").format(seat=seat)),)
        case e.GameEnded(winner=winner):
            return (_end(winner, words),)
        case e.Paused():
            return (Phrase("paused", 0, t("The game is paused.")),)
        case e.Resumed():
            return (Phrase("resumed", 0, t("The game goes on.")),)
    return ()


def _in_a_vote(event: e.Event, words: Words) -> tuple[Phrase, ...]:
    t = words.gettext
    match event:
        case e.ListRead(kind=kind, candidates=candidates):
            seats = (_seat(seat, words) for seat in candidates)
            if kind is e.BallotKind.VOTE:
                return (Phrase("list", 0, t("Nominated are:")), *seats)
            return (Phrase("tied", 0, t("Tied are:")), *seats)
        case e.CandidateCalled(candidate=seat):
            text = t("Against seat {seat}.").format(seat=seat)
            return (Phrase("candidate", seat, text, call=True),)
        case e.LiftCalled():
            return (Phrase("lift", 0, t("Who wants all of them to leave?"), call=True),)
        case e.RollCalled():
            return (Phrase("vote_over", 0, t("The vote is over.")),)
        case e.BallotClosed():
            return _result(event, words)
        case e.VoteSettled(leave=()):
            return (Phrase("nobody_leaves", 0, t("Nobody leaves.")),)
        case e.VoteSettled(leave=leave):
            text = t("Seat {seat} leaves the table.")
            return tuple(Phrase("leaves", seat, text.format(seat=seat)) for seat in leave)
    return ()


def _fair_play(event: e.Event, words: Words) -> tuple[Phrase, ...]:
    t = words.gettext
    match event:
        case e.MotionPut(sanction=sanction, seat=seat):
            about = {
                Sanction.TECHNICAL_FOUL: t("Who wants a technical foul for seat {seat}?"),
                Sanction.DISQUALIFICATION: t("Who wants seat {seat} disqualified?"),
                Sanction.OPPONENT_VICTORY: t("Who wants the game stopped because of seat {seat}?"),
            }[sanction]
            return (Phrase(f"motion_{sanction}", seat, about.format(seat=seat), call=True),)
        case e.MotionClosed(yes=yes, passed=passed):
            result = t("The motion is carried.") if passed else t("The motion is lost.")
            name = "motion_carried" if passed else "motion_lost"
            return (_votes(len(yes), words), Phrase(name, 0, result))
        case e.SeatLeft(seat=seat, cause=Cause.DISQUALIFIED):
            text = t("Seat {seat} is disqualified.").format(seat=seat)
            return (Phrase("disqualified", seat, text),)
        case e.SeatLeft(seat=seat, cause=Cause.WITHDRAWN):
            text = t("Seat {seat} is withdrawn.").format(seat=seat)
            return (Phrase("withdrawn", seat, text),)
        case e.VoteDropped():
            return (Phrase("vote_dropped", 0, t("One vote is dropped.")),)
        case e.GameVoided():
            return (Phrase("void", 0, t("The game is void.")),)
    return ()


def _result(ballot: e.BallotClosed, words: Words) -> tuple[Phrase, ...]:
    if ballot.kind is e.BallotKind.LIFT:
        return (_votes(len(ballot.votes), words),)
    cast = [candidate for _, candidate in ballot.votes]
    pairs = ((_seat(seat, words), _votes(cast.count(seat), words)) for seat in ballot.candidates)
    return tuple(phrase for pair in pairs for phrase in pair)


def _votes(n: int, words: Words) -> Phrase:
    return Phrase("votes", n, words.ngettext("{n} vote", "{n} votes", n).format(n=n))


def _seat(seat: int, words: Words) -> Phrase:
    return Phrase("seat", seat, words.gettext("Seat {seat}").format(seat=seat))


def _end(winner: Winner, words: Words) -> Phrase:
    t = words.gettext
    match winner:
        case Winner.TOWN:
            return Phrase("town_wins", 0, t("The town wins."))
        case Winner.MAFIA:
            return Phrase("mafia_wins", 0, t("The mafia wins."))
        case Winner.DRAW:
            return Phrase("draw", 0, t("A draw."))

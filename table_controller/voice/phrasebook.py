"""All that the voice can say: names, numbers, texts, and how urgent each is.

A phrase has a name and at most one number, so that it can be a recording as
well as a text. What is said when stands in :mod:`table_controller.voice.phrases`.
"""

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from firmware.words import N_, Words
from table_controller.game import NORMAL, SEATS
from table_controller.game.ruleset import TURBO, Ruleset

DAYS: Final = tuple(range(1, 21))
"""Days that are prepared; a game that lasts longer is spoken all the same."""


class Rank(enum.IntEnum):
    """What goes before what; within a rank the first comes first."""

    CALL = 0
    """A window hangs on it: it cuts off what is being said and drops what waits."""
    SIGNAL = 1
    """Right on time or not at all."""
    RESULT = 2
    """What the game needs to be heard."""
    TALK = 3
    """What the room misses least."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """One thing that is said."""

    name: str
    """Name of the phrase, as of a recording."""
    number: int
    """Its number (seat, day, votes ...), of which night and morning say nothing; 0: none."""
    text: str
    """The words, in the table's language."""
    rank: Rank = Rank.TALK

    @property
    def call(self) -> bool:
        """Tell whether a window hangs on it."""
        return self.rank is Rank.CALL

    @property
    def file(self) -> str:
        """Return the name of its recording."""
        said = self.number and PHRASES[self.name].numbers
        return f"{self.name}-{self.number}.wav" if said else f"{self.name}.wav"


class Entry(NamedTuple):
    """What a name stands for."""

    text: str
    """To be translated; ``{seat}``, ``{day}`` and ``{n}`` are the number. Empty: see _counted."""
    numbers: tuple[int, ...] = ()
    """The numbers it is said with; none: it has no number."""
    rank: Rank = Rank.TALK


_CALL, _RESULT = Rank.CALL, Rank.RESULT
_COUNTS: Final = tuple(range(len(SEATS) + 1))

PHRASES: Final[Mapping[str, Entry]] = {
    "practice": Entry(N_("Practice: it counts for nothing")),
    "look": Entry(N_("Look at your cards.")),
    # ---- night and morning ----
    "night": Entry(N_("Night falls. Masks on.")),
    "mafia_wakes": Entry(N_("The mafia wakes up. You have one minute.")),
    "mafia_sleeps": Entry(N_("The mafia sleeps.")),
    "round_shots": Entry(N_("The mafia shoots.")),
    "round_don": Entry(N_("The don checks.")),
    "round_sheriff": Entry(N_("The sheriff checks.")),
    "number": Entry("{n}", SEATS, _CALL),
    "morning": Entry(N_("Good morning. Masks off.")),
    "shot": Entry(N_("Seat {seat} was shot."), SEATS, _RESULT),
    "miss": Entry(N_("A miss. Everybody is alive."), (), _RESULT),
    # ---- day ----
    "day": Entry(N_("Day {day}."), DAYS),
    "speech": Entry(N_("Seat {seat} has the floor."), SEATS),
    "silenced": Entry(N_("Seat {seat} is silent."), SEATS),
    "one_minute": Entry(N_("One minute.")),
    "seconds": Entry("", tuple(range(1, 601))),
    "ten_seconds": Entry(N_("10 seconds left"), (), Rank.SIGNAL),
    "time_over": Entry(N_("Time is over"), (), Rank.SIGNAL),
    "thanks": Entry(N_("Thank you.")),
    "nominated": Entry(N_("Seat {seat} is nominated."), SEATS, _RESULT),
    "nomination_taken_back": Entry(N_("Seat {seat} nominates nobody."), SEATS, _RESULT),
    "single_nominee": Entry(
        N_("Seat {seat} alone is nominated and leaves without a vote."), SEATS, _RESULT
    ),
    "seat": Entry(N_("Seat {seat}"), SEATS, _RESULT),
    "foul": Entry(N_("foul {n}"), tuple(range(1, 13)), _RESULT),
    "foul_taken_back": Entry(N_("A foul of seat {seat} is taken back."), SEATS, _RESULT),
    # ---- vote ----
    "list": Entry(N_("Nominated are:"), (), _RESULT),
    "tied": Entry(N_("Tied are:"), (), _RESULT),
    "candidate": Entry(N_("Against seat {seat}."), SEATS, _CALL),
    "lift": Entry(N_("Who wants all of them to leave?"), (), _CALL),
    "vote_over": Entry(N_("The vote is over.")),
    "votes": Entry("", _COUNTS, _RESULT),
    "nobody_leaves": Entry(N_("Nobody leaves."), (), _RESULT),
    "leaves": Entry(N_("Seat {seat} leaves the table."), SEATS, _RESULT),
    # ---- farewell ----
    "farewell": Entry(N_("Seat {seat}, your farewell."), SEATS),
    "farewell_picks": Entry(N_("Best move and crown, in silence.")),
    "best_move": Entry(N_("Best move:"), (), _RESULT),
    "crown": Entry(N_("The crown goes to seat {seat}."), SEATS, _RESULT),
    # ---- fair play ----
    "accuser": Entry(N_("Seat {seat} accuses"), SEATS, _RESULT),
    "accused": Entry(N_("seat {seat}:"), SEATS, _RESULT),
    "accusation_lapsed": Entry(N_("Nobody confirms it."), (), _RESULT),
    "grounds": Entry(N_("Grounds against seat {seat}:"), SEATS, _RESULT),
    "offence_insults": Entry(N_("insults."), (), _RESULT),
    "offence_aggressive_gestures": Entry(N_("aggressive gestures."), (), _RESULT),
    "offence_bets": Entry(N_("offering bets."), (), _RESULT),
    "offence_religion": Entry(N_("appeals to religion."), (), _RESULT),
    "offence_foreign_language": Entry(N_("a language others do not know."), (), _RESULT),
    "offence_obscenity": Entry(N_("obscenity."), (), _RESULT),
    "offence_outside_arguments": Entry(N_("arguments from outside the game."), (), _RESULT),
    "offence_forbidden_gesture": Entry(N_("the forbidden gesture."), (), _RESULT),
    "offence_away": Entry(N_("away from the table."), (), _RESULT),
    "offence_messages": Entry(N_("messages to other players."), (), _RESULT),
    "offence_threats": Entry(N_("threats."), (), _RESULT),
    "offence_nudity": Entry(N_("nudity."), (), _RESULT),
    "motion_technical_foul": Entry(
        N_("Who wants a technical foul for seat {seat}?"), SEATS, _RESULT
    ),
    "motion_disqualification": Entry(N_("Who wants seat {seat} disqualified?"), SEATS, _RESULT),
    "motion_opponent_victory": Entry(
        N_("Who wants the game stopped because of seat {seat}?"), SEATS, _RESULT
    ),
    "motion_carried": Entry(N_("The motion is carried."), (), _RESULT),
    "motion_lost": Entry(N_("The motion is lost."), (), _RESULT),
    "technical_foul": Entry(N_("A technical foul for seat {seat}."), SEATS, _RESULT),
    "disqualified": Entry(N_("Seat {seat} is disqualified."), SEATS, _RESULT),
    "withdrawn": Entry(N_("Seat {seat} is withdrawn."), SEATS, _RESULT),
    "vote_dropped": Entry(N_("One vote is dropped."), (), _RESULT),
    "struck": Entry(N_("Seat {seat} is off the list."), SEATS, _RESULT),
    # ---- course ----
    "opponent_victory": Entry(N_("The game is stopped because of seat {seat}."), SEATS, _RESULT),
    "town_wins": Entry(N_("The town wins."), (), _RESULT),
    "mafia_wins": Entry(N_("The mafia wins."), (), _RESULT),
    "draw": Entry(N_("A draw."), (), _RESULT),
    "void": Entry(N_("The game is void."), (), _RESULT),
    "paused": Entry(N_("The game is paused."), (), _RESULT),
    "resumed": Entry(N_("The game goes on."), (), _RESULT),
}


def phrase(words: Words, name: str, number: int = 0) -> Phrase:
    """Return the phrase *name* with *number* in the language of *words*.

    :raises KeyError: if no phrase has that name.
    """
    entry = PHRASES[name]
    text = words.gettext(entry.text) if entry.text else _counted(words, name, number)
    text = text.format(seat=number, day=number, n=number)
    return Phrase(name, number, text, entry.rank)


def _counted(words: Words, name: str, n: int) -> str:
    """Return the text of a phrase that counts something: its words follow the number."""
    return {
        "votes": words.ngettext("{n} vote", "{n} votes", n),
        "seconds": words.ngettext("{n} second", "{n} seconds", n),
    }[name]


def length(words: Words, length_s: float) -> Phrase:
    """Return how a clock of *length_s* is told."""
    seconds = round(length_s)
    return phrase(words, "one_minute") if seconds == 60 else phrase(words, "seconds", seconds)


def every_phrase(words: Words, rulesets: tuple[Ruleset, ...] = (NORMAL, TURBO)) -> Iterator[Phrase]:
    """Yield all phrases, with all numbers that games by these *rulesets* say."""
    for name, entry in PHRASES.items():
        lengths = _lengths(rulesets) - {60} if name == "seconds" else ()
        for number in sorted(lengths) or entry.numbers or (0,):
            yield phrase(words, name, number)


def _lengths(rulesets: tuple[Ruleset, ...]) -> set[int]:
    return {
        round(length_s)
        for rules in rulesets
        for length_s in (
            rules.speech_s,
            rules.silent_s,
            rules.few_left_speech_s,
            rules.tie_speech_s,
            rules.farewell_s,
        )
    }

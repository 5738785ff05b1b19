"""What the values of the game are made of, and its words that have a fixed list.

Source: RULES, head, 1 and 2.
"""

import enum

import msgspec


class Term(enum.StrEnum):
    """A word of a fixed list. It hashes as the text that it equals, which is quicker too."""

    __hash__ = str.__hash__


class Value(msgspec.Struct, frozen=True, gc=False):
    """A value that holds nothing but values: no cycle, so the collector need not look at it."""


class Role(Term):
    """A player's card."""

    CITIZEN = "citizen"
    SHERIFF = "sheriff"
    MAFIA = "mafia"
    DON = "don"

    @property
    def team(self) -> "Team":
        """Return the side this role plays for."""
        return Team.MAFIA if self in MAFIA else Team.TOWN


MAFIA = (Role.MAFIA, Role.DON)
"""The cards of the mafia."""


class Team(Term):
    """A side."""

    TOWN = "town"
    MAFIA = "mafia"


class Winner(Term):
    """How a game ended."""

    TOWN = "town"
    MAFIA = "mafia"
    DRAW = "draw"


class Cause(Term):
    """Why a seat left."""

    VOTE = "vote"
    LIFT = "lift"
    SINGLE = "single"
    SHOT = "shot"
    DISQUALIFIED = "disqualified"
    WITHDRAWN = "withdrawn"


class Sanction(Term):
    """What a motion or the host can do to a seat. Source: RULES 2.3 and 2.4."""

    TECHNICAL_FOUL = "technical_foul"
    DISQUALIFICATION = "disqualification"
    OPPONENT_VICTORY = "opponent_victory"


class Offence(Term):
    """What a seat can be accused of. Source: RULES 2.5."""

    INSULTS = "insults"
    AGGRESSIVE_GESTURES = "aggressive_gestures"
    BETS = "bets"
    """Offering bets."""
    RELIGION = "religion"
    """Appeals to religion."""
    FOREIGN_LANGUAGE = "foreign_language"
    """A language that others do not know."""
    OBSCENITY = "obscenity"
    """At players."""
    OUTSIDE_ARGUMENTS = "outside_arguments"
    """Arguments from outside the game."""
    FORBIDDEN_GESTURE = "forbidden_gesture"
    """A disqualification only when the host says so."""
    AWAY = "away"
    """For more than 15 s."""
    MESSAGES = "messages"
    """With other players."""
    THREATS = "threats"
    NUDITY = "nudity"

    @property
    def sanction(self) -> Sanction:
        """Return what a motion on this offence asks for."""
        return Sanction.DISQUALIFICATION if self in _GRAVE else Sanction.TECHNICAL_FOUL


_GRAVE = (Offence.AWAY, Offence.MESSAGES, Offence.THREATS, Offence.NUDITY)


class Source(Term):
    """Where grounds come from. Source: RULES 2.2."""

    PRESENCE = "presence"
    GESTURE = "gesture"
    HOST = "host"
    SEAT = "seat"


class BallotKind(Term):
    """What is voted on."""

    VOTE = "vote"
    REVOTE = "revote"
    LIFT = "lift"


class NightRound(Term):
    """The three rounds of every shooting night, in order."""

    SHOTS = "shots"
    DON = "don"
    SHERIFF = "sheriff"

"""The form of a golden game: what a file may say, and what is wrong with one that says else."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from table_controller.game.model import SEATS, Offence, Role, Winner
from table_controller.game.opening import DECK
from table_controller.game.ruleset import MODES, Mode, Ruleset

Seat = Annotated[int, Meta(ge=1, le=10)]
Seats = tuple[Seat, ...]
Count = Annotated[int, Meta(ge=0, le=10)]

INSIDE = r"morning|(?:tie )?speech (?:[1-9]|10)|in ballot [1-9]\d?|lift|farewell (?:[1-9]|10)"
GAPS = (
    r"before speeches|after speech (?:[1-9]|10)|before ballot|after ballot [1-9]\d?"
    r"|after farewell (?:[1-9]|10)|evening"
)
DAY_WHEN = re.compile(f"{INSIDE}|{GAPS}")
GAP_WHEN = re.compile(GAPS)
NIGHT_WHEN = re.compile("before shots|in shots|after shots|after checks")


class Part(Struct, forbid_unknown_fields=True, frozen=True):
    """A part of a golden game: what is not in the form is a mistake."""


class Shout(Part, frozen=True):
    seat: Seat
    during_speech_of: Seat | None = None
    during: str | None = None
    presses_s: tuple[Annotated[float, Meta(ge=0)], ...] = ()
    by: Literal["host"] | None = None
    take_back: bool = False

    def __post_init__(self) -> None:
        if (self.during is None) is (self.during_speech_of is None):
            raise ValueError("a shout has during_speech_of or during")
        if not DAY_WHEN.fullmatch(self.when):
            raise ValueError(f"during: expected a moment of the day, found {self.during!r}")
        if self.by and self.presses_s:
            raise ValueError("a shout that the host enters has no presses_s")

    @property
    def when(self) -> str:
        return self.during or f"speech {self.during_speech_of}"


class Grounds(Part, frozen=True, rename={"source": "from"}):
    source: Literal["presence", "gesture", "host", "seat"]
    seat: Seat | None = None
    confirmed_by: Seat | None = None
    day: int | None = None

    def __post_init__(self) -> None:
        if self.source == "seat" and self.seat is None:
            raise ValueError("grounds from a seat name the seat that accuses")

    @property
    def stand(self) -> bool:
        """Return whether it comes to a motion: a seat's accusation needs a second."""
        return self.source != "seat" or self.confirmed_by is not None


class Ruling(Part, frozen=True):
    kind: Literal["technical_foul", "disqualification", "withdrawal", "void", "opponent_victory"]
    when: str
    seat: Seat | None = None
    offence: Offence | None = None
    by: Literal["host"] | None = None
    put_by: Literal["host"] | None = None
    yes: Seats | None = None
    grounds: Grounds | None = None
    effect: str = ""

    def __post_init__(self) -> None:
        if (self.kind == "void") is not (self.seat is None):
            raise ValueError(f"{self.kind}: a void names no seat, everything else does")
        by_host = self.by is not None or self.kind in ("withdrawal", "void")
        if (self.yes is None) is not by_host:
            raise ValueError(f"{self.kind}: expected by (the host) or yes (a motion)")
        stop = self.kind == "opponent_victory"
        if stop and (self.yes is None or self.put_by is None):
            raise ValueError('opponent_victory: expected put_by "host" and yes')
        if not stop and (self.yes is None) is not (self.grounds is None):
            raise ValueError(f"{self.kind}: a motion, and no ruling of the host, has grounds")
        if self.kind in ("technical_foul", "disqualification") and self.offence is None:
            raise ValueError(f"{self.kind}: no offence")


class Ballot(Part, frozen=True):
    kind: Literal["vote", "revote", "lift"]
    candidates: Seats
    presses: dict[Seat, Seats] | None = None
    yes: Seats | None = None
    automatic: Seats | None = None
    top: Seats | None = None
    decisive: Seats | None = None
    living: Count | None = None
    passed: bool | None = None
    dropped: bool = False

    def __post_init__(self) -> None:
        lift = self.kind == "lift"
        if lift is (self.yes is None) or lift is not (self.presses is None):
            raise ValueError(f"{self.kind}: a lift has yes, a vote or revote has presses")
        strangers = set(self.presses or ()) - set(self.candidates)
        if strangers:
            raise ValueError(f"presses: {sorted(strangers)} are no candidates")


class Farewell(Part, frozen=True):
    seat: Seat
    best_move: Seats | None = None
    crown: Seat | None = None
    void: bool = False


class Day(Part, frozen=True):
    day: int
    farewell_of_the_shot: Farewell | None = None
    speech_order: Seats | None = None
    silenced: Seats = ()
    nominations: tuple[tuple[Seat, Seat], ...] = ()
    shouts: tuple[Shout, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    ballots: tuple[Ballot, ...] = ()
    leave: Seats = ()
    farewells: tuple[Farewell, ...] = ()
    living_after: dict[Literal["town", "mafia"], Count] | None = None
    mistakes_left_true: int | None = None
    mistakes_left_public: int | None = None

    def __post_init__(self) -> None:
        for ruling in self.rulings:
            motion = ruling.yes is not None
            if not (GAP_WHEN if motion else DAY_WHEN).fullmatch(ruling.when):
                raise ValueError(f"when: {ruling.when!r} is no moment for a {ruling.kind} by day")


class Check(Part, frozen=True):
    target: Seat | None = None
    pressed: Seats | None = None
    answer: Literal["sheriff", "not the sheriff", "mafia", "town"] | None = None

    def __post_init__(self) -> None:
        if (self.target is None) is (self.pressed is None):
            raise ValueError("a check has target or pressed")

    @property
    def numbers(self) -> Seats:
        return self.pressed if self.target is None else (self.target,)


class Night(Part, frozen=True):
    night: int
    shots: dict[Seat, Seats] | None = None
    hit: Seat | None = None
    don_check: Check | None = None
    sheriff_check: Check | None = None
    rulings: tuple[Ruling, ...] = ()

    def __post_init__(self) -> None:
        if (self.night == 0) is not (self.shots is None) and not self.void:
            raise ValueError("a shooting night has shots, night 0 has none")
        for ruling in self.rulings:
            if not NIGHT_WHEN.fullmatch(ruling.when) or ruling.yes is not None:
                raise ValueError(f"when: {ruling.when!r} is no moment for a {ruling.kind} at night")

    @property
    def void(self) -> bool:
        """Return whether the host ends the game in it, so that not all of it comes."""
        return any(ruling.kind == "void" for ruling in self.rulings)


class Points(Part, frozen=True):
    items: tuple[tuple[str, int, int], ...]
    classic: int
    max: int

    def __post_init__(self) -> None:
        sums = (sum(item[1] for item in self.items), sum(item[2] for item in self.items))
        if sums != (self.classic, self.max):
            raise ValueError(f"the items give {sums}, not {(self.classic, self.max)}")


class Game(Part, frozen=True):
    mode: Mode
    roles: dict[Seat, Role]
    days: tuple[Day, ...]
    nights: tuple[Night, ...]
    winner: Winner | None
    points: dict[Seat, Points]
    about: str = ""
    why: tuple[dict[str, Any], ...] | str = ()
    ruleset: dict[str, Any] = {}

    def __post_init__(self) -> None:
        if set(self.roles) != set(SEATS) or Counter(self.roles.values()) != Counter(DECK):
            raise ValueError("roles: expected all ten seats and the cards of a game")
        if [night.night for night in self.nights] != list(range(len(self.nights))):
            raise ValueError("nights: expected 0, 1, 2 ...")
        if [day.day for day in self.days] != list(range(1, len(self.days) + 1)):
            raise ValueError("days: expected 1, 2, 3 ...")
        if set(self.points) != (set() if self.winner is None else set(SEATS)):
            raise ValueError("points: expected all ten seats, and none of a void game")

    def rules(self) -> Ruleset:
        """Return the ruleset of the game; an unknown flag is an error."""
        table = msgspec.to_builtins(MODES[self.mode])
        unknown = sorted(set(self.ruleset) - set(table))
        if unknown:
            raise ValueError(f"ruleset: {unknown} are no flags")
        return msgspec.convert(table | self.ruleset, Ruleset)


def read(text: bytes | str) -> Game:
    """Return the golden game of a file's text.

    :raises ValueError: with what is wrong and where.
    """
    game = msgspec.json.decode(text, type=Game)
    game.rules()
    return game


def at(path: str, value: Any) -> Callable[[Any], None]:
    """Return a change of a game: the value at a path of keys."""

    def change(game: Any) -> None:
        *keys, last = [int(key) if key.isdigit() else key for key in path.split("/")]
        for key in keys:
            # Keys of seats are texts, places in a list are numbers.
            game = game[key] if isinstance(game, list) else game[str(key)]
        assert game[last if isinstance(game, list) else str(last)] != value
        game[last if isinstance(game, list) else str(last)] = value

    return change

"""What a bot knows and wants: a player's memory and whims. Pure but for its own dice."""

import hashlib
from collections.abc import Iterable, Iterator
from random import Random
from typing import Final

from firmware.wire import Icon

SEATS: Final = range(1, 11)

NOMINATES: Final = 0.55
"""How often a speaker names somebody; one of ten silent players makes a dull vote."""

SHOUTS: Final = 0.015
"""How often a listener interrupts a speech."""

SECONDS: Final = 0.2
"""How often a player confirms what another one accuses a third of: mostly one of eight does."""

SANCTIONS: Final = 0.55
"""How often a player is for a motion: more than half is needed."""

NOBODY: Final = 0
"""Value of the line "nobody" in the list for the crown."""

_BEFORE_FIRST: Final = 11
"""Above every number, so that the next number called begins a round."""


class Mind:
    """The memory of the player of *seat*; *random* is all its free will."""

    def __init__(self, seat: int, random: Random) -> None:
        self.seat = seat
        self.random = random
        self.vote = 0
        """Against whom it votes in the open ballot; 0: nobody."""
        self._card = Icon.NONE
        self._mates: tuple[int, ...] = ()
        self._living = set(SEATS)
        self._nominees: list[int] = []
        self._found: dict[int, bool] = {}
        """By seat: what a check of it told."""
        self._distrust = {other: random.random() for other in SEATS}
        self._round = ""
        self._called = _BEFORE_FIRST
        self._target = 0

    # ---- what it learns ----

    def read_card(self, icon: Icon, lines: Iterable[str], negation: str) -> None:
        """Remember the card; an answer with the word *negation* is a no."""
        self._card = icon
        for line in lines:
            told = tuple(numbers((line,)))
            if len(told) == 2:
                self._found[told[1]] = negation not in line.split()

    def read_meeting(self, mates: tuple[int, ...]) -> None:
        """Remember the mates; a townsman's screen names none."""
        self._mates = mates

    def hear(self, phrase: str, number: int) -> None:
        """Take what the voice says."""
        match phrase:
            case "night":
                self._nominees.clear()
            case "round_shots" | "round_don" | "round_sheriff":
                self._round, self._called = phrase, _BEFORE_FIRST
            case "number":
                if number <= self._called:
                    self._target = self._plan()
                self._called = number
            case "shot" | "leaves":
                self._living.discard(number)
            case "nominated":
                self._nominees.append(number)

    # ---- by night ----

    def presses_at(self, number: int) -> bool:
        """Return whether it presses at *number*: once a round, and never when it is out."""
        wanted = number == self._target and self.seat in self._living
        if wanted:
            self._target = 0
        return wanted

    def _plan(self) -> int:
        others = sorted(self._living - {self.seat})
        match self._round, self._card:
            case "round_shots", Icon.MAFIA | Icon.DON:
                return self._agreed()
            case "round_don", Icon.DON:
                return self._unchecked([seat for seat in others if seat not in self._mates])
            case "round_sheriff", Icon.SHERIFF:
                return self._unchecked(others)
        return self.random.choice(others or [self.seat])

    def _agreed(self) -> int:
        """Return the target that all mates come to by the same rule."""
        order = (seat for seat in agreement(self._mates) if seat in self._living)
        return next(order, self.seat)

    def _unchecked(self, seats: list[int]) -> int:
        news = [seat for seat in seats if seat not in self._found]
        return self.random.choice(news or seats or [self.seat])

    # ---- by day ----

    def feels_like_shouting(self) -> bool:
        """Return whether it interrupts this speech."""
        return self.seat in self._living and self.random.random() < SHOUTS

    def seconds(self) -> bool:
        """Return whether it confirms the accusation of another player."""
        return self.random.random() < SECONDS

    def wants_sanction(self, accused: int) -> bool:
        """Return whether it votes for a motion on *accused*."""
        return self._dislikes(accused) and self.random.random() < SANCTIONS

    def nominee(self, most_taps: int) -> int:
        """Return whom it nominates, at most so many taps down the list; 0: nobody."""
        listed = [seat for seat in sorted(self._living) if seat not in self._nominees]
        near = [seat for place, seat in enumerate(listed) if place < most_taps]
        fit = [seat for seat in near if self._dislikes(seat)]
        if not fit or self.random.random() > NOMINATES:
            return 0
        return max(fit, key=self._doubt)

    def choose_vote(self, candidates: tuple[int, ...]) -> None:
        """Make up its mind about a ballot among *candidates*."""
        fit = [seat for seat in candidates if self._dislikes(seat)] or [*candidates]
        weights = [self._doubt(seat) ** 2 for seat in fit]
        self.vote = self.random.choices(fit, weights)[0] if any(weights) else 0

    def practises(self, called: tuple[int, ...]) -> bool:
        """Return whether it presses in the practice when *called* are: each for one candidate."""
        return bool(called) and called[0] % 2 == self.seat % 2

    def wants_lift(self, candidates: tuple[int, ...]) -> bool:
        """Return whether it wants all *candidates* to leave."""
        return all(map(self._dislikes, candidates)) and self.random.random() < 0.6

    def suspects(self, most: int) -> tuple[int, ...]:
        """Return its best move, by seat: up to *most* of those it doubts most."""
        others = [seat for seat in SEATS if seat not in (self.seat, *self._mates)]
        return tuple(sorted(sorted(others, key=self._doubt)[-most:])) if most > 0 else ()

    def heir(self) -> int:
        """Return whom it crowns; :data:`NOBODY` now and then."""
        trusted = sorted(self._living - {self.seat}, key=self._doubt)[:3]
        return self.random.choice([*trusted, NOBODY])

    def _dislikes(self, seat: int) -> bool:
        return seat != self.seat and seat not in self._mates

    def _doubt(self, seat: int) -> float:
        """Return how black *seat* looks to it, 0 to 3."""
        if self._card is Icon.SHERIFF and seat in self._found:
            return 3.0 if self._found[seat] else 0.01
        if self._card is Icon.DON and self._found.get(seat):
            return 3.0
        return self._distrust[seat]


def agreement(mates: tuple[int, ...]) -> list[int]:
    """Return in which order *mates*, as their screens name them, shoot those who live."""
    return sorted(
        set(SEATS) - set(mates),
        key=lambda seat: hashlib.sha256(f"{mates} {seat}".encode()).digest(),
    )


def numbers(texts: Iterable[str]) -> Iterator[int]:
    """Return the whole numbers in *texts*, in order, as a player reads them."""
    for text in texts:
        digits = "".join(each if each.isdigit() else " " for each in text)
        yield from map(int, digits.split())

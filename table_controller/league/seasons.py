"""Seasons: spans of days that are rated for themselves.

A club names its own on the card (``[[seasons]]``); every calendar year with a game is one
too, unless the club gave its key to a season of its own.
"""

import datetime
from collections.abc import Callable, Iterable

import msgspec

from firmware.card_parts import SeasonCard
from table_controller.league.league import League


class Season(msgspec.Struct, frozen=True):
    """A span of days."""

    key: str
    """In the address of its pages; of a calendar year its number."""
    name: str
    first: datetime.date
    last: datetime.date
    """The last day, which belongs to it."""
    ci: bool = False
    """Whether Ci is added. Source: RULES 4, a season option."""


def seasons(
    named: Iterable[SeasonCard], years: Iterable[int], today: datetime.date
) -> tuple[Season, ...]:
    """Return the seasons to choose from, the one that is played on *today* first.

    *named* are the club's own, *years* those in which games began. Without a season of the
    club's on *today* it is its calendar year. The others follow, the newest first.
    """
    found = {each.key: _named(each) for each in named}
    own = [each for each in found.values() if each.first <= today <= each.last]
    for year in {*years, today.year}:
        found.setdefault(str(year), _year(year))
    played = max(own, key=_newest) if own else found.get(str(today.year))
    return tuple(sorted(found.values(), key=lambda each: (each == played, _newest(each)))[::-1])


def seasons_of(league: League, named: Iterable[SeasonCard]) -> Callable[[], tuple[Season, ...]]:
    """Return what tells the :func:`seasons` of *league* today; *named* are those of the card.

    It raises LeagueError if the league cannot be read.
    """
    cards = tuple(named)
    return lambda: seasons(cards, league.games.years(), league.today())


def _newest(season: Season) -> tuple[datetime.date, datetime.date, str]:
    return season.first, season.last, season.key


def _named(card: SeasonCard) -> Season:
    return Season(card.key, card.name, card.first, card.last, card.ci)


def _year(year: int) -> Season:
    return Season(str(year), str(year), datetime.date(year, 1, 1), datetime.date(year, 12, 31))

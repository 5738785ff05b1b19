"""Points, days and times as a reader of each language writes them."""

import datetime
from collections.abc import Iterable
from typing import Final

from babel.dates import format_date, format_skeleton, format_time
from babel.lists import format_list

from firmware.words import N_, Words

MINUS: Final = "\u2212"
_POINT: Final = {"ru": ",", "de": ","}
_AT_HOME: Final = {"en": "en_GB"}
"""A day and a clock of 24 hours, as the other languages have them."""


def points(hundredths: int, language: str) -> str:
    """Return an amount of points with its sign and two digits."""
    sign = MINUS if hundredths < 0 else "+" if hundredths else ""
    whole, part = divmod(abs(hundredths), 100)
    return f"{sign}{whole}{_POINT.get(language, '.')}{part:02d}"


def day(when: datetime.date, language: str) -> str:
    """Return a day in full."""
    return format_date(when, "long", locale=_AT_HOME.get(language, language))


def short_day(when: datetime.date, language: str, *, year: bool = True) -> str:
    """Return a day with its month in short, for tables and pictures."""
    skeleton = "yMMMd" if year else "MMMd"
    return str(format_skeleton(skeleton, when, locale=_AT_HOME.get(language, language)))


def local(utc: str) -> datetime.datetime:
    """Return the moment *utc* (ISO 8601) by the clock of the table's place."""
    return datetime.datetime.fromisoformat(utc).astimezone()


def clock(at: datetime.datetime, language: str) -> str:
    """Return hours and minutes."""
    return format_time(at, "short", locale=_AT_HOME.get(language, language))


def seats(numbers: Iterable[int], words: Words) -> str:
    """Return seats as a list of the language: "2, 5 and 6"."""
    locale = _AT_HOME.get(words.language, words.language)
    return format_list([str(number) for number in numbers], locale=locale)


def when(key: str, words: Words) -> str:
    """Return the short name of a night (``N2``), a day (``D3``) or the ``end``."""
    t = words.gettext
    if key == "end":
        return t("end")
    text = N_("N{number}") if key[0] == "N" else N_("D{number}")
    return t(text).format(number=key[1:])


def minutes(seconds: float) -> int:
    """Return whole minutes, at least one."""
    return max(1, round(seconds / 60))

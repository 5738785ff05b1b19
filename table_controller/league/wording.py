"""Bars, appeals and corrections of games in the host's words."""

from firmware.words import Words
from table_controller.league.appeals import Did, Verdict
from table_controller.league.bars import Bar
from table_controller.league.games_kept import Did as Revised
from table_controller.league.names import day_name


def until(bar: Bar, words: Words) -> str:
    """Return how long a bar holds."""
    t = words.gettext
    if bar.last_day is None:
        return t("for good")
    return t("until {day}").format(day=day_name(bar.last_day, words))


def verdict_name(verdict: Verdict, words: Words) -> str:
    """Return how an appeal stands."""
    t = words.gettext
    return {
        Verdict.OPEN: t("open"),
        Verdict.UPHELD: t("upheld"),
        Verdict.REJECTED: t("rejected"),
    }[verdict]


def did_name(did: Did, words: Words) -> str:
    """Return what was done with an appeal."""
    t = words.gettext
    return {
        Did.TAKEN: t("taken down"),
        Did.NOTE: t("note"),
        Did.UPHELD: t("upheld"),
        Did.REJECTED: t("rejected"),
    }[did]


def revised(did: Revised, words: Words) -> str:
    """Return what was done with a game."""
    t = words.gettext
    return {
        Revised.KEPT: t("kept as it was played"),
        Revised.SEATED: t("another player at a seat"),
        Revised.FREED: t("an appeal was upheld"),
        Revised.POINTS: t("points by hand"),
        Revised.STRUCK: t("struck from the ratings"),
        Revised.RATED: t("put back into the ratings"),
        Revised.BACK: t("as it was before"),
    }[did]

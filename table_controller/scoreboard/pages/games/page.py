"""The record of one game as its page shows it: numbers, days and words of the reader's language."""

import datetime
from collections.abc import Sequence
from typing import Any, Final

from firmware.words import N_, Words
from table_controller import deal
from table_controller.game import Winner
from table_controller.game.rulefile import Line, lines
from table_controller.game.ruleset import Mode
from table_controller.game.setting import Setting, as_toml
from table_controller.game.terms import BallotKind
from table_controller.record.finished import FORMAT, Corrections, FinishedGame
from table_controller.scoreboard.pages.games import course as told
from table_controller.scoreboard.pages.games import numbers, pictures, sentences
from table_controller.scoreboard.pages.games.ledger import VALUES, Account, Entry, accounts
from table_controller.scoreboard.pages.games.votes import Cell, Column, matrix
from table_controller.wording import role_name, winner_name

SIDES: Final = {
    Winner.TOWN: ("town", "●"),
    Winner.MAFIA: ("mafia", "◆"),
    Winner.DRAW: ("draw", "="),
    None: ("void", "○"),
}
"""Look and sign of each result."""

MODES: Final = {Mode.NORMAL: N_("Normal pace"), Mode.TURBO: N_("Turbo")}

PACES: Final = (4_400, 5_300, 6_500, 7_300, 8_600, 9_900, 11_500)
"""Letters of a record from which on its printed page takes the next smaller type.

The last one leaves out fouls and nominations besides. A test prints the longest games.
"""

CHAPTER_LETTERS: Final = 55
"""What the head of a night or a day takes."""

DIFFERENCE_LETTERS: Final = 80
"""What a rule takes that is not the default."""

_SANCTIONS: Final = ("sanction", "motion")


def record(
    game: FinishedGame, corrections: Corrections, words: Words, *, corrected: str, journal: bool
) -> dict[str, Any]:
    """Return what the page shows of *game*.

    *corrected* is when the club has last decided something about it, UTC, "" if never;
    *journal* tells whether its journal can be downloaded.
    """
    t, language = words.gettext, words.language
    chapters, columns = told.course(game, words), matrix(game.events())
    ledger = accounts(game, corrections, words)
    differences = [line for line in lines(game.ruleset) if line.value != line.default]
    side, sign = SIDES[game.winner]
    began, ended = numbers.local(game.began_utc), numbers.local(game.ended_utc)
    return {
        "game": game.game,
        "table": game.table,
        "day": numbers.day(game.day, language),
        "began": numbers.clock(began, language),
        "began_utc": game.began_utc,
        "ended": numbers.clock(ended, language),
        "ended_utc": game.ended_utc,
        "zone": began.tzname(),
        "minutes": numbers.minutes((ended - began).total_seconds()),
        "mode": t(MODES[game.ruleset.mode]),
        "winner": winner_name(game.winner, words),
        "side": side,
        "sign": sign,
        "scored": game.winner is not None,
        "notices": _notices(game, corrections, corrected, words),
        "accounts": [_account(each, words) for each in ledger],
        "chapters": [_chapter(each, words) for each in chapters],
        "lives": pictures.lives(game, chapters, words),
        "lives_legend": _lives_legend(words),
        "ballots": pictures.ballots(game, columns, words),
        "votes_legend": _votes_legend(words),
        "columns": [_column(each, words) for each in columns],
        "sanctions": [
            (numbers.when(chapter.key, words), line.text)
            for chapter in chapters
            for line in chapter.lines
            if line.mark in _SANCTIONS and not line.undone
        ],
        "differences": [
            (t(line.setting.meaning), *_values(line.value, line.default, line.setting, words))
            for line in differences
        ],
        "seed": game.seed,
        "commitment": deal.commitment(bytes.fromhex(game.seed)),
        "version": game.version,
        "format": FORMAT,
        "journal": journal,
        "pace": _pace(chapters, ledger, differences),
    }


def _notices(
    game: FinishedGame, corrections: Corrections, corrected: str, words: Words
) -> list[str]:
    t, notices = words.gettext, list[str]()
    if game.void:
        notices.append(t("The host ended this game without a result: no winner, no points."))
        if not game.seats:
            notices.append(t("It ended before the roles were dealt."))
    if corrections.struck:
        notices.append(t("This game counts in no rating."))
    if corrected:
        at = numbers.local(corrected)
        notices.append(t("Corrected on {day}.").format(day=numbers.day(at.date(), words.language)))
    return notices


def _account(one: Account, words: Words) -> dict[str, Any]:
    t, language, left = words.gettext, words.language, ""
    if one.left is not None:
        when, cause = one.left
        left = f"{numbers.when(when, words)}, {t(sentences.CAUSES[cause])}"
    notes = []
    if one.eased:
        notes.append(t("The points of a sanction were removed by correction."))
    if one.by_hand is not None:
        notes.append(t("The sum was set by the club by correction."))
    return {
        "seat": one.seat,
        "player": one.player,
        "name": one.name or t("a player without a name"),
        "named": bool(one.name),
        "role": role_name(one.role, words),
        "team": pictures.TEAM[one.role.team],
        "sign": pictures.ROLE_SIGNS[one.role] or "●",
        "left": left,
        "max": numbers.points(one.max, language),
        "classic": numbers.points(one.classic, language),
        "entries": [_entry(each, words) for each in one.entries],
        "notes": notes,
    }


def _entry(one: Entry, words: Words) -> dict[str, Any]:
    t, item = words.gettext, one.item
    return {
        "when": numbers.when(item.when, words),
        "reason": one.reason,
        "decisive": item.decisive,
        "automatic": item.automatic,
        "value": one.value,
        "value_name": t(VALUES[one.value]),
        "max": numbers.points(item.max, words.language),
        "classic": numbers.points(item.classic, words.language),
    }


def _chapter(one: told.Chapter, words: Words) -> dict[str, Any]:
    return {
        "title": told.headline(one, words),
        "by_night": one.by_night,
        "utc": one.utc,
        "clock": numbers.clock(numbers.local(one.utc), words.language),
        "reading": one.reading,
        "town": one.town,
        "mafia": one.mafia,
        "lines": one.lines,
        "footnotes": list(told.footnotes(one, words)),
    }


# ---- the votes ----


_BALLOTS: Final = {
    BallotKind.VOTE: N_("Day {day}: vote"),
    BallotKind.REVOTE: N_("Day {day}: revote"),
    BallotKind.LIFT: N_("Day {day}: lift"),
}


def _column(one: Column, words: Words) -> dict[str, Any]:
    t, ballot = words.gettext, one.ballot
    return {
        "title": t(_BALLOTS[ballot.kind]).format(day=ballot.day),
        "cells": [_cell(each, ballot.kind, words) for each in one.cells],
        "result": ", ".join(map(str, ballot.top)) or t("nobody"),
    }


def _cell(cell: Cell, kind: BallotKind, words: Words) -> str:
    t = words.gettext
    if not cell.voted:
        return "–"
    said = str(cell.target)
    if kind is BallotKind.LIFT:
        said = t("yes") if cell.yes else t("no")
    notes = [t("decisive")] * cell.decisive + [t("automatic")] * cell.automatic
    return f"{said} ({', '.join(notes)})" if notes else said


def _votes_legend(words: Words) -> list[tuple[str, str]]:
    t = words.gettext
    return [
        ("7", t("against this seat: of the town in a rounded box, of the mafia in an angular one")),
        ("!", t("decisive")),
        ("°", t("automatic, not pressed")),
        ("↻", t("revote")),
        ("▲", t("lift: + for it, – not")),
    ]


def _lives_legend(words: Words) -> list[tuple[str, str]]:
    t, signs = words.gettext, pictures.CAUSE_SIGNS
    return [
        *((signs[cause], t(sentences.CAUSES[cause])) for cause in signs if cause != "single"),
        ("→4 ?4", t("shot at seat 4, check of seat 4")),
        ("• T", t("foul, technical foul")),
        ("★ ♛ ◆", t("sheriff, don, mafia")),
        ("7–3 1", t("living town and mafia at dawn, right to a mistake")),
    ]


# ---- rules ----


def _values(value: Any, default: Any, setting: Setting, words: Words) -> tuple[str, str]:
    return _value(value, setting, words), _value(default, setting, words)


def _value(value: Any, setting: Setting, words: Words) -> str:
    t = words.gettext
    if isinstance(value, bool):
        return t("yes") if value else t("no")
    if isinstance(value, tuple):
        if setting.unit == "hundredths":
            classic, most = (numbers.points(each, words.language) for each in value)
            return f"Max {most}, Classic {classic}"
        return "/".join(map(str, value))
    return f"{as_toml(value)} {t(setting.unit) if setting.unit else ''}".strip()


def _pace(
    chapters: Sequence[told.Chapter], ledger: Sequence[Account], differences: Sequence[Line]
) -> int:
    """Return how small a type it takes to print all of it on one page: 0 is the largest."""
    letters = CHAPTER_LETTERS * len(chapters) + DIFFERENCE_LETTERS * len(differences)
    letters += sum(len(line.text) + 4 for chapter in chapters for line in chapter.lines)
    letters += sum(len(entry.reason) + 22 for one in ledger for entry in one.entries)
    return sum(letters > most for most in PACES)


def listed(game: Any, words: Words) -> dict[str, Any]:
    """Return what the list shows of *game*, one of the league's list."""
    side, sign = SIDES[game.winner]
    began = numbers.local(game.began_utc)
    ended = datetime.datetime.fromisoformat(game.ended_utc)
    return {
        "id": game.game,
        "table": game.table,
        "began_utc": game.began_utc,
        "day": numbers.day(game.day, words.language),
        "clock": numbers.clock(began, words.language),
        "minutes": numbers.minutes((ended - began).total_seconds()),
        "winner": winner_name(game.winner, words),
        "side": side,
        "sign": sign,
        "rated": game.rated,
    }

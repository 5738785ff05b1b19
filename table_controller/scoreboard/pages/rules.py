"""The page of rules: a booklet written from the ruleset in force at the table."""

import functools
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from flask import Flask, Response
from markupsafe import Markup

from firmware.words import N_, Words, catalogue
from table_controller.game import NORMAL, TURBO, Ruleset
from table_controller.game.rulefile import Line, lines
from table_controller.game.ruleset import Mode
from table_controller.scoreboard.pages import rules_conduct, rules_texts
from table_controller.scoreboard.pages.frame import show
from table_controller.scoreboard.pages.marked import Marked, legend, points, shown
from table_controller.scoreboard.pages.posted import Posted

_CARDS: Final = {
    N_("Result"): ("win_town", "win_mafia", "loss", "draw"),
    N_("Votes of the town"): (
        "vote_mafia",
        "vote_mafia_decisive",
        "vote_citizen",
        "vote_citizen_decisive",
        "vote_sheriff",
        "vote_sheriff_decisive",
    ),
    N_("Votes of the mafia"): (
        "vote_town",
        "vote_town_decisive",
        "vote_mate",
        "vote_mate_decisive",
    ),
    N_("Best move of the town"): (
        "best_move_a1",
        "best_move_a2",
        "best_move_a3",
        "best_move_b1",
        "best_move_b2",
        "best_move_b3",
    ),
    N_("The night"): (
        "sheriff_finds_n1",
        "sheriff_finds_n2",
        "don_finds_n1",
        "don_finds_n2",
        "sheriff_shot_n1",
        "miss",
    ),
    N_("Conduct"): ("technical_foul", "disqualification", "opponent_victory"),
}
"""The scoring cards and the rows of points on each. Every row is on one."""

_MODES: Final = {Mode.NORMAL: N_("normal"), Mode.TURBO: N_("turbo")}


class Row(NamedTuple):
    """A row of points: Max is the main value, Classic its caption."""

    meaning: str
    max: str
    classic: str
    mark: Markup


class Number(NamedTuple):
    """A number of the rules: as it is here, and as it comes in both modes."""

    meaning: str
    here: Markup
    normal: str
    turbo: str


def cards(ruleset: Ruleset, words: Words) -> tuple[tuple[str, tuple[Row, ...]], ...]:
    """Return the scoring cards: a heading and its rows."""
    t = words.gettext
    marked = Marked(ruleset, words)
    by_key = {line.key: line for line in lines(ruleset)}

    def row(key: str) -> Row:
        line = by_key[f"points.{key}"]
        classic, best = (points(amount, words.language) for amount in line.value)
        return Row(t(line.setting.meaning), best, classic, marked.mark(line))

    return tuple((t(name), tuple(map(row, keys))) for name, keys in _CARDS.items())


def notes(words: Words) -> tuple[str, ...]:
    """Return what the scoring cards do not say."""
    t = words.gettext
    return (
        t(
            "Two systems count the same events: the large number is Max Mafia, the main one, "
            "the small one below it Classic. Nothing of it is shown before the game is over."
        ),
        t(
            "Of a day's votes only the last one counts, and only if it has reached its result. "
            "A yes in a lift counts like a vote against each of those tied but oneself; a no "
            "gives nothing."
        ),
        t("An automatic vote can cost points, and brings none."),
        t(
            "Nothing is given or taken for a vote against oneself, the only nominee, a crown, "
            "the mafia's best move, a self-shot and fouls."
        ),
    )


def numbers(ruleset: Ruleset, words: Words) -> Iterator[Number]:
    """Yield every number of the rules but the points."""
    marked = Marked(ruleset, words)
    t = words.gettext
    normal, turbo = ({line.key: line.value for line in lines(each)} for each in (NORMAL, TURBO))
    for line in lines(ruleset):
        if line.key.startswith("points."):
            continue
        yield Number(
            t(line.setting.meaning),
            _here(line, marked, words),
            shown(line, normal[line.key], words),
            shown(line, turbo[line.key], words),
        )


def _here(line: Line, marked: Marked, words: Words) -> Markup:
    value = shown(line, line.value, words)
    return Markup("{}{}").format(value, marked.mark(line))


@functools.lru_cache(maxsize=16)
def content(ruleset: Ruleset, language: str) -> dict[str, object]:
    """Return what the page shows; it is the same while *ruleset* is in force."""
    words = catalogue(language)
    t = words.gettext
    return {
        "mode": t(_MODES[ruleset.mode]),
        "legend": legend(words),
        "roles": rules_conduct.roles(ruleset, words),
        "course": rules_texts.course(ruleset, words),
        "cards": cards(ruleset, words),
        "notes": notes(words),
        "conduct": rules_conduct.conduct(ruleset, words),
        "offences": rules_conduct.offences(words),
        "terms": rules_conduct.terms(words),
        "kin": rules_conduct.kin(words),
        "numbers": tuple(numbers(ruleset, words)),
    }


def add_rules(app: Flask, posted: Posted, chosen: Callable[[], str]) -> None:
    """Let *app* serve ``/rules`` from what is *posted*; *chosen* is the language of a request."""

    @app.get("/rules")
    def rules() -> Response:
        spoken = chosen()
        return show("rules.html", spoken, **content(posted.ruleset, spoken))

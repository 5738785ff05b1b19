"""The columns of the ratings, and the texts in their cells. Pure."""

from collections.abc import Callable
from typing import Final, NamedTuple

from firmware.words import N_, Words
from table_controller.game import Role, Team
from table_controller.league.ratings import Part, Standing, half_up
from table_controller.scoreboard.pages.games import numbers
from table_controller.scoreboard.pages.ratings.asked import FIRST_ORDER, Asked
from table_controller.scoreboard.pages.ratings.counted import Named


def amount(hundredths: int, language: str) -> str:
    """Return a sum of points: with a sign only if it is below zero."""
    return numbers.points(hundredths, language).removeprefix("+")


def share(part: Part, words: Words) -> str:
    """Return how many of the games were won, in percent; "" without games."""
    if not part.games:
        return ""
    return words.gettext("{percent} %").format(percent=half_up(100 * part.wins, part.games))


def _of(wins: int, games: int) -> str:
    return f"{wins}/{games}" if games else "–"


class _Column(NamedTuple):
    head: str
    """Marked for translation."""
    room: str
    """What the page must be for it to be shown unless the table is sorted by it: "",
    ``middle`` or ``wide``; a class of the style sheet."""
    text: Callable[[Standing, Words], str]
    roles: bool = False
    """Of no use when games as one role or team are shown alone."""


def _role(head: str, role: Role) -> _Column:
    return _Column(
        head, "wide", lambda line, _: _of(line.roles[role].wins, line.roles[role].games), True
    )


def _team(head: str, team: Team) -> _Column:
    return _Column(
        head, "middle", lambda line, _: _of(line.team(team).wins, line.team(team).games), True
    )


_COLUMNS: Final = {
    "average": _Column(
        N_("per game"), "middle", lambda line, words: amount(line.per_game, words.language)
    ),
    "games": _Column(N_("Games"), "", lambda line, _: str(line.games)),
    "wins": _Column(N_("Wins"), "middle", lambda line, _: str(line.wins)),
    "share": _Column(
        N_("Share"), "wide", lambda line, words: share(Part(line.games, line.wins), words)
    ),
    "town": _team(N_("Town"), Team.TOWN),
    "mafia": _team(N_("Mafia team"), Team.MAFIA),
    "citizen": _role(N_("Citizen"), Role.CITIZEN),
    "sheriff": _role(N_("Sheriff"), Role.SHERIFF),
    "mafioso": _role(N_("Mafia"), Role.MAFIA),
    "don": _role(N_("Don"), Role.DON),
    "best": _Column(
        N_("Best moves"),
        "wide",
        lambda line, _: _of(line.best_moves.hits, line.best_moves.given),
    ),
    "ci": _Column(N_("Ci"), "wide", lambda line, words: amount(line.ci, words.language)),
    "fouls": _Column(N_("Tech. fouls"), "wide", lambda line, _: str(line.technical_fouls)),
    "out": _Column(N_("Disq."), "wide", lambda line, _: str(line.disqualifications)),
}
"""By what they are sorted by. Max and Classic are in one column of their own before these."""


class Head(NamedTuple):
    """The head of a column."""

    key: str
    name: str
    href: str
    room: str
    sorted: bool


class Row(NamedTuple):
    """A player's line."""

    rank: int
    name: str
    """"": wants none any more."""
    club: str
    href: str
    """"": there is no page that leads on."""
    max: str
    classic: str
    cells: tuple[tuple[str, str], ...]
    """(room, text), one for each head."""


def heads(asked: Asked, words: Words) -> tuple[Head, ...]:
    """Return the heads of the columns that this table has, Max and Classic before the others."""
    return tuple(
        Head(
            key,
            words.gettext(name),
            f"/ratings?{asked._replace(sort=key, page=1).query(words.language)}",
            "" if key == asked.sort else room,
            key == asked.sort,
        )
        for key, name, room in (
            (FIRST_ORDER, N_("Max"), ""),
            ("classic", N_("Classic"), ""),
            *((key, column.head, column.room) for key, column in _shown(asked).items()),
        )
    )


def row(line: Standing, person: Named, asked: Asked, words: Words) -> Row:
    """Return the line of a player who is shown as *person*."""
    language = words.language
    alone = Asked(asked.season).query(language)
    return Row(
        line.rank,
        person.name,
        person.club,
        f"/players/{line.player}?{alone}" if person.name else "",
        amount(line.points, language),
        amount(line.points_classic, language),
        tuple(
            ("" if key == asked.sort else column.room, column.text(line, words))
            for key, column in _shown(asked).items()
        ),
    )


def _shown(asked: Asked) -> dict[str, _Column]:
    return {
        key: column
        for key, column in _COLUMNS.items()
        if not (column.roles and asked.side) and (key != "ci" or asked.season.ci)
    }

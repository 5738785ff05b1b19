"""What the page of ratings says."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from firmware.words import Words
from table_controller.league.seasons import Season
from table_controller.scoreboard.pages.games import numbers
from table_controller.scoreboard.pages.ratings.asked import LEAST, ORDERS, SIDES, Asked, in_order
from table_controller.scoreboard.pages.ratings.columns import heads, row
from table_controller.scoreboard.pages.ratings.counted import Counted, Named
from table_controller.scoreboard.pages.ratings.course import Course, course
from table_controller.scoreboard.pages.ratings.plot import LINES_MAX

ON_A_PAGE: Final = 100
"""Players."""

NOBODY: Final = Named("")


class Choice(NamedTuple):
    """A link to another view of the ratings."""

    name: str
    href: str
    current: bool


def content(
    counted: Counted, asked: Asked, seasons: Sequence[Season], words: Words
) -> dict[str, Any]:
    """Return what the template shows."""
    people = counted.people()
    table = counted.table(asked, members(people, asked.club))
    pages = max(1, -(-len(table) // ON_A_PAGE))
    asked = asked._replace(page=min(asked.page, pages))
    shown = in_order(table, asked.sort)[(asked.page - 1) * ON_A_PAGE :][:ON_A_PAGE]
    first = [line.player for line in table[:LINES_MAX]]
    drawn: Course | None = None
    if first:
        names = tuple(people.get(id_, NOBODY).name for id_ in first)
        ranks = counted.ranks(asked, table)
        drawn = course(ranks.days, tuple(ranks.of[id_] for id_ in first), names, words.language)
    return {
        "asked": asked,
        "heads": heads(asked, words),
        "rows": [row(line, people.get(line.player, NOBODY), asked, words) for line in shown],
        "games": len({each.game for each in counted.rows(asked.season)}),
        "players": len(table),
        "span": span(asked.season, words),
        "course": drawn,
        "choices": _choices(asked, people, words),
        "seasons": season_choices("/ratings", asked, seasons, words),
        "filtered": asked._replace(sort="max", page=1) != Asked(asked.season),
        "side": words.gettext(SIDES[asked.side].name) if asked.side else "",
        "pages": _pages(asked, pages, words),
        "csv": f"/ratings.csv?{asked._replace(page=1).query(words.language)}",
    }


def members(people: dict[str, Named], club: str) -> frozenset[str] | None:
    """Return the players of a club; None for "", which is all of them."""
    if not club:
        return None
    return frozenset(id_ for id_, each in people.items() if each.club == club)


def span(season: Season, words: Words) -> str:
    """Return the days of a season."""
    first, last = (numbers.day(day, words.language) for day in (season.first, season.last))
    return words.gettext("{first} to {last}").format(first=first, last=last)


def season_choices(
    path: str, asked: Asked, seasons: Iterable[Season], words: Words
) -> list[Choice]:
    """Return the links to the other seasons, with the same filters."""
    return [
        Choice(
            each.name,
            f"{path}?{asked._replace(season=each, page=1).query(words.language)}",
            each.key == asked.season.key,
        )
        for each in seasons
    ]


def _choices(
    asked: Asked, people: dict[str, Named], words: Words
) -> list[tuple[str, list[Choice]]]:
    """Return (what is chosen, links) of each filter, and of the order."""
    t, language = words.gettext, words.language

    def choice(name: str, **change: Any) -> Choice:
        then = asked._replace(**change, page=1)
        return Choice(name, f"/ratings?{then.query(language)}", then == asked._replace(page=1))

    clubs = sorted({each.club for each in people.values() if each.club}, key=str.casefold)
    orders = {key: each for key, each in ORDERS.items() if key != "ci" or asked.season.ci}
    found = [
        (t("Role"), [choice(t(each.name), side=key) for key, each in SIDES.items()]),
        (
            t("Games at least"),
            [choice(str(each), least=each) for each in sorted({*LEAST, asked.least})],
        ),
        (t("Sorted by"), [choice(t(each.name), sort=key) for key, each in orders.items()]),
    ]
    if clubs:
        every = [choice(t("All clubs"), club=""), *(choice(each, club=each) for each in clubs)]
        found.insert(2, (t("Club"), every))
    return found


def _pages(asked: Asked, pages: int, words: Words) -> list[Choice]:
    """Return the links to the pages of a long table; none of a short one."""
    if pages == 1:
        return []
    return [
        Choice(
            f"{(page - 1) * ON_A_PAGE + 1}–{page * ON_A_PAGE}",
            f"/ratings?{asked._replace(page=page).query(words.language)}",
            page == asked.page,
        )
        for page in range(1, pages + 1)
    ]

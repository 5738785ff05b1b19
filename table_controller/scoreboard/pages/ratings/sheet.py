"""The ratings as a CSV file: the same filters and order, all players, whole numbers."""

from typing import Final

from firmware.words import Words
from table_controller.game import Role
from table_controller.league.ratings import Standing
from table_controller.scoreboard.pages.ratings.asked import Asked, in_order
from table_controller.scoreboard.pages.ratings.counted import Counted, Named
from table_controller.scoreboard.pages.ratings.ratings_page import NOBODY, members
from table_controller.scoreboard.pages.spreadsheet import csv_file

COLUMNS: Final = (
    "rank", "player", "name", "club", "games", "wins",
    "max_hundredths", "classic_hundredths", "ci_hundredths", "max_per_game_hundredths",
    *(f"{role.value}_{what}" for role in Role for what in ("games", "wins")),
    "best_moves", "best_move_0", "best_move_1", "best_move_2", "best_move_3",
    "technical_fouls", "disqualifications",
)  # fmt: skip
"""Points are with Ci in a season that has it, and Ci is told beside them."""


def table(counted: Counted, asked: Asked, words: Words) -> bytes:
    """Return the file that is *asked* for."""
    people = counted.people()
    lines = in_order(counted.table(asked, members(people, asked.club)), asked.sort)
    return csv_file(COLUMNS, (_row(line, people.get(line.player, NOBODY), words) for line in lines))


def _row(line: Standing, person: Named, words: Words) -> tuple[str | int, ...]:
    moves = line.best_moves
    return (
        line.rank,
        # Who wants no name any more is told by no id either.
        line.player if person.name else "",
        person.name or words.gettext("Anonymous player"),
        person.club,
        line.games,
        line.wins,
        line.points,
        line.points_classic,
        line.ci,
        line.per_game,
        *(each for role in Role for each in (line.roles[role].games, line.roles[role].wins)),
        moves.given,
        moves.none,
        moves.one,
        moves.two,
        moves.three,
        line.technical_fouls,
        line.disqualifications,
    )

"""What a player's page says: of a season's games, and of nothing else."""

from collections.abc import Sequence
from typing import Any, Final

from firmware.words import Words
from table_controller.game import Role, Team
from table_controller.league.ratings import Part, Standing
from table_controller.league.seasons import Season
from table_controller.record.seat_rows import Result, SeatRow
from table_controller.scoreboard.pages.games import numbers
from table_controller.scoreboard.pages.ratings.asked import Asked
from table_controller.scoreboard.pages.ratings.columns import amount, share
from table_controller.scoreboard.pages.ratings.counted import Counted
from table_controller.scoreboard.pages.ratings.course import course
from table_controller.scoreboard.pages.ratings.ratings_page import NOBODY, season_choices, span

SIGNS: Final = {Result.WON: "▲", Result.LOST: "▽", Result.DRAWN: "="}


def content(
    counted: Counted, player: str, season: Season, seasons: Sequence[Season], words: Words
) -> dict[str, Any] | None:
    """Return what the template shows; None: no finished game tells of such a player."""
    rows = counted.rows_of(player)
    if not rows:
        return None
    asked, person = Asked(season), counted.people().get(player, NOBODY)
    table = counted.table(asked, None)
    line = next((each for each in table if each.player == player), None)
    drawn = None
    if line is not None:
        ranks = counted.ranks(asked, table)
        own = ranks.of[player]
        began = next(at for at, rank in enumerate(own) if rank is not None)
        drawn = course(ranks.days[began:], (own[began:],), (person.name,), words.language)
    played = [row for row in reversed(rows) if season.first <= row.day <= season.last]
    return {
        "person": person,
        "season": season,
        "span": span(season, words),
        "seasons": season_choices(f"/players/{player}", asked, seasons, words),
        "line": line and _numbers(line, words),
        "players": len(table),
        "course": drawn,
        "games": [_game(row, words) for row in played],
        "ratings": f"/ratings?{asked.query(words.language)}",
    }


def _numbers(line: Standing, words: Words) -> dict[str, Any]:
    t, language, moves = words.gettext, words.language, line.best_moves
    whole = Part(line.games, line.wins)
    parts = (
        (t("All games"), whole, True),
        (t("Town"), line.team(Team.TOWN), True),
        (t("Citizen"), line.roles[Role.CITIZEN], False),
        (t("Sheriff"), line.roles[Role.SHERIFF], False),
        (t("Mafia team"), line.team(Team.MAFIA), True),
        (t("Mafia"), line.roles[Role.MAFIA], False),
        (t("Don"), line.roles[Role.DON], False),
    )
    return {
        "rank": line.rank,
        "max": amount(line.points, language),
        "classic": amount(line.points_classic, language),
        "average": amount(line.per_game, language),
        "ci": amount(line.ci, language),
        "games": line.games,
        "wins": line.wins,
        "share": share(whole, words),
        "parts": [(name, part, share(part, words), sums) for name, part, sums in parts],
        "moves": [(3, moves.three), (2, moves.two), (1, moves.one), (0, moves.none)],
        "moves_given": moves.given,
        "fouls": line.technical_fouls,
        "out": line.disqualifications,
    }


def _game(row: SeatRow, words: Words) -> dict[str, Any]:
    t, language = words.gettext, words.language
    roles = {
        Role.CITIZEN: t("Citizen"),
        Role.SHERIFF: t("Sheriff"),
        Role.MAFIA: t("Mafia"),
        Role.DON: t("Don"),
    }
    results = {Result.WON: t("Won"), Result.LOST: t("Lost"), Result.DRAWN: t("Draw")}
    return {
        "href": f"/games/{row.game}?lang={language}",
        "day": numbers.short_day(row.day, language),
        "iso": row.day.isoformat(),
        "seat": row.seat,
        "role": roles[row.role],
        "side": row.team.value,
        "result": results[row.result],
        "sign": SIGNS[row.result],
        "outcome": row.result.value,
        "max": numbers.points(row.max, language),
        "classic": numbers.points(row.classic, language),
    }

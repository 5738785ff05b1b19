"""What a reader of the ratings asks for, and the address that says so. Pure."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple
from urllib.parse import urlencode

from firmware.words import N_
from table_controller.game import Role, Team
from table_controller.league.ratings import Standing, all_count
from table_controller.league.seasons import Season
from table_controller.record.seat_rows import SeatRow


class Side(NamedTuple):
    """Games as which role or team count."""

    name: str
    """Marked for translation."""
    counts: Callable[[SeatRow], bool]


SIDES: Final = {
    "": Side(N_("All roles"), all_count),
    "town": Side(N_("As town"), lambda row: row.team is Team.TOWN),
    "mafia": Side(N_("As mafia team"), lambda row: row.team is Team.MAFIA),
    "citizen": Side(N_("As citizen"), lambda row: row.role is Role.CITIZEN),
    "sheriff": Side(N_("As sheriff"), lambda row: row.role is Role.SHERIFF),
    "mafioso": Side(N_("As mafia, not don"), lambda row: row.role is Role.MAFIA),
    "don": Side(N_("As don"), lambda row: row.role is Role.DON),
}
"""By what the address says."""

LEAST: Final = (1, 3, 5, 10, 20, 40)
"""Numbers of games to choose from, which a player must have to be shown."""

LEAST_MAX: Final = 10_000


class Order(NamedTuple):
    """How the table can be sorted: the highest first, equals by rank."""

    name: str
    """Marked for translation."""
    by: Callable[[Standing], float]


def _share(standing: Standing) -> float:
    return standing.wins / standing.games


ORDERS: Final = {
    "max": Order(N_("Max"), lambda line: line.points),
    "classic": Order(N_("Classic"), lambda line: line.points_classic),
    "average": Order(N_("Max per game"), lambda line: line.points / line.games),
    "games": Order(N_("Games"), lambda line: line.games),
    "wins": Order(N_("Wins"), lambda line: line.wins),
    "share": Order(N_("Share of wins"), _share),
    "town": Order(N_("Wins as town"), lambda line: line.team(Team.TOWN).wins),
    "mafia": Order(N_("Wins as mafia team"), lambda line: line.team(Team.MAFIA).wins),
    "citizen": Order(N_("Wins as citizen"), lambda line: line.roles[Role.CITIZEN].wins),
    "sheriff": Order(N_("Wins as sheriff"), lambda line: line.roles[Role.SHERIFF].wins),
    "mafioso": Order(N_("Wins as mafia, not don"), lambda line: line.roles[Role.MAFIA].wins),
    "don": Order(N_("Wins as don"), lambda line: line.roles[Role.DON].wins),
    "best": Order(N_("Mafia in best moves"), lambda line: line.best_moves.hits),
    "ci": Order(N_("Ci"), lambda line: line.ci),
    "fouls": Order(N_("Technical fouls"), lambda line: line.technical_fouls),
    "out": Order(N_("Disqualifications"), lambda line: line.disqualifications),
}
"""By what the address says; the first is the one that is not said."""

FIRST_ORDER: Final = "max"


class Asked(NamedTuple):
    """A question to the ratings. What the address leaves out is as here."""

    season: Season
    side: str = ""
    """A key of :data:`SIDES`."""
    least: int = 1
    """Games that a player must have."""
    club: str = ""
    """"": all clubs."""
    sort: str = FIRST_ORDER
    """A key of :data:`ORDERS`."""
    page: int = 1

    def query(self, language: str) -> str:
        """Return it as the query of an address; the season is always said, so it stays true."""
        said = {
            "season": self.season.key,
            "as": self.side,
            "games": "" if self.least == 1 else str(self.least),
            "club": self.club,
            "sort": "" if self.sort == FIRST_ORDER else self.sort,
            "page": "" if self.page == 1 else str(self.page),
            "lang": language,
        }
        return urlencode({name: value for name, value in said.items() if value})


def asked(args: Mapping[str, str], seasons: Sequence[Season]) -> Asked:
    """Return what the query *args* ask for; what is none of ours is as if left out.

    *seasons* has the one that is played now first.
    """
    wanted = args.get("season", "")
    side, sort = args.get("as", ""), args.get("sort", "")
    return Asked(
        season=next((each for each in seasons if each.key == wanted), seasons[0]),
        side=side if side in SIDES else "",
        least=_number(args.get("games", ""), LEAST_MAX),
        club=args.get("club", "")[:80],
        sort=sort if sort in ORDERS else FIRST_ORDER,
        page=_number(args.get("page", ""), LEAST_MAX),
    )


def in_order(table: Sequence[Standing], sort: str) -> list[Standing]:
    """Return *table*, which is in order of rank, as *sort* says."""
    return sorted(table, key=ORDERS[sort].by, reverse=True)


def _number(text: str, most: int) -> int:
    """Return *text* as a number from 1 to *most*; 1: it is none."""
    if not (text.isascii() and text.isdigit()) or len(text) > len(str(most)):
        return 1
    return min(max(1, int(text)), most)

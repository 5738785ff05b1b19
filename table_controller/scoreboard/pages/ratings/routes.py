"""``/ratings``, ``/ratings.csv`` and ``/players/<id>``.

Of what the league's finished games tell, and of nothing else: not of a game that runs, of
bars or of appeals. Every view has an address of its own, and none needs a script.
"""

import logging
import re
from collections.abc import Callable, Sequence
from typing import Final

from flask import Flask, Response, request

from firmware.errors import LeagueError
from firmware.words import catalogue
from table_controller.league import League
from table_controller.league.seasons import Season
from table_controller.scoreboard.answers import plain
from table_controller.scoreboard.pages.frame import show
from table_controller.scoreboard.pages.ratings import player_page, ratings_page, sheet
from table_controller.scoreboard.pages.ratings.asked import asked
from table_controller.scoreboard.pages.ratings.counted import Counted

log = logging.getLogger(__name__)

_ID: Final = re.compile(r"[0-9a-f]{12}")


def add_ratings(
    app: Flask, league: League, seasons: Callable[[], Sequence[Season]], chosen: Callable[[], str]
) -> None:
    """Let *app* serve these pages; *seasons* tells the one that is played now first.

    *chosen* is the language of a request.
    """
    counted = Counted(league)

    def answered(make: Callable[[], Response]) -> Response:
        """Return what *make* returns; without the league a line that tells nothing of it."""
        try:
            return make()
        except LeagueError as error:
            log.error("ratings: %s", error)
            return plain(503, headers=[("Retry-After", "10")])

    @app.get("/ratings")
    def ratings() -> Response:
        def make() -> Response:
            words = catalogue(chosen())
            wanted = asked(request.args, seasons())
            page = ratings_page.content(counted, wanted, seasons(), words)
            return show("ratings.html", words.language, **page)

        return answered(make)

    @app.get("/ratings.csv")
    def ratings_csv() -> Response:
        def make() -> Response:
            wanted = asked(request.args, seasons())
            body = sheet.table(counted, wanted, catalogue(chosen()))
            answer = Response(body, mimetype="text/csv")
            name = f"ratings-{wanted.season.key}.csv"
            answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
            answer.headers["Cache-Control"] = "no-cache"
            answer.headers["Vary"] = "Accept-Language"
            return answer

        return answered(make)

    @app.get("/players/<player>")
    def public_player(player: str) -> Response:
        def make() -> Response:
            words = catalogue(chosen())
            wanted = asked(request.args, seasons())
            page = None
            if _ID.fullmatch(player):
                page = player_page.content(counted, player, wanted.season, seasons(), words)
            if page is None:
                return plain(404)
            return show("public_player.html", words.language, **page)

        return answered(make)

"""``/ratings``, ``/ratings.csv`` and ``/players/<id>``.

Of what the league's finished games tell, and of nothing else: not of a game that runs, of
bars or of appeals. Every view has an address of its own, and none needs a script.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from flask import Flask, Response, request

from firmware.words import catalogue
from table_controller.league import League
from table_controller.league.seasons import Season
from table_controller.scoreboard.answers import plain
from table_controller.scoreboard.pages.frame import show
from table_controller.scoreboard.pages.ratings import player_page, ratings_page, sheet
from table_controller.scoreboard.pages.ratings.asked import asked
from table_controller.scoreboard.pages.ratings.counted import Counted

_ID: Final = re.compile(r"[0-9a-f]{12}")


def add_ratings(
    app: Flask, league: League, seasons: Callable[[], Sequence[Season]], chosen: Callable[[], str]
) -> None:
    """Let *app* serve these pages; *seasons* tells the one that is played now first.

    *chosen* is the language of a request.
    """
    counted = Counted(league)

    @app.get("/ratings")
    def ratings() -> Response:
        words = catalogue(chosen())
        told = seasons()
        page = ratings_page.content(counted, asked(request.args, told), told, words)
        return show("ratings.html", words.language, **page)

    @app.get("/ratings.csv")
    def ratings_csv() -> Response:
        wanted = asked(request.args, seasons())
        body = sheet.table(counted, wanted, catalogue(chosen()))
        answer = Response(body, mimetype="text/csv")
        name = f"ratings-{wanted.season.key}.csv"
        answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        answer.headers["Cache-Control"] = "no-cache"
        answer.headers["Vary"] = "Accept-Language"
        return answer

    @app.get("/players/<player>")
    def public_player(player: str) -> Response:
        if not _ID.fullmatch(player):
            return plain(404)
        words, told = catalogue(chosen()), seasons()
        season = asked(request.args, told).season
        page = player_page.content(counted, player, season, told, words)
        if page is None:
            return plain(404)
        return show("public_player.html", words.language, **page)

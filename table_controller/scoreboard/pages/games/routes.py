"""``/games``, ``/games/<id>``, their downloads, and ``/deal``.

Only what the league keeps is shown: a game that is over. Of one that is being played, or
that the host could still take up again, there is no more to see than of none.
"""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlencode

from flask import Flask, Response, request

from firmware.words import catalogue
from table_controller.league import League
from table_controller.league.games import KeptGame
from table_controller.league.seasons import Season
from table_controller.record.entries import GAME_NAME
from table_controller.scoreboard.answers import plain
from table_controller.scoreboard.pages.frame import show
from table_controller.scoreboard.pages.games import deal_texts, downloads
from table_controller.scoreboard.pages.games.page import listed, record

ON_A_PAGE: Final = 20
"""Games of the list."""

RETRY_S: Final = 2
"""When a journal can be asked for again: one is read at a time."""


class Past(NamedTuple):
    """Where finished games are found."""

    league: League
    journals: Path
    """The folder of the table's own journals; each is kept for some games only."""
    is_over: Callable[[], bool]
    """Tells whether the game that was played last is."""
    seasons: Callable[[], Sequence[Season]]
    """Tells the seasons, the one that is played now first."""


def add_games(app: Flask, past: Past, chosen: Callable[[], str]) -> None:
    """Let *app* serve the pages of finished games; *chosen* is the language of a request."""
    # Imported late: they know boards, which are of this package.
    from table_controller.host.refusal import Refused
    from table_controller.record.records import Records

    records = Records(past.journals, past.is_over)
    one_at_a_time = threading.BoundedSemaphore(1)

    def found(name: str) -> KeptGame | None:
        return past.league.games.get(name) if GAME_NAME.fullmatch(name) else None

    @app.get("/games")
    def finished_games() -> Response:
        language = chosen()
        words, seasons = catalogue(language), past.seasons()
        wanted = request.args.get("season", "")
        season = next((each for each in seasons if each.key == wanted), seasons[0])
        before = request.args.get("before", "")
        before = before if GAME_NAME.fullmatch(before) else ""
        rows = past.league.games.list(season.first, season.last, before=before, limit=ON_A_PAGE + 1)
        older = (
            {"season": season.key, "before": rows[ON_A_PAGE - 1].game, "lang": language}
            if (len(rows) > ON_A_PAGE)
            else {}
        )
        return show(
            "games.html",
            language,
            games=[listed(each, words) for each in rows[:ON_A_PAGE]],
            seasons=seasons,
            chosen=season.key,
            older=urlencode(older),
        )

    @app.get("/games/<name>")
    def finished_game(name: str) -> Response:
        kept = found(name)
        if kept is None:
            return plain(404)
        language = chosen()
        corrected = kept.revision.utc if kept.revision.number > 1 else ""
        journal = (past.journals / f"{name}.db").exists()
        told = record(
            kept.game, kept.corrections, catalogue(language), corrected=corrected, journal=journal
        )
        people = any(rule.rule.startswith("/players/") for rule in app.url_map.iter_rules())
        for one in told["accounts"]:
            named = people and one["player"] and one["named"]
            one["href"] = f"/players/{one['player']}?lang={language}" if named else ""
        return show("record.html", language, record=told)

    @app.get("/games/<name>.json")
    def finished_game_json(name: str) -> Response:
        kept = found(name)
        if kept is None:
            return plain(404)
        body = downloads.as_json(kept.game, kept.corrections, catalogue(chosen()))
        return _file(body, "application/json", f"{name}.json")

    @app.get("/games/<name>.csv")
    def finished_game_csv(name: str) -> Response:
        kept = found(name)
        if kept is None or kept.game.void:
            return plain(404)
        body = downloads.as_csv(kept.game, kept.corrections, catalogue(chosen()))
        return _file(body, "text/csv", f"{name}.csv")

    @app.get("/games/<name>/journal")
    def finished_game_journal(name: str) -> Response:
        kept = found(name)
        if kept is None:
            return plain(404)
        if not one_at_a_time.acquire(blocking=False):
            return plain(503, headers=[("Retry-After", str(RETRY_S))])
        try:
            lines = records.lines(name)
            return _file(
                downloads.as_journal(lines, kept.game), "application/x-ndjson", f"{name}.jsonl"
            )
        except Refused:
            # It is kept no longer, or cannot be read.
            return plain(404)
        finally:
            one_at_a_time.release()

    @app.get("/deal")
    def deal_explained() -> Response:
        language = chosen()
        return show("deal.html", language, parts=deal_texts.parts(catalogue(language).gettext))


def _file(body: bytes, kind: str, name: str) -> Response:
    answer = Response(body, mimetype=kind)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    answer.headers["Cache-Control"] = "no-cache"
    answer.headers["Vary"] = "Accept-Language"
    return answer

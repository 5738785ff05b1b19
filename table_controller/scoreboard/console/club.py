"""The host's pages about the club: players, bars, appeals."""

import logging
from collections.abc import Callable, Sequence
from typing import NamedTuple

from flask import Flask, Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from firmware.errors import LeagueError
from table_controller.league import League
from table_controller.record.offenders import Offender
from table_controller.scoreboard.answers import plain
from table_controller.scoreboard.console.appeals import add_appeals
from table_controller.scoreboard.console.bars import add_bars
from table_controller.scoreboard.console.forms import Pages
from table_controller.scoreboard.console.players import UPLOAD_MAX, add_players

log = logging.getLogger(__name__)


class Club(NamedTuple):
    """What these pages show and change."""

    league: League
    offenders: Callable[[], Sequence[Offender]]
    """Tells who may be barred for the last finished games."""


def add_club(app: Flask, club: Club, prefix: str, chosen: Callable[[], str]) -> None:
    """Give *app* the pages below *prefix*, which the door guards; *chosen* is their language."""
    pages = Pages(prefix, chosen)

    # In front of the door, which reads the form to find its token.
    @app.before_request
    def let_a_file_in() -> None:
        if request.path == f"{prefix}/players/import":
            request.max_content_length = request.max_form_memory_size = UPLOAD_MAX

    @app.errorhandler(RequestEntityTooLarge)
    def too_large(_: RequestEntityTooLarge) -> Response:
        if request.path != f"{prefix}/players/import":
            return plain(413)
        text = pages.words.gettext(
            "The file is too big: {most} KiB at most. On the table controller, run: {command}"
        )
        command = "mafia-table players import FILE"
        return plain(413, text.format(most=UPLOAD_MAX // 1024 - 1, command=command))

    @app.errorhandler(LeagueError)
    def no_league(error: LeagueError) -> Response:
        log.error("%s", error)
        t = pages.words.gettext
        return plain(503, t("The club's file cannot be used now: {error}").format(error=error))

    add_players(app, club.league, pages)
    add_bars(app, club.league, club.offenders, pages)
    add_appeals(app, club.league, club.offenders, pages)

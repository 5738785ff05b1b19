"""The host's pages about the club: players, bars, appeals, games."""

import logging
from collections.abc import Callable, Sequence
from typing import NamedTuple

from flask import Flask, Response, request
from msgspec.structs import replace
from werkzeug.exceptions import RequestEntityTooLarge

from firmware.errors import LeagueError
from table_controller.league import League, Person, Refused
from table_controller.record.offenders import Offender
from table_controller.scoreboard.answers import no_league, plain
from table_controller.scoreboard.console.appeals import add_appeals
from table_controller.scoreboard.console.bars import add_bars
from table_controller.scoreboard.console.forms import Pages
from table_controller.scoreboard.console.games import Keeping, add_games
from table_controller.scoreboard.console.players import UPLOAD_MAX, add_players

log = logging.getLogger(__name__)


class Club(NamedTuple):
    """What these pages show and change."""

    league: League
    offenders: Callable[[], Sequence[Offender]]
    """Tells who may be barred for the last finished games."""
    keeping: Keeping | None = None
    """None: a finished game is kept by itself alone."""


def known_now(league: League, found: Sequence[Offender]) -> list[Offender]:
    """Return *found* as the league knows them now: who had that seat, by the name of today.

    Nobody who wants no name any more is among them.
    """
    known = []
    for each in found:
        who = league.games.seated(each.game, each.seat)
        if who is None:
            try:
                player = league.players.get(each.player)
            except Refused:
                who = Person("", each.name)
            else:
                who = Person(player.id, player.name)
        if who.name:
            known.append(replace(each, player=who.id, name=who.name))
    return known


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
    def no_file(error: LeagueError) -> Response:
        if not request.path.startswith(prefix):
            return no_league(error)
        log.error("%s", error)
        t = pages.words.gettext
        return plain(503, t("The club's file cannot be used now: {error}").format(error=error))

    add_players(app, club.league, pages)

    def offenders() -> list[Offender]:
        return known_now(club.league, club.offenders())

    add_bars(app, club.league, offenders, pages)
    add_appeals(app, club.league, offenders, pages)
    add_games(app, club.league, club.keeping, pages)

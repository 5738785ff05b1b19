"""What every answer carries, and the plain ones that say what went wrong."""

import http
import logging
from collections.abc import Iterable
from typing import Final

from flask import Flask, Response
from werkzeug.exceptions import HTTPException

from firmware.errors import LeagueError

log = logging.getLogger(__name__)

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action {forms}; frame-ancestors 'none'"
)

HEADERS: Final = {
    "Content-Security-Policy": POLICY.format(forms="'none'"),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
}
"""On every answer. Nothing inline, nothing from elsewhere, in no frame.

No Strict-Transport-Security: it holds for a name, and by the same name TVs read
the scoreboard without TLS.
"""

HOST_HEADERS: Final = HEADERS | {
    "Content-Security-Policy": POLICY.format(forms="'self'"),
    "Cache-Control": "no-store",
}
"""On the host's pages instead: they have forms, and no browser keeps them."""


LEAGUE_S: Final = 10
"""When a page that found no league may ask again."""


def plain(status: int, text: str = "", headers: Iterable[tuple[str, str]] = ()) -> Response:
    """Return an answer of one line: *text*, else what *status* means."""
    line = text or f"{status} {http.HTTPStatus(status).phrase}"
    return Response(f"{line}\n", status, list(headers), mimetype="text/plain")


def no_league(error: LeagueError) -> Response:
    """Return what a public page says without the league; why is the host's to know."""
    log.error("%s", error)
    return plain(503, headers=[("Retry-After", str(LEAGUE_S))])


def errors_are_plain(app: Flask) -> None:
    """Let *app* answer every error in one line: no page of a library, no traceback."""
    app.register_error_handler(LeagueError, no_league)

    @app.errorhandler(HTTPException)
    def say(error: HTTPException) -> Response | HTTPException:
        if error.code is None or error.code < http.HTTPStatus.BAD_REQUEST:
            return error
        kept = [
            (name, value) for name, value in error.get_headers() if name in ("Allow", "Retry-After")
        ]
        return plain(error.code, headers=kept)

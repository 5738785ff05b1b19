"""Where phones find the scoreboard: the address, and as a QR code.

What a viewer's browser has called us by is what others can call too, unless that is a name
of this machine alone: then it is the address that the table was given.
"""

import io
from typing import Final
from urllib.parse import urlsplit

import segno
from flask import Flask, Response, current_app, request

from table_controller.scoreboard.answers import plain

_OWN_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})

_QUIET: Final = 3
"""Modules of white around the code: what a camera needs on a dark page."""


def public_address() -> str:
    """Return the URL of the scoreboard for other devices; ``""`` when none can reach it."""
    called = urlsplit(f"//{request.host}").hostname
    if called in _OWN_NAMES:
        return str(current_app.config["ADDRESS"])
    return f"http://{request.host}/"


def short_address() -> str:
    """Return the same as people type it."""
    return public_address().removeprefix("http://").removesuffix("/")


def add_address(app: Flask, address: str) -> None:
    """Serve the QR code at ``/qr.svg``; *address* is told to the controller's own screen."""
    app.config["ADDRESS"] = address

    @app.get("/qr.svg")
    def code() -> Response:
        url = public_address()
        if not url:
            return plain(404)
        drawn = io.BytesIO()
        segno.make(url, error="m", micro=False).save(
            drawn,
            kind="svg",
            border=_QUIET,
            omitsize=True,
            xmldecl=False,
            dark="#000",
            light="#fff",
        )
        answer = Response(drawn.getvalue(), mimetype="image/svg+xml")
        answer.headers["Cache-Control"] = "no-cache"
        return answer

"""The host's page: a frame that its scripts fill with the sheet of :mod:`.console`."""

from collections.abc import Callable

from flask import Flask, Response, g, render_template

from firmware.words import catalogue
from table_controller.scoreboard.console_words import console_words


def add_host(app: Flask, prefix: str, chosen: Callable[[], str]) -> None:
    """Give *app* the page at *prefix*, which the door guards; *chosen* is its language."""

    @app.get(prefix)
    def host() -> Response:
        words = catalogue(chosen())
        html = render_template(
            "console.html",
            t=words.gettext,
            language=words.language,
            words=console_words(words.gettext),
            csrf=g.session.csrf,
        )
        answer = Response(html, mimetype="text/html")
        answer.headers["Content-Language"] = words.language
        return answer

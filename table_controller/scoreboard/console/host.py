"""The host's page: a frame that its scripts fill with the sheet of :mod:`.console`."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from flask import Flask, Response, g, jsonify, render_template, request

from firmware.words import catalogue
from table_controller.scoreboard.console.words import console_words

if TYPE_CHECKING:
    from table_controller.host.people import People

PART_MAX: Final = 80
"""Letters of a name that are looked for."""


def add_host(
    app: Flask, prefix: str, chosen: Callable[[], str], people: "People | None" = None
) -> None:
    """Give *app* the page at *prefix*, which the door guards; *chosen* is its language.

    *people* are those that the club knows, None: nobody.
    """

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

    @app.get(f"{prefix}/people")
    def host_people() -> Response:
        part = request.args.get("q", "")[:PART_MAX].strip()
        if people is None or not part:
            return jsonify([])
        return jsonify(people.find(part, catalogue(chosen())))

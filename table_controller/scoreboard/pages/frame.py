"""The frame of every public page that is read: name, ways to the others, languages.

A page's template extends ``page.html``; :func:`show` fills it and says in which language.
"""

from typing import Final, NamedTuple
from urllib.parse import urlencode

from flask import Response, current_app, render_template, request

from firmware.words import LANGUAGES, N_, catalogue

NAVIGATION: Final = (
    ("/", N_("Scoreboard")),
    ("/games", N_("Games")),
    ("/ratings", N_("Ratings")),
    ("/rules", N_("Rules")),
    ("/gestures", N_("Gestures")),
    ("/devices", N_("Devices")),
    ("/help", N_("Help")),
    ("/privacy", N_("Privacy")),
)
"""(path, name) of the public pages, in order. What this table does not serve is not shown."""

_NAMES: Final = {"en": "English", "ru": "Русский", "de": "Deutsch"}
"""Each language in its own word."""


class Way(NamedTuple):
    """A link of the frame."""

    href: str
    name: str
    current: str = ""
    """As ``aria-current`` has it: ``page``, ``true`` for a page below it, else ``""``."""
    language: str = ""


def show(template: str, language: str, **content: object) -> Response:
    """Return the page that *template* makes of *content*, in *language*."""
    html = render_template(
        template,
        t=catalogue(language).gettext,
        ngettext=catalogue(language).ngettext,
        language=language,
        table_name=current_app.config.get("TABLE", ""),
        ways=ways(language),
        languages=languages(language),
        **content,
    )
    answer = Response(html, mimetype="text/html")
    answer.headers["Content-Language"] = language
    answer.headers["Vary"] = "Accept-Language"
    answer.headers["Cache-Control"] = "no-cache"
    return answer


def ways(language: str) -> tuple[Way, ...]:
    """Return the links to the public pages that there are."""
    served = {rule.rule for rule in current_app.url_map.iter_rules()}
    t = catalogue(language).gettext
    return tuple(
        Way(f"{path}?lang={language}", t(name), _current(path))
        for path, name in NAVIGATION
        if path in served
    )


def _current(path: str) -> str:
    if request.path == path:
        return "page"
    return "true" if path != "/" and request.path.startswith(f"{path}/") else ""


def languages(language: str) -> tuple[Way, ...]:
    """Return the links to the same page, with the same query, in every language."""
    kept = [(key, value) for key, value in request.args.items(multi=True) if key != "lang"]
    return tuple(
        Way(
            f"{request.path}?{urlencode([*kept, ('lang', each)])}",
            _NAMES[each],
            "true" if each == language else "",
            each,
        )
        for each in LANGUAGES
    )

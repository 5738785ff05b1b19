"""The host's pages that are forms: what was typed, what is wrong with it, what was done.

They need no script. Whatever was typed stays typed when it is refused, with the
reason beside its field.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from flask import Response, g, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from firmware.words import N_, Words, catalogue
from table_controller.league import Refused
from table_controller.scoreboard.pages.games.numbers import clock, local, short_day

DONE: Final = {
    "added": N_("The player is added."),
    "changed": N_("It is changed."),
    "anonymised": N_("The name is gone; the games stay."),
    "seated": N_("At the table now."),
    "unseated": N_("No longer at the table."),
    "barred": N_("The player is barred."),
    "lifted": N_("The bar is lifted."),
    "taken": N_("The appeal is taken down."),
    "noted": N_("The note is added."),
    "decided": N_("The appeal is decided."),
    "kept": N_("The game is kept."),
    "corrected": N_("It is corrected."),
}
"""What a page says after it was asked for; by the word in its address."""


class Form(NamedTuple):
    """What stands in a form and what is wrong with it, by field."""

    values: Mapping[str, str] = {}
    faults: Mapping[str, str] = {}


def typed(*fields: str) -> dict[str, str]:
    """Return what was typed into *fields*; "" for what was not sent."""
    return {field: request.form.get(field, "") for field in fields}


class Pages:
    """Shows pages in the language of a request. *chosen* tells that language."""

    def __init__(self, prefix: str, chosen: Callable[[], str]) -> None:
        self.prefix = prefix
        self._chosen = chosen

    @property
    def words(self) -> Words:
        """The words of this request."""
        return catalogue(self._chosen())

    def refused(self, values: Mapping[str, str], why: Refused) -> Form:
        """Return the form that was typed, with *why* at its field."""
        return Form(values, {why.field: why.said(self.words)})

    def show(self, template: str, status: int = 200, **values: object) -> Response:
        """Return a page."""
        words = self.words
        done = DONE.get(request.args.get("done", "")) if status < 300 else None
        html = render_template(
            template,
            t=words.gettext,
            ngettext=words.ngettext,
            language=words.language,
            csrf=g.session.csrf,
            at=self.at,
            moment=self.moment,
            blank=Form(),
            done=words.gettext(done) if done else "",
            **values,
        )
        answer = make_response(html, status)
        answer.headers["Content-Language"] = words.language
        return answer

    def moment(self, utc: str) -> str:
        """Return *utc* (ISO 8601) as a day and a time at the table."""
        when, language = local(utc), self.words.language
        return f"{short_day(when, language)}, {clock(when, language)}"

    def at(self, endpoint: str, **values: Any) -> str:
        """Return the address of a page, in the language of this one."""
        return url_for(endpoint, **values, lang=self.words.language)

    def back(self, endpoint: str, done: str, **values: Any) -> AnyResponse:
        """Send the browser to a page, which says that it is *done*."""
        assert done in DONE
        return redirect(self.at(endpoint, **values, done=done), 303)

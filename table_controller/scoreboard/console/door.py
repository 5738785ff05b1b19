"""The door of the host's pages: whoever has typed the PIN comes in, nobody else.

Every path under ``/host`` is behind it, whoever adds it and also when nothing is
there: what is not opened here is shut. A view of a later page needs nothing for
that; it finds its session in ``g.session``, and sends ``g.session.csrf`` as
``csrf`` in each form or as the header ``X-CSRF-Token``.
"""

import hmac
import math
import re
import secrets
from collections.abc import Callable
from typing import Final

from flask import Flask, Response, g, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from firmware.words import catalogue
from table_controller.scoreboard.answers import plain
from table_controller.scoreboard.console.access import Access, Held, Opened, Unset, Wrong

PREFIX: Final = "/host"

OPEN: Final = frozenset({"login", "log_in"})
"""Endpoints under :data:`PREFIX` that need no session."""

COOKIE: Final = "mafia_host"
"""Holds a session's token."""

FORM_COOKIE: Final = "mafia_form"
"""Holds what the form of the log-in must send back: there is no session yet."""

PIN_MAX: Final = 40
"""Letters of what is typed as a PIN; more is none."""

READING: Final = ("GET", "HEAD")


def is_host_path(path: str) -> bool:
    """Tell whether *path* is the host's."""
    return path == PREFIX or path.startswith(f"{PREFIX}/")


def add_door(app: Flask, access: Access, chosen: Callable[[], str]) -> None:
    """Let *app* guard :data:`PREFIX` by *access*; *chosen* is the language of a request."""

    @app.before_request
    def guard() -> AnyResponse | None:
        rule = request.url_rule.rule if request.url_rule else ""
        if not (is_host_path(request.path) or is_host_path(rule)):
            return None
        if not (g.caller.tls or g.caller.own):
            return _tls_only(chosen())
        if request.endpoint in OPEN:
            return None
        session = access.session(request.cookies.get(COOKIE, ""))
        if session is None:
            if "text/html" in request.headers.get("Accept", ""):
                return redirect(f"{PREFIX}/login", 303)
            return plain(403)
        sent = request.headers.get("X-CSRF-Token") or request.form.get("csrf", "")
        if request.method not in READING and not session.accepts(sent):
            return plain(403)
        g.session = session
        return None

    @app.get(f"{PREFIX}/login")
    def login() -> AnyResponse:
        if access.session(request.cookies.get(COOKIE, "")):
            return redirect(PREFIX, 303)
        if not access.has_pin:
            return _form(chosen(), Unset())
        return _form(chosen())

    @app.post(f"{PREFIX}/login")
    def log_in() -> AnyResponse:
        expected, sent = request.cookies.get(FORM_COOKIE, ""), request.form.get("csrf", "")
        if not expected or not hmac.compare_digest(expected.encode(), sent.encode()):
            return _form(chosen(), 400)
        outcome = access.open(request.form.get("pin", "")[:PIN_MAX], g.caller)
        if not isinstance(outcome, Opened):
            return _form(chosen(), outcome)
        access.close(request.cookies.get(COOKIE, ""))
        answer = redirect(PREFIX, 303)
        _give(answer, COOKIE, outcome.token)
        answer.delete_cookie(FORM_COOKIE, path=PREFIX)
        return answer

    @app.post(f"{PREFIX}/logout")
    def log_out() -> AnyResponse:
        access.close(request.cookies.get(COOKIE, ""))
        answer = redirect(f"{PREFIX}/login", 303)
        answer.delete_cookie(COOKIE, path=PREFIX)
        return answer


def _form(language: str, outcome: Wrong | Held | Unset | int | None = None) -> Response:
    """Return the page that asks for the PIN and says what became of the last one."""
    t = catalogue(language).gettext
    said, status = "", 200
    match outcome:
        case Wrong():
            said, status = t("This PIN is wrong."), 403
        case Held(wait_s=wait_s):
            text = t("Too many wrong PINs. Try again in {seconds} s.")
            said, status = text.format(seconds=math.ceil(wait_s)), 429
        case Unset():
            said, status = t("There is no PIN yet."), 503
        case int():
            said, status = t("This page was too old. Type the PIN once more."), outcome
    token = secrets.token_urlsafe(16)
    html = render_template("login.html", t=t, language=language, said=said, csrf=token)
    answer = _page(html, status)
    if isinstance(outcome, Held):
        answer.headers["Retry-After"] = str(math.ceil(outcome.wait_s))
    _give(answer, FORM_COOKIE, token)
    return answer


def _page(html: str, status: int = 200) -> Response:
    return make_response(html, status)


def _give(answer: AnyResponse, name: str, value: str) -> None:
    answer.set_cookie(
        name, value, path=PREFIX, httponly=True, samesite="Strict", secure=g.caller.tls
    )


def _tls_only(language: str) -> Response:
    """Say that the PIN would be read by others on the way, and where it would not."""
    t = catalogue(language).gettext
    name = re.sub(r":\d+$", "", request.host)
    text = t("The host's page is served by TLS only: {address}")
    return plain(403, text.format(address=f"https://{name}{PREFIX}"))

"""The scoreboard: what the room may see, on the club's LAN."""

from collections.abc import Iterator
from typing import Final

from flask import Flask, Response, render_template, request

from firmware.words import LANGUAGES, catalogue
from table_controller.scoreboard.hub import Hub, HubFull, Stream, StreamEnded
from table_controller.scoreboard.words import end_words, page_words

BEAT_S: Final = 3.0
"""A stream without news sends a beat this often, so that either end notices the
other's death. Source: DESIGN 7 (heartbeat)."""

RETRY_S: Final = 10
"""When a page that found no free stream may ask for one again."""

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
}
"""On every answer. Nothing inline, nothing from elsewhere, in no frame."""


def create_app(hub: Hub, language: str, *, beat_s: float = BEAT_S) -> Flask:
    """Return the web application that shows what *hub* publishes.

    *language* is the table's own, for browsers that ask for none we speak.
    """
    app = Flask(__name__)
    app.extensions["hub"] = hub

    def chosen() -> str:
        wanted = request.args.get("lang", "")
        if wanted in LANGUAGES:
            return wanted
        return request.accept_languages.best_match(LANGUAGES) or language

    @app.get("/")
    def page() -> Response:
        spoken = chosen()
        t = catalogue(spoken).gettext
        html = render_template("table.html", t=t, language=spoken, words=page_words(t))
        answer = Response(html, mimetype="text/html")
        answer.headers["Content-Language"] = spoken
        answer.headers["Vary"] = "Accept-Language"
        answer.headers["Cache-Control"] = "no-cache"
        return answer

    @app.get("/words/end.json")
    def words_of_the_end() -> Response:
        return _json(app.json.dumps(end_words(catalogue(chosen()).gettext)))

    @app.get("/state")
    def state() -> Response:
        return _json(hub.latest())

    @app.get("/healthz")
    def healthz() -> Response:
        return _json(app.json.dumps({"ok": True, "streams": hub.streams}))

    @app.get("/events")
    def events() -> Response:
        try:
            stream = hub.join(request.remote_addr or "")
        except HubFull as full:
            headers = {"Retry-After": str(RETRY_S), "Cache-Control": "no-store"}
            return Response(f"{full}\n", 503, headers, mimetype="text/plain")
        answer = Response(_told(hub, stream, beat_s), mimetype="text/event-stream")
        answer.call_on_close(lambda: hub.leave(stream))
        answer.headers["Cache-Control"] = "no-store"
        answer.headers["X-Accel-Buffering"] = "no"
        return answer

    @app.after_request
    def secure(answer: Response) -> Response:
        answer.headers.extend(HEADERS)
        return answer

    return app


def _json(body: str | bytes) -> Response:
    return Response(body, mimetype="application/json", headers={"Cache-Control": "no-store"})


def _told(hub: Hub, stream: Stream, beat_s: float) -> Iterator[bytes]:
    """Yield the stream of one viewer as server-sent events, until it ends.

    Without ids: each event is a whole board, so that a lost one is no loss.
    """
    yield b"retry: 1000\n\n"
    while True:
        try:
            news = stream.take(beat_s)
        except StreamEnded:
            return
        if news is None:
            yield b"event: beat\ndata:\n\n"
        else:
            yield b"data: " + hub.body(news) + b"\n\n"

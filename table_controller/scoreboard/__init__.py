"""The scoreboard: what the room may see, on the club's LAN."""

from typing import TYPE_CHECKING, Final

from flask import Flask, Response, g, request

from firmware.words import LANGUAGES, catalogue
from table_controller.scoreboard.answers import HEADERS, HOST_HEADERS, errors_are_plain, plain
from table_controller.scoreboard.callers import NAMES, BadCaller, caller_of, is_called
from table_controller.scoreboard.channels import SEND
from table_controller.scoreboard.console.access import Access
from table_controller.scoreboard.console.club import Club, add_club
from table_controller.scoreboard.console.console import ANSWER_S, Put, add_console
from table_controller.scoreboard.console.door import PREFIX, add_door, is_host_path
from table_controller.scoreboard.console.files import Shelf, add_files
from table_controller.scoreboard.console.host import add_host
from table_controller.scoreboard.console.sheets import Sheets
from table_controller.scoreboard.gzipped import add_gzip
from table_controller.scoreboard.hub import Hub, HubFull, as_events
from table_controller.scoreboard.pages.address import add_address, short_address
from table_controller.scoreboard.pages.devices import add_devices
from table_controller.scoreboard.pages.frame import show
from table_controller.scoreboard.pages.games.routes import Past, add_games
from table_controller.scoreboard.pages.gestures import add_gestures
from table_controller.scoreboard.pages.help import add_help
from table_controller.scoreboard.pages.posted import Posted
from table_controller.scoreboard.pages.privacy import add_privacy
from table_controller.scoreboard.pages.ratings.routes import add_ratings
from table_controller.scoreboard.pages.rules import add_rules
from table_controller.scoreboard.turns import add_turns
from table_controller.scoreboard.words import end_words, page_words

if TYPE_CHECKING:
    from table_controller.host.people import People

BEAT_S: Final = 3.0
"""A stream without news sends a beat this often, so that either end notices the
other's death. Source: DESIGN 7 (heartbeat)."""

RETRY_S: Final = 10
"""When a page that found no free stream may ask for one again."""

BODY_MAX: Final = 16 * 1024
"""Bytes of a form."""


def create_app(
    hub: Hub,
    language: str,
    *,
    access: Access | None = None,
    names: frozenset[str] = NAMES,
    beat_s: float = BEAT_S,
    console: tuple[Sheets, Put] | None = None,
    shelf: Shelf | None = None,
    people: "People | None" = None,
    answer_s: float = ANSWER_S,
    club: Club | None = None,
    table: str = "",
    past: Past | None = None,
    posted: Posted | None = None,
    address: str = "",
) -> Flask:
    """Return the web application that shows what *hub* publishes.

    *language* is the table's own, for browsers that ask for none we speak.
    *access* keeps the door of the host's pages; without it there are none.
    *console* is what the host's page shows and where its orders go, None without a table.
    *club* is what the host's pages about players show, None when its file cannot be used.
    *people* knows who may be seated, None: everybody. The table has *answer_s* for an order.
    *shelf* is what the host's page of files stands on; without it there is none.
    *names* are those that the machine answers to. *table* is the table's name on its pages.
    *past* is where finished games are found, None when the club's file cannot be used.
    *address* is what other devices reach it by, ``""``: none does.
    *posted* is what the pages tell of how the table plays; None: by the rules as they come.
    """
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = app.config["MAX_FORM_MEMORY_SIZE"] = BODY_MAX
    app.config["TABLE"] = table
    app.extensions["hub"] = hub
    errors_are_plain(app)
    add_gzip(app)
    add_address(app, address)

    @app.before_request
    def check_caller() -> Response | None:
        host = request.environ.get("HTTP_HOST", "")
        if not host:
            return plain(400)
        if not is_called(host, names):
            return plain(421)
        try:
            g.caller = caller_of(request.environ)
        except BadCaller:
            return plain(400)
        return None

    add_turns(app, hub)

    def chosen() -> str:
        wanted = request.args.get("lang", "")
        if wanted in LANGUAGES:
            return wanted
        return request.accept_languages.best_match(LANGUAGES) or language

    @app.get("/")
    def page() -> Response:
        spoken = chosen()
        words = page_words(catalogue(spoken).gettext)
        return show("table.html", spoken, words=words, address=short_address())

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
            stream = hub.join(g.caller.address)
        except HubFull as full:
            headers = {"Retry-After": str(RETRY_S), "Cache-Control": "no-store"}
            return Response(f"{full}\n", 503, headers, mimetype="text/plain")
        told = as_events(stream, hub.body, beat_s, request.environ.get(SEND))
        answer = Response(told, mimetype="text/event-stream")
        answer.call_on_close(lambda: hub.leave(stream))
        answer.headers["Cache-Control"] = "no-store"
        answer.headers["X-Accel-Buffering"] = "no"
        return answer

    @app.after_request
    def secure(answer: Response) -> Response:
        headers = HOST_HEADERS if is_host_path(request.path) else HEADERS
        for name, value in headers.items():
            answer.headers[name] = value
        return answer

    add_privacy(app, chosen)
    add_help(app, chosen)
    posted = posted or Posted()
    add_rules(app, posted, chosen)
    add_gestures(app, posted, chosen)
    add_devices(app, posted, chosen)
    if past is not None:
        add_games(app, past, chosen)
        add_ratings(app, past.league, past.seasons, chosen)
    if access is not None:
        if club is not None:
            add_club(app, club, PREFIX, chosen)
        add_door(app, access, chosen)
        add_host(app, PREFIX, chosen, people)
        if console is not None:
            add_console(
                app, *console, PREFIX, chosen, beat_s=beat_s, answer_s=answer_s, people=people
            )
        if shelf is not None:
            add_files(app, shelf, PREFIX, chosen)
    return app


def _json(body: str | bytes) -> Response:
    return Response(body, mimetype="application/json", headers={"Cache-Control": "no-store"})

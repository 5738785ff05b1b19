"""The panel: seats of a rehearsal in a browser on this machine, and nowhere else.

A page shows its player's card, so it is kept like one: on loopback only, behind
an address that nobody can guess, under this machine's own name only.
"""

import secrets
import threading
from collections.abc import Iterator, Mapping
from functools import partial
from hmac import compare_digest
from typing import Annotated, Final

import msgspec
from flask import Flask, Response, abort, render_template, request

from firmware.board import PATTERNS
from firmware.signals import LAMPS
from firmware.wire import Button, Lamp
from firmware.words import Words
from table_controller.rehearsal.hand import Hand, Over
from table_controller.rehearsal.stage import HOLD_S, Stage
from table_controller.scoreboard.serve import Server, serve

LOOPBACK: Final = "127.0.0.1"
"""The only address that a panel listens on."""

NAMES: Final = (LOOPBACK, "localhost")
"""A request for another name was led here by somebody else's name server."""

TOKEN_BYTES: Final = 16

STREAMS_MAX: Final = 12
"""Open pages at one time."""

BEAT_S: Final = 1.0
"""A stream without news sends a beat so often; either end notices the other's death."""

ORDER_MAX: Final = 1024
"""Bytes of an order that are read."""

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""On every answer. The screen alone comes as data, in the stream."""

Page = Annotated[str, msgspec.Meta(min_length=8, max_length=64)]


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a page holds now. It numbers its orders, so that none overtakes another."""

    page: Page
    number: Annotated[int, msgspec.Meta(ge=1, lt=1 << 53)]
    holds: frozenset[Button]


def create_app(stage: Stage, hands: Mapping[str, Hand], words: Words, board: str) -> Flask:
    """Return the pages of *hands*, which are by token; *board* is the scoreboard's address."""
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = ORDER_MAX
    places = threading.BoundedSemaphore(STREAMS_MAX)

    def hand_of(token: str) -> Hand:
        given = token.encode()
        found = [hand for known, hand in hands.items() if compare_digest(known.encode(), given)]
        if not found:
            abort(404)
        return found[0]

    @app.before_request
    def check_name() -> None:
        if request.host.rpartition(":")[0] not in NAMES:
            abort(403)

    @app.get("/<token>/")
    def page(token: str) -> str:
        return render_template(
            "panel.html",
            t=words.gettext,
            language=words.language,
            seat=hand_of(token).seat,
            board=board,
            hold_s=HOLD_S,
            patterns={str(lamp): steps for lamp, steps in PATTERNS.items()},
            words=_page_words(words),
        )

    @app.get("/<token>/events")
    def events(token: str) -> Response:
        hand = hand_of(token)
        try:
            name = msgspec.convert(request.args.get("page"), Page)
        except msgspec.ValidationError:
            abort(400)
        if not places.acquire(blocking=False):
            return Response("too many pages are open\n", 503, mimetype="text/plain")
        stage.call(partial(hand.join, name))

        def leave() -> None:
            places.release()
            stage.call(partial(hand.leave, name))

        answer = Response(_told(hand), mimetype="text/event-stream")
        answer.call_on_close(leave)
        return answer

    @app.post("/<token>/holds")
    def holds(token: str) -> Response:
        hand = hand_of(token)
        if not request.is_json:
            abort(415)
        try:
            order = msgspec.json.decode(request.get_data(), type=Order)
        except msgspec.MsgspecError:
            abort(400)
        stage.call(partial(hand.hold, order.page, order.number, order.holds))
        return Response(status=204)

    @app.after_request
    def secure(answer: Response) -> Response:
        for name, value in HEADERS.items():
            answer.headers[name] = value
        return answer

    return app


def _told(hand: Hand) -> Iterator[bytes]:
    """Yield what a page is shown as server-sent events; each is the whole of it."""
    yield b"retry: 500\n\n"
    seen = 0
    while True:
        try:
            news = hand.latest.take(seen, BEAT_S)
        except Over:
            return
        if news is None:
            yield b"event: beat\ndata:\n\n"
        else:
            seen, body = news
            yield b"data: " + body + b"\n\n"


def _page_words(words: Words) -> dict[str, str]:
    """Return the words that the page's script writes."""
    t = words.gettext
    lamps = {f"lamp.{sign.lamp}": f"{t(sign.look)} · {t(sign.meaning)}" for sign in LAMPS.values()}
    return lamps | {
        f"lamp.{Lamp.OFF}": t("lamp off"),
        "tap": t("press"),
        "hold": t("hold"),
        "link.lost": t("The seat has lost its link to the table."),
        "link.away": t("The seat program is starting."),
        "link.page": t("The demo does not answer. Trying again ..."),
        "link.over": t("The demo has ended. Start it again, and open the address that it prints."),
        "link.full": t("Too many pages of this demo are open: close one."),
    }


class _Hands:
    """All hands, closed at once."""

    def __init__(self, hands: tuple[Hand, ...]) -> None:
        self._hands = hands

    def close(self) -> None:
        for hand in self._hands:
            hand.latest.close()


class PanelServer:
    """Serves the pages of *hands* on any free port. A context manager.

    *board* is the address of the scoreboard.

    :raises BoardError: on entering, if there is no free port.
    """

    def __init__(self, stage: Stage, hands: tuple[Hand, ...], words: Words, board: str) -> None:
        self._tokens = {secrets.token_urlsafe(TOKEN_BYTES): hand for hand in hands}
        self._app = create_app(stage, self._tokens, words, board)
        # What the server closes when it stops.
        self._app.extensions["hub"] = _Hands(hands)
        self._server: Server | None = None

    def __enter__(self) -> "PanelServer":
        self._server = serve(self._app, LOOPBACK, 0)
        return self

    def __exit__(self, *exc: object) -> None:
        if self._server is not None:
            self._server.stop()

    @property
    def addresses(self) -> dict[int, str]:
        """The URL of each seat's page, by seat. Whoever has it plays the seat."""
        assert self._server is not None
        root = f"http://{LOOPBACK}:{self._server.port}"
        return {hand.seat: f"{root}/{token}/" for token, hand in self._tokens.items()}

"""What the host's console talks to: the sheet, its stream, and where orders are sent.

All is behind the door. An order is put into the table's inbox and its answer waited for.
"""

import queue
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import msgspec
from flask import Flask, Response, g, request

from firmware.words import Words, catalogue
from table_controller.host.orders import BadRequest, NewGame, Request, read_request
from table_controller.host.refusal import Refused, why
from table_controller.scoreboard.console.sheets import Sheets
from table_controller.scoreboard.hub import HubFull, as_events

if TYPE_CHECKING:
    from table_controller.host.ordering import Answer
    from table_controller.host.people import People

ANSWER_S: Final = 5.0
"""How long the table has to answer an order; then it is not known whether it was done."""

RETRY_S: Final = 10
"""When a page that found no free stream may ask for one again."""

Put = Callable[[Request, Callable[["Answer"], None]], None]
"""Hands an order to the table's loop, with where its answer goes."""


def add_console(
    app: Flask,
    sheets: Sheets,
    put: Put,
    prefix: str,
    chosen: Callable[[], str],
    *,
    beat_s: float,
    answer_s: float = ANSWER_S,
    people: "People | None" = None,
) -> None:
    """Give *app* the console's paths below *prefix*, which the door guards.

    *chosen* is the language of a request, *people* knows who may be seated.
    """
    lobby = people.lobby if people is not None else None

    @app.get(f"{prefix}/state")
    def host_state() -> Response:
        return _json(sheets.latest(catalogue(chosen()), lobby))

    @app.get(f"{prefix}/events")
    def host_events() -> Response:
        try:
            stream = sheets.join(g.caller.address)
        except HubFull as full:
            headers = {"Retry-After": str(RETRY_S), "Cache-Control": "no-store"}
            return Response(f"{full}\n", 503, headers, mimetype="text/plain")
        words = catalogue(chosen())
        told = as_events(stream, lambda news: sheets.body(news, words, lobby), beat_s)
        answer = Response(told, mimetype="text/event-stream")
        answer.call_on_close(lambda: sheets.leave(stream))
        answer.headers["X-Accel-Buffering"] = "no"
        return answer

    @app.post(f"{prefix}/order")
    def host_order() -> Response:
        words = catalogue(chosen())
        try:
            order = read_request(request.get_data())
        except BadRequest as bad:
            return _said({"done": False, "why": str(bad)}, 422)
        try:
            order = _with_people(order, people)
        except Refused as refused:
            return _said({"done": False, "why": refused.told(words), "changed": []}, 409)
        answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        put(order, answers.put)
        try:
            answer = answers.get(timeout=answer_s)
        except queue.Empty:
            t = words.gettext
            why = t("The table does not answer; it is not known whether it was done.")
            return _said({"done": False, "why": why}, 503)
        if answer.why is None and people is not None and isinstance(order.order, NewGame):
            people.keep(order.order)
        return _answered(answer, words)


def _with_people(sent: Request, people: "People | None") -> Request:
    """Return *sent* with the names and ids of the people that it means.

    :raises Refused: if they are not ten who may be seated.
    """
    order = sent.order
    if not isinstance(order, NewGame):
        return sent
    names, ids = people.ten(order.players) if people is not None else (order.players, ())
    order = msgspec.structs.replace(order, players=names, ids=ids)
    return msgspec.structs.replace(sent, order=order)


def _answered(answer: "Answer", words: Words) -> Response:
    # Imported late: it knows the game's words.
    from table_controller.host.telling import tell_change

    if answer.why is None:
        return _said({"done": True, "step": answer.step}, 200)
    changed = [tell_change(change.what, words) for change in answer.changed]
    return _said(
        {
            "done": False,
            "why": why(answer.why, words),
            "changed": [text for text in changed if text],
            "step": answer.step,
        },
        409,
    )


def _said(what: dict[str, Any], status: int) -> Response:
    return _json(msgspec.json.encode(what), status)


def _json(body: bytes, status: int = 200) -> Response:
    return Response(body, status, mimetype="application/json")

"""The host's page of files: finished games, backups, what helps to find a fault, the off switch.

What may leave the table is :mod:`table_controller.record.records`' to say. It needs no script.
"""

import datetime
import queue
import threading
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from flask import Flask, Response, g, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from firmware.card import TableCard
from firmware.words import N_, Words, catalogue
from table_controller.host.orders import ID_MAX, Backup, Request, Shutdown
from table_controller.host.recent_log import RecentLog
from table_controller.record.backups import Reason
from table_controller.record.journals import current_game
from table_controller.scoreboard.answers import plain
from table_controller.scoreboard.console.console import ANSWER_S, Put
from table_controller.scoreboard.console.sheets import Sheets

if TYPE_CHECKING:
    from table_controller.host.ordering import Answer
    from table_controller.record.records import Game

NIGHT: Final = "night"
"""A public phase."""

RETRY_S: Final = 3
"""One download at a time: the game comes first."""

REASONS: Final = {
    Reason.START: N_("start of the game"),
    Reason.MORNING: N_("morning"),
    Reason.END: N_("end of the game"),
    Reason.ASKED: N_("asked for"),
    Reason.RESTORE: N_("before a restore"),
    Reason.REPAIR: N_("repair"),
}
NO_ANSWER: Final = N_("The table does not answer; it is not known whether it was done.")


class Shelf(NamedTuple):
    """What the page stands on."""

    folder: Path
    """Of the journals."""
    card_path: Path
    card: TableCard
    sheets: Sheets
    put: Put
    log: RecentLog

    def is_over(self) -> bool:
        """Tell whether the game that was played last is over."""
        sheet = self.sheets.sheet
        return sheet is not None and sheet.over

    def ended(self) -> str:
        """Return the name of the game that is over for good; "": it goes on, or may."""
        sheet = self.sheets.sheet
        if sheet is None or not sheet.over or sheet.undo:
            return ""
        return current_game(self.folder)

    def is_night(self) -> bool:
        """Tell whether it is night in the game, paused or not."""
        sheet = self.sheets.sheet
        return sheet is not None and sheet.phase == NIGHT

    @property
    def step(self) -> int:
        """That of the newest sheet, so that an order is of now."""
        sheet = self.sheets.sheet
        return sheet.step if sheet else 0


class _Said(NamedTuple):
    """What a page says of the order that was given on it."""

    text: str = ""
    status: int = 200
    bad: bool = False
    off: bool = False
    """The table is about to end: there is nothing more to press."""


def add_files(app: Flask, shelf: Shelf, prefix: str, chosen: Callable[[], str]) -> None:
    """Give *app* the page below *prefix*, which the door guards; *chosen* is its language."""
    # Imported late: they know the game, which knows boards, which are of this package.
    from table_controller.host import bundle
    from table_controller.host.refusal import Refused
    from table_controller.host.upkeep import NOT_BY_NIGHT
    from table_controller.record.records import NoGame, Records

    records = Records(shelf.folder, over=shelf.is_over)
    one_at_a_time = threading.BoundedSemaphore(1)
    path = f"{prefix}/files"

    def page(said: _Said = _Said()) -> Response:  # noqa: B008 - immutable
        words, before = catalogue(chosen()), request.args.get("before", "")
        games = records.games(before)
        html = render_template(
            "files.html",
            t=words.gettext,
            language=words.language,
            csrf=g.session.csrf,
            order_id=uuid.uuid4().hex,
            said=said,
            games=[_game(game, words) for game in games],
            older=games[-1].name if games and records.games(games[-1].name) else "",
            backups=[
                {
                    "game": one.game,
                    "reason": words.gettext(REASONS[one.reason]),
                    "utc": _utc(one.utc.isoformat(timespec="minutes")),
                    "size": _size(one.size),
                }
                for one in records.backups()
            ],
        )
        answer = make_response(html, said.status)
        answer.headers["Content-Language"] = words.language
        return answer

    def download(make: Callable[[Words], Any], name: str, kind: str) -> Response:
        if not one_at_a_time.acquire(blocking=False):
            return plain(503, headers=[("Retry-After", str(RETRY_S))])
        words = catalogue(chosen())
        try:
            answer = Response(make(words), mimetype=kind)
        except Refused as refused:
            one_at_a_time.release()
            status = 404 if isinstance(refused, NoGame) else 409
            return plain(status, refused.told(words))
        except BaseException:
            one_at_a_time.release()
            raise
        answer.call_on_close(one_at_a_time.release)
        answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer

    def give(order: Backup | Shutdown) -> _Said:
        """Give *order* to the table and return what it says."""
        words = catalogue(chosen())
        answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        number = request.form.get("id", "")[:ID_MAX] or uuid.uuid4().hex
        shelf.put(Request(number, shelf.step, order), answers.put)
        try:
            answer = answers.get(timeout=ANSWER_S)
        except queue.Empty:
            return _Said(words.gettext(NO_ANSWER), 503, bad=True)
        if answer.why is None:
            return _Said()
        from table_controller.host.refusal import why

        return _Said(why(answer.why, words), 409, bad=True)

    @app.get(path)
    def files() -> Response:
        t = catalogue(chosen()).gettext
        if request.args.get("done") == "backup":
            return page(_Said(t("The backup is made.")))
        return page()

    @app.post(f"{path}/backup")
    def make_backup() -> AnyResponse:
        said = give(Backup())
        return page(said) if said.bad else redirect(f"{path}?lang={chosen()}&done=backup", 303)

    @app.post(f"{path}/shutdown")
    def switch_off() -> Response:
        said = give(Shutdown())
        if said.bad:
            return page(said)
        t = catalogue(chosen()).gettext
        return page(_Said(t("The table switches itself off now."), off=True))

    @app.get(f"{path}/games/<name>.jsonl")
    def game(name: str) -> Response:
        return download(lambda words: records.lines(name), f"{name}.jsonl", "application/x-ndjson")

    @app.get(f"{path}/fault.zip")
    def fault() -> Response:
        def make(words: Words) -> bytes:
            if shelf.is_night():
                raise Refused(NOT_BY_NIGHT)
            return bundle.make(shelf.log.text(), shelf.card_path, shelf.card, words)

        return download(make, f"mafia-{shelf.card.table}.zip", "application/zip")


def _game(game: "Game", words: Words) -> dict[str, Any]:
    """Return what the page shows of *game*."""
    from table_controller.wording import winner_name

    t = words.gettext
    if not game.over:
        return {"name": game.name, "over": False, "text": t("is not over")}
    text = winner_name(game.winner, words)
    if game.damaged:
        text += f" ({t('damaged')})"
    return {"name": game.name, "over": True, "text": text, "utc": _utc(game.utc)}


def _utc(stamp: str) -> str:
    at = datetime.datetime.fromisoformat(stamp)
    return f"{at:%Y-%m-%d %H:%M} UTC"


def _size(size: int | None) -> str:
    return "" if size is None else f"{max(1, round(size / 1024))} kB"

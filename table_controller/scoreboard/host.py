"""The host's page: what the table tells its host, and who is missing what before the deal.

Read alone so far. It is a sheet that the table's loop has written; nothing on it
is known of a role, and none of it grows from nightfall to morning by a press.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from flask import Flask, g, render_template

from firmware.words import Words, catalogue
from table_controller.scoreboard.hub import Hub

if TYPE_CHECKING:
    from table_controller.notices import HostNotice
    from table_controller.readiness import ReadinessView

NOTICES_SHOWN: Final = 20
"""The newest ones; the log has all."""


def add_host(app: Flask, hub: Hub, prefix: str, chosen: Callable[[], str]) -> None:
    """Give *app* the page at *prefix*, which the door guards; *chosen* is its language."""

    @app.get(prefix)
    def host() -> str:
        words, sheet = catalogue(chosen()), hub.host
        return render_template(
            "host.html",
            t=words.gettext,
            language=words.language,
            csrf=g.session.csrf,
            notices=_newest(sheet.notices),
            away=sheet.away,
            rows=_rows(sheet.readiness, words),
        )


def _newest(notices: "tuple[HostNotice, ...]") -> "list[HostNotice]":
    return list(reversed(notices[-NOTICES_SHOWN:]))


def _rows(readiness: "ReadinessView | None", words: Words) -> list[dict[str, object]]:
    """Return a row for each seat, in words."""
    if readiness is None:
        return []
    # Imported late: they need boards, which are of this package.
    from table_controller.aside_cues import camera_word
    from table_controller.readiness import ButtonState

    t = words.gettext
    states = {
        ButtonState.PRESSED: t("pressed"),
        ButtonState.MISSING: t("missing"),
        ButtonState.STUCK: t("stays pressed"),
        ButtonState.NOT_FITTED: t("not fitted"),
    }
    return [
        {
            "seat": seat.seat,
            "name": seat.name,
            "vote": states[seat.vote],
            "shout": states[seat.shout],
            "camera": camera_word(seat.camera, words),
            "link": t("live") if seat.online else t("offline"),
        }
        for seat in readiness.seats
    ]

"""The page of gestures: each hand drawn, and what it says in this club."""

import functools
from collections.abc import Callable
from typing import Final, NamedTuple

from flask import Flask, Response
from markupsafe import Markup

from firmware.card import GesturesCard
from firmware.wire import GestureName
from firmware.words import N_, Words, catalogue
from table_controller.scoreboard.pages.frame import show
from table_controller.scoreboard.pages.hand_drawing import PICTURES, drawing
from table_controller.scoreboard.pages.posted import Posted
from table_controller.wording import gesture_meaning

HANDS: Final = {
    GestureName.THUMB_UP: N_("thumb up"),
    GestureName.THUMB_DOWN: N_("thumb down"),
    GestureName.OK: N_("thumb and index finger make a ring"),
    GestureName.RING_TAP: N_("a finger of the other hand on the ring finger"),
    GestureName.HOOK: N_("bent index finger"),
    GestureName.FIST: N_("fist"),
    GestureName.OPEN_PALM: N_("open palm"),
    GestureName.PISTOL: N_("index finger forward, thumb up"),
    GestureName.FORBIDDEN: N_("the middle finger alone"),
}
"""What the hand does. Source: RULES 3."""

_MEANINGS: Final = {GestureName.RING_TAP: N_("don")}
"""Beside what the board says of a hand: this one no camera tells."""


class Sign(NamedTuple):
    """A gesture as the page shows it."""

    picture: Markup
    width: int
    height: int
    hand: str
    meaning: str
    on: bool
    """The cameras read it."""


def signs(card: GesturesCard, words: Words) -> tuple[Sign, ...]:
    """Return the gestures that say something, in the order of the rules."""
    return tuple(
        _sign(name, card, words)
        for name in HANDS
        if name not in (card.grounds, GestureName.FORBIDDEN)
    )


def numbers(card: GesturesCard, words: Words) -> tuple[Sign, ...]:
    """Return the hands for the seats 1 to 10."""
    t = words.gettext
    on = GestureName.NUMBER in card.names
    return tuple(
        _drawn(f"number-{seat}", t("number {number}").format(number=seat), str(seat), on=on)
        for seat in range(1, 11)
    )


def forbidden(card: GesturesCard, words: Words) -> Sign | None:
    """Return the hand that is grounds; None: no hand is."""
    if card.grounds is None:
        return None
    if card.grounds is GestureName.NUMBER:
        return _drawn("number-1", words.gettext("a number"), "", on=True)
    return _sign(card.grounds, card, words)


def _sign(name: GestureName, card: GesturesCard, words: Words) -> Sign:
    t = words.gettext
    said = card.meaning(name) or gesture_meaning(name, words)
    if not said and name in _MEANINGS:
        said = t(_MEANINGS[name])
    return _drawn(name.value, t(HANDS[name]), said, on=name in card.names)


def _drawn(picture: str, hand: str, meaning: str, *, on: bool) -> Sign:
    drawn = PICTURES[picture]
    inside = Markup(drawing(drawn))  # noqa: S704 - our own lines, nobody's words
    return Sign(inside, drawn.width, drawn.height, hand, meaning, on)


def add_gestures(app: Flask, posted: Posted, chosen: Callable[[], str]) -> None:
    """Let *app* serve ``/gestures`` from what is *posted*; *chosen* is a request's language."""

    @functools.cache
    def content(language: str) -> dict[str, object]:
        """Return what the page shows: the club's table is the same until the program ends."""
        words = catalogue(language)
        return {
            "signs": signs(posted.gestures, words),
            "numbers": numbers(posted.gestures, words),
            "forbidden": forbidden(posted.gestures, words),
        }

    @app.get("/gestures")
    def gestures() -> Response:
        spoken = chosen()
        return show("gestures.html", spoken, **content(spoken))

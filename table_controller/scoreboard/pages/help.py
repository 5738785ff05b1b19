"""The pages of help: how to play with the kit, one for players and one for hosts.

Screens, marks, lamps and lights are shown from the code's own tables; numbers
are those of the default rules, normal mode and turbo. No page tells more than
anybody may know.
"""

import functools
from collections.abc import Callable
from typing import Final, NamedTuple

from flask import Flask, Response

from firmware.rehearsal import Shown
from firmware.signals import LAMPS, MARKS
from firmware.wire import Icon, Layout, PressMode
from firmware.wire import Lamp as LampLight
from firmware.words import N_, Words, catalogue
from table_controller.game import NORMAL, TURBO
from table_controller.lights import (
    DARK,
    FULL,
    LOW,
    MIDDLE,
    NIGHT,
    SIGNS,
    TINTS,
    Colour,
    Hue,
    Pattern,
)
from table_controller.rehearsal.legend import legend
from table_controller.scoreboard.pages import help_texts
from table_controller.scoreboard.pages.frame import show
from table_controller.scoreboard.pages.help_texts import Section

PLAYERS: Final = {
    "card-citizen": "card",
    "day": "day",
    "floor": "floor",
    "silent": "silent",
    "muted": "muted",
    "shout": "shout",
    "candidate": "candidate",
    "tie": "tie",
    "lift": "lift",
    "farewell": "farewell",
    "night": "night",
    "morning": "morning",
    "accuse": "accuse",
    "accusation": "accusation",
    "motion": "motion",
    "out": "out",
}
"""Pictures of the players' page, in the order of a game, with their scenes."""

HOSTS: Final = {
    "unlinked": "unlinked",
    "taken": "taken",
    "away": "away",
    "identify": "identify",
    "place": "place",
}
"""Pictures of the hosts' page."""

PICTURES: Final = (*PLAYERS, *HOSTS)

_PRESSES: Final = {
    "candidate": PressMode.EDGE,
    "lift": PressMode.EDGE,
    "motion": PressMode.EDGE,
    "night": PressMode.NIGHT,
}

_LEVELS: Final = {
    DARK: N_("dark"),
    NIGHT: N_("hardly lit"),
    LOW: N_("faint"),
    MIDDLE: N_("half lit"),
    FULL: N_("bright"),
}
_PATTERNS: Final = {
    Pattern.STEADY: N_("steady"),
    Pattern.BLINK: N_("blinks"),
    Pattern.FAST: N_("blinks fast"),
    Pattern.WINK: N_("dark for a moment every two seconds"),
    Pattern.GLINT: N_("bright for a moment every two seconds"),
    Pattern.BLIP: N_("lit for a moment every two seconds"),
}
_COLOURS: Final = {
    Hue.DEAL: N_("white"),
    Hue.NIGHT: N_("dark blue"),
    Hue.MORNING: N_("yellow"),
    Hue.SPEECHES: N_("green"),
    Hue.VOTE: N_("red"),
    Hue.MOTION: N_("turquoise"),
    Hue.FAREWELL: N_("purple"),
    Hue.PAUSED: N_("orange"),
    Hue.TOWN: N_("bright red"),
    Hue.MAFIA: N_("violet"),
    Hue.NOBODY: N_("bright white"),
}


class Screen(NamedTuple):
    """A picture of the hooded screen and what its player can do."""

    picture: str
    hint: str
    uses: tuple[tuple[str, str], ...]
    """(button, what it does)."""


class Lamp(NamedTuple):
    """How a light is shown, and what it means."""

    look: str
    meaning: str
    colour: str = ""
    """As CSS has it; only of the phase lamp."""


def screens(pictures: dict[str, str], words: Words) -> tuple[Screen, ...]:
    """Return the screens of *pictures* in their order."""
    return tuple(_screen(picture, scene, words) for picture, scene in pictures.items())


def _screen(picture: str, scene: str, words: Words) -> Screen:
    t = words.gettext
    press = _PRESSES.get(scene, PressMode.RELEASE)
    # Of an open list nothing is shown here: what the buttons do in one has a part of its own.
    shown = Shown(scene, Layout.TITLE, "", (), Icon.NONE, LampLight.OFF, press=press)
    found = legend(shown, words)
    uses = {
        t("VOTE"): found.vote.tap,
        t("hold VOTE"): found.vote.hold,
        t("SHOUT"): found.shout.tap,
        t("hold SHOUT"): found.shout.hold,
    }
    return Screen(picture, found.hint, tuple((how, use) for how, use in uses.items() if use))


def marks(words: Words) -> tuple[tuple[str, str, str], ...]:
    """Return (glyph, word, meaning) of every mark."""
    t = words.gettext
    return tuple((sign.glyph, t(sign.word), t(sign.meaning)) for sign in MARKS.values())


def lamps(words: Words) -> tuple[Lamp, ...]:
    """Return what a seat's lamp tells."""
    t = words.gettext
    return tuple(Lamp(t(sign.look), t(sign.meaning)) for sign in LAMPS.values())


def lights(words: Words) -> tuple[Lamp, ...]:
    """Return what a seat's light in the middle of the table tells."""
    t = words.gettext
    return tuple(
        Lamp(_look(look.level, look.pattern, words), t(look.meaning)) for look in SIGNS.values()
    )


def _look(level: float, pattern: Pattern, words: Words) -> str:
    t = words.gettext
    if level == DARK:
        return t(_LEVELS[DARK])
    return f"{t(_LEVELS[level])}, {t(_PATTERNS[pattern])}"


def tints(words: Words) -> tuple[Lamp, ...]:
    """Return the colours of the phase lamp."""
    t = words.gettext
    return tuple(
        Lamp(t(_COLOURS[hue]), t(tint.meaning), _css(tint.colour)) for hue, tint in TINTS.items()
    )


def _css(colour: Colour) -> str:
    # As bright as a page can show it: its hue is what tells.
    most = max(colour)
    return "#" + "".join(f"{round(255 * part / most):02x}" for part in colour)


def _sections(words: Words, *, host: bool) -> tuple[Section, ...]:
    numbers = help_texts.numbers(NORMAL, TURBO, words.language)
    return (help_texts.hosts if host else help_texts.players)(words.gettext, numbers)


def add_help(app: Flask, chosen: Callable[[], str]) -> None:
    """Let *app* serve ``/help`` and ``/help/host``; *chosen* is the language of a request."""

    @functools.cache
    def content(language: str, *, host: bool) -> dict[str, object]:
        """Return what a page shows; it is the same until the program ends."""
        words = catalogue(language)
        return {
            "sections": _sections(words, host=host),
            "screens": screens(HOSTS if host else PLAYERS, words),
            "marks": marks(words),
            "lamps": lamps(words),
            "lights": lights(words),
            "tints": tints(words),
        }

    @app.get("/help")
    def help_players() -> Response:
        spoken = chosen()
        return show("help.html", spoken, **content(spoken, host=False))

    @app.get("/help/host")
    def help_host() -> Response:
        spoken = chosen()
        return show("help_host.html", spoken, **content(spoken, host=True))

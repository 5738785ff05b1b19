"""What every cue is made of: the setting, an empty cue, the held card."""

from dataclasses import dataclass
from typing import Final

import msgspec

from firmware.card import GESTURES, GesturesCard
from firmware.signals import Scene
from firmware.wire import Absence, ClockFace, Cue, GestureName, Icon, Look
from firmware.words import Words
from table_controller.game import Role
from table_controller.game.views import SeatView
from table_controller.wording import card_lines

WARN_S: Final = 5.0
"""A player sees after so long that the chair counts as empty. Source: DESIGN 6."""

_QUIET: Final = ("idle", "day")
"""Scenes that say that the camera is off; in a readiness round its own line does."""

_EMPTY: Final = Cue(boot="", id=0, heard=0)

ROLE_ICONS: Final = {
    Role.CITIZEN: Icon.CITIZEN,
    Role.SHERIFF: Icon.SHERIFF,
    Role.MAFIA: Icon.MAFIA,
    Role.DON: Icon.DON,
}


@dataclass(frozen=True, slots=True)
class Setting:
    """What a cue needs beside the views."""

    words: Words
    names: tuple[str, ...]
    """Players by seat, seat 1 first."""
    left_s: float | None = None
    """What is left of the clock that everybody sees; None: no clock."""
    runs: bool = True
    away_s: float = 15.0
    """An absence for longer is grounds. Source: the game's ruleset."""

    gestures: GesturesCard = GESTURES
    """The club's table."""

    away_at_night: bool = False
    """Source: the game's ruleset, ``presence_at_night``."""

    def absence(self, view: SeatView) -> Absence | None:
        """Return what a seat does by day about its empty chair."""
        return Absence(WARN_S, self.away_s) if view.living else None

    def absence_at_night(self, view: SeatView) -> Absence | None:
        """Return the same from nightfall to morning."""
        return self.absence(view) if self.away_at_night else None

    def look(self, view: SeatView, *, pick: bool = False) -> Look:
        """Return what the eyes of a seat look for by day; *pick*: its list can be open."""
        if not view.living:
            return Look()
        names = self.gestures.names
        two_hands = pick and GestureName.NUMBER in names
        return Look(names, self.gestures.grounds, two_hands)

    def name(self, seat: int) -> str:
        """Return the player at *seat*."""
        return self.names[seat - 1]

    def clock(self) -> ClockFace | None:
        """Return the clock for a cue."""
        return None if self.left_s is None else ClockFace(round(self.left_s, 3), self.runs)


def new_cue(words: Words, scene: str, **fields: object) -> Cue:
    """Return the cue of *scene*, still without boot, id and answer.

    :raises ValueError: if *scene* is none of :class:`Scene`.
    """
    scene = Scene(scene)
    return msgspec.structs.replace(_EMPTY, scene=scene, language=words.language, **fields)


def held_card(view: SeatView, setting: Setting) -> dict[str, object]:
    """Return what the seat shows while VOTE is held."""
    icon = Icon.NONE if view.card is None else ROLE_ICONS[view.card.role]
    return {"on_hold": card_lines(view.card, setting.words), "on_hold_icon": icon}


def camera_off(content: Cue, words: Words) -> Cue:
    """Return *content* with the eyes shut, and where the player has time to read, that they are."""
    said = (words.gettext("Camera off"),) if content.scene in _QUIET else ()
    return msgspec.structs.replace(
        content, look=Look(off=True), absence=None, lines=(*content.lines, *said)
    )

"""What the player of a seat sees at a moment: from cue, list and link to a face. Pure."""

import math
from typing import Final

import msgspec

from firmware.wire import ClockFace, Cue, Icon, Lamp, Layout, PressMode
from seat_node.answers import Answers
from seat_node.buttons import Buttons
from seat_node.face import Face, Reply, words_of

DARK: Final = frozenset({"nightfall", "meeting", "rest", "night"})
"""Scenes in which nothing that differs by seat is shown or said. Source: RULES 1.2, 1.11."""

EVEN: Final = frozenset({"meeting"})
"""Scenes whose screens differ but must glow alike. Source: RULES 1.2."""

LINK_LOST_S: Final = 3.0
"""A lost link takes the whole screen after this; before, the strip alone tells it."""


class LinkState(msgspec.Struct, frozen=True):
    """How the seat stands with the broker."""

    user: str
    language: str
    linked: bool
    since_s: float
    """When it was linked or unlinked."""
    rejoin_s: float | None = None
    """When it may come back after another device took its place; None: it need not go."""


def left_s(clock: ClockFace, cue_s: float, now_s: float) -> int:
    """Return the whole seconds, rounded up, on a clock that came at *cue_s*."""
    gone_s = now_s - cue_s if clock.runs else 0.0
    # Of 60.0 s no 61st is shown because of the last bit of a float.
    return max(0, math.ceil(round(clock.left_s - gone_s, 3)))


def face_of(
    cue: Cue | None, cue_s: float, buttons: Buttons, answers: Answers, link: LinkState, now_s: float
) -> Face:
    """Return what is shown at *now_s*; *cue_s* is when *cue* came."""
    if link.rejoin_s is not None:
        return _taken(link, link.rejoin_s, now_s)
    if cue is None or (not link.linked and now_s - link.since_s >= LINK_LOST_S):
        return _without_table(cue, answers, link)
    face = Face(
        scene=cue.scene,
        layout=cue.layout,
        title=cue.title,
        lines=cue.lines,
        icon=cue.icon,
        lamp=cue.lamp,
        left_s=None if cue.clock is None else left_s(cue.clock, cue_s, now_s),
        reply=_reply(cue, answers),
        even=cue.scene in EVEN,
        linked=link.linked,
        press=cue.press,
        language=cue.language,
    )
    listing = buttons.listing
    if listing is not None and listing.open:
        return msgspec.structs.replace(
            face,
            layout=Layout.LIST,
            title=listing.menu.title or cue.title,
            lines=(),
            icon=Icon.NONE,
            rows=listing.rows,
            cursor=listing.cursor,
        )
    card = any(line.strip() for line in cue.on_hold)
    if buttons.held and card and cue.press is PressMode.RELEASE:
        return msgspec.structs.replace(
            face,
            layout=Layout.TITLE,
            title="",
            lines=cue.on_hold,
            icon=Icon.NONE,
            card=True,
            reply=Reply.NONE,
        )
    return face


def next_change_s(cue: Cue | None, cue_s: float, link: LinkState, now_s: float) -> float | None:
    """Return when time alone changes the face next; None: never."""
    dues: list[float] = []
    if not link.linked and now_s < link.since_s + LINK_LOST_S:
        dues.append(link.since_s + LINK_LOST_S)
    if link.rejoin_s is not None:
        dues.append(link.rejoin_s - max(0, math.ceil(round(link.rejoin_s - now_s, 3)) - 1))
    elif cue is not None and cue.clock is not None and cue.clock.runs:
        shown = left_s(cue.clock, cue_s, now_s)
        if shown > 0:
            dues.append(cue_s + cue.clock.left_s - (shown - 1))
    return min(dues, default=None)


def _reply(cue: Cue, answers: Answers) -> Reply:
    dark = cue.scene in DARK or cue.press is PressMode.NIGHT
    return Reply.NONE if dark else answers.reply


def _without_table(cue: Cue | None, answers: Answers, link: LinkState) -> Face:
    language = link.language if cue is None else cue.language
    t = words_of(language).gettext
    if link.linked:
        line = t("Waiting for the table")
    elif cue is None:
        line = t("Looking for the table")
    else:
        line = t("Link lost. Presses are kept.")
    return Face(
        scene="unlinked" if not link.linked else "waiting",
        layout=Layout.ICON,
        title=link.user,
        lines=(line,),
        icon=Icon.NONE if link.linked else Icon.LINK,
        lamp=Lamp.OFF if cue is None else cue.lamp,
        reply=Reply.NONE if cue is None else _reply(cue, answers),
        linked=link.linked,
        language=language,
    )


def _taken(link: LinkState, rejoin_s: float, now_s: float) -> Face:
    t = words_of(link.language).gettext
    return Face(
        scene="taken",
        layout=Layout.NOTE,
        title=link.user,
        lines=(t("Another device plays with this name."), t("This one tries again.")),
        left_s=max(0, math.ceil(round(rejoin_s - now_s, 3))),
        linked=False,
        language=link.language,
    )

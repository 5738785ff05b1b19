"""What the player of a seat sees at a moment: from cue, list and link to a face. Pure."""

import math
from typing import Final

import msgspec

from firmware.signals import LAMPS, LampState, Reply, Scene
from firmware.wire import ClockFace, Cue, Icon, Lamp, Layout, Presence, PressMode
from seat_node.answers import Answers
from seat_node.buttons import Buttons
from seat_node.face import Face, words_of
from seat_node.reports import Chair

DARK: Final = frozenset({Scene.NIGHTFALL, Scene.MEETING, Scene.REST, Scene.NIGHT})
"""Scenes in which nothing that differs by seat is shown or said. Source: RULES 1.2, 1.11."""

EVEN: Final = frozenset({Scene.MEETING, Scene.CARD, Scene.MORNING})
"""Scenes whose screens differ but must glow alike. Source: RULES 1.2, 1.12."""

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
    baffled: bool = False
    """The last cue that came was none that this kit can read."""
    version: str = ""
    """Of this kit."""


def left_s(clock: ClockFace, cue_s: float, now_s: float) -> int:
    """Return the whole seconds, rounded up, on a clock that came at *cue_s*."""
    gone_s = now_s - cue_s if clock.runs else 0.0
    return _whole(clock.left_s - gone_s)


def face_of(
    cue: Cue | None,
    cue_s: float,
    buttons: Buttons,
    answers: Answers,
    link: LinkState,
    chair: Chair | None,
    now_s: float,
) -> Face:
    """Return what is shown at *now_s*; *cue_s* is when *cue* came."""
    if link.rejoin_s is not None:
        return _taken(link, link.rejoin_s, now_s)
    # By night no screen differs from the others, whatever comes.
    if link.baffled and link.linked and not (cue is not None and cue.scene in DARK):
        return _misfit(link)
    if cue is None or _link_lost(link, now_s):
        return _without_table(cue, answers, link)
    face = Face(
        scene=cue.scene,
        layout=cue.layout,
        title=cue.title,
        lines=cue.lines,
        icon=cue.icon,
        lamp=cue.lamp,
        left_s=None if cue.clock is None else left_s(cue.clock, cue_s, now_s),
        reply=_reply(cue, buttons, answers, link),
        even=cue.scene in EVEN,
        linked=link.linked,
        press=cue.press,
        language=cue.language,
    )
    away = chair is not None and chair.state is Presence.AWAY
    warned_s = _warned_s(cue, chair, now_s)
    if warned_s is not None:
        face = msgspec.structs.replace(face, lamp=LAMPS[LampState.AWAY].lamp)
    listing = buttons.listing
    if listing is not None and listing.open:
        # Whoever picks sits there, whatever the eyes say: the lamp alone warns.
        return msgspec.structs.replace(
            face,
            layout=Layout.LIST,
            title=listing.menu.title or cue.title,
            lines=(),
            icon=Icon.NONE,
            rows=listing.rows,
            cursor=listing.cursor,
            hand=listing.hand,
        )
    if warned_s is not None:
        return _empty_chair(face, warned_s)
    if away and cue.private:
        return _hidden(face)
    card = any(line.strip() for line in cue.on_hold)
    if buttons.held and card and not away and cue.press is PressMode.RELEASE:
        return msgspec.structs.replace(
            face,
            layout=Layout.TITLE,
            title="",
            lines=cue.on_hold,
            icon=cue.on_hold_icon,
            card=True,
            reply=Reply.NONE,
        )
    return face


def next_change_s(
    cue: Cue | None, cue_s: float, link: LinkState, chair: Chair | None, now_s: float
) -> float | None:
    """Return when time alone changes the face next; None: never."""
    dues: list[float] = []
    if not link.linked and now_s < link.since_s + LINK_LOST_S:
        dues.append(link.since_s + LINK_LOST_S)
    if link.rejoin_s is not None:
        dues.append(link.rejoin_s - max(0, _whole(link.rejoin_s - now_s) - 1))
    elif cue is not None:
        if cue.clock is not None and cue.clock.runs:
            shown = left_s(cue.clock, cue_s, now_s)
            if shown > 0:
                dues.append(cue_s + cue.clock.left_s - (shown - 1))
        since_s = _empty_since_s(cue, chair)
        if since_s is not None and cue.absence is not None:
            end_s = since_s + cue.absence.limit_s
            left = _warned_s(cue, chair, now_s)
            if left is None:
                dues.append(since_s + cue.absence.warn_s)
            elif left > 0:
                dues.append(end_s - (left - 1))
    return min(dues, default=None)


def _whole(for_s: float) -> int:
    """Return whole seconds, rounded up, never below 0."""
    # Of 60.0 s no 61st is shown because of the last bit of a float.
    return max(0, math.ceil(round(for_s, 3)))


def _link_lost(link: LinkState, now_s: float) -> bool:
    return not link.linked and now_s - link.since_s >= LINK_LOST_S


def _empty_since_s(cue: Cue, chair: Chair | None) -> float | None:
    """Return since when an absence counts that may be shown; None: none does."""
    if chair is None or chair.state is not Presence.AWAY or cue.scene in DARK | EVEN:
        return None
    return chair.since_s if math.isfinite(chair.since_s) else None


def _warned_s(cue: Cue, chair: Chair | None, now_s: float) -> int | None:
    """Return the whole seconds that are left to come back; None: nothing to warn of."""
    since_s = _empty_since_s(cue, chair)
    if cue.absence is None or since_s is None:
        return None
    if round(now_s - since_s, 3) < cue.absence.warn_s:
        return None
    return _whole(since_s + cue.absence.limit_s - now_s)


def _empty_chair(face: Face, left: int) -> Face:
    t = words_of(face.language).gettext
    return msgspec.structs.replace(
        face,
        scene=Scene.AWAY,
        layout=Layout.CLOCK,
        title=t("You are away"),
        lines=(t("Come back to your seat"),),
        icon=Icon.NONE,
        left_s=left,
    )


def _hidden(face: Face) -> Face:
    t = words_of(face.language).gettext
    return msgspec.structs.replace(
        face,
        layout=Layout.NOTE,
        title=t("You are away"),
        lines=(t("Come back to see your card"),),
        icon=Icon.NONE,
    )


def _reply(cue: Cue, buttons: Buttons, answers: Answers, link: LinkState) -> Reply:
    if cue.scene in DARK or cue.press is PressMode.NIGHT:
        return Reply.NONE
    if buttons.pressing:
        return Reply.PRESSED
    if not link.linked and answers.reply in (Reply.NONE, Reply.NOTHING):
        return Reply.UNLINKED
    return answers.reply


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
        scene=Scene.WAITING if link.linked else Scene.UNLINKED,
        layout=Layout.ICON,
        title=link.user,
        lines=(line,),
        icon=Icon.NONE if link.linked else Icon.LINK,
        # By night no lamp differs from the others.
        lamp=cue.lamp if cue is not None and cue.scene in DARK else _link_lamp(link),
        reply=Reply.NONE if cue is None or cue.scene in DARK else answers.reply,
        linked=link.linked,
        language=language,
    )


def _link_lamp(link: LinkState) -> Lamp:
    return Lamp.OFF if link.linked else LAMPS[LampState.UNLINKED].lamp


def _misfit(link: LinkState) -> Face:
    t = words_of(link.language).gettext
    return Face(
        scene=Scene.MISFIT,
        layout=Layout.TITLE,
        title=t("Update"),
        lines=(t("kit {kit}").format(kit=link.version), t("table: another one")),
        linked=True,
        language=link.language,
    )


def _taken(link: LinkState, rejoin_s: float, now_s: float) -> Face:
    t = words_of(link.language).gettext
    return Face(
        scene=Scene.TAKEN,
        layout=Layout.NOTE,
        title=link.user,
        lines=(t("Another device plays with this name."), t("This one tries again.")),
        left_s=_whole(rejoin_s - now_s),
        linked=False,
        language=link.language,
    )

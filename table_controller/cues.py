"""What each seat shows: a seat's view and the public view make a cue.

Pure. A cue made here has no boot, id or answer yet; :mod:`show` adds them.
All seats get the same scene, lamp and press mode from nightfall to morning.
"""

from dataclasses import dataclass
from typing import Final

import msgspec

from firmware.wire import (
    ClockFace,
    Cue,
    Entry,
    Icon,
    Lamp,
    Layout,
    Look,
    Menu,
    PressMode,
)
from firmware.words import Words
from table_controller.game import SEATS, Phase, Role
from table_controller.game.views import Deed, PublicPhase, PublicView, SeatView
from table_controller.interpret import NOBODY, menu_id
from table_controller.wording import card_lines, role_name, sanction_name, winner_name

_EMPTY: Final = Cue(boot="", id=0, heard=0)

_ICONS: Final = {
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

    def name(self, seat: int) -> str:
        """Return the player at *seat*."""
        return self.names[seat - 1]

    def clock(self) -> ClockFace | None:
        """Return the clock for a cue."""
        return None if self.left_s is None else ClockFace(round(self.left_s, 3), self.runs)


def idle(words: Words) -> Cue:
    """Return the cue between games."""
    t = words.gettext
    return _cue(
        words,
        "idle",
        layout=Layout.TITLE,
        title=t("Mafia"),
        lines=(t("Hold VOTE to start"),),
        press=PressMode.RELEASE,
    )


def cue(view: SeatView, public: PublicView, setting: Setting) -> Cue:
    """Return what the seat of *view* shows now."""
    if public.paused and public.phase is not PublicPhase.OVER:
        return _paused(view, setting)
    match view.phase:
        case Phase.SEATING | Phase.DEALING:
            return _seating(view, public, setting)
        case Phase.LOOK | Phase.MORNING:
            return _card(view, setting)
        case Phase.NIGHTFALL | Phase.MEETING | Phase.REST | Phase.CALLING | Phase.GATHERING:
            return _night(view, setting)
        case Phase.OVER:
            return _over(view, public, setting)
    return _day(view, public, setting)


def _cue(words: Words, scene: str, **fields: object) -> Cue:
    return msgspec.structs.replace(_EMPTY, scene=scene, language=words.language, **fields)


def _paused(view: SeatView, setting: Setting) -> Cue:
    t = setting.words.gettext
    return _cue(
        setting.words,
        "paused",
        layout=Layout.TITLE,
        title=t("Paused"),
        lines=(t("All hold VOTE to go on"),),
        press=PressMode.RELEASE,
        on_hold=card_lines(view.card, setting.words),
    )


def _seating(view: SeatView, public: PublicView, setting: Setting) -> Cue:
    t = setting.words.gettext
    ready = public.seats[view.seat - 1].ready
    return _cue(
        setting.words,
        "seating",
        layout=Layout.TITLE,
        title=setting.name(view.seat),
        lines=(
            t("Seat {seat}").format(seat=view.seat),
            t("Waiting for the others") if ready else t("Press VOTE"),
        ),
        press=PressMode.RELEASE,
    )


def _card(view: SeatView, setting: Setting) -> Cue:
    t = setting.words.gettext
    scene = "card" if view.phase is Phase.LOOK else "morning"
    if view.card is None:
        # Gone already: the room wakes up, this seat has no card any more.
        return _cue(setting.words, "out", layout=Layout.NOTE, title=t("Out of the game"))
    lines = card_lines(view.card, setting.words)
    return _cue(
        setting.words,
        scene,
        layout=Layout.ICON,
        icon=_ICONS[view.card.role],
        title=lines[0],
        lines=lines[1:],
        clock=setting.clock(),
    )


def _night(view: SeatView, setting: Setting) -> Cue:
    t = setting.words.gettext
    press = PressMode.OFF
    title, lines = t("Night"), ("", "")
    match view.phase:
        case Phase.NIGHTFALL:
            scene, lines = "nightfall", (t("Masks on"), "")
        case Phase.MEETING:
            scene = "meeting"
            if view.mates:
                title = t("Mafia: {seats}").format(seats=" ".join(map(str, view.mates)))
                lines = (t("Don: {seat}").format(seat=view.don), "")
            else:
                lines = (t("The mafia meets"), "")
        case Phase.REST:
            scene = "rest"
        case _:
            scene, press = "night", PressMode.NIGHT
    return _cue(
        setting.words,
        scene,
        layout=Layout.ICON,
        icon=Icon.MOON,
        title=title,
        lines=lines,
        press=press,
    )


def _over(view: SeatView, public: PublicView, setting: Setting) -> Cue:
    seat = public.seats[view.seat - 1]
    lines = []
    if seat.role is not None:
        lines.append(role_name(seat.role, setting.words))
    if seat.max is not None and seat.classic is not None:
        lines.append(f"Max {seat.max / 100:+.2f}")
        lines.append(f"Classic {seat.classic / 100:+.2f}")
    return _cue(
        setting.words,
        "over",
        layout=Layout.TITLE,
        title=winner_name(public.winner, setting.words),
        lines=tuple(lines),
        press=PressMode.RELEASE,
    )


def _day(view: SeatView, public: PublicView, setting: Setting) -> Cue:
    if view.own_floor:
        return _own_floor(view, public, setting)
    if not view.living:
        t = setting.words.gettext
        return _cue(
            setting.words,
            "out",
            layout=Layout.NOTE,
            title=t("Out of the game"),
            lines=(_what_happens(public, setting),),
        )
    # Also while the own shout is open: the ballot's windows run on.
    if public.phase in (
        PublicPhase.READING,
        PublicPhase.BALLOT,
        PublicPhase.COUNTING,
        PublicPhase.LIFT,
        PublicPhase.MOTION,
    ):
        return _voting(view, public, setting)
    if public.shout == view.seat:
        t = setting.words.gettext
        return _living(
            view, public, setting, "shout", layout=Layout.CLOCK, title=t("Your shout"), lamp=Lamp.ON
        )
    return _living(
        view,
        public,
        setting,
        "day",
        layout=Layout.CLOCK,
        title=_what_happens(public, setting),
        lines=_nominees(public, setting),
        look=Look(gestures=True),
    )


def _own_floor(view: SeatView, public: PublicView, setting: Setting) -> Cue:
    t = setting.words.gettext
    titles = {
        PublicPhase.SPEECH: ("floor", t("Your speech")),
        PublicPhase.TIE_SPEECH: ("tie", t("Your tie speech")),
        PublicPhase.FAREWELL: ("farewell", t("Your farewell")),
        PublicPhase.FAREWELL_PICKS: ("farewell_picks", t("Best move and crown")),
    }
    scene, title = titles[public.phase]
    if scene == "floor" and public.silent:
        scene, title = "silent", t("Silent: you may nominate")
    return _living(
        view,
        public,
        setting,
        scene,
        layout=Layout.CLOCK,
        title=title,
        lines=_chosen(view, setting),
        lamp=Lamp.ON,
        menu=_menu(view, public, setting),
        look=Look(gestures=True, two_hands=view.deed is not Deed.NONE),
    )


def _voting(view: SeatView, public: PublicView, setting: Setting) -> Cue:
    t = setting.words.gettext
    voted = t("You have voted") if view.voted else ""
    if public.motion is not None:
        return _motion(view, public, setting, voted)
    if public.phase is PublicPhase.LIFT:
        seats = " ".join(map(str, public.candidates))
        scene, title = "lift", t("Lift: {seats}").format(seats=seats)
        lines: tuple[str, ...] = (voted or t("VOTE: all of them leave"),)
        layout = Layout.NOTE
    elif public.called:
        scene, title, layout = "candidate", str(public.called), Layout.BIG
        lines = (voted or t("VOTE: against this seat"), setting.name(public.called))
    elif public.phase is PublicPhase.READING:
        scene, title, layout = "reading", t("The vote"), Layout.NOTE
        lines = (" ".join(map(str, public.candidates)),)
    else:
        scene, title, layout = "called", t("The vote"), Layout.NOTE
        lines = (voted or t("Wait"),)
    return _living(
        view, public, setting, scene, layout=layout, title=title, lines=lines, press=PressMode.EDGE
    )


def _motion(view: SeatView, public: PublicView, setting: Setting, voted: str) -> Cue:
    t = setting.words.gettext
    motion = public.motion
    assert motion is not None
    accused = view.seat == motion.seat
    return _living(
        view,
        public,
        setting,
        "motion",
        layout=Layout.NOTE,
        title=t("Motion on {seat}").format(seat=motion.seat),
        lines=(
            sanction_name(motion.sanction, setting.words),
            t("It is about you") if accused else voted or t("VOTE: for it"),
            t("Votes needed: {n}").format(n=motion.needed),
        ),
        press=PressMode.OFF if accused else PressMode.EDGE,
    )


def _living(
    view: SeatView, public: PublicView, setting: Setting, scene: str, **fields: object
) -> Cue:
    shown: dict[str, object] = {
        "lamp": _lamp(view, public),
        "clock": setting.clock(),
        "press": PressMode.RELEASE,
        "on_hold": card_lines(view.card, setting.words),
    }
    return _cue(setting.words, scene, **(shown | fields))


def _lamp(view: SeatView, public: PublicView) -> Lamp:
    if public.called == view.seat:
        return Lamp.FAST
    if view.seat in public.nominees or view.seat in public.candidates:
        return Lamp.BLINK
    return Lamp.OFF


def _menu(view: SeatView, public: PublicView, setting: Setting) -> Menu | None:
    t = setting.words.gettext
    titles = {
        Deed.NOMINATE: t("Nominate"),
        Deed.BEST_MOVE: t("Best move: up to three"),
        Deed.CROWN: t("Crown"),
    }
    if view.deed not in titles:
        return None
    entries = [
        Entry(seat, f"{seat} {setting.name(seat)}") for seat in SEATS if seat in view.choices
    ]
    if view.deed is Deed.CROWN:
        entries.append(Entry(NOBODY, t("Nobody")))
    return Menu(
        id=menu_id(view, public.day),
        entries=tuple(entries),
        marks=view.marks,
        opens=view.phase is not Phase.FAREWELL_PICKS,
        title=titles[view.deed],
        done=t("Done") if view.marks > 1 else "",
        marked=view.chosen,
    )


def _chosen(view: SeatView, setting: Setting) -> tuple[str, ...]:
    t = setting.words.gettext
    match view.deed:
        case Deed.NOMINATE if view.chosen:
            return (t("You nominate {seat}").format(seat=view.chosen[0]),)
        case Deed.NOMINATE:
            return (t("VOTE: nominate"),)
        case Deed.BEST_MOVE:
            return (t("VOTE: best move"),)
        case Deed.CROWN:
            return (t("VOTE: crown"),)
    return ()


def _nominees(public: PublicView, setting: Setting) -> tuple[str, ...]:
    if not public.nominees:
        return ()
    t = setting.words.gettext
    return (t("Nominated: {seats}").format(seats=" ".join(map(str, public.nominees))),)


def _what_happens(public: PublicView, setting: Setting) -> str:
    t = setting.words.gettext
    if public.shout:
        return t("{seat} shouts").format(seat=public.shout)
    if public.floor and public.phase in (PublicPhase.FAREWELL, PublicPhase.FAREWELL_PICKS):
        return t("{seat} says farewell").format(seat=public.floor)
    if public.floor and public.silent:
        return t("{seat} is silenced").format(seat=public.floor)
    if public.floor:
        return t("{seat} speaks").format(seat=public.floor)
    return t("Wait")

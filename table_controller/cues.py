"""What each seat shows: a seat's view and the public view make a cue.

Pure. A cue made here has no boot, id or answer yet; :mod:`show` adds them.
All seats get the same scene, lamp and press mode from nightfall to morning.
"""

from firmware.fit import shown
from firmware.wire import Cue, Icon, Layout, PressMode
from firmware.words import Words
from table_controller.cue_parts import ROLE_ICONS, held_card, new_cue
from table_controller.cue_parts import Setting as Setting
from table_controller.day_cues import day_cue
from table_controller.game import Countdown, CountdownKind, Phase
from table_controller.game.views import PublicPhase, PublicView, SeatView
from table_controller.wording import fact_line, role_name, winner_name


def misfit(kit: str, own: str, words: Words) -> Cue:
    """Return the cue for a device whose *kit* does not fit the table's *own*.

    Another version may read it: nothing is in it that a cue did not have from the first.
    """
    t = words.gettext
    lines = (t("kit {kit}").format(kit=shown(kit)), t("table {kit}").format(kit=own))
    return new_cue(words, "misfit", layout=Layout.TITLE, title=t("Update"), lines=lines)


def idle(words: Words) -> Cue:
    """Return the cue between games."""
    t = words.gettext
    return new_cue(
        words,
        "idle",
        layout=Layout.TITLE,
        title=t("Mafia"),
        lines=(t("Hold VOTE to start"),),
        press=PressMode.RELEASE,
    )


def clock_of(view: SeatView, public: PublicView) -> Countdown | None:
    """Return the clock that the seat of *view* shows; None: none.

    While an accusation is open it is that one's, but whoever has the floor keeps its own.
    """
    if public.accusation is not None and not view.own_floor:
        kinds = (each for each in public.countdowns if each.kind is CountdownKind.ACCUSATION)
        return next(kinds, None)
    return next(iter(public.countdowns), None)


def cue(view: SeatView, public: PublicView, setting: Setting) -> Cue:
    """Return what the seat of *view* shows now."""
    if public.paused and public.phase is not PublicPhase.OVER:
        return _paused(view, setting)
    match view.phase:
        case Phase.SEATING | Phase.DEALING:
            return _seating(view, public, setting)
        case Phase.LOOK | Phase.MORNING:
            return _card(view, public, setting)
        case Phase.NIGHTFALL | Phase.MEETING | Phase.REST | Phase.CALLING | Phase.GATHERING:
            return _night(view, setting)
        case Phase.OVER:
            return _over(view, public, setting)
    return day_cue(view, public, setting)


def _paused(view: SeatView, setting: Setting) -> Cue:
    t = setting.words.gettext
    return new_cue(
        setting.words,
        "paused",
        layout=Layout.TITLE,
        title=t("Paused"),
        lines=(t("All hold VOTE to go on"),),
        press=PressMode.RELEASE,
        **held_card(view, setting),
    )


def _seating(view: SeatView, public: PublicView, setting: Setting) -> Cue:
    t = setting.words.gettext
    ready = public.seats[view.seat - 1].ready
    return new_cue(
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


def _card(view: SeatView, public: PublicView, setting: Setting) -> Cue:
    t = setting.words.gettext
    scene = "card" if view.phase is Phase.LOOK else "morning"
    clock = setting.clock()
    if view.card is None:
        # Gone already: this seat has no card any more, and its screen glows like the others.
        title = t("Out of the game")
        return new_cue(setting.words, scene, layout=Layout.ICON, title=title, clock=clock)
    # The latest alone, in large letters: the morning is short. All are on the held card.
    role = role_name(view.card.role, setting.words)
    latest = [fact for fact in view.card.facts if fact.night == public.night]
    return new_cue(
        setting.words,
        scene,
        layout=Layout.ICON,
        icon=ROLE_ICONS[view.card.role],
        title=t("Your card") if scene == "card" else role,
        lines=(role,)
        if scene == "card"
        else tuple(fact_line(fact, view.card.role, setting.words) for fact in latest),
        clock=clock,
        absence=None if scene == "card" else setting.absence_at_night(view),
        private=True,
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
    return new_cue(
        setting.words,
        scene,
        layout=Layout.ICON,
        icon=Icon.MOON,
        title=title,
        lines=lines,
        press=press,
        absence=setting.absence_at_night(view),
    )


def _over(view: SeatView, public: PublicView, setting: Setting) -> Cue:
    seat = public.seats[view.seat - 1]
    lines = [setting.words.gettext("The game is void.")] if public.voided else []
    if seat.max is not None and seat.classic is not None:
        lines = [f"Max {seat.max / 100:+.2f}", f"Classic {seat.classic / 100:+.2f}"]
    return new_cue(
        setting.words,
        "over",
        layout=Layout.ICON,
        icon=Icon.NONE if seat.role is None else ROLE_ICONS[seat.role],
        title=winner_name(public.winner, setting.words),
        lines=tuple(lines),
        press=PressMode.RELEASE,
    )

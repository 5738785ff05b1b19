"""What a seat shows by day: floors, votes, picks, and who waits or is out."""

from firmware.signals import LampState, lamp_of
from firmware.wire import Cue, Entry, Icon, Lamp, Layout, Menu, PressMode
from table_controller.cue_parts import Setting, held_card, new_cue
from table_controller.game import SEATS, Phase
from table_controller.game.views import Deed, PublicPhase, PublicView, SeatView
from table_controller.interpret import NOBODY, menu_id
from table_controller.wording import offence_name, sanction_name


def day_cue(view: SeatView, public: PublicView, setting: Setting) -> Cue:
    """Return what the seat of *view* shows by day, while the game runs."""
    if view.own_floor:
        return _own_floor(view, public, setting)
    if not view.living:
        t = setting.words.gettext
        return new_cue(
            setting.words,
            "out",
            layout=Layout.NOTE,
            title=t("Out of the game"),
            lines=_accused(public, setting) or (_what_happens(public, setting),),
            lamp=_lamp(view, public),
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
    if public.accusation is not None:
        return _accusation(view, public, setting)
    if public.shout == view.seat:
        t = setting.words.gettext
        return _living(view, public, setting, "shout", layout=Layout.CLOCK, title=t("Your shout"))
    t = setting.words.gettext
    muted = (t("You have lost your speech."),) if view.silenced else ()
    return _living(
        view,
        public,
        setting,
        "muted" if view.silenced else "day",
        layout=Layout.CLOCK,
        title=_what_happens(public, setting),
        lines=muted + _nominees(public, setting),
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
    menu = _menu(view, public, setting)
    return _living(
        view,
        public,
        setting,
        scene,
        layout=Layout.CLOCK,
        title=title,
        lines=_accused(public, setting) or _chosen(view, setting),
        menu=menu,
        look=setting.look(view, pick=menu is not None),
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
        view,
        public,
        setting,
        scene,
        layout=layout,
        title=title,
        lines=lines,
        icon=Icon.CHECK if view.voted else Icon.NONE,
        press=PressMode.EDGE,
    )


def _motion(view: SeatView, public: PublicView, setting: Setting, voted: str) -> Cue:
    t = setting.words.gettext
    motion = public.motion
    assert motion is not None
    accused = view.seat == motion.seat
    words = setting.words
    offence = () if motion.offence is None else (offence_name(motion.offence, words),)
    return _living(
        view,
        public,
        setting,
        "motion",
        layout=Layout.NOTE,
        title=t("Motion on {seat}").format(seat=motion.seat),
        lines=(
            sanction_name(motion.sanction, words),
            *offence,
            t("It is about you") if accused else voted or t("VOTE: for it"),
            t("Needed: {needed} of {voters}").format(needed=motion.needed, voters=motion.voters),
        ),
        press=PressMode.OFF if accused else PressMode.EDGE,
    )


def _accusation(view: SeatView, public: PublicView, setting: Setting) -> Cue:
    t = setting.words.gettext
    accusation = public.accusation
    assert accusation is not None
    if view.deed is Deed.CONFIRM:
        asked = t("VOTE: confirm")
    elif view.seat == accusation.seat:
        asked = t("It is about you")
    else:
        asked = t("A second seat must confirm")
    return _living(
        view,
        public,
        setting,
        "accusation",
        layout=Layout.NOTE,
        title=t("{by} accuses {seat}").format(by=accusation.by, seat=accusation.seat),
        lines=(offence_name(accusation.offence, setting.words), asked),
    )


def _accused(public: PublicView, setting: Setting) -> tuple[str, ...]:
    """Return the open accusation as a line for who cannot confirm it; none without one."""
    accusation = public.accusation
    if accusation is None:
        return ()
    t = setting.words.gettext
    name = offence_name(accusation.offence, setting.words)
    text = t("{by} accuses {seat}: {offence}")
    return (text.format(by=accusation.by, seat=accusation.seat, offence=name),)


def _living(
    view: SeatView, public: PublicView, setting: Setting, scene: str, **fields: object
) -> Cue:
    shown: dict[str, object] = {
        "lamp": _lamp(view, public),
        "clock": setting.clock(),
        "press": PressMode.RELEASE,
        "look": setting.look(view),
        # Who says farewell may have left already.
        "absence": setting.absence(view),
        **held_card(view, setting),
    }
    return new_cue(setting.words, scene, **(shown | fields))


def _lamp(view: SeatView, public: PublicView) -> Lamp:
    """Return the lamp of a seat by day."""
    holds = {
        LampState.FLOOR: view.own_floor or public.shout == view.seat,
        LampState.CALLED: public.called == view.seat,
        LampState.NOMINATED: view.seat in public.nominees or view.seat in public.candidates,
        LampState.MUTED: view.silenced,
        LampState.OUT: not view.living,
    }
    return lamp_of({state for state, there in holds.items() if there})


def _menu(view: SeatView, public: PublicView, setting: Setting) -> Menu | None:
    t = setting.words.gettext
    titles = {
        Deed.NOMINATE: t("Nominate"),
        Deed.BEST_MOVE: t("Best move (0-3)"),
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

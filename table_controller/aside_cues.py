"""What a seat shows beside a game: readiness round, practice, identify, placing, accusing. Pure."""

from collections.abc import Iterable
from typing import Final

import msgspec

from firmware.wire import (
    Button,
    ClockFace,
    Cue,
    Entry,
    GestureName,
    Icon,
    Lamp,
    Layout,
    Mark,
    Menu,
    PressMode,
)
from firmware.words import Words
from table_controller.cue_parts import new_cue
from table_controller.game.terms import Offence
from table_controller.practice import CANDIDATES, PracticeBallot
from table_controller.readiness import ButtonState, CameraState, SeatReadiness
from table_controller.wording import offence_name

_TICK: Final = "✓"


def check(seat: SeatReadiness, words: Words) -> Cue:
    """Return what *seat* shows until both buttons were pressed."""
    t = words.gettext
    asked = {Button.VOTE: t("Press VOTE"), Button.SHOUT: t("Press SHOUT")}
    lines = [
        _button(button.upper(), asked[button], state, words)
        for button, state in ((Button.VOTE, seat.vote), (Button.SHOUT, seat.shout))
        if state is not ButtonState.NOT_FITTED
    ]
    return new_cue(
        words,
        "check",
        title=seat.name,
        lines=(*lines, camera_word(seat.camera, words)),
        press=PressMode.RELEASE,
    )


def _button(name: str, asked: str, state: ButtonState, words: Words) -> str:
    match state:
        case ButtonState.PRESSED:
            return f"{_TICK} {name}"
        case ButtonState.STUCK:
            return words.gettext("{button} is stuck").format(button=name)
    return asked


def camera_word(camera: CameraState, words: Words) -> str:
    """Return the camera's state in words."""
    t = words.gettext
    return {
        CameraState.NONE: t("No camera"),
        CameraState.SEES: t("Camera: sees you"),
        CameraState.EMPTY: t("Camera: sees nobody"),
        CameraState.CLOSER: t("Camera: move closer"),
        CameraState.FARTHER: t("Camera: move back"),
        CameraState.EDGE: t("Camera: aim it at you"),
        CameraState.DARK: t("Camera: too dark"),
        CameraState.COVERED: t("Camera: covered"),
        CameraState.FAILS: t("Camera: does not work"),
        CameraState.OFF: t("Camera: switched off"),
        CameraState.LOOKS: t("Camera: is looking"),
    }[camera]


def practice(seat: int, ballot: PracticeBallot, words: Words, now_s: float) -> Cue:
    """Return what *seat* shows of the practice ballot: a vote's screens, marked as practice."""
    t = words.gettext
    step = ballot.step
    mark, candidate = ballot.result(seat)
    voted = t("You have voted") if mark is Mark.ACCEPTED else ""
    nothing = t("Practice: it counts for nothing")
    clock = ClockFace(round(max(0.0, ballot.due_s - now_s), 3))
    if step.called:
        return new_cue(
            words,
            "practice",
            layout=Layout.BIG,
            title=str(step.called),
            lines=(t("Practice"), voted or t("VOTE: against this seat")),
            lamp=_lamp(seat, step.called),
            clock=clock,
            press=PressMode.EDGE,
        )
    if step.told:
        told = {
            Mark.ACCEPTED: t("Your press: accepted for seat {seat}").format(seat=candidate),
            Mark.LATE: t("Your press: too late"),
            Mark.NOTHING: t("No press"),
        }[mark]
    else:
        told = voted or t("Press VOTE when a number is called")
    return new_cue(
        words,
        "practice",
        title=t("Practice"),
        lines=(told, nothing),
        lamp=Lamp.OFF if step.told else _lamp(seat, 0),
        press=PressMode.EDGE,
    )


def _lamp(seat: int, called: int) -> Lamp:
    if seat == called:
        return Lamp.FAST
    return Lamp.BLINK if seat in CANDIDATES else Lamp.OFF


def identify(content: Cue, seat: int, user: str) -> Cue:
    """Return *content* with the seat's number, or a spare's name, big over it.

    The buttons go on working as *content* says.
    """
    return msgspec.structs.replace(
        content,
        scene="identify",
        layout=Layout.BIG,
        title=str(seat) if seat else user,
        lines=(user,) if seat else (),
        icon=Icon.NONE,
        lamp=Lamp.FAST,
        clock=None,
    )


def place(asks: int, placed: int, words: Words) -> Cue:
    """Return what a device shows while seats are asked for; *placed* is its own, 0 none yet."""
    t = words.gettext
    line = t("This is seat {seat}") if placed else t("Press VOTE to be seat {seat}")
    return new_cue(
        words,
        "place",
        layout=Layout.BIG,
        title=str(placed or asks),
        lines=(line.format(seat=placed or asks),),
        lamp=Lamp.ON if placed else Lamp.BLINK,
        press=PressMode.RELEASE,
    )


def accuse(content: Cue, menu: Menu, *, two_hands: bool) -> Cue:
    """Return *content* with an open list over it; the lamp goes on telling the room the same."""
    look = content.look
    if two_hands and GestureName.NUMBER in look.gestures:
        look = msgspec.structs.replace(look, two_hands=True)
    return msgspec.structs.replace(content, scene="accuse", menu=menu, look=look)


def accused_menu(number: int, seats: Iterable[int], names: tuple[str, ...], words: Words) -> Menu:
    """Return the list of whom a seat can accuse; *number* is its id."""
    entries = tuple(Entry(seat, f"{seat} {names[seat - 1]}") for seat in seats)
    return Menu(number, entries, title=words.gettext("Accuse whom?"))


def offence_menu(
    number: int, accused: int, offences: Iterable[tuple[int, Offence]], words: Words
) -> Menu:
    """Return the list of what *accused* can be accused of; each offence has its own number."""
    entries = tuple(Entry(value, offence_name(offence, words)) for value, offence in offences)
    title = words.gettext("Accuse {seat} of what?").format(seat=accused)
    return Menu(number, entries, title=title)

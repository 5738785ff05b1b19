"""The page of devices: how each one is, in words. It tells nothing of anybody's presses."""

from collections.abc import Callable
from typing import Final, NamedTuple

from flask import Flask, Response

from firmware.words import N_, Words, catalogue
from table_controller.misfits import MISFIT
from table_controller.scoreboard.pages.frame import show
from table_controller.scoreboard.pages.posted import Device, Posted, Sight

_SIGHTS: Final = {
    Sight.NONE: N_("none"),
    Sight.SEES: N_("sees well"),
    Sight.DARK: N_("too dark"),
    Sight.COVERED: N_("covered"),
    Sight.FAILS: N_("fails"),
    Sight.OFF: N_("switched off by the host"),
    Sight.UNKNOWN: N_("has not said yet"),
}

_PARTS: Final = {
    "shout": N_("SHOUT button"),
    "lamp": N_("lamp"),
    "screen": N_("screen"),
    "camera": N_("camera"),
}


class DeviceCard(NamedTuple):
    """A device as the page shows it."""

    name: str
    user: str
    online: bool
    plays: bool
    """Its kit fits the table's."""
    lines: tuple[tuple[str, str, bool], ...]
    """(what, value, something is wrong with it)."""


def card(device: Device, words: Words) -> DeviceCard:
    """Return *device* in words."""
    t = words.gettext
    name = t("Seat {seat}").format(seat=device.seat) if device.seat else t("Spare")
    plays = not device.table_version
    lines = _lines(device, words) if device.online and plays else ()
    version = ((t("Version"), device.version, False),) if device.version else ()
    if not plays:
        kits = t(MISFIT).format(kit=device.version, own=device.table_version)
        version = ((t("Version"), kits, True),)
    return DeviceCard(name, device.user, device.online, plays, (*lines, *version))


def _lines(device: Device, words: Words) -> tuple[tuple[str, str, bool], ...]:
    t = words.gettext
    hot = device.throttled is True
    unknown = "\N{EN DASH}"
    throttled = unknown if device.throttled is None else t("yes") if hot else t("no")
    bad = device.sight in (Sight.DARK, Sight.COVERED, Sight.FAILS)
    lines = [
        (t("Link, there and back"), _with(device.link_ms, t("{number} ms")), False),
        (t("Temperature"), _with(device.temperature_c, t("{number} °C")), False),
        (t("Slowed by heat or weak power"), throttled, hot),
        (t("Camera"), t(_SIGHTS[device.sight]), bad),
    ]
    if device.fps is not None and device.sight is not Sight.NONE:
        lines.append((t("Pictures a second"), str(device.fps), False))
    lacks = [t(_PARTS[part]) for part in device.lacks if part != "camera"]
    if lacks:
        lines.append((t("Does without"), ", ".join(lacks), False))
    return tuple(lines)


def _with(number: int | None, text: str) -> str:
    return "\N{EN DASH}" if number is None else text.format(number=number)


def add_devices(app: Flask, posted: Posted, chosen: Callable[[], str]) -> None:
    """Let *app* serve ``/devices`` from what is *posted*; *chosen* is a request's language."""

    @app.get("/devices")
    def devices() -> Response:
        spoken = chosen()
        words = catalogue(spoken)
        known = posted.devices
        answer = show(
            "devices.html",
            spoken,
            known=known is not None,
            night=posted.night,
            cards=tuple(card(each, words) for each in known or ()),
        )
        answer.headers["Cache-Control"] = "no-store"
        return answer

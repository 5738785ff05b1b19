"""``mafia-seat check``: each part of a seat, working or what to do about it."""

import contextlib
import os
import queue
import sys
import tempfile
from pathlib import Path
from typing import Any

import click
import msgspec

import firmware
from firmware import header, service
from firmware.board import Level, SeatBoard, mock_pins, open_pins
from firmware.card import PartsCard, SeatCard, link_settings, read_seat_card
from firmware.clock import Clock, SystemClock
from firmware.errors import BoardError, CardError
from firmware.finding import Finding, Outcome, Report, Translate, fault, fine
from firmware.machine import built_at, disk
from firmware.machine import clock as time_of_day
from firmware.wire import Button, Lamp, Layout
from firmware.words import SOURCE
from seat_node.checks import machine, parts, sight
from seat_node.checks.hood import PAGE_S, Hood
from seat_node.checks.pages import in_pages
from seat_node.checks.presses import PressTest, pressing
from seat_node.checks.probe import probe
from seat_node.checks.reach import link
from seat_node.display import Screen, open_device
from seat_node.eyes_link import OWN_UNIT
from seat_node.face import Face, words_of
from seat_node.inbox import Asked
from seat_node.rehearse import rehearsal


class Options(msgspec.Struct, frozen=True):
    """What the command line says."""

    card: Path
    rehearsal: Path | None = None
    """Socket to press mock pins at; None: real parts."""
    eyes: str | None = None
    """Source of pictures, when it is not the Pi's camera."""
    press: bool | None = None
    """Whether to ask for presses; None: if somebody sits at a terminal."""


def print_pins(path: Path) -> None:
    """Print the seat's wiring, in the language of the card at *path* if there is one."""
    language = SOURCE
    with contextlib.suppress(CardError):
        language = read_seat_card(path).language
    click.echo(header.drawing("seat", words_of(language).gettext))


def check_seat(options: Options) -> None:
    """Print how each part of the seat is, and show it on its screen.

    Without a card the machine and the parts of a whole seat are checked.

    :raises CardError: at the end, if the card is wrong.
    :raises BoardError: at the end, if something does not work.
    """
    service.keep_memory_private()
    clock = SystemClock()
    card, wrong = _card(options.card)
    report = Report(words_of(card.language if card else SOURCE))
    t = report.t
    if card is not None:
        report.add(
            fine(
                t("SD card"), t("{user} of table {table}").format(user=card.user, table=card.table)
            )
        )
    else:
        report.add(fault(t("SD card"), str(wrong), t("Name it with --card; read it with sudo.")))
    eyes = options.eyes is not None or (card is not None and card.parts.eyes)
    _machine(report, clock, eyes=eyes, tls=card is not None and bool(card.link.ca))
    busy = None if options.rehearsal else parts.running(t, OWN_UNIT.parent)
    if busy is not None:
        report.add(busy)
    else:
        _seat(report, card, options, clock, eyes=eyes)
    if wrong is not None:
        raise wrong
    if report.faults:
        raise BoardError(t("not in order: {parts}").format(parts=", ".join(report.faults)))


def _card(path: Path) -> tuple[SeatCard | None, CardError | None]:
    try:
        return read_seat_card(path), None
    except CardError as error:
        return None, error


def _machine(report: Report, clock: Clock, *, eyes: bool, tls: bool) -> None:
    t = report.t
    built = built_at(Path(firmware.__file__).parent)
    report.add(sight.cpu(t, eyes=eyes))
    report.add(machine.power(t))
    report.add(disk(t))
    report.add(time_of_day(t, clock.wall(), built=built, tls=tls))
    report.add(machine.fonts(t))


def _seat(
    report: Report, card: SeatCard | None, options: Options, clock: Clock, *, eyes: bool
) -> None:
    """Check all that the running seat would hold."""
    t = report.t
    has = card.parts if card else PartsCard()
    inbox: queue.SimpleQueue[Level | Asked] = queue.SimpleQueue()
    with contextlib.ExitStack() as stack:
        # lgpio makes a pipe in the working folder, which may be read-only.
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="mafia-check-"))
        os.environ.setdefault("LG_WD", folder)
        found, board = parts.pins(t, has, mock_pins if options.rehearsal else open_pins, inbox.put)
        report.add(found)
        server = None
        if board is not None:
            stack.callback(board.close)
            if options.rehearsal:
                server = stack.enter_context(rehearsal(options.rehearsal, board, inbox.put))
        found, device = _screen(t, has, options)
        report.add(found)
        troubles: list[str] = []
        screen = stack.enter_context(Screen(lambda: device, troubles.append))
        hood = Hood(screen, inbox, clock, server)
        wait = t("The table and the eyes take a moment.")
        hood.show(
            Face(
                scene="check",
                layout=Layout.TITLE,
                title=t("Self-test"),
                lines=(wait,),
                language=report.language,
            )
        )
        if card is not None:
            report.add(link(t, link_settings(card), card.table, clock))
        if eyes:
            _eyes(report, options.eyes or "picamera2")
        if board is not None and _asks_for_presses(options):
            _presses(report, board, hood, clock)
        if device is not None:
            _pages(report, hood, clock)
        if any(troubles):
            report.add(fault(t("screen"), troubles[0], t("Check the four wires of the screen.")))


def _screen(t: Translate, has: PartsCard, options: Options) -> tuple[Finding, Any]:
    if options.rehearsal and has.screen != "none":
        return fine(t("screen"), t("a picture of one")), open_device("dummy")
    return parts.screen(t, has, open_device)


def _eyes(report: Report, source: str) -> None:
    t = report.t
    directory = sight.models_directory()
    fits = sight.read_cpu().mediapipe(sys.version_info[:2])
    models = sight.models(t, directory)
    report.add(models)
    if models.outcome is Outcome.FINE:
        report.add(sight.vision(t, sight.installed(), fits, directory, probe))
    report.add(sight.camera(t, source, probe))


def _asks_for_presses(options: Options) -> bool:
    if options.press is None:
        return options.rehearsal is None and sys.stdin.isatty()
    return options.press


def _presses(report: Report, board: SeatBoard, hood: Hood, clock: Clock) -> None:
    """Ask for each button, on screen and terminal, the lamp blinking meanwhile."""
    t = report.t
    test = PressTest(board.buttons, board.closed, clock.now_s())
    board.show(Lamp.BLINK, clock.now_s())
    # Nothing to blink where no lamp is fitted.
    lamp = t("The lamp blinks meanwhile.") if board.next_due_s is not None else ""
    told = None
    while (wanted := test.wanted) is not None:
        title = t("Press VOTE") if wanted is Button.VOTE else t("Press SHOUT")
        hood.show(
            Face(
                scene="check",
                layout=Layout.TITLE,
                title=title,
                lines=(t("and let go") if test.waits_for_release else lamp,),
                lamp=Lamp.BLINK,
                language=report.language,
            )
        )
        if told is not wanted:
            told = wanted
            click.echo(f"{title} ... {lamp}".rstrip())
        due_s = min(test.next_due_s, board.next_due_s or test.next_due_s)
        level = hood.wait(due_s)
        if level is not None:
            test.feed(level)
        # A level that waits may end what would be due: time passes when none does.
        else:
            test.tick(clock.now_s())
        board.tick(clock.now_s())
        if wanted in test.results:
            report.add(pressing(t, wanted, test.results[wanted]))
    board.show(Lamp.OFF, clock.now_s())


def _pages(report: Report, hood: Hood, clock: Clock) -> None:
    """Show all findings on the screen, page by page; a press turns the page."""
    for page in in_pages(report.findings, report.t, report.language):
        hood.show(page)
        until_s = clock.now_s() + PAGE_S
        while (level := hood.wait(until_s)) is not None and not level.closed:
            pass

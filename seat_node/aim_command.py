"""``mafia-seat aim``: set a seat's camera up, by words on its screen and in the terminal."""

import contextlib
import queue
import sys
import tempfile
from pathlib import Path
from typing import Final, TextIO

import click
import msgspec

from firmware import service
from firmware.board import Level, SeatBoard, mock_pins
from firmware.card import PartsCard, read_seat_card
from firmware.clock import Clock, SystemClock
from firmware.errors import BoardError, CardError
from firmware.finding import Translate
from firmware.words import SOURCE
from seat_node.aim import DONE, USELESS, WISH, Aim, face_of, line_of
from seat_node.checks.hood import Hood
from seat_node.checks.parts import STOP_SEAT
from seat_node.checks.sight import models_directory
from seat_node.display import Screen, open_device
from seat_node.eyes_link import OWN_UNIT, EyesProcess, EyesSocket, eyes_command
from seat_node.face import words_of
from seat_node.inbox import Asked, EyesGone, Stop
from seat_node.rehearse import rehearsal
from seat_node.reports import Report

TURN_S: Final = 0.1
"""How often screen and terminal follow."""

LINE_S: Final = 1.0
"""How often a line is printed where none can be written over."""

CLEAR: Final = "\r\x1b[2K"
"""To the first column, and erase the line. Source: ECMA-48, EL."""

CAMERA: Final = "picamera2"


class Options(msgspec.Struct, frozen=True):
    """What the command line says."""

    card: Path
    source: str = CAMERA
    language: str = ""
    """``""``: the card's."""
    within_s: float = 300.0
    rehearsal: Path | None = None
    """Socket to show a mock screen at; None: the real one."""


class Terminal:
    """One line that changes; where that cannot be, a line each second."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._over = out.isatty()
        self._shown = ""
        self._due_s = float("-inf")

    def tell(self, line: str, now_s: float) -> None:
        """Show *line* at *now_s*."""
        if self._over and line != self._shown:
            self._out.write(CLEAR + line)
        elif not self._over and (line != self._shown or now_s >= self._due_s):
            self._out.write(line + "\n")
            self._due_s = now_s + LINE_S
        self._shown = line
        self._out.flush()

    def end(self) -> None:
        """Leave the line as it is."""
        if self._over and self._shown:
            self._out.write("\n")


def aim_seat(options: Options) -> None:
    """Say what to do until the camera sees the player well.

    :raises BoardError: if it does not in time, or somebody ended it; says what is missing.
    """
    parts, language = PartsCard(screen="none"), SOURCE
    with contextlib.suppress(CardError):  # A card is not needed to look at somebody.
        card = read_seat_card(options.card)
        parts, language = card.parts, card.language
    language = options.language or language
    t: Translate = words_of(language).gettext
    if options.rehearsal is None and options.source == CAMERA and OWN_UNIT.parent.exists():
        raise BoardError(t("the seat runs and has the camera: {stop}").format(stop=STOP_SEAT))
    service.keep_memory_private()
    clock = SystemClock()
    inbox: queue.SimpleQueue[Report | EyesGone | Stop] = queue.SimpleQueue()
    service.on_stop(lambda: inbox.put(Stop()))
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mafia-aim-")))
        hood = _hood(parts, options, clock, stack)
        terminal = Terminal(sys.stdout)
        stack.callback(terminal.end)
        complaints = stack.enter_context((folder / "eyes.log").open("w+b"))
        path = folder / "eyes.sock"
        line = stack.enter_context(EyesSocket(path, inbox.put, clock))
        line.watch(WISH)
        models = ("--models", str(models_directory()))
        command = (*eyes_command(options.source, path), *models)
        stack.enter_context(
            EyesProcess(command, inbox.put, clock, lambda: line.last_s, stderr=complaints)
        )
        missing = _follow(inbox, hood, terminal, clock, t, language, options.within_s)
        if missing in USELESS:
            complaints.seek(0)
            said = complaints.read().decode(errors="replace").strip().splitlines()
            raise BoardError(f"{line_of(missing, t)} {said[-1] if said else ''}".rstrip())
    if missing != DONE:
        raise BoardError(t("not set up: {missing}").format(missing=line_of(missing, t)))


def _follow(
    inbox: "queue.SimpleQueue[Report | EyesGone | Stop]",
    hood: Hood,
    terminal: Terminal,
    clock: Clock,
    t: Translate,
    language: str,
    within_s: float,
) -> str:
    """Show what the eyes say until it is done, cannot be or takes too long; return the word."""
    aim = Aim(clock.now_s())
    until_s = clock.now_s() + within_s
    while True:
        word = aim.word(clock.now_s())
        terminal.tell(line_of(word, t), clock.now_s())
        hood.show(face_of(word, t, language))
        hood.wait(clock.now_s())
        if word == DONE or word in USELESS or clock.now_s() >= until_s:
            return word
        try:
            item = inbox.get(timeout=TURN_S)
        except queue.Empty:
            continue
        if isinstance(item, Stop):
            return word
        aim.take(item, clock.now_s())


def _hood(parts: PartsCard, options: Options, clock: Clock, stack: contextlib.ExitStack) -> Hood:
    """Return the screen, a mock one at the rehearsal socket."""
    asked: queue.SimpleQueue[Level | Asked] = queue.SimpleQueue()
    driver: str = parts.screen
    server = None
    if options.rehearsal is not None:
        driver = "dummy"
        board = SeatBoard(mock_pins(), asked.put)
        stack.callback(board.close)
        server = stack.enter_context(rehearsal(options.rehearsal, board, asked.put))
    screen = stack.enter_context(
        Screen(
            lambda: open_device(driver, parts.i2c_bus, parts.i2c_address),
            # One that fails is told once and not needed: the terminal says the same.
            lambda reason: click.echo(f"\n{reason}", err=True) if reason else None,
        )
    )
    return Hood(screen, asked, clock, server)

"""The command ``mafia-table demo``: a whole game without hardware, played by bots."""

import contextlib
import importlib.util
import os
import re
import signal
import socket
import sys
import webbrowser
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from firmware import service
from firmware.pin import new_pin, spaced
from firmware.rehearsal import Heard
from firmware.words import LANGUAGES, Words, catalogue
from table_controller.commands.rulesheet import read_ruleset, ruleset_options
from table_controller.game import SEATS
from table_controller.rehearsal.bots import Bot
from table_controller.rehearsal.hand import Hand
from table_controller.rehearsal.house import House, Settings
from table_controller.rehearsal.panel import PanelServer

PORT: Final = 8080
"""Of the scoreboard, when it is free and no other was asked for."""

SPEED: Final = 4.0
"""Makes a game of some five minutes that can still be followed."""

PLAYED_SPEED: Final = 1.5
"""With a person at a seat: a number of the night is called for 1.7 s."""

ENDS: Final = ("town_wins", "mafia_wins", "draw")
"""What the voice says at the end of a game."""

INTERRUPTED: Final = 130
"""Exit code after Ctrl-C. Source: 128 + SIGINT, as a shell has it."""

END_S: Final = 10.0
"""Patience with the table from the end of the game to its own."""

PLAYERS: Final = {
    "en": ("Alice", "Ben", "Clara", "David", "Emma", "Felix", "Grace", "Henry", "Iris", "Jack"),
    "de": ("Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta", "Hannes", "Ida", "Jonas"),
    "ru": ("Аня", "Борис", "Вера", "Глеб", "Даша", "Егор", "Женя", "Зоя", "Илья", "Катя"),
}


class WrongOption(click.ClickException):
    """An option cannot be used here: one line and exit 2."""

    exit_code = service.Exit.USAGE


@click.command(short_help="Play a whole game without hardware.")
@click.option(
    "--speed",
    type=click.FloatRange(min=0, min_open=True),
    metavar="X",
    help="Run the clocks of the game so many times as fast; "
    f"{SPEED:g}, or {PLAYED_SPEED:g} with --seat, when left out.",
)
@click.option(
    "--seat",
    "mine",
    type=click.IntRange(1, 10),
    multiple=True,
    metavar="N",
    help="Play seat N yourself, in the browser; bots play the rest. Can be given several times.",
)
@click.option("--no-browser", is_flag=True, help="With --seat: print the address only.")
@click.option("--seed", type=int, metavar="N", help="Deal the same roles again, with like bots.")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    metavar="N",
    help=f"Port of the scoreboard; {PORT} or, if that is busy, any free one when left out.",
)
@ruleset_options
@click.option(
    "--eyes",
    multiple=True,
    metavar="N=SOURCE",
    help="Let seat N watch a folder of pictures, a video or a webcam.",
)
@click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    help="Of names, screens, page and result.",
)
@click.option("--quit", "quits", is_flag=True, help="Print the result and stop after the game.")
def demo(
    port: int | None,
    eyes: tuple[str, ...],
    speed: float | None,
    mine: tuple[int, ...],
    no_browser: bool,
    quits: bool,
    **options: Any,
) -> None:
    """Play a whole game on this machine: a broker, a table, ten seats, ten bots.

    Everything but the parts is real. The scoreboard's address is printed first, then
    the host's page with its PIN, then the seats that you play: keep those to yourself,
    they show your card.
    Ctrl-C ends all of it, with exit code 130.
    """
    if port is None:
        port = None if _why_not(PORT) else PORT
    elif why := _why_not(port):
        raise WrongOption(f"port {port} {why}: choose another with --port")
    settings = Settings(
        **options,
        speed=speed or (PLAYED_SPEED if mine else SPEED),
        port=port,
        once=quits,
        readiness=True,
        pin=new_pin(),
        eyes=_sources(eyes),
        players=PLAYERS[options["language"]],
    )
    service.start_logging("warning")
    if wrong := service.run(lambda: read_ruleset(settings.ruleset, turbo=settings.turbo)):
        # Said here in one line; from the table it would be its last words.
        sys.exit(wrong)
    # SIGINT too: a shell starts what it puts in the background with it ignored.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.default_int_handler)
    seats = tuple(dict.fromkeys(mine))
    try:
        sys.exit(service.run(lambda: _play(settings, seats, browser=not no_browser)))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _play(settings: Settings, mine: tuple[int, ...], *, browser: bool) -> None:
    words = catalogue(settings.language)
    with contextlib.ExitStack() as stack:
        house = stack.enter_context(House(settings))
        click.echo(f"Scoreboard: {house.address}")
        click.echo(f"Host: {house.address}host, PIN {spaced(settings.pin)}")
        if mine:
            panel = stack.enter_context(_panel(house, mine, words))
            for seat, address in panel.addresses.items():
                click.echo(f"Seat {seat}: {address}")
            if browser:
                _open(house.folder, panel.addresses)
        sys.stdout.flush()
        _seat_bots(house, mine, words)
        if not settings.once:
            house.stage.on_heard.append(lambda heard: _tell_end(heard, words, played=bool(mine)))
        house.wait_ready()
        while not (settings.once and house.table.code == 0):
            house.stage.turn()
            if not settings.once or house.table.code != 0:
                house.check()
        _, _, result = house.table.out.read_text(encoding="utf-8").partition("\n")
        click.echo(result, nl=False)


def _panel(house: House, mine: tuple[int, ...], words: Words) -> PanelServer:
    hands = tuple(
        Hand(house.stage, seat, house.folder / f"seat-{seat}.sock", words) for seat in mine
    )
    return PanelServer(house.stage, hands, words, house.address)


def _seat_bots(house: House, mine: tuple[int, ...], words: Words) -> None:
    """Put a bot on every seat that is not *mine*."""
    settings = house.settings
    whim = house.folder.name if settings.seed is None else str(settings.seed)
    for seat, panel in house.stage.panels.items():
        if seat not in mine:
            Bot(
                panel,
                house.stage,
                words,
                1 / settings.speed,
                f"{whim} {seat}",
                again=bool(mine),
            )


def _tell_end(heard: Heard, words: Words, *, played: bool) -> None:
    """Say who won, and what can be done then."""
    if heard.phrase not in ENDS:
        return
    t = words.gettext
    click.echo(heard.text)
    click.echo(t("The scoreboard shows roles and points."))
    if played:
        click.echo(t("Hold VOTE at your seat for another game."))
    click.echo(t("Ctrl-C ends the demo."))
    sys.stdout.flush()


def _open(folder: Path, addresses: Mapping[int, str]) -> None:
    """Open the pages in the browser, if there is a display for it.

    By way of a file that only we can read: everybody sees what a browser is started with.
    """
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    for seat, address in addresses.items():
        path = folder / f"seat-{seat}.html"
        path.touch(mode=0o600)
        path.write_text(
            f'<!doctype html><meta http-equiv="refresh" content="0;url={address}">',
            encoding="utf-8",
        )
        webbrowser.open(path.as_uri())


def _why_not(port: int) -> str:
    """Return why the scoreboard cannot have *port*; "" if it can."""
    with socket.socket() as probe:
        # As the scoreboard does: a port that a former one has just left is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except PermissionError:
            return "is for root alone"
        except OSError:
            return "is busy"
    return ""


def _sources(named: tuple[str, ...]) -> dict[int, str]:
    """Return the source of pictures by seat.

    :raises WrongOption: if a seat or a source is wrong, or the eyes cannot run here.
    """
    sources = {}
    for text in named:
        seat, _, source = text.partition("=")
        if not seat.isdigit() or int(seat) not in SEATS:
            raise WrongOption(f"--eyes {text}: expected N=SOURCE with a seat from 1 to 10")
        if not re.fullmatch(r"picamera2|webcam(:\d+)?", source) and not (
            source and Path(source).exists()
        ):
            raise WrongOption(f"--eyes {text}: no file or folder {source!r}")
        sources[int(seat)] = source
    if sources and importlib.util.find_spec("mediapipe") is None:
        raise WrongOption("--eyes needs the vision packages: run make vision")
    return sources

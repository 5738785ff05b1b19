"""The command ``mafia-table demo``: a whole game without hardware, played by bots."""

import importlib.util
import re
import signal
import socket
import sys
from pathlib import Path
from typing import Any, Final

import click

from firmware import service
from firmware.words import catalogue
from table_controller.game import SEATS
from table_controller.rehearsal.bots import Bot
from table_controller.rehearsal.house import House, Settings
from table_controller.rulesheet import read_ruleset, ruleset_options

PORT: Final = 8080
"""Of the scoreboard, when it is free and no other was asked for."""

SPEED: Final = 4.0
"""Makes a game of some five minutes that can still be followed."""

INTERRUPTED: Final = 130
"""Exit code after Ctrl-C. Source: 128 + SIGINT, as a shell has it."""

END_S: Final = 10.0
"""Patience with the table from the end of the game to its own."""

PLAYERS: Final = {
    "en": ("Alice", "Ben", "Clara", "David", "Emma", "Felix", "Grace", "Henry", "Iris", "Jack"),
    "ru": ("Аня", "Борис", "Вера", "Глеб", "Даша", "Егор", "Женя", "Зоя", "Илья", "Катя"),
}


class WrongOption(click.ClickException):
    """An option cannot be used here: one line and exit 2."""

    exit_code = service.Exit.USAGE


@click.command(short_help="Play a whole game without hardware.")
@click.option(
    "--speed",
    type=click.FloatRange(min=0, min_open=True),
    default=SPEED,
    show_default=True,
    metavar="X",
    help="Run the clocks of the game so many times as fast.",
)
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
    type=click.Choice(["en", "ru"]),
    default="en",
    show_default=True,
    help="Of names, screens, page and result.",
)
@click.option("--quit", "quits", is_flag=True, help="Print the result and stop after the game.")
def demo(
    port: int | None, eyes: tuple[str, ...], seed: int | None, quits: bool, **options: Any
) -> None:
    """Play a whole game on this machine: a broker, a table, ten seats, ten bots.

    Everything but the parts is real. The scoreboard's address is printed first;
    Ctrl-C ends all of it, with exit code 130.
    """
    if port is None:
        port = None if _why_not(PORT) else PORT
    elif why := _why_not(port):
        raise WrongOption(f"port {port} {why}: choose another with --port")
    settings = Settings(
        **options,
        seed=seed,
        port=port,
        once=quits,
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
    try:
        sys.exit(service.run(lambda: _play(settings)))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _play(settings: Settings) -> None:
    words = catalogue(settings.language)
    with House(settings) as house:
        click.echo(f"Scoreboard: {house.address}")
        sys.stdout.flush()
        whim = "" if settings.seed is None else str(settings.seed)
        for seat, panel in house.stage.panels.items():
            seed = f"{whim or house.folder.name} {seat}"
            Bot(panel, house.stage, words, 1 / settings.speed, seed)
        house.wait_ready()
        while not (settings.once and house.table.code == 0):
            house.stage.turn()
            if not settings.once or house.table.code != 0:
                house.check()
        _, _, result = house.table.out.read_text(encoding="utf-8").partition("\n")
        click.echo(result, nl=False)


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

"""The command ``mafia-seat``: wiring, nothing else."""

import importlib.metadata
import sys
from pathlib import Path

import click

from firmware import card as cards
from firmware import service
from firmware.words import LANGUAGES

SOCKET_PATH_MAX = 107
"""Longest path of a unix socket in bytes. Source: unix(7)."""


class Commands(click.Group):
    """The commands; those that need more than a seat are imported when asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted([*super().list_commands(ctx), "eyes", "gestures", "models"])

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command called *name*."""
        if name == "eyes":
            from seat_node.eyes import eyes

            return eyes
        if name == "gestures":
            from seat_node.gestures_command import gestures

            return gestures
        if name == "models":
            from seat_node.models import models

            return models
        return super().get_command(ctx, name)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(importlib.metadata.version("mafia-table-kit"), prog_name="mafia-seat")
def seat() -> None:
    """Run the seat of a Mafia kit, or look after it."""


card_option = click.option(
    "--card",
    "card_path",
    type=click.Path(path_type=Path),
    default=cards.DEFAULT_PATH,
    show_default=True,
    help="The seat's kit.toml.",
)


@seat.command()
@card_option
@click.option(
    "--rehearsal",
    type=click.Path(path_type=Path),
    help="Play without hardware: mock pins and screen, at this unix socket.",
)
@click.option("--eyes", metavar="SOURCE", help="Watch a folder, a video or a webcam.")
@click.option("--log-level", default="info", show_default=True, help="debug, info, warning, error.")
def run(card_path: Path, rehearsal: Path | None, eyes: str | None, log_level: str) -> None:
    """Run the seat until it is told to stop."""
    from seat_node.program import Options, run_seat

    _fits_a_socket(rehearsal)
    try:
        service.start_logging(log_level)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    sys.exit(service.run(lambda: run_seat(Options(card_path, rehearsal, eyes))))


@seat.command()
@card_option
@click.option(
    "--pins", "only_pins", is_flag=True, help="Print the wiring as a drawing of the header, only."
)
@click.option(
    "--press/--no-press",
    default=None,
    help="Ask for a press of each button. Default: if this is a terminal.",
)
@click.option("--eyes", metavar="SOURCE", help="Look at a folder, a video or a webcam.")
@click.option(
    "--rehearsal",
    type=click.Path(path_type=Path),
    help="Check without hardware: mock pins and screen, at this unix socket.",
)
def check(
    card_path: Path,
    only_pins: bool,
    press: bool | None,
    eyes: str | None,
    rehearsal: Path | None,
) -> None:
    """Say of each part of this seat whether it works, or what to do.

    Exit code 0: nothing that is needed fails; 1: something does; 2: wrong
    options; 78: the card is wrong.
    """
    from seat_node.check import Options, check_seat, print_pins

    if only_pins:
        print_pins(card_path)
        return
    _fits_a_socket(rehearsal)
    service.start_logging("error")
    sys.exit(service.run(lambda: check_seat(Options(card_path, rehearsal, eyes, press))))


def _source(_context: click.Context, _parameter: click.Parameter, named: str) -> str:
    from seat_node.camera import choose

    try:
        choose(named)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
    return named


@seat.command()
@card_option
@click.option(
    "--source",
    default="picamera2",
    show_default=True,
    callback=_source,
    help="picamera2, webcam:N, a video file or a folder of pictures.",
)
@click.option("--language", type=click.Choice(LANGUAGES), help="Default: the card's, else en.")
@click.option(
    "--within",
    "within_s",
    type=click.FloatRange(min=1.0),
    default=300.0,
    show_default=True,
    help="Give up after so many seconds.",
)
@click.option(
    "--rehearsal",
    type=click.Path(path_type=Path),
    help="Show a mock screen at this unix socket.",
)
def aim(
    card_path: Path, source: str, language: str | None, within_s: float, rehearsal: Path | None
) -> None:
    """Set the camera up: say what to do until it sees the player and a raised hand well.

    The same words are on the hooded screen. Exit code 0: face and hand were good
    for two seconds; 1: they were not, and the last line says what is missing.
    """
    from seat_node.aim_command import Options, aim_seat

    _fits_a_socket(rehearsal)
    service.start_logging("error")
    options = Options(card_path, source, language or "", within_s, rehearsal)
    sys.exit(service.run(lambda: aim_seat(options)))


def _fits_a_socket(path: Path | None) -> None:
    if path is not None and len(bytes(path)) > SOCKET_PATH_MAX:
        raise click.UsageError(f"--rehearsal: more than {SOCKET_PATH_MAX} bytes: {path}")


def main() -> None:
    """Run the command."""
    seat(prog_name="mafia-seat")


if __name__ == "__main__":
    main()

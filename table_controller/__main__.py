"""The command ``mafia-table``: wiring, nothing else."""

import importlib
import importlib.metadata
import keyword
import signal
import sys
from pathlib import Path
from typing import Any

import click

from firmware import card as cards
from firmware import service
from table_controller.commands.rulesheet import ruleset_options

LATER = {
    "appeals": "table_controller.commands.league",
    "backup": "table_controller.commands.journal",
    "cards": "table_controller.commands.cards",
    "demo": "table_controller.rehearsal.demo",
    "export": "table_controller.commands.archive",
    "import": "table_controller.commands.archive",
    "doctor": "table_controller.commands.doctor",
    "journal": "table_controller.commands.journal",
    "pin": "table_controller.commands.pin",
    "players": "table_controller.commands.league",
    "restore": "table_controller.commands.journal",
    "rules": "table_controller.commands.rulesheet",
    "simulate": "table_controller.commands.simulate",
    "update": "table_controller.commands.update",
    "verify-deal": "table_controller.commands.verify_deal",
    "voice": "table_controller.commands.voice",
}
"""Commands whose module is imported when they are asked for, so that no other waits for it."""


class Commands(click.Group):
    """The commands of this file and those of :data:`LATER`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted([*super().list_commands(ctx), *LATER])

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command called *name*."""
        if name not in LATER:
            return super().get_command(ctx, name)
        attribute = name.replace("-", "_") + ("_" if keyword.iskeyword(name) else "")
        command: click.Command = getattr(importlib.import_module(LATER[name]), attribute)
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(importlib.metadata.version("mafia-table-kit"), prog_name="mafia-table")
def table() -> None:
    """Run the table of a Mafia kit, or try the kit without hardware."""


@table.command(short_help="Run the table controller.")
@click.option(
    "--card",
    "card_path",
    type=click.Path(path_type=Path),
    default=cards.DEFAULT_PATH,
    show_default=True,
    help="The table's kit.toml.",
)
@click.option(
    "--players",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Ten names, one a line, instead of the card's; seats are drawn at random.",
)
@ruleset_options
@click.option("--once", is_flag=True, help="Stop when the game is over and print its result.")
@click.option(
    "--swap",
    multiple=True,
    metavar="SEAT=NODE",
    help="Let another node play for a seat, as 3=node-11.",
)
@click.option("--log-level", default="info", show_default=True, help="debug, info, warning, error.")
@click.option("--rehearsal", type=click.Path(path_type=Path), hidden=True)
@click.option("--step", is_flag=True, hidden=True)
@click.option("--speed", type=click.FloatRange(min=0, min_open=True), default=1.0, hidden=True)
@click.option("--seed", type=int, hidden=True)
@click.option("--readiness", is_flag=True, hidden=True)
def run(log_level: str, swap: tuple[str, ...], card_path: Path, **options: Any) -> None:
    """Run the table controller: rules, clocks, lights, voice, scoreboard.

    A game begins when all ten players hold VOTE.
    """
    from table_controller.program import Options, check_swap, run_table

    if options["rehearsal"] is None and (
        options["step"] or options["speed"] != 1.0 or options["seed"] is not None
    ):
        raise click.UsageError("--step, --speed and --seed are for rehearsals only")
    try:
        service.start_logging(log_level)
        swaps = tuple(check_swap(text) for text in swap)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    settings = Options(card=card_path, swaps=swaps, **options)
    sys.exit(service.run(lambda: run_table(settings)))


def main() -> None:
    """Run the command."""
    # Until a command ends in a way of its own, Ctrl-C ends it without a word.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    table(prog_name="mafia-table")


if __name__ == "__main__":
    main()

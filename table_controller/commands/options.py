"""Options of the commands that look into a table's data, whether or not the table runs."""

import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from firmware import card as cards
from firmware import service
from firmware.words import LANGUAGES, SOURCE, catalogue


def table_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add where the data are and the language; the command gets *data* and *words*."""

    @functools.wraps(command)
    def run(card: Path, data: Path | None, language: str | None, **options: Any) -> None:
        service.start_logging("warning")

        def program() -> None:
            folder, spoken = data, language
            if folder is None:
                table = cards.read_table_card(card)
                folder, spoken = Path(table.data_dir), spoken or table.language
            command(data=folder, words=catalogue(spoken or SOURCE), **options)

        sys.exit(service.run(program))

    for option in (
        click.option("--language", type=click.Choice(LANGUAGES), help="Of what is printed."),
        click.option(
            "--data",
            type=click.Path(path_type=Path),
            metavar="DIR",
            help="The table's data, instead of the card's data_dir.",
        ),
        click.option(
            "--card",
            type=click.Path(path_type=Path),
            default=cards.DEFAULT_PATH,
            show_default=True,
            help="The table's kit.toml.",
        ),
    ):
        run = option(run)
    return run

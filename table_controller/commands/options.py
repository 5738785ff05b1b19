"""Options of the commands that look into a table's data, whether or not the table runs."""

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from firmware import card as cards
from firmware import service
from firmware.clock import SystemClock
from firmware.errors import LeagueError
from firmware.words import LANGUAGES, SOURCE, Words, catalogue

if TYPE_CHECKING:
    from table_controller.league import League


def table_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add where the data are and the language; the command gets *data* and *words*."""

    @functools.wraps(command)
    def run(found: cards.TableCard | None, **options: Any) -> None:
        command(**options)

    return card_options(run)


def league_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the same; the command gets *league*, *data* and *words*.

    The league is the card's, on its server too; with ``--data`` it is the file there.
    """

    @functools.wraps(command)
    def run(found: cards.TableCard | None, data: Path, words: Words, **options: Any) -> None:
        with opened_league(found, data, words) as league:
            command(league=league, data=data, words=words, **options)

    return card_options(run)


@contextlib.contextmanager
def opened_league(found: cards.TableCard | None, data: Path, words: Words) -> "Iterator[League]":
    """Open the league of the card *found*, without one the file in *data*.

    :raises LeagueError: if it cannot be opened, or refuses what is asked of it.
    """
    from table_controller.league import FILE, Refused, open_card_league, open_league

    clock = SystemClock()
    if not data.is_dir():
        raise LeagueError(f"{data}: there is none; expected a table's data")
    opened = open_card_league(found, clock) if found else open_league(data / FILE, clock)
    with contextlib.closing(opened) as league:
        try:
            yield league
        except Refused as refused:
            raise LeagueError(refused.said(words)) from refused


def card_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the same; the command gets the card as *found*, None with ``--data``, too."""

    @functools.wraps(command)
    def run(card: Path, data: Path | None, language: str | None, **options: Any) -> None:
        service.start_logging("warning")

        def program() -> None:
            folder, spoken, found = data, language, None
            if folder is None:
                found = cards.read_table_card(card)
                folder, spoken = Path(found.data_dir), spoken or found.language
            command(found=found, data=folder, words=catalogue(spoken or SOURCE), **options)

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

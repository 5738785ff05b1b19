"""The commands ``mafia-table export`` and ``import``, and the league's part of a backup."""

import datetime
from pathlib import Path
from typing import Final

import click

from firmware.clock import SystemClock
from firmware.errors import LeagueError
from firmware.words import Words
from table_controller.commands.options import league_options
from table_controller.commands.private_file import new_file
from table_controller.league import League

COPIES: Final = "league-copies"
"""Folder of the table's data with the league's own backups."""

KEPT: Final = 20
"""Copies that are kept in it."""


@click.command(short_help="Write the whole league to a file.")
@click.argument("file", type=click.Path(path_type=Path))
@league_options
def export(league: League, data: Path, words: Words, file: Path) -> None:
    """Write the whole league to the new FILE, as JSON: players, games, bars and appeals.

    For another machine, or from a file to a server and back: see import. FILE is
    for the club's officers alone, as appeals and bars are in it; of a game that is
    not over there is nothing. The table may run meanwhile.
    """
    with new_file(file, words) as scratch:
        scratch.write_bytes(league.take_out(_tell))
    click.echo(file)


@click.command("import", short_help="Read the whole league from such a file.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--replace", is_flag=True, help="Also if the league holds something: a copy is kept.")
@league_options
def import_(league: League, data: Path, words: Words, file: Path, replace: bool) -> None:
    """Read the whole league from FILE, which export has written: all of it, or nothing.

    The league must be empty, unless --replace is said.
    """
    put_back(league, data, words, file, replace=replace)


def put_back(league: League, data: Path, words: Words, file: Path, *, replace: bool) -> None:
    """Write *file* to the *league*; what it takes the place of is kept below *data*.

    :raises Refused: if something in it is wrong.
    """
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise LeagueError(f"{file}: {error.strerror}") from error
    if replace:
        click.echo(keep_copy(league, data, words))
    league.put_in(raw, replace=replace, progress=_tell)
    click.echo(words.gettext("{file} is read in").format(file=file))


def keep_copy(league: League, data: Path, words: Words) -> Path:
    """Keep a copy of the *league* below *data*, and forget the oldest; return where it is."""
    folder = data / COPIES
    folder.mkdir(mode=0o700, exist_ok=True)
    return write_copy(league, folder, words, forget=True)


def write_copy(league: League, folder: Path, words: Words, *, forget: bool = False) -> Path:
    """Write a copy of the *league* to *folder*; return where it is."""
    stamp = SystemClock().wall().astimezone(datetime.UTC)
    path = folder / f"league-{stamp:%Y%m%d-%H%M%S-%f}.json"
    with new_file(path, words) as scratch:
        scratch.write_bytes(league.take_out())
    if forget:
        for old in sorted(folder.glob("league-*.json"))[:-KEPT]:
            old.unlink()
    return path


def _tell(table: str, count: int) -> None:
    click.echo(f"  {table}: {count}", err=True)

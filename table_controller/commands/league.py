"""The commands ``mafia-table players`` and ``mafia-table appeals``.

Whoever may run them may be the host. They work while the table runs.
"""

import datetime
import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from firmware.errors import LeagueError
from firmware.service import Exit
from firmware.words import Words
from table_controller.commands.options import league_options
from table_controller.game.terms import Offence
from table_controller.league import (
    Entry,
    League,
    Player,
    Verdict,
    until,
)
from table_controller.league.player_file import ENCODINGS, read_players
from table_controller.league.wording import did_name, verdict_name
from table_controller.wording import offence_name


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add where the league is and the language; the command gets *league* and *words*."""

    @functools.wraps(command)
    def run(data: Path, **options: Any) -> None:
        command(**options)

    return league_options(run)


@click.group(short_help="List, find, add, read in, anonymise and bar players.")
def players() -> None:
    """List, find, add, read in, anonymise and bar the club's players."""


@players.command("list", short_help="List all players.")
@_options
def list_players(league: League, words: Words) -> None:
    """List all players: name, nick, club, and until when one is barred."""
    _print(league, league.find(), words)


@players.command(short_help="Find players by a part of the name.")
@click.argument("part")
@_options
def find(league: League, words: Words, part: str) -> None:
    """Find players with PART in name or nick, in capitals or not."""
    found = league.find(part)
    if not found:
        raise LeagueError(words.gettext("Nobody is called so."))
    _print(league, found, words)


@players.command(short_help="Add a player.")
@click.argument("name")
@click.option("--nick", default="")
@click.option("--club", default="")
@_options
def add(league: League, words: Words, name: str, nick: str, club: str) -> None:
    """Add the player NAME."""
    made = league.players.add(Entry(name, nick, club))
    click.echo(words.gettext("{name} is added").format(name=made.name))


@players.command(short_help="Give a player another name.")
@click.argument("name")
@click.argument("new_name")
@_options
def rename(league: League, words: Words, name: str, new_name: str) -> None:
    """Call the player NAME by NEW_NAME; games, bars and appeals stay theirs."""
    before = league.players.get(name)
    made = league.players.change(before.id, Entry(new_name, before.nick, before.club))
    text = words.gettext("{name} is {new_name} now")
    click.echo(text.format(name=before.name, new_name=made.name))


@players.command(short_help="Take a player's name away for good.")
@click.argument("name")
@click.confirmation_option(prompt="This cannot be undone. Go on?")
@_options
def anonymise(league: League, words: Words, name: str) -> None:
    """Take NAME, nick and club away from a player, for good.

    Games and points of all players stay as they are. Refused while a bar holds or
    an appeal is open. Copies made before still have the name.
    """
    before = league.players.get(name)
    league.anonymise(before.id)
    click.echo(words.gettext("{name} has no name here any more").format(name=before.name))


@players.command("import", short_help="Read in a CSV file of players.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--check", is_flag=True, help="Write nothing; say what would be.")
@click.option(
    "--encoding",
    type=click.Choice(list(ENCODINGS)),
    default="utf-8",
    show_default=True,
    help="Of the file.",
)
@_options
def import_players(league: League, words: Words, file: Path, check: bool, encoding: str) -> None:
    """Read in FILE: CSV, its first line name,nick,club.

    Who is known by name gets the file's nick and club; nobody is removed. Of a
    line that is wrong it is told what is, and the others are read in.

    Exit 0: all of it is read in; 3: some lines are not; 1: nothing is.
    """
    t = words.gettext
    try:
        entries, faults = read_players(file.read_bytes(), encoding)
    except OSError as error:
        raise LeagueError(f"{file}: {error.strerror}") from error
    for fault in faults:
        click.echo(f"{file}: {fault.said(words)}", err=True)
    if not entries:
        raise LeagueError(t("{file}: nothing was read in").format(file=file))
    taken = league.players.take(entries, try_only=check)
    text = t("{added} added, {changed} changed, {known} known already")
    if check:
        text = t(
            "Nothing was written. It would be: {added} added, {changed} changed, {known} known"
        )
    click.echo(text.format(added=taken.added, changed=taken.changed, known=taken.known))
    if faults:
        sys.exit(Exit.PARTLY)


@players.command(short_help="Bar a player from the table.")
@click.argument("name")
@click.option("--until", "last_day", metavar="YYYY-MM-DD", help="The last day of the bar.")
@click.option("--for-good", is_flag=True, help="In place of --until.")
@click.option("--reason", required=True)
@click.option("--by", "decided_by", required=True, metavar="WHO", help="Who decided.")
@click.option("--offence", type=click.Choice([each.value for each in Offence]))
@_options
def bar(
    league: League,
    words: Words,
    name: str,
    last_day: str | None,
    for_good: bool,
    offence: str | None,
    reason: str,
    decided_by: str,
) -> None:
    """Bar NAME from the table, for a time or for good; a guest becomes a player by it."""
    if for_good == (last_day is not None):
        raise click.UsageError("expected one of --until and --for-good")
    made = league.bars.put(
        name,
        league.today(),
        last_day=None if last_day is None else _day(last_day),
        reason=reason,
        decided_by=decided_by,
        offence=Offence(offence) if offence else None,
    )
    text = words.gettext("{name}: barred {until}")
    click.echo(text.format(name=made.name, until=until(made, words)))


@players.command(short_help="Lift a player's bars.")
@click.argument("name")
@click.option("--by", required=True, metavar="WHO", help="Who decided.")
@click.option("--why", default="")
@_options
def unbar(league: League, words: Words, name: str, by: str, why: str) -> None:
    """Lift all bars of NAME."""
    for lifted in league.bars.lift(name, by=by, why=why):
        text = words.gettext("{name}: the bar {until} is lifted")
        click.echo(text.format(name=lifted.name, until=until(lifted, words)))


@click.group(short_help="List, show and decide private appeals.")
def appeals() -> None:
    """List, show and decide private appeals; the host's page takes them down.

    What is printed is for the host and the club's officers alone.
    """


@appeals.command("list", short_help="List the appeals.")
@click.option("--open", "only_open", is_flag=True, help="Those alone that are not decided.")
@_options
def list_appeals(league: League, words: Words, only_open: bool) -> None:
    """List the appeals, open ones first: id, state, player, game."""
    for each in league.appeals.all(only_open=only_open):
        state = verdict_name(each.state, words)
        click.echo("  ".join(filter(None, (each.id, state, each.name, each.game))))


@appeals.command("show", short_help="Show an appeal with its history.")
@click.argument("id")
@_options
def show_appeal(league: League, words: Words, id: str) -> None:
    """Show the appeal ID with its history."""
    _show(league, words, id)


@appeals.command(short_help="Decide an appeal.")
@click.argument("id")
@click.argument("verdict", type=click.Choice([Verdict.UPHELD.value, Verdict.REJECTED.value]))
@click.option("--reasons", required=True)
@click.option("--by", required=True, metavar="WHO", help="Who decided.")
@_options
def decide(league: League, words: Words, id: str, verdict: str, **given: str) -> None:
    """Uphold or reject the appeal ID, once.

    Upheld, the points are removed and the bar is lifted; the result stays.
    """
    league.appeals.decide(id, Verdict(verdict), **given)
    _show(league, words, id)


def _day(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise click.UsageError(f"--until {text!r}: expected a day, as 2027-01-31") from None


def _show(league: League, words: Words, id_: str) -> None:
    found = league.appeals.get(id_)
    where = words.gettext("seat {seat}").format(seat=found.seat) if found.seat else ""
    offence = offence_name(Offence(found.offence), words) if found.offence else ""
    head = (found.id, verdict_name(found.state, words), found.name, found.game, where, offence)
    click.echo("  ".join(filter(None, head)))
    for entry in found.history:
        click.echo(f"{entry.number}  {entry.utc}  {entry.who}, {did_name(entry.did, words)}:")
        for line in entry.text.splitlines():
            click.echo(f"    {line}")


def _print(league: League, found: tuple[Player, ...], words: Words) -> None:
    held = league.bars.held(league.today())
    for each in found:
        barred = ""
        if each.id in held:
            text = words.gettext("barred {until}")
            barred = text.format(until=until(held[each.id], words))
        click.echo("  ".join(filter(None, (each.name, each.nick, each.club, barred))))

"""The commands ``mafia-table journal``, ``backup`` and ``restore``.

Of a game that is not over nothing is shown: its journal tells the roles.
"""

import contextlib
import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from firmware.card import TableCard
from firmware.errors import JournalError
from firmware.words import Words
from table_controller.commands.archive import keep_copy, put_back, write_copy
from table_controller.commands.options import card_options, opened_league, table_options
from table_controller.commands.private_file import new_file
from table_controller.game import Phase
from table_controller.league import FILE
from table_controller.record.backups import Reason, write_journal
from table_controller.record.entries import Acted, Row, Started, Swapped, Undone
from table_controller.record.examine import Examined, examine, finished
from table_controller.record.journals import Journals, current_game
from table_controller.record.verdicts import verdicts
from table_controller.wording import winner_name


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add where the data are and the language; the command gets *folder* and *words*."""

    @functools.wraps(command)
    def run(data: Path, **options: Any) -> None:
        command(folder=data / "journal", **options)

    return table_options(run)


@click.group(short_help="Look into the journals of finished games.")
def journal() -> None:
    """Look into the journals of finished games.

    Of a game that is not over nothing is shown.
    """


@journal.command("list", short_help="List the finished games.")
@_options
def list_games(folder: Path, words: Words) -> None:
    """List the finished games: name, entries, who won."""
    t, hidden = words.gettext, 0
    for path in _paths(folder):
        found = examine(path)
        if not _over(path, found):
            hidden += 1
            continue
        assert found.state is not None
        won = winner_name(found.state.decided, words)
        state = t("damaged: {fault}").format(fault=found.fault) if found.fault else won
        entries = t("{entries} entries").format(entries=len(found.rows))
        click.echo(f"{path.stem}  {entries}  {state}")
    if hidden:
        click.echo(t("Not shown, because not over or not readable: {games}").format(games=hidden))


@journal.command(short_help="Check finished games, all or one.")
@click.argument("game", required=False)
@_options
def verify(folder: Path, words: Words, game: str | None) -> None:
    """Check that journals of finished games are whole and are what the rules make of them."""
    t, bad = words.gettext, []
    paths = [_path(folder, game, words)] if game else _paths(folder)
    for path in paths:
        found = examine(path)
        fault = found.fault
        if not _over(path, found):
            if game and not fault:
                raise JournalError(_refusal(path, found, words))
            if not fault:
                continue
            # Where it broke would tell how far a game is that is not over.
            fault = t("damaged")
        elif found.strange and not fault:
            fault = t("entry {number} is not what the rules make of it").format(
                number=found.strange
            )
        if fault:
            bad.append(path.stem)
        click.echo(f"{path.stem}  {fault or t('whole')}")
    if bad:
        raise JournalError(t("damaged: {fault}").format(fault=", ".join(bad)))


@journal.command(short_help="Print a finished game, an entry a line.")
@click.argument("game")
@_options
def show(folder: Path, words: Words, game: str) -> None:
    """Print a finished game, an entry a line: number, UTC, what was done."""
    for row in _finished(folder, game, words).rows:
        click.echo(f"{row.number:5d}  {row.utc}  {_said(row, words)}")


@journal.command(short_help="Write a finished game as JSON lines.")
@click.argument("game")
@click.option(
    "--to", type=click.Path(path_type=Path), metavar="FILE", help="A new file; else printed."
)
@_options
def export(folder: Path, words: Words, game: str, to: Path | None) -> None:
    """Write a finished game as JSON lines: all its entries with their events, and the seed."""
    lines = b"".join(
        msgspec.json.encode(row) + b"\n" for row in _finished(folder, game, words).rows
    )
    if to is None:
        click.echo(lines.decode(), nl=False)
        return
    with new_file(to, words) as scratch:
        scratch.write_bytes(lines)


@click.command(short_help="Copy the journals and the league to a folder.")
@click.option(
    "--to",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where to; others may not be able to read it. Else the table's own backups.",
)
@card_options
def backup(found: TableCard | None, data: Path, words: Words, to: Path | None) -> None:
    """Copy the last game to the table's backups, or all finished games to a folder.

    The league is copied too. Stop the table first. A game that is not over never
    leaves the table: it tells the roles.
    """
    if to is not None:
        to.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        _back_up_games(data / "journal", words, to)
    finally:
        # One that cannot be copied does not keep the other.
        if (data / FILE).exists() or (found and found.league.url):
            with opened_league(found, data, words) as league:
                copy = write_copy(league, to, words) if to else keep_copy(league, data, words)
            click.echo(copy)


def _back_up_games(folder: Path, words: Words, to: Path | None) -> None:
    t = words.gettext
    with _locked(folder) as journals:
        if to is None:
            game = journals.current_game()
            if not game:
                raise JournalError(t("There is no game to copy."))
            found = _good(_path(folder, game, words), words)
            click.echo(journals.backups.keep(game, found.raw, Reason.ASKED))
            return
        for path in _paths(folder):
            found, target = examine(path), to / path.name
            if not _over(path, found):
                continue
            if target.exists() and examine(target).rows == found.rows:
                continue
            with new_file(target, words) as scratch:
                write_journal(scratch, found.raw)
            click.echo(target)


@click.command(short_help="Put a copy of a game, or of the league, in its place.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@card_options
def restore(found: TableCard | None, data: Path, words: Words, file: Path) -> None:
    """Put FILE, a backup, in the place of its game; the table goes on with it, paused.

    A backup of the league, league-....json, takes the place of the league. Stop the
    table first. FILE is checked before anything is overwritten, and what it takes
    the place of is kept among the backups.
    """
    if file.suffix == ".json":
        with _locked(data / "journal"), opened_league(found, data, words) as league:
            put_back(league, data, words, file, replace=True)
    else:
        _put_game_back(data / "journal", words, file)


def _put_game_back(folder: Path, words: Words, file: Path) -> None:
    t = words.gettext
    found = _good(file, words)
    assert found.start is not None
    game = found.start.game
    with _locked(folder) as journals:
        path = folder / f"{game}.db"
        present = examine(path) if path.exists() else None
        if present and present.raw and not present.newer:
            click.echo(journals.backups.keep(game, present.raw, Reason.RESTORE))
        journals.install(game, found.raw)
    click.echo(t("Game {game} is back; start the table to go on with it.").format(game=game))


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[Journals]:
    if not folder.is_dir():
        raise JournalError(f"journal {folder}: there is none; expected a table's data")
    with contextlib.closing(Journals(folder)) as journals:
        yield journals


def _paths(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise JournalError(f"journal {folder}: there is none; expected a table's data")
    return sorted(folder.glob("*.db"))


def _path(folder: Path, game: str, words: Words) -> Path:
    path = folder / f"{game}.db"
    if path not in _paths(folder):
        t = words.gettext
        raise JournalError(t("{game}: there is no such game").format(game=repr(game)))
    return path


def _good(path: Path, words: Words) -> Examined:
    """Return the journal at *path* when all of it is good; its rows may tell the roles."""
    t, found = words.gettext, examine(path)
    if found.newer:
        raise JournalError(t("{path}: a newer program wrote it").format(path=path))
    if found.fault or found.start is None:
        raise JournalError(f"{path}: " + t("damaged: {fault}").format(fault=found.fault))
    return found


def _finished(folder: Path, game: str, words: Words) -> Examined:
    path = _path(folder, game, words)
    found = examine(path)
    if not _over(path, found):
        raise JournalError(_refusal(path, found, words))
    return found


def _over(path: Path, found: Examined) -> bool:
    return finished(found, current=path.stem == current_game(path.parent))


def _refusal(path: Path, found: Examined, words: Words) -> str:
    t = words.gettext
    if found.newer:
        return t("{path}: a newer program wrote it").format(path=path)
    if found.state is not None and found.state.phase is Phase.OVER:
        return t(
            "{game} was ended by the host, who can take that back until the next game begins: "
            "nothing of it is shown before"
        ).format(game=path.stem)
    return t("{game} is not over: nothing of it is shown").format(game=path.stem)


def _said(row: Row, words: Words) -> str:
    t = words.gettext
    match row.entry:
        case Started(names=names, seed=seed):
            return t("begins: {names}; seed {seed}").format(names=", ".join(names), seed=seed)
        case Swapped(seat=seat, node=node):
            return t("seat {seat} has {node}").format(seat=seat, node=node)
        case Undone(keep=keep):
            return t("undone down to {keep} actions").format(keep=keep)
        case Acted(action=action):
            fields = msgspec.to_builtins(action)
            name = fields.pop(action.__struct_config__.tag_field)
            done = " ".join([str(name), *(f"{key}={value}" for key, value in fields.items())])
            return "; ".join([done, *verdicts(row.events, words)])

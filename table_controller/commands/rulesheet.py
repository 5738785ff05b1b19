"""The rules in force for people: read from a club's file, printed as a sheet.

Also the command ``mafia-table rules``.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from firmware import service
from firmware.errors import CardError
from firmware.words import LANGUAGES, SOURCE, Words, catalogue
from table_controller.game import Ruleset
from table_controller.game.rulefile import Line, Standing, lines, parse
from table_controller.game.ruleset import Mode
from table_controller.game.setting import as_toml
from table_controller.wording import standing_word


def read_ruleset(path: Path | None, *, turbo: bool) -> Ruleset:
    """Return the rules to play by: the defaults, with what the file at *path* changes.

    :raises CardError: if it cannot be read or holds something that cannot be.
    """
    mode = Mode.TURBO if turbo else None
    if path is None:
        return parse("", mode)
    try:
        return parse(path.read_text(encoding="utf-8"), mode)
    except OSError as error:
        raise CardError(f"{path}: {error.strerror}; expected a file of rules") from error
    except ValueError as error:
        raise CardError(f"{path}: {error}") from error


def ruleset_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options ``--ruleset`` and ``--turbo`` to a click *command*."""
    file = click.option(
        "--ruleset",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="A TOML file with the rules that differ from the defaults.",
    )
    turbo = click.option(
        "--turbo", is_flag=True, help="Play by the short times, which `rules --turbo` prints."
    )
    return file(turbo(command))


def sheet(ruleset: Ruleset, words: Words) -> str:
    """Return every rule of *ruleset*: key, value, unit, whether it is fixed, meaning."""
    t = words.gettext
    head = (t("key"), t("value"), t("unit"), t("standing"), t("meaning"))
    rows = [head, *(_row(line, words) for line in lines(ruleset))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    title = t("Rules in force, mode {mode}").format(mode=ruleset.mode)
    return "\n".join([title, *_laid_out(rows, widths)])


def _laid_out(rows: list[tuple[str, ...]], widths: list[int]) -> Iterator[str]:
    for key, value, unit, *rest in rows:
        # Numbers stand under each other.
        cells = [key.ljust(widths[0]), value.rjust(widths[1]), unit.ljust(widths[2])]
        cells += [rest[0].ljust(widths[3]), rest[1]]
        yield "  ".join(cells).rstrip()


def _row(line: Line, words: Words) -> tuple[str, ...]:
    t, setting = words.gettext, line.setting
    value = as_toml(line.value)
    standing = standing_word(line.standing, words)
    if line.standing is Standing.CHANGED:
        standing = t("changed from {default}").format(default=as_toml(line.default))
    unit = t(setting.unit) if setting.unit else ""
    return (line.key, value, unit, standing, t(setting.meaning))


@click.command()
@ruleset_options
@click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    default=SOURCE,
    show_default=True,
    help="Of what is printed.",
)
def rules(ruleset: Path | None, turbo: bool, language: str) -> None:
    """Print the rules in force with their units, fixed or default.

    Values are written as in a file of rules, which can change what is not
    fixed: a line "key = value" for each, those of points below "[points]".
    Points are [Classic, Max].
    """
    service.start_logging("warning")
    words = catalogue(language)
    sys.exit(service.run(lambda: click.echo(sheet(read_ruleset(ruleset, turbo=turbo), words))))

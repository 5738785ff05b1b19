"""The command ``mafia-table verify-deal``: whether a finished game's deal was the announced one.

By hand, without the kit: the seed stands in the record's first line as 64 hex
digits, and everything is hashed from its 32 bytes. ``printf SEED | xxd -r -p |
sha256sum`` gives the commitment, which the scoreboard showed before the deal.
For the roles do the same ten times with the text ``role 1`` to ``role 10`` right
behind the 32 bytes - ``(printf SEED | xxd -r -p; printf 'role 7') | sha256sum`` -
and sort the ten results: the first is the don's seat, the next two the mafia's,
the fourth the sheriff's, the rest are citizens'. With ``seat 1`` to ``seat 10``
the sorted numbers say where the first, second ... of the list of players sits.

What it proves: that nothing was changed after the commitment was shown. That the
seed was drawn blindly before, and not chosen among many, no such proof can show.
"""

import re
import sys
from collections.abc import Sequence
from typing import Any, BinaryIO, Final

import click
import msgspec

from firmware import service
from firmware.errors import JournalError
from firmware.words import LANGUAGES, SOURCE, Words, catalogue
from table_controller import deal
from table_controller.game import SEATS, Role
from table_controller.wording import role_name

RECORD_MAX: Final = 16 * 1024 * 1024
"""Bytes of a record; a long game's are some 200,000."""

NAMED_BY: Final = 8
"""Digits of the commitment that a game's name ends with."""

_BY_HAND: Final = """\b
By hand, with SEED from the record's first line:
  printf SEED | xxd -r -p | sha256sum
      is the commitment;
  (printf SEED | xxd -r -p; printf 'role 7') | sha256sum
      for 1 to 10, sorted by result: don, mafia, mafia, sheriff, citizens.
"""

_SHA256_HEX: Final = re.compile(r"[0-9a-f]{64}")


class Record(msgspec.Struct, frozen=True):
    """What a record says of its deal."""

    game: str
    names: tuple[str, ...]
    """Players by seat, seat 1 first."""
    seed: bytes
    dealt: tuple[tuple[str, ...], ...]
    """Roles by seat, of each time that cards were given; again after an undo."""
    fixed: bool = False
    """The seats were not drawn."""


class _Started(msgspec.Struct):
    game: str
    names: tuple[str, ...]
    seed: str
    fixed: bool = False


class _Action(msgspec.Struct):
    do: str
    roles: tuple[str, ...] = ()


class _Acted(msgspec.Struct):
    entry: str
    action: _Action | None = None


class _Line(msgspec.Struct):
    entry: msgspec.Raw


def read_record(lines: bytes) -> Record:
    """Read a record, as ``mafia-table journal export`` writes it.

    Read loosely: of the entries only those that deal, so that records of other
    versions of the kit can be checked too.

    :raises JournalError: if it is none, or not of one whole game.
    """
    rows = lines.splitlines()
    if not rows:
        raise JournalError("the record is empty")
    try:
        start = _entry(rows[0], _Started)
        entries = [_entry(row, _Acted) for row in rows[1:]]
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise JournalError(
            f"not a record: {error}; expected what mafia-table journal export GAME writes"
        ) from None
    if not _SHA256_HEX.fullmatch(start.seed):
        raise JournalError(f"seed = {start.seed[:80]!r}: expected 64 digits 0-9a-f")
    if len(start.names) != len(SEATS):
        raise JournalError(f"{len(start.names)} names: expected one a seat, {len(SEATS)}")
    if not "".join((start.game, *start.names)).isprintable():
        raise JournalError("the game's name and the players' are not on one line each")
    dealt = tuple(each.action.roles for each in entries if each.action and each.action.do == "deal")
    if not dealt:
        raise JournalError("the record gives no cards: the game ended before its deal")
    return Record(start.game, start.names, bytes.fromhex(start.seed), dealt, start.fixed)


def _entry(row: bytes, type_: Any) -> Any:
    return msgspec.json.decode(msgspec.json.decode(row, type=_Line).entry, type=type_)


def list_before_the_draw(record: Record) -> tuple[str, ...]:
    """Return the names in the order that they had before the seats were drawn."""
    drawn = deal.hashed_order(record.seed, "seat", len(SEATS))
    return tuple(record.names[seat - 1] for seat in drawn)


def verify(record: Record, words: Words, announced: str = "") -> tuple[list[str], list[str]]:
    """Return each step in words, and what is wrong; nothing is when the deal was the announced one.

    *announced* is the commitment that the scoreboard showed, if somebody kept it.
    """
    t = words.gettext
    wrong: list[str] = []

    def judged(true: bool, fine: str, fault: str) -> str:
        if not true:
            wrong.append(fault)
        return f"   {fine}" if true else f"   {t('WRONG')}: {fault}"

    found = deal.commitment(record.seed)
    roles = deal.roles(record.seed)
    steps = [
        t("Game {game}").format(game=record.game),
        t("1. The seed of the deal, 32 bytes, kept secret until the game was over:"),
        f"   {record.seed.hex()}",
        t("2. Its SHA-256, the commitment, which the scoreboard showed before the deal:"),
        f"   {found}",
        judged(
            record.game.rpartition("-")[2] == found[:NAMED_BY],
            t("The game's name ends with its first {digits} digits.").format(digits=NAMED_BY),
            t("the game's name does not end with its first {digits} digits").format(
                digits=NAMED_BY
            ),
        ),
    ]
    if announced:
        steps.append(
            judged(
                announced == found,
                t("It is the one that you have kept."),
                t("you have kept another one: {announced}").format(announced=announced),
            )
        )
    else:
        steps.append("   " + t("Compare it with what you have kept; --commitment does it for you."))
    steps += [
        t('3. The seats, sorted by SHA-256 of the seed followed by "role 1" to "role 10":'),
        "   " + " ".join(map(str, deal.hashed_order(record.seed, "role", len(SEATS)))),
        "   " + t("In this order they take: {pack}.").format(pack=_pack(words)),
        *_by_seat(record.names, roles, words),
        judged(
            all(dealt == roles for dealt in record.dealt),
            t("The record gives the same cards."),
            t("the record gives other cards than the seed makes"),
        ),
    ]
    if record.fixed:
        return [*steps, t("4. The seats were not drawn: the club had fixed them.")], wrong
    steps += [
        t('4. In the same way, by "seat 1" to "seat 10", the players were seated. Before it:'),
        "   " + ", ".join(list_before_the_draw(record)),
        "   " + t("Compare it with the list of players that the table was given."),
    ]
    return steps, wrong


def _pack(words: Words) -> str:
    return ", ".join(role_name(role, words) for role in deal.PACK)


def _by_seat(names: Sequence[str], roles: Sequence[Role], words: Words) -> list[str]:
    return [
        f"   {seat:2d}  {name}: {role_name(role, words)}"
        for seat, name, role in zip(SEATS, names, roles, strict=True)
    ]


def _conclusion(words: Words, *, kept: bool) -> str:
    t = words.gettext
    if kept:
        return t("The deal is the one that was announced.")
    return t("The deal is what its seed makes. Whether it was announced, only you can compare.")


def _checked(ctx: click.Context, option: click.Parameter, text: str) -> str:
    digits = "".join(text.split()).lower()
    if digits and not _SHA256_HEX.fullmatch(digits):
        raise click.BadParameter("expected the 64 digits 0-9a-f that the scoreboard showed")
    return digits


@click.command("verify-deal", short_help="Check the deal of a finished game.", epilog=_BY_HAND)
@click.argument("record", type=click.File("rb"))
@click.option(
    "--commitment",
    default="",
    metavar="SHA256",
    callback=_checked,
    help="What the scoreboard showed before the deal.",
)
@click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    default=SOURCE,
    show_default=True,
    help="Of what is printed.",
)
def verify_deal(record: BinaryIO, commitment: str, language: str) -> None:
    """Check that a finished game was dealt as its commitment had announced.

    RECORD is what "mafia-table journal export GAME" writes; - reads it from
    standard input. Each step is told in words. Exit code 0: all is as announced;
    1: it is not, or RECORD is none.
    """
    service.start_logging("warning")
    words = catalogue(language)

    def program() -> None:
        lines = record.read(RECORD_MAX + 1)
        if len(lines) > RECORD_MAX:
            raise JournalError(f"the record is longer than {RECORD_MAX} bytes: no game is")
        steps, wrong = verify(read_record(lines), words, commitment)
        click.echo("\n".join(steps))
        if wrong:
            raise JournalError("; ".join(wrong))
        click.echo(_conclusion(words, kept=bool(commitment)))

    sys.exit(service.run(program))

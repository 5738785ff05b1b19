"""The command ``mafia-table cards``: a club's SD cards, at the PC of who makes them."""

import contextlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click

from firmware import service
from firmware.clock import SystemClock
from firmware.errors import CardError
from firmware.image import answers as told
from firmware.image import boot_partition, club, kit, make_cards, sheet, wheelhouse
from firmware.image.answers import Answers, Given
from firmware.image.club import Club
from firmware.words import Words, catalogue
from table_controller.commands import card_questions

CLUB: Final = Path("mafia-cards")


@click.command(short_help="Make the SD cards of a club.")
@click.argument("target", type=click.Path(path_type=Path), metavar="DIR|DEVICE")
@click.option(
    "--answers",
    "answers_path",
    type=click.Path(path_type=Path),
    help="Ask nothing: the answers are in this TOML file (see firmware/image/answers.py).",
)
@click.option("--no-kit", is_flag=True, help="Only who the cards are; nothing is downloaded.")
@click.option(
    "--kit",
    "archives",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Take the kit from this archive of a release instead of the internet; once a board.",
)
@click.option(
    "--again", metavar="NODE", help="A card was lost: make another, and shut the old out."
)
@click.option("--revoke", metavar="NODE", help="Let the card of this node in no longer.")
@click.option(
    "--card", "user", metavar="NAME", help="To a DEVICE: which card, table or node-01 to node-12."
)
@click.option(
    "--club",
    "club_folder",
    type=click.Path(path_type=Path),
    default=CLUB,
    show_default=True,
    help="To a DEVICE: the folder DIR that was made before.",
)
def cards(
    target: Path,
    answers_path: Path | None,
    no_kit: bool,
    archives: tuple[Path, ...],
    again: str | None,
    revoke: str | None,
    user: str | None,
    club_folder: Path,
) -> None:
    """Make the SD cards of a table and its seats.

    First `cards DIR` asks about the club and writes a folder for each card into DIR, and
    sheet.html to print. Then flash each SD card with the official Raspberry Pi OS Lite
    (64-bit), and `cards DEVICE` puts a card's folder on it: DEVICE is its boot partition,
    as E: or /media/you/bootfs, or an image file. Copying the folder by hand does too.

    DIR/secrets has the keys of the kit: keep it, and keep it private. Doing it again
    changes only what must be.
    """
    service.start_logging("warning")

    def program() -> None:
        if is_device(target):
            write_card(target, club_folder, user)
        else:
            make_all(target, answers_path, no_kit=no_kit, kits=archives, again=again, revoke=revoke)

    sys.exit(service.run(program))


def is_device(target: Path) -> bool:
    """Tell whether *target* is a boot partition, and no folder of a club."""
    if boot_partition.DRIVE.fullmatch(str(target)) or (target.exists() and not target.is_dir()):
        return True
    return all((target / mark).exists() for mark in boot_partition.MARKS)


# ---- the club's folder ----


def make_all(
    folder: Path,
    answers_path: Path | None,
    *,
    no_kit: bool = False,
    kits: tuple[Path, ...] = (),
    again: str | None = None,
    revoke: str | None = None,
) -> None:
    """Make or bring up to date all cards' folders in *folder*.

    :raises KitError: naming what was found, what was expected and what to do.
    """
    answers, given = _answered(folder, answers_path, once_more=bool(again or revoke))
    words = catalogue(answers.language)
    t = words.gettext
    for node in (again, revoke):
        if node is not None and node not in answers.users:
            raise CardError(f"{node}: expected one of {', '.join(answers.users)}")
    with _told_if_refused(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        kept = Club(folder / club.FOLDER)
        make_cards.take_over(kept, answers, given)
        make_cards.network(answers, kept.known(club.WIFI))
        if again:
            kept.renew(again)
        if revoke:
            kept.revoke(revoke)
        if not no_kit:
            _fill_kits(folder, answers, kits, words)
        with _bar(t("Cards")) as report:
            now = SystemClock().wall()
            changed = make_cards.make(folder, answers, kept, now, report)
        told.save(folder, answers)
        paper = sheet.write_sheet(folder, answers, kept)
    _tell(folder, answers, changed, paper, words)


def _answered(folder: Path, path: Path | None, *, once_more: bool) -> tuple[Answers, Given]:
    before = folder / told.FILE
    if path is None and before.exists() and (once_more or not sys.stdin.isatty()):
        path = before
    if path is not None:
        return told.read(path)
    if once_more:
        raise CardError(f"{folder}: no {told.FILE} in it; expected the folder of a club's cards")
    if folder.is_dir() and any(folder.iterdir()) and not before.exists():
        raise CardError(
            f"{folder}: not empty, and neither a club's folder (no {told.FILE}) nor a boot "
            f"partition ({' and '.join(boot_partition.MARKS)}): name a new folder"
        )
    if not sys.stdin.isatty():
        raise CardError("nobody to ask here: name a file of answers with --answers FILE")
    answers, given = card_questions.ask(told.read(before)[0] if before.exists() else Answers())
    return told.check(answers), given


def _fill_kits(folder: Path, answers: Answers, archives: tuple[Path, ...], words: Words) -> None:
    """Make the kit of each board whole: from *archives*, else from the internet."""
    t = words.gettext
    given = {}
    for archive in archives:
        scratch = folder / make_cards.KITS / ".given"
        kit.load(archive, scratch)
        board = kit.version(scratch)[1]
        given[board] = scratch.rename(_emptied(folder / make_cards.KITS / board))
    for board, place in make_cards.needed_kits(folder, answers).items():
        if board in given:
            continue
        label = t("Kit for {board}").format(board=board)
        with _bar(label) as report:
            wheelhouse.fill(place, board, report)


def _emptied(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def _tell(
    folder: Path,
    answers: Answers,
    changed: list[make_cards.Changed],
    paper: Path,
    words: Words,
) -> None:
    t = words.gettext
    how = {"new": t("new"), "changed": t("changed"), "same": t("as it was")}
    for card in changed:
        click.echo(f"{card.user:<9} {how[card.how]}  {', '.join(card.files[:4])}".rstrip())
    table = next(card for card in changed if card.user == make_cards.TABLE)
    write = [card.user for card in changed if card.how != "same" and not card.only_identity]
    if write:
        click.echo(t("Flash and write these cards: {cards}").format(cards=", ".join(write)))
        click.echo(f"    mafia-table cards DEVICE --card {write[0]} --club {folder}")
    if table.only_identity:
        host = make_cards.hosts(answers)[0]
        identity = folder / make_cards.TABLE / make_cards.CARD
        click.echo(t("The table that is in use takes its change so, and needs no new card:"))
        click.echo(f"    scp -r {identity} club@{host}:card")
        click.echo(f"    ssh club@{host} 'sudo /boot/firmware/mafia/kit/install.sh --card card'")
    if not write and not table.only_identity:
        click.echo(t("Nothing has changed."))
    click.echo(t("To print, and to keep private: {file}").format(file=paper))


# ---- a card ----


def write_card(target: Path, club_folder: Path, user: str | None) -> None:
    """Put the folder of the card *user* on the boot partition *target*; ask which, if need be.

    :raises KitError: naming what was found, what was expected and what to do.
    """
    made = [
        path.name
        for path in sorted(club_folder.glob("*"))
        if make_cards.USER.fullmatch(path.name) and path.is_dir()
    ]
    if not made:
        raise CardError(f"{club_folder}: no cards in it; make them first: mafia-table cards DIR")
    answers, _ = told.read(club_folder / told.FILE)
    t = catalogue(answers.language).gettext
    if user is None:
        if not sys.stdin.isatty():
            raise CardError(f"which card? --card {made[0]} ... {made[-1]}")
        user = click.prompt(t("Which card"), type=click.Choice(made))
    if user not in made:
        raise CardError(f"--card {user}: expected one of {', '.join(made)}")
    if not (club_folder / user / make_cards.KIT / kit.SUMS).is_file():
        click.echo(t("There is no kit in this card's folder: it can only renew who a card is."))
    label = user
    with _bar(label) as report:
        written = boot_partition.write(
            club_folder / user, target, lambda done, whole: report(label, done, whole)
        )
    done = t("{card} is on {target}: {files} files written and read back. Label it: {card}")
    click.echo(done.format(card=user, target=target, files=written.files))


# ---- at the terminal ----


@contextlib.contextmanager
def _bar(label: str) -> Iterator[wheelhouse.Progress]:
    """Give a function that is told what is done now, and how much of all is done."""
    bar: Any
    with click.progressbar(
        length=1000, label=label, item_show_func=lambda item: str(item or ""), file=sys.stderr
    ) as bar:

        def report(doing: str, done: int, whole: int) -> None:
            share = 1000 * done // max(whole, 1)
            bar.update(max(0, share - bar.pos), doing)

        yield report


@contextlib.contextmanager
def _told_if_refused(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if isinstance(error, CardError) or not error.strerror:
            raise
        raise CardError(f"{error.filename or folder}: {error.strerror}") from error

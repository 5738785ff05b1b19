"""The host's PIN on the controller itself: at its first start, and ``mafia-table pin``.

Whoever may run the command may be the host. It works while the table runs, and ends
the host's sessions and all waits after wrong PINs.
"""

import logging
import sys
from pathlib import Path

import click

from firmware import card as cards
from firmware import service
from firmware.card import TableCard
from firmware.errors import CardError
from firmware.pin import FILE, PinFile, check, hashed, new_pin, spaced
from firmware.words import SOURCE, Words, catalogue

log = logging.getLogger(__name__)


def host_pin(card: TableCard, words: Words) -> PinFile:
    """Return where the host's PIN is; at a first start at a terminal it is made and shown there.

    What a service prints is kept, so that it makes none: the command does.

    :raises CardError: if the card's own hash is none, or the new one cannot be kept.
    """
    given = card.scoreboard.pin_hash
    if given:
        try:
            check(given)
        except CardError as error:
            raise CardError(f"scoreboard.pin_hash: {error}") from None
    pin = PinFile(Path(card.data_dir) / FILE, given)
    try:
        kept = pin.read()
    except CardError as error:
        log.warning("%s", error)
        return pin
    if not kept and sys.stdout.isatty():
        made = new_pin()
        pin.write(made)
        click.echo(_shown(made, words))
    elif not kept:
        log.info("no PIN of the host yet: mafia-table pin makes one")
    return pin


@click.command(short_help="Make a new PIN for the host.")
@click.option(
    "--card",
    "card_path",
    type=click.Path(path_type=Path),
    default=cards.DEFAULT_PATH,
    show_default=True,
    help="The table's kit.toml.",
)
@click.option("--choose", is_flag=True, help="Ask for a PIN of your own, 6 to 12 digits.")
@click.option("--hash", "only_hash", is_flag=True, help="Print a hash for a card; keep nothing.")
def pin(card_path: Path, choose: bool, only_hash: bool) -> None:
    """Make a new PIN for the host and show it once.

    The old one, its sessions and all waits after wrong PINs end at once.
    """
    service.start_logging("warning")

    def program() -> None:
        chosen = _ask() if choose else new_pin()
        if only_hash:
            click.echo(f'pin_hash = "{hashed(chosen)}"')
        card = None if only_hash else cards.read_table_card(card_path)
        if card is not None:
            PinFile(Path(card.data_dir) / FILE).write(chosen)
        if not choose:
            # Only the hash goes where a shell was told to write.
            click.echo(_shown(chosen, catalogue(card.language if card else SOURCE)), err=only_hash)

    sys.exit(service.run(program))


def _shown(made: str, words: Words) -> str:
    t = words.gettext
    return t("The host's PIN, shown only here: {pin}").format(pin=spaced(made))


def _ask() -> str:
    """Return a PIN typed twice, unseen."""
    typed: str = click.prompt("PIN", hide_input=True, confirmation_prompt=True)
    try:
        hashed(typed)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    return typed

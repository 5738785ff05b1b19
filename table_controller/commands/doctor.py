"""``mafia-table doctor``: what is open to whom, weak or missing, and what to do about it."""

import sys
from pathlib import Path

import click

import firmware
from firmware import card as cards
from firmware import header, service
from firmware.card import TableCard
from firmware.clock import SystemClock
from firmware.errors import BoardError, CardError
from firmware.finding import Report, fault, fine
from firmware.machine import built_at, clock, disk
from firmware.words import LANGUAGES, SOURCE, catalogue
from table_controller import web_certificate
from table_controller.checks import doors, parts, secrets


@click.command(short_help="Say what is open to whom, weak or missing, and the remedy.")
@click.option(
    "--card",
    "path",
    type=click.Path(path_type=Path),
    default=cards.DEFAULT_PATH,
    show_default=True,
    help="The table's kit.toml.",
)
@click.option(
    "--pins", "only_pins", is_flag=True, help="Print the wiring as a drawing of the header, only."
)
@click.option("--language", type=click.Choice(LANGUAGES), help="Of what is printed.")
def doctor(path: Path, only_pins: bool, language: str | None) -> None:
    """Say what of this table is open to whom, what is weak or missing, and what to do.

    Changes nothing; run it with sudo, so that it may look everywhere. Exit code
    0: nothing that is needed fails; 1: something does; 78: the card is wrong.
    """
    service.start_logging("error")
    card, wrong = _card(path)
    words = catalogue(language or (card.language if card else SOURCE))
    if only_pins:
        click.echo(header.drawing("table", words.gettext))
        return
    sys.exit(service.run(lambda: examine(Report(words), path, card, wrong)))


def _card(path: Path) -> tuple[TableCard | None, CardError | None]:
    try:
        return cards.read_table_card(path), None
    except CardError as error:
        return None, error


def examine(
    report: Report,
    path: Path,
    card: TableCard | None,
    wrong: CardError | None,
    root: Path = Path("/"),
) -> None:
    """Print how each thing is, of the table whose card is at *path*, on the machine at *root*.

    :raises CardError: at the end, if the card is *wrong*.
    :raises BoardError: at the end, if something is weak or missing that must not be.
    """
    t, now = report.t, SystemClock().wall()
    if card is not None:
        report.add(fine(t("SD card"), t("table {table}").format(table=card.table)))
        report.add(secrets.card(t, path, card))
        report.add(secrets.kept(t, Path(card.data_dir)))
        report.add(secrets.pin(t, card))
        report.add(web_certificate.look(t, Path(card.data_dir), now))
        report.add(doors.scoreboard(t, root, card))
    else:
        report.add(fault(t("SD card"), str(wrong), t("Name it with --card; read it with sudo.")))
    report.add(doors.broker(t, root))
    report.add(doors.places(t, root))
    report.add(doors.ports(t, root, card))
    report.add(secrets.cores(t, root))
    report.add(parts.users(t, root))
    report.add(parts.units(t, root))
    report.add(parts.programs(t, card))
    built = built_at(Path(firmware.__file__).parent)
    report.add(clock(t, now, built=built, tls=True))
    report.add(disk(t))
    report.add(parts.versions(t))
    if wrong is not None:
        raise wrong
    if report.faults:
        raise BoardError(t("not in order: {parts}").format(parts=", ".join(report.faults)))

"""The certificate by which phones know the table's pages: renewed as the table starts."""

import datetime
import logging
from pathlib import Path
from typing import Final

from firmware.certificates import renew_web, web_ends
from firmware.errors import KitError
from firmware.finding import Finding, Translate, fault, fine, note

FOLDER: Final = "web"
"""In the table's own folder: what the card-maker put there, and the certificate for nginx."""

log = logging.getLogger(__name__)


def renew(data: Path, now: datetime.datetime) -> None:
    """Renew the certificate below *data* if it is time; nginx shows it from its next start.

    What goes wrong is logged: a game needs no phone.
    """
    try:
        if renew_web(data / FOLDER, now):
            log.info("the pages' certificate is renewed; nginx shows it from its next start")
    except (KitError, OSError) as error:
        log.warning("the pages' certificate cannot be renewed: %s", error)


def look(t: Translate, data: Path, now: datetime.datetime) -> Finding:
    """Tell how long the certificate below *data* holds, for ``mafia-table doctor``."""
    part, folder = t("certificate"), data / FOLDER
    try:
        there = folder.exists()
    except OSError:
        return note(part, t("cannot be looked at"), t("Check with sudo."))
    if not there:
        found = t("none for phones: the host's pages open on this machine only")
        return note(part, found, t("Make the card again with the names that phones use."))
    ends = web_ends(folder)
    if ends is None or ends <= now:
        found = t("has run out or is broken: phones refuse the host's pages")
        return fault(part, found, "sudo systemctl restart mafia-table nginx")
    return fine(part, t("for phones, until {date}").format(date=ends.date().isoformat()))

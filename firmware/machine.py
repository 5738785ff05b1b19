"""The machine under a program: its disk and its time of day, as checks find them."""

import datetime
import errno
import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

from firmware.finding import Finding, Translate, fault, fine, note

DISK: Final = Path("/var/tmp")  # noqa: S108 - a folder of the card itself that anybody may write
"""Where writing is tried. Source: FHS 3.0, kept over a restart, so never in memory."""

ENOUGH_MB: Final = 200
"""Room for the logs and a new version of the kit."""

SYNCHRONISED: Final = Path("/run/systemd/timesync/synchronized")
"""Is there once the network has set the clock. Source: systemd-timesyncd.service(8)."""


def disk(t: Translate, folder: Path = DISK, enough_mb: int = ENOUGH_MB) -> Finding:
    """Write a little into *folder*, and look how much room there is."""
    part = t("disk")
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
        free_mb = shutil.disk_usage(folder).free // 1_000_000
    except OSError as error:
        return _unwritable(t, part, folder, error)
    found = t("{free} MB free, can be written").format(free=free_mb)
    if free_mb < enough_mb:
        wanted = t("Make room, {enough} MB at least: sudo apt clean; or take a larger card.")
        return note(part, found, wanted.format(enough=enough_mb))
    return fine(part, found)


def _unwritable(t: Translate, part: str, folder: Path, error: OSError) -> Finding:
    found = t("{folder} cannot be written: {reason}").format(
        folder=folder, reason=error.strerror or error
    )
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            remedy = t("The card is full: sudo apt clean; or take a larger card.")
        case errno.EROFS | errno.EIO:
            remedy = t("Start the Pi again; if it stays so, the card is worn out: make a new one.")
        case _:
            remedy = t("Check with sudo.")
    return fault(part, found, remedy)


def clock(
    t: Translate,
    now: datetime.datetime,
    *,
    built: datetime.datetime,
    tls: bool,
    synchronised: Path = SYNCHRONISED,
) -> Finding:
    """Compare the time of day *now* with the day the kit was *built*, both aware.

    With *tls* a wrong clock is a fault: the broker's certificate is not valid yet.
    """
    part = t("time of day")
    found = now.strftime("%Y-%m-%d %H:%M UTC")
    remedy = t(
        "Give the Pi the internet for a minute, or set the clock: sudo date -s '2026-12-31 20:00'"
    )
    # A day of grace: time zones of whoever packed the kit.
    if now < built - datetime.timedelta(days=1):
        found = t("{now}: before this kit was made ({built})").format(now=found, built=built.date())
        return fault(part, found, remedy) if tls else note(part, found, remedy)
    if not synchronised.exists():
        found = t("{now}, not set by the network since the start").format(now=found)
        return note(part, found, remedy)
    return fine(part, t("{now}, set by the network").format(now=found))


def built_at(package: Path) -> datetime.datetime:
    """Return when the kit whose *package* folder this is was put on this machine."""
    return datetime.datetime.fromtimestamp(
        (package / "__init__.py").stat().st_mtime, tz=datetime.UTC
    )

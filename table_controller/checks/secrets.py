"""Who else can read what the table keeps: card, journals, backups, PIN, cores."""

import os
import stat
from pathlib import Path
from typing import Final

from firmware.card import TableCard
from firmware.finding import Finding, Translate, fault, fine, note
from firmware.pin import FILE

OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
"""What a mode must not give."""

CORE_PATTERN: Final = "proc/sys/kernel/core_pattern"

NAMED_MAX: Final = 3
"""Files that are named; the rest is counted."""


def is_open(path: Path) -> bool:
    """Tell whether another user has any right at *path*; not if it is gone meanwhile."""
    try:
        return bool(path.lstat().st_mode & OTHERS)
    except FileNotFoundError:
        return False


def card(t: Translate, path: Path, card: TableCard) -> Finding:
    """See that nobody else reads the table's password, on the card or in a file beside it."""
    part = t("password")
    files = [path, *(path.parent.glob("*.password"))]
    bad = [file for file in files if is_open(file)]
    if bad:
        names = " ".join(str(file) for file in bad)
        found = t("others can read {files}").format(files=names)
        remedy = f"sudo chown mafia-table: {names}; sudo chmod 600 {names}"
        return fault(part, found, remedy)
    tls = t("by TLS") if card.link.ca else t("without TLS")
    where = f"{card.link.host}:{card.link.port}"
    if not card.link.ca and not is_loopback(card.link.host):
        found = t("goes over the network without TLS, to {where}").format(where=where)
        remedy = t("Give the card ca, and port 8883; or host = 127.0.0.1.")
        return fault(part, found, remedy)
    return fine(part, t("read by its owner only; to {where}, {tls}").format(where=where, tls=tls))


def is_loopback(host: str) -> bool:
    """Tell whether *host* is this machine alone."""
    return host == "localhost" or host == "::1" or host.startswith("127.")


def kept(t: Translate, folder: Path) -> Finding:
    """See that journals, backups and all else in the table's *folder* are its own."""
    part = t("journals")
    try:
        if not folder.exists():
            found = t("{folder} is not there").format(folder=folder)
            return note(part, found, t("The table makes it at its first start."))
        paths = [folder, *_below(folder)]
        bad = [path for path in paths if is_open(path)]
    except OSError as error:
        found = t("{folder} cannot be looked at: {reason}").format(
            folder=folder, reason=error.strerror
        )
        return fault(part, found, t("Check with sudo."))
    if bad:
        names = ", ".join(map(str, bad[:NAMED_MAX]))
        if len(bad) > NAMED_MAX:
            names += t(" and {more} more").format(more=len(bad) - NAMED_MAX)
        found = t("others can read {files}").format(files=names)
        return fault(part, found, f"sudo chmod -R go= {folder}")
    games = len(list((folder / "journal").glob("*.db")))
    found = t("{folder}: read by its owner only; games: {games}").format(folder=folder, games=games)
    return fine(part, found)


def _below(folder: Path) -> list[Path]:
    return [
        Path(where) / name for where, folders, files in os.walk(folder) for name in folders + files
    ]


def pin(t: Translate, card: TableCard) -> Finding:
    """See whether the host has a PIN."""
    part = t("host's PIN")
    try:
        there = bool(card.scoreboard.pin_hash) or (Path(card.data_dir) / FILE).exists()
    except OSError:
        return note(part, t("cannot be looked at"), t("Check with sudo."))
    if not there:
        found = t("none yet: nobody can be the host by phone")
        return note(part, found, "sudo -u mafia-table mafia-table pin")
    return fine(part, t("is set, and kept as a hash"))


def cores(t: Translate, root: Path) -> Finding:
    """See where a program's memory would go when it crashes."""
    part = t("crash dumps")
    try:
        pattern = (root / CORE_PATTERN).read_text("ascii").strip()
    except OSError:
        pattern = ""
    # The kit's programs leave none, whatever the pattern; the broker's drop-in says so of it.
    dropin = root / "etc/systemd/system/mosquitto.service.d/mafia.conf"
    if not dropin.exists():
        found = t("the broker may leave one ({pattern}), with cues in it").format(pattern=pattern)
        remedy = t("Install the kit's {file}.").format(
            file="systemd/mosquitto.service.d/mafia.conf"
        )
        return note(part, found, remedy)
    return fine(part, t("neither the kit nor the broker leaves any"))

"""What the table needs around it: users, units, other programs; and the versions of all."""

import importlib.metadata
import platform
import shutil
from pathlib import Path
from typing import Final

from firmware.card import TableCard
from firmware.finding import Finding, Translate, fault, fine, note
from firmware.mosquitto import find_mosquitto

USER: Final = "mafia-table"
UNIT: Final = "mafia-table.service"
UNIT_FOLDERS: Final = ("etc/systemd/system", "usr/lib/systemd/system", "lib/systemd/system")

VOICES: Final = {"espeak": ("espeak-ng", "espeak-ng"), "aplay": ("aplay", "alsa-utils")}
"""Program and Debian package of each voice; espeak needs aplay too."""

_SPEAKS_BY: Final = {"espeak": ("espeak", "aplay"), "aplay": ("aplay",), "off": (), "host": ()}

LIBRARIES: Final = ("flask", "waitress", "paho-mqtt", "msgspec")


def users(t: Translate, root: Path) -> Finding:
    """See that the table has a user of its own."""
    part = t("user")
    try:
        lines = (root / "etc/passwd").read_text("utf-8").splitlines()
    except OSError as error:
        return fault(part, str(error), t("Check with sudo."))
    if not any(line.startswith(f"{USER}:") for line in lines):
        found = t("there is no user {user}").format(user=USER)
        return note(part, found, "sudo systemd-sysusers /usr/lib/sysusers.d/mafia.conf")
    return fine(part, USER)


def units(t: Translate, root: Path) -> Finding:
    """See that the table's service is installed, and keeps its limits."""
    part = t("service")
    for folder in UNIT_FOLDERS:
        path = root / folder / UNIT
        if not path.exists():
            continue
        text = path.read_text("utf-8")
        for line in (f"User={USER}", "LimitCORE=0", "NoNewPrivileges=yes", "ProtectSystem=strict"):
            if line not in text.splitlines():
                found = t("{path} lacks {line}").format(path=path, line=line)
                remedy = t("Install the kit's {file}.").format(file=f"systemd/{UNIT}")
                return fault(part, found, remedy)
        return fine(part, str(path))
    found = t("{unit} is not installed: nothing starts the table with the machine").format(
        unit=UNIT
    )
    return note(part, found, t("Install the kit's {file}.").format(file=f"systemd/{UNIT}"))


def programs(t: Translate, card: TableCard | None) -> Finding:
    """See that the broker and what the card's voice needs are installed."""
    part = t("programs")
    wanted = {"mosquitto": find_mosquitto() is not None}
    packages = {"mosquitto": "mosquitto"}
    voice = card.voice if card else "off"
    for needs in _SPEAKS_BY[voice]:
        name, package = VOICES[needs]
        wanted[name], packages[name] = shutil.which(name) is not None, package
    missing = [name for name, there in wanted.items() if not there]
    if missing:
        found = t("missing: {names}").format(names=", ".join(missing))
        remedy = "sudo apt install " + " ".join(packages[name] for name in missing)
        return fault(part, found, remedy)
    return fine(part, ", ".join(wanted))


def versions(t: Translate) -> Finding:
    """Name the versions of the kit and of what it stands on."""
    found = [f"kit {importlib.metadata.version('mafia-table-kit')}"]
    found.append(f"Python {platform.python_version()}")
    for name in LIBRARIES:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            missing = t("missing: {names}").format(names=name)
            return fault(t("versions"), missing, t("Install the kit again, with its part [table]."))
    return fine(t("versions"), ", ".join(found))

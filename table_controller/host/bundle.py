"""What helps to find a fault, in one file: no role, PIN or password is in it.

Each part is made of what it lists, and nothing is copied as it stands.
"""

import importlib.metadata
import io
import platform
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

from firmware.card import TableCard
from firmware.words import Words

DOCTOR_S: Final = 20.0
"""How long ``mafia-table doctor`` may take; nginx waits 30 s for an answer."""

PART_MAX: Final = 1024 * 1024
"""Letters of a part; of a longer one its end is kept."""


def make(log: str, card_path: Path, card: TableCard, words: Words) -> bytes:
    """Return a ZIP of the *log*, the card, the versions, and what the doctor says."""
    parts = {
        "log.txt": log,
        "doctor.txt": _doctor(card_path, words),
        "versions.txt": _versions(),
        "card.txt": card_text(card),
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, text in parts.items():
            bundle.writestr(name, text[-PART_MAX:])
    return file.getvalue()


def card_text(card: TableCard) -> str:
    """Return what *card* says, without passwords, hashes and names of people."""
    told = {
        "table": card.table,
        "language": card.language,
        "data_dir": card.data_dir,
        "lights": card.lights,
        "voice": card.voice,
        "recordings": card.recordings,
        "readiness": card.readiness,
        "seating": card.seating,
        "players": len(card.players),
        "link.host": card.link.host,
        "link.port": card.link.port,
        "link.tls": bool(card.link.ca),
        "scoreboard.bind": card.scoreboard.bind,
        "scoreboard.port": card.scoreboard.port,
        "scoreboard.names": ", ".join(card.scoreboard.names),
        "gestures.on": ", ".join(card.gestures.on),
        "gestures.forbidden": card.gestures.forbidden,
    }
    return "".join(f"{key} = {value}\n" for key, value in told.items())


def _doctor(path: Path, words: Words) -> str:
    command = [sys.executable, "-m", "table_controller", "doctor", "--card", str(path)]
    try:
        done = subprocess.run(
            [*command, "--language", words.language],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=DOCTOR_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{error}\n"
    return done.stdout.decode(errors="replace")


def _versions() -> str:
    lines = [f"Python {platform.python_version()}", platform.platform()]
    lines += sorted(f"{one.name} {one.version}" for one in importlib.metadata.distributions())
    return "\n".join(lines) + "\n"

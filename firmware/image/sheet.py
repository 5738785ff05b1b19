"""The sheet for who sets the table up: names for the cards, addresses, codes to scan.

One page of A4, in the club's language, without anything from elsewhere. The upper part
stays with the host: it has the PIN and the passwords. The labels below are cut out.
"""

import html
import io
import string
from pathlib import Path
from typing import Final

import segno

from firmware.image import club as clubs
from firmware.image.answers import Answers
from firmware.image.club import Club
from firmware.image.make_cards import TABLE, hosts
from firmware.private import write_private
from firmware.words import catalogue

FILE: Final = "sheet.html"
TEMPLATE: Final = Path(__file__).parent / "sheet.html"


def write_sheet(folder: Path, answers: Answers, club: Club) -> Path:
    """Write the sheet of the cards into *folder* and return its path; it is private."""
    t = catalogue(answers.language).gettext
    address = hosts(answers)[0]
    password = club.known(clubs.WIFI)
    codes = [
        (t("Scoreboard"), f"http://{address}/", f"http://{address}/"),
        (t("Host"), f"https://{address}/host", f"https://{address}/host"),
    ]
    if answers.wifi_name:
        scanned = wifi_code(answers.wifi_name, password, hidden=answers.hidden)
        codes.insert(0, (t("Wi-Fi"), answers.wifi_name, scanned))
    pin = club.known(clubs.PIN)
    facts = [
        (t("Wi-Fi"), answers.wifi_name),
        (t("Wi-Fi password"), password),
        (t("Host's PIN"), " ".join(pin[at : at + 4] for at in range(0, len(pin), 4))),
        (t("Login on every Pi"), "club"),
        (t("Login password"), club.known(clubs.LOGIN)),
        (t("Fingerprint of the kit's authority (SHA-256)"), club.authority.fingerprint()),
    ]
    nodes = [user for user in answers.users if user not in club.revoked]
    text = string.Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        language=answers.language,
        title=_text(f"{answers.club}: {t('Mafia table kit')}"),
        private=_text(t("Private: keep it with the host, and away from the table.")),
        facts="".join(
            f"<dt>{_text(name)}</dt><dd>{_text(value)}</dd>" for name, value in facts if value
        ),
        codes="".join(
            f"<figure>{_code(scanned)}<figcaption><b>{_text(name)}</b><br>{_text(shown)}"
            "</figcaption></figure>"
            for name, shown, scanned in codes
        ),
        labels_title=_text(t("Labels for the cards")),
        labels="".join(f"<li>{_text(label)}</li>" for label in (TABLE, *nodes)),
    )
    path = folder / FILE
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        write_private(path, text)
    return path


def wifi_code(ssid: str, password: str, *, hidden: bool) -> str:
    """Return what a phone scans to join a Wi-Fi.

    Source: WPA3 specification 3.4, section 7 (URI format); zxing, "Barcode contents".
    """

    def escaped(value: str) -> str:
        return "".join(f"\\{each}" if each in '\\;,:"' else each for each in value)

    kind = f"T:WPA;S:{escaped(ssid)};P:{escaped(password)}" if password else f"S:{escaped(ssid)}"
    return f"WIFI:{kind};{'H:true;' if hidden else ''};"


def _code(content: str) -> str:
    out = io.BytesIO()
    segno.make(content, error="m", micro=False).save(
        out, kind="svg", xmldecl=False, svgns=True, border=2, omitsize=True, svgclass=None
    )
    return out.getvalue().decode()


def _text(value: str) -> str:
    return html.escape(value)

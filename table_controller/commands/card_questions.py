"""What ``mafia-table cards`` asks before the first cards, one answer after the other."""

import os
import typing
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from firmware.card import explain
from firmware.image.answers import Answers, Given
from firmware.words import LANGUAGES, N_, Words, catalogue

QUESTIONS: Final = (
    ("club", N_("Name of the club")),
    ("table", N_("Name of this table, of a-z, 0-9 and -")),
    ("hostname", N_("What phones call the table: this name and .local")),
    ("time_zone", N_("Time zone")),
    ("country", N_("Country, two letters (for Wi-Fi)")),
    ("network", N_("Network: the kit's own (hotspot), the club's Wi-Fi (wifi), or a cable")),
    ("ssid", N_("Name of the Wi-Fi")),
    ("hidden", N_("Does the Wi-Fi hide its name?")),
    ("nodes", N_("How many seats to make cards for; 11 and 12 are spares")),
    ("table_board", N_("The table's Pi")),
    ("seat_board", N_("The seats' Pis")),
    ("eyes", N_("Is there a camera at each seat?")),
    ("screen", N_("The seats' screens")),
    ("switch", N_("Contact of the buttons: no (normally open) or nc")),
    ("voice", N_("Who speaks: espeak, the host (host), or nobody (off)")),
    ("lights", N_("Are there lights around the table?")),
    ("ssh_key", N_("Your SSH key: a file such as id_ed25519.pub, or empty for a password")),
)

ZONES: Final = {"en": "Europe/London", "de": "Europe/Berlin", "ru": "Europe/Moscow"}


def ask(before: Answers) -> tuple[Answers, Given]:
    """Ask for everything at the terminal; what was answered *before* is offered.

    :raises click.Abort: at Ctrl-C or the end of the input.
    """
    language = click.prompt(
        "Language, Sprache, язык", type=click.Choice(LANGUAGES), default=before.language
    )
    words = catalogue(language)
    answers = msgspec.structs.replace(before, language=language)
    if answers.time_zone == Answers().time_zone:
        answers = msgspec.structs.replace(answers, time_zone=_time_zone_here(language))
    for name, question in QUESTIONS:
        if name in ("ssid", "hidden") and answers.network != "wifi":
            continue
        answers = _asked(answers, name, words.gettext(question), words)
    return answers, _secrets(answers, words)


def _asked(answers: Answers, name: str, question: str, words: Words) -> Answers:
    """Return *answers* with that called *name*, asked until it can be one."""
    before = getattr(answers, name)
    while True:
        value = _prompted(name, question, before)
        if name == "ssh_key" and value and not value.startswith(("ssh-", "ecdsa-", "sk-")):
            value = _read_key(Path(value), words)
            if value is None:
                continue
        raw = {name: value}
        if name == "ssid" and not value:
            continue
        try:
            msgspec.convert(raw, Answers)
        except msgspec.ValidationError as error:
            click.echo(explain(str(error), raw, Answers))
            continue
        return msgspec.structs.replace(answers, **raw)


def _prompted(name: str, question: str, before: Any) -> Any:
    if isinstance(before, bool):
        return click.confirm(question, default=before)
    kind: Any = typing.get_type_hints(Answers)[name]
    if typing.get_origin(kind) is typing.Literal:
        return click.prompt(question, type=click.Choice(typing.get_args(kind)), default=before)
    return click.prompt(question, default=before, type=type(before))


def _read_key(file: Path, words: Words) -> str | None:
    """Return the public key in *file*; None, after a word why not: there is none."""
    try:
        line = file.expanduser().read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        click.echo(f"{file}: {reason}")
        return None
    if "PRIVATE KEY" in line:
        t = words.gettext
        click.echo(
            t("{file}: this is the private key; the one ending in .pub is wanted").format(file=file)
        )
        return None
    return line


def _secrets(answers: Answers, words: Words) -> Given:
    """Ask for the password of the club's Wi-Fi; all others are made, and are on the sheet."""
    if answers.network != "wifi":
        return Given()
    question = words.gettext("Password of the Wi-Fi (empty: as before, or an open network)")
    password = click.prompt(question, default="", hide_input=True, show_default=False)
    return Given(wifi_password=password)


def _time_zone_here(language: str) -> str:
    """Return this computer's time zone, or if it does not tell the language's."""
    _, _, name = os.path.realpath("/etc/localtime").rpartition("/zoneinfo/")
    return name or ZONES[language]

"""What a name may be, when two are the same, and what is said of one that is refused."""

import datetime
import secrets
import unicodedata
from typing import Final

from firmware.errors import KitError
from firmware.words import N_, Words

NAME_MAX: Final = 24
"""Letters of a name or nick. Source: firmware.card, Name; a seat's screen has room for it."""

CLUB_MAX: Final = 40
"""Letters of a club's name."""

TEXT_MAX: Final = 2000
"""Letters of a reason or an appeal."""

_ID_BYTES: Final = 6


class Refused(KitError, ValueError):
    """What was asked of the league cannot be; :meth:`said` tells why in the reader's language."""

    def __init__(self, field: str, text: str, **values: object) -> None:
        super().__init__(text.format(**values))
        self.field = field
        """What is wrong: name, nick, club, day, ...; a form shows it there."""
        self.text = text
        """Marked for translation; *values* are filled in."""
        self.values = values

    def said(self, words: Words) -> str:
        """Return why, in the language of *words*."""
        values = {
            name: day_name(value, words) if isinstance(value, datetime.date) else value
            for name, value in self.values.items()
        }
        return words.gettext(self.text).format(**values)


def day_name(day: datetime.date, words: Words) -> str:
    """Return a day as people write it."""
    # Imported late: Babel takes a while, and no seat needs it.
    from babel.dates import format_date

    return format_date(day, "long", locale=words.language)


def new_id() -> str:
    """Return a new id; the ids of several tables do not meet."""
    return secrets.token_hex(_ID_BYTES)


def tidy(text: str) -> str:
    """Return *text* composed (NFC), without spaces around it and with single ones in it."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def key(name: str) -> str:
    """Return what equal names have in common: case, width and the dots of the Russian e aside.

    Kept beside the name, because SQLite folds the case of ASCII letters only.
    """
    folded = unicodedata.normalize("NFKC", tidy(name)).casefold()
    return unicodedata.normalize("NFKC", folded).replace("ё", "е")


def check_line(field: str, text: str, most: int = NAME_MAX, *, needed: bool = False) -> str:
    """Return *text* as it is kept: one line of at most *most* letters.

    :raises Refused: if it is none; with *needed* also if it is empty.
    """
    line = tidy(text)
    if needed and not key(line):
        raise Refused(field, N_("expected something here"))
    if len(line) > most:
        raise Refused(
            field, N_("{line}: {count} letters; expected {most} at most"),
            line=repr(line[:most] + "…"), count=len(line), most=most,
        )  # fmt: skip
    if not line.isprintable():
        raise Refused(field, N_("{line}: expected letters that can be shown"), line=ascii(line))
    return line


def check_text(field: str, text: str, *, needed: bool = False) -> str:
    """Return *text* as it is kept: some lines of at most :data:`TEXT_MAX` letters in all.

    :raises Refused: if it is none; with *needed* also if it is empty.
    """
    lines = [check_line(field, line, TEXT_MAX) for line in text.splitlines()]
    whole = "\n".join(lines).strip()
    if needed and not whole:
        raise Refused(field, N_("expected something here"))
    if len(whole) > TEXT_MAX:
        raise Refused(
            field, N_("{count} letters; expected {most} at most"), count=len(whole), most=TEXT_MAX
        )
    return whole

"""What a name may be, when two are the same, and what is said of one that is refused."""

import datetime
import re
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

_UNSEEN: Final = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""What no screen shows, though Python calls much of it printable.

Source: Unicode 15, DerivedCoreProperties, Default_Ignorable_Code_Point; and the blank of Braille.
"""

_ALIKE: Final = frozenset({"LATIN", "CYRILLIC", "GREEK", "COPTIC", "ARMENIAN", "CHEROKEE", "LISU"})
"""Scripts with letters that look like another's, as the names of their letters begin."""

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

    Kept beside the name, because SQLite folds the case of ASCII letters only. Names that only
    look the same are not equal here, so that those of an older file are still found;
    :func:`check_line` lets no new one in.
    """
    folded = unicodedata.normalize("NFKC", tidy(name)).casefold()
    return unicodedata.normalize("NFKC", folded).replace("ё", "е")


def check_line(field: str, text: str, most: int = NAME_MAX, *, needed: bool = False) -> str:
    """Return *text*, a name, as it is kept: one line of at most *most* letters.

    :raises Refused: if it is none, or can look like another name; with *needed* also if it is
        empty.
    """
    line = _line(field, text, most, needed=needed)
    if _UNSEEN.search(line):
        raise Refused(field, N_("{line}: letters in it cannot be seen"), line=ascii(line))
    for word in _words(line):
        if _mixed(word):
            raise Refused(
                field, N_("{word}: letters of two alphabets in one word"), word=repr(word)
            )
    return line


def _words(line: str) -> list[str]:
    """Return what stands between spaces and hyphens."""
    dashed = (" " if unicodedata.category(each) == "Pd" else each for each in line)
    return "".join(dashed).split()


def _mixed(word: str) -> bool:
    """Tell whether *word* has letters of two scripts that can be taken for one another."""
    letters = filter(str.isalpha, unicodedata.normalize("NFKC", word))
    scripts = {unicodedata.name(each, "?").split()[0] for each in letters}
    return len(scripts & _ALIKE) > 1


def _line(field: str, text: str, most: int, *, needed: bool = False) -> str:
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
    lines = [_line(field, line, TEXT_MAX) for line in text.splitlines()]
    whole = "\n".join(lines).strip()
    if needed and not whole:
        raise Refused(field, N_("expected something here"))
    if len(whole) > TEXT_MAX:
        raise Refused(
            field, N_("{count} letters; expected {most} at most"), count=len(whole), most=TEXT_MAX
        )
    return whole

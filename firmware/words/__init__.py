"""The words of screens, voice and pages, in the languages of the kit.

Texts in the code are English and are their own keys; a catalogue ``xx.po``
beside this file holds their translations. Mark a text by calling ``t``,
``gettext``, ``_`` or ``N_`` with it as a literal first argument, ``ngettext``
with two; ``python -m firmware.words`` then adds it to every catalogue.
"""

import functools
import gettext
import importlib.resources
import io
from dataclasses import dataclass
from typing import Final

from firmware.errors import CardError

SOURCE: Final = "en"
"""The language that the texts in the code are written in."""

LANGUAGES: Final = (SOURCE, "ru", "de")
"""Languages that the kit speaks."""


@dataclass(frozen=True, slots=True)
class Words:
    """The texts of one language. A text without a translation is itself."""

    language: str
    texts: gettext.NullTranslations

    def gettext(self, message: str) -> str:
        """Return *message* in this language."""
        return self.texts.gettext(message)

    def ngettext(self, one: str, many: str, n: int) -> str:
        """Return the form for the count *n*; *one* is the source's form for 1."""
        return self.texts.ngettext(one, many, n)


def N_(text: str) -> str:  # noqa: N802  (gettext's own name)
    """Return *text* as it is, marked for a translation made later."""
    return text


@functools.cache
def catalogue(language: str) -> Words:
    """Return the words of *language*, compiled at its first use.

    :raises CardError: if the kit does not speak *language*.
    """
    if language not in LANGUAGES:
        raise CardError(f"language {language!r}: expected one of {', '.join(LANGUAGES)}")
    if language == SOURCE:
        return Words(SOURCE, gettext.NullTranslations())
    # Imported late: English, and so every test and seat in it, starts without Babel.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po
    from babel.support import Translations

    source = importlib.resources.files(__name__) / f"{language}.po"
    with source.open("rb") as file:
        texts = read_po(file, locale=language)
    compiled = io.BytesIO()
    write_mo(compiled, texts)
    compiled.seek(0)
    return Words(language, Translations(compiled))

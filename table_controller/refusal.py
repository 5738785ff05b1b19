"""Why the table does not carry out an order, in the words of whoever gave it."""

from firmware.errors import KitError
from firmware.words import SOURCE, Words, catalogue


class Refused(KitError, ValueError):
    """An order that is not carried out: a *text* marked for the catalogues, and its *values*."""

    def __init__(self, text: str, **values: object) -> None:
        self._text = text
        self._values = values
        super().__init__(self.told(catalogue(SOURCE)))

    def told(self, words: Words) -> str:
        """Return why, in *words*."""
        return words.gettext(self._text).format(**self._values)

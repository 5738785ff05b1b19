"""What is told to hosts who read different languages, put into words for each of them."""

from typing import Protocol

from firmware.words import Words


class Told(Protocol):
    """Something that can be told in any language."""

    def told(self, words: Words) -> str:
        """Return it in *words*."""
        ...


class Sentence:
    """A text marked for the catalogues, and what fills its blanks: values, or what is told."""

    def __init__(self, text: str, **values: "str | float | Told") -> None:
        self._text = text
        self._values = values

    def told(self, words: Words) -> str:
        """Return it in *words*."""
        values = {
            name: value if isinstance(value, str | float | int) else value.told(words)
            for name, value in self._values.items()
        }
        return words.gettext(self._text).format(**values)

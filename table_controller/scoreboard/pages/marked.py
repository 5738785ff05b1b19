"""Numbers of the rules as a page shows them: each with a mark, fixed or default."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from babel.numbers import format_decimal
from markupsafe import Markup

from firmware.words import Words
from table_controller.game import Ruleset
from table_controller.game.rulefile import Line, Standing, lines
from table_controller.wording import standing_word

SIGNS: Final = {Standing.FIXED: "●", Standing.DEFAULT: "○", Standing.CHANGED: "◆"}
"""The mark of each standing: a shape, and a word for who does not see it."""

_NUMBER: Final = Markup('<span class="value {kind}">{value}</span>{mark}')
_MARK: Final = Markup(
    '<span class="mark {kind}"><span aria-hidden="true">{sign}</span>'
    '<span class="unseen"> ({word})</span></span>'
)


class Marked(Mapping[str, Markup]):
    """Every key of *ruleset* as its value with its mark; a flag is its mark alone."""

    def __init__(self, ruleset: Ruleset, words: Words) -> None:
        self._lines = {line.key: line for line in lines(ruleset)}
        self._words = words

    def __getitem__(self, key: str) -> Markup:
        line = self._lines[key]
        mark = self.mark(line)
        if isinstance(line.value, bool):
            return mark
        kind = line.standing.value
        return _NUMBER.format(kind=kind, value=shown(line, line.value, self._words), mark=mark)

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)

    def mark(self, line: Line) -> Markup:
        """Return the mark of *line* by itself."""
        standing = line.standing
        word = standing_word(standing, self._words)
        return _MARK.format(kind=standing.value, sign=SIGNS[standing], word=word)

    def of(self, key: str) -> Markup:
        """Return the mark of *key* by itself."""
        return self.mark(self._lines[key])


class Legend(NamedTuple):
    """A mark and what it says."""

    sign: str
    kind: str
    meaning: str


def legend(words: Words) -> tuple[Legend, ...]:
    """Return what the marks say."""
    t = words.gettext
    return (
        Legend(SIGNS[Standing.FIXED], Standing.FIXED.value, t("fixed: no club changes it")),
        Legend(SIGNS[Standing.DEFAULT], Standing.DEFAULT.value, t("default: a club may change it")),
        Legend(SIGNS[Standing.CHANGED], Standing.CHANGED.value, t("changed by this club")),
    )


def decimal(value: float, language: str) -> str:
    """Return a number as *language* writes it."""
    return format_decimal(value, locale=language)


def points(hundredths: int, language: str) -> str:
    """Return points with their sign, as *language* writes them: "+1.35", "0"."""
    if not hundredths:
        return "0"
    # A true minus is as wide as a plus: the numbers stand under each other.
    written = format_decimal(abs(hundredths) / 100, "0.00", locale=language)
    return ("+" if hundredths > 0 else "\N{MINUS SIGN}") + written


def shown(line: Line, value: object, words: Words) -> str:
    """Return *value*, which can stand in *line*, with its unit if that is seconds."""
    t = words.gettext
    if isinstance(value, bool):
        return t("yes") if value else t("no")
    if isinstance(value, tuple):
        if line.key.startswith("points."):
            return " / ".join(points(amount, words.language) for amount in value)
        return f"{value[0]}/{value[1]}"
    assert isinstance(value, int | float)
    number = decimal(value, words.language)
    # The number and its unit stay on one line.
    return f"{number}\N{NO-BREAK SPACE}{t('s')}" if line.setting.unit == "s" else number

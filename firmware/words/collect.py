"""Find the marked texts of the source and keep the catalogues complete.

For developers: works on a source tree, not on an installed kit.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from firmware.words import LANGUAGES, SOURCE

PACKAGES: Final = ("firmware", "table_controller", "seat_node")

AUTHORS: Final = "the Mafia table kit authors"

Text = str | tuple[str, str]
"""A marked text: a message, or the two forms of a plural."""

_MARKS: Final = frozenset({"t", "gettext", "_", "N_"})
_STRING: Final = r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
_IN_PAGE: Final = re.compile(rf"(?<![\w.])(?:t|gettext|_)\(\s*{_STRING}")
_PLURAL_IN_PAGE: Final = re.compile(rf"(?<![\w.])ngettext\(\s*{_STRING}\s*,\s*{_STRING}")


class MarkError(ValueError):
    """A marked text is no literal, so that no catalogue can hold it."""


def texts_of_python(source: str, name: str) -> Iterator[Text]:
    """Yield the marked texts of a Python *source*; *name* is for messages.

    A name as argument is let through: its text is marked by ``N_`` elsewhere.

    :raises MarkError: at an f-string or a sum in place of a literal.
    """
    for call in ast.walk(ast.parse(source, name)):
        if not isinstance(call, ast.Call):
            continue
        function = call.func
        called = function.attr if isinstance(function, ast.Attribute) else None
        called = function.id if isinstance(function, ast.Name) else called
        if called == "ngettext":
            one, many = call.args[0], call.args[1]
            if isinstance(one, ast.Constant) and isinstance(many, ast.Constant):
                yield (str(one.value), str(many.value))
            continue
        if called not in _MARKS or not call.args:
            continue
        match call.args[0]:
            case ast.Constant(value=str(text)):
                yield text
            case ast.JoinedStr() | ast.BinOp():
                raise MarkError(f"{name}:{call.lineno}: a marked text must be a literal")


def texts_of_page(source: str) -> Iterator[Text]:
    """Yield the marked texts of a template or a script of the scoreboard."""
    for found in _IN_PAGE.finditer(source):
        yield ast.literal_eval(found[1])
    for found in _PLURAL_IN_PAGE.finditer(source):
        yield (ast.literal_eval(found[1]), ast.literal_eval(found[2]))


def collect(root: Path) -> dict[Text, str]:
    """Return every marked text under *root* with the file that has it first."""
    found: dict[Text, str] = {}
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*")):
            name = str(path.relative_to(root))
            if path.suffix == ".py":
                texts = texts_of_python(path.read_text("utf-8"), name)
            elif path.suffix in (".html", ".js", ".jinja"):
                texts = texts_of_page(path.read_text("utf-8"))
            else:
                continue
            for text in texts:
                found.setdefault(text, name)
    return found


def path_of(root: Path, language: str) -> Path:
    """Return where the catalogue of *language* lies in the tree *root*."""
    return root / "firmware" / "words" / f"{language}.po"


def read(path: Path, language: str) -> Catalog:
    """Return the catalogue that *path* holds, or a new one."""
    if not path.exists():
        return Catalog(
            locale=language,
            project="mafia-table-kit",
            version="0.1",
            last_translator=AUTHORS,
            language_team=AUTHORS,
            msgid_bugs_address="",
            fuzzy=False,
        )
    with path.open("rb") as file:
        return read_po(file, locale=language)


def texts_in(words: Catalog) -> dict[Text, bool]:
    """Return the texts of a catalogue, each with whether it is translated whole."""
    there: dict[Text, bool] = {}
    for message in words:
        if not message.id:
            continue
        key = message.id if isinstance(message.id, str) else (message.id[0], message.id[1])
        forms = [message.string] if isinstance(message.string, str) else list(message.string or [])
        there[key] = bool(forms) and all(forms)
    return there


def update(root: Path, *, prune: bool) -> Iterator[str]:
    """Add missing texts to every catalogue and yield a line for each finding.

    With *prune* texts that nothing uses any more are removed, else only named.
    """
    used = collect(root)
    for language in LANGUAGES:
        if language == SOURCE:
            continue
        path = path_of(root, language)
        words = read(path, language)
        there = texts_in(words)
        changed = False
        for text in used:
            if text not in there:
                words.add(text)
                changed = True
            if not there.get(text):
                yield f"{path.name}: to translate: {text!r} ({used[text]})"
        for text in there.keys() - used.keys():
            yield f"{path.name}: unused{', removed' if prune else ''}: {text!r}"
            if prune:
                words.delete(text)
                changed = True
        if changed:
            with path.open("wb") as file:
                write_po(file, words, width=0, sort_output=True, no_location=True)

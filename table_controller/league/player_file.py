"""A club's players from a CSV file: a header, then a player a line.

A line that is wrong spoils no other. UTF-8, with a BOM or without, or what an older
spreadsheet writes, when that is said: nothing in a file tells one from the other.
Between the fields commas, or what a spreadsheet of a German or Russian office writes:
semicolons, or tabs; Excel's first line ``sep=;`` says which. The columns are ``name``,
and if wanted ``nick`` and ``club``, in any order and any case.
"""

import csv
import io
import re
from collections.abc import Iterator
from typing import Final

import msgspec

from firmware.words import N_, Words
from table_controller.league.names import Refused, key
from table_controller.league.players import Entry

FILE_MAX: Final = 256 * 1024
"""Bytes of such a file: some thousand players."""

COLUMNS: Final = ("name", "nick", "club")

_SEPARATOR: Final = re.compile("sep=([,;\t])", re.IGNORECASE)
"""What Excel writes above the header, and heeds."""

ENCODINGS: Final = {"utf-8": "utf-8-sig", "windows-1251": "cp1251", "windows-1252": "cp1252"}
"""What may be said of a file, and what Python calls it; the first one is meant unless it is."""

ROW_MAX: Final = 3
"""Lines of a player at most: a quotation mark that nobody closes swallows no more."""

FAULTS_MAX: Final = 100
"""So many are named; who has more has another file in hand."""


class FileFault(msgspec.Struct, frozen=True):
    """What is wrong in a line of the file."""

    line: int
    """From 1, as an editor counts; 0: in all of the file."""
    field: str
    """Of :data:`COLUMNS`, or "": the line."""
    why: Refused

    def said(self, words: Words) -> str:
        """Return it in the language of *words*."""
        t, why = words.gettext, self.why.said(words)
        if not self.line:
            return why
        if not self.field:
            return t("line {line}: {why}").format(line=self.line, why=why)
        return t("line {line}, {field}: {why}").format(line=self.line, field=self.field, why=why)


def read_players(raw: bytes, encoding: str = "utf-8") -> tuple[list[Entry], list[FileFault]]:
    """Return the players of a file that are good, and all that is wrong in it.

    *encoding* is one of :data:`ENCODINGS`.
    """
    top = 1
    try:
        rows, torn = _rows(raw, encoding)
        top, header = rows.pop(0) if rows else (top, [])
        columns = _columns(header)
        if not rows and not torn:
            raise Refused("file", N_("no player in the file"))
    except Refused as refused:
        return [], [FileFault(top if refused.field == "header" else 0, "", refused)]
    entries: list[Entry] = []
    faults: list[FileFault] = []
    seen: dict[str, int] = {}
    for line, fields in rows:
        found = _entry(line, fields, columns)
        if isinstance(found, Entry):
            before = seen.setdefault(key(found.name), line)
            if before == line:
                entries.append(found)
                continue
            text = N_("{name}: stands in line {before} already")
            why = Refused("name", text, name=repr(found.name), before=before)
            found = [FileFault(line, "name", why)]
        faults += found
    faults = sorted([*torn, *faults], key=lambda fault: fault.line)
    if len(faults) > FAULTS_MAX:
        more = Refused("file", N_("and {more} more"), more=len(faults) - FAULTS_MAX)
        faults = [*faults[:FAULTS_MAX], FileFault(0, "", more)]
    return entries, faults


def _rows(raw: bytes, encoding: str) -> tuple[list[tuple[int, list[str]]], list[FileFault]]:
    """Return the rows that hold something, each with the line it begins in, and the torn ones."""
    lines = list(io.StringIO(_text(raw, encoding), newline=""))
    told = _SEPARATOR.fullmatch(lines[0].rstrip("\r\n")) if lines else None
    first = 1 if told else 0
    between = told[1] if told else max(",;\t", key=(lines or [""])[0].count)
    rows, faults = [], []
    while first < len(lines):
        reader = csv.reader(_few(lines, first), delimiter=between, strict=True)
        try:
            fields = next(reader)
        except csv.Error as error:
            why = Refused("line", N_("not CSV: {error}"), error=error)
            faults.append(FileFault(first + 1, "", why))
            # The next line may be good by itself.
            first += 1
            continue
        if any(field.strip() for field in fields):
            rows.append((first + 1, fields))
        first += reader.line_num
    return rows, faults


def _few(lines: list[str], first: int) -> Iterator[str]:
    for number in range(first, min(first + ROW_MAX, len(lines))):
        yield lines[number]


def _text(raw: bytes, encoding: str) -> str:
    if len(raw) > FILE_MAX:
        raise Refused("file", N_("expected {most} KiB at most"), most=FILE_MAX // 1024)
    try:
        return raw.decode(ENCODINGS[encoding])
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        text = N_("line {line} is not {encoding}: save the file as CSV in UTF-8, or say what it is")
        raise Refused("file", text, line=line, encoding=encoding) from None


def _columns(header: list[str]) -> list[str]:
    columns = [field.strip().lower() for field in header]
    wrong = [each for each in columns if each not in COLUMNS]
    if wrong or "name" not in columns or len(set(columns)) != len(columns):
        raise Refused(
            "header", N_("found {found}; expected the header {columns}"),
            found=repr(",".join(header)[:80]), columns=",".join(COLUMNS),
        )  # fmt: skip
    return columns


def _entry(line: int, fields: list[str], columns: list[str]) -> Entry | list[FileFault]:
    """Return the player of a line, or all that is wrong in it."""
    if len(fields) != len(columns):
        text = N_("fields: {count}; expected {expected}")
        why = Refused("line", text, count=len(fields), expected=len(columns))
        return [FileFault(line, "", why)]
    values = dict(zip(columns, fields, strict=True))
    faults = []
    for column in COLUMNS:
        try:
            # Each by itself, so that all of them are told at once.
            Entry(**{"name": "x"} | {column: values.get(column, "x")}).checked()
        except Refused as refused:
            faults.append(FileFault(line, column, refused))
    return faults or Entry(**values).checked()

"""What gestures are taken for: labelled pictures counted, by label and by source. Pure.

The thresholds were set on the photographs of HaGRID and of nothing else; every
other source only measures. Both are printed, apart, because a rule that fits
the hands it was made with says little about the next hand.
"""

import csv
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.errors import KitError

MUST: Final = 0.96
GOAL: Final = 0.98
"""Share of the hands seen that must be, and should be, told right. Source: DESIGN 10."""

FEW: Final = 5
"""Fewer hands than this prove nothing for a label."""
WEAK: Final = 0.95
"""A label or a source of which less is right is named as weak."""
SEEN_WEAK: Final = 0.85
"""A label of whose pictures a hand is found in less is named too."""

TUNED: Final = "hagrid"
"""What source or licence name of photographs that set the thresholds."""

UNSEEN: Final = "no hand"
OTHER: Final = "none"
"""Column of a hand that makes none of our gestures; expected of every unknown label."""

_LABELS: Final = {
    **{str(number): f"number {number}" for number in range(1, 6)},
    "victory": "number 2",
    "victory_2": "number 2",
    "3_thumb": "number 3",
    "open_palm": "number 5",
    "fist": "fist",
    "thumb_up": "thumb_up",
    "thumb_down": "thumb_down",
    "ok": "ok",
    "ok_ring": "ok",
    "pistol": "pistol",
    "hook": "hook",
    "forbidden": "forbidden",
    "middle_finger": "forbidden",
}
_REQUIRED: Final = ("number ", "fist", "thumb_up", "thumb_down", "ok")
"""How the gestures begin whose share DESIGN 10 asks for."""
_COLUMNS: Final = ("file", "label", "source", "licence")


class LabelsError(KitError, ValueError):
    """The list of labelled pictures cannot be used."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A line of ``labels.csv``."""

    file: str
    label: str
    source: str
    licence: str

    @property
    def two_hands(self) -> bool:
        """Whether the label is of two hands: ``two:LEFT+RIGHT``."""
        return self.label.startswith("two:")

    @property
    def expected(self) -> str:
        """What the picture shows: a gesture, or :data:`OTHER`."""
        if self.two_hands:
            number = sum(map(int, self.label.removeprefix("two:").split("+")))
            return f"number {number}" if number else "fist"
        return _LABELS.get(self.label, OTHER)

    @property
    def from_(self) -> str:
        """The source in short: without commit and path."""
        return self.source.partition("@")[0].strip() or "unknown"

    @property
    def tuned(self) -> bool:
        """Whether the thresholds were set on this source."""
        return TUNED in f"{self.source} {self.licence}".lower()


@dataclass(frozen=True, slots=True)
class Told:
    """What was told of a picture."""

    picture: Picture
    name: str
    """A gesture, :data:`OTHER` or :data:`UNSEEN`."""

    @property
    def seen(self) -> bool:
        """Whether every hand that it shows was found."""
        return self.name != UNSEEN

    @property
    def right(self) -> bool:
        """Whether the gesture is the one that is shown."""
        return self.name == self.picture.expected

    @property
    def asked(self) -> bool:
        """Whether it is one of the hands whose share DESIGN 10 asks for."""
        return self.seen and self.picture.expected.startswith(_REQUIRED)


def read_labels(folder: Path) -> list[Picture]:
    """Return the pictures that ``labels.csv`` of *folder* lists.

    :raises LabelsError: naming the line and what is wrong with it.
    """
    path = folder / "labels.csv"
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.reader(file, strict=True)
            header = tuple(next(rows, ()))
            if header != _COLUMNS:
                raise LabelsError(f"{path}:1: {','.join(header)!r}: expected {','.join(_COLUMNS)}")
            pictures = [_picture(path, rows.line_num, row) for row in rows if row]
    except OSError as error:
        raise LabelsError(f"{path}: {error.strerror}; expected a list of pictures") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise LabelsError(f"{path}: not CSV in UTF-8: {error}") from error
    if not pictures:
        raise LabelsError(f"{path}: no pictures")
    twice = [file for file, n in Counter(picture.file for picture in pictures).items() if n > 1]
    if twice:
        raise LabelsError(f"{path}: {twice[0]!r} is listed twice")
    return pictures


def _picture(path: Path, line: int, row: Sequence[str]) -> Picture:
    where = f"{path}:{line}"
    if len(row) != len(_COLUMNS):
        raise LabelsError(f"{where}: {len(row)} fields, expected {','.join(_COLUMNS)}")
    picture = Picture(*(field.strip() for field in row))
    if not picture.file or not picture.label:
        raise LabelsError(f"{where}: expected a file and its label")
    if Path(picture.file).is_absolute() or {"..", "\n"} & {
        *Path(picture.file).parts,
        *picture.file,
    }:
        raise LabelsError(f"{where}: {picture.file!r}: expected a file in the folder of labels.csv")
    if not (path.parent / picture.file).is_file():
        raise LabelsError(f"{where}: {picture.file!r}: no such file")
    if picture.two_hands:
        hands = picture.label.removeprefix("two:").split("+")
        if len(hands) != 2 or not all(hand in "012345" and len(hand) == 1 for hand in hands):
            raise LabelsError(f"{where}: {picture.label!r}: expected two:LEFT+RIGHT, each 0-5")
    return picture


# ---- what came of them ----


def report(told: Sequence[Told]) -> str:
    """Return the confusion of all pictures, of each source, and where it is weak."""
    sources = sorted({each.picture.from_ for each in told})
    parts = [_table("All sources", told)]
    for source in sources:
        of = [each for each in told if each.picture.from_ == source]
        use = "thresholds were set on it" if of[0].picture.tuned else "only measures"
        parts.append(_table(f"{source} ({use})", of))
    parts += ["\n".join(("Right, of hands seen", *_shares(told)))]
    parts += ["\n".join(("Where it is weak", *(f"- {line}" for line in weak(told))))]
    return "\n\n".join(parts)


def weak(told: Sequence[Told]) -> list[str]:
    """Return in words where *told* should not be trusted."""
    lines = list(_weak_labels(told))
    for source in sorted({each.picture.from_ for each in told}):
        of = [each for each in told if each.asked and each.picture.from_ == source]
        right = sum(each.right for each in of)
        if of and right < WEAK * len(of):
            lines.append(f"{source}: {right} of {len(of)} hands are right")
    false = [each for each in told if each.name == "forbidden" and not each.right]
    lines += [f"FORBIDDEN is told of {each.picture.file}, {each.picture.label}" for each in false]
    alarms = Counter(each.name for each in told if each.picture.expected == OTHER and each.seen)
    alarms.pop(OTHER, None)
    others = sum(each.picture.expected == OTHER and each.seen for each in told)
    if alarms:
        names = ", ".join(f"{name} {n}" for name, n in alarms.most_common())
        lines.append(
            f"of {others} hands that make none of these gestures {alarms.total()} get a name "
            f"({names}): a single look proves nothing"
        )
    shown = {each.picture.expected for each in told if each.seen}
    absent = [name for name in ("forbidden", "hook", "pistol") if name not in shown]
    if absent:
        lines.append(f"no picture shows {', '.join(absent)}: tested on bent landmarks at most")
    return lines


def _weak_labels(told: Sequence[Told]) -> Iterator[str]:
    for name, of in _by_expected(told):
        if name == OTHER:
            continue
        seen = [each for each in of if each.seen]
        wrong = Counter(each.name for each in seen if not each.right)
        if wrong and wrong.total() > (1 - WEAK) * len(seen):
            taken = ", ".join(f"{other} {n}" for other, n in wrong.most_common())
            yield f"{name} is taken for {taken}, of {len(seen)} hands seen"
        if len(seen) < SEEN_WEAK * len(of):
            yield f"{name}: no hand is found in {len(of) - len(seen)} of {len(of)} pictures"
        if len(seen) < FEW:
            yield f"{name}: {len(seen)} hands seen are too few to judge it"


def _shares(told: Sequence[Told]) -> Iterator[str]:
    groups = {
        f"all sources (must {MUST:.2f}, goal {GOAL:.2f})": list(told),
        "where thresholds were set": [each for each in told if each.picture.tuned],
        "sources that only measure": [each for each in told if not each.picture.tuned],
    }
    for name, of in groups.items():
        asked = [each for each in of if each.asked]
        right = sum(each.right for each in asked)
        share = f"{right / len(asked):.3f}" if asked else "-"
        yield f"  {share:>5}  {right:4} of {len(asked):4}  {name}"
    unseen = sum(not each.seen and each.picture.expected != OTHER for each in told)
    yield f"  hands not seen: in {unseen} pictures of a gesture"


def _by_expected(told: Sequence[Told]) -> list[tuple[str, list[Told]]]:
    """Return *told* by what is shown, gestures in the order of their names, others last."""
    rows: dict[str, list[Told]] = defaultdict(list)
    for each in told:
        rows[each.picture.expected].append(each)
    return sorted(rows.items(), key=lambda row: _place(row[0]))


def _place(name: str) -> tuple[bool, bool, int, str]:
    number = name.partition("number ")[2]
    return name == UNSEEN, name == OTHER, int(number or 99), name


def _table(title: str, told: Sequence[Told]) -> str:
    rows = _by_expected(told)
    columns = sorted({each.name for each in told}, key=_place)
    head = ["shown", "pictures", "right", *(name.removeprefix("number ") for name in columns)]
    lines = [head]
    for name, of in rows:
        counts = Counter(each.name for each in of)
        seen = [each for each in of if each.seen]
        right = f"{sum(each.right for each in seen) / len(seen):.2f}" if seen else "-"
        cells = [str(counts[column] or ".") for column in columns]
        lines.append([name, str(len(of)), right, *cells])
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    text = [
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    ]
    return "\n".join([title, *text])

"""``table_controller/deal.md`` as a page: its words translated, its programs as they are.

A test holds the texts to the file.
"""

import importlib.resources
from collections.abc import Callable
from typing import Final, NamedTuple

from firmware.words import N_

HEADINGS: Final = (
    N_("Was the deal fair?"),
    N_("The shuffle, in one paragraph"),
    N_("By hand"),
    N_("Without the kit"),
    N_("What it does not prove"),
)

PARAGRAPHS: Final = (
    N_(
        "The table draws a secret of 32 bytes, the *seed*, before anybody sits down. Before the "
        "cards are given the scoreboard shows the seed's SHA-256, the *commitment*: keep a "
        "photograph of it, or of its first digits. The seed decides who sits where and who is "
        "what. When the game is over it stands on the scoreboard, and in the game's record, "
        "which the club's table writes with `mafia-table journal export GAME --to record.jsonl`."
    ),
    N_(
        "With the kit: `mafia-table verify-deal record.jsonl --commitment DIGITS`. It tells each "
        "step, and its exit code is 0 if all is as it was announced."
    ),
    N_(
        "To put the numbers 1 to 10 in order, the seed's 32 bytes are followed by a word and the "
        "number, `role 1` to `role 10`, each of the ten texts is hashed by SHA-256, and the "
        "numbers are sorted by their hashes. The first number is the don's seat, the next two are"
        " the mafia's, the fourth is the sheriff's, the rest are citizens'. With `seat 1` to "
        "`seat 10` the sorted numbers say where the first, the second ... player of the club's "
        "list sits."
    ),
    N_("With a shell, `xxd` and `sha256sum`:"),
    N_("The order of the last ten lines is: don, mafia, mafia, sheriff, citizens."),
    N_("Plain Python, nothing to install; give it the record, and the commitment that you kept:"),
    N_(
        "That nothing was changed after the commitment was shown, this proves. It does not prove "
        "that the table took the first seed that it drew: a program that was tampered with could "
        "draw many and show the commitment of the one it likes. The kit's own does not "
        "(`table_controller/terms.py`), and who reads the code can see that."
    ),
)


class Part(NamedTuple):
    """A heading with what stands below it."""

    heading: str
    """"": the page's own."""
    blocks: tuple[tuple[str, object], ...]
    """``("code", text)``, or ``("text", pieces)``: (whether it is code, words)."""


def parts(translate: Callable[[str], str]) -> list[Part]:
    """Return the file's parts; *translate* makes its English the reader's language."""
    found: list[Part] = []
    for block in _blocks():
        if block.startswith("#"):
            title = block.lstrip("# ")
            found.append(Part("" if block[1] != "#" else translate(title), ()))
            continue
        made: tuple[str, object] = (
            ("code", block.split("\n", 1)[1].removesuffix("\n```"))
            if block.startswith("```")
            else ("text", _pieces(translate(" ".join(block.split()))))
        )
        found[-1] = found[-1]._replace(blocks=(*found[-1].blocks, made))
    return found


def _blocks() -> list[str]:
    """Return headings, paragraphs and programs in order; a program keeps its empty lines."""
    text = importlib.resources.files("table_controller").joinpath("deal.md").read_text("utf-8")
    blocks: list[str] = []
    for number, part in enumerate(text.split("```")):
        if number % 2:
            blocks.append(f"```{part.rstrip()}\n```")
        else:
            blocks += [each.strip() for each in part.split("\n\n") if each.strip()]
    return blocks


def _pieces(text: str) -> tuple[tuple[bool, str], ...]:
    return tuple(
        (bool(number % 2), piece.replace("*", "")) for number, piece in enumerate(text.split("`"))
    )

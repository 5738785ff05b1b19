"""``mafia-table voice``: what the voice says, for a club that records it; and all made ahead."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from firmware import card as cards
from firmware import service
from firmware.errors import CardError
from firmware.words import LANGUAGES, Words, catalogue
from table_controller.commands.rulesheet import read_ruleset
from table_controller.game.ruleset import Ruleset
from table_controller.voice.phrasebook import PHRASES, Phrase, every_phrase
from table_controller.voice.sound import RATE, SoundError, read_wav
from table_controller.voice.sounding import TONES, made, prune

language_option = click.option(
    "--language", type=click.Choice(LANGUAGES), default="en", show_default=True
)
ruleset_option = click.option(
    "--ruleset",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The club's ruleset, for the lengths of its speeches.",
)


@click.group()
def voice() -> None:
    """List what the voice says, check a club's recordings, or make all ahead."""
    service.start_logging("warning")


@voice.command(name="list", short_help="List all phrases with their files.")
@language_option
@ruleset_option
def list_(language: str, ruleset: Path | None) -> None:
    """Print a table of all phrases: name, numbers, text, and how they are recorded.

    A recording is a WAV file called NAME.wav, or NAME-NUMBER.wav for each number.
    """
    words = catalogue(language)
    t = words.gettext
    rows = [(t("Name"), t("Numbers"), t("Text")), *_rows(words, _rulesets(ruleset))]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for name, numbers, text in rows:
        click.echo(f"{name:{widths[0]}}  {numbers:{widths[1]}}  {text}")
    click.echo(
        t("Record NAME.wav, or NAME-NUMBER.wav for each number: 16 bits, one or two channels.")
    )


@voice.command(short_help="Check the recordings of a club.")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@language_option
@ruleset_option
def check(folder: Path, language: str, ruleset: Path | None) -> None:
    """Say which recordings in FOLDER are missing, cannot be played, or stand for nothing.

    Exits with 1 if any is missing or cannot be played.
    """
    words = catalogue(language)
    t = words.gettext
    book = list(every_phrase(words, _rulesets(ruleset)))
    missing = bad = 0
    for phrase in book:
        path = folder / phrase.file
        if not path.exists():
            if phrase.name not in TONES:
                missing += 1
                click.echo(t("missing: {file}: {text}").format(file=path.name, text=phrase.text))
            continue
        try:
            read_wav(path)
        except SoundError as error:
            bad += 1
            click.echo(t("cannot be played: {error}").format(error=error))
    for path in sorted(_strange(folder, book)):
        click.echo(t("stands for no phrase: {file}").format(file=path.name))
    click.echo(
        t("{all} phrases: {good} recorded, {missing} missing, {bad} cannot be played").format(
            all=len(book), good=len(book) - missing - bad, missing=missing, bad=bad
        )
    )
    if missing or bad:
        sys.exit(1)


@voice.command(short_help="Make all phrases with espeak-ng before a game.")
@click.option(
    "--card",
    "card_path",
    type=click.Path(path_type=Path),
    default=cards.DEFAULT_PATH,
    show_default=True,
    help="The table's kit.toml.",
)
@ruleset_option
def make(card_path: Path, ruleset: Path | None) -> None:
    """Let espeak-ng say every phrase once, into the table's folder: none is made in a game."""

    def program() -> None:
        card = cards.read_table_card(card_path)
        cache = Path(card.data_dir) / "voice"
        book = [
            phrase
            for phrase in every_phrase(catalogue(card.language), _rulesets(ruleset))
            if phrase.name not in TONES
        ]
        try:
            with click.progressbar(book, label=card.language, file=sys.stderr) as phrases:
                paths = [made(phrase, card.language, cache) for phrase in phrases]
            gone = prune(cache, paths)
        except FileNotFoundError as error:
            raise CardError("espeak-ng not found: install the package espeak-ng") from error
        size = sum(path.stat().st_size for path in paths)
        samples = sum(len(read_wav(path)) for path in paths)
        t = catalogue(card.language).gettext
        click.echo(
            t("phrases: {n}, {s} s, {mb} MB in {folder}; old files deleted: {gone}").format(
                n=len(paths), s=round(samples / RATE), mb=size >> 20, folder=cache, gone=gone
            )
        )

    sys.exit(service.run(program))


def _rulesets(path: Path | None) -> tuple[Ruleset, ...]:
    try:
        return tuple(read_ruleset(path, turbo=turbo) for turbo in (False, True))
    except CardError as error:
        raise click.UsageError(str(error)) from error


def _rows(words: Words, rulesets: tuple[Ruleset, ...]) -> Iterator[tuple[str, str, str]]:
    """Yield name, numbers and an example of each."""
    said: dict[str, list[Phrase]] = {}
    for phrase in every_phrase(words, rulesets):
        said.setdefault(phrase.name, []).append(phrase)
    for name, all_ in said.items():
        numbers = [phrase.number for phrase in all_]
        steady = numbers == list(range(numbers[0], numbers[-1] + 1))
        shown = f"{numbers[0]}-{numbers[-1]}" if steady else ", ".join(map(str, numbers))
        yield name, shown if PHRASES[name].numbers else "", all_[-1].text


def _strange(folder: Path, book: list[Phrase]) -> Iterator[Path]:
    known = {phrase.file for phrase in book}
    # A club may record more lengths and days than its ruleset says.
    free = tuple(f"{name}-" for name in ("seconds", "day", "foul"))
    for path in folder.glob("*.wav"):
        if path.name not in known and not path.name.startswith(free):
            yield path

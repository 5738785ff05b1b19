"""The command ``mafia-seat gestures``: how well the hands of labelled pictures are told."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click

from seat_node.confusion import OTHER, UNSEEN, LabelsError, Picture, Told, read_labels, report
from seat_node.eyes_link import death_word, without_network
from seat_node.gestures import name_hands
from seat_node.lean import spare_drawing
from seat_node.models import HAND_MODEL, default_directory
from seat_node.shape import Points, measure

VIDEO_SUFFIXES: Final = frozenset((".mp4", ".mov", ".avi", ".mkv", ".webm"))
"""Of files that are no pictures; they are left out."""

_LOOK: Final = "from seat_node.gestures_command import look_on; look_on()"

DIGITS: Final = 4
"""Of recorded landmarks: a tenth of a millimetre, a ten-thousandth of the picture."""


@click.group()
def gestures() -> None:
    """Measure how well gestures are told."""


@gestures.command("eval")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--landmarks",
    "record",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write the landmarks, numbers only, of the pictures that have a licence.",
)
@click.option(
    "--models",
    "directory",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the models. Default: as `mafia-seat models` puts them.",
)
def evaluate(folder: Path, record: Path | None, directory: Path | None) -> None:
    """Tell the gestures of the pictures in DIR and print what they are taken for.

    DIR/labels.csv lists them: file,label,source,licence. Labels are 1 to 5,
    victory, open_palm, fist, thumb_up, thumb_down, ok, pistol, hook, forbidden, and
    two:2+5 of two hands; any other label is a hand that makes no gesture.
    Exit code 0, however well they are told; 1: the list or a picture cannot be read.
    """
    directory = directory or default_directory()
    try:
        pictures = read_labels(folder)
        if not (directory / HAND_MODEL).is_file():
            raise click.UsageError(f"{directory / HAND_MODEL} is missing: run mafia-seat models")
        recorded = look(folder, pictures, directory)
    except LabelsError as error:
        raise click.ClickException(str(error)) from error
    if record is not None:
        kept = [entry for entry in recorded if licensed(entry["licence"])]
        lines = ",\n".join(
            json.dumps(entry, sort_keys=True, separators=(",", ":")) for entry in kept
        )
        try:
            record.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
        except OSError as error:
            raise click.ClickException(f"{record}: {error.strerror}") from error
    click.echo(report([tell(entry) for entry in recorded]))
    if left_out := len(pictures) - len(recorded):
        click.echo(f"\n{left_out} of the files are videos and were left out")


def look(folder: Path, pictures: Sequence[Picture], directory: Path) -> list[dict[str, Any]]:
    """Return the landmarks that the hand model of *directory* finds in *pictures*.

    MediaPipe looks in a process of its own, without network where that is allowed,
    as the eyes do.

    :raises LabelsError: if one of them is no picture, or MediaPipe does not work.
    """
    chosen = [each for each in pictures if Path(each.file).suffix.lower() not in VIDEO_SUFFIXES]
    asked = "".join(f"{int(each.two_hands)} {folder / each.file}\n" for each in chosen)
    command = (*without_network(), sys.executable, "-c", _LOOK, str(directory))
    recorded: list[dict[str, Any]] = []
    line, found = "", {}
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as questions,
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as complaints,
    ):
        questions.write(asked)
        questions.seek(0)
        with (
            subprocess.Popen(
                command, stdin=questions, stdout=subprocess.PIPE, stderr=complaints, text=True
            ) as child,
            # The bar is drawn on a terminal only.
            click.progressbar(chosen, label="Looking", file=sys.stderr) as progress,
        ):
            assert child.stdout is not None
            for picture in progress:
                line = child.stdout.readline()
                if not line or "error" in (found := json.loads(line)):
                    break
                recorded.append(asdict(picture) | found)
        complaints.seek(0)
        lines = [line for line in complaints.read().splitlines() if line]
    if line and "error" in found:
        raise LabelsError(found["error"])
    if child.returncode or len(recorded) < len(chosen):
        raise LabelsError(f"MediaPipe: {death_word(child.returncode)}: {' '.join(lines[-1:])}")
    return recorded


def look_on() -> None:
    """Tell the landmarks of the pictures that standard input names: the command's other process.

    A line in is ``0 PATH``, or ``1 PATH`` to look for two hands; one out is JSON, the
    last an *error* if a picture is none, or MediaPipe does not start.
    """
    spare_drawing()
    try:
        import numpy as np
        from PIL import Image

        from seat_node.hands import Hands

        hands = Hands(Path(sys.argv[1]), stills=True)
        for line in sys.stdin:
            two, _, path = line.rstrip("\n").partition(" ")
            with Image.open(path) as image:
                rgb = np.ascontiguousarray(np.asarray(image.convert("RGB")))
            found = hands.look(rgb, 0.0, two=two == "1")
            entry = _entry(rgb.shape[1], rgb.shape[0], found)
            print(json.dumps(entry, separators=(",", ":")), flush=True)
        hands.close()
    except ImportError as error:
        text = f"MediaPipe does not start: {error}: run make vision"
        print(json.dumps({"error": text}), flush=True)
    except OSError as error:
        print(json.dumps({"error": str(error)}), flush=True)


def tell(entry: dict[str, Any]) -> Told:
    """Return what is told of a recorded picture."""
    picture = Picture(*(entry[key] for key in ("file", "label", "source", "licence")))
    shapes = [
        measure(Points(hand["world"], hand["image"]), entry["width"], entry["height"])
        for hand in entry["hands"]
    ]
    if len(shapes) < 1 + picture.two_hands:
        return Told(picture, UNSEEN)
    gesture = name_hands(shapes)
    if gesture is None:
        return Told(picture, OTHER)
    return Told(picture, f"number {gesture.number}" if gesture.number else gesture.name)


def licensed(licence: str) -> bool:
    """Return whether numbers of a picture under *licence* may be passed on."""
    return bool(licence) and not licence.lower().startswith("no licen")


def _entry(width: int, height: int, found: Sequence[Points]) -> dict[str, Any]:
    """Return what is recorded of a picture: numbers."""
    return {
        "width": width,
        "height": height,
        "hands": [
            {
                "world": [[round(value, DIGITS) for value in point] for point in hand.world],
                # Depth in the picture is not looked at.
                "image": [[round(value, DIGITS) for value in point[:2]] for point in hand.image],
            }
            for hand in found
        ],
    }

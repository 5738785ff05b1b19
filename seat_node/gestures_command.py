"""The command ``mafia-seat gestures``: how well the hands of labelled pictures are told."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click

from seat_node.confusion import OTHER, UNSEEN, LabelsError, Picture, Told, read_labels, report
from seat_node.gestures import name_hands
from seat_node.lean import spare_drawing
from seat_node.models import HAND_MODEL, default_directory
from seat_node.shape import Points, measure

VIDEO_SUFFIXES: Final = frozenset((".mp4", ".mov", ".avi", ".mkv", ".webm"))
"""Of files that are no pictures; they are left out."""

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
    except ImportError as error:
        raise click.UsageError(f"MediaPipe does not start: {error}: run make vision") from error
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

    :raises LabelsError: if one of them is no picture.
    :raises ImportError: if MediaPipe is missing.
    """
    import numpy as np
    from PIL import Image

    spare_drawing()
    from seat_node.hands import Hands

    hands = Hands(directory, stills=True)
    stills = [each for each in pictures if Path(each.file).suffix.lower() not in VIDEO_SUFFIXES]
    recorded = []
    try:
        # The bar is drawn on a terminal only.
        with click.progressbar(stills, label="Looking", file=sys.stderr) as progress:
            for picture in progress:
                try:
                    with Image.open(folder / picture.file) as image:
                        rgb = np.ascontiguousarray(np.asarray(image.convert("RGB")))
                except OSError as error:
                    raise LabelsError(f"{folder / picture.file}: {error}") from error
                found = hands.look(rgb, 0.0, two=picture.two_hands)
                recorded.append(_entry(picture, rgb.shape[1], rgb.shape[0], found))
    finally:
        hands.close()
    return recorded


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


def _entry(picture: Picture, width: int, height: int, found: Sequence[Points]) -> dict[str, Any]:
    """Return what is recorded of a picture: numbers, and whose it is."""
    return {
        "file": picture.file,
        "label": picture.label,
        "source": picture.source,
        "licence": picture.licence,
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

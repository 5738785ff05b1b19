"""Which source the eyes look at, by its name: the Pi's camera, a webcam, a recording."""

import enum
import re
from pathlib import Path
from typing import NamedTuple

from firmware.clock import Clock
from seat_node.frame import Source
from seat_node.picamera import PiCamera
from seat_node.recordings import PICTURE_SUFFIXES, Pictures, Video, pictures_in
from seat_node.webcam import Webcam


class Kind(enum.Enum):
    """The sorts of sources."""

    PICAMERA = "picamera2"
    WEBCAM = "webcam"
    VIDEO = "video"
    PICTURES = "pictures"


class Chosen(NamedTuple):
    """A source that was named, not opened yet; a recording was found."""

    kind: Kind
    place: Path = Path()
    """The folder, the file or the webcam's device."""


def choose(named: str) -> Chosen:
    """Return the source that *named* means.

    It is ``picamera2``, a webcam (``webcam``, ``webcam:1``, ``/dev/video1``), a
    video file or a folder of pictures. A camera may come later, a recording not.

    :raises ValueError: if there is none such, saying what was expected.
    """
    if named == Kind.PICAMERA.value:
        return Chosen(Kind.PICAMERA)
    if webcam := re.fullmatch(r"webcam(?::(\d+))?|/dev/video(\d+)", named):
        return Chosen(Kind.WEBCAM, Path(f"/dev/video{webcam[1] or webcam[2] or 0}"))
    place = Path(named)
    if not place.exists():
        raise ValueError(
            f"{place} does not exist; expected picamera2, webcam:N, a video file or a folder"
        )
    if not place.is_dir():
        return Chosen(Kind.VIDEO, place)
    if not pictures_in(place):
        raise ValueError(f"{place} holds no picture ({', '.join(sorted(PICTURE_SUFFIXES))})")
    return Chosen(Kind.PICTURES, place)


def open_source(chosen: Chosen, clock: Clock, *, once: bool = False, each_s: float = 1.0) -> Source:
    """Open what was *chosen*.

    A recording begins again after its end, or ends there with *once*. A picture
    of a folder is shown for *each_s*.

    :raises BoardError: if the camera or file cannot be opened.
    """
    match chosen.kind:
        case Kind.PICAMERA:
            return PiCamera(clock)
        case Kind.WEBCAM:
            return Webcam(chosen.place, clock)
        case Kind.VIDEO:
            return Video(chosen.place, once=once)
        case Kind.PICTURES:
            return Pictures(pictures_in(chosen.place), once=once, each_s=each_s)

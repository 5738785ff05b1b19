"""Recordings in place of a camera: a folder of pictures, a video."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from firmware.errors import BoardError
from seat_node.frame import Frame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PICTURE_SUFFIXES: Final = frozenset((".jpg", ".jpeg", ".png", ".bmp", ".webp"))
VIDEO_RATE: Final = 25.0
"""Frames a second of a video that does not say."""


def pictures_in(folder: Path) -> list[Path]:
    """Return the pictures of *folder* in the order of their names; subfolders do not count."""
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES)


class Pictures:
    """Pictures one after the other, each for a while."""

    live = False

    def __init__(self, paths: Sequence[Path], *, once: bool, each_s: float) -> None:
        self._paths = paths
        self._once = once
        self._each_s = each_s
        self._began_s: float | None = None
        self._shown: int | None = None
        self._rgb: NDArray[np.uint8]

    def look(self, at_s: float) -> Frame | None:
        """Return the picture whose turn it is at *at_s*."""
        if self._began_s is None:
            self._began_s = at_s
        # A millionth is added so that sums of 1/12 s do not fall short of a picture's turn.
        turn = int((at_s - self._began_s) / self._each_s + 1e-6)
        if self._once and turn >= len(self._paths):
            return None
        turn %= len(self._paths)
        if turn != self._shown:
            self._rgb = _read_picture(self._paths[turn])
            self._shown = turn
        return Frame(self._rgb, at_s)

    def close(self) -> None:
        """Nothing is held open between pictures."""


class Video:
    """A video file at its own speed.

    :raises BoardError: if it cannot be read.
    """

    live = False

    def __init__(self, path: Path, *, once: bool) -> None:
        import cv2

        self._path = path
        self._once = once
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise BoardError(f"{path}: not a video that OpenCV can read")
        self._rate = self._capture.get(cv2.CAP_PROP_FPS) or VIDEO_RATE
        self._began_s: float | None = None
        self._grabbed = -1
        """Index of the frame that the capture stands on."""

    def look(self, at_s: float) -> Frame | None:
        """Return the frame that runs at *at_s*."""
        if self._began_s is None:
            self._began_s = at_s
        wanted = int((at_s - self._began_s) * self._rate + 1e-6)
        while self._grabbed < wanted:
            if self._capture.grab():
                self._grabbed += 1
            elif self._once:
                return None
            else:
                self._rewind(at_s)
                wanted = 0
        whole, bgr = self._capture.retrieve()
        if not whole:
            raise BoardError(f"{self._path}: a frame cannot be decoded")
        return Frame(rgb_of(bgr), at_s)

    def close(self) -> None:
        """Close the file."""
        self._capture.release()

    def _rewind(self, at_s: float) -> None:
        import cv2

        if self._grabbed < 0:
            raise BoardError(f"{self._path}: no frame in it")
        self._capture.set(cv2.CAP_PROP_POS_FRAMES, 0)
        self._began_s = at_s
        self._grabbed = -1


def _read_picture(path: Path) -> "NDArray[np.uint8]":
    import cv2

    bgr = cv2.imread(str(path))
    if bgr is None:
        raise BoardError(f"{path}: not a picture that OpenCV can read")
    return rgb_of(bgr)


def rgb_of(bgr: Any) -> "NDArray[np.uint8]":
    """Return OpenCV's *bgr* as contiguous RGB."""
    import cv2

    rgb: NDArray[np.uint8] = cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB)
    return rgb

"""Where the pictures come from: the Pi's camera, a webcam, a video, a folder.

A source is asked what is to be seen at a moment. Recordings have a time of
their own, which begins with the first look; cameras answer with the newest
frame and the moment it was taken. Frames are RGB, uint8, (height, width, 3),
contiguous (MediaPipe ignores the strides of any other) and not mirrored.
"""

import enum
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from firmware.clock import Clock
from firmware.errors import BoardError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIZE_PX: Final = (640, 480)
"""Width and height asked of a camera: a face at 1 m is about 120 px high, 70 are needed."""

FRAME_RATE: Final = 15.0
"""Frames a second asked of a camera: a little more than the eyes ever look at."""

PICTURE_SUFFIXES: Final = frozenset((".jpg", ".jpeg", ".png", ".bmp", ".webp"))
VIDEO_RATE: Final = 25.0
"""Frames a second of a video that does not say."""


class Frame(NamedTuple):
    """One picture, kept in memory only and only until the next."""

    rgb: "NDArray[np.uint8]"
    at_s: float


class Source(Protocol):
    """What the eyes look at. The one who opens it closes it."""

    live: bool
    """A camera: it has noise, so two equal frames mean that it hangs."""

    def look(self, at_s: float) -> Frame | None:
        """Return what is to be seen at *at_s*, None after the end of a recording.

        :raises BoardError: if the camera stopped or a file cannot be read.
        """
        ...

    def close(self) -> None:
        """Let go of the camera or file."""
        ...


class Kind(enum.Enum):
    """The sorts of sources."""

    PICAMERA = "picamera2"
    WEBCAM = "webcam"
    VIDEO = "video"
    PICTURES = "pictures"


class Chosen(NamedTuple):
    """A source that was named and found, not opened yet."""

    kind: Kind
    place: Path = Path()
    """The folder, the file or the webcam's device."""


def choose(named: str) -> Chosen:
    """Return the source that *named* means.

    It is ``picamera2``, a webcam (``webcam``, ``webcam:1``, ``/dev/video1``), a
    video file or a folder of pictures.

    :raises ValueError: if there is none such, saying what was expected.
    """
    if named == Kind.PICAMERA.value:
        return Chosen(Kind.PICAMERA)
    webcam = re.fullmatch(r"webcam(?::(\d+))?|/dev/video(\d+)", named)
    place = Path(f"/dev/video{webcam[1] or webcam[2] or 0}") if webcam else Path(named)
    if not place.exists():
        raise ValueError(
            f"{place} does not exist; expected picamera2, webcam:N, a video file or a folder"
        )
    if webcam:
        return Chosen(Kind.WEBCAM, place)
    if not place.is_dir():
        return Chosen(Kind.VIDEO, place)
    if not pictures_in(place):
        raise ValueError(f"{place} holds no picture ({', '.join(sorted(PICTURE_SUFFIXES))})")
    return Chosen(Kind.PICTURES, place)


def pictures_in(folder: Path) -> list[Path]:
    """Return the pictures of *folder* in the order of their names; subfolders do not count."""
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES)


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
        _, bgr = self._capture.retrieve()
        return Frame(_rgb(bgr), at_s)

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


class Webcam:
    """A V4L2 camera.

    :raises BoardError: if it cannot be opened.
    """

    live = True

    def __init__(self, device: Path, clock: Clock) -> None:
        import cv2

        self._device = device
        self._clock = clock
        self._capture = cv2.VideoCapture(str(device), cv2.CAP_V4L2)
        if not self._capture.isOpened():
            raise BoardError(f"{device} is not a camera, or another program has it")
        width, height = SIZE_PX
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def look(self, at_s: float) -> Frame | None:
        """Wait for the next frame and return it."""
        # The driver holds one frame back since the last look: that one is old.
        self._capture.grab()
        found, bgr = self._capture.read()
        if not found:
            raise BoardError(f"{self._device} sends no pictures any more: check its cable")
        return Frame(_rgb(bgr), self._clock.now_s())

    def close(self) -> None:
        """Let go of the device."""
        self._capture.release()


class PiCamera:
    """The Pi's own camera through libcamera, frames in NV12.

    :raises BoardError: if picamera2 or the camera is missing.

    Source: picamera2 manual; NV12 is named by both ISPs, and turned to RGB here
    because picamera2's "RGB888" arrives as BGR.
    """

    live = True

    def __init__(self, clock: Clock) -> None:
        try:
            from picamera2 import Picamera2
        except ImportError as error:
            raise BoardError(f"picamera2: {error}: apt install python3-picamera2") from error
        self._clock = clock
        try:
            # Without any camera picamera2 answers with an IndexError.
            self._camera: Any = Picamera2()
            self._camera.configure(
                self._camera.create_video_configuration(
                    main={"size": SIZE_PX, "format": "NV12"}, controls={"FrameRate": FRAME_RATE}
                )
            )
            self._camera.start()
        except (IndexError, RuntimeError) as error:
            raise BoardError(f"no camera ({error}): check its cable and rpicam-hello") from error

    def look(self, at_s: float) -> Frame | None:
        """Wait for the next frame and return it."""
        import cv2

        try:
            nv12 = self._camera.capture_array("main")
        except RuntimeError as error:
            raise BoardError(f"the camera stopped: {error}") from error
        width, height = SIZE_PX
        # Rows may be padded to the hardware's stride; the chroma lies under the luma.
        rgb = cv2.cvtColor(nv12[: height * 3 // 2, :width], cv2.COLOR_YUV2RGB_NV12)
        return Frame(rgb, self._clock.now_s())

    def close(self) -> None:
        """Stop the camera."""
        self._camera.close()


def _read_picture(path: Path) -> "NDArray[np.uint8]":
    import cv2

    bgr = cv2.imread(str(path))
    if bgr is None:
        raise BoardError(f"{path}: not a picture that OpenCV can read")
    return _rgb(bgr)


def _rgb(bgr: Any) -> "NDArray[np.uint8]":
    """Return OpenCV's *bgr* as contiguous RGB."""
    import cv2

    rgb: NDArray[np.uint8] = cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB)
    return rgb

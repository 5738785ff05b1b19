"""A webcam, by OpenCV."""

from pathlib import Path

from firmware.clock import Clock
from firmware.errors import BoardError
from seat_node.frame import SIZE_PX, Frame
from seat_node.recordings import rgb_of


class Webcam:
    """A V4L2 camera.

    :raises BoardError: if it cannot be opened.
    """

    live = True

    def __init__(self, device: Path, clock: Clock) -> None:
        import cv2

        if not device.exists():
            raise BoardError(f"{device} does not exist: is the camera plugged in?")
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
        return Frame(rgb_of(bgr), self._clock.now_s())

    def close(self) -> None:
        """Let go of the device."""
        self._capture.release()

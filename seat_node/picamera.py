"""The Pi's own camera, by picamera2 and libcamera, frames in NV12."""

import contextlib
from typing import Any, Final

from firmware.clock import Clock
from firmware.errors import BoardError
from seat_node.frame import SIZE_PX, Frame

FORMAT: Final = "NV12"
"""Named by both of the Pi's ISPs, and turned to RGB here: picamera2's "RGB888" arrives as BGR.

Source: picamera2 manual, raspberrypi/picamera2#848.
"""

FRAME_RATE: Final = 15.0
"""Frames a second asked of the camera: a little more than the eyes ever look at."""

CAPTURE_S: Final = 2.0
"""A camera that sends no frame for so long has stopped; it sends one each 67 ms.

Source: raspberrypi/picamera2#962, #1065: a lost camera is no error there, it never answers.
"""

CHECK: Final = "check its cable and rpicam-hello"


class PiCamera:
    """The camera that libcamera names first.

    libcamera may give another size than was asked for: frames then have that.

    :raises BoardError: if picamera2 or the camera is missing, or gives another format.
    """

    live = True

    def __init__(self, clock: Clock) -> None:
        try:
            from picamera2 import Picamera2
        except ImportError as error:
            raise BoardError(f"picamera2: {error}: apt install python3-picamera2") from error
        self._clock = clock
        try:
            self._camera: Any = Picamera2()
        except (IndexError, RuntimeError) as error:
            # Without any camera picamera2 answers with an IndexError.
            raise BoardError(f"no camera ({error}): {CHECK}") from error
        with contextlib.ExitStack() as failed:
            failed.callback(self._camera.close)
            self._width, self._height = _start(self._camera)
            failed.pop_all()

    def look(self, at_s: float) -> Frame | None:
        """Wait for the next frame and return it."""
        import cv2

        try:
            nv12 = self._camera.capture_array("main", wait=CAPTURE_S)
        except TimeoutError as error:
            raise BoardError(f"the camera sends no frame for {CAPTURE_S:g} s: {CHECK}") from error
        except RuntimeError as error:
            raise BoardError(f"the camera stopped ({error}): {CHECK}") from error
        # The chroma lies under the luma. Rows may be padded to the hardware's stride.
        rows = self._height * 3 // 2
        if nv12.shape[0] < rows or nv12.shape[1] < self._width:
            raise BoardError(
                f"the camera sends frames of shape {nv12.shape}, "
                f"expected ({rows}, {self._width}) for {FORMAT}"
            )
        rgb = cv2.cvtColor(nv12[:rows, : self._width], cv2.COLOR_YUV2RGB_NV12)
        return Frame(rgb, self._clock.now_s())

    def close(self) -> None:
        """Stop the camera."""
        self._camera.close()


def _start(camera: Any) -> tuple[int, int]:
    """Start *camera* and return the width and height that it gives.

    :raises BoardError: if it does not start, or gives another format than was asked for.
    """
    try:
        camera.configure(
            camera.create_video_configuration(main={"size": SIZE_PX, "format": FORMAT})
        )
        # What the hardware cannot do is changed without a word.
        main = camera.camera_configuration()["main"]
        if main["format"] != FORMAT:
            raise BoardError(f"the camera gives frames in {main['format']}, expected {FORMAT}")
        if "FrameDurationLimits" in camera.camera_controls:
            camera.set_controls({"FrameRate": FRAME_RATE})
        camera.start()
    except RuntimeError as error:
        raise BoardError(f"the camera does not start ({error}): {CHECK}") from error
    width, height = main["size"]
    return width, height

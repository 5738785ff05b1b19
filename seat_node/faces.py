"""Faces in a picture, by MediaPipe's short-range detector."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from seat_node.framing import Box
from seat_node.models import FACE_MODEL

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SCORE_MIN: Final = 0.6
"""Least score of a face.

A player at a webcam has 0.94 and more, under a drawn sleep mask 0.8, half
turned away and far off still 0.65. One empty office in 40 has a false face of
0.78 at most: taken for a player it hides an absence, and a player who is not
found would be accused of one, which is worse.
"""


class Faces:
    """The detector, made once. Use as a context manager.

    :raises OSError: if *directory* has no face model.
    """

    def __init__(self, directory: Path) -> None:
        from mediapipe.tasks.python import BaseOptions, vision

        self._detector = vision.FaceDetector.create_from_options(
            vision.FaceDetectorOptions(
                base_options=BaseOptions(model_asset_path=str(directory / FACE_MODEL)),
                running_mode=vision.RunningMode.VIDEO,
                min_detection_confidence=SCORE_MIN,
            )
        )
        self._stamp_ms = -1

    def look(self, rgb: "NDArray[np.uint8]", at_s: float) -> Box | None:
        """Return where *rgb*, contiguous (height, width, 3), shows its largest face."""
        import mediapipe as mp

        # MediaPipe wants whole milliseconds that always rise.
        self._stamp_ms = max(self._stamp_ms + 1, int(at_s * 1000))
        image = mp.Image(image_format=mp.ImageFormat.SRGB, data=rgb)
        found = self._detector.detect_for_video(image, self._stamp_ms).detections
        if not found:
            return None
        box = max((one.bounding_box for one in found), key=lambda box: box.height)
        height, width, _ = rgb.shape
        middle_x, middle_y = box.origin_x + box.width / 2, box.origin_y + box.height / 2
        return Box(middle_x / width, middle_y / height, box.height / width)

    def close(self) -> None:
        """Free the model."""
        self._detector.close()

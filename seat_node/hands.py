"""Hands in a picture, by MediaPipe's hand landmarker."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from seat_node.models import HAND_MODEL
from seat_node.shape import Points

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Hands:
    """A landmarker for one hand or for two, made anew when the other is asked for.

    Looking for a second hand that is not there doubles the work, so two are
    looked for only while a number of two hands can be asked. With *stills* each
    picture stands for itself; else hands are followed from one to the next.
    """

    def __init__(self, directory: Path, *, stills: bool = False) -> None:
        self._model = directory / HAND_MODEL
        self._stills = stills
        self._landmarkers: dict[int, Any] = {}
        self._stamps_ms: dict[int, int] = {}

    def look(self, rgb: "NDArray[np.uint8]", at_s: float, *, two: bool = False) -> list[Points]:
        """Return the hands that *rgb*, contiguous (height, width, 3), shows.

        :raises OSError: if the hand model is missing.
        """
        import mediapipe as mp

        most = 2 if two else 1
        if most not in self._landmarkers:
            # One at a time: the second would take 44 MB more, with MediaPipe 0.10 84.
            self.close()
            self._landmarkers[most] = self._create(most)
        image = mp.Image(image_format=mp.ImageFormat.SRGB, data=rgb)
        if self._stills:
            found = self._landmarkers[most].detect(image)
        else:
            # MediaPipe wants whole milliseconds that always rise, in each landmarker.
            stamp_ms = max(self._stamps_ms.get(most, -1) + 1, int(at_s * 1000))
            self._stamps_ms[most] = stamp_ms
            found = self._landmarkers[most].detect_for_video(image, stamp_ms)
        return [
            Points(_triples(world), _triples(flat))
            for world, flat in zip(found.hand_world_landmarks, found.hand_landmarks, strict=True)
        ]

    def close(self) -> None:
        """Free the models."""
        for landmarker in self._landmarkers.values():
            landmarker.close()
        self._landmarkers.clear()

    def _create(self, most: int) -> Any:
        from mediapipe.tasks.python import BaseOptions, vision

        mode = vision.RunningMode.IMAGE if self._stills else vision.RunningMode.VIDEO
        return vision.HandLandmarker.create_from_options(
            vision.HandLandmarkerOptions(
                base_options=BaseOptions(model_asset_path=str(self._model)),
                running_mode=mode,
                num_hands=most,
            )
        )


def _triples(landmarks: Any) -> list[tuple[float, float, float]]:
    return [(point.x, point.y, point.z) for point in landmarks]

"""Bodies in a picture, by MediaPipe's pose model: a player whose face is hidden has shoulders."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from seat_node.models import BODY_MODEL

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NOSE: Final = 0
SHOULDERS: Final = (11, 12)
"""Source: MediaPipe Pose Landmarker, landmark numbering."""

VISIBLE: Final = 0.5
"""Least visibility of the better shoulder.

People at a desk have 0.98 and more; shoulders that the model only guesses, beside a single
hand, 0.36 to 0.68, and those are small too.
"""

SIZE: Final = 0.25
"""Least size of a player, in heights of the picture: nobody farther off than 1.7 m.

Joints of the shoulders are some 0.35 m apart, and at 1 m a picture is 0.8 m high. People at
a desk measured 0.39 to 0.61; who passes behind a chair, at 2 m, has 0.2, and what the model
sees in hands and things 0.02 to 0.17.
"""

ASIDE: Final = 0.1
"""So far beside the picture, in its widths, may the middle of the shoulders be.

A player who leans half out measured 1.08; the next chair begins at 1.15.
"""

UPRIGHT: Final = 1.3
"""Shoulders are so many times as wide as the nose is above them, for who sits turned away."""

POSES: Final = 2
"""The player, and somebody behind who may be easier to see."""


class Torso(NamedTuple):
    """What counts of a body. In heights of the picture, from its left."""

    size: float
    middle: float
    """Of the shoulders, in widths of the picture."""
    visible: float


def is_player(torso: Torso) -> bool:
    """Tell whether *torso* is that of somebody in the chair, not of who passes behind it."""
    inside = -ASIDE <= torso.middle <= 1.0 + ASIDE
    return inside and torso.visible >= VISIBLE and torso.size >= SIZE


class Bodies:
    """The model, made when first needed and kept: closing it frees next to nothing.

    Each look is one of its own: what was tracked before would be seen in an empty chair.
    """

    def __init__(self, directory: Path) -> None:
        self._model = directory / BODY_MODEL
        self._landmarker: Any = None

    def look(self, rgb: "NDArray[np.uint8]") -> list[Torso]:
        """Return whom *rgb*, contiguous (height, width, 3), shows."""
        import mediapipe as mp

        if self._landmarker is None:
            self._landmarker = self._open()
        image = mp.Image(image_format=mp.ImageFormat.SRGB, data=rgb)
        height, width, _ = rgb.shape
        poses = self._landmarker.detect(image).pose_landmarks
        return [_torso(pose, width / height) for pose in poses]

    def close(self) -> None:
        """Free the model."""
        if self._landmarker is not None:
            self._landmarker.close()

    def _open(self) -> Any:
        from mediapipe.tasks.python import BaseOptions, vision

        return vision.PoseLandmarker.create_from_options(
            vision.PoseLandmarkerOptions(
                base_options=BaseOptions(model_asset_path=str(self._model)),
                running_mode=vision.RunningMode.IMAGE,
                num_poses=POSES,
            )
        )


def _torso(pose: Any, aspect: float) -> Torso:
    left, right, nose = pose[SHOULDERS[0]], pose[SHOULDERS[1]], pose[NOSE]
    width = math.hypot((left.x - right.x) * aspect, left.y - right.y)
    neck = (left.y + right.y) / 2 - nose.y
    return Torso(
        size=round(max(width, UPRIGHT * neck), 3),
        middle=round((left.x + right.x) / 2, 3),
        visible=round(max(left.visibility, right.visibility), 3),
    )

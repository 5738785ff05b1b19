"""Can the picture be judged at all? Pure: arrays and times in, a word out."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OK: Final = "ok"
DARK: Final = "dark"
COVERED: Final = "covered"
FROZEN: Final = "frozen"

STEP_PX: Final = 8
"""Every eighth pixel of every eighth row tells enough."""

DARK_MEAN: Final = 12.0
"""Mean of 0-255 below which nobody can be made out.

Faces are found at a fifth of a room's light (a mean of some 20), hands are not.
"""

FLAT_DEVIATION: Final = 6.0
"""Standard deviation of 0-255 below which the lens looks at one surface."""

FROZEN_S: Final = 2.0
"""So long without any change a camera hangs: its noise alone changes every frame."""


class Light:
    """Watches the pictures of one source; *live* ones can freeze."""

    def __init__(self, *, live: bool) -> None:
        self._live = live
        self.mean = 0.0
        """How bright the last picture was that was not frozen, 0-255."""
        self._last: NDArray[np.uint8] | None = None
        self._changed_s = 0.0

    def judge(self, rgb: "NDArray[np.uint8]", at_s: float) -> str:
        """Return the word for the picture *rgb*, (height, width, 3), taken at *at_s*."""
        sample = rgb[::STEP_PX, ::STEP_PX]
        if self._live and self._frozen(sample, at_s):
            return FROZEN
        self.mean = float(sample.mean())
        if self.mean < DARK_MEAN:
            return DARK
        if sample.std() < FLAT_DEVIATION:
            return COVERED
        return OK

    def _frozen(self, sample: "NDArray[np.uint8]", at_s: float) -> bool:
        if self._last is None or not (sample == self._last).all():
            # A copy: the sample is a view of a buffer that the camera fills again.
            self._last = sample.copy()
            self._changed_s = at_s
        return at_s - self._changed_s >= FROZEN_S

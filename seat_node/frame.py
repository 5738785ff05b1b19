"""What the eyes look at: one picture at a time, from a camera or a recording."""

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIZE_PX: Final = (640, 480)
"""Width and height asked of a camera: a face at 1 m is about 120 px high, 70 are needed."""


class Frame(NamedTuple):
    """One picture, kept in memory only and only until the next.

    *rgb* is uint8, (height, width, 3), contiguous (MediaPipe ignores the strides
    of any other) and not mirrored.
    """

    rgb: "NDArray[np.uint8]"
    at_s: float


class Source(Protocol):
    """What the eyes look at. The one who opens it closes it.

    A recording has a time of its own, which begins with the first look; a camera
    answers with its newest frame and the moment it was taken. A camera may hang
    in any call: see :func:`firmware.service.ends_within`.
    """

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

"""Keep the eyes small: MediaPipe without what it needs for drawing only, on one heap.

Matplotlib would take 30 MB and a second, and write a font list to disk; on a
Pi it is not even installed.
"""

import ctypes
import sys
import types
from typing import Final

UNUSED: Final = ("matplotlib", "matplotlib.pyplot")
"""Imported by MediaPipe's drawing_utils, used in none of its detectors."""


M_ARENA_MAX: Final = -8
"""Source: mallopt(3) and glibc's malloc.h."""


def keep_one_heap() -> None:
    """Let all threads of this process share one heap, where the C library is glibc.

    MediaPipe's threads take turns; a heap for each keeps 4 MB that nobody uses.
    Call it before there is a second thread.
    """
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            mallopt(M_ARENA_MAX, 1)


def spare_drawing() -> None:
    """Let MediaPipe find empty modules in place of :data:`UNUSED`, in this process.

    Call it before the first import of MediaPipe.
    """
    for name in UNUSED:
        sys.modules.setdefault(name, types.ModuleType(name))

"""Import MediaPipe without what it needs for drawing only.

Matplotlib would take 30 MB and a second, and write a font list to disk; on a
Pi it is not even installed.
"""

import sys
import types
from typing import Final

UNUSED: Final = ("matplotlib", "matplotlib.pyplot")
"""Imported by MediaPipe's drawing_utils, used in none of its detectors."""


def spare_drawing() -> None:
    """Let MediaPipe find empty modules in place of :data:`UNUSED`, in this process.

    Call it before the first import of MediaPipe.
    """
    for name in UNUSED:
        sys.modules.setdefault(name, types.ModuleType(name))

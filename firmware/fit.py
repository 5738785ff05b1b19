"""Which versions of the kit play together. Pure."""

import re
from typing import Final

_VERSION: Final = re.compile(
    r"(\d{1,6})\.(\d{1,6})(?:\.\d{1,6}){0,2}"  # the series, and the release in it
    r"((?:(?:a|b|rc)\d{1,6})?(?:\.dev\d{1,6})?)"  # of a pre-release
    r"(?:\.post\d{1,6})?(?:\+[a-z0-9.]{1,20})?",  # a mended package is the same program
    re.ASCII,
)
"""A version as our packages have it. Source: PEP 440, without what this kit never has."""

UNREADABLE: Final = "?"
"""What is shown in the place of something that is no version."""


def fits(one: str, other: str) -> bool:
    """Tell whether programs of the versions *one* and *other* play together.

    They do within a series, the same ``major.minor``: what the wire carries changes
    with the series alone. A pre-release of it may still change, so it fits nothing but
    itself. What cannot be read fits nothing at all.
    """
    ours, theirs = _VERSION.fullmatch(one), _VERSION.fullmatch(other)
    if ours is None or theirs is None:
        return False
    if ours[3] or theirs[3]:
        return one == other
    return (int(ours[1]), int(ours[2])) == (int(theirs[1]), int(theirs[2]))


def shown(version: str) -> str:
    """Return *version* as it may stand on screens, on pages and in the log.

    It comes from the wire: whatever is no version could be of any length and any letters.
    """
    return version if _VERSION.fullmatch(version) else UNREADABLE

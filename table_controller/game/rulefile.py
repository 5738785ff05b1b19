"""A club's own rules: a TOML file over the defaults, checked at the door.

A file holds what differs, a key a line, the rows of points below ``[points]``::

    mode = "turbo"
    lift_two_of_four = false
    silent_s = 20

    [points]
    miss = [-10, -10]
"""

import difflib
import enum
import reprlib
import tomllib
import typing
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from table_controller.game.points import Points
from table_controller.game.ruleset import MODES, Mode, Ruleset
from table_controller.game.setting import Setting

POINTS = "points"
"""The key of the table of points."""


class RulesetError(ValueError):
    """A key of a file of rules is unknown or has a value that cannot be."""

    def __init__(self, key: str, value: object, problem: str) -> None:
        super().__init__(f"{key} = {reprlib.repr(value)}: {problem}")
        self.key = key


class Standing(enum.StrEnum):
    """Whether a value can be changed, and whether it was."""

    FIXED = "fixed"
    DEFAULT = "default"
    CHANGED = "changed"


class Line(msgspec.Struct, frozen=True):
    """One key of a ruleset with all that is known about it."""

    key: str
    """Below ``[points]`` with that name and a dot in front."""
    value: Any
    default: Any
    """Of the same mode."""
    setting: Setting

    @property
    def standing(self) -> Standing:
        """Return the standing of its value."""
        if self.setting.fixed:
            return Standing.FIXED
        return Standing.DEFAULT if self.value == self.default else Standing.CHANGED


def lines(ruleset: Ruleset) -> Iterator[Line]:
    """Yield every key of *ruleset* but the mode, in order."""
    default = MODES[ruleset.mode]
    for key, setting in _SETTINGS.items():
        yield Line(key, getattr(ruleset, key), getattr(default, key), setting)
    for key, setting in _ROWS.items():
        amounts = getattr(ruleset.points, key)
        yield Line(f"{POINTS}.{key}", amounts, getattr(default.points, key), setting)


def parse(text: str, mode: Mode | None = None) -> Ruleset:
    """Return the ruleset that a file with this *text* stands for.

    *mode* is what the command line asks for; None: what the file says, else normal.

    :raises RulesetError: naming key, value and what is allowed.
    :raises ValueError: if *text* is not TOML.
    """
    try:
        found = tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("not a file of rules: tables within tables") from error
    said = found.pop("mode", None)
    if said is not None and said not in list(Mode):
        raise RulesetError("mode", said, f"expected {' or '.join(Mode)}")
    if said is not None and mode not in (None, said):
        raise RulesetError("mode", said, f"but {mode} is asked for: leave one out")
    base = MODES[Mode(said or mode or Mode.NORMAL)]
    rows = found.pop(POINTS, {})
    if not isinstance(rows, dict):
        raise RulesetError(POINTS, rows, "expected a table, [points]")
    points = replace(base.points, **_checked(rows, base.points, _ROWS, f"{POINTS}."))
    ruleset = replace(base, points=points, **_checked(found, base, _SETTINGS))
    if ruleset.call_guard_s >= ruleset.call_s:
        raise RulesetError(
            "call_guard_s", ruleset.call_guard_s, f"expected less than call_s = {ruleset.call_s:g}"
        )
    return ruleset


def _checked(
    found: dict[str, Any], base: object, settings: dict[str, Setting], prefix: str = ""
) -> dict[str, object]:
    taken = {}
    for key, value in found.items():
        if key not in settings:
            near = difflib.get_close_matches(key, settings, n=3) or sorted(settings)
            allowed = f"unknown key, expected one of {', '.join(near)}"
            raise RulesetError(f"{prefix}{key}", value, allowed)
        try:
            taken[key] = settings[key].checked(value, getattr(base, key))
        except ValueError as error:
            raise RulesetError(f"{prefix}{key}", value, str(error)) from None
    return taken


def _settings(kind: type[msgspec.Struct]) -> dict[str, Setting]:
    hints = typing.get_type_hints(kind, include_extras=True)
    return {
        key: setting
        for key in kind.__struct_fields__
        for setting in getattr(hints[key], "__metadata__", ())
    }


_SETTINGS = _settings(Ruleset)
_ROWS = _settings(Points)

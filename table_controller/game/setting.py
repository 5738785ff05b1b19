"""What is known about a key of a ruleset beside its value."""

import msgspec


def N_(text: str) -> str:  # noqa: N802  (gettext's own name)
    """Mark *text* for the catalogues, which the engine cannot import."""
    return text


class Setting(msgspec.Struct, frozen=True):
    """A key: what it means and what a club may set."""

    meaning: str
    unit: str = ""
    low: float = 0
    """Least value of a number, or of each of two numbers."""
    high: float = 0
    fixed: bool = False
    """No file changes it."""

    def allowed(self, default: object) -> str:
        """Return in words what may stand in the place of *default*."""
        span = f"{self.low:g} to {self.high:g}"
        if self.fixed:
            return f"{as_toml(default)}, which is fixed"
        if isinstance(default, bool):
            return "true or false"
        if isinstance(default, float):
            return f"a number from {span} {self.unit}"
        if isinstance(default, int):
            return f"a whole number from {span}"
        return f"[a, b], whole numbers from {span}" + (" with a < b" if self.low > 0 else "")

    def checked(self, value: object, default: object) -> object:
        """Return *value*, as read from a file, in the type of *default*.

        :raises ValueError: if it may not stand in the place of *default*.
        """
        taken = self._typed(value, default)
        if taken is None or (self.fixed and taken != default):
            raise ValueError(f"expected {self.allowed(default)}")
        return taken

    def _typed(self, value: object, default: object) -> object:
        """Return *value* in the type of *default*; None: it has none or is out of range."""
        if isinstance(default, tuple):
            if not isinstance(value, list) or len(value) != len(default):
                return None
            pair = tuple(value)
            if not all(map(self._is_whole, pair)) or (self.low > 0 and pair[0] >= pair[1]):
                return None
            return pair
        if isinstance(default, bool):
            return value if isinstance(value, bool) else None
        if isinstance(default, int):
            return value if self._is_whole(value) else None
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        # Not a number compares false with everything.
        return float(value) if self.low <= value <= self.high else None

    def _is_whole(self, value: object) -> bool:
        whole = isinstance(value, int) and not isinstance(value, bool)
        return whole and self.low <= value <= self.high  # type: ignore[operator]


def as_toml(value: object) -> str:
    """Return *value* of a ruleset as a file has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return str(list(value))
    return f"{value:g}" if isinstance(value, float) else str(value)

"""The rules a host can choose from by name: the table's own, turbo, and the club's files.

A file ``league.toml`` in the folder is the ruleset ``league``; what is wrong with
one is told when it is chosen.
"""

import re
from pathlib import Path
from typing import Final

from firmware.errors import CardError
from firmware.words import N_
from table_controller.commands.rulesheet import read_ruleset
from table_controller.game import TURBO, Ruleset
from table_controller.host.refusal import Refused

DEFAULT: Final = "default"
"""By which the table plays unless another is chosen."""

_TURBO: Final = "turbo"

_NAME: Final = re.compile(r"[\w-]{1,40}")
"""Names of files that are offered; others could not be chosen from a page."""


class Rulesets:
    """The rulesets of one table: its *own*, and those of *folder*, which may not be there."""

    def __init__(self, own: Ruleset, folder: Path | None = None) -> None:
        self._own = own
        self._folder = folder
        self._looked_ns = -1
        self._files: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Return what can be chosen."""
        return (DEFAULT, _TURBO, *self._in_folder())

    def read(self, name: str) -> Ruleset:
        """Return the ruleset of *name*, as its file is now.

        :raises Refused: if there is none such, or its file is wrong.
        """
        if name == DEFAULT:
            return self._own
        if name == _TURBO:
            return TURBO
        if self._folder is None or name not in self._in_folder():
            raise Refused(
                N_("There are no rules {name}: expected one of {names}."),
                name=repr(name[:40]),
                names=", ".join(self.names),
            )
        try:
            return read_ruleset(self._folder / f"{name}.toml", turbo=False)
        except CardError as error:
            raise Refused(N_("The rules cannot be used: {fault}"), fault=str(error)) from error

    def _in_folder(self) -> tuple[str, ...]:
        """Return the names of the club's files; the folder is read when it has changed."""
        if self._folder is None:
            return ()
        try:
            changed_ns = self._folder.stat().st_mtime_ns
            if changed_ns != self._looked_ns:
                found = {path.stem for path in self._folder.glob("*.toml")}
                self._files = tuple(
                    sorted(name for name in found - {DEFAULT, _TURBO} if _NAME.fullmatch(name))
                )
                self._looked_ns = changed_ns
        except OSError:
            return ()
        return self._files

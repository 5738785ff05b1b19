"""How far each device is: lines that change in place on a terminal, else a line a change."""

import shutil
from collections.abc import Iterable
from typing import Final

import click

from firmware.words import Words
from table_controller.updating import Progress, Stage

TABLE: Final = "table"
"""Stands among the users for the table itself."""

UP: Final = "\x1b[{}A"
CLEAR: Final = "\x1b[K"


class ProgressLines:
    """Prints the progress of *users*, a line each."""

    def __init__(self, users: Iterable[str], words: Words, *, in_place: bool) -> None:
        self._words = words
        self._in_place = in_place
        self._now = dict.fromkeys(users, Progress())
        self._width = max(map(len, self._now), default=0)
        if in_place:
            self._draw()

    def tell(self, user: str, progress: Progress) -> None:
        """Show that *user* is so far now; without a terminal, when its stage has changed."""
        before, self._now[user] = self._now[user], progress
        if self._in_place:
            if progress != before:
                click.echo(UP.format(len(self._now)), nl=False, color=True)
                self._draw()
        elif progress.stage is not before.stage:
            click.echo(self._line(user))

    def end(self) -> None:
        """Say in full what a terminal's line had no room for."""
        columns = shutil.get_terminal_size().columns
        for line in map(self._line, self._now):
            if self._in_place and len(line) >= columns:
                click.echo(line)

    def _draw(self) -> None:
        columns = shutil.get_terminal_size().columns
        for user in self._now:
            # A line that the terminal breaks would be two when the next ones are drawn.
            click.echo(self._line(user)[: columns - 1] + CLEAR, color=True)

    def _line(self, user: str) -> str:
        progress, t = self._now[user], self._words.gettext
        said = {
            Stage.WAITS: t("waiting"),
            Stage.SENDS: t("sending {percent} %").format(percent=progress.percent),
            Stage.INSTALLS: t("installing"),
            Stage.DONE: t("done"),
            Stage.HAS_IT: t("has it already"),
            Stage.FAILED: t("failed: {why}").format(why=progress.told),
        }[progress.stage]
        if progress.stage is Stage.INSTALLS and progress.told and self._in_place:
            said = f"{said}: {progress.told}"
        name = t("table") if user == TABLE else user
        return f"{name.ljust(self._width)}  {said}"

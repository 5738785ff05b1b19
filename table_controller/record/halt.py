"""When the disk takes nothing: the game stands still until it does again.

A pause that stands for it is shown at once and journalled first of all when
there is room, so that a table that is restarted meanwhile comes to the same state.
"""

from typing import Final

from firmware.clock import Clock
from firmware.errors import JournalError
from table_controller.game import Event, actions
from table_controller.host.notices import Notices
from table_controller.record.entries import Acted
from table_controller.record.journal import Journal
from table_controller.record.journals import Journals
from table_controller.scoreboard.board import Notice
from table_controller.show import Show

RETRY_S: Final = 1.0
"""How often a disk that takes nothing is tried."""


class Halt:
    """Whether the table stands still for its disk."""

    def __init__(self, clock: Clock, journals: Journals, show: Show, notices: Notices) -> None:
        self.on = False
        self.unread = False
        """The game to go on with could not be read yet."""
        self._clock = clock
        self._journals = journals
        self._show = show
        self._notices = notices
        self._retry_s = 0.0
        self._owed: tuple[Event, ...] | None = None
        """Events of the pause that is not in the journal yet."""

    def begin(self, error: JournalError) -> bool:
        """Stand still because of *error*; tell whether the table did not before."""
        self._retry_s = self._clock.now_s() + RETRY_S
        if self.on:
            return False
        self.on = True
        self._show.notice = Notice.DISK_FULL
        self._notices.disk_full(str(error))
        return True

    def owe(self, events: tuple[Event, ...]) -> None:
        """Remember to journal the pause that told *events*."""
        self._owed = events

    @property
    def owes(self) -> tuple[Event, ...] | None:
        """Return the events of a pause that is not in the journal yet; None: there is none."""
        return self._owed

    def check(self) -> None:
        """Refuse whatever would have to be journalled.

        :raises JournalError: while the table stands still.
        """
        if self.on:
            raise JournalError("the disk takes nothing: the game stands still until it does")

    def due_s(self) -> float | None:
        """Return when the disk is to be tried again; None: it takes what there is."""
        return self._retry_s if self.on else None

    def room(self, journal: Journal | None) -> bool:
        """Try the disk: tell whether it takes everything again, the pause being in the journal."""
        self._retry_s = self._clock.now_s() + RETRY_S
        try:
            self._journals.check_room()
            if journal is not None and self._owed is not None:
                journal.append(Acted(actions.Pause()), self._owed, self._clock.wall())
        except JournalError:
            # The link may have come and gone meanwhile, with a word of its own.
            if self._show.notice is Notice.NONE:
                self._show.notice = Notice.DISK_FULL
            return False
        self._owed, self.on = None, False
        if self._show.notice is Notice.DISK_FULL:
            self._show.notice = Notice.NONE
        self._notices.disk_takes()
        return True

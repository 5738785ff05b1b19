"""What a host orders of the controller itself: a copy of the game's record, and its end."""

import contextlib
import logging
from collections.abc import Callable
from typing import Final

from firmware.errors import JournalError
from firmware.words import N_
from table_controller.game.views import PublicPhase, public_view
from table_controller.host import orders
from table_controller.host.ordering import Ordering
from table_controller.host.refusal import Refused
from table_controller.playing import Playing
from table_controller.record.backups import Reason
from table_controller.record.journal import Journal
from table_controller.record.journals import Journals

log = logging.getLogger(__name__)

NOT_BY_NIGHT: Final = N_("Not by night. Ask again in the morning.")


def serve(
    ordering: Ordering,
    playing: Playing,
    journals: Journals,
    end: Callable[[], object] | None,
) -> None:
    """Let *ordering* carry out both; *end* lets the table end and the machine go off, None never.

    A rehearsal has no machine of its own.
    """

    def back_up(order: orders.Backup) -> None:
        _back_up(playing, journals)

    def shut_down(order: orders.Shutdown) -> None:
        assert end is not None
        log.warning("a host switches the table off")
        end()

    ordering.serve(orders.Backup, back_up)
    if end is not None:
        ordering.serve(orders.Shutdown, shut_down)


def _back_up(playing: Playing, journals: Journals) -> None:
    # What is copied grows with what is pressed.
    state = playing.state
    if state is not None and public_view(state).phase is PublicPhase.NIGHT:
        raise Refused(NOT_BY_NIGHT)
    game = journals.current_game()
    if not game:
        raise Refused(N_("There is no game to copy."))
    try:
        with contextlib.closing(Journal(journals.folder / f"{game}.db")) as journal:
            journals.backups.make(journal, Reason.ASKED)
    except JournalError as error:
        # The record itself is whole: the game need not stand still for a copy of it.
        log.warning("no backup: %s", error)
        raise Refused(N_("The disk takes no copy; the record itself is kept.")) from error

"""The table's answer to the last press, as the strip under the screen tells it."""

from typing import Final

from firmware.signals import Reply
from firmware.wire import Cue, Mark

WAITING_S: Final = 1.0
"""Without an answer for so long, the seat says that it waits. Source: DESIGN 6."""

MARK_S: Final = 1.5
"""How long an answer is shown."""

_REPLIES: Final = {
    Mark.ACCEPTED: Reply.ACCEPTED,
    Mark.LATE: Reply.LATE,
    Mark.NOTHING: Reply.NOTHING,
}


class Answers:
    """Follows the last press that the player wants an answer to."""

    def __init__(self) -> None:
        self.reply = Reply.NONE
        self.next_due_s: float | None = None
        """When :meth:`tick` has something to do; None: never."""
        self._n = 0
        """Counter of the press without an answer; 0: none."""

    def asked(self, n: int, now_s: float) -> None:
        """Wait for the answer to the message *n*, a press just made."""
        self._n = n
        self.reply, self.next_due_s = Reply.PRESSED, now_s + WAITING_S

    def cue(self, cue: Cue, now_s: float) -> None:
        """Take the answer out of *cue*, if it is there."""
        if not self._n:
            return
        if cue.answer is not None and cue.answer.n == self._n:
            self._n = 0
            self.reply, self.next_due_s = _REPLIES[cue.answer.mark], now_s + MARK_S
        elif cue.heard >= self._n:
            # Taken, and the answer comes with a later cue: it no longer waits.
            self.reply, self.next_due_s = Reply.NONE, None

    def tick(self, now_s: float) -> None:
        """Begin to wait, or end a mark, when it is time."""
        if self.next_due_s is not None and now_s >= self.next_due_s:
            waiting = self.reply is Reply.PRESSED
            self.reply = Reply.WAITING if waiting else Reply.NONE
            self.next_due_s = None

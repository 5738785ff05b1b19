"""What a seat has said and the table has not heard yet.

Source: DESIGN 5: kept until ``heard``, resent in order each second and on every
connect; the broker's acknowledgement means nothing.
"""

from collections import deque
from collections.abc import Callable
from typing import Final

import msgspec

from firmware.wire import KEPT, NIGHT_ANSWER_SIZE, NightAnswer, Said, What, encode

RESEND_S: Final = 1.0
"""How long a kept message waits to be heard before all are sent again. Source: DESIGN 5."""

KEPT_MAX: Final = 128
"""Messages kept while no table hears; the oldest is dropped for a newer one."""


class Outbox:
    """Numbers, sends and keeps the messages of one boot.

    *send* publishes a payload with QoS 1; what it returns does not matter.
    """

    def __init__(self, boot: str, send: Callable[[bytes], object]) -> None:
        self.boot = boot
        self.last = 0
        """Counter of the last kept message."""
        self.drops = 0
        """Messages dropped because too many waited."""
        self._send = send
        self._kept: deque[Said] = deque()
        self._resend_s: float | None = None

    def say(self, what: What, made_s: float, cue: int, now_s: float) -> int:
        """Send *what*, and keep it if it is of a kept kind; return its counter, else 0."""
        n = 0
        if isinstance(what, KEPT):
            self.last = n = self.last + 1
        said = Said(
            boot=self.boot,
            n=n,
            oldest=n,
            made_s=round(made_s, 6),
            sent_s=0.0,
            cue=cue,
            what=what,
        )
        if n:
            self._keep(said, now_s)
        self._publish(said, now_s)
        return n

    def heard(self, n: int) -> None:
        """Let go of everything up to *n*."""
        while self._kept and self._kept[0].n <= n:
            self._kept.popleft()
        if not self._kept:
            self._resend_s = None

    def resend(self, now_s: float) -> None:
        """Send all that is kept again, in order."""
        for said in self._kept:
            self._publish(said, now_s)
        self._resend_s = now_s + RESEND_S if self._kept else None

    def tick(self, now_s: float) -> None:
        """Resend when it is time."""
        if self._resend_s is not None and now_s >= self._resend_s:
            self.resend(now_s)

    @property
    def next_due_s(self) -> float | None:
        """When :meth:`tick` has something to do; None: nothing is kept."""
        return self._resend_s

    def _keep(self, said: Said, now_s: float) -> None:
        if len(self._kept) == KEPT_MAX:
            self._kept.popleft()
            self.drops += 1
        self._kept.append(said)
        if self._resend_s is None:
            self._resend_s = now_s + RESEND_S

    def _publish(self, said: Said, now_s: float) -> None:
        oldest = self._kept[0].n if self._kept else self.last + 1
        size = NIGHT_ANSWER_SIZE if isinstance(said.what, NightAnswer) else 0
        said = msgspec.structs.replace(said, oldest=oldest, sent_s=round(now_s, 6))
        self._send(encode(said, size))

"""What waits to be said, and what of it comes next. Pure: time is given."""

from collections.abc import Callable, Mapping
from typing import Final

from table_controller.voice.phrasebook import Phrase, Rank

STALE_S: Final[Mapping[Rank, float]] = {
    # The next number of a turbo night is called after 2 s.
    Rank.CALL: 2.0,
    Rank.SIGNAL: 1.0,
    # A count of three candidates takes its time.
    Rank.RESULT: 30.0,
    Rank.TALK: 8.0,
}
"""What has waited longer than this is not said any more."""


class SpeechQueue:
    """Phrases that wait: calls first, then signals, results, the rest."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Phrase, float]] = []
        """In the order of asking."""

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, phrase: Phrase, now_s: float) -> bool:
        """Let *phrase* wait; return whether it cuts off what is being said."""
        if phrase.call:
            self._waiting.clear()
        self._waiting.append((phrase, now_s))
        return phrase.call

    def clear(self) -> None:
        """Forget all that waits."""
        self._waiting.clear()

    def next(self, now_s: float, ready: Callable[[Phrase], bool]) -> Phrase | None:
        """Take what is to be said now; None: nothing, or it is not *ready* yet.

        What is not ready holds up what waits behind it, so that an order stays
        an order; a higher rank passes it.
        """
        self._waiting = [
            (phrase, asked_s)
            for phrase, asked_s in self._waiting
            if now_s - asked_s <= STALE_S[phrase.rank]
        ]
        # Sorting keeps the order within a rank.
        for each in sorted(self._waiting, key=lambda item: item[0].rank):
            if not ready(each[0]):
                return None
            self._waiting.remove(each)
            return each[0]
        return None

"""Fan the host's sheet out to the pages of the hosts.

As :mod:`table_controller.scoreboard.hub` does with the board, and from the same
slots: the hosts' pages may take those that are kept.
"""

import threading
from typing import TYPE_CHECKING

import msgspec

from firmware.clock import Clock
from firmware.words import Words
from table_controller.scoreboard.hub import Hub, Stream, clocks_look_same

if TYPE_CHECKING:
    from table_controller.host.sheet import Sheet, Told

AWAY_TOLERANCE_S = 1.0
"""An empty chair's time grows by itself; two sheets differ when it is off by more than this."""


class SheetNews:
    """One sheet, put into words and encoded once a language."""

    def __init__(self, sheet: "Sheet | None", made_s: float) -> None:
        self.sheet = sheet
        self.made_s = made_s
        self._encoded: dict[str, bytes] = {}

    def body(self, words: Words, now_s: float, lobby: "Told | None" = None) -> bytes:
        """Return the JSON that a page gets: the sheet and its age in seconds."""
        if (encoded := self._encoded.get(words.language)) is None:
            spoken = self.sheet and self.sheet.spoken(words, lobby)
            encoded = msgspec.json.encode(spoken)
            if spoken is None or spoken.lobby is None:
                # Two threads may do it at once; it is the same. Of a lobby more is known each time.
                self._encoded[words.language] = encoded
        return b'{"age_s":%.3f,"sheet":%b}' % (max(0.0, now_s - self.made_s), encoded)


class Sheets:
    """Keeps the latest sheet and hands it to all hosts. Thread-safe."""

    def __init__(self, clock: Clock, hub: Hub) -> None:
        self._clock = clock
        self._hub = hub
        self._lock = threading.Lock()
        self._streams: set[Stream[SheetNews]] = set()
        self._latest = SheetNews(None, clock.now_s())

    @property
    def sheet(self) -> "Sheet | None":
        """The latest one; None: there was none yet."""
        return self._latest.sheet

    @property
    def step(self) -> int:
        """Return the step of the newest sheet; 0 before the first."""
        return self._latest.sheet.step if self._latest.sheet else 0

    @property
    def is_over(self) -> bool:
        """Tell whether no game is being played."""
        sheet = self._latest.sheet
        return sheet is None or sheet.game is None or sheet.over

    @property
    def is_night(self) -> bool:
        """Tell whether it is night, when nothing may tell of a press."""
        return self._latest.sheet is not None and self._latest.sheet.phase == "night"

    def publish(self, sheet: "Sheet") -> None:
        """Send *sheet*, as it stands now, to all hosts unless they have it already."""
        now_s = self._clock.now_s()
        with self._lock:
            latest = self._latest
            if latest.sheet and looks_same(latest.sheet, sheet, now_s - latest.made_s):
                return
            self._latest = SheetNews(sheet, now_s)
            slow = [stream for stream in self._streams if not stream.offer(self._latest)]
            self._streams.difference_update(slow)
        for stream in slow:
            stream.end()

    @property
    def watched(self) -> bool:
        """Tell whether a host's page is open."""
        return bool(self._streams)

    def latest(self, words: Words, lobby: "Told | None" = None) -> bytes:
        """Return what a poll gets."""
        return self._latest.body(words, self._clock.now_s(), lobby)

    def body(self, news: SheetNews, words: Words, lobby: "Told | None" = None) -> bytes:
        """Return *news* as it is sent now."""
        return news.body(words, self._clock.now_s(), lobby)

    def join(self, address: str) -> Stream[SheetNews]:
        """Return a new stream that begins with the latest sheet.

        :raises HubFull: as :meth:`Hub.join`.
        """
        stream: Stream[SheetNews] = Stream(address)
        with self._lock:
            self._hub.admit(stream, kept=True)
            stream.offer(self._latest)
            self._streams.add(stream)
        return stream

    def leave(self, stream: Stream[SheetNews]) -> None:
        """Forget *stream*; its host is gone."""
        with self._lock:
            self._streams.discard(stream)
        self._hub.dismiss(stream)


def looks_same(old: "Sheet", new: "Sheet", passed_s: float) -> bool:
    """Return whether a host who has *old*, made *passed_s* ago, sees *new* already."""
    if _still(old) != _still(new):
        return False
    before = old.board.clocks if old.board else ()
    after = new.board.clocks if new.board else ()
    return clocks_look_same(before, after, passed_s) and all(
        _away_shows(was.away_s, now.away_s, passed_s)
        for was, now in zip(old.seats, new.seats, strict=True)
    )


def _still(sheet: "Sheet") -> "Sheet":
    """Return *sheet* without what time alone changes."""
    board = sheet.board and msgspec.structs.replace(sheet.board, clocks=())
    seats = tuple(msgspec.structs.replace(seat, away_s=0.0) for seat in sheet.seats)
    return msgspec.structs.replace(sheet, board=board, seats=seats)


def _away_shows(was_s: float, now_s: float, passed_s: float) -> bool:
    if not was_s or not now_s:
        return was_s == now_s
    return abs(was_s + passed_s - now_s) <= AWAY_TOLERANCE_S

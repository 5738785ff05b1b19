"""Fan the latest board out to every viewer's stream.

The table's loop calls :meth:`Hub.publish`; each stream is drained by a thread
of the web server. Nothing here is numbered: an id or a version that grows with
the entries of a night would tell how many there were.
"""

import dataclasses
import queue
import threading
from collections.abc import Callable, Iterator
from typing import Any, Final, Generic, TypeVar

import msgspec

from firmware.clock import Clock
from firmware.errors import KitError
from table_controller.scoreboard.board import Board, BoardClock

Item = TypeVar("Item")

STREAMS_MAX: Final = 48
"""Streams at one time. Source: DESIGN 7."""

STREAMS_PER_ADDRESS: Final = 4
"""Streams that one device of the LAN may hold."""

STREAMS_KEPT: Final = 4
"""Of all streams, those that only the table's own screens can take."""

OWN_ADDRESSES: Final = frozenset({"127.0.0.1", "::1"})
"""The table controller itself: its TV output, and the tests and benchmarks."""

BACKLOG_MAX: Final = 16
"""Boards that wait for one slow viewer before it is dropped."""

CLOCK_TOLERANCE_S: Final = 0.1
"""Two boards differ when one of their clocks is off by more than this."""


class HubFull(KitError):
    """No stream is free for this address; the page polls instead."""


class StreamEnded(KitError):
    """The hub closed, or the viewer was too slow; the page connects again."""


@dataclasses.dataclass(frozen=True)
class News:
    """One board, encoded once for all viewers."""

    board: bytes
    """JSON; ``null`` when no board was made yet."""
    made_s: float

    def body(self, now_s: float) -> bytes:
        """Return the JSON that a page gets: the board and its age in seconds."""
        return b'{"age_s":%.3f,"board":%b}' % (max(0.0, now_s - self.made_s), self.board)


class Stream(Generic[Item]):
    """The boards, or a host's sheets, that one viewer has still to get."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.send: Callable[[Item], bool] | None = None
        """Sends it without waiting, False: something before it is on its way; None: cannot."""
        self._waiting: queue.SimpleQueue[Item | None] = queue.SimpleQueue()
        """None wakes the reader at the end."""
        self._lock = threading.Lock()
        self._owed = 0
        """How many wait for the reader, or were taken and are being sent by it."""
        self._taken = False
        self._ended = False

    def offer(self, news: Item) -> bool:
        """Send *news* now or queue it, or return False: the viewer is too slow.

        A reader that must be woken first, and waits for the interpreter, is late.
        """
        with self._lock:
            if not self._owed and self.send is not None and self.send(news):
                return True
            if self._waiting.qsize() >= BACKLOG_MAX:
                return False
            self._owed += 1
            self._waiting.put(news)
        return True

    def end(self) -> None:
        """Let the reader go; what still waits is dropped."""
        self._ended = True
        self._waiting.put(None)

    def take(self, timeout_s: float) -> Item | None:
        """Return the oldest that waits, or None after *timeout_s* without one.

        What was taken before has been sent.

        :raises StreamEnded: once :meth:`end` was called.
        """
        with self._lock:
            self._owed -= self._taken
            self._taken = False
        try:
            news = self._waiting.get(timeout=timeout_s)
        except queue.Empty:
            news = None
        self._taken = news is not None
        if self._ended:
            raise StreamEnded(f"stream of {self.address} has ended")
        return news


def as_events(
    stream: Stream[Item],
    body: Callable[[Item], bytes],
    beat_s: float,
    send: Callable[[bytes], bool] | None = None,
) -> Iterator[bytes]:
    """Yield *stream* as server-sent events until it ends, a beat when *beat_s* pass without news.

    Without ids: each event is a whole picture, so that a lost one is no loss. With *send*
    news that nothing is before go that way, see :attr:`Stream.send`.
    """

    def event(news: Item) -> bytes:
        return b"data: " + body(news) + b"\n\n"

    if send is not None:
        stream.send = lambda news: send(event(news))
    yield b"retry: 1000\n\n"
    while True:
        try:
            news = stream.take(beat_s)
        except StreamEnded:
            return
        if news is None:
            yield b"event: beat\ndata:\n\n"
        else:
            yield event(news)


class Hub:
    """Keeps the latest board and hands it to all streams. Thread-safe."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._streams: set[Stream[News]] = set()
        self._others: set[Stream[Any]] = set()
        """Streams of something else than boards, which take their slots here."""
        self._board: Board | None = None
        self._latest = News(b"null", clock.now_s())
        self._closed = False

    @property
    def streams(self) -> int:
        """How many viewers hold a stream, the hosts too."""
        return len(self._streams) + len(self._others)

    def publish(self, board: Board) -> None:
        """Send *board*, as it stands now, to all viewers unless they have it already."""
        now_s = self._clock.now_s()
        with self._lock:
            if self._board and _looks_same(self._board, board, now_s - self._latest.made_s):
                return
            self._board = board
            self._latest = News(msgspec.json.encode(board), now_s)
            slow = [stream for stream in self._streams if not stream.offer(self._latest)]
            self._streams.difference_update(slow)
        for stream in slow:
            stream.end()

    def latest(self) -> bytes:
        """Return what a poll gets: the latest board with its age."""
        return self._latest.body(self._clock.now_s())

    def body(self, news: News) -> bytes:
        """Return *news* as it is sent now."""
        return news.body(self._clock.now_s())

    def join(self, address: str) -> Stream[News]:
        """Return a new stream that begins with the latest board.

        :raises HubFull: if there are too many, in all or for *address*, or the
            hub is closed.
        """
        stream: Stream[News] = Stream(address)
        with self._lock:
            self._check(stream, kept=address in OWN_ADDRESSES)
            stream.offer(self._latest)
            self._streams.add(stream)
        return stream

    def admit(self, stream: Stream[Any], *, kept: bool) -> None:
        """Give *stream*, of something else than boards, a slot; with *kept* one of those kept too.

        :raises HubFull: as :meth:`join`.
        """
        with self._lock:
            self._check(stream, kept=kept)
            self._others.add(stream)

    def dismiss(self, stream: Stream[Any]) -> None:
        """Take the slot of :meth:`admit` back."""
        with self._lock:
            self._others.discard(stream)

    def _check(self, stream: Stream[Any], *, kept: bool) -> None:
        address = stream.address
        if self._closed:
            raise HubFull("the scoreboard is closing")
        if self.streams >= (STREAMS_MAX if kept else STREAMS_MAX - STREAMS_KEPT):
            raise HubFull(f"all {STREAMS_MAX} streams are taken")
        if address not in OWN_ADDRESSES and self._held_by(address) >= STREAMS_PER_ADDRESS:
            raise HubFull(f"{address} holds {STREAMS_PER_ADDRESS} streams already")

    def leave(self, stream: Stream[News]) -> None:
        """Forget *stream*; its viewer is gone."""
        with self._lock:
            self._streams.discard(stream)

    def close(self) -> None:
        """End all streams and take no more."""
        with self._lock:
            self._closed = True
            streams, self._streams, self._others = (*self._streams, *self._others), set(), set()
        for stream in streams:
            stream.end()

    def _held_by(self, address: str) -> int:
        return sum(stream.address == address for stream in (*self._streams, *self._others))


def _looks_same(old: Board, new: Board, passed_s: float) -> bool:
    """Return whether a viewer of *old*, made *passed_s* ago, sees *new* already."""
    if msgspec.structs.replace(old, clocks=()) != msgspec.structs.replace(new, clocks=()):
        return False
    return clocks_look_same(old.clocks, new.clocks, passed_s)


def clocks_look_same(
    old: tuple[BoardClock, ...], new: tuple[BoardClock, ...], passed_s: float
) -> bool:
    """Return whether a viewer of *old* clocks, as they stood *passed_s* ago, sees *new* already."""
    return len(old) == len(new) and all(
        _clock_shows(before, after, passed_s) for before, after in zip(old, new, strict=True)
    )


def _clock_shows(before: BoardClock, after: BoardClock, passed_s: float) -> bool:
    left_s = max(0.0, before.left_s - passed_s) if before.runs else before.left_s
    return (
        msgspec.structs.replace(before, left_s=after.left_s) == after
        and abs(left_s - after.left_s) <= CLOCK_TOLERANCE_S
    )

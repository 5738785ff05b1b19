"""What a link to the table's broker promises, whoever keeps the promise.

:class:`~firmware.broker.Broker` keeps it over the network,
:class:`~firmware.fakes.FakeLink` in memory; one suite of tests holds both to it:

* :class:`Linked` reaches *put* once the broker has taken the subscriptions, and
  before anything received on that connection: nothing published from then on is missed.
* What is published while the link is down is dropped: ``publish`` returns False.
  What was on its way when the link went down may be lost and is never sent
  again later. The seat resends what it keeps; the table publishes all retained
  topics anew on every :class:`Linked`. So nothing old overtakes something new.
* On one connection messages of one sender arrive in order; QoS 1 may repeat one.
* A link that goes down comes back by itself and subscribes again.
* An exception in *put* ends nothing: it is logged and counted.
"""

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple, Protocol, Self

import msgspec

from firmware.errors import WireError
from firmware.wire import Ping, TopicKind, decode, encode

BEAT_S: Final = 1.0
"""How often a program calls :meth:`Link.beat`."""

ALIVE_S: Final = 10.0
"""Age of an unanswered beat at which a link that claims to be up is dead."""


class Received(msgspec.Struct, frozen=True):
    """A message, stamped on the network thread with the program's clock."""

    topic: str
    payload: bytes
    at_s: float
    retained: bool = False
    """The broker kept it from before we subscribed; it may be long past."""


class Linked(msgspec.Struct, frozen=True):
    """The broker took us and our subscriptions."""

    at_s: float


class Unlinked(msgspec.Struct, frozen=True):
    """The link went down, or could not be made; told once for each reason in a row."""

    at_s: float
    reason: str


Put = Callable[[Received | Linked | Unlinked], object]
"""Takes what the link tells; called on the network thread, so it only enqueues."""


class Retained(NamedTuple):
    """A message to be retained: the will, or the farewell of a clean exit."""

    topic: str
    payload: bytes


class LinkSettings(msgspec.Struct, frozen=True):
    """Where the broker is and who we are there. Its ``repr`` leaves the password out."""

    host: str
    port: int
    user: str
    password: str
    ca: Path | None = None
    """Certificate of the authority that signed the broker's; None: no TLS."""

    def __repr__(self) -> str:
        tls = f"TLS by {self.ca}" if self.ca else "plain"
        return f"LinkSettings({self.user} at {self.host}:{self.port}, {tls})"


class Link(Protocol):
    """A connection of one user, kept up until it is left. A context manager."""

    drops: int
    """Messages that ``publish`` refused while up, because too many were on their way."""
    failures: int
    """Exceptions that *put* raised."""

    def __enter__(self) -> Self:
        """Begin to connect; does not wait for it."""
        ...

    def __exit__(self, *exc: object) -> None:
        """Publish the farewell, disconnect cleanly (so no will), in bounded time."""
        ...

    @property
    def linked(self) -> bool:
        """Return whether the link is up, as far as it knows."""
        ...

    @property
    def last_alive_s(self) -> float | None:
        """Return when the last own ping came back or the link was made; None: never."""
        ...

    @property
    def unanswered(self) -> int:
        """Return how many beats in a row have not come back; 0 on a new connection."""
        ...

    @property
    def round_trip_s(self) -> float | None:
        """Return how long the last own ping took that came back; None: none has."""
        ...

    def publish(self, topic: str, payload: bytes, qos: int = 1, retain: bool = False) -> bool:
        """Send a message, from any thread and without waiting.

        Returns False, and drops it, while the link is down or too full.
        """
        ...

    def beat(self) -> None:
        """Send a ping to ourselves; call it every :data:`BEAT_S`."""
        ...

    def healthy(self, now_s: float) -> bool:
        """Return False if the link claims to be up but a beat is not answered."""
        ...

    def reset(self) -> None:
        """Give the present connection up and make a new one, as after a loss."""
        ...

    def leave(self) -> None:
        """Disconnect without farewell or will, and stay away until :meth:`rejoin`.

        For the device that finds its identity taken: what the other one has
        retained under it must stand.
        """
        ...

    def rejoin(self) -> None:
        """Connect again after :meth:`leave`."""
        ...


class Pulse:
    """The link's own proof of life: pings that a user sends to itself."""

    def __init__(self, topic: str) -> None:
        self.topic = topic
        self.last_alive_s: float | None = None
        self.unanswered = 0
        """Beats since the last that came back."""
        self.round_trip_s: float | None = None
        """How long the last ping took that came back before the next was sent."""
        self._n = 0
        self._sent_s = 0.0
        self._asked_s: float | None = None
        """When the oldest beat without an answer was sent."""

    def begin(self, at_s: float) -> None:
        """Count from a new connection."""
        self.last_alive_s = at_s
        self.unanswered = 0
        self.round_trip_s = self._asked_s = None

    def beat(self, at_s: float) -> bytes:
        """Return the next ping's payload."""
        self._n += 1
        self._sent_s = at_s
        self.unanswered += 1
        if self._asked_s is None:
            self._asked_s = at_s
        return encode(Ping(self._n))

    def heard(self, payload: bytes, at_s: float) -> None:
        """Take a ping that came back; what is none of ours proves nothing."""
        with contextlib.suppress(WireError):
            ping = decode(TopicKind.PING, payload)
            if isinstance(ping, Ping) and ping.n == self._n:
                self.round_trip_s = at_s - self._sent_s
            self.last_alive_s = at_s
            self.unanswered = 0
            self._asked_s = None

    def fresh(self, now_s: float) -> bool:
        """Return whether no beat has been waiting for :data:`ALIVE_S`."""
        asked_s = self._asked_s
        return asked_s is None or now_s - asked_s < ALIVE_S

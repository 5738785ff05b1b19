"""Doubles of the world: a clock that is moved and a broker in memory.

They ship with the kit and model the thing, not the calls. :class:`FakeBroker`
holds the contract of :mod:`firmware.link`; its verbs are the world's: lose,
restore, stop, start, hang, repeat.
"""

import datetime
import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, Self

from firmware.clock import Clock
from firmware.link import Linked, Pulse, Put, Received, Retained, Unlinked
from firmware.wire import TopicKind, Topics

EVENING: Final = datetime.datetime(2026, 11, 27, 19, 0, tzinfo=datetime.UTC)
"""Time of day at which a :class:`FakeClock` starts."""

log = logging.getLogger(__name__)


class FakeClock:
    """A clock that stands until it is moved."""

    def __init__(self, start_s: float = 1000.0) -> None:
        self._start_s = start_s
        self._now_s = start_s
        self._stepped = datetime.timedelta()
        self._starts = 0

    def now_s(self) -> float:
        """Return the monotonic seconds it was moved to."""
        return self._now_s

    def wall(self) -> datetime.datetime:
        """Return :data:`EVENING` and as much later as it was moved and stepped."""
        passed = datetime.timedelta(seconds=self._now_s - self._start_s)
        return EVENING + passed + self._stepped

    def advance(self, by_s: float) -> None:
        """Let *by_s* seconds pass.

        :raises ValueError: if they are negative.
        """
        if by_s < 0:
            raise ValueError(f"a clock does not go back: {by_s} s")
        self._now_s += by_s

    def origin(self) -> str:
        """Return a name that is another after each :meth:`restart`."""
        return f"fake-{self._starts}"

    def restart(self) -> None:
        """Be the clock of a machine that has started anew; for the test's own sake it counts on."""
        self._starts += 1

    def step_wall(self, by_s: float) -> None:
        """Set the time of day by *by_s* seconds, back too, as a late NTP does."""
        self._stepped += datetime.timedelta(seconds=by_s)


def matches(pattern: str, topic: str) -> bool:
    """Return whether the subscription *pattern* covers *topic*. Source: MQTT 5.0, 4.7."""
    if topic.startswith("$") and pattern[:1] in ("+", "#"):
        return False
    wanted, have = pattern.split("/"), topic.split("/")
    for index, level in enumerate(wanted):
        if level == "#":
            return True
        if index >= len(have) or level not in ("+", have[index]):
            return False
    return len(wanted) == len(have)


def nodes_and_table(topics: Topics) -> Callable[[str, str, str], bool]:
    """Return the kit's rights as ``allowed(user, "read" or "write", topic)``.

    Source: DESIGN 5, as in ``firmware/image/mosquitto.acl``.
    """

    def allowed(user: str, verb: str, topic: str) -> bool:
        root = topics.root
        if user == "table":
            rights = {"read": ("up/#",), "write": ("down/#", "public/#")}[verb]
        else:
            says = tuple(f"up/{user}/{kind}" for kind in ("status", "said", "health"))
            rights = {"read": (f"down/{user}/#",), "write": says}[verb]
        if verb == "read":
            rights = (*rights, "public/#")
        return any(matches(f"{root}/{right}", topic) for right in (*rights, f"ping/{user}"))

    return allowed


class FakeBroker:
    """A broker in memory. Delivers on the thread that publishes, in order.

    *allowed* are the rights; None: everybody may do everything.
    """

    def __init__(
        self, clock: Clock, allowed: Callable[[str, str, str], bool] | None = None
    ) -> None:
        self.retained: dict[str, bytes] = {}
        self.clock = clock
        self._allowed = allowed or (lambda user, verb, topic: True)
        self._links: list[FakeLink] = []
        """Every link that was entered and not left."""
        self._runs = True
        self._lock = threading.RLock()
        self._due: deque[Callable[[], None]] = deque()
        self._delivering = False

    def link(
        self,
        user: str,
        topics: Topics,
        put: Put,
        *,
        subscriptions: Sequence[str] = (),
        will: Retained | None = None,
        farewell: Retained | None = None,
    ) -> "FakeLink":
        """Return a link of *user*; entering it connects at once."""
        return FakeLink(self, user, topics, put, subscriptions, will, farewell)

    # ---- what the world does ----

    def lose(self, user: str) -> None:
        """Cut *user* off; the broker publishes the will. It stays cut off until restored."""
        with self._lock:
            for link in self._of(user):
                link.cut_off = True
                self._drop(link, "connection lost", will=True)
        self._deliver()

    def restore(self, user: str) -> None:
        """Let *user* connect again, which it does at once."""
        with self._lock:
            for link in self._of(user):
                link.cut_off = False
                self._connect(link)
        self._deliver()

    def stop(self) -> None:
        """Kill the broker: every link goes down and what it retained is gone."""
        with self._lock:
            self._runs = False
            self.retained.clear()
            for link in list(self._links):
                self._drop(link, "connection lost", will=False)
        self._deliver()

    def start(self) -> None:
        """Start it again; every link that is not cut off or away comes back."""
        with self._lock:
            self._runs = True
            for link in list(self._links):
                self._connect(link)
        self._deliver()

    def hang(self, user: str) -> None:
        """Let the link of *user* claim to be up while nothing passes, until it is reset."""
        for link in self._of(user):
            link.hung = True

    def repeat(self, user: str, times: int = 1) -> None:
        """Deliver the next QoS 1 messages to *user* twice, as after a lost acknowledgement."""
        for link in self._of(user):
            link.repeats += times

    # ---- what links do ----

    def enter(self, link: "FakeLink") -> None:
        """Take *link* up, putting out another one of the same user."""
        with self._lock:
            if link not in self._links:
                self._links.append(link)
            self._connect(link)
        self._deliver()

    def part(self, link: "FakeLink", reason: str, *, will: bool, for_ever: bool) -> None:
        """Let *link* go, with or without its will."""
        with self._lock:
            self._drop(link, reason, will=will)
            if for_ever and link in self._links:
                self._links.remove(link)
            for other in self._of(link.user):
                if other is not link:
                    self._connect(other)
        self._deliver()

    def take(self, link: "FakeLink", topic: str, payload: bytes, qos: int, retain: bool) -> bool:
        """Take a message that *link* publishes; False if it is not up."""
        with self._lock:
            if not link.linked:
                return False
            if not link.hung:
                self._publish(link.user, topic, payload, qos, retain)
        self._deliver()
        return True

    # ---- inside; the lock is held ----

    def _of(self, user: str) -> "list[FakeLink]":
        return [link for link in self._links if link.user == user]

    def _connect(self, link: "FakeLink") -> None:
        if not self._runs or link.cut_off or link.away or link.linked:
            return
        for other in self._of(link.user):
            self._drop(other, "Session taken over", will=True)
        link.linked, link.hung = True, False
        self._due.append(lambda: link.came_up(self.clock.now_s()))
        for pattern in link.subscriptions:
            for topic, payload in self.retained.items():
                self._send(link, pattern, topic, payload, 1, retained=True)

    def _drop(self, link: "FakeLink", reason: str, *, will: bool) -> None:
        if not link.linked:
            return
        link.linked = False
        self._due.append(lambda: link.went_down(self.clock.now_s(), reason))
        if will and link.will is not None:
            self._publish(link.user, link.will.topic, link.will.payload, 1, retain=True)

    def _publish(self, user: str, topic: str, payload: bytes, qos: int, retain: bool) -> None:
        if not self._allowed(user, "write", topic):
            return
        if retain and payload:
            self.retained[topic] = payload
        elif retain:
            self.retained.pop(topic, None)
        for link in self._links:
            if link.linked and not link.hung:
                for pattern in link.subscriptions:
                    self._send(link, pattern, topic, payload, qos)

    def _send(
        self,
        link: "FakeLink",
        pattern: str,
        topic: str,
        payload: bytes,
        qos: int,
        *,
        retained: bool = False,
    ) -> None:
        if not matches(pattern, topic) or not self._allowed(link.user, "read", topic):
            return
        times = 1
        if qos and link.repeats:
            link.repeats -= 1
            times = 2
        for _ in range(times):
            self._due.append(
                lambda: link.received(Received(topic, payload, self.clock.now_s(), retained))
            )

    def _deliver(self) -> None:
        """Hand out what is due, in order, also when a receiver publishes meanwhile."""
        with self._lock:
            if self._delivering:
                return
            self._delivering = True
            try:
                while self._due:
                    self._due.popleft()()
            finally:
                self._delivering = False


class FakeLink:
    """A link of :class:`FakeBroker`, as :class:`firmware.link.Link` promises."""

    def __init__(
        self,
        broker: FakeBroker,
        user: str,
        topics: Topics,
        put: Put,
        subscriptions: Sequence[str],
        will: Retained | None,
        farewell: Retained | None,
    ) -> None:
        self.user = user
        self.drops = 0
        self.failures = 0
        self.will = will
        self.linked = False
        self.cut_off = False
        self.hung = False
        self.away = False
        self.repeats = 0
        self.pulse = Pulse(topics.of(TopicKind.PING, user))
        self.subscriptions = (*subscriptions, self.pulse.topic)
        self._broker = broker
        self._receive = put
        self._farewell = farewell

    def __enter__(self) -> Self:
        self._broker.enter(self)
        return self

    def __exit__(self, *exc: object) -> None:
        if self._farewell is not None:
            self.publish(self._farewell.topic, self._farewell.payload, retain=True)
        self._broker.part(self, "left", will=False, for_ever=True)

    @property
    def last_alive_s(self) -> float | None:
        """Return when the last own ping came back or the link was made; None: never."""
        return self.pulse.last_alive_s

    @property
    def unanswered(self) -> int:
        """Return how many beats in a row have not come back; 0 on a new connection."""
        return self.pulse.unanswered

    @property
    def round_trip_s(self) -> float | None:
        """Return how long the last own ping took that came back; None: none has."""
        return self.pulse.round_trip_s

    def publish(self, topic: str, payload: bytes, qos: int = 1, retain: bool = False) -> bool:
        """Send a message; False, and dropped, while the link is down."""
        return self._broker.take(self, topic, payload, qos, retain)

    def beat(self) -> None:
        """Send a ping to ourselves."""
        if self.linked:
            payload = self.pulse.beat(self._broker.clock.now_s())
            self.publish(self.pulse.topic, payload, qos=0)

    def healthy(self, now_s: float) -> bool:
        """Return False if the link claims to be up but a beat is not answered."""
        return not self.linked or self.pulse.fresh(now_s)

    def reset(self) -> None:
        """Give the present connection up and make a new one at once."""
        self._broker.part(self, "reset", will=False, for_ever=False)
        self._broker.enter(self)

    def leave(self) -> None:
        """Disconnect without farewell or will, and stay away until :meth:`rejoin`."""
        self.away = True
        self._broker.part(self, "left", will=False, for_ever=False)

    def rejoin(self) -> None:
        """Connect again after :meth:`leave`."""
        self.away = False
        self._broker.enter(self)

    # ---- what the broker tells ----

    def came_up(self, at_s: float) -> None:
        """Take the news that the link is up."""
        self.pulse.begin(at_s)
        self._put(Linked(at_s))

    def went_down(self, at_s: float, reason: str) -> None:
        """Take the news that the link is down."""
        self._put(Unlinked(at_s, reason))

    def received(self, item: Received) -> None:
        """Take a message."""
        if item.topic == self.pulse.topic:
            self.pulse.heard(item.payload, item.at_s)
        else:
            self._put(item)

    def _put(self, item: Received | Linked | Unlinked) -> None:
        try:
            self._receive(item)
        except Exception:
            self.failures += 1
            log.exception("the inbox did not take %s", type(item).__name__)

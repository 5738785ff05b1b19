"""Watcher (c): somebody on the Wi-Fi who sees sizes, order and times of the TLS records alone.

A relay of each seat's own, between its program and the broker. The bytes pass as they
are; of each record its header is read, which TLS does not hide.
"""

import contextlib
import socket
import statistics
import threading

from firmware.clock import SystemClock
from firmware.wire import CUE_SIZE, NIGHT_ANSWER_SIZE, Health, Ping, TopicKind, Topics, encode

UP, DOWN = "up", "down"
HEADER = 5
"""Bytes of a record's header. Source: RFC 8446, 5.1."""

SEAL = 17
"""Bytes that TLS 1.3 adds to what it carries: a type and a tag. Source: RFC 8446, 5.2."""

ACK, BEAT_OF_PAHO = 4 + SEAL, 2 + SEAL
"""An acknowledgement and an empty ping of MQTT 5."""

SAID_MAX = 400
"""What is said by day is shorter; the answers by night are longer, and all of one size."""

MOMENT_S = 0.015
"""What one seat may be later than the others, in the median of a game: jitter. A leak in
time that anybody could see in one game is longer."""

BY_CLOCK = ("beat", "health")
"""Each second and every ten seconds, whatever is played: a longer game has more of them."""

CLOCK = SystemClock()


def record(topic, payload_size, qos):
    """Return the size of the record with an MQTT 5 message on *topic*."""
    rest = 2 + len(topic) + (2 if qos else 0) + 1 + payload_size
    return 1 + (1 if rest < 128 else 2) + rest + SEAL


class Relay:
    """Between one seat's program and the broker's port *target*."""

    def __init__(self, user, topics, target):
        self.seen = []
        """(moment, direction, size of the record), in the order of their coming."""
        self.connections = 0
        self._target = target
        self._sizes = Sizes(user, topics)
        self._ends = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def named(self):
        """Return (moment, direction, what it looks like) of each record since the last clearing."""
        return [(at_s, way, self._sizes.name(way, size)) for at_s, way, size in list(self.seen)]

    def close(self):
        for end in (self._listener, *self._ends):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self):
        while True:
            try:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                return
            self.connections += 1
            self._ends += [near, far]
            for way, source, sink in ((UP, near, far), (DOWN, far, near)):
                sink.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=self._pump, args=(way, source, sink), daemon=True).start()

    def _pump(self, way, source, sink):
        unread = b""
        with contextlib.suppress(OSError):
            while chunk := source.recv(65536):
                # Before it goes on: what answers it comes after it.
                unread = self._read(way, unread + chunk, CLOCK.now_s())
                sink.sendall(chunk)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _read(self, way, text, at_s):
        """Note the records that *text* holds whole; return what is left of it."""
        while len(text) >= HEADER:
            size = int.from_bytes(text[3:HEADER])
            if len(text) < HEADER + size:
                break
            self.seen.append((at_s, way, size))
            text = text[HEADER + size :]
        return text


class About(int):
    """A size of what is said by day: the times in it have a digit more or less."""

    DIGITS = 12

    def __eq__(self, other):
        return isinstance(other, About) and abs(int(self) - int(other)) <= self.DIGITS

    def __ne__(self, other):
        return not self == other

    __hash__ = None


class Sizes:
    """What a record of *user* looks like by its size, as everybody can reckon who has the kit."""

    def __init__(self, user, topics):
        of = topics.of

        def sizes(kind, *messages):
            return range(
                record(of(kind, user), len(encode(messages[0])), 0),
                record(of(kind, user), len(encode(messages[1])), 0) + 1,
            )

        self._fixed = {
            record(of(TopicKind.CUE, user), CUE_SIZE, 1): "cue",
            record(of(TopicKind.SAID, user), NIGHT_ANSWER_SIZE, 1): "answer",
            ACK: "ack",
            BEAT_OF_PAHO: "beat",
        }
        self._beats = sizes(TopicKind.PING, Ping(1), Ping(99999))
        self._healths = sizes(
            TopicKind.HEALTH,
            Health("x" * 8, 0.0),
            Health("x" * 8, 9999.9, memory_mb=9999.9, link_ms=999.9),
        )

    def name(self, way, size):
        """Return a word for what is always the same or brought by the clock, else the size."""
        if size in self._fixed:
            return self._fixed[size]
        if size in self._beats:
            return "beat"
        if way == UP and size in self._healths:
            return "health"
        return About(size) if way == UP and size < SAID_MAX else size


class RelayWatcher:
    """All relays of a house: sizes and order a connection and direction, and times by night."""

    def __init__(self):
        self.relays = {}

    def port(self, user, table, target):
        """Return where *user* has to call instead of at *target*."""
        self.relays[user] = Relay(user, Topics(table), target)
        return self.relays[user].port

    def begin(self):
        """Forget what came so far: certificates and signatures have random sizes."""
        for relay in self.relays.values():
            relay.seen.clear()

    def recording(self):
        """Return what was seen, by seat and direction, without what the clock alone brings."""
        told = {f"{user} calls": [relay.connections] for user, relay in self.relays.items()}
        for user, relay in self.relays.items():
            seen = [each for each in relay.named() if each[2] not in BY_CLOCK]
            for way in (UP, DOWN):
                told[f"{user} {way}"] = once([name for _, its, name in seen if its == way])
            told[f"{user} by night"] = list(nights_of(seen))
        return told

    def moments(self):
        """Return {what of which seat: seconds} of the nights: how much later than at the others.

        What a busy machine does to all seats at once is no seat's own.
        """
        calls = {user: calls_of(relay.named()) for user, relay in self.relays.items()}
        # What is more at one seat is no time; its own recording tells it.
        count = min(map(len, calls.values()))
        found = {}
        for place, what in enumerate(("cue", "ack", "answer")):
            later = {user: [] for user in calls}
            for n in range(count):
                usual_s = statistics.median(each[n][place] for each in calls.values())
                for user, each in calls.items():
                    later[user].append(each[n][place] - usual_s)
            found |= {f"{user} {what}": statistics.median(each) for user, each in later.items()}
        return found

    def close(self):
        for relay in self.relays.values():
            relay.close()


def once(names):
    """Return *names* without acknowledgements, and what is said by day once in a row.

    A question that stands in two cues is answered once or twice by day: whether they come within
    50 ms is chance. So are the acknowledgements. By night all count, see :func:`nights_of`.
    """
    told = []
    for name in names:
        again = isinstance(name, About) and told and told[-1] == name
        if name != "ack" and not again:
            told.append(name)
    return told


def nights_of(seen):
    """Yield what passed from each cue to the next, a direction each, when it was answered.

    Sorted: a seat's two threads race with the ack and the answer on a machine that is busy.
    """
    passed = {UP: [], DOWN: []}
    for _, way, name in [*seen, (0.0, DOWN, "cue")]:
        if (way, name) == (DOWN, "cue"):
            if "answer" in passed[UP]:
                yield tuple(sorted(passed[UP], key=str)), tuple(sorted(passed[DOWN], key=str))
            passed = {UP: [], DOWN: []}
        passed[way].append(name)


def calls_of(seen):
    """Return of each answer by night: when its cue came, how long until its ack and the answer."""
    found, cue_s, ack_s = [], 0.0, 0.0
    for at_s, way, name in seen:
        if (way, name) == (DOWN, "cue"):
            cue_s, ack_s = at_s, 0.0
        elif (way, name) == (UP, "ack"):
            ack_s = ack_s or at_s - cue_s
        elif (way, name) == (UP, "answer"):
            found.append((cue_s, ack_s, at_s - cue_s))
    return found


def late(one, other):
    """Return which moments of two games differ by more than jitter."""
    return {
        what: (at_s, other[what])
        for what, at_s in one.items()
        if abs(at_s - other[what]) > MOMENT_S
    }

"""Watcher (a): everything that the password of a node lets one receive.

A spare node of its own comes in by TLS as a device does; another client has the
password of a seat whose own role is the same in both games, and hears its raw cues.
"""

import importlib.metadata
import itertools
import secrets
from functools import partial

from firmware.link import LinkSettings
from firmware.wire import Health, Status, TopicKind, Topics, encode
from tests.e2e.watchers.plain import Messages
from tests.firmware.guests import VERSIONS, Guest

SPARE = "node-11"
BESIDE = "node-10"
"""Sits at seat 10: a citizen in every game here."""

KIT = importlib.metadata.version("mafia-table-kit")
"""Another one is not let play."""

LAST = b'{"n":0}'


class NodeWatcher:
    """Records what a spare node, and somebody beside seat 10, are sent."""

    def __init__(self, house):
        settings, topics = house.broker.settings, Topics(house.broker._table)
        beside = settings(BESIDE)
        # Not by TLS, where the client id is the user: there it would put the seat out.
        near = LinkSettings(beside.host, house.broker.port, BESIDE, beside.password)
        self._boot, self._topics = secrets.token_hex(4), topics
        self._spare = Guest(VERSIONS["MQTT 5"], settings(SPARE))
        self._ears = {SPARE: self._spare, BESIDE: Guest(VERSIONS["MQTT 5"], near, client_id="ear")}
        for ear in self._ears.values():
            # The rights are looked at for each message; other filters hear the same once more.
            ear.listen("#", "$SYS/#")
        self._up = partial(topics.of, user=SPARE)
        status = Status(online=True, boot=self._boot, version=KIT, parts=("screen",))
        self._spare.say_and_wait(self._up(TopicKind.STATUS), encode(status), retain=True)
        self._counter = itertools.count(1)

    def look(self):
        """Let the table hear of the spare, which would be taken for lost after 30 s."""
        health = Health(boot=self._boot, up_s=float(next(self._counter)))
        self._spare.say(self._up(TopicKind.HEALTH), encode(health), qos=0)

    def recording(self):
        """Return what has come, by client, from when everybody was there; it ends with this."""
        told = {}
        for user, ear in self._ears.items():
            messages = Messages()
            ear.say(self._topics.of(TopicKind.PING, user), LAST)
            heard = ear.until(LAST)
            told[user] = [
                (topic, plain)
                for topic, payload in heard
                if (plain := messages.plain(topic, payload))
            ]
        return told

    def close(self):
        for ear in self._ears.values():
            ear.leave()

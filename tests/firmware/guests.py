"""People with an MQTT client of their own, in a room with a real broker that has the kit's rights.

A denied subscription is accepted and a denied message may be acknowledged, so what counts is
what arrives. ``until`` a last message that may arrive, sent on the same ways, everything has.
"""

import itertools
import queue
import ssl

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from firmware import tls
from firmware.broker import _no_delay
from firmware.link import LinkSettings
from firmware.mosquitto import Mosquitto
from firmware.wire import NODES, TABLE, Topics

VERSIONS = {"MQTT 5": MQTTProtocolVersion.MQTTv5, "MQTT 3.1.1": MQTTProtocolVersion.MQTTv311}
PATIENCE_S = 15.0
OBSERVER = "observer"
"""Reads everything there is; the only right that the kit's own rights do not give."""


class Guest:
    """A client of *version* that came in as *settings* say, unless it was *refused*."""

    def __init__(self, version, settings, *, client_id=None, will=None, clean=True):
        self.refused = self.session_present = None
        self.name = settings.user
        self._version = version
        self._heard, self._told = queue.SimpleQueue(), queue.SimpleQueue()
        self._ended = queue.SimpleQueue()
        is_5 = version is MQTTProtocolVersion.MQTTv5
        self.client = client = mqtt.Client(
            CallbackAPIVersion.VERSION2,
            client_id=settings.user if client_id is None else client_id,
            clean_session=None if is_5 else clean,
            protocol=version,
            reconnect_on_failure=False,
        )
        if settings.user is not None:
            client.username_pw_set(settings.user, settings.password)
        if settings.ca is not None:
            client.tls_set_context(tls.context(settings.ca))
        if will is not None:
            client.will_set(*will, qos=1, retain=True)
        client.on_socket_open = _no_delay
        client.on_connect = lambda _c, _u, flags, reason, _p: self._told.put((flags, reason))
        client.on_subscribe = lambda *_: self._told.put(None)
        client.on_message = lambda _c, _u, message: self._heard.put(message)
        client.on_disconnect = lambda *_: self._ended.put(None)
        client.connect(settings.host, settings.port, **({"clean_start": clean} if is_5 else {}))
        client.loop_start()
        flags, reason = self._told.get(timeout=PATIENCE_S)
        self.session_present = flags.session_present
        if reason.is_failure:
            self.refused = str(reason)

    def listen(self, *filters):
        """Subscribe; whatever the broker answers, it has answered."""
        if self._version is MQTTProtocolVersion.MQTTv5:
            wanted = [(each, SubscribeOptions(qos=1)) for each in filters]
        else:
            wanted = [(each, 1) for each in filters]
        self.client.subscribe(wanted)
        self._told.get(timeout=PATIENCE_S)
        return self

    def say(self, topic, payload, qos=1, retain=False, properties: Properties | None = None):
        """Publish, and wait for nothing."""
        return self.client.publish(topic, payload, qos, retain, properties)

    def say_and_wait(self, topic, payload, retain=False):
        """Publish, and wait until the broker has it."""
        self.say(topic, payload, retain=retain).wait_for_publish(PATIENCE_S)

    def until(self, payload):
        """Return topic and payload of all that came before *payload*."""
        before = []
        while (message := self._heard.get(timeout=PATIENCE_S)).payload != payload:
            before.append((message.topic, message.payload))
        return before

    @property
    def thrown_out(self):
        """Whether its connection has ended."""
        return not self._ended.empty()

    def until_thrown_out(self):
        """Wait for the end of its connection."""
        self._ended.get(timeout=PATIENCE_S)

    def vanish(self):
        """Break the connection without a word."""
        self.client.socket().shutdown(2)
        self.until_thrown_out()
        self.client.loop_stop()

    def leave(self):
        """Go as one should."""
        self.client.disconnect()
        self.client.loop_stop()


class Room:
    """The table, node-01 and an observer of everything, at a broker; guests come and go."""

    def __init__(self, broker: Mosquitto, version):
        self.broker, self.version = broker, version
        self.root = Topics("test").root
        self.said, self.cue = f"{self.root}/up/node-02/said", f"{self.root}/down/node-02/cue"
        self._fences = (f"fence {n}".encode() for n in itertools.count())
        self.guests = []
        self.observer = self.guest(OBSERVER, own=True).listen("#", "$SYS/#")
        self.table = self.guest(TABLE, client_id="a voice of the table")
        self.victim = self.guest("node-01").listen(f"{self.root}/down/node-01/#")

    def settings(self, user, *, own=False):
        """How *user* comes in; *own*: on the table's machine."""
        settings = self.broker.settings(user)
        if own:
            return LinkSettings(settings.host, self.broker.port, user, settings.password)
        return settings

    def guest(self, user="node-02", *, own=False, **options):
        """Somebody with the password of *user*."""
        self.guests.append(Guest(self.version, self.settings(user, own=own), **options))
        return self.guests[-1]

    def arrived_from(self, intruder):
        """What of *intruder*, and whoever else spoke, has arrived anywhere at all."""
        fence = next(self._fences)
        # As good as the best of what it sent: a message of QoS 2 takes two ways there.
        intruder.say(f"{self.root}/up/{intruder.name}/said", fence, qos=2)
        return self.observer.until(fence)

    def arrived_at(self, intruder):
        """What has arrived at *intruder*."""
        fence = next(self._fences)
        self.table.say(f"{self.root}/down/{intruder.name}/cue", fence)
        return intruder.until(fence)

    def overheard(self):
        """What has passed through the broker."""
        fence = next(self._fences)
        self.table.say(f"{self.root}/public/event", fence)
        return self.observer.until(fence)

    def close(self):
        """Send everybody home."""
        for guest in self.guests:
            guest.leave()


def open_broker(folder):
    """Return a broker with the kit's rights and one more user, who reads everything."""
    passwords = {user: f"password of {user}" for user in (TABLE, *NODES, OBSERVER)}
    broker = Mosquitto(folder, "test", passwords).__enter__()
    broker.stop()
    with (folder / "mosquitto.acl").open("a") as rights:
        rights.write(f"\nuser {OBSERVER}\ntopic read #\ntopic read $SYS/#\n")
    broker.start()
    return broker


def trusting(settings, version=None):
    """A TLS context that speaks *version* of TLS only, and would speak a broken one too."""
    context = ssl.create_default_context(cafile=settings.ca)
    if version is not None:
        context.set_ciphers("DEFAULT:@SECLEVEL=0")
        context.minimum_version = context.maximum_version = version
    return context

"""The link to the table's MQTT broker; the only file that imports paho.

The promise is in :mod:`firmware.link`. Each connection is a paho client of its
own, thrown away when it ends: a client that reconnects by itself sends what was
unacknowledged *after* what ``on_connect`` published, so an old view or status
would be retained over the new one.

Source: paho-mqtt 2.x ``Client``; MQTT 5.0, 3.1.2 (will, clean start).
"""

import contextlib
import logging
import socket
import threading
from collections.abc import Sequence
from typing import Final, Self

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from firmware import tls
from firmware.clock import Clock
from firmware.link import Linked, LinkSettings, Pulse, Put, Received, Retained, Unlinked
from firmware.network import Network
from firmware.wire import TopicKind, Topics

__all__ = ["Broker", "LinkSettings", "Linked", "Received", "Retained", "Unlinked"]

KEEPALIVE_S: Final = 5
"""After this silence paho pings the broker, after twice this it gives the link up."""

QUEUE_MAX: Final = 200
"""QoS 1 messages on their way at once; more are dropped and counted."""

RETRY_S: Final = (1.0, 2.0)
"""Wait before the first and before each later new attempt. Source: DESIGN 5."""

CONNECT_S: Final = 5.0
"""Patience with one attempt to open the socket."""

FAREWELL_S: Final = 1.0
"""Patience with each of: the farewell's acknowledgement, the disconnect, the thread's end."""

LEFT: Final = "left"
"""Reason of an end that we wanted."""

log = logging.getLogger(__name__)


class Broker:
    """A link over the network, as :class:`firmware.link.Link` promises.

    *put* gets everything received but our own pings. *will* is what the broker
    retains for us if we vanish, *farewell* what we retain on a clean exit.

    :raises LinkError: if the certificate of the authority cannot be read.
    """

    def __init__(
        self,
        settings: LinkSettings,
        topics: Topics,
        clock: Clock,
        put: Put,
        *,
        subscriptions: Sequence[str] = (),
        will: Retained | None = None,
        farewell: Retained | None = None,
    ) -> None:
        self.settings = settings
        self.drops = 0
        self.failures = 0
        self.will = will
        self.tls = tls.context(settings.ca) if settings.ca else None
        self.pulse = Pulse(topics.of(TopicKind.PING, settings.user))
        self.subscriptions = (*subscriptions, self.pulse.topic)
        self._clock = clock
        self._receive = put
        self._farewell = farewell
        self._lock = threading.Lock()
        self._session: _Session | None = None
        self._told: str | None = None
        """Reason of the last Unlinked, None while linked."""
        self._away = False
        self._closing = False
        self._wake = threading.Event()
        self._thread = threading.Thread(
            target=self._live, name=f"link of {settings.user}", daemon=True
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._closing = True
        session = self._session
        if session is not None and session.linked and self._farewell is not None:
            session.say_farewell(self._farewell)
        self._end(session)
        self._thread.join(FAREWELL_S)

    @property
    def linked(self) -> bool:
        """Return whether the link is up, as far as it knows."""
        session = self._session
        return session is not None and session.linked

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
        """Send a message, from any thread and without waiting; False: dropped."""
        session = self._session
        if session is None or not session.linked:
            return False
        code = session.publish(topic, payload, qos, retain)
        if code == MQTTErrorCode.MQTT_ERR_QUEUE_SIZE:
            self.drops += 1
        return code == MQTTErrorCode.MQTT_ERR_SUCCESS

    def beat(self) -> None:
        """Send a ping to ourselves."""
        if self.linked:
            self.publish(self.pulse.topic, self.pulse.beat(self._clock.now_s()), qos=0)

    def healthy(self, now_s: float) -> bool:
        """Return False if the link claims to be up but a beat is not answered."""
        return self._thread.is_alive() and (not self.linked or self.pulse.fresh(now_s))

    def reset(self) -> None:
        """Give the present connection up and make a new one."""
        session = self._session
        if session is not None:
            self.went_down(session, "reset")
            session.abandon()

    def leave(self) -> None:
        """Disconnect without farewell or will, and stay away until :meth:`rejoin`."""
        self._away = True
        self._end(self._session)

    def rejoin(self) -> None:
        """Connect again after :meth:`leave`."""
        self._away = False
        self._wake.set()

    # ---- on the threads of the link ----

    def came_up(self, session: "_Session") -> None:
        """Take the news that *session* is connected and has subscribed."""
        with self._lock:
            if session is not self._session or self._closing or self._away:
                session.over = True
                session.leave()
                return
            at_s = self._clock.now_s()
            self.pulse.begin(at_s)
            session.linked = session.was_linked = True
            self._told = None
            log.info("linked to the broker at %s:%d", self.settings.host, self.settings.port)
            self._put(Linked(at_s))

    def went_down(self, session: "_Session", reason: str) -> None:
        """Take the news that *session* is over."""
        with self._lock:
            session.linked = False
            if not session.over and (session.was_linked or reason != self._told):
                self._told = reason
                if reason != LEFT:
                    where = f"{self.settings.host}:{self.settings.port}"
                    cause = reason.removeprefix(f"{where}: ")
                    log.warning("no link to the broker at %s, trying on: %s", where, cause)
                self._put(Unlinked(self._clock.now_s(), reason))
            session.over = True

    def received(self, message: mqtt.MQTTMessage) -> None:
        """Take a message."""
        topic, payload = message.topic, bytes(message.payload)
        at_s = self._clock.now_s()
        if topic == self.pulse.topic:
            self.pulse.heard(payload, at_s)
        else:
            self._put(Received(topic, payload, at_s, message.retain))

    def _put(self, item: Received | Linked | Unlinked) -> None:
        try:
            self._receive(item)
        except Exception:
            self.failures += 1
            log.exception("the inbox did not take %s", type(item).__name__)

    def _end(self, session: "_Session | None") -> None:
        self._wake.set()
        if session is not None:
            if session.linked:
                self.went_down(session, LEFT)
            session.leave()
            session.ended.wait(FAREWELL_S)

    def _live(self) -> None:
        wait_s = RETRY_S[0]
        while not self._closing:
            if self._away:
                self._sleep(None)
                continue
            session = self._session = _Session(self)
            if session.open():
                session.ended.wait()
            if session.was_linked:
                wait_s = RETRY_S[0]
            if not self._away:
                self._sleep(wait_s)
            wait_s = RETRY_S[1]

    def _sleep(self, wait_s: float | None) -> None:
        self._wake.wait(wait_s)
        self._wake.clear()


class _Session:
    """One connection, from its opening to its end."""

    def __init__(self, broker: Broker) -> None:
        settings = broker.settings
        self.linked = False
        self.was_linked = False
        self.over = False
        """Its end was told."""
        self.ended = threading.Event()
        self._broker = broker
        self._refusal: str | None = None
        self._early: list[mqtt.MQTTMessage] | None = []
        """Retained messages come before the subscription's acknowledgement; None after it."""
        self.client = client = mqtt.Client(
            CallbackAPIVersion.VERSION2,
            client_id=settings.user,
            protocol=MQTTProtocolVersion.MQTTv5,
            reconnect_on_failure=False,
            manual_ack=True,
        )
        client.username_pw_set(settings.user, settings.password)
        client.max_queued_messages_set(QUEUE_MAX)
        client.connect_timeout = CONNECT_S
        client.suppress_exceptions = True
        if broker.tls is not None:
            client.tls_set_context(broker.tls)
        if broker.will is not None:
            client.will_set(broker.will.topic, broker.will.payload, qos=1, retain=True)
        client.on_socket_open = _no_delay
        client.on_connect = self._on_connect
        client.on_subscribe = self._on_subscribe
        client.on_disconnect = self._on_disconnect
        client.on_message = self._on_message
        self._network = Network(client, self._failed, self.ended.set)

    def open(self) -> bool:
        """Open the socket and start the network thread; False: no broker there."""
        settings = self._broker.settings
        try:
            self.client.connect(settings.host, settings.port, KEEPALIVE_S, clean_start=True)
        except OSError as error:
            self._broker.went_down(self, f"{settings.host}:{settings.port}: {error}")
            self._network.close()
            return False
        self._network.start()
        return True

    def publish(self, topic: str, payload: bytes, qos: int, retain: bool) -> MQTTErrorCode:
        """Write a message to the socket; what does not fit is written when it does."""
        with self._network.hand() as free:
            if not free:
                return MQTTErrorCode.MQTT_ERR_QUEUE_SIZE
            return self.client.publish(topic, payload, qos, retain).rc

    def leave(self) -> None:
        """Disconnect; a network thread that is stuck is not waited for."""
        with self._network.hand():
            self.client.disconnect()

    def abandon(self) -> None:
        """End it without waiting for a thread that may be stuck or dead."""
        self.leave()
        self.ended.set()

    def say_farewell(self, farewell: Retained) -> None:
        """Publish *farewell* and wait a little for the broker to have it.

        Without the acknowledgement it still precedes the disconnect in the stream.
        """
        with contextlib.suppress(RuntimeError, ValueError):
            with self._network.hand():
                sent = self.client.publish(farewell.topic, farewell.payload, qos=1, retain=True)
            sent.wait_for_publish(FAREWELL_S)

    def _failed(self) -> None:
        self._broker.went_down(self, "the network thread failed")

    def _on_connect(
        self,
        client: mqtt.Client,
        userdata: object,
        flags: mqtt.ConnectFlags,
        reason: ReasonCode,
        properties: Properties | None,
    ) -> None:
        if reason.is_failure:
            self._refusal = f"refused: {reason}"
            return
        client.subscribe([(topic, SubscribeOptions(qos=1)) for topic in self._broker.subscriptions])

    def _on_subscribe(
        self,
        client: mqtt.Client,
        userdata: object,
        mid: int,
        reasons: list[ReasonCode],
        properties: Properties | None,
    ) -> None:
        if any(reason.is_failure for reason in reasons):
            self._refusal = f"subscription refused: {', '.join(map(str, reasons))}"
            client.disconnect()
            return
        early, self._early = self._early, None
        self._broker.came_up(self)
        for message in early or ():
            self._broker.received(message)

    def _on_disconnect(
        self,
        client: mqtt.Client,
        userdata: object,
        flags: mqtt.DisconnectFlags,
        reason: ReasonCode,
        properties: Properties | None,
    ) -> None:
        lost = "connection lost" if reason == "Unspecified error" else str(reason)
        self._broker.went_down(self, self._refusal or lost)
        self.ended.set()

    def _on_message(self, client: mqtt.Client, userdata: object, message: mqtt.MQTTMessage) -> None:
        self._network.received(message.mid, message.qos)
        if self._early is not None:
            self._early.append(message)
        else:
            self._broker.received(message)


def _no_delay(client: mqtt.Client, userdata: object, sock: object) -> None:
    """Send small packets at once: a QoS 1 round trip takes 1 ms instead of 86."""
    if isinstance(sock, socket.socket):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

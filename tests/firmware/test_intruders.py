"""What ten curious people reach with a node's card, a laptop and the Wi-Fi: nothing of others."""

import contextlib
import select
import socket
import ssl
import threading

import msgspec
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from firmware.broker import Broker
from firmware.certificates import Authority
from firmware.clock import SystemClock
from firmware.image.broker_conf import CONNECTIONS_MAX, PACKET_MAX
from firmware.link import Linked, Unlinked
from firmware.mosquitto import find_mosquitto
from firmware.wire import PAYLOAD_MAX, Button, How, Press, Said, encode
from tests.firmware.guests import PATIENCE_S, VERSIONS, Guest, Room, open_broker, trusting

OF_5 = VERSIONS["MQTT 5"]


@pytest.fixture(scope="module")
def broker(tmp_path_factory):
    if find_mosquitto() is None:
        pytest.skip("mosquitto is not installed: sudo apt install mosquitto")
    broker = open_broker(tmp_path_factory.mktemp("mosquitto"))
    yield broker
    broker.stop()


@pytest.fixture(scope="module", params=VERSIONS.values(), ids=VERSIONS)
def room(broker, request):
    """A room in which some of what others must not know is retained."""
    room = Room(broker, request.param)
    for speaker, topic in (
        (room.table, "down/node-01/cue"),
        (room.table, "public/view"),
        (room.victim, "up/node-01/status"),
    ):
        speaker.say_and_wait(f"{room.root}/{topic}", b"retained", retain=True)
    room.overheard()
    yield room
    room.close()


@pytest.fixture
def intruder(room):
    """The player at node-02, who has taken the password from the card."""
    intruder = room.guest()
    yield intruder
    intruder.leave()


# ---- reading what is not one's own ----


EVERYTHING = ("#", "+/+/+/#", "mafia/#", "{root}/#")
OF_OTHERS = (
    *("{root}/down/#", "{root}/down/+/cue", "{root}/down/node-01/#", "{root}/down/node-01/cue"),
    *("+/+/+/down/+/cue", "{root}/up/#", "{root}/up/+/said", "{root}/up/node-01/said"),
    *("{root}/up/+/status", "{root}/ping/#", "{root}/ping/node-01", "$SYS/#", "$SYS/broker/#"),
    *("$share/g/#", "$share/g/{root}/up/#", "$share/g/{root}/down/node-01/cue"),
)


@pytest.mark.parametrize("pattern", [*EVERYTHING, *OF_OTHERS])
def test_what_is_for_another_never_arrives(room, intruder, pattern):
    intruder.listen(room.cue, pattern.format(root=room.root))
    secrets = {f"{room.root}/down/node-01/cue", f"{room.root}/down/node-03/cue"}
    for topic in secrets:
        room.table.say_and_wait(topic, b"your card")
    own = {f"{room.root}/{topic}" for topic in ("up/node-01/said", "up/node-01/health")}
    own |= {f"{room.root}/ping/node-01"}
    for topic in own:
        room.victim.say_and_wait(topic, b"my shot")
    public = {(f"{room.root}/public/view", b"retained")}
    reached = set(room.arrived_at(intruder))
    assert reached <= public
    assert reached == public or pattern not in EVERYTHING, "a pattern that reaches nothing"
    assert {topic for topic, _ in room.overheard()} >= secrets | own, "they did pass"


def test_a_shared_subscription_takes_nothing_away_from_the_table(room, intruder):
    inbox = room.guest("table", client_id="the table's ear").listen(f"{room.root}/up/#")
    intruder.listen(room.cue, f"$share/g/{room.root}/up/#")
    said = f"{room.root}/up/node-01/said"
    for number in range(10):
        room.victim.say_and_wait(said, f"{number}".encode())
    room.victim.say(said, b"last")
    assert [payload for _, payload in inbox.until(b"last")][-10:] == [b"%d" % n for n in range(10)]
    assert room.arrived_at(intruder) == []
    room.overheard()
    inbox.leave()


# ---- speaking where one must not ----


DENIED = (
    *("up/node-01/status", "up/node-01/said", "up/node-01/health", "up/node-03/said"),
    *("up/table/said", "up/table/status", "up/node-02/other", "up/node-02", "up/node-02/said/x"),
    *("down/node-01/cue", "down/node-02/cue", "down/table/cue", "public/view", "public/event"),
    *("ping/node-01", "ping/table", "ping/node-02/x", "club/view"),
)


@pytest.mark.parametrize("topic", DENIED)
def test_a_forged_message_never_arrives(room, intruder, topic):
    for qos, retain in ((0, False), (1, False), (1, True), (2, False)):
        intruder.say(f"{room.root}/{topic}", b"forged", qos, retain)
    assert room.arrived_from(intruder) == []


@pytest.mark.parametrize(
    "topic",
    ["mafia/v1/other/up/node-02/said", "mafia/v1/test", "up/node-02/said", "/", "$SYS/broker/x"],
)
def test_a_message_outside_the_table_never_arrives(room, intruder, topic):
    for qos, retain in ((0, False), (1, True)):
        intruder.say(topic, b"forged", qos, retain)
    assert room.arrived_from(intruder) == []


def test_a_node_never_speaks_for_a_seat_that_is_not_its_own(room, new_inbox, topics):
    """As its own card says it: a press that would be taken, at the link that the table has."""
    inbox, other = new_inbox(), room.guest("node-04")
    press = encode(Said("12345678", 1, 1, 1.0, 1.0, 1, Press(Button.VOTE, How.EDGE)))
    link = Broker(
        room.settings("table"), topics, SystemClock(), inbox.put,
        subscriptions=[f"{room.root}/up/#"],
    )  # fmt: skip
    with link:
        inbox.an(Linked)
        for node in ("node-03", "node-04"):
            other.say(f"{room.root}/up/{node}/said", press)
        inbox.on(f"{room.root}/up/node-04/said")
        said = [item.topic for item in inbox.items if getattr(item, "payload", b"") == press]
    assert said == [f"{room.root}/up/node-04/said"]
    other.leave()
    room.overheard()


@pytest.mark.parametrize("topic", ["public/view", "down/node-01/cue", "up/node-01/status"])
def test_what_is_retained_is_neither_cleared_nor_replaced(room, intruder, topic):
    for payload in (b"", b"forged"):
        intruder.say(f"{room.root}/{topic}", payload, retain=True)
    assert room.arrived_from(intruder) == []
    late = room.guest("observer", own=True, client_id="late").listen(f"{room.root}/{topic}")
    late.listen(f"{room.root}/public/event")
    room.table.say(f"{room.root}/public/event", b"the end")
    assert late.until(b"the end") == [(f"{room.root}/{topic}", b"retained")]
    late.leave()
    room.overheard()


@pytest.mark.parametrize("room", [OF_5], ids=["MQTT 5"], indirect=True)
def test_an_alias_of_a_topic_gives_no_right_to_it(room, intruder):
    alias = Properties(PacketTypes.PUBLISH)
    alias.TopicAlias = 1
    intruder.say(f"{room.root}/public/view", b"forged", properties=alias)
    intruder.say("", b"forged", properties=alias)
    intruder.say(room.said, b"mine", properties=alias)
    intruder.say("", b"mine", properties=alias)
    intruder.say(f"{room.root}/public/view", b"forged", properties=alias)
    intruder.say("", b"forged", properties=alias)
    assert room.arrived_from(intruder) == [(room.said, b"mine")] * 2


# ---- wills ----


def will_of(room, topic, payload=b"forged"):
    """Come with a will, vanish and come back: by then the broker has carried it out."""
    room.guest(will=(topic, payload)).vanish()
    again = room.guest()
    arrived = room.arrived_from(again)
    again.leave()
    return arrived


@pytest.mark.parametrize(
    "topic",
    [
        *("up/node-01/status", "up/node-01/said", "up/table/status", "up/node-02/other"),
        *("down/node-01/cue", "down/node-02/cue", "public/view", "public/event", "ping/node-01"),
    ],
)
def test_a_forged_will_never_arrives(room, topic):
    assert will_of(room, f"{room.root}/{topic}") == []


def test_ones_own_will_does_arrive(room):
    status = f"{room.root}/up/node-02/status"
    assert will_of(room, status, b"offline") == [(status, b"offline")]


# ---- being somebody else ----


@pytest.mark.parametrize("name", ["node-01", "table"])
@pytest.mark.parametrize("clean", [True, False], ids=["a new session", "an old session"])
def test_who_takes_the_client_id_of_another_neither_puts_it_out_nor_hears_it(room, name, clean):
    thief = room.guest(client_id=name, clean=clean)
    assert thief.refused is None
    assert not thief.session_present
    thief.listen(room.cue, f"{room.root}/down/#", f"{room.root}/up/#")
    room.table.say(f"{room.root}/down/node-01/cue", b"your card")
    room.table.say(f"{room.root}/down/node-01/cue", b"the end")
    room.victim.until(b"the end")
    assert room.arrived_at(thief) == []
    assert not room.victim.thrown_out
    assert not room.table.thrown_out
    room.overheard()
    thief.leave()
    room.guest().leave()  # a clean session of his own, in place of what he may have left


WRONG = {
    "nobody": {"user": None},
    "a user without a password": {"password": None},
    "an empty password": {"password": ""},
    "a wrong password": {"password": "password of node-20"},
    "the password of another": {"password": "password of node-01"},
    "the password of another, as the table": {"user": "table", "password": "password of node-02"},
    "a user who does not exist": {"user": "node-99"},
    "all users": {"user": "#"},
    "any user": {"user": "+"},
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("own", [False, True], ids=["by TLS", "on the table's machine"])
def test_who_does_not_prove_who_he_is_is_refused(room, own, wrong):
    settings = msgspec.structs.replace(room.settings("node-02", own=own), **wrong)
    stranger = Guest(room.version, settings, client_id="node-02")
    stranger.until_thrown_out()
    stranger.leave()
    assert stranger.refused in ("Not authorized", "Bad user name or password")


def packet(kind, body):
    assert len(body) < 128
    return bytes([kind, len(body)]) + body


def field(text):
    return len(text).to_bytes(2, "big") + text.encode()


def connect_and_say(room, user, password):
    """The bytes of who does not wait to be let in."""
    is_5 = room.version is OF_5
    flags = 0x02 | (0x80 if user else 0) | (0x40 if password else 0)
    names = field("x") + (field(user) if user else b"") + (field(password) if password else b"")
    head = field("MQTT") + bytes([room.version, flags, 0, 60])
    connect = packet(0x10, head + (b"\0" if is_5 else b"") + names)
    return connect, packet(0x30, field(room.said) + (b"\0" if is_5 else b"") + b"forged")


def send_until_hung_up(connection, stream):
    """Send all, and read until the other side has had enough."""
    with contextlib.suppress(OSError):
        connection.sendall(stream)
        while connection.recv(4096):
            pass


@contextlib.contextmanager
def raw(room, *, tls):
    settings = room.settings("node-02")
    with socket.create_connection((settings.host, settings.port), PATIENCE_S) as plain:
        if tls:
            with trusting(settings).wrap_socket(plain, server_hostname=settings.host) as secured:
                yield secured
        else:
            yield plain


@pytest.mark.parametrize(
    ("user", "password"),
    [("", ""), ("node-02", ""), ("node-02", "guess"), ("node-01", "password of node-02")],
    ids=["nobody", "no password", "a wrong password", "the password of another"],
)
def test_what_is_said_before_one_is_let_in_never_arrives(room, intruder, user, password):
    with raw(room, tls=True) as connection:
        send_until_hung_up(connection, b"".join(connect_and_say(room, user, password)))
    assert room.arrived_from(intruder) == []


def test_the_same_bytes_with_the_right_password_do_arrive(room):
    with raw(room, tls=True) as connection:
        connection.sendall(b"".join(connect_and_say(room, "node-02", "password of node-02")))
        assert room.observer.until(b"forged") == []


def test_who_does_not_even_ask_to_be_let_in_is_hung_up_on(room, intruder):
    with raw(room, tls=True) as connection:
        send_until_hung_up(connection, connect_and_say(room, "", "")[1])
    assert room.arrived_from(intruder) == []


# ---- TLS ----


def test_the_right_password_without_tls_never_arrives(room, intruder):
    with raw(room, tls=False) as connection:
        words = b"".join(connect_and_say(room, "node-02", "password of node-02"))
        send_until_hung_up(connection, words)
    assert room.arrived_from(intruder) == []


@pytest.mark.parametrize(
    ("version", "spoken"),
    [
        (ssl.TLSVersion.TLSv1, False),
        (ssl.TLSVersion.TLSv1_1, False),
        (ssl.TLSVersion.TLSv1_2, True),
        (ssl.TLSVersion.TLSv1_3, True),
    ],
)
@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
def test_tls_that_can_be_broken_is_not_spoken(broker, version, spoken):
    settings = broker.settings("node-02")
    context = trusting(settings, version)
    with socket.create_connection((settings.host, settings.port), PATIENCE_S) as plain:
        if spoken:
            context.wrap_socket(plain, server_hostname=settings.host).close()
        else:
            with pytest.raises(ssl.SSLError, match=r"(?i)version|protocol"):
                context.wrap_socket(plain, server_hostname=settings.host)


def test_a_false_broker_gets_no_password(broker, tmp_path, topics, new_inbox):
    """It has a certificate for the same address, of another authority."""
    false = Authority.make().equip(tmp_path, "127.0.0.1")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(false.cert, false.key)
    got, inbox = [], new_inbox()

    def serve(listener):
        # The client may still find the handshake done when it is not: read what follows.
        connection, _ = listener.accept()
        with connection, contextlib.suppress(OSError):
            got.append(context.wrap_socket(connection, server_side=True).recv(4096))

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener,))
        thread.start()
        settings = broker.settings("node-02")
        settings = msgspec.structs.replace(settings, port=listener.getsockname()[1])
        with Broker(settings, topics, SystemClock(), inbox.put):
            assert "certificate verify failed" in inbox.an(Unlinked).reason
            thread.join(PATIENCE_S)
    assert not any(got)


# ---- too much ----


def test_the_longest_payload_of_the_kit_passes(room, intruder):
    intruder.say(room.said, b"x" * PAYLOAD_MAX)
    assert room.arrived_from(intruder) == [(room.said, b"x" * PAYLOAD_MAX)]


@pytest.mark.parametrize("size", [PACKET_MAX, 300_000], ids=["a byte too many", "300 kB"])
@pytest.mark.parametrize("qos", [0, 1])
def test_a_payload_that_is_too_long_ends_its_connection_and_nothing_else(room, size, qos):
    glutton = room.guest()
    glutton.say(room.said, b"x" * size, qos=qos)
    glutton.until_thrown_out()
    glutton.leave()
    again = room.guest()
    assert room.arrived_from(again) == []
    again.leave()
    assert not room.victim.thrown_out
    assert not room.table.thrown_out


def hung_up_on(connections):
    """Return those of *connections* that the broker has closed; there are some, or will be."""
    readable, _, _ = select.select(connections, [], [], PATIENCE_S)
    return [each for each in readable if each.recv(1) == b""]


@pytest.fixture(params=VERSIONS.values(), ids=VERSIONS)
def fresh_room(tmp_path, request):
    """A room at a new broker: mosquitto 2.0.11 counts twice who leaves by TLS, 2.0.21 once."""
    if find_mosquitto() is None:
        pytest.skip("mosquitto is not installed: sudo apt install mosquitto")
    broker = open_broker(tmp_path)
    room = Room(broker, request.param)
    yield room
    room.close()
    broker.stop()


def test_a_flood_of_connections_puts_nobody_out_and_keeps_the_table_in(fresh_room):
    room = fresh_room
    settings = room.settings("node-02")
    address = (settings.host, settings.port)
    with contextlib.ExitStack() as flood:
        crowd = [
            flood.enter_context(socket.create_connection(address, PATIENCE_S))
            for _ in range(CONNECTIONS_MAX)
        ]
        # With node-01 that is one too many.
        assert len(hung_up_on(crowd)) == 1
        with pytest.raises(OSError, match=r"(?i)eof|reset"):
            Guest(room.version, settings)
        room.table.leave()
        room.table = room.guest("table")  # which has restarted
        room.table.say(f"{room.root}/down/node-01/cue", b"go on")
        room.victim.until(b"go on")
        room.victim.say(f"{room.root}/up/node-01/said", b"here")
        room.observer.until(b"here")
    while True:
        # The broker takes note of each that goes.
        with contextlib.suppress(OSError):
            late = room.guest()
            break
    assert room.arrived_from(late) == []
    late.leave()

"""What only a network can do to a link, on a real mosquitto."""

import socket
import statistics
import subprocess
import threading

import msgspec
import pytest

from firmware.broker import QUEUE_MAX, RETRY_S, Broker
from firmware.clock import SystemClock
from firmware.errors import LinkError
from firmware.image.broker_conf import Tls
from firmware.link import ALIVE_S, Linked, LinkSettings, Received, Retained, Unlinked
from firmware.mosquitto import Mosquitto, free_port
from firmware.wire import TopicKind

CLOCK = SystemClock()


@pytest.fixture
def new_link(mosquitto, topics, new_inbox):
    """Makes a link of *user*, not entered, and its inbox."""

    def new(user, *subscriptions, **more):
        inbox = new_inbox()
        changes = {key: more.pop(key) for key in ("port", "password", "ca") if key in more}
        settings = msgspec.structs.replace(mosquitto.settings(user), **changes)
        link = Broker(settings, topics, CLOCK, inbox.put, subscriptions=subscriptions, **more)
        return link, inbox

    return new


def test_a_wrong_password_is_refused(new_link):
    link, inbox = new_link("table", password="guess")
    with link:
        assert inbox.an(Unlinked).reason == "refused: Not authorized"
        assert not link.linked


def test_a_broker_that_is_not_there_is_one_line_in_the_log(new_link, caplog):
    port = free_port()
    link, inbox = new_link("table", port=port)
    with link:
        inbox.an(Unlinked)
    said = [record.getMessage() for record in caplog.records if record.name == "firmware.broker"]
    assert len(said) == 1
    assert said[0].startswith(f"no link to the broker at 127.0.0.1:{port}, trying on: [Errno 111]")


def test_a_password_of_another_user_is_refused(new_link):
    link, inbox = new_link("table", password="password of node-01")
    with link:
        assert "Not authorized" in inbox.an(Unlinked).reason


@pytest.mark.parametrize("listener", ["port", "second_port"])
def test_who_gives_no_name_is_refused(mosquitto, listener):
    port = getattr(mosquitto, listener)
    connect = b"\x00\x04MQTT\x05\x02\x00\x05\x00\x00\x04anon"
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(bytes([0x10, len(connect)]) + connect)
        answer = connection.recv(100)
    connack, not_authorized = 0x20, 0x87
    assert (answer[0], answer[3]) == (connack, not_authorized)


def test_a_broker_that_is_not_there_is_told_with_its_address(mosquitto, new_link):
    mosquitto.stop()
    link, inbox = new_link("table")
    with link:
        assert f"127.0.0.1:{mosquitto.port}" in inbox.an(Unlinked).reason
        mosquitto.start()
        inbox.an(Linked)


def test_a_host_that_does_not_exist_is_told(topics, new_inbox):
    inbox = new_inbox()
    settings = LinkSettings("no-such-host.invalid", 1883, "table", "x")
    with Broker(settings, topics, CLOCK, inbox.put):
        assert "no-such-host.invalid:1883" in inbox.an(Unlinked).reason


def test_small_messages_are_not_held_back(new_link, topics):
    event = topics.of(TopicKind.EVENT)
    link, inbox = new_link("table", event)
    times_s = []
    with link:
        inbox.an(Linked)
        for _ in range(31):
            sent_s = CLOCK.now_s()
            link.publish(event, b"x")
            times_s.append(inbox.an(Received).at_s - sent_s)
    assert statistics.median(times_s) < 0.03, "Nagle's algorithm takes 40 ms on each side"


def test_after_a_flush_nothing_waits_for_the_network_thread(new_link, topics):
    link, inbox = new_link("table")
    link.flush()
    with link:
        inbox.an(Linked)
        client = link._session.client
        for _ in range(100):
            link.publish(topics.of(TopicKind.EVENT), b"x" * 2048)
        for _ in range(500):
            link.flush()
            if not client.want_write():
                break
        assert not client.want_write()


def test_what_was_under_way_when_the_link_went_down_is_never_sent_later(
    mosquitto, new_link, new_cable, topics
):
    cable = new_cable(mosquitto.port)
    view = topics.of(TopicKind.VIEW)
    reader, reader_inbox = new_link("node-01", view)
    table, inbox = new_link("table", port=cable.port)
    with reader, table:
        reader_inbox.an(Linked)
        inbox.an(Linked)
        cable.hold()
        assert table.publish(view, b"old", retain=True)
        cable.cut()
        inbox.an(Unlinked)
        cable.mend()
        inbox.an(Linked)
        for payload in (b"new", b"newer"):
            table.publish(view, payload, retain=True)
            assert reader_inbox.an(Received).payload == payload


def test_messages_beyond_the_queue_are_dropped_and_counted(mosquitto, new_link, topics):
    event = topics.of(TopicKind.EVENT)
    link, inbox = new_link("table", event)
    with link:
        inbox.an(Linked)
        mosquitto.freeze()
        sent = [link.publish(event, str(n).encode()) for n in range(QUEUE_MAX + 5)]
        assert sent == [True] * QUEUE_MAX + [False] * 5
        assert link.drops == 5
        mosquitto.thaw()
        received = [inbox.an(Received).payload for _ in range(QUEUE_MAX)]
        assert received == [str(n).encode() for n in range(QUEUE_MAX)]


def test_a_network_thread_that_died_silently_is_found_and_the_link_made_anew(new_link, topics):
    event = topics.of(TopicKind.EVENT)
    link, inbox = new_link("table", event)
    with link:
        inbox.an(Linked)
        client = link._session.client
        thread = client._thread
        # As an exception in a callback ends it: nothing is closed, nobody is told.
        client._thread_terminate = True
        link.beat()
        thread.join()
        assert link.linked
        now_s = CLOCK.now_s()
        link.beat()
        assert link.healthy(now_s + ALIVE_S / 2)
        assert not link.healthy(now_s + 2 * ALIVE_S)
        link.reset()
        inbox.an(Linked)
        assert link.healthy(now_s + 2 * ALIVE_S)
        link.publish(event, b"again")
        assert inbox.on(event).payload == b"again"


def test_leaving_a_broker_that_stands_still_takes_bounded_time_and_loses_no_farewell(
    mosquitto, new_link, topics
):
    status = topics.of(TopicKind.STATUS, "node-01")
    table, table_inbox = new_link("table", status)
    ends = {"will": Retained(status, b"will"), "farewell": Retained(status, b"farewell")}
    node, inbox = new_link("node-01", **ends)
    with table:
        table_inbox.an(Linked)
        with node:
            inbox.an(Linked)
            mosquitto.freeze()
            before_s = CLOCK.now_s()
        assert CLOCK.now_s() - before_s < 5
        mosquitto.thaw()
        assert table_inbox.on(status).payload == b"farewell"


def test_a_password_stays_out_of_the_log(new_link, caplog):
    with caplog.at_level("DEBUG"):
        for password in ("password of table", "hush hush"):
            link, inbox = new_link("table", password=password)
            with link:
                inbox.until(lambda item: True)
    assert "hush hush" not in caplog.text
    assert "password of table" not in caplog.text


def test_a_device_that_left_does_not_come_back_and_put_the_other_out(new_link):
    first, first_inbox = new_link("node-01")
    second, second_inbox = new_link("node-01")
    with first, second:
        first_inbox.an(Unlinked)
        second_inbox.an(Linked)
        second.leave()
        second_inbox.an(Unlinked)
        first_inbox.an(Linked)
        second_inbox.until_quiet(sum(RETRY_S))
        assert first_inbox.items[-1:] == [Linked(first.last_alive_s)]
        assert first.linked


# ---- a broker that follows a script, for what mosquitto never does ----


class Script:
    """Answers each connection by the next of *parts*: "close", "refuse" or "publish"."""

    def __init__(self, parts):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self.play, args=(parts,))
        self.thread.start()

    def play(self, parts):
        for part in parts:
            connection, _ = self.listener.accept()
            with connection, connection.makefile("rb") as stream:
                if part == "close":
                    continue
                self.packet(stream)
                connection.sendall(b"\x20\x03\x00\x00\x00")  # CONNACK
                mid = self.packet(stream)[:2]
                code = {"refuse": b"\x87", "publish": b"\x01"}[part]
                early = b"\x30\x05\x00\x01t\x001"  # PUBLISH on topic t, payload 1
                connection.sendall(early + b"\x90\x05" + mid + b"\x00" + 2 * code)  # SUBACK
                stream.read()

    def packet(self, stream):
        stream.read(1)
        (length,) = stream.read(1)
        return stream.read(length)

    def close(self):
        self.thread.join()
        self.listener.close()


@pytest.fixture
def play(topics, new_inbox):
    """Plays *parts* to a link that subscribes to one topic, and returns link and inbox."""
    scripts = []

    def play(*parts):
        scripts.append(Script(parts))
        inbox = new_inbox()
        settings = LinkSettings("127.0.0.1", scripts[-1].port, "table", "x")
        return Broker(settings, topics, CLOCK, inbox.put, subscriptions=["t"]), inbox

    yield play
    for script in scripts:
        script.close()


def test_linked_comes_before_a_message_that_comes_before_the_subscription_is_acknowledged(play):
    link, inbox = play("publish")
    with link:
        inbox.an(Received)
        assert [type(item) for item in inbox.items] == [Linked, Received]


def test_a_refused_subscription_is_no_link(play):
    link, inbox = play("refuse")
    with link:
        assert inbox.an(Unlinked).reason.startswith("subscription refused: Not authorized")
        assert not link.linked


def test_the_same_reason_is_told_once_in_a_row(play):
    link, inbox = play("close", "close", "publish")
    with link:
        inbox.an(Linked)
    assert [type(item) for item in inbox.items] == [Unlinked, Linked]


# ---- TLS, as on a card ----


def openssl(folder, *words):
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def authority(tmp_path):
    """Two authorities; the first has signed a certificate for 127.0.0.1."""
    for name in ("ca", "other"):
        openssl(
            tmp_path,
            *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
            *("-nodes", "-days", "2", "-subj", f"/CN={name}"),
            *("-keyout", f"{name}.key", "-out", f"{name}.crt"),
        )
    openssl(
        tmp_path,
        *("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
        *("-subj", "/CN=broker", "-keyout", "broker.key", "-out", "broker.csr"),
    )
    (tmp_path / "names").write_text("subjectAltName=IP:127.0.0.1\n")
    openssl(
        tmp_path,
        *("x509", "-req", "-in", "broker.csr", "-CA", "ca.crt", "-CAkey", "ca.key"),
        *("-CAcreateserial", "-days", "2", "-extfile", "names", "-out", "broker.crt"),
    )
    return tmp_path


@pytest.fixture
def table_of(authority, tmp_path, mosquitto, topics, new_inbox):
    """Makes the table's link over TLS to a broker of its own."""
    tls = Tls(*(authority / f"{name}" for name in ("ca.crt", "broker.crt", "broker.key")))
    tls = tls._replace(port=free_port())
    folder = tmp_path / "lan"
    folder.mkdir()
    with Mosquitto(folder, "test", {"table": "x"}, tls=tls) as lan:

        def new(ca):
            inbox = new_inbox()
            settings = msgspec.structs.replace(lan.settings("table"), port=tls.port, ca=ca)
            return Broker(settings, topics, CLOCK, inbox.put), inbox

        yield new


def test_a_card_with_the_kits_authority_links_over_tls(authority, table_of):
    link, inbox = table_of(authority / "ca.crt")
    with link:
        inbox.an(Linked)
        alive_s = link.last_alive_s
        link.beat()
        assert link.healthy(CLOCK.now_s())
        link.leave()
        link.rejoin()
        inbox.an(Linked)
        assert link.last_alive_s > alive_s


@pytest.mark.filterwarnings("ignore:.*ssl.SSLSocket")  # paho leaves it to the collector
def test_a_broker_of_another_authority_is_not_trusted(authority, table_of):
    link, inbox = table_of(authority / "other.crt")
    with link:
        assert "certificate verify failed" in inbox.an(Unlinked).reason


def test_a_link_without_tls_gets_nowhere_on_the_lan(table_of):
    link, inbox = table_of(None)
    with link:
        assert inbox.an(Unlinked).reason
        assert not link.linked


def test_a_certificate_that_cannot_be_read_is_named(tmp_path, topics):
    settings = LinkSettings("127.0.0.1", 8883, "table", "x", tmp_path / "gone.crt")
    with pytest.raises(LinkError, match=r"gone\.crt"):
        Broker(settings, topics, CLOCK, print)

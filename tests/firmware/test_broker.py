"""What only a network can do to a link, on a real mosquitto."""

import socket
import statistics
import threading

import msgspec
import pytest

from firmware.broker import QUEUE_MAX, RETRY_S, Broker
from firmware.certificates import Authority
from firmware.clock import SystemClock
from firmware.errors import LinkError
from firmware.link import ALIVE_S, Linked, LinkSettings, Received, Retained, Unlinked
from firmware.wire import TopicKind

CLOCK = SystemClock()


@pytest.fixture
def new_link(mosquitto, topics, new_inbox):
    """Makes a link of *user*, not entered, and its inbox."""

    def new(user, *subscriptions, **more):
        inbox = new_inbox()
        changes = {key: more.pop(key) for key in ("host", "port", "password", "ca") if key in more}
        settings = msgspec.structs.replace(mosquitto.settings(user), **changes)
        link = Broker(settings, topics, CLOCK, inbox.put, subscriptions=subscriptions, **more)
        return link, inbox

    return new


def test_a_wrong_password_is_refused(new_link):
    link, inbox = new_link("table", password="guess")
    with link:
        assert inbox.an(Unlinked).reason == "refused: Not authorized"
        assert not link.linked


def test_a_broker_that_is_not_there_is_one_line_in_the_log(mosquitto, new_link, caplog):
    port = mosquitto.port
    mosquitto.stop()
    link, inbox = new_link("table")
    with link:
        inbox.an(Unlinked)
    said = [record.getMessage() for record in caplog.records if record.name == "firmware.broker"]
    assert len(said) == 1
    assert said[0].startswith(f"no link to the broker at 127.0.0.1:{port}, trying on: [Errno 111]")


def test_a_password_of_another_user_is_refused(new_link):
    link, inbox = new_link("table", password="password of node-01")
    with link:
        assert "Not authorized" in inbox.an(Unlinked).reason


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


def test_a_message_is_on_its_way_when_publish_returns(new_link, topics):
    link, inbox = new_link("table")
    with link:
        inbox.an(Linked)
        for _ in range(100):
            assert link.publish(topics.of(TopicKind.EVENT), b"x" * 2048)
            assert not link._session.client.want_write()


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


def test_a_network_thread_that_fails_makes_the_link_anew(new_link, topics, caplog):
    """paho.mqtt.python #365: an exception ended the thread, and nobody was told."""
    event = topics.of(TopicKind.EVENT)
    link, inbox = new_link("table", event)

    def fail():
        raise RuntimeError("a bug of ours or of paho's")

    with link:
        inbox.an(Linked)
        failing = link._session.client
        failing.loop_misc = fail
        link.beat()
        assert inbox.an(Unlinked).reason == "the network thread failed"
        inbox.an(Linked)
        assert failing.socket().fileno() == -1, "its connection stays open"
        link.publish(event, b"again")
        assert inbox.on(event).payload == b"again"
    assert "a bug of ours" in caplog.text


def test_a_network_thread_that_is_stuck_is_found_and_the_link_made_anew(new_link, topics):
    event = topics.of(TopicKind.EVENT)
    link, inbox = new_link("table", event)
    stuck, go_on = threading.Event(), threading.Event()

    def hang():
        stuck.set()
        go_on.wait()
        return 0

    with link:
        inbox.an(Linked)
        link._session.client.loop_misc = hang
        link.beat()
        assert stuck.wait(5)
        now_s = CLOCK.now_s()
        link.beat()
        assert not link.publish(event, b"lost")
        assert link.drops == 1 + 1
        assert link.linked
        assert link.healthy(now_s + ALIVE_S / 2)
        assert not link.healthy(now_s + 2 * ALIVE_S)
        link.reset()
        inbox.an(Linked)
        assert link.healthy(now_s + 2 * ALIVE_S)
        link.publish(event, b"again")
        assert inbox.on(event).payload == b"again"
        go_on.set()


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


# ---- TLS ----


def test_a_node_links_over_tls_and_again(new_link, mosquitto):
    link, inbox = new_link("node-01")
    assert link.settings.port == mosquitto.tls_port
    with link:
        inbox.an(Linked)
        alive_s = link.last_alive_s
        link.beat()
        assert link.healthy(CLOCK.now_s())
        link.leave()
        link.rejoin()
        inbox.an(Linked)
        assert link.last_alive_s > alive_s


def test_a_broker_of_another_authority_is_not_trusted(new_link, tmp_path):
    other = Authority.make().equip(tmp_path, "127.0.0.1")
    link, inbox = new_link("node-01", ca=other.ca)
    with link:
        assert "certificate verify failed" in inbox.an(Unlinked).reason


def test_a_broker_of_the_kit_that_is_called_by_another_name_is_not_trusted(new_link):
    link, inbox = new_link("node-01", host="localhost")
    with link:
        assert "localhost" in inbox.an(Unlinked).reason
        assert not link.linked


def test_a_link_without_tls_gets_nowhere_where_nodes_come_in(new_link):
    link, inbox = new_link("node-01", ca=None)
    with link:
        assert inbox.an(Unlinked).reason
        assert not link.linked


def test_a_certificate_that_cannot_be_read_is_named(tmp_path, topics):
    settings = LinkSettings("127.0.0.1", 8883, "table", "x", tmp_path / "gone.crt")
    with pytest.raises(LinkError, match=r"gone\.crt"):
        Broker(settings, topics, CLOCK, print)

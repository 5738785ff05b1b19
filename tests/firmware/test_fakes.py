"""What only the doubles can do; what they share with the real thing is test_link.py."""

import datetime
import threading

import pytest

from firmware.fakes import EVENING, FakeBroker, matches
from firmware.link import ALIVE_S, Linked, Received, Retained, Unlinked
from firmware.wire import TopicKind


def test_a_clock_stands_until_it_is_moved(clock):
    before_s, before = clock.now_s(), clock.wall()
    assert (clock.now_s(), clock.wall()) == (before_s, before)
    clock.advance(61.5)
    assert clock.now_s() == before_s + 61.5
    assert clock.wall() - before == datetime.timedelta(seconds=61.5)
    assert before == EVENING
    assert before.tzinfo is datetime.UTC


def test_a_clock_does_not_go_back(clock):
    with pytest.raises(ValueError, match="-1"):
        clock.advance(-1)


def test_wildcards_leave_the_brokers_own_topics_alone():
    assert not matches("#", "$SYS/broker/uptime")
    assert not matches("+/broker/uptime", "$SYS/broker/uptime")
    assert matches("$SYS/#", "$SYS/broker/uptime")


def test_a_message_can_come_twice_as_qos_1_may(broker, topics, new_inbox):
    inbox, event = new_inbox(), topics.of(TopicKind.EVENT)
    with broker.link("table", topics, inbox.put, subscriptions=[event]) as link:
        broker.repeat("table")
        for payload, qos in ((b"health", 0), (b"1", 1), (b"2", 1)):
            link.publish(event, payload, qos=qos)
        payloads = [inbox.an(Received).payload for _ in range(4)]
    assert payloads == [b"health", b"1", b"1", b"2"]


def test_times_are_the_fake_clocks(broker, clock, topics, new_inbox):
    inbox = new_inbox()
    with broker.link("table", topics, inbox.put) as link:
        assert inbox.an(Linked).at_s == clock.now_s()
        clock.advance(3)
        link.beat()
        assert link.last_alive_s == clock.now_s()
        broker.lose("table")
        assert inbox.an(Unlinked) == Unlinked(clock.now_s(), "connection lost")


def test_the_age_of_the_oldest_beat_without_an_answer_counts(broker, clock, topics):
    with broker.link("node-01", topics, lambda item: None) as link:
        broker.hang("node-01")
        link.beat()
        clock.advance(ALIVE_S - 1)
        link.beat()
        assert link.healthy(clock.now_s())
        clock.advance(1)
        assert not link.healthy(clock.now_s())


def test_a_receiver_may_publish_and_what_it_publishes_comes_after(broker, topics):
    came = []

    def put(item):
        came.append(item)
        if isinstance(item, Received) and item.payload == b"1":
            link.publish(topics.of(TopicKind.EVENT), b"3")

    event = topics.of(TopicKind.EVENT)
    link = broker.link("table", topics, put, subscriptions=[event])
    with link, broker.link("node-01", topics, lambda item: None) as other:
        other.publish(event, b"1")
        other.publish(event, b"2")
    assert [item.payload for item in came if isinstance(item, Received)] == [b"1", b"3", b"2"]


def test_a_user_that_is_cut_off_stays_so_when_the_broker_starts_again(broker, topics, new_inbox):
    inbox = new_inbox()
    with broker.link("node-01", topics, inbox.put) as link:
        broker.lose("node-01")
        broker.stop()
        broker.start()
        assert not link.linked
        broker.restore("node-01")
        assert link.linked


def test_a_broker_that_stops_sends_no_wills(broker, topics, new_inbox):
    inbox, status = new_inbox(), topics.of(TopicKind.STATUS, "node-01")
    with (
        broker.link("table", topics, inbox.put, subscriptions=[status]),
        broker.link("node-01", topics, lambda item: None, will=Retained(status, b"will")),
    ):
        broker.stop()
        broker.start()
        assert [type(inbox.an(object)) for _ in range(3)] == [Linked, Unlinked, Linked]
        broker.lose("node-01")
        assert inbox.an(object).payload == b"will"


def test_many_threads_can_publish_at_once_and_nothing_is_lost(clock, topics, new_inbox):
    broker, inbox, event = FakeBroker(clock), new_inbox(), topics.of(TopicKind.EVENT)
    with broker.link("table", topics, inbox.put, subscriptions=[event]) as link:
        threads = [
            threading.Thread(target=lambda: [link.publish(event, b"x") for _ in range(200)])
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [inbox.an(Received).payload for _ in range(800)] == [b"x"] * 800

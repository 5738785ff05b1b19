"""The contract of firmware/link.py, held by the broker in memory and by a real one."""

import logging

import pytest

from firmware.link import ALIVE_S, Linked, Received, Unlinked
from firmware.wire import TopicKind


def test_what_one_publishes_reaches_who_subscribed_with_topic_payload_and_time(world):
    _, inbox = world.table()
    sender, _ = world.node()
    before_s = world.now_s()
    assert sender.publish(world.said(), b"\x00bytes\xff")
    received = inbox.an(Received)
    assert (received.topic, received.payload) == (world.said(), b"\x00bytes\xff")
    assert before_s <= received.at_s <= world.now_s()


def test_what_one_publishes_to_itself_comes_back(world):
    link, inbox = world.up("table", f"{world.root}/public/#")
    link.publish(world.topics.of(TopicKind.EVENT), b"1")
    assert inbox.an(Received).payload == b"1"


def test_linked_comes_before_the_retained_messages_and_both_on_every_connect(world):
    speaker, _ = world.table()
    speaker.publish(world.topics.of(TopicKind.VIEW), b"view", retain=True)
    reader, inbox = world.link("node-01", f"{world.root}/public/#")
    for entered in (lambda: world.stack.enter_context(reader), reader.rejoin):
        entered()
        inbox.on(world.topics.of(TopicKind.VIEW))
        assert [type(item) for item in inbox.items] == [Linked, Received]
        reader.leave()
        inbox.an(Unlinked)
        inbox.items.clear()


def test_what_is_not_retained_or_was_cleared_is_not_delivered_later(world):
    speaker, _ = world.table()
    view, event = world.topics.of(TopicKind.VIEW), world.topics.of(TopicKind.EVENT)
    speaker.publish(view, b"old", retain=True)
    speaker.publish(view, b"", retain=True)
    speaker.publish(event, b"gone")
    _, inbox = world.up("node-01", f"{world.root}/public/#")
    speaker.publish(event, b"now")
    inbox.until(lambda item: getattr(item, "payload", b"") == b"now")
    assert [item.payload for item in inbox.items[1:]] == [b"now"]


def test_a_node_that_vanishes_leaves_its_will_retained(world):
    table, inbox = world.table()
    world.node()
    world.lose("node-01")
    assert inbox.on(world.status()).payload == world.will
    table.leave()
    table.rejoin()
    assert inbox.on(world.status()).payload == world.will


def test_a_node_that_leaves_cleanly_says_farewell_and_leaves_no_will(world):
    _, inbox = world.table()
    node, _ = world.node()
    node.publish(world.status(), world.online, retain=True)
    node.__exit__(None, None, None)
    marker, _ = world.node("node-02")
    marker.publish(world.said("node-02"), b"")
    inbox.on(world.said("node-02"))
    states = [item.payload for item in inbox.items if getattr(item, "topic", "") == world.status()]
    assert states == [world.online, world.farewell]


def test_a_lost_link_says_so_and_comes_back_by_itself_with_its_subscriptions(world):
    speaker, _ = world.table()
    _, inbox = world.node()
    world.lose("node-01")
    assert inbox.an(Unlinked).reason
    world.restore("node-01")
    inbox.an(Linked)
    speaker.publish(world.cue(), b"welcome back")
    assert inbox.an(Received).payload == b"welcome back"


def test_all_come_back_with_their_subscriptions_when_the_broker_was_killed(world):
    speaker, table_inbox = world.table()
    seat, inbox = world.node()
    world.stop()
    inbox.an(Unlinked)
    table_inbox.an(Unlinked)
    assert not seat.linked
    world.start()
    inbox.an(Linked)
    table_inbox.an(Linked)
    assert seat.linked
    seat.publish(world.said(), b"up")
    speaker.publish(world.cue(), b"down")
    assert table_inbox.an(Received).payload == b"up"
    assert inbox.an(Received).payload == b"down"


def test_a_broker_that_starts_again_has_forgotten_what_was_retained(world):
    speaker, inbox = world.table()
    speaker.publish(world.topics.of(TopicKind.VIEW), b"old", retain=True)
    world.stop()
    inbox.an(Unlinked)
    world.start()
    inbox.an(Linked)
    _, reader = world.up("node-01", f"{world.root}/public/#")
    speaker.publish(world.topics.of(TopicKind.EVENT), b"now")
    reader.on(world.topics.of(TopicKind.EVENT))
    assert reader.topics == [world.topics.of(TopicKind.EVENT)]


@pytest.mark.parametrize("qos", [0, 1])
def test_what_is_published_while_the_link_is_down_is_dropped_for_good(world, qos):
    _, table_inbox = world.table()
    seat, inbox = world.node()
    world.lose("node-01")
    inbox.an(Unlinked)
    assert not seat.publish(world.said(), b"into the void", qos=qos)
    world.restore("node-01")
    inbox.an(Linked)
    assert seat.publish(world.said(), b"after", qos=1)
    assert table_inbox.on(world.said()).payload == b"after"


def test_publishing_before_the_first_connection_drops(world):
    world.stop()
    seat, _ = world.link("node-01")
    with seat:
        assert not seat.linked
        assert not seat.publish(world.said(), b"too early")


def test_messages_of_a_sender_keep_their_order(world):
    _, inbox = world.table()
    seat, _ = world.node()
    numbers = [str(n).encode() for n in range(150)]
    assert all(seat.publish(world.said(), number) for number in numbers)
    assert [inbox.an(Received).payload for _ in numbers] == numbers


def test_an_exception_in_put_does_not_end_the_link(world, caplog):
    inbox = world.new_inbox()

    def put(item):
        inbox.put(item)
        raise RuntimeError("the inbox is broken")

    with caplog.at_level(logging.CRITICAL, "firmware"):
        link, _ = world.link("table", f"{world.root}/public/#", put=put)
        world.stack.enter_context(link)
        inbox.an(Linked)
        for payload in (b"1", b"2"):
            link.publish(world.topics.of(TopicKind.EVENT), payload)
            assert inbox.an(Received).payload == payload
        link.beat()
        assert link.healthy(world.now_s())
        link.leave()
        inbox.an(Unlinked)
    assert link.failures >= 3


@pytest.mark.parametrize(
    ("pattern", "topic", "covers"),
    [
        ("public/view", "public/view", True),
        ("public/view", "public/event", False),
        ("public/+", "public/event", True),
        ("public/+", "public/event/more", False),
        ("+/event", "public/event", True),
        ("public/#", "public/event/more", True),
        ("public/event/#", "public/event", True),
        ("public/event/+", "public/event", False),
        ("public", "public/event", False),
        ("#", "public/event", True),
        ("public/event", "public/eventful", False),
        ("Public/event", "public/event", False),
    ],
)
def test_a_pattern_covers_what_mqtt_says(world, pattern, topic, covers):
    root, marker = world.root, f"{world.root}/public/marker"
    speaker, _ = world.table()
    _, inbox = world.up("node-01", f"{root}/{pattern}", marker)
    speaker.publish(f"{root}/{topic}", b"")
    speaker.publish(marker, b"")
    inbox.on(marker)
    assert (f"{root}/{topic}" in inbox.topics) is covers


def test_a_ping_comes_back_to_the_link_and_not_to_the_inbox(world):
    link, inbox = world.up("node-01", f"{world.root}/public/#")
    linked_s = link.last_alive_s
    assert linked_s is not None
    assert link.round_trip_s is None
    world.pass_time()
    sent_s = world.now_s()
    link.beat()
    speaker, _ = world.table()
    speaker.publish(world.topics.of(TopicKind.EVENT), b"marker")
    inbox.an(Received)
    assert link.last_alive_s > linked_s
    assert 0 <= link.round_trip_s <= world.now_s() - sent_s
    assert inbox.topics == [world.topics.of(TopicKind.EVENT)]
    assert link.healthy(world.now_s() + 10 * ALIVE_S)


def test_a_link_that_hangs_is_found_unhealthy_and_a_reset_makes_it_new(world):
    link, inbox = world.node()
    world.hang("node-01")
    link.beat()
    link.beat()
    now_s = world.now_s()
    assert link.linked
    assert link.healthy(now_s + ALIVE_S - 1)
    assert not link.healthy(now_s + ALIVE_S)
    link.reset()
    assert inbox.an(Unlinked).reason == "reset"
    world.recover()
    inbox.an(Linked)
    assert link.healthy(now_s + ALIVE_S)
    speaker, _ = world.table()
    speaker.publish(world.cue(), b"again")
    assert inbox.an(Received).payload == b"again"


def test_a_link_that_is_down_is_not_called_unhealthy(world):
    link, inbox = world.node()
    link.beat()
    world.lose("node-01")
    inbox.an(Unlinked)
    assert link.healthy(world.now_s() + 100)


def test_a_device_that_leaves_says_nothing_stays_away_and_can_rejoin(world):
    _, table_inbox = world.table()
    seat, inbox = world.node()
    seat.publish(world.status(), world.online, retain=True)
    table_inbox.on(world.status())
    table_inbox.items.clear()
    seat.leave()
    assert inbox.an(Unlinked).reason == "left"
    assert not seat.publish(world.said(), b"")
    other, _ = world.node("node-02")
    other.publish(world.said("node-02"), b"marker")
    table_inbox.on(world.said("node-02"))
    assert table_inbox.topics == [world.said("node-02")]
    seat.rejoin()
    inbox.an(Linked)
    assert seat.publish(world.said(), b"back")


def test_a_second_device_of_a_user_puts_the_first_out_which_returns_when_it_leaves(world):
    first, first_inbox = world.node()
    second, second_inbox = world.node()
    first_inbox.an(Unlinked)
    second.leave()
    second_inbox.an(Unlinked)
    first_inbox.an(Linked)
    assert first.linked
    assert not second.linked


def test_what_is_retained_is_told_from_what_is_said_now(world):
    """A status that the broker kept may be that of a boot which is long gone."""
    seat, _ = world.node()
    seat.publish(world.status(), world.online, retain=True)
    _, inbox = world.table()
    assert inbox.on(world.status()).retained
    seat.publish(world.status(), world.online, retain=True)
    assert not inbox.on(world.status()).retained

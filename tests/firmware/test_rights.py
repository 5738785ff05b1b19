"""What a node with its own password, and ill will, can reach: nothing of others.

Denied subscriptions are accepted and stay silent, so these look for the absence
of messages before a marker.
"""

import pytest

from firmware.link import Retained
from firmware.wire import NODES, Ping, TopicKind, encode


def reached(world, patterns, topics_, user="node-02", payload=b"secret"):
    """Return which of *topics_*, published by the table, reach *user* by *patterns*."""
    marker = world.cue(user)
    _, inbox = world.up(user, *patterns, marker)
    speaker, _ = world.table()
    for topic in topics_:
        speaker.publish(topic, payload)
    speaker.publish(marker, b"marker")
    inbox.until(lambda item: getattr(item, "payload", b"") == b"marker")
    return {topic for topic in inbox.topics if topic != marker}


@pytest.mark.parametrize(
    "pattern",
    [
        "#",
        "+/+/+/#",
        "{root}/#",
        "{root}/down/#",
        "{root}/down/+/cue",
        "{cue}",
        "$share/g/{root}/#",
        "$share/g/{cue}",
        "$SYS/#",
    ],
)
def test_a_cue_of_another_seat_never_arrives(world, pattern):
    wanted = pattern.format(root=world.root, cue=world.cue())
    assert reached(world, [wanted], [world.cue()]) == set()


def test_what_another_seat_says_never_arrives(world):
    marker = world.cue("node-02")
    _, inbox = world.up("node-02", f"{world.root}/up/#", marker)
    speaker, table_inbox = world.table()
    other, _ = world.node()
    other.publish(world.said(), b"my shot")
    other.publish(world.status(), world.online, retain=True)
    table_inbox.on(world.status())
    speaker.publish(marker, b"")
    inbox.on(marker)
    assert inbox.topics == [marker]


def test_a_retained_cue_or_status_never_arrives_at_another_seat_that_comes_later(world):
    speaker, _ = world.table()
    speaker.publish(world.cue(), b"card", retain=True)
    assert reached(world, [f"{world.root}/#"], []) == set()


def test_every_seat_reads_what_is_public(world):
    view = world.topics.of(TopicKind.VIEW)
    assert reached(world, [f"{world.root}/public/#"], [view]) == {view}


@pytest.mark.parametrize(
    "topic",
    [
        "up/node-01/said",
        "up/node-01/status",
        "up/table/said",
        "up/node-02/other",
        "down/node-01/cue",
        "down/node-02/cue",
        "public/view",
        "public/event",
        "ping/node-01",
        "ping/table",
    ],
)
def test_a_forged_message_never_arrives(world, topic):
    root, marker = world.root, world.said("node-02")
    speaker, table_inbox = world.table(f"{root}/public/#")
    _, victim = world.up("node-01", f"{root}/down/node-01/#", f"{root}/public/#")
    forger, own = world.node("node-02")
    for retain in (False, True):
        forger.publish(f"{root}/{topic}", b"forged", retain=retain)
    forger.publish(marker, b"")
    table_inbox.on(marker)
    for user, inbox in (("node-01", victim), ("node-02", own)):
        speaker.publish(world.cue(user), b"marker")
        inbox.on(world.cue(user))
        assert [item.payload for item in inbox.items[1:]] == [b"marker"]
    assert table_inbox.topics == [marker]


def test_a_seat_neither_hears_nor_forges_the_ping_of_another(world):
    ping = world.topics.of(TopicKind.PING, "node-01")
    victim, victim_inbox = world.node("node-01")
    forger, inbox = world.node("node-02", ping)
    speaker, table_inbox = world.table()
    linked_s = victim.last_alive_s
    world.pass_time()
    forger.publish(ping, encode(Ping(1)), qos=1)
    forger.publish(world.said("node-02"), b"")
    table_inbox.on(world.said("node-02"))
    speaker.publish(world.cue(), b"after the forged one")
    victim_inbox.on(world.cue())
    assert victim.last_alive_s == linked_s
    victim.beat()
    victim.publish(world.said(), b"")
    table_inbox.on(world.said())
    speaker.publish(world.cue("node-02"), b"")
    inbox.on(world.cue("node-02"))
    assert inbox.topics == [world.cue("node-02")]


@pytest.mark.parametrize("topic", ["up/node-01/status", "public/view", "down/node-01/cue"])
def test_a_forged_will_never_arrives(world, topic):
    root = world.root
    speaker, inbox = world.table(f"{root}/public/#")
    _, victim = world.up("node-01", f"{root}/down/node-01/#", f"{root}/public/#")
    world.node("node-02", will=Retained(f"{root}/{topic}", b"forged"))
    world.node("node-03")
    world.lose("node-02")
    world.lose("node-03")
    inbox.on(world.status("node-03"))
    speaker.publish(world.cue(), b"")
    victim.on(world.cue())
    assert inbox.topics == [world.status("node-03")]
    assert victim.topics == [world.cue()]


def test_every_node_may_do_what_it_must(world):
    root = world.root
    speaker, inbox = world.table()
    for user in NODES:
        seat, seat_inbox = world.node(user)
        for kind in (TopicKind.STATUS, TopicKind.SAID, TopicKind.HEALTH):
            seat.publish(world.topics.of(kind, user), b"x")
            inbox.on(world.topics.of(kind, user))
        speaker.publish(world.cue(user), b"x")
        seat_inbox.on(f"{root}/down/{user}/cue")


def test_a_seat_that_joins_a_shared_subscription_takes_nothing_from_the_table(world):
    _, inbox = world.table()
    world.node("node-02", f"$share/g/{world.root}/up/#")
    seat, _ = world.node("node-03")
    numbers = [str(n).encode() for n in range(10)]
    for number in numbers:
        seat.publish(world.said("node-03"), number)
    assert [inbox.on(world.said("node-03")).payload for _ in numbers] == numbers

"""Whatever comes in from outside: named errors, counted, and the game unchanged."""

import logging

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware.link import Received
from firmware.wire import (
    NODES,
    Button,
    GestureName,
    How,
    Presence,
    Press,
    Said,
    TopicKind,
    decode,
    encode,
)  # fmt: skip
from table_controller.game import Action
from table_controller.host.orders import HostOrder

FEW, MANY = 150, 6000

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
COUNTS = st.integers(-1, 40) | st.integers(-(1 << 70), 1 << 70)
TIMES = st.floats() | st.integers(-10, 2000)
BOOTS = st.sampled_from(["", "00000003", "00000004", "bbbbbbbb"]) | st.text(max_size=40)
WHATS = st.one_of(
    st.builds(
        dict, st.just({"is": "press"}), button=st.sampled_from(Button), how=st.sampled_from(How)
    ),
    st.builds(dict, st.just({"is": "picking"}), menu=COUNTS, open=st.booleans()),
    st.builds(dict, st.just({"is": "pick"}), menu=COUNTS, values=st.lists(COUNTS, max_size=12)),
    st.builds(dict, st.just({"is": "present"}), state=st.sampled_from(Presence), since_s=TIMES),
    st.builds(
        dict, st.just({"is": "gesture"}), name=st.sampled_from(GestureName), number=COUNTS,
        confidence=TIMES,
    ),
    st.builds(dict, st.just({"is": "rollcall"}), ask=COUNTS, last=COUNTS),
    st.builds(
        dict, st.just({"is": "nightanswer"}), ask=COUNTS, round=COUNTS,
        presses=st.lists(TIMES, max_size=14),
    ),
    JSON,
)  # fmt: skip
MESSAGES = st.one_of(
    st.builds(
        dict, boot=BOOTS, n=COUNTS, oldest=COUNTS, made_s=TIMES, sent_s=TIMES, cue=COUNTS,
        what=WHATS,
    ),
    st.builds(
        dict, online=st.booleans(), boot=BOOTS, version=st.text(max_size=20),
        parts=st.lists(st.text(max_size=300), max_size=80),
    ),
    st.builds(dict, boot=BOOTS, up_s=TIMES, drops=COUNTS, eyes=st.text(max_size=20)),
    JSON,
)  # fmt: skip


def as_json(value):
    try:
        return msgspec.json.encode(value)
    except (msgspec.MsgspecError, OverflowError, UnicodeEncodeError):
        return repr(value).encode("utf-8", "replace")


@st.composite
def payloads(draw):
    """Bytes of any kind, JSON of any kind, and good messages with something cut or changed."""
    payload = draw(st.binary(max_size=200) | MESSAGES.map(as_json))
    cut = draw(st.integers(0, len(payload)))
    match draw(st.sampled_from(["whole", "whole", "cut", "garbled", "nested", "long"])):
        case "cut":
            return payload[:cut]
        case "garbled":
            return payload[:cut] + draw(st.binary(min_size=1, max_size=3)) + payload[cut + 1 :]
        case "nested":
            return b"[" * 5000 + payload
        case "long":
            return payload + b" " * 16_384
    return payload


USERS = st.sampled_from([*NODES, "table", "node-13", "", "+", "#", "node-03/said"])
KINDS = st.sampled_from(["status", "said", "health", "cue", "ping", "other", ""])


@st.composite
def topics(draw):
    root = draw(st.sampled_from(["mafia/v1/test"] * 8 + ["mafia/v1/other", "", "$SYS"]))
    way = draw(st.sampled_from(["up"] * 8 + ["down", "public", "ping", ""]))
    return draw(st.just(f"{root}/{way}/{draw(USERS)}/{draw(KINDS)}") | st.text(max_size=30))


def sizes(cases):
    """Settings of a test that draws so many cases against one rig."""
    return settings(
        max_examples=cases, deadline=None, derandomize=True, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip


def fuzz_topics(rig, cases):
    rig.to_first_day()
    count = 0

    @sizes(cases)
    @given(topics(), payloads())
    def check(topic, payload):
        nonlocal count
        count += 1
        before, refused = rig.state, rig.table.refused
        rig.table.take(Received(topic, payload, rig.now_s))
        rig.table.tick()
        if rig.table.refused > refused:
            assert rig.state == before
        else:
            decode(rig.topics.parse(topic).kind, payload)

    check()
    return count


def test_no_message_on_any_topic_ends_the_table_or_changes_the_game(rig, caplog):
    with caplog.at_level(logging.CRITICAL):
        fuzz_topics(rig, FEW)
    assert rig.table.refused > FEW / 4


@pytest.mark.proof
def test_six_thousand_messages_on_any_topic(rig, caplog):
    with caplog.at_level(logging.CRITICAL):
        assert fuzz_topics(rig, MANY) >= MANY


def test_what_is_refused_is_counted_and_logged_once_a_minute(rig, caplog):
    """flyte/mqtt-io PR 21: broken JSON on each topic; the service stays and counts it."""
    topics = [rig.topics.of(kind, "node-03") for kind in TopicKind]
    for _ in range(50):
        for topic in topics:
            rig.inbox.put(Received(topic, b"{", rig.now_s))
    rig.settle()
    assert rig.table.refused == 50 * len(topics)
    assert caplog.text.count("refused so far") == 1
    rig.advance(60.0)
    rig.inbox.put(Received(topics[0], b"{", rig.now_s))
    rig.settle()
    assert caplog.text.count("refused so far") == 2
    rig.to_first_day()


def test_a_good_message_with_a_number_out_of_bounds_changes_nothing(rig):
    rig.to_first_day()
    said = Said("00000003", 1, 1, 0.0, 0.0, 0, Press(Button.VOTE, How.EDGE))
    topic = rig.topics.of(TopicKind.SAID, "node-03")
    before = rig.state
    for key in ("n", "oldest", "made_s", "sent_s", "cue"):
        for value in ("-1", "1e400", "9007199254740993", "NaN", "null", '"1"'):
            whole = msgspec.json.decode(encode(said))
            whole[key] = msgspec.Raw(value.encode())
            refused = rig.table.refused
            rig.table.take(Received(topic, msgspec.json.encode(whole), rig.now_s))
            assert rig.table.refused == refused + 1
    assert rig.state == before


# ---- the host's orders ----


@st.composite
def action_texts(draw):
    """JSON that looks like an action of the game, with anything in its fields."""
    kind = draw(st.sampled_from(Action.__args__))
    fields = {
        "do": kind.__struct_config__.tag,
        kind.__struct_config__.tag_field: kind.__struct_config__.tag,
    }
    for name in kind.__struct_fields__:
        fields[name] = draw(COUNTS | st.lists(COUNTS, max_size=10) | st.booleans() | JSON)
    return as_json(fields)


def fuzz_orders(rig, cases):
    rig.to_first_day()
    done = []

    @sizes(cases)
    @given(action_texts() | st.binary(max_size=60) | JSON.map(as_json))
    def check(raw):
        try:
            action = msgspec.json.decode(raw, type=Action)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return
        before, answers = rig.state, []
        rig.table.take(HostOrder(action, answers.append))
        assert len(answers) == 1
        done.append(answers[0] == "")
        if answers[0]:
            assert rig.state == before
        if rig.table.playing.over:
            rig.table.playing.start()

    check()
    return done


def test_no_order_ends_the_table(rig, caplog):
    with caplog.at_level(logging.CRITICAL):
        fuzz_orders(rig, FEW)


@pytest.mark.proof
def test_three_thousand_orders(rig, caplog):
    with caplog.at_level(logging.CRITICAL):
        fuzz_orders(rig, 3000)

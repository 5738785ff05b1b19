"""Whatever comes down to a seat: it is counted and dropped, or shown; the seat lives on."""

import logging

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware.link import Received
from firmware.wire import (
    AskKind,
    Button,
    Cue,
    Icon,
    Lamp,
    Layout,
    Mark,
    PressMode,
    TopicKind,
    encode,
)  # fmt: skip
from seat_node.screens import render

FEW, MANY = 120, 5000
NUMBERS = st.integers(-2, 12) | st.integers(-(1 << 70), 1 << 70)
TIMES = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-5, 100)
TEXTS = st.text(max_size=40)
MENUS = st.fixed_dictionaries(
    {"id": st.integers(0, 3) | NUMBERS,
     "entries": st.lists(st.fixed_dictionaries({"value": NUMBERS, "label": TEXTS}), max_size=12)},
    optional={"marks": st.integers(0, 4) | NUMBERS, "opens": st.booleans(), "title": TEXTS,
              "done": TEXTS, "marked": st.lists(NUMBERS, max_size=4)},
)  # fmt: skip
CUES = st.fixed_dictionaries(
    {"boot": st.sampled_from(["0badcafe"] * 6 + ["other"]), "id": NUMBERS, "heard": NUMBERS},
    optional={
        "by": st.text(max_size=3), "scene": TEXTS, "layout": st.sampled_from(Layout),
        "title": st.text(max_size=300), "lines": st.lists(st.text(max_size=200), max_size=8),
        "icon": st.sampled_from(Icon), "lamp": st.sampled_from(Lamp),
        "clock": st.fixed_dictionaries({"left_s": TIMES}, optional={"runs": st.booleans()}),
        "menu": MENUS, "on_hold": st.lists(TEXTS, max_size=6),
        "press": st.sampled_from(PressMode), "language": st.sampled_from(["en", "ru", "xx", ""]),
        "answer": st.fixed_dictionaries({"n": NUMBERS, "mark": st.sampled_from(Mark)}),
        "ask": st.fixed_dictionaries(
            {"kind": st.sampled_from(AskKind), "id": NUMBERS}, optional={"round": NUMBERS}
        ),
        "back_off_s": st.just(0.0) | TIMES,
    },
)  # fmt: skip


def as_json(value):
    try:
        return msgspec.json.encode(value)
    except (msgspec.MsgspecError, OverflowError, UnicodeEncodeError):
        return repr(value).replace("'", '"').encode("utf-8", "replace")


@st.composite
def payloads(draw):
    payload = draw(CUES.map(as_json) | st.binary(max_size=100))
    cut = draw(st.integers(0, len(payload)))
    how = draw(st.sampled_from(["whole"] * 4 + ["cut", "garbled"]))
    if how == "cut":
        return payload[:cut]
    if how == "garbled":
        return payload[:cut] + draw(st.binary(min_size=1, max_size=3)) + payload[cut + 1 :]
    return payload


def fuzz(rig, cases):
    topic = rig.who.topic(TopicKind.CUE)

    @settings(
        max_examples=cases, deadline=None, derandomize=True, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(payloads(), st.sampled_from(["", "tap", "hold", "back"]))
    def check(payload, fingers):
        rig.seat.take(Received(topic, payload, rig.clock.now_s()), rig.clock.now_s())
        rig.wait(0.06)
        match fingers:
            case "tap":
                rig.tap()
            case "hold":
                rig.hold()
            case "back":
                rig.tap(Button.SHOUT)
        image = render(rig.seat.face)
        assert (image.size, image.mode) == ((128, 64), "1")

    check()


def test_no_cue_ends_a_seat(rig, caplog):
    with caplog.at_level(logging.CRITICAL):
        fuzz(rig, FEW)


@pytest.mark.proof
def test_five_thousand_cues(rig, caplog):
    with caplog.at_level(logging.CRITICAL):
        fuzz(rig, MANY)


def test_wrong_messages_are_counted_and_logged_once_a_minute(rig, caplog):
    topic = rig.who.topic(TopicKind.CUE)
    for _ in range(100):
        rig.seat.take(Received(topic, b"{", rig.clock.now_s()), rig.clock.now_s())
    assert caplog.text.count("wrong messages so far") == 1
    assert rig.seat._wrong == 100
    good = encode(Cue(boot="0badcafe", id=1, heard=0, title="7"))
    rig.seat.take(Received(topic, good, rig.clock.now_s()), rig.clock.now_s())
    assert rig.seat.face.title == "7"

"""What the watchers of a whole game measure, without one."""

from firmware.wire import CUE_SIZE, NIGHT_ANSWER_SIZE, Health, Ping, TopicKind, Topics, encode
from tests.e2e.watchers import plain
from tests.e2e.watchers.lan import paths_of
from tests.e2e.watchers.relay import (
    ACK,
    DOWN,
    MOMENT_S,
    UP,
    About,
    Sizes,
    calls_of,
    late,
    nights_of,
    record,
)

TOPICS = Topics("test")


def test_recordings_differ_where_one_says_something_else_or_more():
    one = {"a": [1, 2, 3], "b": [1], "c": [1]}
    assert plain.differences(one, one) == []
    assert plain.differences(one, one | {"a": [1, 9, 9]}) == [("a", 1, 2, 9)]
    assert plain.differences(one, one | {"b": [1, 2]}) == [("b", 1, None, 2)]
    assert plain.differences(one, {"a": [1, 2, 3], "b": [1]}) == [("c", 0, 1, None)]


def test_of_a_page_only_times_and_tokens_are_left_out():
    body = b'{"age_s":0.12,"board":{"left_s":59.9,"length_s":60.0,"role":"don"}}'
    assert plain.page(body) == b'{"age_s":*,"board":{"left_s":*,"length_s":60.0,"role":"don"}}'
    form = b'<input name="csrf" value="aB-_3"><p>2026-11-30T23:50:04.123+00:00 seat 3'
    assert plain.page(form) == b'<input name="csrf" value="*"><p>*time* seat 3'


def test_of_the_headers_only_the_date_a_right_size_and_tokens_are_left_out():
    pairs = [
        ("Date", "Mon"),
        ("Content-Length", "12"),
        ("ETag", "3"),
        ("Set-Cookie", "mafia_form=x"),
    ]
    assert plain.headers(pairs, 12) == (
        ("Date", "*"), ("Content-Length", "*"), ("ETag", "3"), ("Set-Cookie", "mafia_form=*"),
    )  # fmt: skip
    assert plain.headers(pairs, 13)[1] == ("Content-Length", "12"), "it is longer than it says"


def test_of_a_cue_its_numbers_count_from_the_first():
    messages = plain.Messages()
    cue = b'{"boot":"1","by":"2","id":%d,"ask":{"id":%d},"clock":{"left_s":1.5},"title":"x"}'
    told = [messages.plain("m/down/node-11/cue", cue % each) for each in ((70, 5), (73, 6))]
    assert [(each["id"], each["ask"]["id"]) for _, each in told] == [(0, 0), (3, 1)]
    assert {size for size, _ in told} == {len(cue % (70, 5))}
    assert told[0][1]["clock"] == {"left_s": "*"}
    assert told[0][1]["title"] == "x"


def test_every_rule_becomes_paths_also_one_of_later(tmp_path):
    (tmp_path / "js").mkdir()
    (tmp_path / "js" / "a.js").touch()
    rules = [
        {"rule": "/state", "methods": ["GET", "HEAD"]},
        {"rule": "/host/order", "methods": ["POST"]},
        {"rule": "/later/<int:seat>/<name>", "methods": ["GET"]},
        {"rule": "/static/<path:filename>", "methods": ["GET"]},
    ]
    assert paths_of(rules, tmp_path) == [
        "/later/3/3", "/later/3/current", "/state", "/static/js/a.js",
    ]  # fmt: skip


def test_a_record_is_known_by_its_size_and_nothing_else_is():
    sizes = Sizes("node-03", TOPICS)
    cue = record(TOPICS.of(TopicKind.CUE, "node-03"), CUE_SIZE, 1)
    answer = record(TOPICS.of(TopicKind.SAID, "node-03"), NIGHT_ANSWER_SIZE, 1)
    beat = record(TOPICS.of(TopicKind.PING, "node-03"), len(encode(Ping(77))), 0)
    health = Health("12345678", 123.4, memory_mb=45.6)
    health = record(TOPICS.of(TopicKind.HEALTH, "node-03"), len(encode(health)), 0)
    assert [sizes.name(DOWN, size) for size in (cue, beat, ACK)] == ["cue", "beat", "ack"]
    assert [sizes.name(UP, size) for size in (answer, health)] == ["answer", "health"]
    assert sizes.name(DOWN, cue + 1) == cue + 1
    assert sizes.name(DOWN, cue - 1) == cue - 1
    assert sizes.name(UP, answer + 1) == answer + 1 != "answer"
    assert About(200) == About(205)
    assert About(200) != About(240)


def test_a_call_by_night_is_a_cue_and_all_that_comes_before_the_next():
    cue, answer = (DOWN, "cue"), (UP, "answer")
    seen = [(1.0, *cue), (1.01, UP, "ack"), (1.06, *answer), (1.07, DOWN, "ack"), (2.0, *cue)]
    assert [tuple(round(s, 3) for s in call) for call in calls_of(seen)] == [(1.0, 0.01, 0.06)]
    assert list(nights_of(seen)) == [(("ack", "answer"), ("ack", "cue"))]
    leaked = [*seen[:4], (1.08, DOWN, 2100), *seen[4:]]
    assert list(nights_of(leaked)) != list(nights_of(seen))


def test_only_more_than_jitter_is_late():
    one = {"node-01 cue": 0.0, "node-02 cue": 0.0}
    assert late(one, {"node-01 cue": MOMENT_S / 2, "node-02 cue": 0.0}) == {}
    assert late(one, {"node-01 cue": 0.0, "node-02 cue": -0.05}) == {"node-02 cue": (0.0, -0.05)}

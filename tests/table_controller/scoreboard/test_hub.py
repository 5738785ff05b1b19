import json
from dataclasses import replace as with_
from itertools import pairwise

import pytest
from msgspec.structs import replace

from table_controller.game.model import CountdownKind
from table_controller.scoreboard.board import BoardClock
from table_controller.scoreboard.hub import (
    BACKLOG_MAX,
    STREAMS_KEPT,
    STREAMS_MAX,
    STREAMS_PER_ADDRESS,
    HubFull,
    StreamEnded,
)

PHONE = "192.168.4.20"


def waiting(stream):
    """Return everything that waits in the stream now."""
    news = []
    while (one := stream.take(0)) is not None:
        news.append(one)
    return news


def a_phone(number):
    return f"192.168.4.{number}"


def test_a_viewer_gets_the_latest_board_first_and_then_each_new_one(hub, boards):
    hub.publish(boards["seating"])
    hub.publish(boards["speech"])
    stream = hub.join(PHONE)
    hub.publish(boards["vote"])
    phases = [json.loads(news.board)["game"]["phase"] for news in waiting(stream)]
    assert phases == ["speech", "ballot"]


def test_before_the_first_board_a_viewer_gets_null(hub):
    stream = hub.join(PHONE)
    assert json.loads(hub.body(stream.take(0))) == {"age_s": 0.0, "board": None}


def test_every_viewer_gets_the_same_bytes(hub, boards):
    streams = [hub.join(a_phone(number)) for number in range(3)]
    hub.publish(boards["speech"])
    assert len({waiting(stream)[-1].board for stream in streams}) == 1


def test_an_equal_board_is_sent_once(hub, boards):
    stream = hub.join(PHONE)
    for _ in range(3):
        hub.publish(boards["night"])
    assert len(waiting(stream)) == 2  # the null at first, and the night


def test_a_clock_that_only_ran_on_is_no_news(hub, boards, clock):
    board = boards["speech"]
    hub.publish(board)
    stream = hub.join(PHONE)
    clock.advance(7.0)
    hub.publish(replace(board, clocks=(replace(board.clocks[0], left_s=35.4),)))
    assert len(waiting(stream)) == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"left_s": 36.0},
        {"runs": False, "left_s": 35.4},
        {"kind": CountdownKind.PICK, "left_s": 35.4},
        {"seat": 6, "left_s": 35.4},
    ],
    ids=["set", "stopped", "another", "another's"],
)
def test_a_clock_that_did_anything_else_is_news(hub, boards, clock, changed):
    board = boards["speech"]
    hub.publish(board)
    stream = hub.join(PHONE)
    clock.advance(7.0)
    hub.publish(replace(board, clocks=(replace(board.clocks[0], **changed),)))
    assert len(waiting(stream)) == 2


def test_a_standing_clock_is_no_news_however_late(hub, boards, clock):
    hub.publish(boards["paused"])
    stream = hub.join(PHONE)
    clock.advance(600.0)
    hub.publish(boards["paused"])
    assert len(waiting(stream)) == 1


def test_a_clock_that_opens_is_news(hub, boards):
    board = boards["speech"]
    hub.publish(board)
    stream = hub.join(PHONE)
    shout = BoardClock(kind=CountdownKind.SHOUT, seat=1, left_s=5.0, length_s=5.0, runs=True)
    hub.publish(replace(board, clocks=(shout, *board.clocks)))
    assert len(waiting(stream)) == 2


def test_a_board_is_sent_with_its_age(hub, boards, clock):
    hub.publish(boards["speech"])
    clock.advance(12.25)
    late = hub.join(PHONE)
    assert json.loads(hub.body(late.take(0)))["age_s"] == 12.25
    assert json.loads(hub.latest())["age_s"] == 12.25


def test_nothing_that_is_sent_counts(hub, boards):
    stream = hub.join(PHONE)
    for _ in range(5):
        for name in ("farewell", "night"):
            hub.publish(boards[name])
    nights = [hub.body(news) for news in waiting(stream) if b'"phase":"night"' in news.board]
    assert len(nights) == 5
    assert all(before == after for before, after in pairwise(nights))


def test_a_viewer_that_does_not_read_is_dropped_and_the_others_stay(hub, boards):
    slow, quick = hub.join(a_phone(1)), hub.join(a_phone(2))
    for number in range(BACKLOG_MAX):
        hub.publish(replace(boards["night"], notice=str(number)))
        waiting(quick)
    assert hub.streams == 1
    with pytest.raises(StreamEnded):
        slow.take(0)
    hub.publish(boards["over"])
    assert len(waiting(quick)) == 1


def test_what_can_go_at_once_goes_at_once_and_overtakes_nothing(hub, boards):
    sent, ready = [], True

    def send(news):
        sent.extend([news] if ready else [])
        return ready

    stream = hub.join(PHONE)
    stream.send = send
    hub.publish(boards["seating"])
    assert (len(waiting(stream)), sent) == (2, [])  # the null was before it
    hub.publish(boards["speech"])
    assert (waiting(stream), len(sent)) == ([], 1)
    ready = False
    hub.publish(boards["vote"])
    taken = stream.take(0)
    ready = True
    hub.publish(boards["night"])
    assert len(sent) == 1, "it overtook what the reader has still to send"
    assert [taken, *waiting(stream)] != [taken]
    hub.publish(boards["over"])
    assert [b'"winner":"town"' in news.board for news in sent] == [False, True]


def test_an_address_holds_at_most_its_share(hub):
    held = [hub.join(PHONE) for _ in range(STREAMS_PER_ADDRESS)]
    with pytest.raises(HubFull, match=PHONE):
        hub.join(PHONE)
    hub.join(a_phone(99))
    hub.leave(held[0])
    hub.join(PHONE)


def test_phones_leave_the_last_streams_to_the_tables_own_screens(hub):
    phones = STREAMS_MAX - STREAMS_KEPT
    for number in range(phones):
        hub.join(a_phone(number))
    with pytest.raises(HubFull):
        hub.join(a_phone(200))
    for _ in range(STREAMS_KEPT):
        hub.join("127.0.0.1")
    assert hub.streams == STREAMS_MAX
    with pytest.raises(HubFull):
        hub.join("127.0.0.1")


def test_close_ends_all_streams_and_takes_no_more(hub, boards):
    hub.publish(boards["speech"])
    stream = hub.join(PHONE)
    hub.close()
    with pytest.raises(StreamEnded):
        stream.take(0)
    with pytest.raises(HubFull):
        hub.join(PHONE)
    assert hub.streams == 0


def test_an_age_is_never_negative(hub, boards):
    hub.publish(boards["speech"])
    (news,) = waiting(hub.join(PHONE))
    assert json.loads(with_(news, made_s=news.made_s + 5).body(news.made_s))["age_s"] == 0.0

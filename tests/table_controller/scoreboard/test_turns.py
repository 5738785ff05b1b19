"""Many phones that ask for what costs the processor something, all at once."""

import threading

import pytest

from table_controller.scoreboard import create_app
from table_controller.scoreboard.hub import STREAMS_MAX
from table_controller.scoreboard.turns import SPARE, Turns

PATIENCE_S = 10


@pytest.fixture
def slow(hub):
    """Pages that take until ``go`` is set, and say how many were made at one time."""
    app = create_app(hub, "en")
    app.go, app.made, app.most = threading.Event(), threading.Semaphore(0), 0
    lock, now = threading.Lock(), []

    @app.get("/games/slow")
    @app.get("/ratings.slow")
    @app.get("/players/slow")
    def slowly():
        with lock:
            now.append(1)
            app.most = max(app.most, len(now))
        app.made.release()
        assert app.go.wait(PATIENCE_S)
        with lock:
            now.pop()
        return "made"

    @app.get("/games/broken")
    def broken():
        raise ValueError

    yield app
    app.go.set()


def asking(app, paths):
    """Ask for *paths*, each in a thread of its own; return the threads and what they got."""
    got = []
    threads = [
        threading.Thread(target=lambda path=path: got.append(app.test_client().get(path)))
        for path in paths
    ]
    for thread in threads:
        thread.start()
    return threads, got


def test_phones_that_all_read_records_leave_the_processor_to_the_table(slow):
    threads, got = asking(slow, ["/games/slow", "/ratings.slow", "/players/slow"] * 4)
    assert slow.made.acquire(timeout=PATIENCE_S)
    assert not slow.made.acquire(timeout=0.3)  # no second one begins
    slow.go.set()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert [answer.text for answer in got] == ["made"] * 12
    assert slow.most == 1


def test_the_table_page_waits_for_no_record(slow):
    threads, _ = asking(slow, ["/games/slow"])
    assert slow.made.acquire(timeout=PATIENCE_S)
    client = slow.test_client()
    for path in ("/", "/state", "/healthz", "/rules", "/devices"):
        assert client.get(path).status_code == 200
    slow.go.set()
    threads[0].join(PATIENCE_S)


def test_records_take_no_thread_that_a_stream_or_the_host_needs(slow, hub):
    """With every stream taken only some threads are left."""
    for number in range(STREAMS_MAX):
        hub.join("127.0.0.1" if number >= STREAMS_MAX - 4 else f"192.0.2.{number}")
    threads, got = asking(slow, ["/games/slow"] * (SPARE + 5))
    assert slow.made.acquire(timeout=PATIENCE_S)
    refused = 0
    while refused < 4:  # one is made, SPARE wait
        threads[refused % len(threads)].join(0.05)
        refused = len(got)
    assert [answer.status_code for answer in got] == [503] * 4
    assert got[0].headers["Retry-After"] == "2"
    assert got[0].headers["Content-Security-Policy"]
    slow.go.set()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert sorted(answer.status_code for answer in got) == [200] * (SPARE + 1) + [503] * 4


def test_a_page_that_fails_gives_its_turn_on(slow):
    slow.go.set()
    client = slow.test_client()
    for path in ("/games/broken", "/games/none", "/games/broken", "/ratings.slow"):
        last = client.get(path)
    assert last.status_code == 200


def test_whoever_waits_too_long_is_refused():
    turns = Turns(lambda: 1, wait_s=0.01)
    assert turns.take()
    assert not turns.take()
    turns.give()
    assert turns.take()

import json
import socket
import threading
import urllib.error
import urllib.request

import pytest
from flask import Response, request
from msgspec.structs import replace

from firmware.errors import BoardError
from table_controller.scoreboard import create_app
from table_controller.scoreboard.channels import SEND
from table_controller.scoreboard.hub import BACKLOG_MAX, STREAMS_MAX, STREAMS_PER_ADDRESS
from table_controller.scoreboard.serve import serve


def get(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.read()


def test_a_viewer_sees_each_board_as_it_is_published(serving, viewer, hub, boards, clock):
    hub.publish(boards["seating"])
    clock.advance(1.5)
    stream = viewer(serving(hub).port)
    assert stream.head() == 200
    assert stream.headers["content-type"].startswith("text/event-stream")
    assert stream.headers["cache-control"] == "no-store"
    assert stream.headers["x-accel-buffering"] == "no"
    first = json.loads(stream.news())
    hub.publish(boards["vote"])
    second = json.loads(stream.news())
    assert (first["age_s"], first["board"]["game"]["phase"]) == (1.5, "seating")
    assert (second["age_s"], second["board"]["game"]["called"]) == (0.0, 8)


def test_events_have_no_id(serving, viewer, hub, boards):
    stream = viewer(serving(hub).port)
    stream.head()
    seen = [stream.event(), stream.event()]
    hub.publish(boards["night"])
    seen.append(stream.event())
    assert [set(event) for event in seen] == [{"retry"}, {"data"}, {"data"}]


def test_a_stream_without_news_beats(serving, viewer, hub):
    stream = viewer(serving(hub, beat_s=0.02).port)
    stream.head()
    stream.news()
    assert [stream.event() for _ in range(3)] == [{"event": "beat", "data": ""}] * 3


def test_a_phone_too_many_is_asked_to_poll(serving, viewer, hub, boards):
    hub.publish(boards["speech"])
    running = serving(hub)
    for _ in range(STREAMS_PER_ADDRESS):
        assert viewer(running.port, "127.0.0.2").head() == 200
    refused = viewer(running.port, "127.0.0.2")
    assert refused.head() == 503
    assert int(refused.headers["retry-after"]) > 0
    assert json.loads(get(f"{running.url}/state"))["board"]["table"] == "t1"
    assert viewer(running.port, "127.0.0.3").head() == 200


def test_all_streams_at_once_leave_threads_for_everything_else(serving, viewer, hub, boards):
    running = serving(hub)
    viewers = [viewer(running.port) for _ in range(STREAMS_MAX)]
    assert {stream.head() for stream in viewers} == {200}
    assert viewer(running.port).head() == 503
    hub.publish(boards["vote"])
    for stream in viewers:
        assert stream.news() == '{"age_s":0.000,"board":null}'
        assert '"called":8' in stream.news()
    assert b"Waiting for players" in get(running.url)


def test_a_viewer_that_goes_frees_its_stream(serving, viewer, hub):
    stream = viewer(serving(hub, beat_s=0.02).port)
    stream.head()
    assert hub.streams == 1
    stream.close()
    assert hub.wait(lambda hub: hub.streams == 0)


def flood(hub, board, quick):
    """Publish boards until the viewer that does not read is dropped; return how many."""
    long = "x" * 4000
    for number in range(200):
        hub.publish(replace(board, notice=f"{number}{long}"))
        assert quick.news()
        if hub.streams == 1:
            return number + 1
    pytest.fail("never dropped")


def test_a_part_is_sent_past_the_thread_that_waits_once_all_before_it_has_gone(hub, viewer):
    app = create_app(hub, "en")
    sends, end = [], threading.Event()

    @app.get("/parts")
    def parts():
        send = request.environ[SEND]
        sends.append((send, send(b"before the head")))

        def body():
            yield b"event: one\n\n"
            end.wait(10)
            yield b"event: three\n\n"

        return Response(body(), mimetype="text/event-stream")

    server = serve(app, "127.0.0.1", 0)
    stream = viewer(server.port, path="/parts")
    assert (stream.head(), stream.event()) == (200, {"event": "one"})
    ((send, early),) = sends
    assert not early
    # Its own thread may still be about to note that the first has gone.
    assert any(send(b"event: two\n\n") or end.wait(0.01) for _ in range(500))
    assert stream.event() == {"event": "two"}
    while send(b"x" * 65536):
        pass  # until the viewer, who reads nothing, has enough
    stream.close()
    end.set()
    server.stop()
    assert not send(b"nobody is there")


def test_a_viewer_that_stops_reading_is_dropped_and_the_others_go_on(serving, viewer, hub, boards):
    running = serving(hub, stall_s=600.0)
    quick, slow = viewer(running.port), viewer(running.port, receive=4096)
    assert (quick.head(), slow.head()) == (200, 200)
    quick.news()
    assert flood(hub, boards["night"], quick) >= BACKLOG_MAX
    hub.publish(boards["over"])
    assert '"winner":"town"' in quick.news()
    running.server.stop()
    assert [each.name for each in threading.enumerate() if "waitress" in each.name] == []


def test_a_viewer_that_takes_nothing_gives_its_thread_back(serving, viewer, hub, boards):
    running = serving(hub, stall_s=0.3)
    quick, slow = viewer(running.port), viewer(running.port, receive=4096)
    assert (quick.head(), slow.head()) == (200, 200)
    quick.news()
    flood(hub, boards["night"], quick)
    assert hub.wait(lambda hub: hub.left == 1), "the thread still waits for the slow viewer"


def test_stop_ends_streams_threads_and_gives_the_port_back(viewer, hub):
    before = set(threading.enumerate())
    server = serve(create_app(hub, "en", beat_s=60.0), "127.0.0.1", 0)
    stream = viewer(server.port)
    stream.head()
    stream.news()
    server.stop()
    assert stream.event() == {}
    assert {thread.name for thread in set(threading.enumerate()) - before} == set()
    again = serve(create_app(hub, "en"), "127.0.0.1", server.port)
    again.stop()


def test_a_busy_port_is_one_clear_line(hub):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(BoardError, match=f"^port {port} is in use .* --port$"):
            serve(create_app(hub, "en"), "127.0.0.1", port)


def test_an_address_of_another_machine_is_one_clear_line(hub):
    with pytest.raises(BoardError, match=r"^cannot listen on 192\.0\.2\.1 port 0: "):
        serve(create_app(hub, "en"), "192.0.2.1", 0)


def test_an_unknown_path_is_not_found(serving, hub):
    with pytest.raises(urllib.error.HTTPError) as refused:
        get(f"{serving(hub).url}/journal")
    with refused.value as answer:
        assert answer.code == 404

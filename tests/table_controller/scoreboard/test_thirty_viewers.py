"""Displays that stop until somebody reloads them (scorekeeper 836, Flask-SocketIO 939)."""

import json

VIEWERS = 30


def phases(streams):
    return {json.loads(stream.news())["board"]["game"]["phase"] for stream in streams}


def test_thirty_displays_beat_while_the_table_is_held_up_and_all_see_what_follows(
    serving, viewer, hub, boards
):
    hub.publish(boards["seating"])
    port = serving(hub, beat_s=0.05).port
    streams = [viewer(port) for _ in range(VIEWERS)]
    assert {stream.head() for stream in streams} == {200}
    assert phases(streams) == {"seating"}
    # Nobody publishes: the streams live on by themselves.
    for stream in streams:
        assert stream.event().get("event") == "beat"
    hub.publish(boards["vote"])
    assert phases(streams) == {"ballot"}


def test_thirty_displays_find_the_table_again_after_its_restart(serving, viewer, hub, boards):
    hub.publish(boards["seating"])
    first = serving(hub)
    streams = [viewer(first.port) for _ in range(VIEWERS)]
    assert {stream.head() for stream in streams} == {200}
    first.server.stop()
    again = type(hub)(hub._clock)
    again.publish(boards["vote"])
    second = serving(again, port=first.port)
    streams = [viewer(second.port) for _ in range(VIEWERS)]
    assert {stream.head() for stream in streams} == {200}
    assert phases(streams) == {"ballot"}

"""The host switches a seat's camera off: nothing is known of its chair and its hands any more."""

import json

import pytest

from firmware.wire import Absent, Forbidden, Gesture, GestureName, Look, Presence, Present
from seat_node.reports import Chair, Hand
from table_controller.game import SEATS, Phase, actions
from table_controller.host.orders import Camera, HostOrder
from table_controller.nodes import Nodes
from table_controller.readiness import CameraState, camera_of


def order(rig, action):
    told = []
    rig.inbox.put(HostOrder(action, told.append))
    rig.settle()
    return told


def switch(rig, seat, *, on):
    assert order(rig, Camera(seat, on)) == [""]


@pytest.fixture
def day(rig):
    rig.to_first_day()
    return rig


def look(rig, seat):
    return rig.show.nodes.at(seat).cue.look


def test_its_eyes_are_told_to_close_and_nobody_elses(day):
    switch(day, 4, on=False)
    assert look(day, 4) == Look(off=True)
    assert day.show.nodes.at(4).cue.absence is None
    assert day.seats[4].seat._wish.off
    assert {seat for seat in SEATS if look(day, seat).off} == {4}
    assert day.seats[4].face.lines == ("Camera off",)
    switch(day, 4, on=True)
    assert not look(day, 4).off
    assert not day.seats[4].seat._wish.off
    assert day.seats[4].face.lines == ()


def test_it_stays_off_through_the_evening(day):
    switch(day, 4, on=False)
    for phase in (Phase.NIGHTFALL, Phase.CALLING, Phase.MORNING):
        while day.phase is not phase:
            if day.phase is Phase.SPEECH:
                day.end_floor(day.state.floor)
            day.advance(0.5)
        assert look(day, 4) == Look(off=True)
    order(day, actions.Pause())
    assert look(day, 4) == Look(off=True)


def test_what_it_saw_is_known_no_more(day):
    day.seats[4].inbox.put(Chair(Presence.PRESENT, day.now_s))
    day.settle()
    assert day.show.nodes.at(4).presence is Presence.PRESENT
    switch(day, 4, on=False)
    assert day.show.nodes.at(4).presence is Presence.UNKNOWN


def test_what_it_still_says_opens_no_grounds_and_is_on_no_board(day):
    switch(day, 4, on=False)
    seat = day.seats[4].seat
    for what in (
        Present(Presence.AWAY, day.now_s - 20.0),
        Absent(day.now_s - 16.0, day.now_s),
        Forbidden(0.99),
    ):
        seat._say(what)
    # As eyes would that have not heard of it yet.
    seat._say(Gesture(GestureName.FIST, 0, 0.9))
    day.settle()
    assert day.state.grounds == ()
    assert day.show.nodes.at(4).presence is Presence.UNKNOWN
    assert day.show.board.seats[3].gesture == ""
    assert seat._outbox.next_due_s is None


def test_a_hand_that_the_eyes_show_late_is_not_told(day):
    switch(day, 4, on=False)
    day.seats[4].inbox.put(Hand(GestureName.FIST, 0, 0.9, day.now_s))
    day.settle()
    assert day.show.board.seats[3].gesture == ""


def test_by_night_no_seat_gets_a_cue_of_its_own(day):
    while day.phase is not Phase.CALLING:
        if day.phase is Phase.SPEECH:
            day.end_floor(day.state.floor)
        day.advance(0.5)
    before = {seat: day.show.nodes.at(seat).cues for seat in SEATS}
    switch(day, 4, on=False)
    assert {day.show.nodes.at(seat).cues - before[seat] for seat in SEATS} == {1}


def test_it_is_kept_over_a_restart_and_follows_the_seat(day):
    switch(day, 4, on=False)
    day.kill_table()
    day.advance(1.0)
    day.start_table()
    day.settle()
    assert look(day, 4) == Look(off=True)
    day.table.asides.swap(4, "node-11")
    nodes = Nodes()
    day.kept.read_into(nodes)
    assert nodes.cameras_off == {4}
    assert nodes.camera_off(nodes.by_user["node-11"])
    assert not nodes.camera_off(nodes.by_user["node-04"])


def test_a_file_of_before_has_all_cameras_on(tmp_path, rig):
    users = [f"node-{number:02d}" for number in (2, 1, *range(3, 11))]
    rig.kept._path.write_text(json.dumps(users))
    nodes = Nodes()
    rig.kept.read_into(nodes)
    assert (nodes.users(), nodes.cameras_off) == (tuple(users), frozenset())


def test_there_is_no_camera_of_seat_eleven(rig):
    assert order(rig, Camera(11, on=False)) == ["Choose a seat of the table."]


def test_the_host_reads_that_it_is_off(day):
    node = day.show.nodes.at(4)
    node.parts = (*node.parts, "eyes")
    switch(day, 4, on=False)
    day.advance(1.5)
    sheet = day.sheets._latest.sheet
    assert sheet.seats[3].camera == "off"
    assert "camera" in sheet.orders
    assert camera_of(node, off=True) is CameraState.OFF


def test_before_a_game_too(rig):
    switch(rig, 4, on=False)
    assert look(rig, 4) == Look(off=True)
    assert rig.seats[4].face.lines == ("Hold VOTE to start", "Camera off")

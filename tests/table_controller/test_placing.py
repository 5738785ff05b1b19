"""Press to identify: which device stands at which seat."""

import json
import stat

import pytest

from firmware.wire import Button, Lamp, PressMode
from seat_node.face import Reply
from table_controller.game import SEATS, Phase, actions
from table_controller.host.orders import HostOrder, Identify, Place, Swap
from table_controller.kept_seats import KeptSeats
from table_controller.nodes import Nodes
from table_controller.placing import PLACE_S, PlaceStep
from tests.table_controller.conftest import SeatOnTheRig


def order(rig, what):
    answers = []
    rig.table.take(HostOrder(what, answers.append))
    rig.settle()
    return answers[0]


def spare(rig, number):
    rig.seats[number] = SeatOnTheRig(rig, f"node-{number}", f"{number:08x}")
    rig.seats[number].link.__enter__()
    rig.settle()
    return rig.seats[number]


def users(rig):
    return rig.show.nodes.users()


def places(rig, *chairs):
    """Let who sits at seats 1, 2 ... press in turn; *chairs* are the devices they have."""
    for chair in chairs:
        rig.press(chair)


# ---- identify ----


def test_identify_blinks_the_lamp_and_shows_the_number_big_for_ten_seconds(rig):
    assert order(rig, Identify(seat=3)) == ""
    face = rig.seats[3].face
    assert (face.scene, face.title, face.lamp) == ("identify", "3", Lamp.FAST)
    assert rig.seats[4].face.scene == "idle"
    rig.advance(9.8)
    assert rig.seats[3].face.scene == "identify"
    rig.advance(0.4)
    assert (rig.seats[3].face.scene, rig.seats[3].face.lamp) == ("idle", Lamp.OFF)


def test_a_second_order_ends_it(rig):
    assert order(rig, Identify(seat=3, for_s=60.0)) == ""
    assert order(rig, Identify(node="node-03")) == ""
    assert rig.seats[3].face.scene == "idle"


def test_a_spare_shows_its_name(rig):
    eleven = spare(rig, 11)
    assert order(rig, Identify(node="node-11")) == ""
    assert (eleven.face.scene, eleven.face.title) == ("identify", "node-11")


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (Identify(), "a seat or a device"),
        (Identify(seat=11), "a seat or a device"),
        (Identify(node="node-99"), "a seat or a device"),
        (Identify(seat=3, node="node-04"), "a seat or a device"),
        (Identify(seat=3, for_s=0.0), "for up to 120 s"),
        (Identify(seat=3, for_s=float("nan")), "for up to 120 s"),
        (Identify(node="node-12"), "not on the link"),
    ],
)
def test_an_order_that_names_no_device_is_refused(rig, wrong, why):
    assert why in order(rig, wrong)
    assert {rig.seats[seat].face.scene for seat in SEATS} == {"idle"}


def test_by_day_the_buttons_work_as_before_while_a_device_shows_itself(rig):
    rig.to_first_day()
    speaker = rig.state.floor
    assert order(rig, Identify(seat=speaker)) == ""
    assert rig.seats[speaker].face.press is PressMode.RELEASE
    rig.press(speaker)
    assert rig.seats[speaker].face.rows
    rig.press(speaker, button=Button.SHOUT)
    rig.shout(7)
    assert rig.show.board.game.shout == 7
    rig.end_floor(speaker)


def test_by_night_it_is_refused_with_the_reason_and_one_that_is_on_ends(rig):
    rig.to_first_day()
    while rig.phase is Phase.SPEECH:
        if rig.state.floor == SEATS[-1]:
            assert order(rig, Identify(seat=3, for_s=120.0)) == ""
        rig.end_floor(rig.state.floor)
    rig.until_phase(Phase.NIGHTFALL, Phase.CALLING)
    assert {rig.seats[seat].face.lamp for seat in SEATS} == {Lamp.OFF}
    assert len({rig.seats[seat].face.scene for seat in SEATS}) == 1
    assert "morning" in order(rig, Identify(seat=3))
    assert order(rig, actions.Pause()) == ""
    assert "morning" in order(rig, Identify(seat=3))
    assert len({rig.seats[seat].face.scene for seat in SEATS}) == 1


# ---- placing ----


def test_symptom_25_two_devices_that_were_exchanged_show_it_and_are_put_right(rig):
    """A panel scored for the wrong side: two seats' cards were exchanged.

    Who sits at 3 has the device of 5, and the other way round.
    """
    assert order(rig, Identify(seat=3)) == ""
    assert rig.seats[3].face.scene == "identify"  # It blinks at 5's place.
    assert order(rig, Identify(seat=3)) == ""
    assert order(rig, Place()) == ""
    assert {rig.seats[seat].face.title for seat in SEATS} == {"1"}
    places(rig, 1, 2)
    assert rig.seats[5].face.lines == ("Press VOTE to be seat 3",)
    places(rig, 5)
    assert (rig.seats[5].face.title, rig.seats[5].face.lines) == ("3", ("This is seat 3",))
    places(rig, 4, 3, 6, 7, 8, 9, 10)
    assert users(rig)[2::2][:2] == ("node-05", "node-03")
    assert {rig.seats[seat].face.scene for seat in SEATS} == {"idle"}
    assert order(rig, Identify(seat=3)) == ""
    assert (rig.seats[5].face.scene, rig.seats[5].face.title) == ("identify", "3")
    # And it plays for that side.
    rig.start_game()
    rig.until_phase(Phase.SPEECH)
    rig.shout(5)
    assert rig.show.board.game.shout == 3


def test_a_game_that_is_before_its_deal_has_the_placing_in_its_journal(rig):
    rig.all_hold()
    assert order(rig, Place()) == ""
    places(rig, 2, 1, *SEATS[2:])
    assert rig.phase is Phase.SEATING
    assert rig.state.ready == ()
    (rig.folder.parent / "seats.json").unlink()
    rig.kill_table()
    rig.start_table()
    assert users(rig)[:3] == ("node-02", "node-01", "node-03")


def test_the_seats_devices_are_kept_between_games_and_over_a_restart(rig):
    spare(rig, 11)
    assert order(rig, Swap(4, "node-11")) == ""
    path = rig.folder.parent / "seats.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert json.loads(path.read_bytes())["nodes"] == list(users(rig))
    rig.kill_table()
    rig.start_table()
    assert rig.state is None
    assert users(rig)[3] == "node-11"


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\x00", b"[]", b"[" * 5000, b'["node-01"]', json.dumps(["node-01"] * 10).encode()],
)
def test_a_garbled_file_leaves_each_device_at_its_own_seat(tmp_path, content):
    path = tmp_path / "seats.json"
    path.write_bytes(content)
    nodes = Nodes()
    KeptSeats(path).read_into(nodes)
    assert nodes.users() == Nodes().users()


def test_a_disk_that_keeps_nothing_stops_no_swap(rig, caplog):
    path = rig.folder.parent / "seats.json"
    path.mkdir()
    (path / "in the way").touch()
    with caplog.at_level("WARNING", logger="table_controller.kept_seats"):
        assert order(rig, Swap(3, "node-04")) == ""
    assert users(rig)[2] == "node-04"
    assert "until the stop only" in caplog.text


def test_skip_finish_and_cancel(rig):
    eleven = spare(rig, 11)
    assert "No devices" in order(rig, Place(PlaceStep.SKIP))
    assert order(rig, Place()) == ""
    assert order(rig, Place(PlaceStep.SKIP)) == ""
    assert eleven.face.title == "2"
    places(rig, 11)
    assert users(rig)[1] == "node-02"
    assert order(rig, Place(PlaceStep.FINISH)) == ""
    assert users(rig)[:3] == ("node-01", "node-11", "node-03")
    assert order(rig, Place()) == ""
    places(rig, 5, 6)
    assert order(rig, Place(PlaceStep.CANCEL)) == ""
    assert users(rig)[:3] == ("node-01", "node-11", "node-03")
    assert order(rig, Place()) == ""
    for _ in SEATS:
        assert order(rig, Place(PlaceStep.SKIP)) == ""
    assert eleven.face.scene == "idle"


def test_of_two_fingers_at_once_the_second_is_too_late_and_one_device_has_one_seat(rig):
    assert order(rig, Place()) == ""
    rig.press(4, 6)
    assert rig.table.asides.placing.placed == {"node-04": 1}
    assert rig.seats[6].face.reply is Reply.LATE
    rig.press(4)
    assert rig.table.asides.placing.asks == 2


def test_all_who_hold_vote_while_devices_are_placed_begin_no_game(rig):
    assert order(rig, Place()) == ""
    rig.all_hold()
    rig.advance(3.0)
    assert rig.state is None


def test_no_device_is_placed_in_a_game(rig):
    rig.to_first_day()
    assert "before a deal or between games" in order(rig, Place())
    assert rig.seats[4].face.scene == "day"


def test_placing_is_over_when_the_game_goes_on(rig):
    rig.all_hold()
    assert order(rig, Place()) == ""
    for seat in SEATS:
        assert order(rig, actions.Ready(seat)) == ""
    assert rig.phase is Phase.LOOK
    assert {rig.seats[seat].face.scene for seat in SEATS} == {"card"}


def test_a_finger_that_came_second_at_the_last_seat_is_no_ready_for_the_deal(rig):
    rig.all_hold()
    assert order(rig, Place()) == ""
    places(rig, *SEATS[:9])
    rig.down(10)
    rig.advance(0.01)
    rig.down(2)
    rig.advance(0.1)
    rig.up(10)
    rig.advance(0.01)
    rig.up(2)
    rig.advance(0.1)
    assert rig.table.asides.placing.asks == 0
    assert rig.seats[2].face.reply is Reply.LATE
    assert rig.state.ready == ()
    rig.press(2)
    assert rig.state.ready == (2,)


def test_a_placing_whose_host_has_gone_holds_up_no_game(rig):
    rig.broker.lose("node-10")
    assert order(rig, Place()) == ""
    places(rig, 2, 1, *SEATS[2:9])
    rig.broker.restore("node-10")
    rig.advance(PLACE_S - 2.0)
    assert rig.table.asides.placing.asks == 10
    rig.advance(2.0)
    assert rig.table.asides.placing.asks == 0
    assert users(rig)[:2] == ("node-01", "node-02")
    rig.all_hold()
    assert rig.phase is Phase.SEATING

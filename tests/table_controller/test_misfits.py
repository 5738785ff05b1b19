"""A device whose kit does not fit the table's: known, told of, and no part of a game."""

import logging

import pytest

from firmware.wire import NODES, Button, How, Press, PressMode, TopicKind
from table_controller.game import SEATS, Phase
from table_controller.host.notices import NoticeKind
from table_controller.host.orders import HostOrder, NewGame, Swap
from table_controller.readiness import ButtonState
from table_controller.scoreboard import create_app

from .conftest import NAMES, VERSION, Rig

OTHER = "0.2.0"
WHY = (
    "The table has kit 0.1.0, the devices of these seats have another: 3 (0.2.0). "
    "Update them: mafia-table update"
)


def comes_with(rig, seat, version, boot="bbbbbbbb"):
    """Let another start of the device of *seat* come with the kit *version*."""
    rig.broker.part(rig.seats[seat].link, "updated", will=False, for_ever=True)
    rig.seats[seat] = type(rig.seats[seat])(rig, NODES[seat - 1], boot, version)
    rig.seats[seat].link.__enter__()
    rig.settle()


def order(rig, order):
    told = []
    rig.inbox.put(HostOrder(order, told.append))
    rig.settle()
    return told


def sheet_of(rig):
    rig.advance(0.2)
    return rig.sheets.sheet


def devices_page(rig):
    rig.settle()
    return create_app(rig.hub, "en", posted=rig.posted).test_client().get("/devices").text


@pytest.mark.parametrize("version", [OTHER, "", "nonsense", "0.1.0rc1"])
def test_its_own_screen_says_what_it_has_and_what_the_table_has(rig, version):
    comes_with(rig, 3, version)
    face = rig.seats[3].face
    shown = version if version in (OTHER, "0.1.0rc1") else "?"
    assert (face.scene, face.title) == ("misfit", "Update")
    assert face.lines == (f"kit {shown}", "table 0.1.0")
    assert face.press is PressMode.OFF
    assert rig.seats[4].face.scene == "idle"


def test_a_version_of_the_same_series_plays(rig):
    comes_with(rig, 3, "0.1.9")
    assert rig.seats[3].face.scene == "idle"
    rig.to_first_day()
    assert rig.phase is Phase.SPEECH


def test_a_version_as_long_as_a_payload_is_told_as_none(rig):
    comes_with(rig, 3, "9" * 9000)
    assert rig.seats[3].face.lines == ("kit ?", "table 0.1.0")
    assert "99999" not in devices_page(rig)
    assert sheet_of(rig).seats[2].kit == "?"


def test_no_game_is_started_with_it_and_the_refusal_tells_both_versions_and_what_to_do(rig):
    comes_with(rig, 3, OTHER)
    game = NewGame(players=NAMES, ids=("",) * 10, fixed=False, ruleset="default")
    assert order(rig, game) == [WHY]
    assert rig.state is None
    rig.all_hold()
    assert rig.state is None
    comes_with(rig, 3, VERSION, boot="cccccccc")
    rig.all_hold()
    assert rig.phase is Phase.SEATING


def test_a_device_that_is_gone_keeps_no_game_from_being_started(rig):
    comes_with(rig, 3, OTHER)
    rig.broker.part(rig.seats[3].link, "pulled", will=True, for_ever=True)
    rig.settle()
    game = NewGame(players=NAMES, ids=("",) * 10, fixed=False, ruleset="default")
    assert order(rig, game) == [""]


def test_it_gets_no_seat_by_a_swap(rig):
    comes_with(rig, 3, OTHER)
    (why,) = order(rig, Swap(seat=5, node="node-03"))
    assert why == (
        "node-03 has kit 0.2.0, the table has 0.1.0: it does not play. "
        "Update it: mafia-table update"
    )
    assert rig.show.nodes.at(5).user == "node-05"


def test_the_host_and_by_day_the_room_read_both_versions(rig):
    comes_with(rig, 3, OTHER)
    sheet = sheet_of(rig)
    assert [seat.seat for seat in sheet.seats if seat.kit] == [3]
    assert (sheet.seats[2].kit, sheet.seats[2].online, sheet.kit) == (OTHER, False, VERSION)
    page = devices_page(rig)
    assert "does not play" in page
    assert "kit 0.2.0, the table has 0.1.0; update it: mafia-table update" in page
    assert page.count("mafia-table update") == 1


def test_in_a_game_it_is_a_lost_seat_until_a_fitting_one_is_back(rig):
    rig.to_first_day()
    comes_with(rig, 1, OTHER)
    left_s = rig.show.board.clocks[0].left_s
    rig.advance(20.0)
    assert rig.state.floor == 1
    assert not rig.show.board.clocks[0].runs
    assert rig.show.board.clocks[0].left_s == pytest.approx(left_s, abs=0.2)
    assert not rig.show.board.seats[0].online
    assert [notice.kind for notice in rig.table.notices.all] == [NoticeKind.SEAT_LOST]
    comes_with(rig, 1, VERSION, boot="cccccccc")
    rig.advance(0.5)
    assert rig.show.board.clocks[0].runs
    assert rig.show.board.seats[0].online


def test_nothing_that_it_says_counts_and_the_log_tells_of_it_once(rig, caplog):
    rig.to_first_day()
    with caplog.at_level(logging.WARNING):
        comes_with(rig, 2, OTHER)
        # It may be an older program that presses all the same.
        seat = rig.seats[2].seat
        for _ in range(5):
            seat._outbox.say(Press(Button.SHOUT, How.TAP), rig.now_s, 0, rig.now_s)
            rig.advance(1.0)
    assert rig.table._hearing.misfits > 5
    assert rig.show.board.game.shout in (0, None)
    assert rig.table._nodes.by_user["node-02"].last == 0
    assert caplog.text.count("node-02 has kit 0.2.0, the table 0.1.0") == 1


def test_in_the_readiness_round_it_has_shown_nothing(tmp_path, clock):
    rig = Rig(tmp_path / "journal", clock, readiness=True)
    rig.all_hold()
    rig.press(*SEATS)
    assert rig.table.asides.readiness.seat(3).vote is ButtonState.PRESSED
    comes_with(rig, 3, OTHER)
    seat = rig.table.asides.readiness.seat(3)
    assert (seat.online, seat.vote, seat.shout) == (False, "missing", "missing")
    rig.press(*SEATS, button=Button.SHOUT)
    assert rig.table.asides.readiness.stage == "check"
    assert rig.seats[3].face.scene == "misfit"
    comes_with(rig, 3, VERSION, boot="cccccccc")
    rig.press(3)
    rig.press(3, button=Button.SHOUT)
    assert rig.table.asides.readiness.stage == "practice"
    rig.table.playing.close()
    rig.journals.close()


def test_by_night_its_screen_is_the_others_and_nothing_public_moves(rig):
    rig.to_first_day()
    rig.until_phase(Phase.NIGHTFALL)
    rig.until_phase(Phase.CALLING)
    board, page, seats = rig.show.board, devices_page(rig), sheet_of(rig).seats
    comes_with(rig, 3, OTHER)
    rig.advance(0.3)
    assert rig.phase is Phase.CALLING
    mine, other = rig.seats[3].face, rig.seats[4].face
    assert (mine.scene, mine.title, mine.lines, mine.lamp) == (
        other.scene, other.title, other.lines, other.lamp
    )  # fmt: skip
    assert rig.show.board.seats == board.seats
    assert devices_page(rig) == page
    assert sheet_of(rig).seats == seats
    rig.until_phase(Phase.MORNING)
    rig.until_phase(Phase.SPEECH, Phase.FAREWELL, Phase.OVER)
    rig.advance(0.2)
    assert rig.seats[3].face.scene == "misfit"
    assert "kit 0.2.0, the table has 0.1.0" in devices_page(rig)
    assert sheet_of(rig).seats[2].kit == OTHER


def test_a_cue_of_another_kit_is_told_by_the_seat_itself(rig):
    """A newer table's cue has a field that this seat has never heard of."""
    seat = rig.seats[3]
    payload = b'{"boot":"00000003","id":1,"heard":0,"hologram":true}'
    rig.link.publish(rig.topics.of(TopicKind.CUE, "node-03"), payload, qos=1)
    rig.settle()
    assert (seat.face.scene, seat.face.title) == ("misfit", "Update")
    assert seat.face.lines == ("kit 0.1.0", "table: another one")
    rig.show.node(rig.show.nodes.at(3), rig.state)
    rig.settle()
    assert seat.face.scene == "idle"

"""Devices that go, lie, come twice or are exchanged, as the table sees them."""

import pytest

from firmware.link import Received
from firmware.wire import NODES, Button, Status, TopicKind, encode
from table_controller.game import SEATS, Phase
from table_controller.host.notices import NoticeKind
from table_controller.host.orders import GoOn, HostOrder, Swap


def order(rig, action):
    answers = []
    rig.table.take(HostOrder(action, answers.append))
    rig.settle()
    return answers


def told(rig):
    return [(notice.kind, notice.seat) for notice in rig.table.notices.all]


def floor_clock(rig):
    (clock,) = rig.show.board.clocks
    return clock


def test_a_floor_whose_seat_is_lost_stands_and_runs_on_when_it_is_back(rig):
    rig.to_first_day()
    rig.advance(10.0)
    left_s = rig.seats[1].face.left_s
    rig.broker.lose("node-01")
    rig.advance(100.0)
    assert rig.state.floor == 1
    assert not floor_clock(rig).runs
    assert floor_clock(rig).left_s == pytest.approx(left_s, abs=0.1)
    assert not rig.show.board.seats[0].online
    assert not rig.state.paused
    assert told(rig) == [(NoticeKind.SEAT_LOST, 1)]
    rig.broker.restore("node-01")
    rig.advance(1.0)
    assert floor_clock(rig).runs
    assert rig.seats[1].face.left_s == pytest.approx(left_s - 1.0, abs=0.1)
    assert told(rig) == [(NoticeKind.SEAT_LOST, 1), (NoticeKind.SEAT_BACK, 1)]
    rig.advance(left_s - 1.1)
    assert rig.state.floor == 1
    rig.advance(0.2)
    assert rig.state.floor == 2


def test_all_others_see_the_clock_of_a_lost_seat_stand(rig):
    rig.to_first_day()
    rig.broker.lose("node-01")
    rig.advance(1.0)
    shown = rig.seats[2].face.left_s
    rig.advance(5.0)
    assert rig.seats[2].face.left_s == shown


def test_a_seat_that_is_back_in_three_seconds_is_no_news_for_the_host(rig):
    rig.to_first_day()
    rig.broker.lose("node-07")
    rig.advance(2.0)
    rig.broker.restore("node-07")
    rig.advance(60.0)
    rig.broker.stop()
    rig.advance(2.0)
    rig.broker.start()
    rig.advance(10.0)
    assert told(rig) == []


def test_the_clock_of_a_speaker_runs_while_somebody_else_is_lost(rig):
    rig.to_first_day()
    rig.broker.lose("node-07")
    rig.advance(59.0)
    assert rig.state.floor == 1
    rig.advance(1.1)
    assert rig.state.floor == 2
    assert told(rig) == [(NoticeKind.SEAT_LOST, 7)]


def test_the_host_can_go_on_without_a_lost_seat(rig):
    rig.to_first_day()
    rig.broker.lose("node-01")
    rig.advance(30.0)
    assert order(rig, GoOn()) == [""]
    assert floor_clock(rig).runs
    rig.advance(60.1)
    assert rig.state.floor == 2
    # Back, and lost again: that is for the host to decide anew.
    rig.broker.restore("node-01")
    rig.advance(1.0)
    rig.broker.lose("node-01")
    rig.advance(4.0)
    assert [kind for kind, _ in told(rig)] == [NoticeKind.SEAT_BACK, NoticeKind.SEAT_LOST]


def test_a_pause_ends_when_all_hold_but_whom_the_host_goes_on_without(rig):
    rig.to_first_day()
    rig.broker.lose("node-04")
    rig.broker.stop()
    rig.advance(4.0)
    assert rig.state.paused
    rig.broker.start()
    rig.advance(2.0)
    there = [seat for seat in SEATS if seat != 4]
    rig.all_hold(*there)
    assert rig.state.paused
    order(rig, GoOn())
    rig.all_hold(*there)
    assert not rig.state.paused


def test_at_night_a_lost_seat_stops_nothing_and_is_told_of_in_the_morning(rig):
    rig.to_first_day()
    while rig.phase is Phase.SPEECH:
        rig.end_floor(rig.state.floor)
    rig.until_phase(Phase.CALLING)
    before = rig.show.board
    rig.broker.lose("node-05")
    began_s = rig.now_s
    rig.until(lambda: rig.phase not in (Phase.CALLING, Phase.GATHERING))
    assert rig.now_s - began_s == pytest.approx(3 * (10 * 2.5 + 0.3 + 1.0), abs=1.0)
    assert told(rig) == []
    assert before.seats[4].online
    rig.until(lambda: rig.phase is Phase.SPEECH)
    rig.advance(0.1)
    assert told(rig) == [(NoticeKind.SEAT_LOST, 5)]
    assert not rig.show.board.seats[4].online


def spare(rig, user, boot):
    """Put the node *user* on the table, as a seat that the rig moves too."""
    each = type(rig.seats[1])(rig, user, boot)
    rig.seats[NODES.index(user) + 1] = each
    each.link.__enter__()
    rig.settle()
    return each


def test_a_spare_node_takes_the_seat_of_a_lost_one_at_once(rig):
    eleventh = spare(rig, "node-11", "0000000b")
    rig.to_first_day()
    rig.advance(10.0)
    rig.broker.lose("node-01")
    rig.advance(5.0)
    left_s = floor_clock(rig).left_s
    assert order(rig, Swap(1, "node-11")) == [""]
    assert eleventh.face.scene == "floor"
    assert eleventh.face.left_s == pytest.approx(left_s, abs=0.1)
    rig.press(11, button=Button.SHOUT, for_s=1.6)
    assert rig.state.floor == 2
    # And after a restart of the table.
    rig.kill_table()
    rig.start_table()
    rig.advance(3.0)
    assert rig.table._nodes.at(1).user == "node-11"
    assert eleventh.face.scene == "paused"
    assert rig.seats[1].face.scene != "paused"


def test_a_swap_to_what_the_kit_does_not_have_is_refused(rig):
    for seat, node in ((0, "node-11"), (11, "node-11"), (3, "node-13"), (3, "table")):
        (why,) = order(rig, Swap(seat, node))
        assert "a seat and a device" in why
    assert order(rig, Swap(3, "node-11")) == [""]


def test_a_panel_that_plays_for_the_wrong_seat_shows_when_its_button_is_pressed(rig):
    """scorekeeper #474: two devices were exchanged."""
    order(rig, Swap(3, "node-05"))
    rig.all_hold()
    rig.press(3)
    assert [seat.seat for seat in rig.show.board.game.seats if seat.ready] == [5]
    assert rig.seats[3].face.lines[0] == "Seat 5"
    order(rig, Swap(3, "node-03"))
    assert rig.seats[3].face.lines[0] == "Seat 3"


def twin(rig, seat, boot):
    other = type(rig.seats[1])(rig, NODES[seat - 1], boot)
    rig.seats[100 + seat] = other
    other.link.__enter__()
    rig.settle()
    return other


def comes_back(rig, each):
    """The broker put *each* out; it connects again, as a link does by itself."""
    if not each.link.linked and not each.link.away:
        each.link.__enter__()
        rig.settle()


def test_of_two_devices_with_one_name_one_plays_and_the_host_sees_both(rig):
    first = rig.seats[3]
    second = twin(rig, 3, "bbbbbbbb")
    comes_back(rig, first)
    comes_back(rig, second)
    assert first.face.scene == "taken"
    assert second.face.scene == "idle"
    (notice,) = rig.table.notices.all
    assert (notice.kind, notice.seat, notice.user) == (NoticeKind.TWINS, 3, "node-03")
    assert "bbbbbbbb plays, 00000003 is told to leave" in notice.text


def test_two_devices_with_one_name_do_not_take_turns(rig):
    first, second = rig.seats[3], twin(rig, 3, "bbbbbbbb")
    changes, was = [], None
    for _ in range(1800):
        rig.advance(1.0)
        comes_back(rig, first)
        comes_back(rig, second)
        now = rig.table._nodes.by_user["node-03"].boot
        if now != was:
            changes.append((rig.now_s, now))
        was = now
    # Half an hour: the one that came last plays all the time, the other asks ever more seldom.
    assert [boot for _, boot in changes] == ["bbbbbbbb"]
    node = rig.table._nodes.by_user["node-03"]
    times, _ = node.sent_away["00000003"]
    assert times == 6
    assert len(rig.table.notices.all) == 1


def test_a_broker_that_kept_an_old_status_does_not_send_the_real_device_away(rig):
    """A store from before the reboot says that another boot is there."""
    rig.kill_table()
    rig.start_table()
    rig.advance(1.0)
    topic = rig.topics.of(TopicKind.STATUS, "node-03")
    rig.broker.stop()
    rig.advance(1.0)
    # It was saved before the reboot, when another boot was there.
    rig.broker.retained[topic] = encode(Status(online=True, boot="0ld0ld0l", version="0.1.0"))
    rig.broker.start()
    rig.advance(3.0)
    assert rig.seats[3].face.scene == "idle"
    assert rig.table._nodes.by_user["node-03"].boot == "00000003"
    assert told(rig) == []


def test_a_status_that_says_online_of_a_dead_node_is_found_out_by_the_age_of_its_heartbeat(rig):
    """eclipse-mosquitto #477: stale online after the broker's restart."""
    rig.to_first_day()
    dead = rig.seats.pop(7)
    rig.broker.part(dead.link, "killed", will=False, for_ever=True)
    rig.broker.retained[rig.topics.of(TopicKind.STATUS, "node-07")] = encode(
        Status(online=True, boot="00000007", version="0.1.0")
    )
    rig.kill_table()
    rig.start_table()
    rig.advance(1.0)
    assert rig.show.board.seats[6].online
    rig.advance(30.0)
    assert not rig.show.board.seats[6].online
    rig.advance(3.0)
    assert told(rig) == [(NoticeKind.SEAT_LOST, 7)]
    assert rig.show.board.seats[5].online


def test_a_will_that_says_offline_of_a_living_node_is_put_right_by_its_heartbeat(rig):
    """eclipse-mosquitto #1223: stale offline."""
    rig.to_first_day()
    lie = encode(Status(online=False, boot="00000007"))
    topic = rig.topics.of(TopicKind.STATUS, "node-07")
    rig.inbox.put(Received(topic, lie, rig.now_s))
    rig.settle()
    assert not rig.show.board.seats[6].online
    rig.advance(10.1)
    assert rig.show.board.seats[6].online


def test_a_heartbeat_is_enough_for_a_node_whose_status_was_lost(rig):
    rig.kill_table()
    rig.broker.retained.clear()
    rig.start_table()
    rig.advance(10.1)
    assert all(node.online for node in map(rig.table._nodes.at, SEATS))
    rig.to_first_day()


def test_a_node_that_reboots_in_a_vote_is_back_with_its_own_cue(rig):
    rig.to_first_day()
    for speaker in (1, 2):
        rig.press(speaker)
        while rig.seats[speaker].face.rows[rig.seats[speaker].face.cursor].value != speaker + 3:
            rig.press(speaker)
        rig.press(speaker, for_s=1.0)
        rig.end_floor(speaker)
    while rig.phase is Phase.SPEECH:
        rig.end_floor(rig.state.floor)
    rig.until_phase(Phase.BALLOT)
    dead = rig.seats[5]
    rig.broker.part(dead.link, "killed", will=True, for_ever=True)
    rig.advance(1.0)
    again = type(dead)(rig, "node-05", "55555555")
    rig.seats[5] = again
    again.link.__enter__()
    rig.advance(0.1)
    assert (again.face.scene, again.face.title) == ("candidate", "4")
    rig.press(5)
    rig.until(lambda: rig.state.ballots)
    assert (5, 4) in rig.state.ballots[0].votes

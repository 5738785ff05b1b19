import pytest

from firmware.wire import Button, Gesture, How, Press, Said, Status
from table_controller.nodes import OFFSET_WINDOW_S, Nodes, Taken

PRESS = Press(Button.VOTE, How.TAP)


def said(n, *, boot="aaaa", oldest=1, made_s=0.0, sent_s=0.0, what=PRESS):
    return Said(boot=boot, n=n, oldest=oldest, made_s=made_s, sent_s=sent_s, cue=0, what=what)


@pytest.fixture
def nodes():
    nodes = Nodes()
    nodes.status("node-03", Status(online=True, boot="aaaa"), at_s=0.0)
    return nodes


def take(nodes, message, at_s=0.0):
    taken = nodes.said("node-03", message, at_s)
    if taken is Taken.NEW and message.n:
        nodes.by_user["node-03"].last = message.n
    return taken


def test_kept_messages_are_taken_in_order_and_once(nodes):
    assert take(nodes, said(1)) is Taken.NEW
    assert take(nodes, said(1)) is Taken.REPEAT
    assert take(nodes, said(3)) is Taken.EARLY
    assert take(nodes, said(2)) is Taken.NEW
    assert take(nodes, said(3)) is Taken.NEW


def test_a_gap_that_the_node_no_longer_keeps_is_passed_over(nodes):
    assert take(nodes, said(6, oldest=6)) is Taken.NEW


def test_what_is_not_kept_is_always_new(nodes):
    gesture = said(0, what=Gesture("fist"))
    assert take(nodes, gesture) is Taken.NEW
    assert take(nodes, gesture) is Taken.NEW


def test_after_a_restart_what_the_journal_knows_is_a_repeat():
    nodes = Nodes()
    nodes.journal("aaaa:4")
    nodes.journal("aaaa:night7.9")
    nodes.status("node-03", Status(online=True, boot="aaaa"), at_s=0.0)
    assert take(nodes, said(4)) is Taken.REPEAT
    assert take(nodes, said(5)) is Taken.NEW


def test_a_rebooted_node_begins_to_count_anew(nodes):
    assert take(nodes, said(1)) is Taken.NEW
    assert nodes.status("node-03", Status(online=True, boot="bbbb"), 5.0) is Taken.NEW
    assert take(nodes, said(1, boot="bbbb"), 5.0) is Taken.NEW


def test_the_second_device_with_one_identity_is_a_rival_once_it_comes_back(nodes):
    nodes.status("node-03", Status(online=True, boot="bbbb"), 5.0)
    assert nodes.status("node-03", Status(online=True, boot="aaaa"), 6.0) is Taken.RIVAL
    assert take(nodes, said(1, boot="aaaa"), 6.0) is Taken.RIVAL
    assert nodes.by_user["node-03"].boot == "bbbb"


def test_a_former_boot_may_come_back_when_the_present_one_is_silent(nodes):
    nodes.status("node-03", Status(online=True, boot="bbbb"), 5.0)
    assert nodes.status("node-03", Status(online=True, boot="aaaa"), 60.0) is Taken.NEW


def test_the_will_of_a_boot_that_has_left_does_not_turn_its_successor_off(nodes):
    nodes.status("node-03", Status(online=True, boot="bbbb"), 5.0)
    nodes.status("node-03", Status(online=False, boot="aaaa"), 6.0)
    assert nodes.by_user["node-03"].online
    nodes.status("node-03", Status(online=False, boot="bbbb"), 7.0)
    assert not nodes.by_user["node-03"].online


def test_a_press_is_dated_by_the_least_delay_seen(nodes):
    node = nodes.by_user["node-03"]
    for delay_s in (0.3, 0.002, 2.5):
        node.measure(sent_s=1000.0, received_s=50.0 + delay_s)
    assert node.dated(1001.0, cue=0, received_s=53.5)[1] == pytest.approx(51.002)


def test_a_reading_of_the_clock_is_forgotten_after_five_minutes(nodes):
    node = nodes.by_user["node-03"]
    node.measure(sent_s=0.0, received_s=0.0)
    node.measure(sent_s=OFFSET_WINDOW_S + 1, received_s=OFFSET_WINDOW_S + 1.5)
    assert node.dated(400.0, cue=0, received_s=500.0)[1] == pytest.approx(400.5)


def test_a_press_is_not_dated_before_the_cue_it_answers_nor_after_its_arrival(nodes):
    node = nodes.by_user["node-03"]
    node.measure(sent_s=0.0, received_s=0.0)
    node.cue_sent[9] = 10.0
    assert node.dated(made_s=1.0, cue=9, received_s=11.0)[1] == 10.0
    assert node.dated(made_s=12.0, cue=9, received_s=11.0)[1] == 11.0


def test_a_spare_takes_a_seat_and_the_former_node_becomes_a_spare():
    nodes = Nodes()
    nodes.assign(3, "node-11")
    assert nodes.at(3).user == "node-11"
    assert nodes.seat_of("node-03") == 0
    assert nodes.users()[2] == "node-11"


def test_two_seats_can_exchange_their_nodes():
    nodes = Nodes()
    nodes.assign(3, "node-05")
    assert nodes.at(3).user == "node-05"
    assert nodes.at(5).user == "node-03"

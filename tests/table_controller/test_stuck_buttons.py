"""A button that does not come up is told to the host, and never by night."""

from firmware.link import Received
from firmware.press import STUCK_S
from firmware.wire import Button, Health, Status, TopicKind, encode
from seat_node.seat import HEALTH_S
from table_controller.game import Phase
from table_controller.host.notices import NOTICES_MAX, NoticeKind
from table_controller.lost import NIGHT


def told(rig):
    kinds = (NoticeKind.BUTTON_STUCK, NoticeKind.BUTTON_FREE)
    return [notice.text for notice in rig.table.notices.all if notice.kind in kinds]


STUCK = (
    "Seat 4: SHOUT does not come up, so its presses do not count. "
    "Free it, or set the kind of switch on the card."
)


def test_the_host_is_told_once_of_a_stuck_button_and_when_it_works_again(rig):
    rig.to_first_day()
    rig.down(4, Button.SHOUT)
    rig.advance(STUCK_S - 1.0)
    assert told(rig) == []
    rig.advance(HEALTH_S + 1.0)
    assert told(rig) == [STUCK]
    rig.advance(2 * HEALTH_S)
    assert told(rig) == [STUCK]
    rig.up(4, Button.SHOUT)
    rig.advance(2 * HEALTH_S)
    assert told(rig) == [STUCK, "Seat 4: SHOUT works again."]


def test_by_night_the_host_is_told_of_no_button(rig):
    rig.start_game()
    rig.until_phase(*NIGHT)
    rig.down(4, Button.SHOUT)
    nights = 0
    while rig.phase in NIGHT:
        assert told(rig) == []
        rig.advance(0.5)
        nights += 1
    assert nights > 2 * (STUCK_S + HEALTH_S)
    assert rig.phase is Phase.SPEECH
    rig.advance(HEALTH_S)
    assert told(rig) == [STUCK]


def test_a_node_that_says_too_much_by_night_is_not_passed_on(rig):
    rig.start_game()
    rig.until_phase(*NIGHT)
    health = Health(rig.show.nodes.at(4).boot, 50.0, stuck=(Button.VOTE,))
    topic = rig.topics.of(TopicKind.HEALTH, "node-04")
    rig.table.take(Received(topic, encode(health), rig.now_s))
    rig.settle()
    assert rig.phase in NIGHT
    assert told(rig) == []


def test_a_spare_is_named_by_its_device(rig):
    for kind, message in (
        (TopicKind.STATUS, Status(online=True, boot="5a5a5a5a", version="0.1.0")),
        (TopicKind.HEALTH, Health("5a5a5a5a", 40.0, stuck=(Button.VOTE,))),
    ):
        topic = rig.topics.of(kind, "node-11")
        rig.table.take(Received(topic, encode(message), rig.now_s))
    rig.settle()
    (text,) = told(rig)
    assert text.startswith("node-11: VOTE does not come up")


def test_a_device_that_was_started_anew_is_not_judged_by_what_it_said_before(rig):
    rig.to_first_day()
    rig.down(4, Button.SHOUT)
    rig.advance(STUCK_S + HEALTH_S)
    assert told(rig) == [STUCK]
    topic = rig.topics.of(TopicKind.STATUS, "node-04")
    rig.table.take(
        Received(topic, encode(Status(online=True, boot="5a5a5a5a", version="0.1.0")), rig.now_s)
    )
    rig.table.tick()
    assert told(rig) == [STUCK]


def test_a_contact_that_trembles_pushes_no_other_notice_out_and_fills_no_log(rig, caplog):
    rig.to_first_day()
    rig.table.notices.disk_full("none is left")
    boot, topic = rig.show.nodes.at(4).boot, rig.topics.of(TopicKind.HEALTH, "node-04")
    for turn in range(NOTICES_MAX + 1):
        health = Health(boot, 50.0, stuck=() if turn % 2 else (Button.SHOUT,))
        rig.table.take(Received(topic, encode(health), rig.now_s))
        rig.settle()
    assert [notice.kind for notice in rig.table.notices.all] == [
        NoticeKind.DISK_FULL,
        NoticeKind.BUTTON_FREE,
        NoticeKind.BUTTON_STUCK,
    ]
    assert caplog.text.count("Seat 4") == 2


def test_a_second_device_that_starts_anew_all_the_time_pushes_no_other_notice_out(rig, caplog):
    rig.to_first_day()
    rig.table.notices.disk_full("none is left")
    topic = rig.topics.of(TopicKind.HEALTH, "node-04")
    for boot in (f"{turn:08x}" for turn in range(100, 101 + NOTICES_MAX)):
        for each in (boot, "00000004"):
            rig.table.take(Received(topic, encode(Health(each, 50.0)), rig.now_s))
        rig.settle()
    kinds = [notice.kind for notice in rig.table.notices.all]
    assert kinds == [NoticeKind.DISK_FULL, NoticeKind.TWINS]
    assert caplog.text.count("Two devices") == 1

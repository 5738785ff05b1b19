import pytest

from firmware.fakes import FakeBroker
from firmware.link import BEAT_S, Linked, Received
from firmware.rehearsal import Look as Look_
from firmware.rehearsal import Photograph, Watch
from firmware.wire import (
    Ask,
    AskKind,
    Button,
    ClockFace,
    Entry,
    Forbidden,
    Gesture,
    Health,
    How,
    Lamp,
    Look,
    Menu,
    Presence,
    Present,
    Press,
    PressMode,
    RollCall,
    Status,
    TopicKind,
    encode,
)
from seat_node import reports
from seat_node.inbox import Asked, EyesGone
from seat_node.outbox import KEPT_MAX
from seat_node.screens import render
from seat_node.seat import ASKED_S, HEALTH_S

USER, BOOT = "node-03", "0badcafe"


# ---- status and link ----


def test_on_every_connect_the_status_is_retained(rig, broker):
    online = Status(online=True, boot=BOOT, version="1.2", parts=("shout", "lamp"))
    assert rig.messages(TopicKind.STATUS) == [online]
    broker.lose(USER)
    broker.restore(USER)
    rig.take()
    assert rig.messages(TopicKind.STATUS) == [online, Status(boot=BOOT), online]
    assert broker.retained[rig.who.topic(TopicKind.STATUS)] == encode(online)


def test_before_the_table_is_found_the_screen_says_so(new_rig):
    rig = new_rig()
    assert (rig.shown.linked, rig.shown.title) == (False, USER)
    assert rig.shown.lines == ("Looking for the table",)
    rig.link_up()
    assert (rig.shown.linked, rig.shown.lines) == (True, ("Waiting for the table",))


def test_a_lost_link_is_told_at_once_and_takes_the_screen_after_three_seconds(rig, broker):
    rig.cue(title="7")
    broker.lose(USER)
    rig.take()
    assert (rig.shown.linked, rig.shown.title) == (False, "7")
    rig.wait(2.99)
    assert rig.shown.title == "7"
    rig.wait(0.01)
    assert (rig.shown.title, rig.shown.lines) == (USER, ("Link lost. Presses are kept.",))
    broker.restore(USER)
    rig.take()
    assert (rig.shown.linked, rig.shown.title) == (True, "7")


def test_the_link_is_asked_for_a_sign_of_life(rig):
    rig.wait(BEAT_S)
    assert rig.link.last_alive_s == rig.clock.now_s()


def test_a_link_that_only_claims_to_be_up_is_made_anew(rig, broker):
    rig.cue(press=PressMode.EDGE)
    broker.hang(USER)
    rig.tap()
    rig.wait(30.0)
    assert rig.whats == [Press(Button.VOTE, How.EDGE)]


def test_health_is_told_every_ten_seconds(rig):
    rig.seat.take(reports.Sight("dark", 2.5, 150.0), rig.clock.now_s())
    rig.wait(2 * HEALTH_S)
    healths = rig.messages(TopicKind.HEALTH)
    assert len(healths) == 2
    assert healths[1] == Health(BOOT, 20.0, 51.5, False, 190.0, 2.5, "dark", link_ms=0.0)


# ---- cues ----


def test_only_the_highest_cue_of_this_boot_counts(rig):
    rig.cue(title="new", id=7)
    rig.cue(title="old", id=6)
    rig.cue(title="same", id=7)
    rig.cue(title="foreign", id=8, boot="ffffffff")
    assert rig.shown.title == "new"


def test_a_table_that_was_started_anew_counts_anew(rig):
    rig.cue(title="before", id=70, by="aaaaaaaa")
    rig.cue(title="after", id=1, by="bbbbbbbb")
    assert rig.shown.title == "after"
    rig.cue(title="again", id=1, by="bbbbbbbb")
    assert rig.shown.title == "after"


@pytest.mark.parametrize("payload", [b"", b"no json", b'{"boot":"x"}', b"\xff" * 40, b"[" * 20000])
def test_wrong_messages_change_nothing_and_are_counted(rig, payload):
    rig.cue(title="7")
    rig.table.publish(rig.who.topic(TopicKind.CUE), payload)
    rig.seat.take(Received("somewhere/else", payload, 0.0), rig.clock.now_s())
    rig.take()
    assert rig.shown.title == "7"
    rig.wait(HEALTH_S)
    assert rig.messages(TopicKind.HEALTH)[-1].drops == 2


def test_wrong_messages_are_logged_once_a_minute(rig, caplog):
    for _ in range(59):
        rig.table.publish(rig.who.topic(TopicKind.CUE), b"?")
        rig.wait(1.0)
    assert len([r for r in caplog.records if "wrong messages" in r.message]) == 1
    rig.wait(2.0)
    rig.table.publish(rig.who.topic(TopicKind.CUE), b"?")
    rig.take()
    assert "60 wrong messages" in caplog.text


def test_a_clock_counts_down_from_the_cues_arrival(rig):
    rig.cue(clock=ClockFace(3.0))
    before = len(rig.faces)
    seen = [rig.shown.left_s]
    for _ in range(4):
        rig.wait(1.0)
        seen.append(rig.shown.left_s)
    assert seen == [3.0, 2.0, 1.0, 0.0, 0.0]
    assert len(rig.faces) - before == 3


def test_a_clock_changes_on_its_own_second(rig):
    rig.cue(clock=ClockFace(59.4))
    assert rig.shown.left_s == 60.0
    rig.wait(0.39)
    assert rig.shown.left_s == 60.0
    rig.wait(0.011)
    assert rig.shown.left_s == 59.0


def test_a_standing_clock_stands(rig):
    rig.cue(clock=ClockFace(12.3, runs=False))
    before = len(rig.faces)
    rig.wait(5.0)
    assert (rig.shown.left_s, len(rig.faces)) == (13.0, before)


def test_the_lamp_is_the_cues(rig):
    rig.cue(lamp=Lamp.BLINK)
    assert rig.faces[-1].lamp is Lamp.BLINK


def test_the_same_face_is_shown_once(rig):
    rig.cue(title="7")
    before = len(rig.faces)
    rig.cue(title="7")
    rig.wait(5.0)
    assert len(rig.faces) == before


# ---- kept messages ----


def test_what_is_not_heard_is_said_again_each_second_in_order(rig):
    rig.cue(press=PressMode.EDGE)
    rig.down()
    rig.up()
    rig.down()
    first = list(rig.said)
    assert [(said.n, said.oldest) for said in first] == [(1, 1), (2, 1)]
    rig.wait(2.9)
    repeats = rig.said[2:]
    assert [said.n for said in repeats] == [1, 2, 1, 2]
    assert [(said.made_s, said.cue) for said in repeats[:2]] == [
        (said.made_s, said.cue) for said in first
    ]
    assert repeats[0].sent_s > first[0].sent_s


def test_what_was_heard_is_not_said_again(rig):
    rig.cue(press=PressMode.EDGE)
    rig.tap()
    rig.tap()
    rig.cue(press=PressMode.EDGE, heard=1)
    said = len(rig.said)
    rig.wait(1.1)
    assert [(again.n, again.oldest) for again in rig.said[said:]] == [(2, 2)]
    rig.cue(press=PressMode.EDGE, heard=2)
    said = len(rig.said)
    rig.wait(10.0)
    assert len(rig.said) == said
    rig.tap()
    assert (rig.said[-1].n, rig.said[-1].oldest) == (3, 3)


def test_a_press_made_without_a_link_is_said_on_the_next_connect(rig, broker):
    rig.cue(press=PressMode.EDGE)
    broker.stop()
    rig.take()
    at_s = rig.tap()
    assert rig.said == []
    rig.wait(2.5)
    broker.start()
    rig.take()
    assert [(said.n, said.made_s) for said in rig.said] == [(1, at_s)]


def test_too_much_unheard_drops_the_oldest_and_says_so(rig):
    rig.cue(press=PressMode.EDGE)
    for _ in range(KEPT_MAX + 2):
        rig.tap()
    rig.wait(1.1)
    assert [said.n for said in rig.said[-KEPT_MAX:]] == list(range(3, KEPT_MAX + 3))
    assert rig.said[-1].oldest == 3
    rig.wait(HEALTH_S)
    assert rig.messages(TopicKind.HEALTH)[-1].drops == 2


# ---- questions of the table ----


def test_a_roll_call_is_answered_after_fifty_milliseconds(rig):
    rig.cue(press=PressMode.EDGE)
    rig.tap()
    rig.cue(press=PressMode.EDGE, heard=1, ask=Ask(AskKind.ROLL_CALL, 4))
    rig.wait(0.010)
    rig.down()
    rig.wait(ASKED_S - 0.018)
    assert not any(isinstance(what, RollCall) for what in rig.whats)
    rig.wait(0.002)
    assert (rig.whats[-1], rig.said[-1].n) == (RollCall(4, last=2), 0)
    said = len(rig.said)
    rig.cue(press=PressMode.EDGE, heard=2)
    rig.wait(5.0)
    assert len(rig.said) == said


# ---- two devices with one identity ----


def test_a_seat_told_to_back_off_leaves_says_so_and_comes_back(rig, broker):
    rig.cue(press=PressMode.EDGE, title="7", lamp=Lamp.ON)
    rig.cue(press=PressMode.EDGE, back_off_s=60.0)
    assert not rig.link.linked
    assert rig.shown.scene == "taken"
    assert (rig.shown.left_s, rig.shown.linked, rig.shown.lamp) == (60.0, False, Lamp.OFF)
    assert rig.shown.lines[0] == "Another device plays with this name."
    rig.tap()
    rig.wait(59.0)
    assert (rig.shown.left_s, rig.link.linked, rig.said) == (1.0, False, [])
    rig.wait(2.0)
    assert rig.link.linked
    assert rig.shown.lines == ("Waiting for the table",)
    rig.cue(title="8")
    assert rig.shown.title == "8"


# ---- eyes ----


def chair(state, since_s):
    return reports.Chair(state, since_s)


def test_presence_is_passed_on_once_and_kept(rig):
    rig.cue()
    for _ in range(2):
        rig.seat.take(chair(Presence.AWAY, 990.0), rig.clock.now_s())
    assert [(said.n, said.what) for said in rig.said] == [(1, Present(Presence.AWAY, 990.0))]


def test_presence_waits_for_the_first_cue(rig):
    rig.seat.take(chair(Presence.PRESENT, 990.0), rig.clock.now_s())
    assert rig.said == []
    rig.cue()
    assert rig.whats == [Present(Presence.PRESENT, 990.0)]


def test_by_night_presence_waits_and_only_the_last_is_told_in_the_morning(rig):
    rig.cue()
    rig.seat.take(chair(Presence.PRESENT, 980.0), rig.clock.now_s())
    rig.cue(scene="night", press=PressMode.NIGHT, heard=1)
    rig.seat.take(chair(Presence.AWAY, 990.0), rig.clock.now_s())
    rig.seat.take(chair(Presence.UNKNOWN, 995.0), rig.clock.now_s())
    assert len(rig.said) == 1
    rig.cue(scene="morning")
    assert rig.whats[1:] == [Present(Presence.UNKNOWN, 995.0)]


def test_eyes_that_die_know_nothing_of_the_chair(rig):
    rig.cue()
    rig.seat.take(chair(Presence.PRESENT, 980.0), rig.clock.now_s())
    rig.seat.take(EyesGone("illegal instruction", 1001.0), rig.clock.now_s())
    assert rig.whats[-1] == Present(Presence.UNKNOWN, 1001.0)
    rig.wait(HEALTH_S)
    assert rig.messages(TopicKind.HEALTH)[-1].eyes == "illegal instruction"


def test_the_eyes_are_told_what_the_cue_wants_of_them(rig):
    rig.cue(look=Look(gestures=("number", "fist")))
    rig.cue(look=Look(gestures=("number", "fist")))
    rig.cue(look=Look(gestures=("number",), forbidden="forbidden"))
    rig.cue()
    assert rig.wishes == [
        reports.Watch(gestures=("number", "fist")),
        reports.Watch(gestures=("number",), forbidden="forbidden"),
        reports.Watch(),
    ]


def test_a_camera_that_is_switched_off_is_asked_for_nothing(rig):
    rig.cue(look=Look(("number",), "forbidden"))
    rig.cue(look=Look(("number",), "forbidden", off=True))
    rig.cue(look=Look(off=True))
    assert rig.wishes[1:] == [reports.Watch(off=True)]
    rig.seat.take(reports.Hand("forbidden", 0, 0.9, 1000.0), rig.clock.now_s())
    rig.seat.take(reports.Hand("number", 7, 0.9, 1000.0), rig.clock.now_s())
    assert not [what for what in rig.whats if isinstance(what, Forbidden | Gesture)]
    rig.cue()
    assert rig.wishes[2:] == [reports.Watch()]


def test_two_hands_are_asked_for_only_while_the_list_is_open(rig):
    menu = Menu(9, (Entry(2, "2"), Entry(7, "7")), opens=True)
    rig.cue(press=PressMode.RELEASE, menu=menu, look=Look(("number",), two_hands=True))
    rig.tap()
    rig.tap(Button.SHOUT)
    rig.tap()
    rig.hold()
    assert [wish.two_hands for wish in rig.wishes] == [False, True, False, True, False]


def test_the_forbidden_gesture_is_kept_until_the_table_has_heard_it(rig):
    rig.cue(look=Look(gestures=("fist",), forbidden="forbidden"))
    rig.seat.take(reports.Hand("forbidden", 0, 0.91234, 999.0), rig.clock.now_s())
    rig.wait(2.5)
    assert [(said.n, said.made_s, said.what) for said in rig.said] == [
        (1, 999.0, Forbidden(0.912))
    ] * 3
    rig.cue(heard=1)
    rig.wait(3.0)
    assert len(rig.said) == 3


def test_another_hand_can_be_the_forbidden_one(rig):
    rig.cue(look=Look(gestures=("fist",), forbidden="pistol"))
    for name in ("pistol", "forbidden", "fist"):
        rig.seat.take(reports.Hand(name, 0, 0.9, 999.0), rig.clock.now_s())
    assert rig.whats == [Forbidden(0.9), Gesture("fist", 0, 0.9)]


def test_a_gesture_that_is_off_in_the_clubs_table_is_not_passed_on(rig):
    rig.cue(look=Look(gestures=("fist",)))
    for name in ("thumb_up", "forbidden"):
        rig.seat.take(reports.Hand(name, 0, 0.9, 999.0), rig.clock.now_s())
    assert rig.said == []


def test_a_gesture_is_passed_on_and_not_kept(rig):
    rig.cue(look=Look(gestures=("number", "fist", "thumb_up")))
    rig.seat.take(reports.Hand("thumb_up", 0, 0.912345, 999.0), rig.clock.now_s())
    assert [(said.n, said.made_s, said.what) for said in rig.said] == [
        (0, 999.0, Gesture("thumb_up", 0, 0.912))
    ]


def test_a_gesture_nobody_asked_for_is_not_passed_on(rig):
    rig.cue()
    rig.seat.take(reports.Hand("thumb_up", 0, 0.9, 999.0), rig.clock.now_s())
    assert rig.said == []


# ---- who looks ----


@pytest.mark.parametrize("request_", [Look_(), Watch()])
def test_who_looks_is_told_what_is_shown(rig, request_):
    told = []
    rig.cue(title="1")
    rig.seat.take(Asked(request_, told.append), rig.clock.now_s())
    assert [shown.title for shown in told] == ["1"]


def test_a_photograph_is_of_the_face_that_is_shown(rig):
    told = []
    rig.cue(title="1")
    rig.seat.take(Asked(Photograph(), told.append), rig.clock.now_s())
    assert told == [rig.faces[-1]]


def test_a_second_linked_without_unlinked_is_fine(rig):
    rig.seat.take(Linked(rig.clock.now_s()), rig.clock.now_s())
    assert len(rig.messages(TopicKind.STATUS)) == 2


def test_whatever_was_before_all_seats_show_and_say_the_same_at_night(new_rig, clock):
    held, quiet = new_rig(), new_rig(FakeBroker(clock))
    held.link_up()
    held.cue(
        press=PressMode.RELEASE, on_hold=("don",), lamp=Lamp.ON, menu=Menu(1, (Entry(5, "5"),))
    )
    held.down()
    held.wait(1.0)
    held.tap(Button.SHOUT)
    quiet.link_up()
    seen = []
    for rig in (held, quiet):
        faces, said = len(rig.faces), len(rig.said)
        for scene, mode in (("nightfall", "off"), ("meeting", "off"), ("night", "night")):
            rig.cue(id=rig.seat._last_cue + 1, scene=scene, press=PressMode(mode), heard=1)
            if rig is held:
                rig.seat.take(chair(Presence.AWAY, 990.0), rig.clock.now_s())
                rig.tap(Button.SHOUT)
            rig.wait(0.5)
        seen.append([render(face).tobytes() for face in rig.faces[faces:]])
        assert [again.n for again in rig.said[said:] if again.n > 2] == []
    assert seen[0] == seen[1]
    assert len(seen[0]) == 3

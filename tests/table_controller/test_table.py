import json
import sqlite3

import msgspec
import pytest

from firmware.wire import Button, Gesture, GestureName, Status, TopicKind, encode
from seat_node.face import Reply
from seat_node.reports import Hand
from table_controller.game import SEATS, Phase, actions
from table_controller.game.model import Offence, Source
from table_controller.host.orders import HostOrder, Undo


def nominate(rig, *nominees):
    """Let the speakers of the round nominate in turn, then end every floor."""
    waiting = list(nominees)
    while rig.phase is Phase.SPEECH:
        speaker = rig.state.floor
        if waiting:
            rig.press(speaker)
            while (listing := rig.seats[speaker].face.rows)[
                rig.seats[speaker].face.cursor
            ].value != waiting[0]:
                assert listing
                rig.press(speaker)
            rig.press(speaker, for_s=1.0)
            waiting.pop(0)
        rig.end_floor(speaker)


def test_ten_who_hold_vote_begin_a_game_and_ten_presses_deal_it(rig):
    assert rig.state is None
    rig.all_hold()
    assert rig.phase is Phase.SEATING
    assert {rig.seats[seat].face.title for seat in SEATS} == set(rig.terms.names)
    rig.press(*SEATS)
    assert rig.phase is Phase.LOOK
    assert all(rig.seats[seat].face.scene == "card" for seat in SEATS)


def test_nine_who_hold_vote_begin_nothing(rig):
    rig.press(*SEATS[:9], for_s=3.0)
    assert rig.state is None


def test_a_vote_counts_for_the_candidate_who_was_called_when_it_was_made(rig):
    rig.to_first_day()
    nominate(rig, 6, 2)
    rig.until_phase(Phase.BALLOT)
    rig.press(1, 3)
    rig.until(lambda: rig.show.board.game.called == 2)
    rig.press(4)
    rig.until(lambda: rig.show.board.game.ballots)
    ballot = rig.show.board.game.ballots[0]
    votes = dict(ballot.votes)
    assert (votes[1], votes[3], votes[4]) == (6, 6, 2)
    assert set(ballot.automatic) == set(SEATS) - {1, 3, 4}


def test_the_seat_shows_that_its_vote_was_accepted(rig):
    rig.to_first_day()
    nominate(rig, 6, 2)
    rig.until_phase(Phase.BALLOT)
    rig.press(1)
    assert rig.seats[1].face.reply is Reply.ACCEPTED


def test_a_press_between_two_candidates_is_shown_as_too_late_and_counts_nowhere(rig):
    rig.to_first_day()
    nominate(rig, 6, 2)
    rig.until_phase(Phase.BALLOT)
    rig.until(lambda: rig.show.board.game.called == 0)
    rig.down(5)
    rig.advance(0.1)
    assert rig.seats[5].face.reply is Reply.LATE
    rig.up(5)
    rig.until(lambda: rig.show.board.game.ballots)
    assert 5 in rig.show.board.game.ballots[0].automatic


def test_a_vote_that_the_link_held_back_counts_in_its_own_window(rig):
    rig.to_first_day()
    nominate(rig, 6, 2)
    rig.until_phase(Phase.BALLOT)
    rig.broker.lose("node-03")
    rig.press(3)
    rig.until(lambda: rig.show.board.game.called == 2)
    rig.broker.restore("node-03")
    rig.until(lambda: rig.show.board.game.ballots)
    assert dict(rig.show.board.game.ballots[0].votes)[3] == 6
    assert 3 not in rig.show.board.game.ballots[0].automatic


def test_an_offline_seat_is_waited_for_twenty_seconds_and_then_votes_automatically(rig):
    rig.to_first_day()
    nominate(rig, 6, 2)
    rig.until_phase(Phase.BALLOT)
    rig.broker.lose("node-03")
    rig.until_phase(Phase.ROLL_CALL)
    began_s = rig.now_s
    rig.until(lambda: rig.phase is not Phase.ROLL_CALL)
    assert 19.9 <= rig.now_s - began_s <= 20.2
    assert 3 in rig.show.board.game.ballots[0].automatic


@pytest.mark.parametrize("entered", ["before the close", "while it is waited for"])
def test_an_offline_seat_whose_vote_the_host_enters_is_not_waited_for(rig, entered):
    rig.to_first_day()
    nominate(rig, 6, 2)
    rig.until(lambda: rig.show.board.game.called == 2)
    rig.broker.lose("node-03")
    if entered == "while it is waited for":
        rig.until_phase(Phase.ROLL_CALL)
        rig.advance(3.0)
        assert rig.phase is Phase.ROLL_CALL
    assert order(rig, actions.CorrectVote(3, 6)) == [""]
    if entered == "before the close":
        rig.until_phase(Phase.ROLL_CALL)
    rig.advance(0.1)
    assert rig.phase is not Phase.ROLL_CALL
    assert dict(rig.show.board.game.ballots[0].votes)[3] == 6


def test_a_seat_that_has_voted_and_goes_offline_is_not_waited_for(rig):
    rig.to_first_day()
    nominate(rig, 6, 2)
    rig.until_phase(Phase.BALLOT)
    rig.press(3)
    rig.broker.lose("node-03")
    rig.until_phase(Phase.ROLL_CALL)
    rig.advance(0.1)
    assert rig.phase is not Phase.ROLL_CALL
    assert dict(rig.show.board.game.ballots[0].votes)[3] == 6


def test_a_ballot_is_counted_at_once_when_all_have_answered(rig):
    rig.to_first_day()
    nominate(rig, 6, 2)
    rig.until_phase(Phase.ROLL_CALL)
    rig.advance(0.06)
    assert rig.phase is not Phase.ROLL_CALL


def test_nothing_public_changes_while_votes_come_in(rig):
    rig.to_first_day()
    nominate(rig, 6, 2)
    rig.until_phase(Phase.BALLOT)
    before = rig.hub.latest()
    rig.press(1, 2, 3, 4)
    assert msgspec.json.decode(rig.hub.latest())["board"] == msgspec.json.decode(before)["board"]


def test_a_shout_stops_the_speakers_clock_for_five_seconds_and_costs_a_foul(rig):
    rig.to_first_day()
    rig.advance(10.0)
    rig.shout(7)
    left_s = rig.seats[1].face.left_s
    assert rig.show.board.game.shout == 7
    assert rig.show.board.game.seats[6].fouls == 1
    rig.advance(5.0)
    assert rig.show.board.game.shout == 0
    assert abs(rig.seats[1].face.left_s - left_s) < 1.1
    assert left_s > 40


def test_at_night_every_node_gets_and_sends_the_same_at_the_same_moments(rig):
    rig.to_first_day()
    nominate(rig)
    rig.until_phase(Phase.CALLING)
    cues, answers = {}, {}
    publish = rig.broker.take

    def record(link, topic, payload, qos, retain):
        if topic.endswith("/cue"):
            cues.setdefault(topic.split("/")[-2], []).append((rig.now_s, len(payload)))
        if topic.endswith("/said"):
            answers.setdefault(link.user, []).append((rig.now_s, len(payload)))
        return publish(link, topic, payload, qos, retain)

    rig.broker.take = record
    rig.press(2, 5, 7, for_s=0.2)
    rig.until_phase(Phase.MORNING)
    ten = [f"node-{seat:02d}" for seat in SEATS]
    assert len({tuple(cues[user][:-1]) for user in ten}) == 1
    assert len({tuple(answers[user]) for user in ten}) == 1
    # Ten calls and the end of each round.
    assert len(answers[ten[0]]) == 3 * (10 + 1)


def test_a_press_at_night_changes_no_screen_and_no_board(rig):
    rig.to_first_day()
    nominate(rig)
    rig.until_phase(Phase.CALLING)
    faces = [rig.seats[seat].face for seat in SEATS]
    board = msgspec.json.decode(rig.hub.latest())["board"]
    rig.press(*SEATS)
    assert [rig.seats[seat].face for seat in SEATS] == faces
    assert msgspec.json.decode(rig.hub.latest())["board"] == board


def call(rig, number):
    """Let time pass until *number* has just been called in the room."""
    rig.room.heard.clear()
    rig.until(lambda: ("number", number) in [(p.name, p.number) for p in rig.room.heard])
    rig.advance(0.5)


def shots(rig, roles, *, at):
    """Let every mafioso shoot at the seat *at* when it is called."""
    call(rig, at)
    rig.press(*(seat for seat in SEATS if roles[seat].team == "mafia"))


def test_three_equal_shots_hit_and_the_morning_tells(rig, roles):
    rig.to_first_day()
    nominate(rig)
    victim = next(seat for seat in SEATS if roles[seat] == "citizen")
    rig.until_phase(Phase.CALLING)
    shots(rig, roles, at=victim)
    rig.until_phase(Phase.FAREWELL)
    assert rig.show.board.game.shot == victim
    assert rig.seats[victim].face.scene == "farewell"


def test_the_sheriff_reads_the_answer_in_the_morning_and_nobody_else_does(rig, roles):
    rig.to_first_day()
    nominate(rig)
    sheriff = next(seat for seat in SEATS if roles[seat] == "sheriff")
    don = next(seat for seat in SEATS if roles[seat] == "don")
    rig.until_phase(Phase.CALLING)
    rig.until(lambda: rig.state.call is not None and rig.state.call.round == "sheriff")
    if don == 1:
        rig.advance(0.5)
    else:
        call(rig, don)
    rig.press(sheriff)
    rig.until_phase(Phase.MORNING)
    rig.settle()
    assert f"N1: {don} mafia" in rig.seats[sheriff].face.lines
    others = [rig.seats[seat].face.lines for seat in SEATS if seat != sheriff]
    assert not any("N1" in line for lines in others for line in lines)


def test_a_table_that_was_killed_goes_on_paused_and_loses_no_nomination(rig):
    rig.to_first_day()
    speaker = rig.state.floor
    rig.press(speaker)
    rig.press(speaker, for_s=1.0)
    chosen = rig.state.choice
    rig.advance(20.0)
    left_s = rig.seats[speaker].face.left_s
    rig.kill_table()
    rig.start_table()
    rig.advance(3.0)
    assert rig.state.paused
    assert rig.state.choice == chosen
    assert rig.show.board.notice == "paused after a restart"
    rig.all_hold()
    assert not rig.state.paused
    assert rig.show.board.notice == ""
    assert abs(rig.seats[speaker].face.left_s - left_s) <= 1.0


def test_a_press_made_while_the_table_was_away_is_answered_when_it_is_back(rig):
    rig.to_first_day()
    nominate(rig, 6, 2)
    rig.until_phase(Phase.BALLOT)
    rig.advance(1.0)
    rig.kill_table()
    rig.press(4)
    rig.advance(2.0)
    assert rig.seats[4].face.reply is Reply.WAITING
    rig.start_table()
    rig.advance(3.0)
    assert rig.seats[4].face.reply is not Reply.WAITING
    rig.all_hold()
    rig.press(4)
    rig.until(lambda: rig.show.board.game.ballots)
    assert dict(rig.show.board.game.ballots[0].votes)[4] == 6


def test_the_calls_of_a_ballot_begin_again_after_a_restart_and_votes_stand(rig):
    rig.to_first_day()
    nominate(rig, 6, 2)
    rig.until_phase(Phase.BALLOT)
    rig.press(1)
    rig.kill_table()
    rig.start_table()
    rig.advance(3.0)
    rig.all_hold()
    assert rig.show.board.game.called == 6
    rig.until(lambda: rig.show.board.game.ballots)
    assert dict(rig.show.board.game.ballots[0].votes)[1] == 6
    assert 1 not in rig.show.board.game.ballots[0].automatic


def test_a_broker_that_is_away_for_long_pauses_the_game_and_for_short_does_not(rig):
    rig.to_first_day()
    rig.broker.stop()
    rig.advance(2.0)
    rig.broker.start()
    rig.advance(2.0)
    assert not rig.state.paused
    rig.broker.stop()
    rig.advance(4.0)
    assert rig.state.paused
    assert rig.show.board.notice == "link lost"
    rig.broker.start()
    rig.advance(2.0)
    rig.all_hold()
    assert not rig.state.paused


def test_a_message_that_is_not_of_the_kit_is_counted_and_changes_nothing(rig):
    rig.to_first_day()
    state = rig.state
    rig.seats[3].link.publish("mafia/v1/test/up/node-03/said", b"\xff{", qos=1)
    rig.seats[3].link.publish("mafia/v1/test/up/node-03/said", b'{"boot":1}', qos=1)
    rig.settle()
    assert rig.table.refused == 2
    assert rig.state is state


def test_the_commitment_is_shown_before_the_deal_and_the_seed_only_at_the_end(rig):
    rig.all_hold()
    assert len(rig.show.board.commitment) == 64
    assert rig.show.board.seed == ""
    rig.press(*SEATS)
    assert rig.show.board.seed == ""


def show_hand(rig, seat, name, number=0):
    rig.seats[seat].inbox.put(Hand(name, number, 0.9, rig.now_s))
    rig.settle()


def test_a_gesture_by_day_is_on_the_board_for_a_moment(rig):
    rig.to_first_day()
    show_hand(rig, 3, GestureName.THUMB_UP)
    assert rig.show.board.seats[2].gesture == "thumb_up"
    rig.advance(3.5)
    assert rig.show.board.seats[2].gesture == ""


def test_the_forbidden_gesture_is_never_on_the_board(rig):
    rig.to_first_day()
    show_hand(rig, 3, GestureName.FORBIDDEN)
    assert rig.show.board.seats[2].gesture == ""


def test_no_gesture_is_shown_at_night(rig):
    rig.to_first_day()
    nominate(rig)
    rig.until_phase(Phase.CALLING)
    rig.seats[3].seat._say(Gesture(GestureName.FIST))
    rig.settle()
    assert rig.show.board.seats[2].gesture == ""


def test_shout_held_by_another_seat_ends_no_floor(rig):
    rig.to_first_day()
    rig.press(2, button=Button.SHOUT, for_s=1.6)
    assert rig.state.floor == 1


def test_a_plug_pulled_between_the_last_ready_and_the_deal_costs_no_game(rig):
    rig.all_hold()
    rig.press(*SEATS)
    rig.kill_table()
    (path,) = rig.folder.glob("*.db")
    with sqlite3.connect(path) as db:
        db.execute("delete from entry where number = (select max(number) from entry)")
    db.close()
    rig.start_table()
    rig.advance(3.0)
    assert rig.phase is Phase.LOOK
    assert rig.state.paused


def test_a_vote_that_the_air_delayed_counts_in_its_window_also_after_long_silence(rig):
    rig.to_first_day()
    nominate(rig, 6, 2)
    rig.until_phase(Phase.READING)
    # As after a day of long speeches: no reading of this node's clock is fresh.
    node = rig.show.nodes.by_user["node-03"]
    node._offsets = type(node._offsets)((at_s - 400.0, value) for at_s, value in node._offsets)
    rig.until(lambda: rig.show.board.game.called == 6)
    rig.advance(4.0)
    publish, held = rig.broker.take, []

    def hold_back(link, topic, payload, qos, retain):
        if link.user == "node-03" and topic.endswith("/said"):
            held.append((link, topic, payload, qos, retain))
            return True
        return publish(link, topic, payload, qos, retain)

    rig.broker.take = hold_back
    rig.press(3)
    rig.advance(2.5)
    rig.broker.take = publish
    assert rig.show.board.game.called == 2
    publish(*held[0])
    rig.until(lambda: rig.show.board.game.ballots)
    assert dict(rig.show.board.game.ballots[0].votes)[3] == 6
    assert 3 not in rig.show.board.game.ballots[0].automatic


def test_a_table_that_was_held_up_opens_no_window_before_its_call_is_shown(rig):
    rig.to_first_day()
    nominate(rig, 6, 2)
    rig.until(lambda: rig.show.board.game.called == 6)
    rig.advance(3.0)
    # The table's loop stands still, the seats go on showing candidate 6.
    rig.lives = False
    rig.advance(3.5)
    assert rig.seats[3].face.title == "6"
    rig.press(3)
    rig.lives = True
    began_s = rig.now_s
    rig.until(lambda: rig.show.board.game.called == 2)
    rig.until(lambda: rig.show.board.game.called == 0)
    assert rig.now_s - began_s >= 5.4
    rig.until(lambda: rig.show.board.game.ballots)
    assert dict(rig.show.board.game.ballots[0].votes)[3] == 6


def test_a_press_after_the_window_is_late_also_when_the_table_takes_it_first(rig):
    rig.to_first_day()
    nominate(rig, 6, 2)
    rig.until(lambda: rig.show.board.game.called == 6)
    due_s, _ = rig.show.countdowns.first()
    rig.advance(due_s - rig.now_s - 0.001)
    rig.lives = False
    rig.down(3)
    rig.advance(0.001 + 0.02)
    rig.up(3)
    rig.advance(0.02)
    rig.down(4)
    rig.advance(0.02)
    rig.lives = True
    rig.until(lambda: rig.show.board.game.ballots)
    votes = rig.show.board.game.ballots[0]
    assert dict(votes.votes)[3] == 6
    assert 3 not in votes.automatic
    assert 4 in votes.automatic


def test_the_last_shots_are_gathered_also_by_a_table_that_was_held_up(rig, roles):
    rig.to_first_day()
    nominate(rig)
    rig.until_phase(Phase.CALLING)
    call(rig, 10)
    rig.press(*(seat for seat in SEATS if roles[seat].team == "mafia"))
    rig.lives = False
    rig.advance(5.0)
    rig.lives = True
    rig.until_phase(Phase.FAREWELL)
    assert rig.show.board.game.shot == 10


def test_a_shout_button_pressed_in_the_own_floor_costs_no_foul_when_it_arrives_after_it(rig):
    rig.to_first_day()
    rig.advance(rig.seats[1].face.left_s - 0.5)
    rig.broker.hang("node-01")
    rig.shout(1)
    rig.until(lambda: rig.state.floor == 2)
    rig.seats[1].link.reset()
    rig.advance(2.0)
    assert rig.show.board.game.seats[0].fouls == 0
    rig.shout(1)
    assert rig.show.board.game.seats[0].fouls == 1


def test_a_second_press_in_a_shout_is_the_same_shout_however_late_it_comes(rig):
    rig.to_first_day()
    rig.shout(7)
    rig.advance(4.0)
    rig.broker.lose("node-07")
    rig.shout(7)
    rig.until(lambda: rig.show.board.game.shout == 0)
    rig.broker.restore("node-07")
    rig.advance(2.0)
    assert rig.show.board.game.seats[6].fouls == 1


def say(rig, seat, **changes):
    """Let the node of *seat* send a message that its program would never send."""
    node = rig.seats[seat]
    fields = {
        "boot": f"{seat:08x}",
        "n": 1,
        "oldest": 1,
        "made_s": rig.now_s,
        "sent_s": rig.now_s,
        "cue": 0,
        "what": {"is": "press", "button": "vote", "how": "edge"},
    }
    payload = json.dumps(fields | changes).encode()
    node.link.publish(rig.topics.of(TopicKind.SAID, f"node-{seat:02d}"), payload)
    rig.settle()


@pytest.mark.parametrize(
    "changes",
    [
        {"boot": "b" * 3000},
        {"n": 10**2500, "oldest": 10**2500},
        {"n": -(10**2500)},
        {"made_s": 1e308, "sent_s": -1e308},
        {"what": {"is": "nightanswer", "ask": 1, "round": 1, "presses": [1.0] * 100}},
        {"what": {"is": "rollcall", "ask": 10**2500, "last": 1}},
    ],
    ids=["boot", "counter", "negative", "times", "presses", "ask"],
)
def test_a_message_out_of_all_bounds_is_refused_and_the_game_goes_on(rig, changes):
    rig.to_first_day()
    state = rig.state
    say(rig, 3, **changes)
    assert rig.table.refused == 1
    assert rig.state is state
    rig.shout(3)
    assert rig.show.board.game.shout == 3


def test_a_status_with_an_endless_boot_is_refused(rig):
    payload = encode(Status(online=True, boot="b" * 3000))
    rig.seats[3].link.publish(rig.topics.of(TopicKind.STATUS, "node-03"), payload, retain=True)
    rig.settle()
    assert rig.table.refused == 1


def test_a_press_that_stands_already_is_a_repeat_when_its_boot_comes_back(rig):
    rig.to_first_day()
    sent = []
    publish = rig.broker.take

    def record(link, topic, payload, qos, retain):
        if link.user == "node-07" and topic.endswith("/said"):
            sent.append(payload)
        return publish(link, topic, payload, qos, retain)

    rig.broker.take = record
    rig.shout(7)
    rig.broker.take = publish
    topic = rig.topics.of(TopicKind.STATUS, "node-07")
    other = Status(online=True, boot="ffffffff", version="0.1.0")
    rig.seats[7].link.publish(topic, encode(other), retain=True)
    rig.advance(40.0)
    back = Status(online=True, boot=f"{7:08x}", version="0.1.0")
    rig.seats[7].link.publish(topic, encode(back), retain=True)
    rig.settle()
    assert rig.show.board.game.shout == 0
    rig.seats[7].link.publish(rig.topics.of(TopicKind.SAID, "node-07"), sent[0])
    rig.settle()
    assert rig.show.board.game.seats[6].fouls == 1


def test_a_vote_that_was_journalled_is_told_as_accepted_also_by_the_table_after_it(rig):
    rig.to_first_day()
    nominate(rig, 6, 2)
    rig.until(lambda: rig.show.board.game.called == 6)
    publish = rig.broker.take

    def deaf(link, topic, payload, qos, retain):
        if topic == rig.topics.of(TopicKind.CUE, "node-03"):
            return True
        return publish(link, topic, payload, qos, retain)

    rig.broker.take = deaf
    rig.down(3)
    rig.advance(0.05)
    rig.kill_table()
    rig.broker.take = publish
    rig.start_table()
    rig.advance(1.2)
    assert rig.seats[3].face.reply is Reply.ACCEPTED


def test_a_node_that_takes_a_seat_keeps_it_over_two_restarts(rig):
    rig.table.playing.swap(3, "node-11")
    rig.table.playing.start()
    for _ in range(2):
        rig.kill_table()
        rig.start_table()
        assert rig.show.nodes.at(3).user == "node-11"
        rig.table.playing.swap(3, "node-11")
    assert rig.show.nodes.at(3).user == "node-11"


def test_a_game_after_a_restart_does_not_say_that_it_was_restarted(rig):
    rig.to_first_day()
    rig.kill_table()
    rig.start_table()
    rig.advance(1.0)
    assert rig.show.board.notice == "paused after a restart"
    rig.table.playing.start()
    assert rig.show.board.notice == ""


def test_a_node_that_starts_anew_no_longer_holds_vote(rig):
    rig.down(3)
    rig.advance(1.0)
    say(rig, 3, boot="ffffffff", what={"is": "press", "button": "shout", "how": "tap"})
    rig.all_hold(*(seat for seat in SEATS if seat != 3))
    assert rig.state is None


def test_a_restart_at_night_shows_no_seat_as_lost_till_morning(rig):
    rig.to_first_day()
    nominate(rig)
    rig.until_phase(Phase.CALLING)
    rig.kill_table()
    rig.start_table()
    rig.advance(3.0)
    assert all(seat.online for seat in rig.show.board.seats)


def test_what_the_host_added_to_a_clock_in_a_pause_is_there_after_a_restart(rig):
    rig.to_first_day()
    rig.advance(20.0)
    rig.table.playing.act(actions.Pause(), rig.now_s)
    rig.table.playing.act(actions.ExtendCountdown(rig.state.clock.id, 30.0), rig.now_s)
    rig.advance(1.0)
    (clock,) = rig.show.board.clocks
    rig.kill_table()
    rig.start_table()
    assert rig.show.board.clocks == (clock,)
    assert clock.left_s == pytest.approx(70.0, abs=0.1)


def test_after_a_restart_in_a_pause_the_board_shows_what_is_left(rig):
    rig.to_first_day()
    rig.advance(20.0)
    rig.table.playing.act(actions.Pause(), rig.now_s)
    (clock,) = rig.show.board.clocks
    rig.kill_table()
    rig.start_table()
    (again,) = rig.show.board.clocks
    assert abs(again.left_s - clock.left_s) <= 0.6


def test_the_presses_of_a_night_count_in_the_second_game_too(rig):
    for _ in range(2):
        rig.table.playing.start()
        rig.press(*SEATS)
        rig.until_phase(Phase.SPEECH)
        nominate(rig)
        rig.until_phase(Phase.CALLING)
        call(rig, 3)
        rig.press(5)
        call(rig, 5)
        assert rig.state.call.presses == ((5, 3),)


def order(rig, action):
    answers = []
    rig.table.take(HostOrder(action, answers.append))
    rig.settle()
    return answers


def test_a_motion_is_voted_on_with_the_same_button_and_counted_at_the_roll_call(rig):
    rig.to_first_day()
    grounds = actions.OpenGrounds(5, Offence.THREATS, Source.HOST, severe=False)
    assert order(rig, grounds) == [""]
    rig.end_floor(rig.state.floor)
    assert rig.phase is Phase.MOTION
    assert rig.seats[2].face.title == "Motion on 5"
    rig.press(1, 2, 3, 4, 5, 6)
    assert rig.seats[1].face.reply is Reply.ACCEPTED
    rig.until(lambda: rig.phase is not Phase.MOTION)
    rig.advance(0.2)
    assert rig.show.board.game.seats[4].living is False
    assert rig.show.board.game.seats[4].cause == "disqualified"


def test_the_host_is_told_why_an_order_is_refused(rig):
    assert order(rig, actions.Pause()) == ["There is no game."]
    rig.to_first_day()
    assert order(rig, actions.GiveFoul(11))[0].startswith("no_such_seat")
    assert order(rig, actions.Pause()) == [""]
    assert rig.state.paused


def test_the_host_can_go_back_to_a_public_step_of_the_day_also_over_a_restart(rig):
    rig.to_first_day()
    rig.shout(7)
    before = rig.show.board.game.seats
    points = rig.table.playing.undo_points()
    rig.advance(6.0)
    rig.end_floor(1)
    assert rig.state.floor == 2
    assert order(rig, Undo(len(points) - 1)) == [""]
    assert rig.state.paused
    assert rig.state.floor == 1
    assert rig.show.board.game.seats[6].fouls == 0
    assert before[6].fouls == 1
    rig.kill_table()
    rig.start_table()
    rig.advance(3.0)
    assert (rig.state.floor, rig.state.paused) == (1, True)
    rig.all_hold()
    rig.end_floor(1)
    assert rig.state.floor == 2


def test_a_night_is_never_undone(rig):
    rig.to_first_day()
    nominate(rig)
    rig.until_phase(Phase.CALLING)
    assert rig.table.playing.undo_points() == ()
    (refusal,) = order(rig, Undo(3))
    assert refusal.startswith("The game cannot go back")


def test_when_a_motion_is_put_every_nodes_clock_is_read(rig):
    rig.to_first_day()
    grounds = actions.OpenGrounds(2, Offence.INSULTS, Source.HOST)
    rig.table.playing.act(grounds, rig.now_s)
    rig.end_floor(1)
    assert rig.phase is Phase.MOTION
    rig.advance(0.1)
    assert {rig.show.nodes.at(seat).answered for seat in SEATS} == {rig.show.ask.id}

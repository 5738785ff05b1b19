import sqlite3

import msgspec

from firmware.wire import Button, Gesture, GestureName
from seat_node.face import Reply
from seat_node.reports import Hand
from table_controller.game import SEATS, Phase


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
    rig.press(*SEATS, for_s=1.0)
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
    # Ten calls and the end of each round; the first call was before the recording.
    assert len(answers[ten[0]]) == 3 * (10 + 1) - 1


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
    rig.press(*SEATS, for_s=1.0)
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
    rig.press(*SEATS, for_s=1.0)
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
    rig.press(*SEATS, for_s=1.0)
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
    rig.press(*SEATS, for_s=1.0)
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
    rig.press(*SEATS, for_s=1.0)
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
    rig.press(*SEATS, for_s=1.0)
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

"""The table and its seats when the broker, or only the way to it, is gone for a while."""

import pytest

from firmware.link import BEAT_S
from firmware.wire import NODES
from seat_node.face import Reply
from table_controller.game import SEATS, Phase, actions
from table_controller.scoreboard.board import Notice
from table_controller.table import BEATS_LOST


def to_the_ballot(rig):
    """Bring the game to the call of 6, then 2, without fingers."""
    playing = rig.table.playing
    playing.start()
    for seat in SEATS:
        playing.act(actions.Ready(seat), rig.now_s)
    while rig.phase is not Phase.READING:
        if rig.phase is Phase.SPEECH:
            if rig.state.floor <= 2:
                nominee = (6, 2)[rig.state.floor - 1]
                playing.act(actions.Nominate(rig.state.floor, nominee), rig.now_s)
            playing.act(actions.EndFloor(rig.state.floor), rig.now_s)
        else:
            playing.expire()
    rig.until_phase(Phase.BALLOT)
    rig.advance(0.5)


def to_the_night(rig):
    playing = rig.table.playing
    playing.start()
    for seat in SEATS:
        playing.act(actions.Ready(seat), rig.now_s)
    while rig.phase is not Phase.CALLING:
        playing.expire()
    rig.advance(0.5)


def to_the_speech(rig):
    rig.to_first_day()


def go_on(rig):
    rig.all_hold()
    assert not rig.state.paused


@pytest.mark.parametrize("place", [to_the_speech, to_the_ballot, to_the_night])
def test_a_broker_that_stands_still_pauses_the_game_and_says_why(rig, place):
    place(rig)
    rig.broker.hang("table")
    rig.advance((BEATS_LOST - 1) * BEAT_S)
    assert not rig.state.paused
    rig.advance(2.5 * BEAT_S)
    assert rig.state.paused
    assert rig.show.board.notice == Notice.LINK_LOST
    # The link is made anew by itself.
    rig.advance(10.0)
    assert rig.show.board.notice == ""
    go_on(rig)


def test_a_broker_that_stands_still_for_a_moment_pauses_nothing(rig):
    rig.to_first_day()
    rig.broker.hang("table")
    rig.advance(1.5 * BEAT_S)
    rig.link.reset()
    rig.advance(5.0)
    assert not rig.state.paused


def test_after_a_broker_died_in_a_vote_every_seat_votes_again_within_five_seconds(rig):
    to_the_ballot(rig)
    rig.press(1)
    rig.broker.stop()
    rig.press(3)
    rig.advance(4.0)
    assert rig.state.paused
    assert rig.seats[3].face.reply is Reply.WAITING
    rig.broker.start()
    came_s = rig.now_s
    go_on(rig)
    rig.press(*(seat for seat in SEATS if seat not in (1, 3)))
    assert rig.now_s - came_s < 5.0
    assert all(rig.seats[seat].face.reply is Reply.ACCEPTED for seat in SEATS if seat not in (1, 3))
    rig.until(lambda: rig.state.ballots)
    ballot = rig.state.ballots[0]
    assert dict(ballot.votes) == dict.fromkeys(SEATS, 6)
    assert ballot.automatic == ()


def test_what_the_broker_kept_is_there_again_after_it_lost_everything(rig):
    rig.to_first_day()
    rig.settle()
    before = set(rig.broker.retained)
    rig.broker.stop()
    rig.broker.start()
    rig.settle()
    assert set(rig.broker.retained) == before
    assert any(topic.endswith("public/view") for topic in before)
    assert sum(topic.endswith("status") for topic in before) == len(SEATS)


def test_a_table_that_could_not_send_for_a_full_queue_makes_its_link_anew(rig):
    rig.to_first_day()
    take, lost = rig.broker.take, []

    def full(link, topic, payload, qos, retain):
        if link.user == "table" and "/down/" in topic:
            lost.append(topic)
            link.drops += 1
            return False
        return take(link, topic, payload, qos, retain)

    rig.broker.take = full
    rig.shout(7)
    assert {topic.split("/")[-2] for topic in lost} == set(NODES[: len(SEATS)])
    rig.broker.take = take
    rig.advance(2 * BEAT_S)
    shown = {seat: rig.seats[seat].seat._cue.id for seat in SEATS}
    assert shown == {seat: rig.show.nodes.at(seat).cue.id for seat in SEATS}


def test_the_votes_of_a_night_round_that_the_broker_cut_short_count_in_its_last_call(rig):
    to_the_night(rig)
    rig.press(4)
    rig.broker.stop()
    rig.advance(4.0)
    rig.broker.start()
    rig.advance(1.0)
    go_on(rig)
    assert rig.state.call.presses == ()
    number = rig.state.call.numbers[0]
    rig.advance(0.5)
    rig.press(4)
    rig.until(lambda: rig.state.call.called > 2)
    assert rig.state.call.presses == ((4, number),)

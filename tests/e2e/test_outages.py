"""What the programs do when broker, table or a rival come and go."""

import pytest

from firmware.wire import Mark

BROKEN_S = 2.5


def votes(game, ballot=-1):
    """Return {seat: candidate} of a closed ballot, without automatic votes."""
    closed = game["ballots"][ballot]
    return {seat: who for seat, who in closed["votes"] if seat not in closed["automatic"]}


def marks_of(director, seat):
    """Return a list that gets every answer shown at *seat* from now on."""
    marks = []
    panel = director.panels[seat]
    director.stage.on_shown.append(lambda p: marks.append(p.shown.mark) if p is panel else None)
    return marks


def no_press_waits(director, *seats):
    director.until(
        lambda: not any(director.panels[seat].shown.waiting for seat in seats), "answers"
    )


@pytest.mark.proof
def test_a_broker_that_stands_still_during_a_vote_dates_every_press_right(director):
    director.begin()
    director.to_ballot(4, 5)
    clock, house = director.stage.clock, director.house
    end_s = clock.now_s() + BROKEN_S
    house.broker.freeze()
    director.vote(1, 2, 3)
    director.stage.step()
    director.vote(6)  # Between the windows: too late for 4, too early for 5.
    director.stage.step()
    director.vote(2, 7, 8)  # The first press of 2 binds.
    director.until(lambda: clock.now_s() >= end_s, "the end of the standstill")
    assert all(director.panels[seat].scene == "candidate" for seat in director.living)
    house.broker.thaw()
    no_press_waits(director, 1, 2, 3, 6, 7, 8)
    director.step_to("vote_over")
    game = director.until_state(lambda game: game["ballots"], "the count")
    assert votes(game) == {1: 4, 2: 4, 3: 4, 7: 5, 8: 5}
    assert game["ballots"][0]["automatic"] == [4, 5, 6, 9, 10]


@pytest.mark.proof
def test_a_vote_that_was_pressed_while_the_table_was_away_is_answered_and_counts_nowhere(director):
    director.begin()
    director.to_ballot(4, 5)
    director.cast(1)
    director.house.table.kill()
    director.vote(2, 3)
    director.until(lambda: all(director.panels[s].shown.waiting for s in (2, 3)), "two that wait")
    marks = marks_of(director, 2)
    director.house.table.start()
    director.scenes("paused")
    no_press_waits(director, 1, 2, 3)
    assert set(marks) == {None, Mark.LATE}
    director.all_hold(*director.living, until="candidate")
    director.called(4)
    assert director.lines(1)[0] == "You have voted"
    assert director.lines(2)[0] != "You have voted"
    director.cast(3)
    director.step_to("vote_over")
    game = director.until_state(lambda game: game["ballots"], "the count")
    assert votes(game) == {1: 4, 3: 4}


@pytest.mark.proof
def test_a_game_goes_on_after_its_table_was_killed_in_a_speech(director):
    director.begin()
    director.speech_of(1)
    director.nominate(1, 4)
    director.speech_of(2)
    director.nominate(2, 5)
    director.shout(7)
    director.step_to("thanks")
    before = director.state()
    director.house.table.kill()
    director.house.table.start()
    director.scenes("paused")
    after = director.state()
    assert after["game"]["paused"]
    director.all_hold(*director.living, until="day|floor")
    director.scenes("floor", seats={3})
    after = director.state()
    assert after["game"] == before["game"]
    assert after["commitment"] == before["commitment"]
    assert after["seats"] == before["seats"]
    director.step_to("candidate", 4)


def test_a_second_table_on_the_same_journal_does_not_start(director):
    director.house.wait_ready()
    rival = director.house.table_program("second table")
    rival.start()
    assert rival.wait(15.0) == 1
    assert "another table program uses it" in rival.last_words(1)
    director.house.check()


def test_of_two_devices_with_one_identity_one_backs_off_and_says_so(director):
    director.house.wait_ready()
    first = director.panels[3]
    rival = director.house.seat_program("rival", 3)
    rival.start()
    second = director.stage.seat(13, director.house.folder / "rival.sock")
    pair = (first, second)
    director.until(lambda: {each.scene for each in pair} == {"idle", "taken"}, "one to back off")
    leaver = next(each for each in pair if each.scene == "taken")
    assert "Another device plays with this name." in leaver.shown.lines
    assert leaver.shown.left_s > 30
    # The other one plays.
    director.all_hold(*director.panels, until="seating|taken")
    assert leaver.scene == "taken"

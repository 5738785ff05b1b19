"""Real seat programs that die, reboot, stand still and are replaced in a game."""

import pytest

from firmware.wire import Button

BACK_S = 3.0
SPARE_S = 10.0


@pytest.mark.proof
def test_a_seat_that_is_killed_in_a_vote_is_back_in_three_seconds_with_its_own_cue(director):
    director.begin()
    director.to_ballot(4, 5)
    director.cast(1)
    clock, program = director.stage.clock, director.house.seats[6]
    program.kill()
    director.until_state(lambda game: game["called"] == 4, "the call")
    panel = director.panels[6]
    director.until(lambda: not panel.linked, "the end of the program")
    panel.shown = None
    began_s = clock.now_s()
    program.start()
    director.until(lambda: panel.scene == "candidate", "its own cue again")
    assert clock.now_s() - began_s < BACK_S
    assert panel.shown.title == "4"
    director.cast(6)
    director.step_to("vote_over")
    game = director.until_state(lambda game: game["ballots"], "the count")
    closed = game["ballots"][0]
    assert {seat: who for seat, who in closed["votes"] if seat not in closed["automatic"]} == {
        1: 4,
        6: 4,
    }


def test_a_spare_takes_the_seat_of_a_dead_one_in_ten_seconds(director):
    director.begin()
    director.speech_of(1)
    house, clock = director.house, director.stage.clock
    house.seats[1].kill()
    began_s = clock.now_s()
    spare = house.seat_program("spare", 11)
    spare.start()
    eleventh = director.stage.seat(11, house.folder / "spare.sock")
    director.until(lambda: eleventh.scene == "idle", "the spare")
    director.stage.swap(1, "node-11")
    director.until(lambda: eleventh.scene == "floor", "the floor at the spare")
    assert clock.now_s() - began_s < SPARE_S
    eleventh.hold(Button.SHOUT)
    director.scenes("floor", seats={2})


@pytest.mark.proof
@pytest.mark.parametrize("who", ["table", "seat 1"])
def test_a_process_that_was_suspended_changes_no_length(new_house, director_class, who):
    """A speech of 25 s by the voice, with 3 s of standstill in it."""
    house = new_house(turbo=True, seed=1)
    director = director_class(house)
    clock, stage = director.stage.clock, director.stage
    said = []
    stage.on_heard.append(lambda heard: said.append((heard.phrase, heard.number, clock.now_s())))
    frozen = house.table if who == "table" else house.seats[1]

    def at(phrase, number):
        """Wait for it to be said; return when."""
        director.until(
            lambda: any(heard[:2] == (phrase, number) for heard in said), phrase, within_s=120.0
        )
        return next(when for *what, when in said if what == [phrase, number])

    begin(director)
    began_s = at("speech", 1)
    resume_s = clock.now_s() + 3.0
    frozen.freeze()
    stage.until(lambda: clock.now_s() >= resume_s, 10.0, "the standstill")
    frozen.thaw()
    assert at("speech", 2) - began_s == pytest.approx(25.0, abs=0.3)


def begin(director):
    director.house.wait_ready()
    director.all_hold(*director.living, until="seating")
    director.vote(*director.living)

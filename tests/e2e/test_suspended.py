"""The whole kit suspended at once and woken: a laptop's lid, a hypervisor that pauses its guest.

The clocks of the machine run on meanwhile, as those of a paused guest do.
"""

import pytest

from firmware.wire import Button, Mark
from table_controller.game import SEATS, actions

pytestmark = pytest.mark.proof

SPEED = 5.0
SPEECH_S = 25.0 / SPEED
CALL_S = 6.0
GAP_S = 0.5
RULES = f"""
mode = "turbo"
look_s = 5
nightfall_s = 5
rest_s = 5
morning_s = 5
read_name_s = 0.5
ballot_s = {CALL_S * SPEED}
ballot_gap_s = {GAP_S * SPEED}
"""

SUSPENDED_S = 2.5
LONG_S = 12.0
"""Past the broker's patience with its clients, and theirs with it."""

RETURN_S = 5.0
"""Every seat can vote again so soon. Source: RULES 1.17."""

EXACT_S = 0.3
"""For the way of what is heard, on a busy machine."""


def suspend(director, for_s, meanwhile=lambda: None):
    """Let every process of the kit stand still."""
    house, stage = director.house, director.stage
    end_s = stage.clock.now_s() + for_s
    programs = (house.table, *house.seats.values(), house.broker)
    for program in programs:
        program.freeze()
    meanwhile()
    stage.until(lambda: stage.clock.now_s() >= end_s, for_s + 5.0, "the end of the standstill")
    for program in programs:
        program.thaw()


def everybody_is_there(director):
    """Tell whether the table says that its link and all seats are up."""
    board = director.state()
    return not board["notice"] and all(seat["online"] for seat in board["seats"])


def nobody_was_missed(director):
    """See that all are there, and that the host was told of no seat that was not."""
    assert everybody_is_there(director)
    log = director.house.table.log.read_text()
    assert "has lost its device" not in log
    assert "taken for lost" not in log


class Heard:
    """When the voice said what."""

    def __init__(self, director):
        self._director = director
        self._said = []
        clock = director.stage.clock
        director.stage.on_heard.append(
            lambda heard: self._said.append((heard.phrase, heard.number, clock.now_s()))
        )

    def at(self, phrase, number, within_s=30.0):
        """Wait for it to be said; return when."""

        def found():
            return next((at_s for *what, at_s in self._said if what == [phrase, number]), None)

        return self._director.until(found, f"{phrase} {number}", within_s)


@pytest.fixture
def director(new_house, director_class, tmp_path):
    """A director in a house whose clocks run out by themselves."""
    rules = tmp_path / "rules.toml"
    rules.write_text(RULES)
    return director_class(new_house(seed=1, turbo=True, speed=SPEED, ruleset=rules))


def end_speech(director):
    """Let the host end the speech that is held."""
    (clock,) = director.state()["game"]["countdowns"]
    director.stage.order(actions.EndCountdown(clock["id"]))


def test_a_kit_suspended_in_a_speech_and_in_a_ballot_plays_on_as_by_the_clock(director):
    heard = Heard(director)
    now_s = director.stage.clock.now_s
    director.house.wait_ready()
    director.all_hold(*director.living, until="seating")
    director.vote(*director.living)
    for speaker, nominee in ((1, 4), (2, 5), (3, 6)):
        heard.at("speech", speaker)
        director.scenes("floor", seats={speaker})
        director.nominate(speaker, nominee)
        if speaker < 3:
            end_speech(director)
    suspend(director, SUSPENDED_S)
    spoke_s = heard.at("speech", 4) - heard.at("speech", 3)
    assert spoke_s == pytest.approx(SPEECH_S, abs=EXACT_S)
    nobody_was_missed(director)
    for speaker in range(4, 11):
        heard.at("speech", speaker)
        end_speech(director)

    # In the midst of a call, which ends when it would have.
    heard.at("candidate", 4)
    director.called(4)
    director.cast(1, 2)
    suspend(director, SUSPENDED_S)
    director.cast(3)
    called_s = heard.at("candidate", 5) - heard.at("candidate", 4)
    assert called_s == pytest.approx(CALL_S + GAP_S, abs=EXACT_S)

    # Past the end of a call: nobody could hear the next one, which has its whole length.
    director.called(5)
    director.cast(6)
    pressing = director.panels[7]
    marks = []
    director.stage.on_shown.append(
        lambda panel: panel is pressing and marks.append(panel.shown.mark)
    )
    due_s = heard.at("candidate", 5) + CALL_S
    director.until(lambda: now_s() > due_s - 1.5, "the last seconds of the call")
    suspend(director, due_s + GAP_S + 1.0 - now_s(), lambda: pressing.push(Button.VOTE))
    woken_s = now_s()
    director.called(6)
    pressing.release(Button.VOTE)
    assert heard.at("candidate", 6) - woken_s == pytest.approx(GAP_S, abs=EXACT_S)
    director.cast(8)
    called_s = heard.at("vote_over", 0) - heard.at("candidate", 6)
    assert called_s == pytest.approx(CALL_S, abs=EXACT_S)
    (ballot,) = director.until_state(lambda game: game["ballots"], "the count")["ballots"]
    votes, automatic = dict(ballot["votes"]), set(ballot["automatic"])
    assert {seat: votes[seat] for seat in (1, 2, 3, 6, 8)} == {1: 4, 2: 4, 3: 4, 6: 5, 8: 6}
    # Pressed at the very end of a call: it counts there, or was too late.
    assert votes[7] == 5 or (7 in automatic and Mark.LATE in marks)
    assert automatic - {7} == {4, 5, 9, 10}
    nobody_was_missed(director)


def test_a_kit_suspended_for_long_links_again_and_every_seat_can_vote(new_house, director_class):
    director = director_class(new_house(step=True, seed=1))
    director.begin()
    director.to_ballot(4, 5)
    director.cast(1, 2)
    suspend(director, LONG_S)
    back_s = director.stage.clock.now_s()
    # All connections are made anew: too quickly for a pause.
    director.until(lambda: everybody_is_there(director), "the links", RETURN_S)
    director.cast(*(seat for seat in SEATS if seat not in (1, 2, 9)))
    assert director.stage.clock.now_s() - back_s < RETURN_S
    nobody_was_missed(director)
    director.step_to("vote_over")
    (ballot,) = director.until_state(lambda game: game["ballots"], "the count")["ballots"]
    assert dict(ballot["votes"]) == {seat: 4 for seat in SEATS if seat != 9} | {9: 5}
    assert ballot["automatic"] == [9]

"""What the room hears of the host's rulings, by day and by night."""

import pytest

from table_controller.game import Phase, actions
from table_controller.game.model import Offence, Sanction

RULE = actions.Rule(Sanction.TECHNICAL_FOUL, 5, Offence.INSULTS)


def heard(rig):
    return [(phrase.name, phrase.number) for phrase in rig.room.heard]


@pytest.fixture
def evening(rig, tmp_path):
    rig.to_first_day()
    return rig


def to_night(rig):
    while rig.phase is Phase.SPEECH:
        rig.end_floor(rig.state.floor)
    rig.until(lambda: rig.phase is Phase.NIGHTFALL)


def test_a_technical_foul_by_day_is_heard_at_once_with_what_for(evening):
    evening.room.heard.clear()
    evening.table.playing.act(RULE, evening.now_s)
    assert heard(evening) == [("technical_foul", 5), ("offence_insults", 0)]


def test_a_technical_foul_by_night_is_heard_in_the_morning(evening):
    to_night(evening)
    evening.room.heard.clear()
    evening.table.playing.act(RULE, evening.now_s)
    assert ("technical_foul", 5) not in heard(evening)
    evening.until(lambda: evening.phase is Phase.MORNING)
    after = heard(evening)[heard(evening).index(("morning", 2)) :]
    assert after[:3] == [("morning", 2), ("technical_foul", 5), ("offence_insults", 0)]


def test_what_a_night_hushed_up_is_not_said_in_another_game(evening):
    to_night(evening)
    evening.table.playing.act(RULE, evening.now_s)
    evening.table.playing.act(actions.Void(), evening.now_s)
    evening.room.heard.clear()
    evening.table.playing.start()
    for seat in range(1, 11):
        evening.table.playing.act(actions.Ready(seat), evening.now_s)
    evening.until(lambda: evening.phase is Phase.MORNING)
    assert ("technical_foul", 5) not in heard(evening)


def test_music_is_wanted_from_nightfall_to_morning_and_in_no_pause(evening):
    assert evening.room.nights == [True, False]
    to_night(evening)
    evening.table.playing.act(actions.Pause(), evening.now_s)
    evening.table.playing.act(actions.Resume(), evening.now_s)
    evening.until(lambda: evening.phase is Phase.MORNING)
    assert evening.room.nights == [True, False, True, False, True, False]

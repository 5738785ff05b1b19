import pytest

from firmware.fakes import FakeClock
from table_controller.game import NORMAL, Phase, actions
from table_controller.game.ruleset import TURBO


@pytest.fixture
def day(rig):
    rig.to_first_day()
    rig.room.heard.clear()
    return rig


def tones(rig):
    """Take what was heard of the tones so far."""
    names = [phrase.name for phrase in rig.room.heard]
    rig.room.heard.clear()
    return [name for name in names if name in ("ten_seconds", "time_over")]


def test_a_speaker_hears_of_the_last_ten_seconds_and_of_the_end(day):
    day.advance(49.9)
    assert tones(day) == []
    day.advance(0.2)
    assert tones(day) == ["ten_seconds"]
    day.advance(9.8)
    assert tones(day) == []
    day.advance(0.2)
    assert tones(day) == ["time_over"]
    assert day.state.floor == 2


def test_the_end_is_told_before_the_thanks(day):
    day.advance(60.1)
    names = [phrase.name for phrase in day.room.heard]
    assert names[:3] == ["ten_seconds", "time_over", "thanks"]


def test_who_ends_a_speech_early_hears_no_tone(day):
    day.advance(30)
    day.end_floor(1)
    assert tones(day) == []


def test_whom_the_host_gives_more_time_is_told_again(day):
    day.advance(55)
    assert tones(day) == ["ten_seconds"]
    clock = day.state.clock
    day.table.playing.act(actions.ExtendCountdown(clock.id, 30), day.now_s)
    day.advance(24)
    assert tones(day) == []
    day.advance(2)
    assert tones(day) == ["ten_seconds"]


def test_a_clock_that_stands_for_a_shout_or_a_pause_is_told_of_later(day):
    day.advance(48)
    day.table.playing.act(actions.Shout(5), day.now_s)
    day.advance(4)
    assert tones(day) == []
    day.advance(1)
    day.table.playing.act(actions.Pause(), day.now_s)
    day.advance(100)
    assert tones(day) == []
    day.table.playing.act(actions.Resume(), day.now_s)
    day.advance(2.1)
    assert tones(day) == ["ten_seconds"]


@pytest.mark.parametrize(
    ("ruleset", "length_s", "told"),
    [(NORMAL, 15, ["ten_seconds", "time_over"]), (TURBO, 10, ["time_over"])],
    ids=["normal", "turbo"],
)
def test_a_silenced_seat_hears_it_too_unless_its_slot_is_too_short(
    rig, tmp_path, ruleset, length_s, told
):
    table = type(rig)(tmp_path / "other" / "journal", FakeClock(), ruleset=ruleset)
    table.to_first_day()
    for _ in range(3):
        table.table.playing.act(actions.GiveFoul(2), table.now_s)
    table.end_floor(1)
    # Its three fouls of today cost the next round.
    while table.state.day == 1 or table.phase is not Phase.SPEECH:
        if table.phase is Phase.SPEECH:
            table.end_floor(table.state.floor)
        table.advance(0.5)
    assert table.state.clock.length_s == (length_s if table.state.floor == 2 else ruleset.speech_s)
    while table.state.floor != 2:
        table.room.heard.clear()
        table.end_floor(table.state.floor)
    table.advance(length_s + 0.1)
    assert tones(table) == told
    table.table.playing.close()
    table.journals.close()


def test_a_farewell_is_told_of_and_its_silent_picks_are_not(day):
    day.table.playing.act(actions.Pause(), day.now_s)
    day.table.playing.act(actions.Resume(), day.now_s)
    tones(day)
    for seat in range(1, 11):
        if seat in (1, 2):
            day.table.playing.act(actions.Nominate(seat, seat + 2), day.now_s)
        day.end_floor(seat)
    day.until(lambda: day.phase is Phase.FAREWELL)
    tones(day)
    day.advance(60.1)
    assert tones(day) == ["ten_seconds", "time_over"]
    assert day.phase is Phase.FAREWELL_PICKS
    day.advance(15.1)
    assert tones(day) == []

"""A host who reads out: the lines, the calls by hand, nights of one length for all roles."""

import itertools

import pytest

from firmware.fakes import FakeClock
from table_controller import deal
from table_controller.game import CountdownKind, Phase, Role, actions
from table_controller.game.model import Offence, Sanction
from table_controller.host import orders
from table_controller.host.notices import NoticeKind
from table_controller.host.orders import HostOrder
from table_controller.host.refusal import Refused
from table_controller.host.sheet import Sheet, VoiceState
from table_controller.voice.reading_out import ASLEEP_S
from table_controller.voice.settings import KeptVoice, VoiceSettings


@pytest.fixture
def host(rig):
    """A table whose host reads out."""
    rig.to_first_day()
    rig.table.reading.read_out(on=True)
    return rig


def to_night(rig):
    while rig.phase is Phase.SPEECH:
        rig.end_floor(rig.state.floor)
    rig.until(lambda: rig.phase is Phase.NIGHTFALL)


def numbers(rig):
    return [phrase.number for phrase in rig.room.heard if phrase.name == "number"]


def tap(rig):
    rig.table.reading.next_line()
    rig.settle()


def wait(rig):
    """Let time pass until a call waits; return how long that took."""
    began_s = rig.now_s
    while not rig.table.reading.waits:
        rig.advance(0.1)
        assert rig.now_s < began_s + 60
    return rig.now_s - began_s


def nominate(rig, *pairs):
    aims = dict(pairs)
    for seat in rig.state.living:
        if seat in aims:
            rig.table.playing.act(actions.Nominate(seat, aims[seat]), rig.now_s)
        rig.end_floor(seat)


def test_a_night_number_waits_for_the_tap_and_its_window_runs_from_it(host):
    to_night(host)
    wait(host)
    assert host.table.reading.line().text == "The mafia shoots. 1"
    assert numbers(host) == []
    host.advance(50)
    assert numbers(host) == []
    for number in (1, 2, 3):
        tap(host)
        assert numbers(host)[-1] == number
        assert not host.table.reading.waits
        assert host.state.clock.kind is CountdownKind.CALL
        host.advance(0.29)
        assert number not in _opened(host)
        host.advance(0.02)
        assert number in _opened(host)
        assert wait(host) == pytest.approx(2.2, abs=0.15)
        assert host.table.reading.line().text == str(number + 1)


def _opened(rig):
    from table_controller.game.night import opened

    return opened(rig.state)


def test_no_tap_calls_what_does_not_wait(host):
    with pytest.raises(Refused, match="Nothing waits"):
        host.table.reading.next_line()
    to_night(host)
    wait(host)
    tap(host)
    # The window of the number before is still to run its whole length.
    with pytest.raises(Refused, match="Nothing waits"):
        host.table.reading.next_line()
    assert numbers(host) == [1]


def test_candidates_wait_for_the_tap_and_keep_their_whole_window(host):
    nominate(host, (1, 4), (2, 7))
    host.until(lambda: host.phase is Phase.READING)
    assert wait(host) == pytest.approx(4, abs=0.2)
    assert host.table.reading.line().text == "Against seat 4."
    host.advance(30)
    assert host.phase is Phase.READING
    tap(host)
    assert host.phase is Phase.BALLOT
    assert wait(host) == pytest.approx(5.5, abs=0.15)
    assert host.table.reading.line().text == "Against seat 7."
    tap(host)
    host.advance(5.1)
    host.until(lambda: host.phase not in (Phase.BALLOT, Phase.ROLL_CALL))
    assert not host.table.reading.waits


def test_the_host_hears_nothing_of_lines_while_the_voice_speaks(rig):
    rig.to_first_day()
    assert rig.table.reading.line() is None
    rig.room.fault = "aplay -D default: no such card"
    rig.advance(1)
    rig.end_floor(1)
    text = rig.table.reading.line().text
    assert text == "Thank you. Seat 2 has the floor. One minute."
    state = rig.table.reading.state()
    assert (state.on, state.fault) == (False, "aplay -D default: no such card")


def test_a_voice_that_fails_is_told_and_taken_up_again(rig):
    rig.to_first_day()

    def told():
        kinds = (NoticeKind.VOICE_FAILS, NoticeKind.VOICE_BACK)
        return [notice.kind for notice in rig.table.notices.all if notice.kind in kinds]

    rig.room.fault = "gone"
    rig.advance(3)
    assert told() == [NoticeKind.VOICE_FAILS]
    rig.room.fault = ""
    rig.advance(3)
    assert told() == [NoticeKind.VOICE_FAILS, NoticeKind.VOICE_BACK]
    assert rig.table.reading.state().on


def test_calls_wait_by_themselves_only_when_the_voice_fails_and_a_host_looks(rig):
    rig.to_first_day()
    watched = []
    rig.table.reading._watched = lambda: bool(watched)
    assert not rig.table.reading.by_hand
    rig.room.fault = "gone"
    rig.advance(1)
    assert not rig.table.reading.by_hand
    watched.append("a phone")
    rig.advance(1)
    assert rig.table.reading.by_hand
    # A phone that sleeps for a moment lets no number go by unread.
    watched.clear()
    rig.advance(1)
    assert rig.table.reading.by_hand
    rig.room.fault = ""
    rig.advance(1)
    assert not rig.table.reading.by_hand


def test_the_host_switches_it_whatever_the_voice_does(rig):
    rig.to_first_day()
    rig.table.reading.read_out(on=True)
    assert rig.table.reading.by_hand
    rig.table.reading.read_out(on=False)
    rig.table.reading._watched = lambda: True
    rig.room.fault = "gone"
    rig.advance(1)
    assert not rig.table.reading.by_hand


def test_a_host_who_sleeps_hangs_no_game_for_ever(host):
    to_night(host)
    wait(host)
    host.advance(ASLEEP_S - 1)
    assert not host.state.paused
    host.advance(1.2)
    assert host.state.paused
    assert NoticeKind.UNREAD in [notice.kind for notice in host.table.notices.all]
    # All hold VOTE, say: the night goes on by itself.
    host.table.playing.act(actions.Resume(), host.now_s)
    host.until(lambda: len(numbers(host)) >= 5)
    assert not host.table.reading.by_hand
    host.table.reading.read_out(on=True)
    wait(host)


def test_a_pause_ends_the_waiting_and_the_round_is_called_again(host):
    to_night(host)
    for _ in range(3):
        wait(host)
        tap(host)
    wait(host)
    host.table.playing.act(actions.Pause(), host.now_s)
    host.advance(1)
    assert not host.table.reading.waits
    host.advance(2 * ASLEEP_S)
    host.table.playing.act(actions.Resume(), host.now_s)
    assert numbers(host) == [1, 2, 3, 1]
    wait(host)
    assert host.table.reading.line().text == "2"


def night_by_hand(rig_class, folder, role):
    """Play a night by hand without seat 5, which had *role*; return lines and calls in time."""
    seed = next(
        seed for seed in itertools.count() if deal.roles(deal.rehearsal_seed(seed))[4] is role
    )
    rig = rig_class(folder, FakeClock(), seed=seed)
    rig.to_first_day()
    rig.table.reading.read_out(on=True)
    rule = actions.Rule(Sanction.DISQUALIFICATION, 5, Offence.THREATS)
    rig.table.playing.act(rule, rig.now_s)
    to_night(rig)
    began_s, told = rig.now_s, []
    while rig.phase is not Phase.MORNING:
        line = rig.table.reading.line()
        told.append((round(rig.now_s - began_s, 3), rig.table.reading.waits, line and line.text))
        if rig.table.reading.waits:
            rig.advance(0.7)
            tap(rig)
            rig.press(1, 3, 9)
        rig.advance(0.1)
    rig.table.playing.close()
    rig.journals.close()
    return told


def test_a_night_by_hand_tells_nothing_of_a_dead_don_or_sheriff(rig, tmp_path):
    nights = [
        night_by_hand(type(rig), tmp_path / role / "journal", role)
        for role in (Role.CITIZEN, Role.DON, Role.SHERIFF)
    ]
    assert nights[0] == nights[1] == nights[2]
    assert len([each for each in nights[0] if each[1]]) == 3 * 9


def test_the_sheet_has_line_and_voice_and_offers_the_tap_only_while_a_call_waits(host):
    sheet = Sheet(0, "night", orders=("pause", "next_line"), next=(actions.Pause(),))
    to_night(host)
    before = host.table.reading.add(sheet)
    assert (before.orders, before.next) == (("pause",), (actions.Pause(),))
    wait(host)
    waits = host.table.reading.add(sheet)
    assert waits.orders == ("pause", "next_line")
    assert waits.next == (orders.NextLine(), actions.Pause())
    assert waits.line.text == "The mafia shoots. 1"
    assert waits.voice == VoiceState(on=True, volume=80, music=True, by_hand=True)


def test_a_host_orders_all_of_the_voice(host):
    def order(action):
        replies = []
        host.table.take(HostOrder(action, replies.append))
        return replies

    assert order(orders.Volume(20)) == order(orders.Music(False)) == [""]
    assert host.room.tuned[-1] == (20, False)
    assert order(orders.Volume(200)) == ["Volume is 0 to 100."]
    assert order(orders.NextLine()) == ["Nothing waits to be called."]
    to_night(host)
    wait(host)
    assert order(orders.NextLine()) == [""]
    assert numbers(host) == [1]
    assert order(orders.ReadOut(False)) == [""]
    host.until(lambda: numbers(host)[-1] == 3)


# ---- volume and music ----


def test_volume_and_music_are_kept_over_a_restart(rig, tmp_path):
    path = tmp_path / "voice.json"
    rig.table.reading._kept = KeptVoice(path)
    rig.table.reading.volume(35)
    rig.table.reading.music(on=False)
    assert rig.room.tuned[-1] == (35, False)
    assert path.stat().st_mode & 0o777 == 0o600
    assert KeptVoice(path).read() == VoiceSettings(35, music=False)


@pytest.mark.parametrize("percent", [-1, 101])
def test_a_volume_that_is_none_changes_nothing(rig, percent):
    with pytest.raises(Refused, match="0 to 100"):
        rig.table.reading.volume(percent)
    assert rig.room.tuned == [(80, True)]


@pytest.mark.parametrize("content", [b"", b"[]", b'{"volume": 900}', b'{"loud": 1}', b"\xff"])
def test_bad_settings_are_those_of_a_new_kit(tmp_path, content, caplog):
    path = tmp_path / "voice.json"
    path.write_bytes(content)
    assert KeptVoice(path).read() == VoiceSettings()
    assert str(path) in caplog.text


def test_settings_that_cannot_be_kept_stop_nothing(tmp_path, caplog):
    KeptVoice(tmp_path / "none" / "voice.json").save(VoiceSettings(10))
    assert "until the stop only" in caplog.text

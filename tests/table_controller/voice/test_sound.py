import itertools
import math
import struct
import wave
from array import array

import pytest

from table_controller.voice.mixer import ALONE, BYTES, SLICE, SLICE_S, UNDER, Mixer
from table_controller.voice.music import Music
from table_controller.voice.sound import RATE, SoundError, beep, gain, open_wav, read_wav


def tone(hertz, length_s, rate=RATE, level=8000):
    return [
        round(level * math.sin(2 * math.pi * hertz * n / rate)) for n in range(int(rate * length_s))
    ]


def write(path, samples, rate=RATE, channels=1, width=2):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(rate)
        if width == 2:
            samples = struct.pack(f"<{len(samples)}h", *samples)
        file.writeframes(samples)
    return path


def crossings(sound):
    """How often it goes from below to above nothing: its Hz times its seconds."""
    return sum(1 for a, b in itertools.pairwise(sound) if a < 0 <= b)


def test_our_own_form_is_taken_as_it_is(tmp_path):
    samples = tone(440, 0.5)
    assert list(read_wav(write(tmp_path / "a.wav", samples)))[-1000:] == samples[-1000:]


@pytest.mark.parametrize("rate", [8000, 16000, 44100, 48000, 96000])
@pytest.mark.parametrize("channels", [1, 2])
def test_other_forms_keep_their_length_and_their_pitch(tmp_path, rate, channels):
    samples = [each for each in tone(400, 1.0, rate) for _ in range(channels)]
    sound = read_wav(write(tmp_path / "a.wav", samples, rate, channels))
    assert abs(len(sound) - RATE) <= 0.01 * RATE
    assert crossings(sound) in (399, 400)
    assert 6000 < max(sound) <= 8000


def test_two_channels_are_their_mean(tmp_path):
    samples = [each for pair in zip([1000] * 500, [3000] * 500, strict=True) for each in pair]
    assert set(read_wav(write(tmp_path / "a.wav", samples, channels=2))) == {2000}


def test_a_recording_begins_with_its_first_sound(tmp_path):
    sound = read_wav(write(tmp_path / "a.wav", [0, 5, -7] * (RATE // 3) + tone(440, 0.5)))
    assert len(sound) == pytest.approx(0.5 * RATE + RATE // 100, abs=5)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "No such file"),
        (b"", "no WAV file"),
        (b"RIFF....WAVEfmt garbage of some length", "no WAV file"),
        ({"width": 1}, "8 bits"),
        ({"width": 3}, "24 bits"),
        ({"channels": 3}, "3 channels"),
        ({"rate": 4000}, "4000 Hz"),
        ({"rate": 8000, "seconds": 21}, "longer than 20 s"),
        ({"seconds": 0}, "empty"),
    ],
    ids=str,
)
def test_what_cannot_be_played_is_refused_with_what_is_expected(tmp_path, content, why):
    path = tmp_path / "a.wav"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content is not None:
        rate, width = content.get("rate", RATE), content.get("width", 2)
        channels = content.get("channels", 1)
        count = int(rate * content.get("seconds", 1)) * channels
        samples = [1000] * count if width == 2 else bytes(count * width)
        write(path, samples, rate, channels, width)
    with pytest.raises(SoundError, match=why):
        read_wav(path)


def test_a_beep_is_as_long_and_as_high_as_asked_and_does_not_click():
    sound = beep((500.0, 0.2), (0.0, 0.1))
    assert len(sound) == pytest.approx(0.3 * RATE, abs=2)
    assert crossings(sound) in (99, 100)
    assert max(abs(sound[0]), abs(sound[int(0.2 * RATE) - 1])) < 200


# ---- the mixer ----


def slices(mixer, count):
    heard = array("h")
    for _ in range(count):
        part = mixer.slice()
        assert len(part) == BYTES
        heard.frombytes(part)
    return heard


def loudest(sound):
    return max(abs(each) for each in sound)


@pytest.fixture
def songs(tmp_path):
    write(tmp_path / "1.wav", [10000] * RATE)
    write(tmp_path / "2.WAV", [10000] * RATE * 2, rate=44100)
    return tmp_path


def test_silence_is_silence():
    mixer = Mixer(Music(None))
    assert not mixer.sounds
    assert loudest(slices(mixer, 3)) == 0


def test_what_is_said_comes_whole_and_then_nothing():
    mixer = Mixer(Music(None))
    mixer.say(array("h", range(1, SLICE + 11)))
    assert mixer.speaks
    heard = slices(mixer, 2)
    assert list(heard[: SLICE + 10]) == list(range(1, SLICE + 11))
    assert not any(heard[SLICE + 10 :])
    assert not mixer.speaks


@pytest.mark.parametrize(("percent", "share"), [(100, 1), (50, 0.25), (10, 0.01), (0, 0)])
def test_volume_counts_in_squares(percent, share):
    mixer = Mixer(Music(None), volume=percent)
    mixer.say(array("h", [10000] * SLICE))
    assert gain(percent) == pytest.approx(share)
    assert loudest(slices(mixer, 1)) == pytest.approx(10000 * share, abs=40)


def test_music_swells_at_nightfall_sinks_under_a_call_and_fades_at_dawn(songs):
    mixer = Mixer(Music(songs))
    assert not mixer.sounds
    mixer.night = True
    first = slices(mixer, 1)
    assert 0 < loudest(first) < 200
    assert loudest(slices(mixer, round(2 / SLICE_S))) == pytest.approx(10000 * ALONE, abs=50)
    mixer.say(array("h", [0] * RATE))
    slices(mixer, 6)
    assert loudest(slices(mixer, 1)) == pytest.approx(10000 * UNDER, abs=50)
    mixer.hush()
    mixer.night = False
    assert mixer.sounds
    slices(mixer, round(2 / SLICE_S))
    assert not mixer.sounds


def test_voice_and_music_together_never_turn_over(songs):
    mixer = Mixer(Music(songs))
    mixer.night = True
    slices(mixer, 200)
    mixer.say(array("h", [32767, -32768] * SLICE))
    heard = slices(mixer, 1)
    assert (max(heard), min(heard)) == (32767, heard[1])
    assert heard[1] < -25000


def test_music_goes_on_from_file_to_file_and_from_night_to_night(songs):
    # Two files of a second each: a night of three seconds begins the first one again.
    (songs / "2.WAV").unlink()
    write(songs / "2.wav", [-5000] * RATE)
    music = Music(songs)
    taken = [music.take(RATE // 2)[0] for _ in range(6)]
    assert taken == [10000, 10000, -5000, -5000, 10000, 10000]
    music.close()


def test_a_bad_file_is_left_out_and_told_once(songs, caplog):
    (songs / "0.wav").write_bytes(b"no music")
    (songs / "3.wav").write_bytes(b"")
    music = Music(songs)
    for _ in range(10):
        assert loudest(music.take(RATE)) == 10000
    assert sorted(record.getMessage().split(": ")[1][-5:] for record in caplog.records) == [
        "0.wav", "3.wav",
    ]  # fmt: skip
    music.close()


@pytest.mark.parametrize("bad", [False, True])
def test_without_a_file_that_plays_there_is_no_music(tmp_path, bad):
    if bad:
        (tmp_path / "0.wav").write_bytes(b"no music")
    music = Music(tmp_path)
    assert music.there is bad
    assert loudest(music.take(100)) == 0
    assert not music.there


def test_a_file_that_is_read_is_closed(songs):
    with open_wav(songs / "1.wav") as file:
        assert file.getnframes() == RATE

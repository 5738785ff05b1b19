"""The voice with the real programs: espeak-ng, and aplay on a device that is a file."""

import array
import shutil
import subprocess
import threading
import time
import wave

import pytest

from firmware.clock import SystemClock
from firmware.words import catalogue
from table_controller.voice import aplay, speaker
from table_controller.voice.phrasebook import Phrase, Rank, every_phrase, phrase
from table_controller.voice.phrases import Silent
from table_controller.voice.sound import RATE, read_wav
from table_controller.voice.sounding import Sounds, made, prune, recorded
from table_controller.voice.speaker import Speaker, open_voice

EN = catalogue("en")
SEVEN = Phrase("number", 7, "7", Rank.CALL)
THANKS = Phrase("thanks", 0, "Thank you.")
MORNING = Phrase("morning", 0, "Good morning.")
PATIENCE_S = 30


@pytest.fixture(autouse=True)
def programs():
    for program in ("espeak-ng", "aplay"):
        if not shutil.which(program):
            pytest.fail(f"{program} is not installed; make test installs it")


class Device:
    """An ALSA device ``sink`` that keeps what it plays, and takes it as fast as it comes."""

    def __init__(self, folder, monkeypatch):
        self._path = folder / "played.raw"
        self._config = folder / "asound.conf"
        self.plug_in()
        monkeypatch.setenv("ALSA_CONFIG_PATH", str(self._config))

    def plug_in(self):
        self._config.write_text(
            "</usr/share/alsa/alsa.conf>\n"
            f'pcm.sink {{ type file slave.pcm "null" file "{self._path}" format "raw" }}\n'
        )

    def unplug(self):
        self._config.write_text("</usr/share/alsa/alsa.conf>\n")

    def played(self):
        """Return the levels so far in order, silence and repetition left out."""
        raw = self._path.read_bytes() if self._path.exists() else b""
        levels = array.array("h", raw[: len(raw) // 2 * 2])
        return [each for n, each in enumerate(levels) if each and (not n or levels[n - 1] != each)]


@pytest.fixture
def device(tmp_path, monkeypatch):
    return Device(tmp_path, monkeypatch)


class Club:
    """Recordings that are one level each, so that it is seen what was played."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()

    def record(self, name, level, length_s=0.3):
        with wave.open(str(self.folder / f"{name}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(array.array("h", [level] * round(length_s * RATE)).tobytes())


@pytest.fixture
def club(tmp_path):
    club = Club(tmp_path / "voice")
    club.record("thanks", 1000)
    club.record("morning", 2000)
    club.record("number-7", 3000)
    return club


@pytest.fixture
def voice(device, club, tmp_path):
    voice = open_voice(
        "en", tmp_path / "cache", SystemClock(), recordings=club.folder, device="sink"
    )
    voice.sounds.wait_ahead(PATIENCE_S)
    yield voice
    voice.close()


def wait_for(true):
    """Wait until it is *true*: of real processes only."""
    until_s = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < until_s
        threading.Event().wait(0.01)


def test_phrases_are_said_one_after_the_other(device, voice):
    voice.say(THANKS)
    voice.say(MORNING)
    assert voice.wait(PATIENCE_S)
    voice.close()
    assert device.played() == [1000, 2000]


def test_a_call_cuts_off_what_is_said_and_drops_what_waits(device, club, voice):
    club.record("practice", 500, length_s=10)
    voice.say(Phrase("practice", 0, "Practice"))
    wait_for(lambda: device.played() == [500])
    voice.say(MORNING)
    voice.say(SEVEN)
    voice.say(THANKS)
    assert voice.wait(5)
    voice.close()
    assert device.played() == [500, 3000, 1000]


def test_what_the_club_has_not_recorded_is_not_said(device, voice):
    voice.say(Phrase("draw", 0, "A draw."))
    voice.say(THANKS)
    assert voice.wait(PATIENCE_S)
    voice.close()
    assert device.played() == [1000]


def test_volume_changes_what_is_said_next(device, voice):
    voice.tune(volume=50, music=True)
    voice.say(THANKS)
    assert voice.wait(PATIENCE_S)
    voice.close()
    assert device.played() == [250]


def test_music_plays_at_night_and_only_if_it_is_on(device, club, tmp_path):
    songs = Club(tmp_path / "songs")
    songs.record("song", 20000, length_s=5)
    voice = open_voice(
        "en", tmp_path, SystemClock(), recordings=club.folder, music=songs.folder, device="sink"
    )
    voice.say(THANKS)
    assert voice.wait(PATIENCE_S)
    assert device.played() == [1000]
    voice.tune(volume=100, music=False)
    voice.night(on=True)
    voice.say(MORNING)
    assert voice.wait(PATIENCE_S)
    assert device.played() == [1000, 2000]
    voice.tune(volume=100, music=True)
    wait_for(lambda: len(device.played()) > 10)
    voice.close()


def test_closing_falls_silent_at_once(device, club, voice):
    club.record("practice", 500, length_s=15)
    voice.say(Phrase("practice", 0, "Practice"))
    wait_for(lambda: device.played() == [500])
    began_s = time.monotonic()
    voice.close()
    assert time.monotonic() - began_s < 5
    voice.say(MORNING)
    assert voice.wait(0)
    assert device.played() == [500]


def test_a_device_that_is_not_there_is_told_and_taken_up_when_it_comes(
    device, voice, caplog, monkeypatch
):
    monkeypatch.setattr(speaker, "RETRY_S", 0.2)
    # As when a device is pulled out: its player ends, and another one cannot begin.
    voice.say(THANKS)
    assert voice.wait(PATIENCE_S)
    device.unplug()
    voice._stream._program.kill()
    wait_for(lambda: "sink" in voice.fault)
    voice.say(MORNING)
    assert voice.wait(0)
    device.plug_in()
    wait_for(lambda: voice.fault == "")
    voice.say(SEVEN)
    assert voice.wait(PATIENCE_S)
    voice.close()
    # What was asked for in between is not said at the wrong moment.
    assert device.played()[-1] == 3000
    assert 2000 not in device.played()
    assert "voice off: aplay -D sink: " in caplog.text
    # Once, however often it is tried.
    assert caplog.text.count("voice off") == 1


def test_saying_waits_for_no_device_that_hangs(tmp_path, monkeypatch, club):
    monkeypatch.setattr(aplay, "STUCK_S", 0.5)
    hanging = tmp_path / "bin"
    hanging.mkdir()
    (hanging / "aplay").write_text("#!/bin/sh\nexec sleep 60\n")
    (hanging / "aplay").chmod(0o755)
    monkeypatch.setenv("PATH", f"{hanging}:/usr/bin:/bin")
    voice = open_voice("en", tmp_path, SystemClock(), recordings=club.folder, device="sink")
    began_s = time.monotonic()
    for _ in range(1000):
        voice.say(THANKS)
    assert time.monotonic() - began_s < 0.4
    wait_for(lambda: voice.fault == "aplay -D sink: the device takes no sound")
    voice.close()


@pytest.mark.parametrize(("there", "missing"), [("aplay", "espeak-ng"), ("espeak-ng", "aplay")])
def test_without_one_of_its_programs_the_voice_is_off_with_the_reason(
    tmp_path, monkeypatch, caplog, there, missing
):
    (tmp_path / there).symlink_to("/bin/true")
    monkeypatch.setenv("PATH", str(tmp_path))
    silent = open_voice("en", tmp_path, SystemClock())
    assert isinstance(silent, Silent)
    assert silent.fault.startswith(f"{missing} not found")
    assert f"voice off: {missing} not found" in caplog.text


def test_a_recording_is_found_by_name_and_number(tmp_path):
    for name in ("number-7.wav", "thanks.wav"):
        (tmp_path / name).touch()
    assert recorded(SEVEN, tmp_path) == tmp_path / "number-7.wav"
    assert recorded(THANKS, tmp_path) == tmp_path / "thanks.wav"
    assert recorded(MORNING, tmp_path) is None


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Seat 4, your farewell."),
        ("ru", "Место 4, прощальная речь."),
        ("de", "Platz 4, deine Abschiedsrede."),
    ],
)
def test_espeak_makes_a_phrase_once(tmp_path, language, text):
    said = Phrase("farewell", 4, text)
    path = made(said, language, tmp_path / "cache")
    assert 0.5 < len(read_wav(path)) / RATE < 5
    first = path.stat().st_mtime_ns
    assert made(said, language, tmp_path / "cache") == path
    assert path.stat().st_mtime_ns == first
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_the_same_phrase_in_other_words_is_another_file(tmp_path):
    other = Phrase("thanks", 0, "Thanks a lot.")
    assert made(THANKS, "en", tmp_path) != made(other, "en", tmp_path)


def test_a_language_espeak_does_not_know_makes_no_file(tmp_path):
    with pytest.raises(subprocess.CalledProcessError):
        made(THANKS, "xx-none", tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("language", ["ru", "de"])
def test_all_of_a_game_is_made_before_it_and_none_during_it(tmp_path, language, monkeypatch):
    book = [each for each in every_phrase(catalogue(language)) if each.name in ("number", "shot")]
    sounds = Sounds(lambda each: made(each, language, tmp_path), book)
    assert sounds.wait_ahead(PATIENCE_S)
    sounds.close()
    assert len(list(tmp_path.iterdir())) == len(book) == 20
    # From now on there is no espeak-ng.
    monkeypatch.setenv("PATH", str(tmp_path))
    came = threading.Event()
    sounds = Sounds(lambda each: made(each, language, tmp_path), book, came.set)
    assert sounds.wait_ahead(PATIENCE_S)
    calls = [each for each in book if each.call]
    assert all(len(sounds.get(each)) > 0.1 * RATE for each in calls)
    assert sounds.get(book[-1]) is None
    sounds.want(book[-1])
    assert came.wait(PATIENCE_S)
    assert len(sounds.get(book[-1])) > 0.1 * RATE
    sounds.close()


def test_a_tone_needs_no_file_and_gives_way_to_the_clubs(club):
    came = threading.Event()
    sounds = Sounds(lambda each: recorded(each, club.folder), told=came.set)
    tone = phrase(EN, "ten_seconds")
    sounds.want(tone)
    assert came.wait(PATIENCE_S)
    assert len(sounds.get(tone)) == pytest.approx(0.12 * RATE, abs=2)
    sounds.close()
    came.clear()
    club.record("ten_seconds", 700)
    sounds = Sounds(lambda each: recorded(each, club.folder), told=came.set)
    sounds.want(tone)
    assert came.wait(PATIENCE_S)
    assert set(sounds.get(tone)) == {700}
    sounds.close()


def test_the_cache_stays_within_its_size_and_loses_nothing_that_is_wanted(tmp_path):
    paths = [tmp_path / f"{n}.wav" for n in range(6)]
    for path in paths:
        path.write_bytes(bytes(1000))
    assert prune(tmp_path, [], 6000) == 0
    assert prune(tmp_path, paths[:2], 3500) == 3
    assert sorted(tmp_path.iterdir()) == [*paths[:2], paths[5]]
    assert prune(tmp_path, paths, 100) == 0


def test_real_programs_speak_on_the_null_device(tmp_path, caplog):
    voice = Speaker(lambda each: made(each, "en", tmp_path), SystemClock(), "null")
    for each in (THANKS, MORNING):
        voice.say(each)
    assert voice.wait(PATIENCE_S)
    voice.close()
    assert caplog.text == ""
    assert len(list(tmp_path.iterdir())) == 2

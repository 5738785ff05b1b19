import logging
import os
import select
import shutil
import subprocess
import wave

import pytest

from firmware.clock import SystemClock
from firmware.fakes import FakeClock
from table_controller.speaker import STALE_S, made, open_voice, recorded
from table_controller.voice import Phrase, Silent

SEVEN = Phrase("number", 7, "7", call=True)
THANKS = Phrase("thanks", 0, "Thank you.")
MORNING = Phrase("morning", 2, "Good morning.")

PATIENCE_S = 10

APLAY = """#!/bin/bash
echo "began ${{@: -1}}" >>"{log}"
read -r -t {patience_s} word <>"{gate}" || exit 9
echo "ended ${{@: -1}}" >>"{log}"
exit "$word"
"""


class Sound:
    """A sound card in slow motion: a phrase sounds until it is let through."""

    def __init__(self, folder, recordings):
        self.recordings = recordings
        self._gate = folder / "gate"
        os.mkfifo(self._gate)
        os.mkfifo(folder / "log")
        self._log = os.open(folder / "log", os.O_RDWR)
        self._told = b""
        aplay = folder / "aplay"
        aplay.write_text(APLAY.format(log=folder / "log", gate=self._gate, patience_s=PATIENCE_S))
        aplay.chmod(0o755)

    def next(self):
        """Return what happens next, with the file it happens to."""
        while b"\n" not in self._told:
            readable, _, _ = select.select([self._log], [], [], PATIENCE_S)
            assert readable, "nothing is played"
            self._told += os.read(self._log, 4096)
        line, _, self._told = self._told.partition(b"\n")
        what, path = line.decode().split()
        return what, path.rpartition("/")[2]

    def let_through(self, status=0):
        self._gate.write_text(f"{status}\n")

    def close(self):
        os.close(self._log)


@pytest.fixture
def sound(tmp_path, monkeypatch):
    recordings = tmp_path / "voice"
    recordings.mkdir()
    for name in ("number-7", "thanks", "morning-2"):
        (recordings / f"{name}.wav").touch()
    sound = Sound(tmp_path, recordings)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    yield sound
    sound.close()


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def voice(sound, clock, tmp_path):
    voice = open_voice("en", tmp_path / "cache", clock, recordings=sound.recordings)
    yield voice
    voice.close()


def test_phrases_are_said_one_after_the_other(sound, voice):
    voice.say(THANKS)
    voice.say(MORNING)
    assert sound.next() == ("began", "thanks.wav")
    sound.let_through()
    assert sound.next() == ("ended", "thanks.wav")
    assert sound.next() == ("began", "morning-2.wav")
    sound.let_through()
    assert voice.wait(10)


def test_a_call_cuts_off_what_is_said_and_drops_what_waits(sound, voice):
    voice.say(THANKS)
    assert sound.next() == ("began", "thanks.wav")
    voice.say(MORNING)
    voice.say(SEVEN)
    assert sound.next() == ("began", "number-7.wav")
    voice.say(THANKS)
    sound.let_through()
    assert sound.next() == ("ended", "number-7.wav")
    assert sound.next() == ("began", "thanks.wav")


def test_a_phrase_that_waited_too_long_is_not_said(sound, voice, clock):
    voice.say(THANKS)
    assert sound.next() == ("began", "thanks.wav")
    voice.say(THANKS)
    clock.advance(STALE_S + 0.1)
    voice.say(MORNING)
    sound.let_through()
    assert sound.next() == ("ended", "thanks.wav")
    assert sound.next() == ("began", "morning-2.wav")


def test_what_the_club_has_not_recorded_is_not_said(sound, voice):
    voice.say(Phrase("draw", 0, "A draw."))
    voice.say(THANKS)
    assert sound.next() == ("began", "thanks.wav")


def test_closing_falls_silent_at_once(sound, voice):
    voice.say(THANKS)
    assert sound.next() == ("began", "thanks.wav")
    voice.close()
    voice.say(MORNING)
    assert voice.wait(0)


def test_a_player_that_fails_turns_the_voice_off_with_the_reason(sound, voice, caplog):
    with caplog.at_level(logging.WARNING):
        voice.say(THANKS)
        assert sound.next() == ("began", "thanks.wav")
        sound.let_through(status=1)
        assert voice.wait(10)
        voice.close()
    assert [r.getMessage() for r in caplog.records if "voice off" in r.getMessage()] == [
        "voice off: aplay -D default: "
    ]


@pytest.mark.parametrize(("there", "missing"), [("aplay", "espeak-ng"), ("espeak-ng", "aplay")])
def test_without_one_of_its_programs_the_voice_is_off_with_the_reason(
    tmp_path, monkeypatch, caplog, there, missing
):
    (tmp_path / there).symlink_to("/bin/true")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert isinstance(open_voice("en", tmp_path, FakeClock()), Silent)
    assert f"voice off: {missing} not found" in caplog.text


def test_a_recording_is_found_by_name_and_number(tmp_path):
    for name in ("number-7.wav", "thanks.wav"):
        (tmp_path / name).touch()
    assert recorded(SEVEN, tmp_path) == tmp_path / "number-7.wav"
    assert recorded(THANKS, tmp_path) == tmp_path / "thanks.wav"
    assert recorded(MORNING, tmp_path) is None


@pytest.fixture
def espeak():
    if not shutil.which("espeak-ng"):
        pytest.fail("espeak-ng is not installed; make test installs it")


@pytest.mark.usefixtures("espeak")
@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Seat 4, your farewell."),
        ("ru", "Место 4, прощальная речь."),
        ("de", "Platz 4, deine Abschiedsrede."),
    ],
)
def test_espeak_makes_a_phrase_once(tmp_path, language, text):
    phrase = Phrase("farewell", 4, text)
    path = made(phrase, language, tmp_path / "cache")
    with wave.open(str(path)) as sound:
        assert 0.5 < sound.getnframes() / sound.getframerate() < 5
    first = path.stat().st_mtime_ns
    assert made(phrase, language, tmp_path / "cache") == path
    assert path.stat().st_mtime_ns == first
    assert [p.name for p in path.parent.iterdir()] == [path.name]


@pytest.mark.usefixtures("espeak")
def test_the_same_phrase_in_other_words_is_another_file(tmp_path):
    other = Phrase("thanks", 0, "Thanks a lot.")
    assert made(THANKS, "en", tmp_path) != made(other, "en", tmp_path)


@pytest.mark.usefixtures("espeak")
def test_a_language_espeak_does_not_know_makes_no_file(tmp_path):
    with pytest.raises(subprocess.CalledProcessError):
        made(THANKS, "xx-none", tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("espeak")
def test_real_programs_speak_on_the_null_device(tmp_path, caplog):
    voice = open_voice("en", tmp_path, SystemClock(), device="null")
    for phrase in (THANKS, MORNING, SEVEN):
        voice.say(phrase)
    assert voice.wait(30)
    voice.close()
    assert caplog.text == ""
    assert any(path.name.startswith("en-number-7-") for path in tmp_path.iterdir())


@pytest.mark.usefixtures("espeak")
def test_a_sound_card_that_is_not_there_turns_the_voice_off(tmp_path, caplog):
    voice = open_voice("en", tmp_path, SystemClock(), device="no-such-card")
    voice.say(THANKS)
    assert voice.wait(30)
    voice.close()
    assert "voice off: aplay -D no-such-card" in caplog.text

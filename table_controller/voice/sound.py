"""Sound as numbers: WAV files read into the one form that is played, tones, levels.

The form is :data:`RATE` samples a second, one channel, 16 bits: what espeak-ng
makes. Pure but for the file that is read.
"""

import math
import sys
import wave
from array import array
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from firmware.errors import KitError

RATE: Final = 22050
"""Samples a second. Source: espeak-ng's voices."""

RATES: Final = (8000, 96000)
"""Least and most samples a second of a file that is read."""

LONGEST_S: Final = 20.0
"""The longest recording of a phrase."""

_QUIET: Final = 300
"""Samples below this are silence; a voice is at some thousands."""

if TYPE_CHECKING:
    Sound = array[int]
else:
    # Python 3.11 has no array[int] at run time. Samples, type ``h``.
    Sound = array


class SoundError(KitError, ValueError):
    """A sound file that cannot be played, with what is wrong and what is expected."""


def read_wav(path: Path) -> Sound:
    """Return the recording at *path*, without the silence before its first sound.

    :raises SoundError: if it is not there, too long or not of a form that is read.
    """
    with open_wav(path) as file:
        if file.getnframes() > LONGEST_S * file.getframerate():
            _wrong(path, f"longer than {LONGEST_S:g} s")
        form = Form(file.getnchannels(), file.getframerate())
        frames = file.readframes(file.getnframes())
    whole = len(frames) - len(frames) % (2 * form.channels)
    sound = form.convert(native(frames[:whole]))
    if not sound:
        _wrong(path, "empty")
    began = next((n for n, sample in enumerate(sound) if abs(sample) > _QUIET), 0)
    # A little of it stays: a consonant begins low.
    return sound[max(0, began - RATE // 100) :]


def open_wav(path: Path) -> wave.Wave_read:
    """Open *path*, a WAV file of a form that is read.

    :raises SoundError: if it is none.
    """
    try:
        file: wave.Wave_read = wave.open(str(path), "rb")  # noqa: SIM115 - the caller closes it
    except OSError as error:
        raise SoundError(f"{path}: {error.strerror or error}") from error
    except (wave.Error, EOFError) as error:
        raise SoundError(f"{path}: no WAV file of 16 bits: {error}") from error
    width, channels, rate = file.getsampwidth(), file.getnchannels(), file.getframerate()
    if width != 2 or channels not in (1, 2) or not RATES[0] <= rate <= RATES[1]:
        file.close()
        _wrong(path, f"{8 * width} bits, {channels} channels, {rate} Hz")
    return file


def native(frames: bytes) -> Sound:
    """Return the samples of WAV *frames*, which lie low byte first."""
    samples = array("h", frames)
    if sys.byteorder == "big":
        samples.byteswap()
    return samples


class Form:
    """Turns samples of another rate or two channels into ours, part by part."""

    def __init__(self, channels: int, rate: int) -> None:
        self.channels = channels
        self._step = rate / RATE
        self._at = 0.0
        """Where in the next part the next sample of ours begins."""

    def convert(self, samples: Sound) -> Sound:
        """Return *samples*, which follow those before them, in our form."""
        if self.channels == 2:
            samples = array(
                "h", [(a + b) // 2 for a, b in zip(samples[::2], samples[1::2], strict=True)]
            )
        if self._step == 1:
            return samples
        out = array("h")
        at, step, end = self._at, self._step, len(samples)
        while at < end:
            # The mean of what it stands for: a higher tone than ours can hold is none.
            first, last = int(at), min(end, max(int(at) + 1, int(at + step)))
            out.append(sum(samples[first:last]) // (last - first))
            at += step
        self._at = at - end
        return out


def beep(*parts: tuple[float, float]) -> Sound:
    """Return tones of (Hz, seconds) one after the other; 0 Hz is silence."""
    sound = array("h")
    for hertz, length_s in parts:
        count = round(length_s * RATE)
        edge = min(count // 4, RATE // 100) or 1
        for n in range(count):
            # It swells and fades within 10 ms, else it would click.
            level = min(1.0, n / edge, (count - n) / edge)
            sound.append(round(9000 * level * math.sin(2 * math.pi * hertz * n / RATE)))
    return sound


def gain(percent: float) -> float:
    """Return what samples are multiplied with for *percent*: an ear counts in squares."""
    return (percent / 100.0) ** 2


def _wrong(path: Path, found: str) -> NoReturn:
    raise SoundError(
        f"{path}: {found}: expected a WAV file of 16 bits, one or two channels, "
        f"{RATES[0]} to {RATES[1]} Hz, at most {LONGEST_S:g} s"
    )

"""Voice and music in one stream, slice by slice. Pure: it counts samples, not time."""

import sys
from array import array
from typing import Final

from table_controller.voice.music import Music
from table_controller.voice.sound import RATE, Sound, gain

SLICE: Final = RATE // 50
"""Samples of a slice: 20 ms."""

SLICE_S: Final = SLICE / RATE
BYTES: Final = 2 * SLICE

ALONE, UNDER = 0.30, 0.08
"""How loud the music is beside the voice's volume: alone, and while something is said."""

_FADE_S: Final = 2.0
"""From silence to :data:`ALONE`, and back."""

_DUCK_S: Final = 0.1
"""From :data:`ALONE` to :data:`UNDER`."""

_LOUDEST: Final = 32767


class Mixer:
    """Mixes what is said with the music of the night."""

    def __init__(self, music: Music, *, volume: int = 100) -> None:
        self.volume = volume
        """In percent."""
        self.night = False
        """Music is wanted."""
        self._music = music
        self._level = 0.0
        """The music's, 0 to :data:`ALONE`."""
        self._sound: Sound = array("h")
        self._at = 0

    @property
    def speaks(self) -> bool:
        """Tell whether something is being said."""
        return self._at < len(self._sound)

    @property
    def sounds(self) -> bool:
        """Tell whether anything is to be heard."""
        return self.speaks or self._level > 0 or self._wants_music

    @property
    def _wants_music(self) -> bool:
        return self.night and self._music.there

    def say(self, sound: Sound) -> None:
        """Say *sound* from the next slice on, instead of what is being said."""
        self._sound, self._at = sound, 0

    def hush(self) -> None:
        """Say no more."""
        self._sound, self._at = array("h"), 0

    def slice(self) -> bytes:
        """Return the next slice, low byte first."""
        speaks = self.speaks
        voice = self._sound[self._at : self._at + SLICE]
        self._at += len(voice)
        if len(voice) < SLICE:
            voice.extend([0] * (SLICE - len(voice)))
        self._turn_music(speaks=speaks)
        loud = round(gain(self.volume) * 256)
        if self._level:
            quiet = round(gain(self.volume) * self._level * 256)
            music = self._music.take(SLICE)
            mixed = [
                max(-_LOUDEST, min(_LOUDEST, (v * loud + m * quiet) >> 8))
                for v, m in zip(voice, music, strict=True)
            ]
            voice = array("h", mixed)
        elif speaks and loud != 256:
            voice = array("h", [(v * loud) >> 8 for v in voice])
        if sys.byteorder == "big":
            voice.byteswap()
        return voice.tobytes()

    def _turn_music(self, *, speaks: bool) -> None:
        """Move the music's level one slice towards where it should be."""
        goal = (UNDER if speaks else ALONE) if self._wants_music else 0.0
        # It sinks quickly to where a voice is understood, all else is slow.
        quick = goal == UNDER and self._level > UNDER
        step = ALONE * SLICE_S / (_DUCK_S if quick else _FADE_S)
        if self._level < goal:
            self._level = min(goal, self._level + step)
        else:
            self._level = max(goal, self._level - step)

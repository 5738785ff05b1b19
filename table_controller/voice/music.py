"""The music of the night: the club's WAV files one after the other, as samples.

Where it stands at dawn it goes on at the next nightfall. Nothing in it depends
on the game but whether it is night.
"""

import logging
import wave
from array import array
from pathlib import Path
from typing import Final

from table_controller.voice.sound import Form, Sound, SoundError, native, open_wav

FILES_MAX: Final = 200
"""Files of the folder that are played; by name."""

_PART: Final = 1024
"""Frames that are read at once."""

log = logging.getLogger(__name__)


class Music:
    """The WAV files in *folder*, over and over; without any there is silence."""

    def __init__(self, folder: Path | None) -> None:
        self._files = sorted(folder.glob("*.[wW][aA][vV]"))[:FILES_MAX] if folder else []
        self._next = 0
        self._file: wave.Wave_read | None = None
        self._form = Form(1, 1)
        self._rest: Sound = array("h")

    @property
    def there(self) -> bool:
        """Tell whether there is music to play."""
        return bool(self._files)

    def take(self, count: int) -> Sound:
        """Return the next *count* samples."""
        while len(self._rest) < count and self._files:
            self._rest.extend(self._part())
        taken = self._rest[:count]
        del self._rest[:count]
        taken.extend([0] * (count - len(taken)))
        return taken

    def close(self) -> None:
        """Close the file that is open."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _part(self) -> Sound:
        try:
            file = self._open()
            frames = file.readframes(_PART)
        except (SoundError, OSError, EOFError, wave.Error) as error:
            # Left out from now on: one bad file must not be tried fifty times a second.
            log.warning("music: %s", error)
            self.close()
            del self._files[self._next]
            self._next %= max(1, len(self._files))
            return array("h")
        whole = len(frames) - len(frames) % (2 * self._form.channels)
        if not whole:
            self.close()
            self._next = (self._next + 1) % len(self._files)
            return array("h")
        return self._form.convert(native(frames[:whole]))

    def _open(self) -> wave.Wave_read:
        if self._file is None:
            path = self._files[self._next]
            self._file = open_wav(path)
            if not self._file.getnframes():
                raise SoundError(f"{path}: empty")
            self._form = Form(self._file.getnchannels(), self._file.getframerate())
        return self._file

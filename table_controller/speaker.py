"""The spoken voice: phrases made by espeak-ng, or the club's recordings, played by aplay."""

import functools
import hashlib
import logging
import shutil
import subprocess
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final

from firmware.clock import Clock
from table_controller.voice import Phrase, Silent, Voice

STALE_S: Final = 8.0
"""A phrase that has waited longer than this is not said any more."""

_MAKE_S: Final = 20.0
"""Longest that making one phrase may take; a Pi needs some 0.1 s."""

_ESPEAK: Final = {"espeak-ng": "espeak-ng"}

_log = logging.getLogger(__name__)


Source = Callable[[Phrase], Path | None]
"""Gives the WAV file of a phrase; None: there is none, and it is not said."""


def open_voice(
    language: str, cache: Path, clock: Clock, *, recordings: Path | None = None, device: str = ""
) -> Voice:
    """Return a speaking voice, or a silent one when a program for it is missing.

    With *recordings*, a folder, the club's own voice is played; else espeak-ng
    speaks and *cache* keeps what it has made. *device* is an ALSA name; empty:
    the system's own choice. The voice reads *clock* in a thread of its own.
    """
    needed = {"aplay": "alsa-utils"} if recordings else {"aplay": "alsa-utils", **_ESPEAK}
    for program, package in needed.items():
        if shutil.which(program) is None:
            _log.warning("voice off: %s not found, install the package %s", program, package)
            return Silent()
    source = (
        functools.partial(recorded, folder=recordings)
        if recordings
        else functools.partial(made, language=language, cache=cache)
    )
    return Speaker(source, clock, device or "default")


def recorded(phrase: Phrase, folder: Path) -> Path | None:
    """Return the club's recording: ``name-number.wav``, without a number ``name.wav``."""
    name = f"{phrase.name}-{phrase.number}" if phrase.number else phrase.name
    path = folder / f"{name}.wav"
    return path if path.exists() else None


def made(phrase: Phrase, language: str, cache: Path) -> Path:
    """Return the WAV file of *phrase* in *cache*, made by espeak-ng if it is not there.

    :raises OSError: if it cannot be written.
    :raises subprocess.SubprocessError: if espeak-ng fails or hangs.
    """
    key = hashlib.sha256(phrase.text.encode()).hexdigest()[:8]
    path = cache / f"{language}-{phrase.name}-{phrase.number}-{key}.wav"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        # Under another name first: a half-made file must never be played later.
        draft = path.with_suffix(".part")
        subprocess.run(
            ["espeak-ng", "-v", language, "-w", str(draft), "--", phrase.text],
            check=True,
            capture_output=True,
            timeout=_MAKE_S,
        )
        draft.replace(path)
    return path


class Speaker:
    """Says phrases one after the other in a thread of its own.

    A call cuts off what is being said and drops what waits: a window hangs on
    it. When a program fails, the reason is logged and the voice stays off.
    """

    def __init__(self, source: Source, clock: Clock, device: str) -> None:
        self._source = source
        self._clock = clock
        self._device = device
        self._changed = threading.Condition()
        self._waiting: deque[tuple[Phrase, float]] = deque()
        self._playing: subprocess.Popen[bytes] | None = None
        self._cut = False
        self._open = True
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def say(self, phrase: Phrase) -> None:
        """Say *phrase* after those that wait; a call at once."""
        with self._changed:
            if not self._open:
                return
            if phrase.call:
                self._waiting.clear()
                self._cut_off()
            self._waiting.append((phrase, self._clock.now_s()))
            self._changed.notify_all()

    def wait(self, timeout_s: float) -> bool:
        """Wait until all is said; return False when it takes longer than *timeout_s*."""
        with self._changed:
            return self._changed.wait_for(self._is_quiet, timeout_s)

    def close(self) -> None:
        """Fall silent at once and end the thread."""
        with self._changed:
            self._open = False
            self._waiting.clear()
            self._cut_off()
            self._changed.notify_all()
        self._thread.join()

    def _is_quiet(self) -> bool:
        return not self._open or (not self._waiting and self._playing is None)

    def _cut_off(self) -> None:
        if self._playing is not None:
            self._cut = True
            self._playing.terminate()

    def _run(self) -> None:
        try:
            while self._say_next():
                pass
        except (OSError, subprocess.SubprocessError) as error:
            _log.warning("voice off: %s", error)
        with self._changed:
            self._open = False
            self._waiting.clear()
            self._changed.notify_all()

    def _say_next(self) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or not self._open)
            if not self._open:
                return False
            phrase, asked_s = self._waiting[0]
        late = self._clock.now_s() - asked_s > STALE_S
        path = None if late else self._source(phrase)
        with self._changed:
            # A call that came while the recording was made has taken its place.
            if not self._waiting or self._waiting[0] != (phrase, asked_s):
                return True
            self._waiting.popleft()
            if path is None:
                self._changed.notify_all()
                return True
            self._playing = playing = self._play(path)
            self._cut = False
        _, complaint = playing.communicate()
        with self._changed:
            self._playing = None
            self._changed.notify_all()
            if playing.returncode and not self._cut:
                reason = complaint.decode(errors="replace").strip().rpartition("\n")[2]
                raise OSError(f"aplay -D {self._device}: {reason}")
        return True

    def _play(self, path: Path) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            ["aplay", "-q", "-D", self._device, str(path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

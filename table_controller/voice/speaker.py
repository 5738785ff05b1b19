"""The spoken voice: phrases made by espeak-ng, or the club's recordings, played by aplay."""

import functools
import logging
import math
import shutil
import threading
from array import array
from pathlib import Path
from typing import Final

from firmware.clock import Clock
from firmware.words import catalogue
from table_controller.voice.aplay import Aplay, PlayerError
from table_controller.voice.mixer import SLICE_S, Mixer
from table_controller.voice.music import Music
from table_controller.voice.phrasebook import Phrase, every_phrase
from table_controller.voice.phrases import Silent, Voice
from table_controller.voice.sounding import TONES, Sounds, Source, cached, made, prune, recorded
from table_controller.voice.speech_queue import SpeechQueue

LEAD_S: Final = 0.08
"""So much sound lies ready at the device: a busy table makes no gap, and a call is so late."""

LINGER_S: Final = 15.0
"""The device is given back when nothing was heard for so long: longer than a nightfall."""

RETRY_S: Final = 10.0
"""A device that failed is tried again after this."""

SETTLED_S: Final = 1.0
"""A device works when it has taken sound for so long."""

_log = logging.getLogger(__name__)


def open_voice(
    language: str,
    cache: Path,
    clock: Clock,
    *,
    recordings: Path | None = None,
    music: Path | None = None,
    device: str = "",
) -> Voice:
    """Return a speaking voice, or a silent one when a program for it is missing.

    With *recordings*, a folder, the club's own voice is played; else espeak-ng
    speaks and *cache* keeps what it has made. *music*, a folder, is for the
    night. *device* is an ALSA name; empty: the system's own choice.
    """
    needed = {"aplay": "alsa-utils"}
    if not recordings:
        needed["espeak-ng"] = "espeak-ng"
    for program, package in needed.items():
        if shutil.which(program) is None:
            fault = f"{program} not found, install the package {package}"
            _log.warning("voice off: %s", fault)
            return Silent(fault)
    book = tuple(every_phrase(catalogue(language)))
    source: Source
    if recordings:
        source = functools.partial(recorded, folder=recordings)
    else:
        prune(cache, (cached(phrase, language, cache) for phrase in book))
        source = functools.partial(_spoken, language=language, cache=cache)
    return Speaker(source, clock, device or "default", ahead=book, music=music)


def _spoken(phrase: Phrase, language: str, cache: Path) -> Path | None:
    return None if phrase.name in TONES else made(phrase, language, cache)


class Speaker:
    """Says phrases in a thread of its own, as :class:`SpeechQueue` orders them.

    When the device fails, :attr:`fault` says why, what waits is dropped, and it
    is tried again every :data:`RETRY_S`. No caller ever waits for it.
    """

    def __init__(
        self,
        source: Source,
        clock: Clock,
        device: str,
        *,
        ahead: tuple[Phrase, ...] = (),
        music: Path | None = None,
    ) -> None:
        self.fault = ""
        """Why nothing is heard; ``""`` while it works."""
        self._clock = clock
        self._device = device
        self._changed = threading.Condition()
        self._queue = SpeechQueue()
        self._music = Music(music)
        self._mixer = Mixer(self._music)
        self._night, self._with_music = False, True
        self._open = True
        self._stream: Aplay | None = None
        self._began_s = 0.0
        self._slices = 0
        """Handed to the stream since it began."""
        self._heard_s = clock.now_s()
        """When something was heard last; the start counts: the device is tried then."""
        self._retry_s = -math.inf
        self.sounds = Sounds(source, ahead, self._wake)
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    # ---- for the table ----

    def say(self, phrase: Phrase) -> None:
        """Say *phrase* in its turn; a call at once. Dropped while the device fails."""
        with self._changed:
            if not self._open or self.fault:
                return
            if self._queue.add(phrase, self._clock.now_s()):
                self._mixer.hush()
            self._changed.notify_all()
        self.sounds.want(phrase)

    def night(self, *, on: bool) -> None:
        """Let the music play from now on, or fade."""
        with self._changed:
            if self._night is not on:
                self._night = on
                self._mixer.night = on and self._with_music
                self._changed.notify_all()

    def tune(self, *, volume: int, music: bool) -> None:
        """Speak with *volume* in percent from now on, with music at night or without."""
        with self._changed:
            self._mixer.volume = volume
            self._with_music = music
            self._mixer.night = self._night and music
            self._changed.notify_all()

    def wait(self, timeout_s: float) -> bool:
        """Wait until all is said; return False when it takes longer than *timeout_s*."""
        with self._changed:
            return self._changed.wait_for(self._is_quiet, timeout_s)

    def close(self) -> None:
        """Fall silent at once and end the threads."""
        with self._changed:
            self._open = False
            self._queue.clear()
            self._changed.notify_all()
        self._thread.join()
        self.sounds.close()
        self._music.close()

    # ---- the thread ----

    def _is_quiet(self) -> bool:
        return not self._open or bool(self.fault) or not (self._queue or self._mixer.speaks)

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _run(self) -> None:
        while True:
            with self._changed:
                if not self._open:
                    break
                now_s = self._clock.now_s()
                self._take(now_s)
                due_s = self._due_s(now_s)
                if due_s > now_s:
                    self._changed.wait(None if due_s == math.inf else due_s - now_s)
                    continue
                idle = self._is_idle(now_s)
                samples = b"" if idle else self._mixer.slice()
                if not self._mixer.speaks:
                    self._changed.notify_all()
            try:
                if idle:
                    self._let_go()
                else:
                    self._play(samples, now_s)
            except PlayerError as error:
                self._fail(str(error), now_s)
        if self._stream is not None:
            self._stream.close()

    def _take(self, now_s: float) -> None:
        """Give the mixer what is to be said next."""
        while not self._mixer.speaks:
            phrase = self._queue.next(now_s, lambda each: self.sounds.get(each) is not None)
            if phrase is None:
                return
            self._mixer.say(self.sounds.get(phrase) or array("h"))

    def _is_idle(self, now_s: float) -> bool:
        if self._queue or self._mixer.sounds:
            self._heard_s = now_s
        return now_s > self._heard_s + LINGER_S

    def _due_s(self, now_s: float) -> float:
        """Return when the next slice is to be handed over; infinity: when there is news."""
        if self._stream is not None:
            return self._began_s + self._slices * SLICE_S - LEAD_S
        if self.fault:
            return self._retry_s
        return math.inf if self._is_idle(now_s) else now_s

    def _play(self, samples: bytes, now_s: float) -> None:
        if self._stream is None:
            self._stream = Aplay(self._device)
            self._began_s, self._slices = now_s, 0
        elif now_s > self._began_s + self._slices * SLICE_S:
            # The device, or this machine, was behind: what is late must not make all late.
            self._began_s = now_s - self._slices * SLICE_S
        self._stream.write(samples)
        self._slices += 1
        if self.fault and self._slices * SLICE_S > SETTLED_S:
            _log.info("the voice is back")
            self.fault = ""

    def _let_go(self) -> None:
        if self._stream is not None:
            self._stream.finish()
            self._stream = None

    def _fail(self, fault: str, now_s: float) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None
        if not self.fault:
            _log.warning("voice off: %s", fault)
        with self._changed:
            self.fault = fault
            self._retry_s = self._heard_s = now_s + RETRY_S
            # What is late by then would be heard at the wrong moment.
            self._queue.clear()
            self._mixer.hush()
            self._changed.notify_all()

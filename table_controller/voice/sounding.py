"""How a phrase sounds: the club's recording, or what espeak-ng makes of its text, once.

Files are read and made in a thread of their own, so that neither the table nor
a call waits for a card; the calls are kept in memory from the start.
"""

import hashlib
import logging
import subprocess
import threading
from array import array
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from table_controller.voice.phrasebook import Phrase
from table_controller.voice.sound import Sound, SoundError, beep, read_wav

MAKE_S: Final = 20.0
"""Longest that making one phrase may take; a Pi needs some 0.1 s."""

CACHE_BYTES: Final = 64 << 20
"""Most that the made files may take; all phrases of a language take some 15 MB."""

MEMORY_BYTES: Final = 8 << 20
"""Most that sounds take in memory, beside the calls."""

TONES: Final = {
    "ten_seconds": ((880.0, 0.12),),
    "time_over": ((880.0, 0.12), (0.0, 0.06), (587.0, 0.25)),
}
"""(Hz, seconds) of the phrases that are a tone unless the club has a recording."""

log = logging.getLogger(__name__)

Source = Callable[[Phrase], Path | None]
"""Gives the WAV file of a phrase, and makes it if need be; None: there is none."""


def recorded(phrase: Phrase, folder: Path) -> Path | None:
    """Return the club's recording: ``name-number.wav``, without a number ``name.wav``."""
    path = folder / phrase.file
    return path if path.exists() else None


def cached(phrase: Phrase, language: str, cache: Path) -> Path:
    """Return where in *cache* the file of *phrase* is, or will be; other words, another file."""
    key = hashlib.sha256(phrase.text.encode()).hexdigest()[:8]
    return cache / f"{language}-{key}-{phrase.file}"


def made(phrase: Phrase, language: str, cache: Path) -> Path:
    """Return the WAV file of *phrase* in *cache*, made by espeak-ng if it is not there.

    :raises OSError: if it cannot be written.
    :raises subprocess.SubprocessError: if espeak-ng fails or hangs.
    """
    path = cached(phrase, language, cache)
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        # Under another name first: a half-made file must never be played later.
        draft = path.with_suffix(".part")
        subprocess.run(
            # Whatever it is made for: a game that runs comes first.
            ["nice", "-n", "19", "espeak-ng", "-v", language, "-w", str(draft), "--", phrase.text],
            check=True,
            capture_output=True,
            timeout=MAKE_S,
        )
        draft.replace(path)
    return path


def prune(cache: Path, wanted: Iterable[Path], most_bytes: int = CACHE_BYTES) -> int:
    """Delete what is not *wanted* from *cache*, oldest first, while it is too big.

    Returns how many files went.
    """
    keep, gone = set(wanted), 0
    files = sorted(cache.glob("*.wav"), key=lambda path: path.stat().st_mtime)
    size = sum(path.stat().st_size for path in files)
    for path in files:
        if size <= most_bytes:
            break
        if path not in keep:
            size -= path.stat().st_size
            path.unlink(missing_ok=True)
            gone += 1
    return gone


class Sounds:
    """The sounds of phrases, read and made ahead in a thread of its own; close it.

    *ahead* are phrases to make while nothing else is wanted; *told* is called in
    that thread whenever a sound has come.
    """

    def __init__(
        self, source: Source, ahead: Iterable[Phrase] = (), told: Callable[[], None] = lambda: None
    ) -> None:
        self._source = source
        self._told = told
        self._changed = threading.Condition()
        self._wanted: deque[Phrase] = deque()
        self._ahead = deque(sorted(ahead, key=lambda phrase: phrase.rank))
        self._calls: dict[Phrase, Sound] = {}
        self._memory: OrderedDict[Phrase, Sound] = OrderedDict()
        self._failed = False
        self._open = True
        self._thread = threading.Thread(target=self._run, name="sounds", daemon=True)
        self._thread.start()

    def get(self, phrase: Phrase) -> Sound | None:
        """Return the sound of *phrase*, empty if it has none; None: it is not there yet."""
        with self._changed:
            sound = self._calls.get(phrase)
            if sound is None and (sound := self._memory.get(phrase)) is not None:
                self._memory.move_to_end(phrase)
            return sound

    def want(self, phrase: Phrase) -> None:
        """Let the sound of *phrase* come before all that is made ahead."""
        with self._changed:
            there = phrase in self._calls or phrase in self._memory or phrase in self._wanted
            if not there:
                self._wanted.append(phrase)
                self._changed.notify_all()

    def wait_ahead(self, timeout_s: float) -> bool:
        """Wait until all is made ahead; return False when it takes longer."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._ahead or not self._open, timeout_s)

    def close(self) -> None:
        """End the thread; a phrase that is being made is made."""
        with self._changed:
            self._open = False
            self._changed.notify_all()
        self._thread.join(MAKE_S)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._wanted or self._ahead or not self._open)
                if not self._open:
                    return
                wanted = bool(self._wanted)
                phrase = self._wanted[0] if wanted else self._ahead[0]
            if wanted or phrase.call:
                self._keep(phrase, self._sound(phrase))
            else:
                self._path(phrase)
            with self._changed:
                (self._wanted if wanted else self._ahead).popleft()
                self._changed.notify_all()
            if wanted:
                self._told()

    def _keep(self, phrase: Phrase, sound: Sound) -> None:
        with self._changed:
            if phrase.call:
                self._calls[phrase] = sound
                return
            self._memory[phrase] = sound
            while sum(2 * len(each) for each in self._memory.values()) > MEMORY_BYTES:
                self._memory.popitem(last=False)

    def _sound(self, phrase: Phrase) -> Sound:
        """Return the sound; what cannot be read or made is not said."""
        path = self._path(phrase)
        if path is None:
            return beep(*TONES[phrase.name]) if phrase.name in TONES else array("h")
        try:
            return read_wav(path)
        except SoundError as error:
            log.warning("voice: %s", error)
            return array("h")

    def _path(self, phrase: Phrase) -> Path | None:
        try:
            return self._source(phrase)
        except (OSError, subprocess.SubprocessError) as error:
            if not self._failed:
                self._failed = True
                log.warning("voice: %r is not made, nor is more told of it: %s", phrase.text, error)
            return None

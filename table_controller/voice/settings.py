"""How loud the voice is and whether music plays: kept between starts."""

import logging
from pathlib import Path
from typing import Annotated

import msgspec

from firmware.private import write_private

log = logging.getLogger(__name__)


class VoiceSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the host has set."""

    volume: Annotated[int, msgspec.Meta(ge=0, le=100)] = 80
    """In percent."""
    music: bool = True
    """Play the club's music at night, if there is any."""


class KeptVoice:
    """The file at *path* with the settings; None: they are kept until the stop only."""

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def read(self) -> VoiceSettings:
        """Return the settings as they were kept, else those of a new kit."""
        if self._path is None:
            return VoiceSettings()
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=VoiceSettings)
        except FileNotFoundError:
            return VoiceSettings()
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            log.warning("%s: %s: the voice is as loud as in a new kit", self._path, error)
            return VoiceSettings()

    def save(self, settings: VoiceSettings) -> None:
        """Keep *settings*; a disk that refuses is told in the log."""
        if self._path is None:
            return
        try:
            write_private(self._path, msgspec.json.encode(settings).decode())
        except OSError as error:
            log.warning("%s: %s: kept until the stop only", self._path, error)

"""The controller's own buttons: start/pause, and stop, which shuts the machine down.

Start counts as the host's hand. Stop acts when it was held for :data:`STOP_S`;
meanwhile the phase lamp counts, and who lets go earlier has done nothing.
"""

import logging
import math
import subprocess
from collections.abc import Collection, Sequence
from typing import Final

from firmware.board import TABLE_BUTTON_PINS, Level
from firmware.press import Contact, Held, Pressed, PressEvent, Released
from table_controller.game import IllegalAction, actions
from table_controller.lights import Lights
from table_controller.playing import Playing
from table_controller.together import begin_or_go_on

log = logging.getLogger(__name__)

STOP_S: Final = 3.0
"""How long stop is held. Source: DESIGN 7."""

POWER_OFF: Final = ("systemctl", "poweroff")
"""What shuts the machine down; systemd/mafia-poweroff.rules lets our user do it."""

POWER_OFF_MAX_S: Final = 30.0
"""systemd answers at once, or not at all."""

_HOLD_S: Final = {"start": math.inf, "stop": STOP_S}


class Buttons:
    """Both buttons; *closed* are those that are down at the start, at *now_s*."""

    def __init__(
        self,
        playing: Playing,
        lights: Lights,
        *,
        closed: Collection[str] = (),
        now_s: float,
    ) -> None:
        self.stopped = False
        """Stop was held or ordered: the table ends now, and then the machine is shut down."""
        self._playing = playing
        self._lights = lights
        self._contacts = {
            name: Contact(_HOLD_S[name], closed_s=now_s if name in closed else None)
            for name in TABLE_BUTTON_PINS
        }

    def level(self, level: Level, now_s: float) -> None:
        """Take a contact's change."""
        for event in self._contacts[level.button].feed(level.at_s, level.closed):
            self._take(level.button, event, now_s)

    def tick(self, now_s: float) -> None:
        """Take what became certain up to *now_s*, once every level until then was taken."""
        for name, contact in self._contacts.items():
            for event in contact.tick(now_s):
                self._take(name, event, now_s)

    def next_due_s(self) -> float:
        """Return when :meth:`tick` has something to do; infinity: not before news come."""
        dues = (contact.next_due_s for contact in self._contacts.values())
        return min((due_s for due_s in dues if due_s is not None), default=math.inf)

    def _take(self, name: str, event: PressEvent, now_s: float) -> None:
        match name, event:
            case "start", Pressed():
                self._start_or_pause(now_s)
            case "stop", Pressed(at_s=at_s):
                self._lights.count(at_s)
            case "stop", Held():
                self._stop(now_s)
            case "stop", Released():
                self._lights.count(None)

    def _start_or_pause(self, now_s: float) -> None:
        with self._playing.halting():
            try:
                if self._playing.runs:
                    self._playing.act(actions.Pause(), now_s)
                else:
                    begin_or_go_on(self._playing, now_s)
            except IllegalAction as refused:
                log.info("start/pause does nothing: %s", refused)

    def _stop(self, now_s: float) -> None:
        log.warning("stop was held for %g s: the table ends, the machine is shut down", STOP_S)
        self.end(now_s)

    def end(self, now_s: float) -> None:
        """Let the game stand, the table end, and then the machine be shut down."""
        with self._playing.halting():
            if self._playing.runs:
                self._playing.act(actions.Pause(), now_s)
        self.stopped = True


def power_off(command: Sequence[str] = POWER_OFF) -> bool:
    """Shut the machine down; if it does not go, log why and return False."""
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=POWER_OFF_MAX_S)
    except subprocess.CalledProcessError as refused:
        reason = refused.stderr.strip() or f"exit status {refused.returncode}"
    except (OSError, subprocess.TimeoutExpired) as error:
        reason = str(error)
    else:
        return True
    log.error("the machine is not shut down: %s: %s", " ".join(command), reason)
    return False

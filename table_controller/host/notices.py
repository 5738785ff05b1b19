"""What the table tells its host: devices lost or doubled, a disk that fails."""

import datetime
import enum
import logging
import math
from typing import Final

import msgspec

from firmware.clock import Clock
from firmware.words import N_, SOURCE, Words, catalogue
from table_controller.host.sentence import Sentence, Told

NOTICES_MAX: Final = 100
"""Notices that are kept; the oldest goes first."""

LOG_S: Final = 60.0
"""The same is logged no more often."""

log = logging.getLogger(__name__)


class NoticeKind(enum.StrEnum):
    """What a notice is about."""

    TWINS = "twins"
    SEAT_LOST = "seat_lost"
    SEAT_BACK = "seat_back"
    RECORD = "record"
    DISK_FULL = "disk_full"
    DISK_TAKES = "disk_takes"
    LIGHTS_FAIL = "lights_fail"
    BUTTONS_FAIL = "buttons_fail"
    CLUB_FAILS = "club_fails"
    GAMES_UNKEPT = "games_unkept"
    BUTTON_STUCK = "button_stuck"
    BUTTON_FREE = "button_free"
    FORBIDDEN = "forbidden"
    NO_START = "no_start"
    VOICE_FAILS = "voice_fails"
    VOICE_BACK = "voice_back"
    UNREAD = "unread"


class HostNotice(msgspec.Struct, frozen=True, omit_defaults=True):
    """One notice."""

    kind: NoticeKind
    utc: str
    """When it was told, ISO 8601."""
    seat: int
    """0: a spare's."""
    user: str
    text: str
    """In the source's language, until it is put into a host's."""
    said: Told | None = None
    """What *text* is made of again."""

    def spoken(self, words: Words) -> "HostNotice":
        """Return the notice put into *words*."""
        text = self.said.told(words) if self.said else self.text
        return msgspec.structs.replace(self, text=text, said=None)


class Notices:
    """The notices since the start of the table, oldest first; the log has them too.

    What is told again stands once, as the newest: a contact or a link that trembles
    pushes out nothing else.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._told: dict[str, HostNotice] = {}
        """By what they are about."""
        self._logged_s: dict[str, float] = {}

    @property
    def all(self) -> tuple[HostNotice, ...]:
        """Return what the host has to know."""
        return tuple(self._told.values())

    def twins(self, user: str, seat: int, plays: str, leaves: str) -> None:
        """Tell, once for a pair of boots, that two devices have one name; the last pair stands."""
        text = N_("Two devices play as {user}: {plays} plays, {leaves} is told to leave")
        said = Sentence(text, user=user, plays=plays, leaves=leaves)
        about = f"{NoticeKind.TWINS} {user}"
        if about not in self._told or self._told[about].text != said.told(catalogue(SOURCE)):
            self._tell(NoticeKind.TWINS, said, seat, user, about)

    def seat_lost(self, seat: int, user: str) -> None:
        """Tell that the device of a living seat does not answer."""
        text = N_("Seat {seat} has lost its device {user}: go on without it, swap it, or wait")
        self._tell(NoticeKind.SEAT_LOST, Sentence(text, seat=seat, user=user), seat, user)

    def seat_back(self, seat: int, user: str) -> None:
        """Tell that a lost seat plays again."""
        text = N_("Seat {seat} plays again with {user}")
        self._tell(NoticeKind.SEAT_BACK, Sentence(text, seat=seat, user=user), seat, user)

    def record(self, said: Told, fault: str) -> None:
        """Tell what the disk did to a game's record; *fault* is for the log only."""
        self._tell(NoticeKind.RECORD, said)
        if fault:
            log.warning("the fault was: %s", fault)

    def disk_full(self, fault: str) -> None:
        """Tell that the disk takes nothing."""
        text = N_(
            "The disk takes nothing, so the game stands still. Make room: it is tried again. "
            "If there is room, the card is at fault: start the table anew."
        )
        self._tell(NoticeKind.DISK_FULL, Sentence(text))
        log.error("%s", fault)

    def disk_takes(self) -> None:
        """Tell that the disk takes entries again."""
        text = N_("The disk takes entries again: all hold VOTE, or the host lets the game go on.")
        self._tell(NoticeKind.DISK_TAKES, Sentence(text))

    def lights_fail(self, fault: str) -> None:
        """Tell that the lights around the table are dark, or wrong."""
        text = N_("The lights around the table fail; the game goes on without them.")
        self._tell(NoticeKind.LIGHTS_FAIL, Sentence(text))
        log.warning("lights: %s", fault)

    def buttons_fail(self, fault: str) -> None:
        """Tell that the controller's own buttons do nothing."""
        text = N_("The table controller's buttons fail: start and pause with VOTE or on this page.")
        self._tell(NoticeKind.BUTTONS_FAIL, Sentence(text))
        log.warning("buttons: %s", fault)

    def club_fails(self, fault: str) -> None:
        """Tell that players, bars and appeals cannot be read."""
        text = N_(
            "The club's file cannot be used, so there are no players, bars and appeals; "
            "games go on without them: {fault}"
        )
        self._tell(NoticeKind.CLUB_FAILS, Sentence(text, fault=fault))

    def games_unkept(self, fault: str) -> None:
        """Tell that finished games do not get into the club's file, or with "" that they do."""
        said = Sentence(N_("Finished games are in the club's file again."))
        if fault:
            text = N_(
                "The club's file takes no finished game; nothing is lost, it is tried again: "
                "{fault}"
            )
            said = Sentence(text, fault=fault)
        self._tell(NoticeKind.GAMES_UNKEPT, said, about=NoticeKind.GAMES_UNKEPT)

    def button_stuck(self, seat: int, user: str, button: str) -> None:
        """Tell that a button of a device reads pressed and does not come up."""
        text = N_(
            "{where}: {button} does not come up, so its presses do not count. "
            "Free it, or set the kind of switch on the card."
        )
        said = Sentence(text, where=_where(seat, user), button=button.upper())
        self._tell(NoticeKind.BUTTON_STUCK, said, seat, user)

    def button_free(self, seat: int, user: str, button: str) -> None:
        """Tell that a button which was stuck works again."""
        text = N_("{where}: {button} works again.")
        said = Sentence(text, where=_where(seat, user), button=button.upper())
        self._tell(NoticeKind.BUTTON_FREE, said, seat, user)

    def forbidden(self, seat: int, user: str, confidence: float, seen: datetime.datetime) -> None:
        """Tell that there are grounds, how sure the camera is of them, and since when."""
        text = N_("Seat {seat}: grounds, the forbidden gesture, at {time} UTC, {percent} % sure")
        percent = round(confidence * 100)
        said = Sentence(text, seat=seat, time=f"{seen:%H:%M:%S}", percent=percent)
        self._tell(NoticeKind.FORBIDDEN, said, seat, user)

    def voice_fails(self, fault: str) -> None:
        """Tell that nothing is heard; it is tried again by itself."""
        text = N_("The voice fails: {fault}. Read out what this page shows.")
        said = Sentence(text, fault=fault)
        self._tell(NoticeKind.VOICE_FAILS, said, about=NoticeKind.VOICE_FAILS)

    def voice_back(self) -> None:
        """Tell that the voice speaks again."""
        self._tell(NoticeKind.VOICE_BACK, Sentence(N_("The voice speaks again.")))

    def unread(self, after_s: float) -> None:
        """Tell that a call has waited for the host in vain."""
        text = N_(
            "Nobody has called the next line for {n} s, so the game is paused. When it goes on, "
            "the table calls by itself until reading out is switched on again."
        )
        self._tell(NoticeKind.UNREAD, Sentence(text, n=round(after_s)))

    def no_start(self, refused: Told) -> None:
        """Tell why no game begins although all hold VOTE."""
        self._tell(NoticeKind.NO_START, Sentence(N_("No game begins: {why}"), why=refused))

    def _tell(
        self, kind: NoticeKind, said: Told, seat: int = 0, user: str = "", about: str = ""
    ) -> None:
        text = said.told(catalogue(SOURCE))
        about = about or text
        utc = self._clock.wall().isoformat(timespec="seconds")
        self._told.pop(about, None)
        self._told[about] = HostNotice(kind, utc, seat, user, text, said)
        if len(self._told) > NOTICES_MAX:
            oldest = next(iter(self._told))
            del self._told[oldest]
            self._logged_s.pop(oldest, None)
        now_s = self._clock.now_s()
        if now_s >= self._logged_s.get(about, -math.inf) + LOG_S:
            self._logged_s[about] = now_s
            log.warning("%s", text)


def _where(seat: int, user: str) -> Told | str:
    return Sentence(N_("Seat {seat}"), seat=seat) if seat else user

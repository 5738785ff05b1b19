"""What the table tells its host: devices lost or doubled, a disk that fails."""

import datetime
import enum
import logging
import math
from typing import Final

import msgspec

from firmware.clock import Clock
from firmware.words import Words
from table_controller.host.refusal import Refused

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


class HostNotice(msgspec.Struct, frozen=True):
    """One notice, in the table's language."""

    kind: NoticeKind
    utc: str
    """When it was told, ISO 8601."""
    seat: int
    """0: a spare's."""
    user: str
    text: str


class Notices:
    """The notices since the start of the table, oldest first; the log has them too.

    What is told again stands once, as the newest: a contact or a link that trembles
    pushes out nothing else.
    """

    def __init__(self, clock: Clock, words: Words) -> None:
        self._clock = clock
        self._words = words
        self._t = words.gettext
        self._told: dict[str, HostNotice] = {}
        """By what they are about."""
        self._logged_s: dict[str, float] = {}

    @property
    def all(self) -> tuple[HostNotice, ...]:
        """Return what the host has to know."""
        return tuple(self._told.values())

    def twins(self, user: str, seat: int, plays: str, leaves: str) -> None:
        """Tell, once for a pair of boots, that two devices have one name; the last pair stands."""
        t = self._t
        text = t("Two devices play as {user}: {plays} plays, {leaves} is told to leave").format(
            user=user, plays=plays, leaves=leaves
        )
        about = f"{NoticeKind.TWINS} {user}"
        if about not in self._told or self._told[about].text != text:
            self._tell(NoticeKind.TWINS, seat, user, text, about)

    def seat_lost(self, seat: int, user: str) -> None:
        """Tell that the device of a living seat does not answer."""
        t = self._t
        text = t("Seat {seat} has lost its device {user}: go on without it, swap it, or wait")
        self._tell(NoticeKind.SEAT_LOST, seat, user, text.format(seat=seat, user=user))

    def seat_back(self, seat: int, user: str) -> None:
        """Tell that a lost seat plays again."""
        t = self._t
        text = t("Seat {seat} plays again with {user}").format(seat=seat, user=user)
        self._tell(NoticeKind.SEAT_BACK, seat, user, text)

    def record(self, text: str, fault: str) -> None:
        """Tell what the disk did to a game's record; *fault* is for the log only."""
        self._tell(NoticeKind.RECORD, 0, "", text)
        if fault:
            log.warning("the fault was: %s", fault)

    def disk_full(self, fault: str) -> None:
        """Tell that the disk takes nothing."""
        t = self._t
        text = t(
            "The disk takes nothing, so the game stands still. Make room: it is tried again. "
            "If there is room, the card is at fault: start the table anew."
        )
        self._tell(NoticeKind.DISK_FULL, 0, "", text)
        log.error("%s", fault)

    def disk_takes(self) -> None:
        """Tell that the disk takes entries again."""
        t = self._t
        text = t("The disk takes entries again: all hold VOTE, or the host lets the game go on.")
        self._tell(NoticeKind.DISK_TAKES, 0, "", text)

    def lights_fail(self, fault: str) -> None:
        """Tell that the lights around the table are dark, or wrong."""
        t = self._t
        text = t("The lights around the table fail; the game goes on without them.")
        self._tell(NoticeKind.LIGHTS_FAIL, 0, "", text)
        log.warning("lights: %s", fault)

    def buttons_fail(self, fault: str) -> None:
        """Tell that the controller's own buttons do nothing."""
        t = self._t
        text = t("The table controller's buttons fail: start and pause with VOTE or on this page.")
        self._tell(NoticeKind.BUTTONS_FAIL, 0, "", text)
        log.warning("buttons: %s", fault)

    def club_fails(self, fault: str) -> None:
        """Tell that players, bars and appeals cannot be read."""
        t = self._t
        text = t(
            "The club's file cannot be used, so there are no players, bars and appeals; "
            "games go on without them: {fault}"
        )
        self._tell(NoticeKind.CLUB_FAILS, 0, "", text.format(fault=fault))

    def games_unkept(self, fault: str) -> None:
        """Tell that finished games do not get into the club's file, or with "" that they do."""
        t = self._t
        text = t("Finished games are in the club's file again.")
        if fault:
            text = t(
                "The club's file takes no finished game; nothing is lost, it is tried again: "
                "{fault}"
            ).format(fault=fault)
        self._tell(NoticeKind.GAMES_UNKEPT, 0, "", text, NoticeKind.GAMES_UNKEPT)

    def button_stuck(self, seat: int, user: str, button: str) -> None:
        """Tell that a button of a device reads pressed and does not come up."""
        t = self._t
        text = t(
            "{where}: {button} does not come up, so its presses do not count. "
            "Free it, or set the kind of switch on the card."
        )
        text = text.format(where=self._where(seat, user), button=button.upper())
        self._tell(NoticeKind.BUTTON_STUCK, seat, user, text)

    def button_free(self, seat: int, user: str, button: str) -> None:
        """Tell that a button which was stuck works again."""
        t = self._t
        text = t("{where}: {button} works again.")
        text = text.format(where=self._where(seat, user), button=button.upper())
        self._tell(NoticeKind.BUTTON_FREE, seat, user, text)

    def forbidden(self, seat: int, user: str, confidence: float, seen: datetime.datetime) -> None:
        """Tell that there are grounds, how sure the camera is of them, and since when."""
        t = self._t
        text = t("Seat {seat}: grounds, the forbidden gesture, at {time} UTC, {percent} % sure")
        text = text.format(seat=seat, time=f"{seen:%H:%M:%S}", percent=round(confidence * 100))
        self._tell(NoticeKind.FORBIDDEN, seat, user, text)

    def voice_fails(self, fault: str) -> None:
        """Tell that nothing is heard; it is tried again by itself."""
        t = self._t
        text = t("The voice fails: {fault}. Read out what this page shows.").format(fault=fault)
        self._tell(NoticeKind.VOICE_FAILS, 0, "", text, NoticeKind.VOICE_FAILS)

    def voice_back(self) -> None:
        """Tell that the voice speaks again."""
        t = self._t
        self._tell(NoticeKind.VOICE_BACK, 0, "", t("The voice speaks again."))

    def unread(self, after_s: float) -> None:
        """Tell that a call has waited for the host in vain."""
        t = self._t
        text = t(
            "Nobody has called the next line for {n} s, so the game is paused. When it goes on, "
            "the table calls by itself until reading out is switched on again."
        )
        self._tell(NoticeKind.UNREAD, 0, "", text.format(n=round(after_s)))

    def no_start(self, refused: Refused) -> None:
        """Tell why no game begins although all hold VOTE."""
        t = self._t
        text = t("No game begins: {why}").format(why=refused.told(self._words))
        self._tell(NoticeKind.NO_START, 0, "", text)

    def _where(self, seat: int, user: str) -> str:
        return self._t("Seat {seat}").format(seat=seat) if seat else user

    def _tell(self, kind: NoticeKind, seat: int, user: str, text: str, about: str = "") -> None:
        about = about or text
        utc = self._clock.wall().isoformat(timespec="seconds")
        self._told.pop(about, None)
        self._told[about] = HostNotice(kind, utc, seat, user, text)
        if len(self._told) > NOTICES_MAX:
            oldest = next(iter(self._told))
            del self._told[oldest]
            self._logged_s.pop(oldest, None)
        now_s = self._clock.now_s()
        if now_s >= self._logged_s.get(about, -math.inf) + LOG_S:
            self._logged_s[about] = now_s
            log.warning("%s", text)

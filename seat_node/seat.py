"""The seat: presses, cues, the eyes' reports and the link, without threads.

Everything comes in by :meth:`Seat.take` and :meth:`Seat.tick`, in the one loop
of the program. The seat knows no rule, no phase and no role: it says what it
saw and shows what it is told.
"""

import logging
from collections.abc import Callable, Collection
from typing import Final

import msgspec

from firmware.board import Level
from firmware.errors import WireError
from firmware.link import BEAT_S, Link, Linked, Received, Unlinked
from firmware.press import STUCK_S
from firmware.rehearsal import Photograph
from firmware.wire import (
    Absent,
    Ask,
    AskKind,
    Button,
    Cue,
    Forbidden,
    Gesture,
    Health,
    NightAnswer,
    Presence,
    Present,
    RollCall,
    Status,
    TopicKind,
    Topics,
    What,
    boot_of,
    decode,
    encode,
)
from seat_node import reports
from seat_node.absence import Meter
from seat_node.answers import Answers
from seat_node.buttons import Buttons
from seat_node.face import Face, describe
from seat_node.inbox import Asked, EyesGone, Item, ScreenGone, Tell
from seat_node.outbox import Outbox
from seat_node.showing import DARK, LinkState, face_of, next_change_s
from seat_node.vitals import Vitals

ASKED_S: Final = 0.050
"""Wait before the answer to an ask: a press that still bounces is in it. Source: DESIGN 5."""

HEALTH_S: Final = 10.0
"""Source: DESIGN 5."""

LOG_S: Final = 60.0
"""A wrong message is logged no more often. Source: DESIGN 5."""

log = logging.getLogger(__name__)


class Identity(msgspec.Struct, frozen=True):
    """Who a seat program is."""

    user: str
    boot: str
    """Eight hex digits made anew at each start."""
    topics: Topics
    version: str = ""
    parts: tuple[str, ...] = ()
    language: str = "en"
    """Until a cue names one."""

    def topic(self, kind: TopicKind) -> str:
        """Return this seat's topic for *kind*."""
        return self.topics.of(kind, self.user)


class Seat:
    """One seat.

    *show* gets every new face, *watch* every new wish to the eyes, *picture* a
    face whose photograph somebody wants. *closed* are the buttons that are down
    at the start, at *now_s*.
    """

    def __init__(
        self,
        who: Identity,
        link: Link,
        show: Callable[[Face], object],
        *,
        now_s: float,
        watch: Callable[[reports.Watch], object] | None = None,
        picture: Callable[[Face, Tell], object] | None = None,
        measure: Callable[[], Vitals] | None = None,
        closed: Collection[Button] = (),
    ) -> None:
        self._who = who
        self._link = link
        self._show = show
        self._watch = watch
        self._picture = picture
        self._measure = measure
        self._now_s = self._start_s = self._cue_s = now_s
        said = who.topic(TopicKind.SAID)
        self._outbox = Outbox(who.boot, lambda payload: link.publish(said, payload, qos=1))
        self._buttons = Buttons(self._say_press, closed, now_s)
        for button in sorted(closed):
            log.warning("%s is down at the start: it counts once it was released", button)
        self._answers = Answers()
        self._cue: Cue | None = None
        self._last_cue = 0
        self._by = ""
        """Which start of the table that cue is of."""
        self._state = LinkState(who.user, who.language, False, now_s, version=who.version)
        self._asked: dict[Ask, float] = {}
        """When to answer which ask."""
        self._stuck: tuple[Button, ...] = ()
        """Buttons that the table was told to be stuck."""
        self._health_s = now_s + HEALTH_S
        self._beat_s = now_s + BEAT_S
        self._absence = Meter()
        self._absent: Absent | None = None
        """What waits for the morning."""
        self._chair_told: reports.Chair | None = None
        self._sight: reports.Sight | None = None
        self._wish = reports.Watch(off=True)
        self._wrong = 0
        self._wrong_logged_s = float("-inf")
        self.face = self._face_now()
        """What is shown."""
        show(self.face)

    # ---- the loop ----

    def take(self, item: Item, now_s: float) -> None:
        """Take one item of the inbox."""
        self._now_s = now_s
        match item:
            case Level():
                self._buttons.level(item)
            case Received():
                self._on_received(item)
            case Linked() | Unlinked():
                self._on_link(item)
            case reports.Chair() | reports.Empty() | reports.Hand() | reports.Sight() | EyesGone():
                self._on_eyes(item)
            case Asked():
                self._on_asked(item)
            case ScreenGone():
                log.warning("screen: %s", item.reason or "works again")
        self._refresh()

    def tick(self, now_s: float) -> None:
        """Do what time brings, once everything that had come by *now_s* was taken."""
        self._now_s = now_s
        self._buttons.tick(now_s)
        for ask, due_s in list(self._asked.items()):
            if now_s >= due_s:
                del self._asked[ask]
                self._answer(ask)
        self._outbox.tick(now_s)
        self._answers.tick(now_s)
        self._absence.tick(now_s)
        self._tell_chair()
        if now_s >= self._beat_s:
            self._beat_s = now_s + BEAT_S
            if not self._link.healthy(now_s):
                self._link.reset()
            self._link.beat()
        if now_s >= self._health_s:
            self._health_s = now_s + HEALTH_S
            self._tell_health()
        rejoin_s = self._state.rejoin_s
        if rejoin_s is not None and now_s >= rejoin_s:
            self._state = msgspec.structs.replace(self._state, rejoin_s=None)
            self._link.rejoin()
        self._refresh()

    def next_due_s(self) -> float:
        """Return when :meth:`tick` must be called at the latest."""
        dues = (
            self._buttons.next_due_s,
            self._outbox.next_due_s,
            self._answers.next_due_s,
            self._absence.due_s,
            next_change_s(self._cue, self._cue_s, self._state, self._absence.shown, self._now_s),
            *self._asked.values(),
        )
        return min(self._beat_s, self._health_s, *(due_s for due_s in dues if due_s is not None))

    # ---- said ----

    def _say(self, what: What, made_s: float | None = None) -> int:
        made_s = self._now_s if made_s is None else made_s
        return self._outbox.say(what, made_s, self._last_cue, self._now_s)

    def _say_press(self, what: What, made_s: float, cue: int, *, answered: bool) -> None:
        n = self._outbox.say(what, made_s, cue, self._now_s)
        if answered:
            self._answers.asked(n, self._now_s)

    def _tell_health(self) -> None:
        vitals = Vitals(None, None, None) if self._measure is None else self._measure()
        memory_mb, sight = vitals.memory_mb, self._sight
        if memory_mb is not None and sight is not None:
            memory_mb += sight.memory_mb
        self._look_for_stuck()
        trip_s = self._link.round_trip_s
        health = Health(
            boot=self._who.boot,
            up_s=round(self._now_s - self._start_s, 1),
            temperature_c=vitals.temperature_c,
            throttled=vitals.throttled,
            memory_mb=None if memory_mb is None else round(memory_mb, 1),
            fps=None if sight is None else sight.fps,
            eyes="" if sight is None else sight.word,
            aim="" if sight is None else sight.aim,
            drops=self._wrong + self._outbox.drops + self._link.drops,
            link_ms=None if trip_s is None else round(1000 * trip_s, 1),
            stuck=self._stuck,
        )
        self._link.publish(self._who.topic(TopicKind.HEALTH), encode(health), qos=0)

    def _look_for_stuck(self) -> None:
        """Note which buttons are stuck; by night that would tell of presses, so it waits."""
        stuck = self._buttons.stuck(self._now_s)
        if stuck == self._stuck or (self._cue is not None and self._cue.scene in DARK):
            return
        self._stuck = stuck
        for button in stuck:
            log.warning(
                "%s has been down for %g s: jammed, or a switch of the other kind than "
                "parts.switch of the card says; its presses do not count",
                button,
                STUCK_S,
            )

    # ---- the link ----

    def _on_link(self, item: Linked | Unlinked) -> None:
        linked = isinstance(item, Linked)
        if linked is not self._state.linked:
            self._state = msgspec.structs.replace(self._state, linked=linked, since_s=item.at_s)
        self._absence.unlinked()
        self._absent = None
        if isinstance(item, Unlinked):
            log.info("link: %s", item.reason)
            return
        log.info("link: up")
        who = self._who
        status = Status(online=True, boot=who.boot, version=who.version, parts=who.parts)
        self._link.publish(who.topic(TopicKind.STATUS), encode(status), qos=1, retain=True)
        self._outbox.resend(self._now_s)

    def _on_received(self, item: Received) -> None:
        payload = item.payload
        try:
            address = self._who.topics.parse(item.topic)
            message = decode(address.kind, payload)
        except WireError as error:
            self._wrong += 1
            if self._now_s - self._wrong_logged_s >= LOG_S:
                self._wrong_logged_s = self._now_s
                log.warning("%d wrong messages so far, the last: %s", self._wrong, error)
            if item.topic == self._who.topic(TopicKind.CUE) and boot_of(payload) == self._who.boot:
                # A cue of another kit: what this seat shows is no longer what it is told.
                self._state = msgspec.structs.replace(self._state, baffled=True)
            return
        if isinstance(message, Cue):
            self._on_cue(message, item.at_s)

    def _on_cue(self, cue: Cue, at_s: float) -> None:
        old = cue.by == self._by and cue.id <= self._last_cue
        if cue.boot != self._who.boot or old:
            return
        self._by, self._last_cue = cue.by, cue.id
        self._state = msgspec.structs.replace(self._state, baffled=False)
        self._outbox.heard(cue.heard)
        if cue.back_off_s > 0:
            self._back_off(cue)
            return
        self._cue, self._cue_s = cue, at_s
        self._answers.cue(cue, self._now_s)
        self._buttons.cue(cue)
        if cue.ask is not None:
            self._asked.setdefault(cue.ask, self._now_s + ASKED_S)
        self._absence.cue(cue.absence, cue.answer, self._now_s)
        if cue.absence is None:
            self._absent = None
        self._tell_chair()

    def _answer(self, ask: Ask) -> None:
        if ask.kind is AskKind.ROLL_CALL:
            self._say(RollCall(ask.id, self._outbox.last))
        else:
            presses = self._buttons.night if self._buttons.round == ask.round else ()
            self._say(NightAnswer(ask.id, ask.round, tuple(presses)))

    def _back_off(self, cue: Cue) -> None:
        log.warning("another device plays as %s: away for %g s", self._who.user, cue.back_off_s)
        self._cue = None
        self._absence.unlinked()
        self._buttons.cue(cue)
        self._state = msgspec.structs.replace(
            self._state, linked=False, since_s=self._now_s, rejoin_s=self._now_s + cue.back_off_s
        )
        self._link.leave()

    # ---- the eyes ----

    def _on_eyes(self, item: reports.Report | EyesGone) -> None:
        match item:
            case reports.Chair():
                self._absence.state(item, self._now_s)
                self._tell_chair()
            case reports.Empty():
                self._absent = self._absence.look(item, self._now_s) or self._absent
                self._tell_chair()
            case reports.Hand():
                self._on_hand(item)
            case reports.Sight():
                self._sight = item
            case EyesGone():
                log.warning("eyes: %s", item.word)
                self._sight = reports.Sight(item.word, 0.0, 0.0)
                self._absence.state(reports.Chair(Presence.UNKNOWN, item.at_s), self._now_s)
                self._tell_chair()

    def _on_hand(self, hand: reports.Hand) -> None:
        confidence = round(hand.confidence, 3)
        if hand.name == self._wish.forbidden:
            self._say(Forbidden(confidence), hand.at_s)
        elif hand.name in self._wish.gestures:
            if hand.number and self._buttons.listing is not None and self._buttons.list_open:
                self._buttons.listing.point(hand.number)
            self._say(Gesture(hand.name, hand.number, confidence), hand.at_s)

    def _tell_chair(self) -> None:
        """Say the chair's state and an absence, if the table has not got it; by night both wait."""
        if self._cue is None or self._cue.scene in DARK:
            return
        chair = self._absence.chair
        if chair is not None and chair != self._chair_told:
            self._chair_told = chair
            self._say(Present(chair.state, round(chair.since_s, 3)))
        if self._absent is not None:
            self._absence.said(self._say(self._absent, self._absent.until_s))
            self._absent = None

    def _ask_eyes(self) -> None:
        wish = reports.Watch(off=True)
        if self._cue is not None and not self._cue.look.off:
            look = self._cue.look
            two_hands = look.two_hands and self._buttons.list_open
            wish = reports.Watch(look.gestures, look.forbidden, two_hands)
        if wish != self._wish:
            self._wish = wish
            if self._watch is not None:
                self._watch(wish)

    # ---- shown ----

    def _on_asked(self, asked: Asked) -> None:
        if not isinstance(asked.request, Photograph):
            asked.tell(describe(self.face))
        elif self._picture is not None:
            self._picture(self.face, asked.tell)

    def _face_now(self) -> Face:
        return face_of(
            self._cue,
            self._cue_s,
            self._buttons,
            self._answers,
            self._state,
            self._absence.shown,
            self._now_s,
        )

    def _refresh(self) -> None:
        self._ask_eyes()
        face = self._face_now()
        if face != self.face:
            self.face = face
            self._show(face)

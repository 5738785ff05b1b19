"""The nodes on the link: who sits where, what was heard, when it was made.

A node's kept messages are taken strictly in order, once each. When a press was
made is the node's own time plus the offset between its clock and ours:
``least (received - sent)`` over five minutes of that boot.
"""

import enum
import math
from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import msgspec

from firmware.fit import fits
from firmware.wire import KEPT, NODES, Cue, Health, Mark, Presence, Said, Status
from table_controller.game import SEATS

OFFSET_WINDOW_S: Final = 300.0
"""How long a reading of a node's clock counts. Source: DESIGN 5."""

ALIVE_S: Final = 30.0
"""A boot heard within this time is alive: three health messages of 10 s.

Its age decides, whatever a status says that the broker kept or a will that it
gave out. Source: DESIGN 5.
"""

BACK_OFF_S: Final = 60.0
"""How long the second device of one identity stays away. Source: DESIGN 5."""

BACK_OFF_MAX_S: Final = 600.0
"""The longest that it is sent away. Each time it comes back the broker must put the other one
out for a moment, so the time doubles while both are there."""

DOUBT_S: Final = 0.25
"""What was made at a time that cannot be told better than this may count nowhere."""

_REMEMBERED: Final = 64
"""Answers and cue times kept for repeats; a node never has more unanswered."""


class Reading(msgspec.Struct, frozen=True):
    """How a node's clock stands to ours, in s: what lies between them is told from both sides."""

    most_s: float
    """Ours is ahead by no more than this. A press is dated by it."""
    least_s: float | None
    """And by no less than this; None: not known yet."""


class Taken(enum.Enum):
    """What became of a message."""

    NEW = enum.auto()
    REPEAT = enum.auto()
    EARLY = enum.auto()
    """One before it is missing; the node will send both again."""
    RIVAL = enum.auto()
    """From a device that must leave the identity to another."""
    MISFIT = enum.auto()
    """From a device whose kit does not fit the table's: it counts nowhere."""


@dataclass(slots=True)
class Node:
    """One user of the link, as the table knows it."""

    user: str
    there: bool = False
    """It is on the link, whether or not it can play."""
    boot: str = ""
    last: int = 0
    """Highest counter of kept messages taken from this boot."""
    parts: tuple[str, ...] = ()
    version: str = ""
    """Of its program, as its last status said."""
    fits: bool = True
    """That version fits the table's; so it does until the boot has told one."""
    health: Health | None = None
    presence: Presence = Presence.UNKNOWN
    presence_s: float = 0.0
    """Since when."""
    measured_s: float | None = None
    """Since when its cues have asked it, without a break, to measure an absence; None: they
    do not."""
    word_s: float = 0.0
    """When this boot was last heard at all."""
    cue: Cue | None = None
    """The cue it was sent last."""
    cue_key: object = None
    """What that cue shows, to tell whether another one differs."""
    cues: int = 0
    """How many cues this user was sent since the start of the table, whatever the boot."""
    cue_sent: OrderedDict[int, float] = field(default_factory=OrderedDict)
    answers: OrderedDict[int, Mark] = field(default_factory=OrderedDict)
    answered: int = 0
    """Id of the last ask that it answered."""
    roll: int = -1
    """What it answered to the roll call *answered*: its last kept counter."""
    night_taken: tuple[int, int] = (0, 0)
    """(round serial, presses of it that were taken)."""
    holding: bool = False
    """It holds VOTE, as far as it said."""
    former: dict[str, None] = field(default_factory=dict)
    """Boots that another one followed: one that speaks again is a second device."""
    sent_away: dict[str, tuple[int, float]] = field(default_factory=dict)
    """How often each of them was told to leave, and when last."""
    _offsets: deque[tuple[float, float]] = field(default_factory=deque)
    _floors: deque[tuple[float, float]] = field(default_factory=deque)
    """The same from below: a message was made after the cue that it answers was sent."""

    @property
    def online(self) -> bool:
        """Tell whether it is there and can play: what it says counts."""
        return self.there and self.fits

    def adopt(self, boot: str, last: int, *, surely: bool = True) -> None:
        """Take *boot* for this identity from now on; *last* was heard of it before.

        Not *surely* from a status that the broker kept: the boot before may still be the one.
        """
        if self.boot and surely:
            self.former[self.boot] = None
        self.former.pop(boot, None)
        while len(self.former) > _REMEMBERED:
            self.sent_away.pop(next(iter(self.former)), None)
            del self.former[next(iter(self.former))]
        self.boot, self.last, self.fits = boot, last, True
        self.cue = self.cue_key = None
        self.cue_sent.clear()
        self.answers.clear()
        self.night_taken = (0, 0)
        self.holding = False
        self.presence = Presence.UNKNOWN
        self.measured_s = None
        self._offsets.clear()
        self._floors.clear()

    def measure(self, sent_s: float, received_s: float) -> None:
        """Read the node's clock off a message."""
        _keep_least(self._offsets, received_s - sent_s, received_s)

    @property
    def reading(self) -> Reading | None:
        """What was read of its clock; None: nothing yet."""
        if not self._offsets:
            return None
        return Reading(self._offsets[0][1], -self._floors[0][1] if self._floors else None)

    def recall(self, reading: Reading, at_s: float) -> None:
        """Take up what a table before us read of this boot until *at_s*."""
        _keep_least(self._offsets, reading.most_s, at_s)
        if reading.least_s is not None:
            _keep_least(self._floors, -reading.least_s, at_s)

    def bound(self, made_s: float, cue: int, received_s: float) -> None:
        """Read it from the other side, off the cue that a message answers."""
        if (sent_s := self.cue_sent.get(cue)) is not None:
            _keep_least(self._floors, made_s - sent_s, received_s)

    def dated(self, made_s: float, cue: int, received_s: float) -> tuple[float, float]:
        """Return (earliest, when) something was made, by the table's clock.

        Clamped between the sending of the cue it answers and its arrival. The two are
        one when the link's delays leave no doubt above :data:`DOUBT_S`.
        """
        at_s = made_s + self._offsets[0][1] if self._offsets else received_s
        sent_s = self.cue_sent.get(cue, -math.inf)
        at_s = min(max(at_s, sent_s), received_s)
        earliest_s = max(made_s - self._floors[0][1] if self._floors else -math.inf, sent_s)
        return (earliest_s if at_s - earliest_s > DOUBT_S else at_s), at_s

    def send_away(self, boot: str, now_s: float) -> float:
        """Return how long *boot* has to stay away from now on."""
        times, since_s = self.sent_away.get(boot, (0, -math.inf))
        # All that it says before it goes is one coming.
        if now_s >= since_s + BACK_OFF_S / 2:
            times += 1
        self.sent_away[boot] = times, now_s
        return min(BACK_OFF_S * 2.0 ** (times - 1), BACK_OFF_MAX_S)

    def answer(self, n: int, mark: Mark) -> None:
        """Remember what became of message *n*, for its repeats."""
        self.answers[n] = mark
        while len(self.answers) > _REMEMBERED:
            self.answers.popitem(last=False)

    def sent(self, cue: Cue, at_s: float) -> None:
        """Remember that *cue* went out."""
        if cue.absence is None:
            self.measured_s = None
        elif self.measured_s is None:
            self.measured_s = at_s
        self.cue = cue
        self.cue_sent[cue.id] = at_s
        while len(self.cue_sent) > _REMEMBERED:
            self.cue_sent.popitem(last=False)


class Nodes:
    """All nodes of the table, and which seat each plays for.

    *kit* is the table's version, which those of its nodes have to fit; "" takes them all.
    """

    def __init__(self, kit: str = "") -> None:
        self.kit = kit
        self.by_user = {user: Node(user) for user in NODES}
        self._seat_of = dict(zip(NODES, SEATS, strict=False))
        self.journalled: set[str] = set()
        """Ids of the messages, and of the presses at night, that the journal holds."""
        self.cameras_off: frozenset[int] = frozenset()
        """Seats whose cameras the host has switched off, whichever device is there."""
        self._heard: dict[str, int] = {}
        self._recalled: tuple[float, dict[str, Reading]] = (0.0, {})

    def __iter__(self) -> Iterator[Node]:
        return iter(self.by_user.values())

    def seat_of(self, user: str) -> int:
        """Return the seat that *user* plays for; 0: a spare."""
        return self._seat_of.get(user, 0)

    def at(self, seat: int) -> Node:
        """Return the node of *seat*."""
        for user, its_seat in self._seat_of.items():
            if its_seat == seat:
                return self.by_user[user]
        raise ValueError(f"seat {seat}: no node is assigned")

    def users(self) -> tuple[str, ...]:
        """Return the user of each seat's node, seat 1 first."""
        return tuple(self.at(seat).user for seat in SEATS)

    def assign(self, seat: int, user: str) -> None:
        """Let *user* play for *seat*; who did becomes a spare, or takes *user*'s old seat."""
        former = self.at(seat).user
        if former == user:
            return
        old_seat = self._seat_of.pop(user, None)
        del self._seat_of[former]
        self._seat_of[user] = seat
        if old_seat is not None:
            self._seat_of[former] = old_seat

    def switch_camera(self, seat: int, *, on: bool) -> None:
        """Let the camera of *seat* look, or not: then nothing is known of its chair."""
        self.cameras_off = self.cameras_off - {seat} if on else self.cameras_off | {seat}
        self.at(seat).presence = Presence.UNKNOWN

    def camera_off(self, node: Node) -> bool:
        """Tell whether the camera of *node* is switched off, as it plays for its seat."""
        return self.seat_of(node.user) in self.cameras_off

    def journal(self, msgid: str) -> None:
        """Note that the journal holds what *msgid* asked for: it is never done again."""
        self.journalled.add(msgid)
        boot, _, number = msgid.rpartition(":")
        if number.isdecimal():
            self._heard[boot] = max(self._heard.get(boot, 0), int(number))

    def status(self, user: str, status: Status, at_s: float, *, kept: bool = False) -> Taken:
        """Take a status, or a will that the broker gave out.

        One that the broker *kept* from before we subscribed may be long past: it tells only what
        nobody has said since.
        """
        node = self.by_user[user]
        if not status.online:
            # A will may be that of a boot which has left; it says nothing of this one.
            if status.boot == node.boot:
                node.there = node.holding = False
            return Taken.REPEAT
        if status.boot != node.boot:
            if status.boot in node.former and (kept or self._alive(node, at_s)):
                return Taken.REPEAT if kept else Taken.RIVAL
            self._adopt(node, status.boot, surely=not kept)
        node.there, node.parts, node.word_s = True, status.parts, at_s
        node.version = status.version
        node.fits = not self.kit or fits(status.version, self.kit)
        return Taken.NEW

    def health(self, user: str, health: Health, at_s: float) -> Taken:
        """Take a heartbeat: who sends one is there, whatever its status says."""
        node = self.by_user[user]
        if health.boot != node.boot:
            if health.boot in node.former and self._alive(node, at_s):
                return Taken.RIVAL
            self._adopt(node, health.boot)
        back = not node.there
        node.there, node.health, node.word_s = True, health, at_s
        return Taken.NEW if back else Taken.REPEAT

    def silent(self, now_s: float) -> list[Node]:
        """Return the nodes that pass for being there and were not heard for :data:`ALIVE_S`."""
        return [node for node in self if node.there and now_s >= node.word_s + ALIVE_S]

    def silent_due_s(self) -> float:
        """Return when one of them is silent for too long, if nothing is heard; else infinity."""
        words = [node.word_s for node in self if node.there]
        return min(words, default=math.inf) + ALIVE_S

    def readings(self) -> dict[str, Reading]:
        """Return how the clock of each boot stands to ours, as far as it is known."""
        return {node.boot: node.reading for node in self if node.boot and node.reading}

    def recall(self, readings: dict[str, Reading], at_s: float) -> None:
        """Take up what a table before us, which ended at *at_s*, read of the nodes' clocks."""
        self._recalled = (at_s, readings)

    def _adopt(self, node: Node, boot: str, *, surely: bool = True) -> None:
        node.adopt(boot, self._heard.get(boot, 0), surely=surely)
        at_s, readings = self._recalled
        if boot in readings:
            node.recall(readings[boot], at_s)

    @staticmethod
    def _alive(node: Node, at_s: float) -> bool:
        return at_s - node.word_s < ALIVE_S

    def said(self, user: str, said: Said, at_s: float) -> Taken:
        """Take a message: tell whether it is new, and count it if so.

        Kept messages alone are counted; of the others every one is new.
        """
        node = self.by_user[user]
        if said.boot != node.boot:
            if said.boot in node.former and self._alive(node, at_s):
                return Taken.RIVAL
            self._adopt(node, said.boot)
        node.there, node.word_s = True, at_s
        if not node.fits:
            return Taken.MISFIT
        node.measure(said.sent_s, at_s)
        node.bound(said.made_s, said.cue, at_s)
        # What the node no longer keeps was heard by a table before us.
        node.last = max(node.last, said.oldest - 1)
        if not isinstance(said.what, KEPT):
            return Taken.NEW
        if said.n <= node.last or said.id in self.journalled:
            return Taken.REPEAT
        if said.n > node.last + 1:
            return Taken.EARLY
        return Taken.NEW


def _keep_least(found: deque[tuple[float, float]], value: float, at_s: float) -> None:
    """Add *value* to a queue of rising values, whose head is the least of the window."""
    while found and found[-1][1] >= value:
        found.pop()
    found.append((at_s, value))
    while found[0][0] < at_s - OFFSET_WINDOW_S:
        found.popleft()

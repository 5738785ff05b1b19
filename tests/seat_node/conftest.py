"""A seat on a broker in memory, with the world's verbs on both of its sides."""

import pytest

from firmware.board import Level
from firmware.link import Received, Retained
from firmware.press import BOUNCE_S
from firmware.rehearsal import Look
from firmware.wire import (
    CUE_SIZE,
    Button,
    Cue,
    Presence,
    Said,
    Status,
    TopicKind,
    decode,
    encode,
)
from seat_node.inbox import Asked
from seat_node.reports import Chair, Empty
from seat_node.seat import Identity, Seat
from seat_node.vitals import Vitals

USER, BOOT = "node-03", "0badcafe"

LOOK_S = 1 / 3
"""Time between two looks of the eyes at an empty chair."""


class SeatRig:
    """One seat, the table's end of its link, and time that passes in due steps."""

    def __init__(self, clock, broker, topics, closed=(), faces=None):
        self.clock, self.broker, self.topics = clock, broker, topics
        self.faces = [] if faces is None else faces
        self.wishes, self.heard = [], []
        self._inbox = []
        self._empty_s = None
        self._look_s = float("inf")
        self._cue_id = 0
        self.table = broker.link(
            "table", topics, self.heard.append, subscriptions=[f"{topics.root}/up/#"]
        )
        self.table.__enter__()
        self.who = Identity(USER, BOOT, topics, version="1.2", parts=("shout", "lamp"))
        self.link = broker.link(
            USER,
            topics,
            self._inbox.append,
            subscriptions=[self.who.topic(TopicKind.CUE)],
            will=Retained(self.who.topic(TopicKind.STATUS), encode(Status(boot=BOOT))),
        )
        self.seat = Seat(
            self.who,
            self.link,
            self.faces.append,
            now_s=clock.now_s(),
            watch=self.wishes.append,
            picture=lambda face, tell: tell(face),
            measure=lambda: Vitals(51.5, False, 40.0),
            closed=closed,
        )

    # ---- time ----

    def take(self):
        """Let the seat take all that its link told."""
        while self._inbox:
            self.seat.take(self._inbox.pop(0), self.clock.now_s())

    def wait(self, for_s):
        """Let *for_s* pass, ticking when something is due and at no other time."""
        end_s = self.clock.now_s() + for_s
        self.take()
        while (due_s := min(self.seat.next_due_s(), self._look_s)) <= end_s:
            self.clock.advance(max(0.0, due_s - self.clock.now_s()))
            if self.clock.now_s() >= self._look_s:
                self._look_s = self.clock.now_s() + LOOK_S
                self.look()
            self.seat.tick(self.clock.now_s())
            self.take()
        self.clock.advance(end_s - self.clock.now_s())

    # ---- the eyes ----

    def chair(self, state, ago_s=0.0):
        """Let the eyes say *state*; from then on they look at an empty chair."""
        now_s = self.clock.now_s()
        empty = state is Presence.AWAY
        self._empty_s = now_s - ago_s if empty else None
        self._look_s = now_s + LOOK_S if empty else float("inf")
        self.seat.take(Chair(state, now_s - ago_s), now_s)

    def look(self, late_s=0.0):
        """Let the eyes tell of a look at the empty chair that is *late_s* old."""
        now_s = self.clock.now_s()
        self.seat.take(Empty(self._empty_s, now_s - late_s), now_s)

    def hang(self):
        """Let the eyes say no more."""
        self._look_s = float("inf")

    # ---- the player ----

    def down(self, button=Button.VOTE):
        """Press *button* and wait until that is certain; return its time."""
        at_s = self.clock.now_s()
        self.seat.take(Level(button, at_s, True), at_s)
        self.wait(0.007)
        return at_s

    def up(self, button=Button.VOTE):
        """Release *button* and wait until that is certain."""
        at_s = self.clock.now_s()
        self.seat.take(Level(button, at_s, False), at_s)
        self.wait(BOUNCE_S + 0.02)

    def tap(self, button=Button.VOTE):
        """Press and release *button*; return the time of the press."""
        at_s = self.down(button)
        self.wait(0.1)
        self.up(button)
        return at_s

    def hold(self, button=Button.VOTE):
        """Hold *button* for as long as a hold takes, and release it."""
        self.down(button)
        self.wait(0.8 if button is Button.VOTE else 1.5)
        self.up(button)

    # ---- the table ----

    def link_up(self):
        """Connect the seat."""
        self.link.__enter__()
        self.take()

    def cue(self, **fields):
        """Send a cue, one id on, and let the seat take it; return it."""
        self._cue_id += 1
        fields = {"boot": BOOT, "id": self._cue_id, "heard": 0, "scene": "test"} | fields
        cue = Cue(**fields)
        self.table.publish(self.who.topic(TopicKind.CUE), encode(cue, CUE_SIZE))
        self.take()
        return cue

    def messages(self, kind):
        """Return what the table got on the topic *kind*, decoded."""
        topic = self.who.topic(kind)
        return [
            decode(kind, item.payload)
            for item in self.heard
            if isinstance(item, Received) and item.topic == topic
        ]

    @property
    def said(self) -> list[Said]:
        """Everything the seat said, repeats too."""
        return self.messages(TopicKind.SAID)

    @property
    def whats(self):
        """What it said, without repeats of kept messages."""
        first = {said.n: said.what for said in reversed(self.said) if said.n}
        seen, whats = set(), []
        for said in self.said:
            if said.n == 0:
                whats.append(said.what)
            elif said.n not in seen:
                seen.add(said.n)
                whats.append(first[said.n])
        return whats

    # ---- who looks ----

    @property
    def shown(self):
        """What the player sees."""
        answers = []
        self.seat.take(Asked(Look(), answers.append), self.clock.now_s())
        return answers[0]


@pytest.fixture
def new_rig(clock, broker, topics):
    return lambda broker=broker, **options: SeatRig(clock, broker, topics, **options)


@pytest.fixture
def rig(new_rig):
    """A seat whose link is up and that has no cue yet."""
    rig = new_rig()
    rig.link_up()
    return rig

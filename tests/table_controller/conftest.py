"""The rig: one table and ten real seats on a broker in memory and a clock that is moved."""

import queue
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.board import Level
from firmware.fakes import FakeBroker, FakeClock, nodes_and_table
from firmware.link import Retained
from firmware.wire import NODES, Button, Status, TopicKind, Topics, encode
from firmware.words import catalogue
from seat_node.seat import Identity, Seat
from table_controller import deal
from table_controller.buttons import Buttons
from table_controller.countdown import Countdowns
from table_controller.game import NORMAL, SEATS, Phase, Ruleset
from table_controller.kept_seats import KeptSeats
from table_controller.lights import Lights
from table_controller.nodes import Nodes
from table_controller.record.journals import Journals
from table_controller.scoreboard.console.sheets import Sheets
from table_controller.scoreboard.hub import Hub
from table_controller.scoreboard.pages.posted import Posted
from table_controller.show import Show
from table_controller.table import Table
from table_controller.terms import Terms
from table_controller.together import TOGETHER_S
from table_controller.voice.phrases import Phrase

from .cluster import Cluster, missing

VERSION = "0.1.0"
"""Of the kit that the table and its seats have."""

NAMES = ("Anna", "Boris", "Clara", "David", "Elena", "Fedor", "Greta", "Hugo", "Ivan", "Julia")


class Room:
    """A voice that remembers what it said."""

    fault = ""

    def __init__(self) -> None:
        self.heard: list[Phrase] = []
        self.nights: list[bool] = []
        """Whether it was night, each time that changed."""
        self.tuned: list[tuple[int, bool]] = []

    def say(self, phrase: Phrase) -> None:
        self.heard.append(phrase)

    def night(self, *, on: bool) -> None:
        if on is not (self.nights[-1] if self.nights else False):
            self.nights.append(on)

    def tune(self, *, volume: int, music: bool) -> None:
        self.tuned.append((volume, music))

    def close(self) -> None:
        pass


class Bulbs:
    """Lights that remember what they were told."""

    def __init__(self) -> None:
        self.shown: list[Any] = []

    def set(self, values: Any) -> None:
        self.shown.append(values)


class SeatOnTheRig:
    """A real seat program's Seat with its inbox."""

    def __init__(self, rig: "Rig", user: str, boot: str, version: str = VERSION) -> None:
        self.inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        who = Identity(user, boot, rig.topics, version, ("shout", "lamp", "screen"))
        offline = Retained(
            who.topic(TopicKind.STATUS), encode(Status(online=False, boot=boot, version=version))
        )
        self.link = rig.broker.link(
            user,
            rig.topics,
            self.inbox.put,
            subscriptions=[who.topic(TopicKind.CUE)],
            will=offline,
            farewell=offline,
        )
        self.faces: list[Any] = []
        self.seat = Seat(who, self.link, self.faces.append, now_s=rig.clock.now_s())

    @property
    def face(self) -> Any:
        return self.seat.face


class Rig:
    """A table with ten seats; time passes only in :meth:`advance`."""

    def __init__(
        self,
        folder: Path,
        clock: FakeClock,
        *,
        ruleset: Ruleset = NORMAL,
        seed: int = 7,
        readiness: bool = False,
    ) -> None:
        self.clock, self.topics = clock, Topics("test")
        self.broker = FakeBroker(clock, nodes_and_table(self.topics))
        self.readiness, self.kept = readiness, KeptSeats(folder.parent / "seats.json")
        self.folder, self.terms = folder, Terms(ruleset, NAMES, VERSION, seed)
        self.room, self.bulbs = Room(), Bulbs()
        self.seats = {
            seat: SeatOnTheRig(self, user, f"{seat:08x}")
            for seat, user in zip(SEATS, NODES, strict=False)
        }
        self.keep: Callable[[str], None] = lambda _: None
        """What the table has its finished games kept by."""
        self.start_table()
        for each in self.seats.values():
            each.link.__enter__()
        self.settle()

    # ---- the table ----

    def start_table(self, lights: Lights | None = None) -> None:
        self.inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.link = self.broker.link(
            "table",
            self.topics,
            self.inbox.put,
            subscriptions=[
                self.topics.of(kind, "+")
                for kind in (TopicKind.STATUS, TopicKind.SAID, TopicKind.HEALTH)
            ],
        )
        self.journals = Journals(self.folder)
        self.hub = Hub(self.clock)
        self.sheets = Sheets(self.clock, self.hub)
        self.posted = Posted()
        self.show = Show(
            clock=self.clock,
            link=self.link,
            topics=self.topics,
            nodes=Nodes(VERSION),
            countdowns=Countdowns(),
            hub=self.hub,
            voice=self.room,
            lights=lights or Lights(self.bulbs),
            words=catalogue("en"),
        )
        self.table = Table(
            clock=self.clock,
            journals=self.journals,
            terms=self.terms,
            show=self.show,
            readiness=self.readiness,
            kept=self.kept,
            sheets=self.sheets,
            posted=self.posted,
            keep=lambda game: self.keep(game),
        )
        self.kept.read_into(self.show.nodes)
        self.buttons = Buttons(self.table.playing, self.show.lights, now_s=self.now_s)
        self.table.playing.resume()
        self.lives = True
        self.link.__enter__()

    def kill_table(self) -> None:
        """End the table without a word, as a pulled plug does."""
        self.broker.lose("table")
        self.broker.part(self.link, "killed", will=False, for_ever=True)
        self.table.playing.close()
        self.journals.close()
        self.lives = False

    @property
    def state(self) -> Any:
        """The game's state, which no program but the table's own may see."""
        return self.table.playing.state

    @property
    def phase(self) -> Phase:
        return self.state.phase

    # ---- time ----

    def settle(self) -> None:
        """Let everybody take what has arrived, until nothing does."""
        moved = True
        while moved:
            moved = self.lives and self._drain(self.inbox, self._take)
            if self.lives:
                self.buttons.tick(self.now_s)
                self.table.tick()
            for each in self.seats.values():
                moved |= self._drain(each.inbox, lambda item, s=each.seat: s.take(item, self.now_s))
                each.seat.tick(self.now_s)

    def _take(self, item: Any) -> None:
        if isinstance(item, Level):
            self.buttons.level(item, self.now_s)
        else:
            self.table.take(item)

    @property
    def now_s(self) -> float:
        return self.clock.now_s()

    def advance(self, by_s: float) -> None:
        """Let time pass, from one thing that is due to the next."""
        end_s = self.now_s + by_s
        self.settle()
        while self.now_s < end_s:
            dues = [each.seat.next_due_s() for each in self.seats.values()]
            if self.lives:
                dues += [self.table.next_due_s(), self.buttons.next_due_s()]
            due_s = min(dues)
            self.clock.advance(min(max(due_s - self.now_s, 0.001), end_s - self.now_s))
            self.settle()

    def until(self, wanted: Callable[[], bool], within_s: float = 600.0) -> None:
        """Let time pass until *wanted*."""
        end_s = self.now_s + within_s
        while not wanted():
            assert self.now_s < end_s, f"did not come in {within_s} s; phase {self.phase}"
            self.advance(0.05)

    def until_phase(self, *phases: Phase) -> None:
        self.until(lambda: self.phase in phases)

    # ---- hands ----

    def down(self, seat: int, button: Button = Button.VOTE) -> None:
        self.seats[seat].inbox.put(Level(button, self.now_s, True))

    def up(self, seat: int, button: Button = Button.VOTE) -> None:
        self.seats[seat].inbox.put(Level(button, self.now_s, False))

    def press(self, *seats: int, button: Button = Button.VOTE, for_s: float = 0.1) -> None:
        """Press and let go, all *seats* at once."""
        for seat in seats:
            self.down(seat, button)
        self.advance(for_s)
        for seat in seats:
            self.up(seat, button)
        self.advance(0.1)

    def shout(self, seat: int, for_s: float = 0.1) -> None:
        self.press(seat, button=Button.SHOUT, for_s=for_s)

    def end_floor(self, seat: int) -> None:
        self.shout(seat, for_s=1.6)

    def all_hold(self, *seats: int) -> None:
        """Hold VOTE together on *seats*, all ten by default, for as long as it takes."""
        self.press(*(seats or SEATS), for_s=TOGETHER_S + 0.1)

    def start_game(self) -> None:
        """All hold VOTE, then each presses VOTE under the own name."""
        self.all_hold()
        self.press(*SEATS)

    def to_first_day(self) -> None:
        self.start_game()
        self.until_phase(Phase.SPEECH)

    @staticmethod
    def _drain(inbox: "queue.SimpleQueue[Any]", take: Callable[[Any], None]) -> bool:
        moved = False
        while not inbox.empty():
            take(inbox.get())
            moved = True
        return moved


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A real PostgreSQL, on a free loopback port."""
    if why := missing():
        pytest.skip(why)
    cluster = Cluster()
    yield cluster
    cluster.remove()


@pytest.fixture
def rig(tmp_path: Path, clock: FakeClock) -> Iterator[Rig]:
    rig = Rig(tmp_path / "journal", clock)
    yield rig
    rig.table.playing.close()
    rig.journals.close()


@pytest.fixture
def roles() -> dict[int, Any]:
    """The roles of the rig's first game, by seat."""
    return dict(zip(SEATS, deal.roles(deal.rehearsal_seed(7)), strict=True))

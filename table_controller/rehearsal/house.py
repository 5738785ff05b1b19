"""The house of a rehearsal: broker, table and ten seats, each in a process of its own.

Everything is in a private folder that goes when the house is left. The programs
are those of the cards; their pins are mocks, and the stage presses them.
"""

import contextlib
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self

import msgspec

from firmware import card as cards
from firmware.card import Language, PartsCard, ScoreboardCard, SeatCard, TableCard
from firmware.clock import Clock, SystemClock
from firmware.image.broker_conf import new_password
from firmware.mosquitto import TRIES, Mosquitto, free_port
from firmware.pin import hashed
from firmware.wire import NODES, TABLE
from table_controller.game import SEATS
from table_controller.rehearsal.child import Child, ChildError
from table_controller.rehearsal.stage import Stage

NAME: Final = "rehearsal"
"""Name of the table."""

START_S: Final = 30.0
"""Patience with the programs until all of them play; a busy Pi 4 needs half of it."""

STOP_S: Final = 4.0
"""Patience with all programs together after SIGTERM, before SIGKILL."""

AWAY: Final = ("", "waiting", "unlinked", "taken")
"""Scenes of a seat that the table does not reach."""

BUSY: Final = "is in use"
"""What the table says of a port that somebody took before it."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What a rehearsal is played with."""

    speed: float = 1.0
    """Countdowns run so many times as fast."""
    seed: int | None = None
    """Number of a deal that can be played again; None: a deal of its own."""
    ruleset: Path | None = None
    """A file of rules."""
    turbo: bool = False
    once: bool = False
    """The table ends when its first game is over, and prints the result."""
    step: bool = False
    """No countdown runs out by itself; the stage steps."""
    readiness: bool = False
    """A readiness round before the first deal."""
    language: Language = "en"
    players: tuple[str, ...] = ()
    port: int | None = None
    """Of the scoreboard, on loopback; None: any free one."""
    pin: str = ""
    """Of the host's page; empty: it is closed until one is made."""
    eyes: Mapping[int, str] = {}
    """Source of pictures by seat."""


class House:
    """A running kit on this machine. A context manager, for one thread.

    :raises KitError: on entering, if a program does not start; it is named with its last words.
    """

    def __init__(self, settings: Settings, clock: Clock | None = None) -> None:
        self.settings = settings
        self.clock = clock or SystemClock()
        self.stage = Stage(self.clock)
        self.address = ""
        """URL of the scoreboard."""
        self.seats: dict[int, Child] = {}
        self.passwords = {user: new_password() for user in (TABLE, *NODES)}
        self.folder: Path
        self.broker: Mosquitto
        self.table: Child
        self._children: list[Child] = []
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as stack:
            self.folder = Path(tempfile.mkdtemp(prefix="mafia-"))
            stack.callback(shutil.rmtree, self.folder, ignore_errors=True)
            self.broker = stack.enter_context(
                Mosquitto(self.folder, NAME, self.passwords, clock=self.clock)
            )
            stack.callback(self._end_children)
            stack.enter_context(self.stage)
            self._start_table()
            for seat in SEATS:
                self.seats[seat] = self.seat_program(f"seat-{seat}", seat)
                self.seats[seat].start()
                self.stage.seat(seat, self.folder / f"seat-{seat}.sock")
            self.stage.table(self.folder / "table.sock")
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *exc: object) -> None:
        self._stack.close()

    def wait_ready(self, within_s: float = START_S) -> None:
        """Go on until the table and all seats play together.

        :raises KitError: if they do not within *within_s*.
        """
        self.stage.until(self._is_ready, within_s, "the start of the rehearsal")

    def check(self) -> None:
        """See that every program runs.

        :raises KitError: naming the one that does not, with its last words.
        """
        _ = self.broker.pid
        for child in (self.table, *self.seats.values()):
            child.check()

    def seat_program(self, name: str, seat: int) -> Child:
        """Return a seat program for *seat*, not started yet; a second one is a rival.

        Its rehearsal socket is *name* with ``.sock`` in the folder.
        """
        user = NODES[seat - 1]
        eyes = self.settings.eyes.get(seat)
        card = SeatCard(
            table=NAME,
            user=user,
            link=cards.link_card(self.broker.settings(user)),
            language=self.settings.language,
            parts=PartsCard(eyes=eyes is not None),
        )
        path = self.folder / f"{name}.toml"
        cards.save(path, card)
        socket = self.folder / f"{name}.sock"
        arguments = ["run", "--card", str(path), "--rehearsal", str(socket)]
        if eyes is not None:
            arguments += ["--eyes", eyes]
        child = Child(name, "seat_node", arguments, self.folder, self.clock)
        self._children.append(child)
        return child

    def table_program(self, name: str, *arguments: str) -> Child:
        """Return a table program on this house's card, not started yet."""
        everything = ["run", "--card", str(self.folder / "table.toml"), *arguments]
        child = Child(name, "table_controller", everything, self.folder, self.clock)
        self._children.append(child)
        return child

    def _start_table(self) -> None:
        wished = self.settings.port
        for last in (wished is not None or tries == TRIES for tries in range(1, TRIES + 1)):
            self._save_table_card(wished or free_port())
            self.table = self.table_program("table", *self._table_arguments())
            self.table.start()
            try:
                self.address = self.table.first_line(START_S).partition(": ")[2]
            except ChildError as error:
                # Between finding a free port and using it somebody else may take it.
                if last or BUSY not in str(error):
                    raise
            else:
                return

    def _table_arguments(self) -> list[str]:
        settings = self.settings
        arguments = ["--rehearsal", str(self.folder / "table.sock"), "--speed", str(settings.speed)]
        if settings.seed is not None:
            arguments += ["--seed", str(settings.seed)]
        if settings.ruleset is not None:
            arguments += ["--ruleset", str(settings.ruleset.absolute())]
        flags = {
            "--turbo": settings.turbo,
            "--once": settings.once,
            "--step": settings.step,
            "--readiness": settings.readiness,
        }
        return arguments + [flag for flag, wanted in flags.items() if wanted]

    def _save_table_card(self, port: int) -> None:
        card = TableCard(
            table=NAME,
            link=cards.link_card(self.broker.settings(TABLE)),
            data_dir=str(self.folder / "data"),
            language=self.settings.language,
            lights=False,
            players=self.settings.players,
            readiness=self.settings.readiness,
            scoreboard=ScoreboardCard(
                bind="127.0.0.1",
                port=port,
                pin_hash=hashed(self.settings.pin) if self.settings.pin else "",
            ),
        )
        cards.save(self.folder / "table.toml", card)

    def _is_ready(self) -> bool:
        self.check()
        panels = self.stage.panels.values()
        return self.stage.table_linked and all(panel.scene not in AWAY for panel in panels)

    def _end_children(self) -> None:
        """Ask all to end, then make them; whoever is frozen too."""
        for child in self._children:
            child.terminate()
            child.thaw()
        end_s = self.clock.now_s() + STOP_S
        for child in self._children:
            with contextlib.suppress(ChildError):
                child.wait(max(0.0, end_s - self.clock.now_s()))
            child.kill()

"""Whole systems: a house of real programs, and a director who plays a game in it by hand."""

import contextlib
import itertools
import json
import os
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.mosquitto import find_mosquitto
from firmware.rehearsal import Heard
from firmware.wire import Button
from table_controller.deal import rehearsal_seed, roles
from table_controller.game import SEATS, Role
from table_controller.rehearsal.house import House, Settings
from table_controller.rehearsal.stage import Panel

PATIENCE_S = 15.0
"""With what a program should do now; only a failing test waits that long."""

INSIDE = "MAFIA_TEST_IN_NAMESPACE"
"""Set in a pytest that has mounts of its own."""

NAMESPACES = (("unshare", "--mount"), ("unshare", "--map-root-user", "--mount"))
"""Root's own right, in CI; else that of whoever may be root in a namespace."""

FLOORS = ("floor", "silent", "tie", "farewell", "farewell_picks")


def seed_of(wanted: dict[int, Role]) -> int:
    """Return a number for ``--seed`` whose deal gives every seat its *wanted* role."""
    order = tuple(wanted[seat] for seat in SEATS)
    return next(n for n in itertools.count() if roles(rehearsal_seed(n)) == order)


class Director:
    """Plays in a house whose table steps: presses pins, reads screens, hears the voice.

    It knows of the game what the room knows, and from the scoreboard's ``/state``.
    """

    def __init__(self, house: House) -> None:
        self.house = house
        self.stage = house.stage
        self.panels = house.stage.panels
        self.living = set(SEATS)
        self.watchers: list[Callable[[], None]] = []
        """Called after whatever was heard."""
        self._taken = 0

    # ---- waiting ----

    def until(self, done: Callable[[], Any], what: str, within_s: float = PATIENCE_S) -> Any:
        def look() -> Any:
            self.house.check()
            return done()

        return self.stage.until(look, within_s, what)

    def scenes(self, *wanted: str, seats: set[int] | None = None) -> None:
        """Wait until all living (or these) *seats* show one of the scenes."""
        chosen = self.living if seats is None else seats
        self.until(
            lambda: all(self.panels[seat].scene in wanted for seat in chosen),
            f"{wanted} at {sorted(chosen)}",
        )

    def state(self) -> dict[str, Any]:
        """Return the scoreboard's board."""
        with urllib.request.urlopen(f"{self.house.address}state", timeout=PATIENCE_S) as answer:
            board: dict[str, Any] = json.load(answer)["board"]
        return board

    def until_state(self, done: Callable[[dict[str, Any]], Any], what: str) -> dict[str, Any]:
        """Wait until the scoreboard's game is so, and return it."""

        def look() -> dict[str, Any] | None:
            game: dict[str, Any] = self.state()["game"]
            return game if done(game) else None

        found: dict[str, Any] = self.until(look, what)
        return found

    # ---- the voice ----

    def news(self) -> list[Heard]:
        """Return what was said since the last time."""
        heard = self.stage.heard[self._taken :]
        self._taken += len(heard)
        for said in heard:
            if said.phrase in ("shot", "leaves"):
                self.living.discard(said.number)
        if heard:
            for watcher in self.watchers:
                watcher()
        return heard

    def step_to(self, phrase: str, number: int | None = None, most: int = 200) -> Heard:
        """Step until *phrase* is said, and return it."""
        for _ in range(most):
            for said in self.news():
                if said.phrase == phrase and number in (None, said.number):
                    return said
            self.stage.step()
        raise AssertionError(f"{phrase} was not said in {most} steps")

    # ---- fingers ----

    def vote(self, *seats: int) -> None:
        """Tap VOTE on *seats*, and wait until their programs have taken it."""
        self.tap(Button.VOTE, *seats)

    def tap(self, button: Button, *seats: int) -> None:
        """Tap *button* on *seats* at once, and wait until their programs have taken it."""
        panels = [self.panels[seat] for seat in seats]
        for panel in panels:
            panel.tap(button)
        self.until(lambda: not any(panel.busy(button) for panel in panels), "the fingers")
        self.settle(*seats)

    def shout(self, seat: int) -> None:
        """Tap SHOUT on *seat*, and wait until the voice calls its foul."""
        said = len(self.stage.heard)
        self.tap(Button.SHOUT, seat)
        self.until(
            lambda: any(heard.phrase == "foul" for heard in self.stage.heard[said:]),
            f"the shout of {seat}",
        )

    def settle(self, *seats: int) -> None:
        """Wait until the programs of *seats* have taken all that was pressed there.

        A picture is taken after what was pressed before, also by night, when no screen tells.
        """
        before = {seat: len(self.panels[seat].pictures) for seat in seats}
        for seat in seats:
            self.panels[seat].photograph()
        self.until(
            lambda: all(len(self.panels[seat].pictures) > n for seat, n in before.items()),
            f"pictures of {seats}",
        )

    def all_hold(self, *seats: int, until: str) -> None:
        """Hold VOTE on *seats* until they show *until*."""
        for seat in seats:
            self.panels[seat].push(Button.VOTE)
        try:
            self.scenes(*until.split("|"), seats=set(seats))
        finally:
            for seat in seats:
                self.panels[seat].release(Button.VOTE)

    def choose(self, seat: int, *values: int) -> None:
        """Go down the list of *seat* and hold VOTE on each of *values*, in the list's order."""
        panel = self.panels[seat]
        for value in values:
            while not self._points_at(panel, value):
                self._changes(panel, panel.tap)
            self._changes(panel, panel.hold)

    def _points_at(self, panel: Panel, value: int) -> bool:
        shown = panel.shown
        assert shown is not None
        return bool(shown.rows) and shown.rows[shown.cursor].value == value

    def _changes(self, panel: Panel, press: Callable[[Button], None]) -> None:
        def listed() -> object:
            assert panel.shown is not None
            return panel.shown.rows, panel.shown.cursor

        was = listed()
        press(Button.VOTE)
        self.until(lambda: listed() != was, f"a move in the list of {panel.seat}")

    # ---- a game ----

    def begin(self) -> None:
        """Start a game from the lobby, up to the look at the cards."""
        self.house.wait_ready()
        self.all_hold(*SEATS, until="seating")
        self.vote(*SEATS)
        self.scenes("card")
        self.until(lambda: len(self.stage.heard) > self._taken, "the first words of the voice")
        assert [said.phrase for said in self.news()] == ["look"]

    def speech_of(self, seat: int) -> None:
        """Step to the floor of *seat*."""
        self.step_to("speech", seat)
        self.scenes("floor", seats={seat})

    def nominate(self, seat: int, nominee: int) -> None:
        """Let *seat* nominate in its floor."""
        self.choose(seat, nominee)
        panel = self.panels[seat]
        self.until(
            lambda: panel.shown and f"You nominate {nominee}" in panel.shown.lines,
            f"{seat} nominates {nominee}",
        )

    def cast(self, *seats: int) -> None:
        """Vote on *seats* now, and wait until their screens say so."""
        self.vote(*seats)
        self.until(
            lambda: all(self.lines(seat)[0] == "You have voted" for seat in seats),
            f"votes of {seats}",
        )

    def lines(self, seat: int) -> tuple[str, ...]:
        shown = self.panels[seat].shown
        assert shown is not None
        return shown.lines or ("",)

    def to_ballot(self, *nominees: int) -> None:
        """From the first night to the call of the first of *nominees*, named by 1, 2, 3 ..."""
        for speaker, nominee in enumerate(nominees, start=1):
            self.speech_of(speaker)
            self.nominate(speaker, nominee)
        self.step_to("candidate", nominees[0])
        self.called(nominees[0])

    def called(self, candidate: int) -> None:
        """Wait until all screens ask for votes against *candidate*."""
        self.until(
            lambda: all(
                self.panels[seat].scene == "candidate"
                and self.panels[seat].shown.title == str(candidate)  # type: ignore[union-attr]
                for seat in self.living
            ),
            f"the call of {candidate}",
        )


@pytest.fixture
def new_house() -> Iterator[Callable[..., House]]:
    """Makes houses: ``new_house(step=True)``; all are left after the test."""
    if find_mosquitto() is None:
        pytest.skip("mosquitto is not installed: sudo apt install mosquitto")
    with contextlib.ExitStack() as stack:
        yield lambda **settings: stack.enter_context(House(Settings(**settings)))


@pytest.fixture
def director(new_house: Callable[..., House]) -> Director:
    """A director in a house that steps."""
    return Director(new_house(step=True, seed=1))


@pytest.fixture(scope="session")
def director_class() -> type[Director]:
    return Director


@pytest.fixture(scope="session", name="seed_of")
def seed_of_roles() -> Callable[[dict[int, Role]], int]:
    return seed_of


# ---- a disk of the table's own ----


class CardHouse(House):
    """A house whose table has its data on a file system of its own.

    *mount* is called with the folder to put it on, when nothing runs yet.
    """

    def __init__(self, settings: Settings, mount: Callable[[Path], None]) -> None:
        super().__init__(settings)
        self._mount = mount

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def _start_table(self) -> None:
        self.data.mkdir()
        self._mount(self.data)
        super()._start_table()

    def __exit__(self, *exc: object) -> None:
        super().__exit__(*exc)
        mount("umount", self.data)
        shutil.rmtree(self.folder, ignore_errors=True)


def mount(*command: object) -> None:
    """Run a *command* about mounts; what it complains of is the error."""
    ran = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=30)
    if ran.returncode:
        raise OSError(f"{' '.join(ran.args)}: {ran.stderr.strip()}")


@pytest.fixture
def card_house() -> Iterator[Callable[..., CardHouse]]:
    """Makes houses that step and whose table has a disk of its own: ``card_house(mount)``."""
    with contextlib.ExitStack() as stack:
        yield lambda mount: stack.enter_context(CardHouse(Settings(step=True, seed=1), mount))


@pytest.fixture(name="mount")
def mount_command() -> Callable[..., None]:
    return mount


@pytest.fixture
def with_own_mounts(request: pytest.FixtureRequest) -> Callable[[Callable[..., None]], None]:
    """Plays another test of the file in a second pytest, whose mounts nobody else sees."""

    def play(test: Callable[..., None]) -> None:
        pytest_ = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"]
        inner = subprocess.run(
            [*_namespace(), *pytest_, f"{request.path}::{test.__name__}"],
            env={**os.environ, INSIDE: "1"},
            capture_output=True,
            text=True,
            timeout=180,
        )
        if not inner.returncode and "1 skipped" in inner.stdout:
            pytest.skip(next(line for line in inner.stdout.splitlines() if "SKIPPED" in line))
        assert inner.returncode == 0, inner.stdout + inner.stderr
        assert "1 passed" in inner.stdout

    return play


@pytest.fixture
def inside() -> None:
    """Only in the pytest that :func:`with_own_mounts` starts."""
    if INSIDE not in os.environ:
        pytest.skip("plays with mounts of its own")


def _namespace() -> tuple[str, ...]:
    """Return the words before a command that give it mounts of its own."""
    reason = "root in a namespace is not allowed"
    for words in NAMESPACES:
        try:
            asked = subprocess.run([*words, "true"], capture_output=True, text=True, timeout=30)
        except OSError as error:
            reason = str(error)
            continue
        if not asked.returncode:
            return words
        reason = asked.stderr.strip()
    pytest.skip(f"this system gives no mount namespace: {reason}")

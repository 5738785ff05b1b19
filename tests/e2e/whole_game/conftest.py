"""Ten people who play one golden game with real programs, whatever happens to those."""

import contextlib
import json
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from firmware.mosquitto import find_mosquitto
from firmware.rehearsal import Shown
from firmware.wire import Button
from firmware.words import catalogue
from table_controller.cues import Setting, cue
from table_controller.game import SEATS, CountdownKind, GameState, Phase, Role, countdowns, replay
from table_controller.game.views import PublicView, public_view, seat_view
from table_controller.lights import frame
from table_controller.record.entries import Acted
from table_controller.record.journal import Journal
from table_controller.rehearsal.house import House, Settings
from table_controller.rehearsal.stage import StageError
from table_controller.scoreboard.board import Board, Notice

GAME = Path(__file__).parents[2] / "golden" / "games" / "game-11.json"
"""Short, with a tie, a revote, a lift, shots that hit, best moves and crowns."""

SETTLE_S = 20.0
"""Patience with the room; only a failing test waits that long."""

RHYTHM_S = 4.0
"""No light's rhythm is longer."""

MOMENT_S = 0.05
"""Nothing in it is shorter."""

LATE_S = 0.5
"""A window of the night stays open for so long after a press: what a program that has just
started made is dated late by as much as its first words needed. A real one has 2 s."""

PASSING = (Phase.DEALING, Phase.ROLL_CALL)
"""Over as soon as all programs have answered; nobody steps there."""


class Latest(msgspec.Struct):
    """What the scoreboard's ``/state`` answers."""

    age_s: float
    board: Board | None


class Noted(msgspec.Struct):
    """Of what the table notes beside its journal: what is left of its countdowns, in s."""

    lefts: dict[int, float]


class Room(NamedTuple):
    """What everybody sees, but for what time alone changes."""

    board: Board
    screens: dict[int, Shown]


Strike = Callable[["Players", str], None]


class Players:
    """Ten people who have agreed on the golden game. They look at where it stands, so that
    they can go on from anywhere: each does what is still to be done.

    *strike* is called with a word at moments of the game: "come" to a new place, "voted"
    by one, "pressed" at night. *peace* is the course of an uninterrupted game: this one
    must stand at the same places, and the room must see the same there.
    """

    def __init__(
        self,
        house: House,
        director: Any,
        golden: dict[str, Any],
        *,
        peace: list[tuple[GameState, Room]],
        strike: Strike,
    ) -> None:
        self.house, self.director, self.golden = house, director, golden
        self.peace, self.strike = peace, strike
        self.clock = house.clock
        self.course: list[tuple[GameState, Room]] = []
        """Where the game stood, each place once."""
        self.presser = 0
        """Who pressed VOTE first in the vote that is called."""
        self._pressed: set[tuple[int, int]] = set()
        self._names: tuple[str, ...] = ()

    def play(self) -> None:
        """Play from the lobby to the end."""
        self.house.wait_ready()
        self.director.all_hold(*SEATS, until="seating")
        while self.stand().phase is not Phase.OVER:
            if not self.act():
                self.director.stage.step()

    def stand(self) -> GameState:
        """Wait until the room shows where the game stands, and return that."""
        state = self.settled()
        place, room = plain(state), self.room()
        if self.peace:
            assert room == self.room_in_peace(place), where(place)
        if all(place != known for known, _ in self.course):
            self.course.append((place, room))
            self.strike(self, "come")
            state = self.settled()
        return state

    def room_in_peace(self, place: GameState) -> Room:
        """Return what the room saw at *place* of the uninterrupted game."""
        rooms = [room for known, room in self.peace if known == place]
        assert rooms, f"the uninterrupted game was never here: {where(place)}"
        return rooms[0]

    # ---- what is ----

    def state(self) -> GameState:
        """Return the game's state by what is on the disk."""
        folder = self.house.folder / "data" / "journal"
        journal = Journal(folder / f"{(folder / 'current').read_text()}.db")
        try:
            started, *rows = [row.entry for row in journal.rows()]
        finally:
            journal.close()
        self._names = started.names
        acted = [row.action for row in rows if isinstance(row, Acted)]
        return replay(started.ruleset, acted)

    def latest(self) -> tuple[float, Board] | None:
        """Return the scoreboard's board, with its age in s; None while the table is away."""
        address = f"{self.house.address}state"
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=2.0) as answer:
            latest = msgspec.json.decode(answer.read(), type=Latest)
            return latest.board and (latest.age_s, latest.board)
        return None

    def board(self) -> tuple[float, Board]:
        """Return the same of a table that is there."""
        latest: tuple[float, Board] = self.director.until(self.latest, "a board", SETTLE_S)
        return latest

    def clocks(self) -> tuple[float, dict[CountdownKind, float]]:
        """Return (when, {kind: seconds left then}) of the board's clocks."""
        age_s, board = self.board()
        return self.clock.now_s(), {
            clock.kind: max(0.0, clock.left_s - (age_s if clock.runs else 0.0))
            for clock in board.clocks
        }

    def noted(self, countdown: int) -> tuple[float | None, int]:
        """Return what the disk says is left of *countdown* in s, and when that was noted in ns."""
        (path,) = (self.house.folder / "data" / "journal").glob("*.left")
        note = msgspec.json.decode(path.read_bytes(), type=Noted)
        return note.lefts.get(countdown), path.stat().st_mtime_ns

    def room(self) -> Room:
        """Return what everybody sees now."""
        _, board = self.board()
        game = msgspec.structs.replace(
            board.game, countdowns=tuple(map(unnumbered, board.game.countdowns))
        )
        return Room(
            msgspec.structs.replace(board, game=game, clocks=(), notice=Notice.NONE),
            {
                seat: msgspec.structs.replace(panel.shown, left_s=None, mark=None, waiting=False)
                for seat, panel in self.director.panels.items()
            },
        )

    def settled(self) -> GameState:
        """Wait until board, lights and screens are those of the state; return it."""
        found: list[Any] = []

        def same() -> bool:
            state = self.state()
            if state.phase in PASSING and not state.paused:
                return False
            found[:] = [state, *self._missing(state)]
            return len(found) == 1

        try:
            self.director.until(same, "the room to be as the game", SETTLE_S)
        except StageError as error:
            raise AssertionError(f"{where(found[0]) if found else '?'}: {found[1:]}") from error
        settled: GameState = found[0]
        return settled

    def _missing(self, state: GameState) -> Iterator[str]:
        """Return what the room does not show of *state*, in words."""
        public, latest = public_view(state), self.latest()
        if latest is None or not self.house.stage.table_linked:
            yield "the table is away"
            return
        _, board = latest
        if board.game != public:
            yield f"the board shows {board.game}, not {public}"
        if offline := [seat.seat for seat in board.seats if not seat.online]:
            yield f"offline: {offline}"
        if board.notice not in (Notice.NONE, *([Notice.RESTARTED] if state.paused else [])):
            yield f"notice: {board.notice}"
        if not may_be_lit(self.house.stage.lights, public):
            yield f"lights: {self.house.stage.lights}, not of {frame(public, frozenset())}"
        for seat, panel in self.director.panels.items():
            shown, wanted = panel.shown, self.wanted(state, seat)
            if not panel.linked or shown is None or not shown.linked:
                yield f"{seat} is not linked"
            elif (shown.scene, shown.icon, shown.lamp) != (wanted.scene, wanted.icon, wanted.lamp):
                yield f"{seat} shows {shown.scene}, not {wanted.scene}"
            elif not shown.rows and (shown.title, shown.lines) != (wanted.title, wanted.lines):
                yield f"{seat} shows {shown.title} {shown.lines}, not {wanted.title} {wanted.lines}"

    def wanted(self, state: GameState, seat: int) -> Any:
        """Return the cue that *seat* should have in *state*."""
        setting = Setting(catalogue("en"), self._names, 0.0, True)
        return cue(seat_view(state, seat), public_view(state), setting)

    # ---- what they do ----

    def act(self) -> bool:
        """Do what is to be done now; tell whether that led somewhere else."""
        state, director = self.state(), self.director
        match state.phase:
            case Phase.SEATING:
                waiting = [seat for seat in SEATS if seat not in state.ready]
                some = waiting[: (len(waiting) + 1) // 2]
                director.tap(Button.VOTE, *some)
                director.until(lambda: {*some} <= {*self.state().ready}, f"{some} to be ready")
                return True
            case Phase.SPEECH if (nominee := self._nominee(state)) not in (0, state.choice):
                director.nominate(state.floor, nominee)
                return True
            case Phase.FAREWELL:
                return self._say_farewell(state)
            case Phase.BALLOT | Phase.LIFT:
                return self._vote(state)
            case Phase.CALLING if state.clock and state.clock.kind is CountdownKind.WINDOW:
                self._press_at_night(state)
        return False

    def _today(self, state: GameState) -> Any:
        return self.golden["days"][state.day - 1]

    def _nominee(self, state: GameState) -> int:
        return dict(map(tuple, self._today(state)["nominations"])).get(state.floor, 0)

    def _say_farewell(self, state: GameState) -> bool:
        today, open_ = self._today(state), state.farewell
        assert open_ is not None
        said = [*today["farewells"], today.get("farewell_of_the_shot") or {"seat": 0}]
        (mine,) = [each for each in said if each["seat"] == open_.seat]
        if open_.best_move is None and mine["best_move"]:
            self.director.choose(open_.seat, *sorted(mine["best_move"]), 0)
        elif open_.best_move is not None and not open_.crowned and mine["crown"]:
            self.director.choose(open_.seat, mine["crown"])
        else:
            return False
        was = plain(state)
        self.director.until(lambda: plain(self.state()) != was, f"the picks of {open_.seat}")
        return True

    def _vote(self, state: GameState) -> bool:
        voters = self._voters(state)
        if not voters:
            return False
        self.presser = voters[0]
        self.director.vote(self.presser)
        self.strike(self, "voted")
        # It may have been heard or not: the screen tells.
        self.director.cast(*self._voters(self.settled()))
        return True

    def _voters(self, state: GameState) -> list[int]:
        """Return who still has to vote in the window that is open."""
        kinds = {each.kind for each in countdowns(state)}
        if state.ballot is None or not kinds & {CountdownKind.BALLOT, CountdownKind.LIFT}:
            return []
        held = [record for record in state.ballots if record.day == state.day]
        ballot = self._today(state)["ballots"][len(held)]
        if state.phase is Phase.LIFT:
            wish = ballot["yes"]
        else:
            candidate = state.ballot.candidates[state.ballot.called - 1]
            wish = ballot["presses"].get(str(candidate), [])
        voted = {seat for seat, _ in state.ballot.votes}
        return [seat for seat in wish if seat not in voted]

    def _press_at_night(self, state: GameState) -> None:
        assert state.call is not None
        number = state.call.numbers[state.call.called - 1]
        if (state.last_call, number) in self._pressed:
            return
        self._pressed.add((state.last_call, number))
        plan = {seat: [state.living[0]] for seat in state.living} | self._deeds(state)
        if pressing := [seat for seat, numbers in plan.items() if number in numbers]:
            pressed_s = self.clock.now_s() + LATE_S
            self.director.vote(*pressing)
            self.director.until(lambda: self.clock.now_s() >= pressed_s, "the window's time")
        self.strike(self, "pressed")

    def _deeds(self, state: GameState) -> dict[int, list[int]]:
        """Return {seat: numbers} of those whose round of the night it is."""
        assert state.call is not None
        night = self.golden["nights"][state.night]
        if state.call.round == "shots":
            return {int(seat): numbers for seat, numbers in night["shots"].items()}
        owner = state.living_with(Role(state.call.round))
        return {owner: [night[f"{state.call.round}_check"]["target"]]} if owner else {}


def may_be_lit(lights: tuple[float, ...], public: PublicView) -> bool:
    """Tell whether each of *lights* is as at some moment of its rhythm for *public*."""
    shown = frame(public, frozenset())
    moments = [shown.values(n * MOMENT_S) for n in range(int(RHYTHM_S / MOMENT_S))]
    return len(lights) == 13 and all(
        light in levels for light, levels in zip(lights, zip(*moments, strict=True), strict=True)
    )


def unnumbered(countdown: Any) -> Any:
    """Return *countdown*, or None, without how many there were before."""
    return countdown and msgspec.structs.replace(countdown, id=0)


def plain(state: GameState) -> GameState:
    """Return *state* without what tells how often something was called, or who was quicker."""
    ballot, call = state.ballot, state.call
    return msgspec.structs.replace(
        state,
        clock=unnumbered(state.clock),
        last_countdown=0,
        last_call=0,
        ballot=ballot and msgspec.structs.replace(ballot, votes=tuple(sorted(ballot.votes))),
        call=call and msgspec.structs.replace(call, presses=tuple(sorted(call.presses))),
    )


def where(state: GameState) -> tuple[Any, ...]:
    """Tell in short where the game stands."""
    last = state.nights[-1:]
    return state.phase, state.day, state.floor, state.choice, state.ballot, state.call, last


NewPlayers = Callable[..., contextlib.AbstractContextManager[Players]]


@pytest.fixture(scope="module")
def new_players(director_class: Any, seed_of: Any) -> NewPlayers:
    """Makes players in a house of their own: ``with new_players(peace, strike) as players``."""
    if find_mosquitto() is None:
        pytest.skip("mosquitto is not installed: sudo apt install mosquitto")
    golden = json.loads(GAME.read_text("utf-8"))
    roles = {int(seat): Role(name) for seat, name in golden["roles"].items()}
    settings = Settings(step=True, seed=seed_of(roles), turbo=golden["mode"] == "turbo")

    @contextlib.contextmanager
    def new(
        peace: Iterable[tuple[GameState, Room]] = (), strike: Strike = lambda players, when: None
    ) -> Iterator[Players]:
        with House(settings) as house:
            director = director_class(house)
            yield Players(house, director, golden, peace=list(peace), strike=strike)

    return new


@pytest.fixture(scope="module")
def peaceful(new_players: NewPlayers) -> list[tuple[GameState, Room]]:
    """The course of the uninterrupted game."""
    with new_players() as players:
        players.play()
        return players.course


@pytest.fixture(scope="session", name="plain")
def plain_state() -> Callable[[GameState], GameState]:
    return plain

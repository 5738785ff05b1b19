"""The plug is pulled at every entry of a whole game's journal.

The game is played once. At each entry the process forks, and in the fork somebody
pulls a plug: everything else, the seats and the broker too, is as it was just then.
"""

import contextlib
import itertools
import os
import pickle
import shutil
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from firmware.fakes import FakeClock
from firmware.wire import NODES, Button
from table_controller.cues import Setting, cue
from table_controller.game import SEATS, TURBO, Phase, actions, apply, countdowns
from table_controller.game.model import Offence, Source
from table_controller.game.views import public_view, seat_view
from table_controller.lights import frame
from table_controller.together import TOGETHER_S

pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
"""A worker of pytest has one more thread, which holds nothing that a fork needs."""

QUICK = msgspec.structs.replace(
    TURBO,
    look_s=2.0,
    nightfall_s=2.0,
    meeting_s=2.0,
    rest_s=2.0,
    morning_s=2.0,
    speech_s=6.0,
    farewell_s=6.0,
    farewell_picks_s=3.0,
    tie_speech_s=2.0,
    ballot_s=2.0,
    lift_s=2.0,
    motion_s=2.0,
    read_name_s=0.5,
    call_s=1.0,
    shout_s=2.0,
)

SHERIFF, DON, MAFIA = 1, 5, (7, 8)
"""Of the rig's deal."""
VICTIM = 2

BEGUN_AGAIN = (Phase.BALLOT, Phase.LIFT, Phase.MOTION, Phase.CALLING, Phase.GATHERING)
"""What a pause cuts short is called again from its start. Source: RULES 1.17."""


class Players:
    """Ten people who have agreed on a game. They look at the state, so that they can go on
    from anywhere: each does what is still to be done."""

    def __init__(self, rig: Any) -> None:
        self.rig = rig

    def play(self) -> None:
        """Go on until the game is over."""
        for _ in range(3000):
            if self.rig.state is not None and self.rig.phase is Phase.OVER:
                return
            self.move()
        raise AssertionError(f"no end in sight: {self.rig.phase}")

    def move(self) -> None:
        rig, state = self.rig, self.rig.state
        if state is None or state.paused:
            rig.all_hold()
            return
        match state.phase:
            case Phase.SEATING:
                rig.press(*(seat for seat in SEATS if seat not in state.ready))
            case Phase.SPEECH if state.day == 1 and not any(state.fouls):
                rig.shout(9)
            case Phase.SPEECH if state.day == 1 and not state.last_grounds:
                rig.table.playing.act(
                    actions.OpenGrounds(4, Offence.THREATS, Source.HOST, severe=False), rig.now_s
                )
            case Phase.SPEECH if self.nominee() and not state.choice:
                self.choose(state.floor, self.nominee())
            case Phase.SPEECH | Phase.TIE_SPEECH:
                rig.end_floor(state.floor)
            case Phase.FAREWELL if state.farewell.best_move is None:
                self.choose(state.floor, 3, 4)
            case Phase.FAREWELL:
                rig.end_floor(state.floor)
            case Phase.BALLOT | Phase.LIFT | Phase.MOTION:
                self.vote(state)
            case Phase.CALLING:
                self.press_at_night(state)
            case _:
                rig.advance(0.25)

    def nominee(self) -> int:
        """Whom the speaker names: on the first day two mafiosi, on the second the don."""
        state = self.rig.state
        plan = {1: {1: MAFIA[0], 2: MAFIA[1], 3: 6}, 2: {state.order[0]: DON}}
        return plan.get(state.day, {}).get(state.floor, 0)

    def choose(self, seat: int, *values: int) -> None:
        rig = self.rig
        for value in values:
            for _ in range(25):
                face = rig.seats[seat].face
                if face.rows and face.rows[face.cursor].value == value:
                    break
                rig.press(seat)
                if rig.state.floor != seat:
                    return
            rig.press(seat, for_s=0.9)
        face = rig.seats[seat].face
        if len(values) > 1 and face.rows:
            while (face := rig.seats[seat].face).rows and face.cursor < len(face.rows) - 1:
                rig.press(seat)
            rig.press(seat, for_s=0.9)

    def vote(self, state: Any) -> None:
        open_ = self.rig.table.playing.windows.at(self.rig.now_s)
        if state.motion is not None:
            voted, wish = set(state.motion.votes), {2: 0, 3: 0}
        else:
            voted = {seat for seat, _ in state.ballot.votes}
            if state.phase is Phase.LIFT:
                wish = dict.fromkeys(range(1, 7), 0)
            elif len(state.ballot.candidates) == 3:
                wish = {1: 7, 2: 7, 3: 7, 4: 7, 5: 8, 6: 8, 9: 8, 10: 8, 8: 6}
            else:
                wish = {seat: MAFIA[seat % 2] for seat in SEATS}
        now = [
            s for s, who in wish.items() if who == open_ and s in state.living and s not in voted
        ]
        if now:
            self.rig.press(*now)
        else:
            self.rig.advance(0.1)

    def press_at_night(self, state: Any) -> None:
        open_ = self.rig.table.playing.windows.at(self.rig.now_s)
        pressed = {seat for seat, _ in state.call.presses}
        wish = dict.fromkeys(state.living, 6) | {
            DON: VICTIM if state.call.round == "shots" else SHERIFF,
            SHERIFF: DON,
        }
        now = [
            s
            for s, who in wish.items()
            if who == open_
            and s in state.living
            and s not in pressed
            and not self.rig.seats[s].seat._buttons.night
        ]
        if now:
            self.rig.press(*now, for_s=0.1)
        else:
            self.rig.advance(0.1)


class Forks:
    """Runs things in copies of this process, a few at once, and tells what failed there."""

    AT_ONCE = 2

    def __init__(self) -> None:
        self._running: list[tuple[int, int, str]] = []
        self.runs = 0

    def run(self, name: str, what: Callable[[], None]) -> None:
        if len(self._running) == self.AT_ONCE:
            self._join_first()
        self.runs += 1
        readable, writable = os.pipe()
        if (pid := os.fork()) == 0:
            failed = ""
            try:
                what()
            except BaseException:  # noqa: BLE001 - the parent raises it
                failed = traceback.format_exc()
            os.write(writable, failed[-3000:].encode())
            os._exit(0)
        os.close(writable)
        self._running.append((pid, readable, name))

    def join(self) -> None:
        while self._running:
            self._join_first()

    def _join_first(self) -> None:
        pid, readable, name = self._running.pop(0)
        with os.fdopen(readable) as pipe:
            failed = pipe.read()
        os.waitpid(pid, 0)
        assert not failed, f"{name}:\n{failed}"


def room(rig: Any, *, taken: bool = True) -> dict[str, Any]:
    """What everybody sees of the game: views, cues, screens, lights, clocks."""
    state, show = rig.state, rig.show
    public = public_view(state)
    shown = {}
    for seat in SEATS:
        node = show.nodes.at(seat)
        assert node.cue is not None
        shown[seat] = (
            msgspec.structs.replace(
                node.cue, boot="", id=0, heard=0, by="", answer=None, ask=None, clock=None
            ),
            rig.seats[seat].face.scene if taken else node.cue.scene,
        )
    return {
        "state": state,
        "public": public,
        "seats": {seat: seat_view(state, seat) for seat in SEATS},
        "cues": shown,
        "lights": rig.show.lights.told,
        "lefts": show.countdowns.lefts(rig.now_s),
        "notice": show.board.notice,
    }


def expected_after(rig: Any) -> dict[str, Any]:
    """What the room is after a pause of the game as it is: nothing but what begins again."""
    was = room(rig, taken=False)
    state = rig.state
    if state.phase is Phase.OVER or state.paused:
        return was
    paused, _ = apply(state, actions.Pause())
    resumed, _ = apply(paused, actions.Resume())
    if state.phase not in BEGUN_AGAIN:
        assert public_view(resumed) == was["public"]
        return was | {"state": resumed}
    lefts = was["lefts"]
    fresh = {each.id: each.length_s for each in countdowns(resumed) if each.id not in lefts}
    kept = {each.id: lefts[each.id] for each in countdowns(resumed) if each.id in lefts}
    setting = Setting(rig.show.words, rig.show.names, 0.0, True)
    public = public_view(resumed)
    seats = {seat: seat_view(resumed, seat) for seat in SEATS}
    shown = {
        seat: msgspec.structs.replace(cue(view, public, setting), clock=None)
        for seat, view in seats.items()
    }
    return {
        "state": resumed,
        "public": public,
        "seats": seats,
        "cues": {seat: (each, each.scene) for seat, each in shown.items()},
        "lights": frame(public, frozenset()),
        "lefts": fresh | kept,
        "notice": "",
    }


def assert_equal(found: dict[str, Any], expected: dict[str, Any]) -> None:
    for key, value in expected.items():
        if key == "lefts":
            assert found[key].keys() == value.keys()
            for each, left_s in value.items():
                assert abs(found[key][each] - left_s) <= 1.0, (each, found[key], value)
        else:
            assert found[key] == value, key


def start_again(rig: Any, folder: Path) -> None:
    """Start the table of this fork, on *folder*, in the place of the one that was there."""
    rig.lives = False
    rig.broker.part(rig.link, "killed", will=False, for_ever=True)
    rig.folder = folder
    rig.start_table()


def go_on(rig: Any) -> None:
    """Let all take their fingers away, and hold VOTE until the game goes on."""
    for seat in SEATS:
        rig.up(seat)
        rig.up(seat, Button.SHOUT)
    rig.advance(0.2)
    if rig.phase is Phase.OVER:
        return
    assert rig.state.paused
    for seat in SEATS:
        rig.down(seat)
    # The quick game calls a number at once: fingers must be up again by then.
    rig.advance(TOGETHER_S - 0.02)
    for _ in range(20):
        if not rig.state.paused:
            break
        rig.advance(0.005)
    assert not rig.state.paused
    for seat in SEATS:
        rig.up(seat)
    rig.settle()


def result(rig: Any) -> tuple[Any, ...]:
    state = rig.state
    return state.departures, state.ballots, state.nights, public_view(state).winner


class Air:
    """A journal for the table of a fork that goes on: the file is its parent's."""

    path = Path("in the air") / "game.db"
    entries = 0

    def append(self, *entry: Any) -> None:
        pass

    def backup(self, path: Path) -> None:
        pass

    def close(self) -> None:
        pass


class Killer:
    """Pulls plugs in forks of the game that :class:`Players` play."""

    def __init__(self, rig: Any, tmp_path: Path) -> None:
        self.rig, self.forks = rig, Forks()
        self.entries = 0
        self._folder = tmp_path / "forks"
        self._folder.mkdir()

    def play(
        self,
        *,
        written: Callable[[], Callable[[], None]] | None = None,
        shown: Callable[[], None] | None = None,
        settled: Callable[[], None] | None = None,
    ) -> None:
        """Play the game.

        *written* is called when an entry is on the disk, and what it returns when that
        entry's effect is shown; *shown* then too, *settled* when all have taken it.
        """
        rig = self.rig
        rig.all_hold()
        playing = rig.table.playing
        append, act, settle = playing._journal.append, playing.act, rig.settle
        then: list[Callable[[], None]] = []
        told = 0

        def appending(*args: Any) -> None:
            append(*args)
            self.entries += 1
            if written:
                then.append(written())

        def acting(*args: Any, **kwargs: Any) -> None:
            act(*args, **kwargs)
            while then:
                then.pop()()
            if shown:
                shown()

        def settling() -> None:
            nonlocal told
            settle()
            if settled and told != self.entries and rig.settle is settling:
                told = self.entries
                settled()

        playing._journal.append, playing.act, rig.settle = appending, acting, settling
        Players(rig).play()
        self.forks.join()

    def copy(self) -> Path:
        """Return a copy of what is on the disk now."""
        return Path(shutil.copytree(self.rig.folder, self._folder / str(self.forks.runs)))

    def fork(self, what: Callable[[], None], *, closes: int | None = None) -> None:
        """Run *what* in a fork, where the file *closes* is none of its."""
        rig = self.rig

        def run() -> None:
            if closes is not None:
                os.close(closes)
            with contextlib.suppress(AttributeError):
                del rig.settle
            what()

        self.forks.run(f"after entry {self.entries}, {rig.phase}", run)


@pytest.fixture
def quick(rig: Any, tmp_path: Path) -> Iterator[Callable[[], Any]]:
    """Makes rigs that play quickly, each with a clock and a broker of its own."""
    numbers = itertools.count()
    with contextlib.ExitStack() as stack:

        def new() -> Any:
            folder = tmp_path / f"journal {next(numbers)}"
            new = type(rig)(folder, FakeClock(), ruleset=QUICK)
            stack.callback(new.journals.close)
            stack.callback(new.table.playing.close)
            return new

        yield new


@pytest.fixture
def killer(quick: Callable[[], Any], tmp_path: Path) -> Killer:
    return Killer(quick(), tmp_path)


@pytest.fixture
def agreed(quick: Callable[[], Any]) -> tuple[Any, ...]:
    """What the uninterrupted game comes to."""
    rig = quick()
    Players(rig).play()
    assert result(rig)[0][0].seat == MAFIA[0]
    return result(rig)


def test_a_table_killed_at_any_entry_goes_on_as_if_nothing_had_been(killer, agreed):
    rig = killer.rig

    def shown():
        expected, folder = expected_after(rig), killer.copy()

        def restart():
            start_again(rig, folder)
            go_on(rig)
            assert_equal(room(rig), expected)
            if killer.entries % 18 == 0:
                Players(rig).play()
                assert result(rig) == agreed

        killer.fork(restart)

    killer.play(shown=shown)
    assert result(rig) == agreed
    assert killer.entries > 150


def test_what_was_written_but_not_shown_yet_when_the_plug_was_pulled_is_shown_after_it(killer):
    rig = killer.rig

    def written():
        folder = killer.copy()
        readable, writable = os.pipe()

        def restart():
            with os.fdopen(readable, "rb") as pipe:
                expected = pickle.load(pipe)
            start_again(rig, folder)
            go_on(rig)
            assert_equal(room(rig), expected)

        killer.fork(restart, closes=writable)
        os.close(readable)

        def shown():
            with os.fdopen(writable, "wb") as pipe:
                pickle.dump(expected_after(rig), pipe)

        return shown

    killer.play(written=written)


@pytest.mark.proof
def test_a_table_killed_while_the_broker_is_away_goes_on_when_both_are_back(killer, agreed):
    rig = killer.rig

    def shown():
        if killer.entries % 3:
            return
        folder, expected = killer.copy(), expected_after(rig)

        def restart():
            rig.broker.stop()
            rig.lives = False
            rig.advance(1.0)
            start_again(rig, folder)
            rig.advance(1.0)
            rig.broker.start()
            rig.advance(0.5)
            if killer.entries % 12:
                go_on(rig)
                assert_equal(room(rig), expected)
            elif rig.phase is not Phase.OVER:
                Players(rig).play()
                assert result(rig) == agreed

        killer.fork(restart)

    killer.play(shown=shown)


@pytest.mark.parametrize("broker_away", [False, True], ids=["", "broker away"])
def test_a_seat_killed_at_any_entry_is_back_with_its_own_cue(killer, agreed, broker_away):
    rig = killer.rig

    def settled():
        if broker_away and killer.entries % 2:
            return
        seat = killer.entries % len(SEATS) + 1
        user = NODES[seat - 1]
        was = room(rig)

        def restart():
            rig.table.playing._journal = Air()
            if broker_away:
                rig.broker.stop()
            rig.broker.lose(user)
            rig.broker.part(rig.seats[seat].link, "killed", will=True, for_ever=True)
            rig.settle()
            rig.seats[seat] = type(rig.seats[seat])(rig, user, f"{seat + 90:08x}")
            rig.seats[seat].link.__enter__()
            if broker_away:
                rig.broker.start()
            rig.settle()
            assert_equal(room(rig), was)
            if killer.entries % 28 == 0:
                Players(rig).play()
                assert result(rig) == agreed

        killer.fork(restart)

    killer.play(settled=settled)

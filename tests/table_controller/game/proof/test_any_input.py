"""Whatever comes, in whatever order: the game stays a game, and what is refused is named."""

import itertools

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec import inspect

from table_controller.game import actions as do
from table_controller.game import apply, legal_actions, replay
from table_controller.game.corrections import EXTENSIONS_S
from table_controller.game.model import SEATS, IllegalAction, Phase, Refusal
from table_controller.game.opening import DECK
from table_controller.game.rules import countdowns

NUMBERS = tuple(range(12))
BEST_MOVES = ((), (1,), (4, 2), (3, 9, 10), (5, 5), (0,), (11,), (1, 2, 3, 4))
LISTS = {
    "suspects": BEST_MOVES,
    "roles": (DECK, DECK[:9]),
    # For the record alone.
    "confidence": (1.0,),
    "seen": ("",),
}
LEGAL_CHECKS_MAX = 3


def values(field, countdown_ids):
    """Return values of a field of an action, impossible ones too."""
    if field.name == "countdown":
        return countdown_ids
    return LISTS.get(field.name) or tuple(_of_type(field.type))


def _of_type(kind):
    match kind:
        case inspect.IntType():
            return NUMBERS
        case inspect.FloatType():
            return (*EXTENSIONS_S, 0.0, -5.0, 1.0, float("nan"))
        case inspect.BoolType():
            return (False, True)
        case inspect.EnumType():
            return tuple(kind.cls)
        case inspect.NoneType():
            return (None,)
        case inspect.UnionType():
            return itertools.chain.from_iterable(map(_of_type, kind.types))
    raise AssertionError(f"no values of {kind}")


def well_formed(kinds, countdown_ids):
    """Yield every action of *kinds* over seats 0-11, of lists a few."""
    for kind in kinds:
        choices = [values(field, countdown_ids) for field in inspect.type_info(kind).fields]
        yield from itertools.starmap(kind, itertools.product(*choices))


ALL = do.Action.__args__
TIMELESS = tuple(
    well_formed((kind for kind in ALL if "countdown" not in kind.__struct_fields__), ())
)
TIMED = tuple(kind for kind in ALL if "countdown" in kind.__struct_fields__)


def accepted(state, action):
    try:
        apply(state, action)
    except IllegalAction as refused:
        return not isinstance(refused.refusal, Refusal)
    return True


def check_legal(state):
    """Every legal action is accepted, every other well-formed one is refused by name."""
    legal = set(legal_actions(state))
    timed = well_formed(TIMED, range(state.last_countdown + 2))
    tried = {*TIMELESS, *timed, *legal}
    assert {action for action in tried if accepted(state, action)} == legal


def machine(evening):
    class Incidents(RuleBasedStateMachine):
        """A game among players, into which anything may be thrown."""

        @initialize(seed=st.integers(0, 2**32))
        def begin(self, seed):
            self.game = evening(seed, wild=1e-9)
            self.checks = 0
            self.was = self.game.state

        @rule(times=st.integers(1, 60))
        def go_on(self, times):
            for _ in range(times):
                if not self.game.over:
                    self.game.on()

        @rule(action=st.sampled_from(TIMELESS))
        def throw_in(self, action):
            if not self.game.over and self.game.state.roles:
                self.game.take(action)

        @rule(kind=st.sampled_from(TIMED), which=st.integers(0, 3), data=st.data())
        def touch_a_clock(self, kind, which, data):
            clocks = countdowns(self.game.state)
            if which < len(clocks):
                tries = tuple(well_formed((kind,), (clocks[which].id,)))
                self.game.take(data.draw(st.sampled_from(tries)))

        @rule(seat=st.sampled_from(SEATS), kinds=st.lists(st.sampled_from(ALL), max_size=3))
        def quarrel(self, seat, kinds):
            for kind in kinds:
                if kind.__struct_fields__ == ("seat",) and self.game.state.roles:
                    self.game.take(kind(seat))

        @precondition(lambda self: self.checks < LEGAL_CHECKS_MAX)
        @rule()
        def try_everything(self):
            self.checks += 1
            check_legal(self.game.state)

        @invariant()
        def nobody_comes_back(self):
            if not hasattr(self, "game"):
                return
            state, was = self.game.state, self.was
            assert set(state.living) <= set(was.living)
            assert len(state.living) + len(state.departures) == 10
            assert was.decided in (None, state.decided)
            ids = [clock.id for clock in countdowns(state)]
            assert len(ids) == len(set(ids))
            self.was = state

        def teardown(self):
            if not hasattr(self, "game"):
                return
            for _ in self.game.whole():
                pass
            state, steps = self.game.state, self.game.steps
            assert state.phase is Phase.OVER
            assert replay(state.ruleset, [action for _, action, *_ in steps]) == state
            again = msgspec.json.decode(msgspec.json.encode(state), type=type(state))
            assert again == state

    return Incidents


def run(evening, games):
    run_state_machine_as_test(
        machine(evening),
        settings=settings(
            max_examples=games,
            stateful_step_count=30,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_some_games_into_which_anything_is_thrown(evening):
    run(evening, games=15)


@pytest.mark.proof
def test_hundreds_of_games_into_which_anything_is_thrown(evening):
    run(evening, games=400)


@pytest.mark.parametrize("seed", range(1, 4))
def test_in_a_wild_game_what_is_legal_is_accepted_and_nothing_else(evening, seed):
    seen = set()
    for _, _, state, _ in evening(seed, wild=0.25).whole():
        clocks = tuple(clock.kind for clock in countdowns(state))
        place = (state.phase, state.paused, clocks, state.accusation is None, state.resume)
        if place not in seen:
            seen.add(place)
            check_legal(state)
    assert len(seen) > 15

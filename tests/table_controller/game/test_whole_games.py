"""Random whole games: what must hold in every one of them, after every step."""

import itertools
from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_controller.game import actions as do
from table_controller.game import apply, legal_actions, replay
from table_controller.game import events as ev
from table_controller.game.model import (
    SEATS,
    CountdownKind,
    GameState,
    IllegalAction,
    Offence,
    Phase,
    Role,
    Sanction,
    Source,
    Team,
)
from table_controller.game.opening import DECK
from table_controller.game.rules import countdowns
from table_controller.game.views import Deed, public_view, seat_view

GAMES = 300


@pytest.mark.parametrize("batch", range(10))
def test_random_games_keep_the_rules_and_replay(random_game, batch):
    for seed in range(batch, GAMES, 10):
        try:
            _check_game(random_game(seed))
        except (AssertionError, IllegalAction) as error:
            raise AssertionError(f"game {seed}: {error}") from error


def _check_game(game):
    actions, state = [], None
    for before, action, state, told in game:
        actions.append(action)
        assert set(state.living) <= set(before.living)
        assert len(state.living) + len(state.departures) == 10
        ids = [clock.id for clock in countdowns(state)]
        assert len(ids) == len(set(ids))
        assert state.last_countdown == max([before.last_countdown, *ids])
        assert state.day <= 40
        for event in told:
            if isinstance(event, ev.BallotClosed) and event.kind is not ev.BallotKind.LIFT:
                assert [seat for seat, _ in event.votes] == list(before.living)
                assert {candidate for _, candidate in event.votes} <= set(event.candidates)
        ends = ev.GameEnded | ev.GameVoided
        assert isinstance(told[-1] if told else None, ends) is (state.phase is Phase.OVER)
    assert countdowns(state) == ()
    if isinstance(told[-1], ev.GameVoided):
        assert state.decided is None
    elif not any(isinstance(event, ev.OpponentVictoryGiven) for event in told):
        assert state.decided == _by_the_living(state)
    assert replay(state.ruleset, actions) == state


def _by_the_living(state):
    """Return who has won, told by who lives; what comes after the decision may change that."""
    late = [event.seat for event in _after_decision(state) if isinstance(event, ev.SeatLeft)]
    mafia = sum(1 for seat in (*state.living, *late) if state.roles[seat - 1].team is Team.MAFIA)
    town = len(state.living) + len(late) - mafia
    return "town" if mafia == 0 else "mafia" if mafia >= town else "draw"


def _after_decision(state):
    decided = [isinstance(event, ev.GameDecided) for event in state.course].index(True)
    return state.course[decided:]


def test_random_games_bring_every_event(random_game):
    seen = Counter(
        type(event) for seed in range(150) for *_, told in random_game(seed) for event in told
    )
    assert {kind for kind in ev.Event.__args__ if kind not in seen} == set()


def test_a_state_and_every_action_survive_json(random_game):
    steps = list(random_game(5))
    state = steps[-1][2]
    assert msgspec.json.decode(msgspec.json.encode(state), type=GameState) == state
    for _, action, _, told in steps:
        assert msgspec.json.decode(msgspec.json.encode(action), type=do.Action) == action
        for event in told:
            assert msgspec.json.decode(msgspec.json.encode(event), type=ev.Event) == event


# ---- what is allowed ----

NUMBERS = range(12)
BEST_MOVES = [(), (1,), (4, 2), (3, 9, 10), (5, 5), (0,), (11,), (1, 2, 3, 4)]


def _well_formed():
    """Return every action over seats 0-11, of best moves and deals a few."""
    one = [kind for kind in do.Action.__args__ if kind.__struct_fields__ == ("seat",)]
    yield from (kind(seat) for kind in one for seat in NUMBERS)
    for first, second in itertools.product(NUMBERS, NUMBERS):
        yield do.Nominate(first, second)
        yield do.Vote(first, second)
        yield do.GiveCrown(first, second)
        yield do.PressAtNight(first, second)
    for seat in NUMBERS:
        yield do.GiveCrown(seat, None)
        yield from (do.GiveBestMove(seat, suspects) for suspects in BEST_MOVES)
        for offence in Offence:
            yield from (do.Accuse(by, seat, offence) for by in NUMBERS)
            yield from (do.Rule(sanction, seat, offence) for sanction in Sanction)
            for source, severe in itertools.product(Source, (False, True)):
                yield do.OpenGrounds(seat, offence, source, severe)
        for other in (None, *NUMBERS):
            yield do.CorrectNomination(seat, other)
            yield do.CorrectVote(seat, other)
    yield from (do.CloseBallot(), do.Pause(), do.Resume(), do.Deal(DECK), do.Deal(DECK[:9]))
    yield from (do.Void(), do.CallAgain())


WELL_FORMED = list(_well_formed())


def _accepted(state, action):
    try:
        apply(state, action)
    except IllegalAction:
        return False
    return True


@pytest.mark.parametrize("seed", range(8))
def test_every_legal_action_is_accepted_and_every_other_one_refused(random_game, seed):
    seen = set()
    for step, (_, _, state, _) in enumerate(random_game(seed)):
        kind = (state.phase, state.paused, bool(state.shouts), state.clock and state.clock.kind)
        if kind in seen and step % 97:
            continue
        seen.add(kind)
        legal = set(legal_actions(state))
        numbers = range(state.last_countdown + 2)
        expiries = [kind(number) for number in numbers for kind in (do.Expire, do.EndCountdown)]
        expiries += [
            change(number, by_s)
            for change in (do.ExtendCountdown, do.ShortenCountdown)
            for number in numbers
            for by_s in (5.0, 4.0)
        ]
        tried = {*WELL_FORMED, *expiries, *legal}
        assert {action for action in tried if _accepted(state, action)} == legal


SEAT = st.integers(-1, 12)
SEATED = st.sampled_from(
    [kind for kind in do.Action.__args__ if kind.__struct_fields__ == ("seat",)]
)
ANY_ACTION = st.one_of(
    st.builds(lambda kind, seat: kind(seat), SEATED, SEAT),
    st.builds(do.Deal, st.lists(st.sampled_from(Role), max_size=11).map(tuple)),
    st.builds(do.Expire, st.integers(-1, 400)),
    st.builds(do.Nominate, SEAT, SEAT),
    st.builds(do.Vote, SEAT, SEAT),
    st.builds(do.GiveBestMove, SEAT, st.lists(SEAT, max_size=5).map(tuple)),
    st.builds(do.GiveCrown, SEAT, st.none() | SEAT),
    st.builds(do.PressAtNight, SEAT, SEAT),
    st.sampled_from([do.CloseBallot(), do.Pause(), do.Resume()]),
)


@pytest.fixture(scope="module")
def some_states(module_random_game):
    return [state for seed in range(12) for _, _, state, _ in module_random_game(seed)]


@settings(max_examples=400, deadline=None)
@given(where=st.integers(0), tries=st.lists(ANY_ACTION, min_size=1, max_size=30))
def test_an_action_that_is_not_legal_is_refused_and_nothing_else(some_states, where, tries):
    state = some_states[where % len(some_states)]
    legal = set(legal_actions(state))
    for action in tries:
        if _accepted(state, action):
            assert action in legal or isinstance(action, do.Deal)
        else:
            assert action not in legal


# ---- what the seats are told that they can do ----


@pytest.mark.parametrize("seed", range(20, 30))
def test_the_views_offer_what_is_legal_and_nothing_else(random_game, seed):
    for _, _, state, _ in random_game(seed):
        legal = set(legal_actions(state))
        public = public_view(state)
        for seat in SEATS:
            view = seat_view(state, seat)
            assert view.may_shout is (do.Shout(seat) in legal)
            accusations = {a for a in legal if isinstance(a, do.Accuse) and a.by == seat}
            assert view.may_accuse is bool(accusations)
            assert (view.deed is Deed.CONFIRM) is (do.ConfirmAccusation(seat) in legal)
            if state.phase is Phase.MOTION and not state.paused:
                assert (view.deed is Deed.MOTION) is (do.VoteMotion(seat) in legal)
            assert (view.deed is Deed.READY) is (do.Ready(seat) in legal)
            assert (view.deed is Deed.NOMINATE) is (do.EndFloor(seat) in legal) or (
                view.deed in (Deed.BEST_MOVE, Deed.CROWN, Deed.NONE)
            )
            if view.deed is Deed.NOMINATE:
                nominees = {a.nominee for a in legal if isinstance(a, do.Nominate)}
                assert set(view.choices) == nominees
            elif view.deed is Deed.BEST_MOVE:
                assert do.GiveBestMove(seat, view.choices[: view.marks]) in legal
                assert len(view.choices) == 9
            elif view.deed is Deed.CROWN:
                assert {do.GiveCrown(seat, target) for target in view.choices} <= legal
            elif view.deed is Deed.VOTE:
                assert do.Vote(seat, public.called) in legal
            elif view.deed is Deed.LIFT:
                assert do.VoteLift(seat) in legal
            if public.called and not state.paused and seat in state.living:
                assert view.voted is not (view.deed is Deed.VOTE)
            if state.phase is Phase.LIFT and not state.paused and seat in state.living:
                assert view.voted is not (view.deed is Deed.LIFT)
            if state.phase is Phase.CALLING and not state.paused:
                assert (view.deed is Deed.NIGHT) is (seat in state.living)


def test_a_new_countdown_has_a_new_id(random_game):
    kinds = {}
    for seed in range(20):
        kinds.clear()
        for _, _, state, _ in random_game(seed):
            for clock in countdowns(state):
                known = kinds.setdefault(clock.id, (clock.kind, clock.seat))
                assert known == (clock.kind, clock.seat)
    assert CountdownKind.GATHER in {kind for kind, _ in kinds.values()}

"""Thousands of whole random games: what must hold in every one of them, after every step."""

import itertools
from collections import Counter

import pytest

from table_controller.game import actions as do
from table_controller.game import events as ev
from table_controller.game import legal_actions, replay
from table_controller.game.model import SEATS, BallotKind, Phase, Team, Winner
from table_controller.game.rules import countdowns
from table_controller.game.scoring import Row, score, totals
from table_controller.game.views import public_view

GAMES = 10_000
CHUNKS = 40
SMALL = 240
DAYS_MAX = 40
ENDS = ev.GameEnded | ev.GameVoided
OPEN = ("paused", "clock", "floor", "ballot", "call", "farewell", "shouts", "shout_clock")
OPEN += ("accusation", "accusation_clock", "motion", "resume")
"""Fields of a state that hold what goes on; nothing does when the game is over."""


@pytest.mark.proof
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_ten_thousand_games_keep_the_rules(evening, chunk):
    games(evening, range(chunk, GAMES, CHUNKS))


@pytest.mark.parametrize("chunk", range(4))
def test_some_games_keep_the_rules(evening, chunk):
    games(evening, range(GAMES + chunk, GAMES + SMALL, 4))


def games(evening, seeds):
    for seed in seeds:
        # A third of the evenings are quiet, a third has one or two incidents, the rest is wild.
        try:
            watch(evening(seed, wild=(0.0, 0.02, 0.25)[seed % 3]), public=seed % 20 == 0)
        except Exception as error:
            error.add_note(f"game {seed}")
            raise


def watch(game, *, public):
    """Play *game* to its end and check every step of it; views too, with *public*."""
    first, fouls = 10, Counter()
    for before, action, state, told in game.whole():
        step(before, state, told)
        for event in told:
            match event:
                case ev.BallotClosed():
                    ballot(before, event)
                case ev.DayBegan():
                    circle = [*range(first + 1, 11), *range(1, first + 1)]
                    assert event.order == tuple(s for s in circle if s in state.living)
                    first = event.order[0]
                case ev.MotionClosed(passed=True):
                    motion(before, event)
                case ev.ShoutBegan() | ev.FoulGiven():
                    pass
        if isinstance(action, do.Shout | do.GiveFoul):
            fouls[action.seat] += 1
        elif isinstance(action, do.TakeBackFoul):
            fouls[action.seat] -= 1
        if public:
            unseen(state)
    assert Counter(dict(zip(SEATS, state.fouls, strict=True))) == fouls
    end(game, state)


def step(before, state, told):
    """Check what can be told from two states and what happened between."""
    assert state.day <= DAYS_MAX
    if state.living is not before.living:
        assert set(state.living) <= set(before.living)
        assert len(state.living) + len(state.departures) == 10
        left = [event.seat for event in told if isinstance(event, ev.SeatLeft)]
        assert sorted(left) == sorted(set(before.living) - set(state.living))
    if before.decided is not None:
        assert state.decided is before.decided
    assert state.fouls == before.fouls or state.phase is not Phase.CALLING
    ids = [clock.id for clock in countdowns(state)]
    assert ids == list(dict.fromkeys(ids))
    assert state.last_countdown == max([before.last_countdown, *ids])
    assert isinstance(told[-1] if told else None, ENDS) is (state.phase is Phase.OVER)
    assert set(state.order) >= set(state.silenced)


def ballot(before, event):
    """Every living voter has one vote; the most votes, or a majority, decide."""
    voters = [seat for seat, _ in event.votes]
    assert event.living == len(before.living)
    if event.kind is BallotKind.LIFT:
        assert len(set(voters)) == len(voters)
        assert set(voters) <= set(before.living)
        assert bool(event.top) is (2 * len(voters) > event.living)
        assert event.top in ((), event.candidates)
        assert not event.automatic
        return
    assert voters == list(before.living)
    counts = Counter(candidate for _, candidate in event.votes)
    assert set(counts) <= set(event.candidates)
    assert set(event.candidates) <= set(before.living)
    best = max(counts.values())
    assert event.top == tuple(seat for seat in event.candidates if counts[seat] == best)
    late = [seat for seat, candidate in event.votes if candidate == event.candidates[-1]]
    assert set(event.automatic) <= set(late)
    cast = {seat for seat, _ in before.ballot.votes}
    assert set(event.automatic) == set(before.living) - cast


def motion(before, event):
    """More than half of those asked, for Opponent Victory two thirds, are for it."""
    asked = set(before.living) - {event.seat}
    assert set(event.yes) <= asked
    if event.sanction == "opponent_victory":
        assert 3 * len(event.yes) >= 2 * len(asked)
    else:
        assert 2 * len(event.yes) > len(asked)


def unseen(state):
    """Until the game is over nobody sees a role, an amount, or a winner."""
    view = public_view(state)
    over = state.phase is Phase.OVER and state.decided is not None
    assert (view.winner is not None) is over
    if state.phase is not Phase.OVER:
        assert {seat.role for seat in view.seats} == {None}
        assert {seat.max for seat in view.seats} == {None}


def end(game, state):
    """Check a game that is over: its winner, its points, and itself once more."""
    actions = [action for _, action, *_ in game.steps]
    told = list(itertools.chain.from_iterable(events for *_, events in game.steps))
    assert countdowns(state) == ()
    assert not list(legal_actions(state))
    assert not any(getattr(state, name) for name in OPEN)
    assert replay(state.ruleset, actions) == state
    items = score(state.ruleset, told)
    assert items == score(state.ruleset, state.course)
    if state.decided is None:
        assert isinstance(told[-1], ev.GameVoided)
        assert items == {}
        return
    stopped = [e for e in told if isinstance(e, ev.OpponentVictoryGiven) and not e.after_decision]
    if stopped:
        assert state.decided == ("mafia" if stopped[0].team is Team.TOWN else "town")
    else:
        assert state.decided is by_the_living(state, told)
    points(state, items, stopped)


def by_the_living(state, told):
    """Return who has won by who lived when it was decided."""
    decided = next(n for n, event in enumerate(told) if isinstance(event, ev.GameDecided))
    gone = {event.seat for event in told[:decided] if isinstance(event, ev.SeatLeft)}
    teams = Counter(state.roles[seat - 1].team for seat in SEATS if seat not in gone)
    if not teams[Team.MAFIA]:
        return Winner.TOWN
    if teams[Team.MAFIA] >= teams[Team.TOWN]:
        return Winner.MAFIA
    # The flag alone ends a game before parity; an idle game is a draw.
    settled = [event for event in told[:decided] if isinstance(event, ev.VoteSettled)]
    critical = state.ruleset.critical_vote_ends_game and settled and settled[-1].leave
    dawn = any(isinstance(event, ev.MissAnnounced) for event in told[decided - 1 : decided])
    return Winner.MAFIA if critical and not dawn else Winner.DRAW


def points(state, items, stopped):
    """Every seat has its items, and their sum is what the room sees."""
    assert tuple(items) == SEATS
    sums = totals(items)
    view = public_view(state)
    assert [(seat.classic, seat.max) for seat in view.seats] == [sums[seat] for seat in SEATS]
    culprits = {event.seat for event in stopped}
    for seat, earned in items.items():
        rows = Counter(item.row for item in earned)
        assert rows[Row.OPPONENT_VICTORY] == (seat in culprits)
        if seat in culprits:
            assert len(earned) == 1
            continue
        assert rows[Row.WIN] + rows[Row.LOSS] + rows[Row.DRAW] == 1
        assert rows[Row.WIN] == (state.roles[seat - 1].team.value == state.decided.value)
        assert rows[Row.DISQUALIFICATION] <= 1
        assert not (rows[Row.DISQUALIFICATION] and rows[Row.TECHNICAL_FOUL])
        assert rows[Row.TECHNICAL_FOUL] <= 1
        for item in earned:
            assert item.target != seat
            assert not item.automatic or max(item.classic, item.max) <= 0

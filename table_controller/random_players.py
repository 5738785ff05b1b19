"""Ten players who play at random, each by what its seat knows: for simulations and tests.

They play on the engine itself, with no table between. Nobody breaks the rules
of fair play; the dice are loaded a little, so that a game is like one of people.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from table_controller.game import SEATS, CountdownKind, GameState, Phase, Role, actions
from table_controller.game.model import NightRound, Team
from table_controller.game.opening import DECK

AGREED: Final = 0.9
"""How often the mafia shoot as one."""

INSIGHT: Final = 0.55
"""How often a citizen who picks somebody sees through a mafioso."""

HERD: Final = 0.4
"""How often a vote follows the day's favourite."""

NO_VOTE: Final = 0.03
NOMINATES: Final = 0.4
"""How often a speaker who knows nothing names somebody."""

SHOUTS: Final = 0.08
"""How often somebody shouts during a speech."""

WHOLE_SPEECH: Final = 0.6
"""How often a speaker uses all the time."""

LIFTS: Final = 0.5
"""How often a citizen is for a lift."""


_CALL, _BALLOT = CountdownKind.CALL, CountdownKind.BALLOT


class Moves(msgspec.Struct):
    """What is done next."""

    actions: list[actions.Action]
    """In order; all are legal."""
    took_s: float
    """Time at the table until the last of them."""


class Players:
    """The players of one game. The same *seed* plays the same game."""

    def __init__(self, seed: str) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - dice, no secret
        self._presses: dict[int, list[int]] = {}
        """Who presses at which number in the present night round."""
        self._round = 0
        """Serial of that round."""
        self._votes: dict[int, list[int]] = {}
        """Who votes against whom in the present ballot."""
        self._ballot = -1
        """How many ballots were closed before it."""
        self._mafia: frozenset[int] = frozenset()
        """All who were dealt a card of the mafia, living or not."""

    def moves(self, state: GameState) -> Moves:
        """Return what is done next in *state*, which is neither over nor paused."""
        if state.roles and not self._mafia:
            cards = zip(SEATS, state.roles, strict=True)
            self._mafia = frozenset(seat for seat, role in cards if role.team is Team.MAFIA)
        return _MOVES.get(state.phase, Players._wait)(self, state)

    def _odds(self, part: float) -> bool:
        return self._chance.random() < part

    def _pick(self, seats: Sequence[int]) -> int:
        # As random.choice does it, in half the time.
        return seats[int(self._chance.random() * len(seats))]

    def _wait(self, state: GameState) -> Moves:
        clock = state.clock or state.accusation_clock
        assert clock is not None
        return Moves([actions.Expire(clock.id)], clock.length_s)

    def _sit_down(self, state: GameState) -> Moves:
        return Moves([actions.Ready(seat) for seat in SEATS], 0)

    def _deal(self, state: GameState) -> Moves:
        return Moves([actions.Deal(tuple(self._chance.sample(DECK, len(DECK))))], 0)

    # ---- the night ----

    def _called(self, state: GameState) -> Moves:
        call, clock = state.call, state.clock
        assert call is not None
        assert clock is not None
        if clock.kind is not _CALL:
            return self._wait(state)
        if self._round != state.last_call:
            self._round = state.last_call
            self._presses = self._plan_round(state, call.round)
        number = call.numbers[call.called - 1]
        moves: list[actions.Action] = [actions.Expire(clock.id)]
        for seat in self._presses.get(number, ()):
            moves.append(actions.PressAtNight(seat, number))
        # The window's clock is the next one after that of the call.
        moves.append(actions.Expire(clock.id + 1))
        return Moves(moves, state.ruleset.call_s)

    def _plan_round(self, state: GameState, round_: NightRound) -> dict[int, list[int]]:
        """Return who presses at which number: everybody at one, most of it cover."""
        living = state.living
        cover = self._chance.choices(living, k=len(living))
        numbers = dict(zip(living, cover, strict=True))
        if round_ is NightRound.SHOTS:
            if self._odds(AGREED):
                town = [seat for seat in living if seat not in self._mafia]
                numbers |= dict.fromkeys(self._mafia.intersection(living), self._pick(town))
        else:
            role = Role.DON if round_ is NightRound.DON else Role.SHERIFF
            checker = state.living_with(role)
            if checker is not None:
                numbers[checker] = self._whom_to_check(state, checker)
        presses = defaultdict(list)
        for seat, number in numbers.items():
            presses[number].append(seat)
        return presses

    def _whom_to_check(self, state: GameState, checker: int) -> int:
        checked = {
            check.target
            for night in state.nights
            for check in night.checks
            if check.seat == checker
        }
        mates = self._mafia if checker in self._mafia else {checker}
        unknown = [seat for seat in state.living if seat not in checked and seat not in mates]
        return self._pick(unknown or state.living)

    # ---- the day ----

    def _speak(self, state: GameState) -> Moves:
        moves: list[actions.Action] = []
        seat, clock = state.floor, state.clock
        assert clock is not None
        took_s = 0.0
        if self._odds(SHOUTS):
            others = [other for other in state.living if other != seat]
            shout = state.last_countdown + 1
            moves += [actions.Shout(self._pick(others)), actions.Expire(shout)]
            took_s += state.ruleset.shout_s
        nominee = self._whom_to_nominate(state, seat)
        if nominee is not None:
            moves.append(actions.Nominate(seat, nominee))
        if self._odds(WHOLE_SPEECH):
            moves.append(actions.Expire(clock.id))
            took_s += clock.length_s
        else:
            moves.append(actions.EndFloor(seat))
            took_s += clock.length_s * self._chance.uniform(0.2, 1)
        return Moves(moves, took_s)

    def _whom_to_nominate(self, state: GameState, seat: int) -> int | None:
        listed = state.nominees
        free = [other for other in state.living if other not in listed]
        known = [other for other in self._found(state, seat) if other in free]
        if known:
            return known[0]
        if not self._odds(NOMINATES):
            return None
        mafia = [other for other in free if other in self._mafia]
        if seat in self._mafia:
            free = [other for other in free if other not in self._mafia]
        elif mafia and self._odds(INSIGHT):
            free = mafia
        return self._pick(free) if free else None

    def _found(self, state: GameState, seat: int) -> list[int]:
        """Return the mafia that *seat* knows of: the sheriff those it has found."""
        if state.roles[seat - 1] is not Role.SHERIFF:
            return []
        return [
            check.target
            for night in state.nights
            for check in night.checks
            if check.seat == seat and check.positive
        ]

    def _tie_speech(self, state: GameState) -> Moves:
        moves = self._wait(state)
        moves.actions[:] = [actions.EndFloor(state.floor)]
        return moves

    def _vote(self, state: GameState) -> Moves:
        moves, ballot, clock = self._wait(state), state.ballot, state.clock
        assert ballot is not None
        assert clock is not None
        if clock.kind is _BALLOT:
            if self._ballot != len(state.ballots):
                self._ballot = len(state.ballots)
                self._votes = self._plan_ballot(state, ballot.candidates)
            candidate = ballot.candidates[ballot.called - 1]
            voters = self._votes.get(candidate, ())
            moves.actions[:0] = [actions.Vote(seat, candidate) for seat in voters]
        return moves

    def _plan_ballot(self, state: GameState, candidates: tuple[int, ...]) -> dict[int, list[int]]:
        favourite = self._pick(candidates)
        presses = defaultdict(list)
        for seat in state.living:
            if not self._odds(NO_VOTE):
                presses[self._against(state, seat, candidates, favourite)].append(seat)
        return presses

    def _against(
        self, state: GameState, seat: int, candidates: tuple[int, ...], favourite: int
    ) -> int:
        if seat in self._mafia:
            town = [other for other in candidates if other not in self._mafia]
            return favourite if favourite in town else self._pick(town or candidates)
        known = [other for other in self._found(state, seat) if other in candidates]
        if known:
            return known[0]
        mafia = [other for other in candidates if other in self._mafia]
        if mafia and self._odds(INSIGHT):
            return self._pick(mafia)
        return favourite if self._odds(HERD) else self._pick(candidates)

    def _lift(self, state: GameState) -> Moves:
        moves, ballot = self._wait(state), state.ballot
        assert ballot is not None
        mafia = sum(seat in self._mafia for seat in ballot.candidates)
        worth = 2 * mafia <= len(ballot.candidates)
        yes = [
            seat for seat in state.living if (worth if seat in self._mafia else self._odds(LIFTS))
        ]
        moves.actions[:0] = map(actions.VoteLift, yes)
        return moves

    def _close(self, state: GameState) -> Moves:
        return Moves([actions.CloseBallot()], 0)

    def _farewell(self, state: GameState) -> Moves:
        seat, clock = state.floor, state.clock
        assert clock is not None
        others = [other for other in SEATS if other != seat]
        suspects = self._chance.sample(others, state.ruleset.best_move_max)
        crown = self._pick(state.living) if self._odds(0.5) else None
        picks: list[actions.Action] = [
            actions.GiveBestMove(seat, tuple(suspects)),
            actions.GiveCrown(seat, crown),
        ]
        took_s = clock.length_s * self._chance.uniform(0.3, 1)
        return Moves([*picks, actions.EndFloor(seat)], took_s)


_MOVES: Final[dict[Phase, Callable[[Players, GameState], Moves]]] = {
    Phase.SEATING: Players._sit_down,
    Phase.DEALING: Players._deal,
    Phase.CALLING: Players._called,
    Phase.SPEECH: Players._speak,
    Phase.BALLOT: Players._vote,
    Phase.TIE_SPEECH: Players._tie_speech,
    Phase.LIFT: Players._lift,
    Phase.ROLL_CALL: Players._close,
    Phase.FAREWELL: Players._farewell,
}
"""What is done in each phase; in all others the clock runs out."""

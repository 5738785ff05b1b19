"""Two games that differ in who two of the seats are: nobody who may not know can tell.

The twin has the roles of the two seats exchanged, and in every night each seat does
what its role in that game does. While both live that is an exchange of what the two
do; when one is out, the mafia of each game still shoot whom the mafia of the other do.
"""

import random

import pytest

from firmware.wire import CUE_SIZE, encode
from firmware.words import catalogue
from table_controller import cues
from table_controller.game import actions as do
from table_controller.game import apply, countdowns
from table_controller.game import events as ev
from table_controller.game.model import (
    SEATS,
    CountdownKind,
    IllegalAction,
    NightRound,
    Phase,
    Role,
    Team,
)
from table_controller.game.opening import DECK
from table_controller.game.rules import new_game
from table_controller.game.views import public_view, seat_view

PAIRS = [
    (Role.CITIZEN, Role.CITIZEN),
    (Role.CITIZEN, Role.SHERIFF),
    (Role.CITIZEN, Role.MAFIA),
    (Role.CITIZEN, Role.DON),
    (Role.SHERIFF, Role.MAFIA),
    (Role.SHERIFF, Role.DON),
    (Role.MAFIA, Role.MAFIA),
    (Role.MAFIA, Role.DON),
]
"""Who is exchanged; where they sit is drawn."""
WORDS = catalogue("en")
NAMES = tuple(f"Player {seat}" for seat in SEATS)


class Twins:
    """A game and its twin, played side by side."""

    def __init__(self, evening, seed, pair):
        self.chance = random.Random(seed)
        self.evening = evening(seed, wild=(0.0, 0.1, 0.4)[seed % 3])
        self.roles = tuple(self.chance.sample(DECK, len(DECK)))
        first = self.seat_of(pair[0])
        self.pair = (first, self.seat_of(pair[1], but=first))
        other = dict(zip(self.pair, reversed(self.pair), strict=True))
        self.twin_roles = tuple(self.roles[other.get(seat, seat) - 1] for seat in SEATS)
        self.twin = new_game(self.evening.state.ruleset)
        self.plan = {}
        self.learned = {}
        self.cues = [(), ()]
        self.compared = 0

    def seat_of(self, role, but=0):
        seats = [seat for seat in SEATS if self.roles[seat - 1] is role and seat != but]
        return self.chance.choice(seats)

    @property
    def over(self):
        return Phase.OVER in (self.evening.state.phase, self.twin.phase)

    def play(self):
        while not self.over:
            self.step()

    def step(self):
        state = self.evening.state
        if state.phase is Phase.DEALING:
            self.both(do.Deal(self.roles), do.Deal(self.twin_roles))
        elif state.call is not None and not state.paused:
            self.night(state)
        else:
            for _, action, after, told in self.evening.on():
                twin, twin_told = apply(self.twin, action)
                self.compare(after, twin, told, twin_told)
                if self.over:
                    return
            self.refuse_too()

    def both(self, action, twin_action):
        if self.evening.take(action):
            self.refuse_too()
            return
        *_, state, told = self.evening.steps[-1]
        twin, twin_told = apply(self.twin, twin_action)
        self.compare(state, twin, told, twin_told)

    def refuse_too(self):
        """What one game refuses, its twin refuses for the same reason."""
        if self.evening.refused is not None:
            action, refusal = self.evening.refused
            with pytest.raises(IllegalAction) as refused:
                apply(self.twin, action)
            assert refused.value.refusal is refusal
            self.evening.refused = None

    # ---- the night ----

    def night(self, state):
        """Press in the open window as the plan of this round has it, then let it pass."""
        call = state.call
        if self.plan.get("serial") != state.last_call:
            self.make_plan(state)
        if state.clock.kind is CountdownKind.WINDOW:
            number = call.numbers[call.called - 1]
            for game in ("evening", "twin"):
                self.press(game, call.round, number)
        action = self.evening.incident()
        if action is None or isinstance(action, do.PressAtNight):
            action = do.Expire(state.clock.id)
        self.both(action, action)

    def make_plan(self, state):
        hit = self.chance.random() < 0.8
        self.plan = {
            "serial": state.last_call,
            "target": self.chance.choice(state.living) if hit else 0,
            "check": self.chance.choice(state.living),
            "cover": {seat: self.chance.choice(state.living) for seat in state.living},
        }

    def press(self, game, round_, number):
        state = self.twin if game == "twin" else self.evening.state
        for seat in state.living:
            if self.planned(state, seat, round_) == number:
                action = do.PressAtNight(seat, number)
                if game == "twin":
                    self.twin, _ = apply(self.twin, action)
                else:
                    self.evening.take(action)

    def planned(self, state, seat, round_):
        """Return the number at which *seat* presses in this round; 0: at none."""
        role = state.roles[seat - 1]
        if round_ is NightRound.SHOTS and role.team is Team.MAFIA:
            # A miss: nobody shoots.
            return self.plan["target"]
        if role is {NightRound.DON: Role.DON, NightRound.SHERIFF: Role.SHERIFF}.get(round_):
            return self.plan["check"]
        return self.plan["cover"][seat]

    # ---- what can be seen ----

    def compare(self, state, twin, told, twin_told):
        self.twin = twin
        if self.over:
            return
        self.compared += 1
        public = public_view(state)
        assert public_view(twin) == public
        assert public_events(twin_told) == public_events(told)
        assert countdowns(twin) == countdowns(state)
        for seat in SEATS:
            if not self.knows(state, seat) and not self.knows(twin, seat):
                assert seat_view(twin, seat) == seat_view(state, seat)
        self.compare_cues(state, twin, public)

    def knows(self, state, seat):
        """Return whether the rules have told *seat* what one of the two is."""
        if seat in self.pair:
            return True
        if not state.roles:
            return False
        team = state.roles[seat - 1].team
        mates = {other for other in SEATS if state.roles[other - 1].team is team is Team.MAFIA}
        checked = {
            check.target for night in state.nights for check in night.checks if check.seat == seat
        }
        return bool(set(self.pair) & (mates | checked))

    def compare_cues(self, state, twin, public):
        """The same seats get a new cue, and all cues have one size."""
        setting = cues.Setting(WORDS, NAMES, left_s=12.5)
        sent = []
        for number, game in enumerate((state, twin)):
            made = [cues.cue(seat_view(game, seat), public, setting) for seat in SEATS]
            assert {len(encode(each, CUE_SIZE)) for each in made} == {CUE_SIZE}
            news = [new != old for new, old in zip(made, self.cues[number] or made, strict=True)]
            sent.append(news)
            self.cues[number] = made
        assert sent[0] == sent[1]


def public_events(told):
    return [event for event in told if isinstance(event, ev.PUBLIC)]


def twins(evening, seeds, pair):
    out = 0
    for seed in seeds:
        both = Twins(evening, seed, pair)
        try:
            both.play()
        except (AssertionError, IllegalAction) as error:
            error.add_note(f"game {seed}, seats {both.pair}")
            raise
        assert both.compared > 10
        out += not set(both.pair) <= set(both.evening.state.living)
    return out


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: " and ".join(pair))
def test_two_seats_exchanged_show_nowhere(evening, pair):
    assert twins(evening, range(9), pair)


@pytest.mark.proof
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: " and ".join(pair))
def test_two_seats_exchanged_show_nowhere_in_many_games(evening, pair):
    assert twins(evening, range(100, 150), pair)

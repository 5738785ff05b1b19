"""SIGKILL for real programs at places all over a whole game.

One golden game is played in peace, then with a table, then with seats that are killed,
then with both while the broker is away. After each kill the game stands where the
peaceful one stood: state, views, clocks, lights and screens.
"""

import pytest

from firmware.wire import Button
from table_controller.game import SEATS, CountdownKind, Phase, actions

CLOCK_S = 1.0
"""A clock is right to this after a restart."""

RAN_S = 2.0
"""A clock that has run for so long shows whether a restart forgot that."""

BACK_S = 3.0
"""A seat is back so soon after its start."""

RETURN_S = 5.0
"""All seats are back so soon after the broker."""

PATIENCE_S = 20.0
"""With what must happen; only a failing test waits that long."""

BEGUN_AGAIN = (CountdownKind.BALLOT, CountdownKind.LIFT)
"""Their call is called again from its start. Source: RULES 1.17."""

DARK = (Phase.NIGHTFALL, Phase.MEETING, Phase.REST)
"""Their clocks are shown to nobody, and go on after a restart all the same."""

LONG = (Phase.SPEECH, Phase.BALLOT, Phase.FAREWELL, Phase.CALLING)
"""Phases in which the game stands at many places."""

pytestmark = pytest.mark.proof


class Kills:
    """Kills *victims* one after the other wherever *due* says so.

    *due* gets the number of the place in the game's course, its state and the moment's word.
    """

    def __init__(self, due, plain, *victims):
        self.due, self.plain, self.victims = due, plain, victims
        self.done = []
        """(victim, phase) of each kill."""
        self._struck = set()

    def strike(self, players, when):
        n, state = len(players.course) - 1, players.state()
        if (n, when) in self._struck or not self.due(n, state, when):
            return
        # Places of a round that is called again come again; a "voted" comes once a call.
        if when != "voted":
            self._struck.add((n, when))
        for victim in self.victims:
            self.kill(players, players.state(), when, victim)

    def kill(self, players, state, when, victim):
        """Kill *victim*; see that the game stands where it stood."""
        self.done.append((victim, state.phase))
        broker_away = "broker" in victim
        if "table" in victim:
            self.kill_table(players, state, broker_away)
        else:
            seat = players.presser if when == "voted" else SEATS[len(self.done) % len(SEATS)]
            self.kill_seat(players, state, seat, broker_away)
        after = self.plain(players.settled())
        if when == "voted":
            # The vote was on its way; it may have been heard, once.
            return
        assert after == self.place_after(players, state, "table" in victim)
        assert players.room() == players.room_in_peace(after)

    def place_after(self, players, state, table):
        """Return where the game should be; a restart of the table begins a night's round again."""
        if not table or state.call is None:
            return self.plain(state)
        return next(
            place
            for place, _ in players.peace
            if place.call and (place.night, place.call.round) == (state.night, state.call.round)
        )

    def start(self, players, program, *, broker_away):
        """Start *program*; with *broker_away* it and the broker, now one, now the other first."""
        if not broker_away:
            program.start()
            return
        broker, stage = players.house.broker, players.house.stage
        broker.kill()
        stage.until(
            lambda: not any(p.linked and p.shown.linked for p in stage.panels.values()),
            PATIENCE_S,
            "the seats to miss the broker",
        )
        for each in (broker, program) if len(self.done) % 4 < 2 else (program, broker):
            each.start()

    # ---- the table ----

    def kill_table(self, players, state, broker_away):
        house, director, clock = players.house, players.director, players.clock
        if len(self.done) % 6 == 0 or state.phase in DARK:
            self.let_run(players, state)
        seen_s, before = players.clocks()
        house.table.kill()
        ran_s = clock.now_s() - seen_s
        noted_s, noted_ns = players.noted(state.clock.id) if state.phase in DARK else (None, 0)
        director.stage.until(lambda: not director.stage.table_linked, PATIENCE_S, "the end")
        self.start(players, house.table, broker_away=broker_away)
        # Nobody reads its journal before it has done so itself.
        players.board()
        if state.phase is Phase.OVER:
            return
        director.until(lambda: players.state().paused, "the pause", PATIENCE_S)
        assert players.settled().paused
        resumed_s = self.go_on(players)
        players.settled()
        now_s, after = players.clocks()
        assert after.keys() == before.keys()
        for kind, left_s in after.items():
            was_s = state.clock.length_s if kind in BEGUN_AGAIN else before[kind] - ran_s
            wanted_s = max(0.0, was_s - (now_s - resumed_s))
            assert abs(wanted_s - left_s) <= CLOCK_S, (state.phase, kind, wanted_s, left_s)
        screens_have_the_time(players)
        if noted_s is not None:
            director.until(lambda: players.noted(state.clock.id)[1] != noted_ns, "a new note")
            assert abs(players.noted(state.clock.id)[0] - noted_s) <= CLOCK_S

    def let_run(self, players, state):
        """Wait until the game's clock has run for a while, if it is long enough."""
        if state.clock is None or state.clock.length_s < 2 * RAN_S:
            return

        def has_run():
            left_s, _ = players.noted(state.clock.id)
            return left_s is not None and left_s <= state.clock.length_s - RAN_S

        players.director.until(has_run, f"the clock of {state.phase} to run")

    def go_on(self, players):
        """Let the game go on, by the host or now and then by all; return when it did."""
        director, panels = players.director, players.director.panels
        if len(self.done) % 4:
            director.stage.order(actions.Resume())
            return players.clock.now_s()
        living = players.state().living
        for seat in living:
            panels[seat].push(Button.VOTE)
        director.until(
            lambda: all(panels[seat].scene != "paused" for seat in living), "the game to go on"
        )
        resumed_s = players.clock.now_s()
        for seat in living:
            panels[seat].release(Button.VOTE)
        director.until(
            lambda: not any(panels[seat].busy(Button.VOTE) for seat in living), "the fingers"
        )
        return resumed_s

    # ---- a seat ----

    def kill_seat(self, players, state, seat, broker_away):
        house, director, clock = players.house, players.director, players.clock
        panel, program = director.panels[seat], house.seats[seat]
        seen_s, before = players.clocks()
        scene = players.wanted(state, seat).scene
        program.kill()
        director.stage.until(lambda: not panel.linked, PATIENCE_S, f"the end of {seat}")
        panel.shown = None
        began_s = clock.now_s()
        self.start(players, program, broker_away=broker_away)
        director.stage.until(
            lambda: panel.scene in (scene, "paused"), PATIENCE_S, f"{scene} at seat {seat} again"
        )
        if not broker_away:
            assert clock.now_s() - began_s < BACK_S, state.phase
        paused = players.settled().paused
        if broker_away:
            assert clock.now_s() - began_s < BACK_S + RETURN_S, state.phase
        if paused:
            # The link was away for long.
            assert broker_away
            self.go_on(players)
            return
        now_s, after = players.clocks()
        for kind, left_s in before.items():
            # A floor of its own stands while it is away.
            least_s = max(0.0, left_s - (now_s - seen_s)) - CLOCK_S
            assert least_s <= after[kind] <= left_s + CLOCK_S, (state.phase, kind)
        screens_have_the_time(players)


def screens_have_the_time(players):
    """See that every clock on a screen is the board's, rounded up."""
    _, clocks = players.clocks()
    shown = {panel.shown.left_s for panel in players.director.panels.values()} - {None}
    for left_s in clocks.values():
        assert all(-CLOCK_S <= each - left_s <= 1.0 + CLOCK_S for each in shown), (clocks, shown)


def play(new_players, peaceful, kills):
    """Play a game with *kills*; it must go the way of the peaceful one, to its end."""
    with new_players(peaceful, kills.strike) as players:
        players.play()
    assert [place for place, _ in players.course] == [place for place, _ in peaceful]
    for victim in kills.victims:
        phases = {phase for whom, phase in kills.done if whom == victim}
        assert phases == {place.phase for place, _ in peaceful}


def by_day(n, state, when, every):
    """All places of a short phase, and *every* second or so of a long one."""
    return when == "come" and (n % every == 0 or state.phase not in LONG)


def test_a_table_killed_all_over_a_game_goes_on_each_time(new_players, peaceful, plain):
    def due(n, state, when):
        if state.phase is Phase.CALLING:
            return n % 9 == 0 and when == ("pressed" if n % 2 else "come")
        return when == "voted" or by_day(n, state, when, 2)

    kills = Kills(due, plain, "table")
    play(new_players, peaceful, kills)
    assert len(kills.done) >= 40


def test_a_seat_killed_all_over_a_game_is_back_each_time(new_players, peaceful, plain):
    def due(n, state, when):
        if state.phase is Phase.CALLING:
            # A press of this very number would be gone with the program that keeps it.
            return n % 7 == 0 and when == "come"
        return when == "voted" or by_day(n, state, when, 2)

    kills = Kills(due, plain, "seat")
    play(new_players, peaceful, kills)
    assert len(kills.done) >= 40


def test_both_killed_all_over_a_game_while_the_broker_is_away(new_players, peaceful, plain):
    def due(n, state, when):
        if state.phase is Phase.CALLING:
            return n % 18 == 0 and when == "come"
        return by_day(n, state, when, 5)

    # The table last: it begins a round of the night again.
    kills = Kills(due, plain, "seat without broker", "table without broker")
    play(new_players, peaceful, kills)
    assert len(kills.done) >= 60

"""The game that is watched: played by pressing pins, the same in public whoever has which card.

In the twin two seats have each other's roles, and press by night what the other one
pressed. They sit at seats of which nothing public depends: both stay to the end, or both
are of one team.
"""

import contextlib
import sys
from pathlib import Path

from firmware import card as cards
from table_controller.game import SEATS, Role, actions
from table_controller.rehearsal.house import House, Settings
from tests.e2e.watchers.host import HostWatcher
from tests.e2e.watchers.lan import LanWatcher
from tests.e2e.watchers.leaking_table import ASKED_AGAIN
from tests.e2e.watchers.node import NodeWatcher
from tests.e2e.watchers.relay import RelayWatcher

ROOT = Path(__file__).parents[3]
START = "import sys; sys.path.insert(0, {root!r}); from {module} import main; main()"

DON, SHERIFF, MAFIA = 2, 3, (5, 8)
ROLES = dict.fromkeys(SEATS, Role.CITIZEN) | dict.fromkeys(MAFIA, Role.MAFIA)
ROLES |= {DON: Role.DON, SHERIFF: Role.SHERIFF}

EXCHANGED = ((SHERIFF, 4), (DON, 6), (5, 7))
"""Sheriff, don and a mafioso, each with a citizen. Seat 3 leaves in the middle of the game."""

NOMINATIONS = {1: {1: 3, 2: 4}, 2: {2: 3, 4: 10}, 3: {2: 10, 5: 4}}
"""By day: whom a speaker nominates."""

BALLOTS = {
    # A tie, a revote that ties again, a lift that fails.
    1: ({3: (1, 2, 5, 7, 9), 4: (3, 4, 6, 8, 10)}, {3: (1, 2, 5, 7, 9), 4: (3, 4, 6, 8, 10)}),
    2: ({3: (2, 4, 5, 7, 8), 10: (3, 6, 9)},),
    # Three of the town are left with three of the mafia, whoever was exchanged.
    3: ({10: (2, 4, 5, 7), 4: (6,)},),
}
"""By day: its ballots, and in each who votes for whom; who is not there votes for the last."""

LIFT = (1, 2, 6)
SHOUT = {2: (5, 9)}
"""By day: during whose speech who shouts."""

SHOTS, DONS, SHERIFFS = {1: 1, 2: 9}, {1: 3, 2: 4}, {1: 10, 2: 8}
"""By night: at which number the mafia, the don and the sheriff press in their own rounds."""

PAUSED_AT = (2, "don", 5)
"""Night, round and number at which the host pauses the game: the round is called again."""

PICKS = {1: ((2, 4, 6), 4), 3: ((5,), 10), 9: ((2, 7, 8), 2), 10: ((4, 6, 7), 0)}
"""Best move and crown of those who leave; 0: none, so that time to pick is left."""

SAID_AGAIN_S = 0.95
"""A press whose answer takes as long is said again by its seat: the machine stood still. Such a
game, or one in which the table has asked again, is played again."""


class WatchedHouse(House):
    """A house whose seats speak through relays, and whose table may leak."""

    def __init__(self, settings, *, exchanged, leaks):
        super().__init__(settings)
        self.relay = RelayWatcher()
        pairs = ",".join(f"{one}:{other}" for one, other in exchanged)
        self._special = [pairs, ",".join(leaks)]

    def table_program(self, name, *arguments):
        child = super().table_program(name, *arguments)
        start = START.format(root=str(ROOT), module="tests.e2e.watchers.leaking_table")
        words = child._command[3:]
        child._command = [sys.executable, "-c", start, str(self.folder), *self._special, *words]
        return child

    def seat_program(self, name, seat):
        child = super().seat_program(name, seat)
        path = self.folder / f"{name}.toml"
        card = cards.read_seat_card(path)
        port = self.relay.port(card.user, card.table, self.broker.tls_port)
        link = cards.link_card(self.broker.settings(card.user))
        link = type(link)(link.host, port, password=link.password, ca=link.ca)
        cards.save(path, type(card)(table=card.table, user=card.user, link=link, parts=card.parts))
        return child


class Course:
    """Plays the game; *look* is called after each step."""

    def __init__(self, director, exchanged, look):
        self.director, self.look = director, look
        self.of = {one: other for pair in exchanged for one, other in (pair, pair[::-1])}
        self.day = self.night = self.ballot = self.number = 0
        self.round, self.waiting = "", {}
        self.paused = self.last = self.disturbed = False

    def see(self, panel):
        """Notice a press that waited for its answer so long that it was said again."""
        now_s = self.director.stage.clock.now_s()
        since_s = self.waiting.setdefault(panel.seat, now_s)
        if not panel.shown.waiting:
            del self.waiting[panel.seat]
        self.disturbed |= now_s - since_s > SAID_AGAIN_S

    def begin(self):
        """Start the game, one after the other, so that each game has the same steps."""
        self.director.all_hold(*SEATS, until="seating")
        for seat in SEATS:
            self.sit(seat)
        self.director.scenes("card")
        self.look()
        # A hold in the lobby waits for the others by right.
        self.director.stage.on_shown.append(self.see)

    def sit(self, seat):
        """Let the player of *seat* say that it is ready, and wait until it is."""
        panel = self.director.panels[seat]
        self.director.vote(seat)
        self.director.until(
            lambda: panel.scene != "seating" or "Waiting for the others" in panel.shown.lines,
            f"{seat} to be ready",
        )

    def end(self):
        """Play the last step, and return what the board then tells of everybody."""
        self.director.stage.step()
        return self.director.until_state(lambda game: game["phase"] == "over", "the end")

    def play(self, until):
        """Play until (phrase, number) is heard, or the next step would end the last farewell."""
        director = self.director
        while True:
            news = director.news()
            for said in news:
                if (said.phrase, said.number) == until:
                    return
                self.hear(said.phrase, said.number)
            if news:
                continue
            if self.last:
                return
            if self.step() == "call":
                self.press_at_night()

    def step(self):
        kind = self.director.stage.step()
        self.look()
        return kind

    def hear(self, phrase, number):
        director = self.director
        match phrase:
            case "night":
                self.night = number
            case "round_shots" | "round_don" | "round_sheriff":
                self.round = phrase.removeprefix("round_")
            case "number":
                self.number = number
            case "morning":
                self.day, self.ballot = number, 0
            case "speech" if self.ballot == 0:
                self.speak(number)
            case "list" | "tied":
                self.ballot += 1
            case "candidate":
                director.called(number)
                for seat in BALLOTS[self.day][self.ballot - 1].get(number, ()):
                    director.cast(seat)
            case "lift":
                director.scenes("lift")
                for seat in LIFT:
                    director.cast(seat)
            case "farewell":
                self.say_farewell(number)
            case "farewell_picks":
                # It is decided; with the end of this farewell everybody will know.
                self.last = self.day == max(BALLOTS)

    def speak(self, seat):
        self.director.scenes("floor", seats={seat})
        if nominee := NOMINATIONS[self.day].get(seat):
            self.director.nominate(seat, nominee)
        during, who = SHOUT.get(self.day, (0, 0))
        if during == seat:
            self.director.shout(who)

    def say_farewell(self, seat):
        director, panel = self.director, self.director.panels[seat]
        director.scenes("farewell", seats={seat})
        suspects, crown = PICKS[seat]
        director.choose(seat, *suspects, 0)
        director.until(lambda: "VOTE: crown" in panel.shown.lines, f"the best move of {seat}")
        if crown:
            director.choose(seat, crown)
            director.until(
                lambda: not panel.shown.rows and "VOTE: crown" not in panel.shown.lines,
                f"the crown of {seat}",
            )

    def press_at_night(self):
        """Press in the window of the number that was called last: everybody once in each round."""
        pressing = [seat for seat in self.director.living if self.plan(seat) == self.number]
        if pressing:
            self.director.vote(*pressing)
        if not self.paused and (self.night, self.round, self.number) == PAUSED_AT:
            self.paused = True
            self.director.stage.order(actions.Pause())
            self.look()
            self.director.stage.order(actions.Resume())
            self.look()

    def plan(self, seat):
        """Return the number at which *seat* presses in this round."""
        owner = self.of.get(seat, seat)
        role = ROLES[owner]
        match self.round:
            case "shots" if role in (Role.MAFIA, Role.DON):
                return SHOTS[self.night]
            case "don" if role is Role.DON:
                return DONS[self.night]
            case "sheriff" if role is Role.SHERIFF:
                return SHERIFFS[self.night]
        living = sorted(self.director.living)
        return living[(owner + self.night) % len(living)]


class Watched:
    """A game with all watchers: what each of them has recorded, {channel: list}.

    It ends when *until* (phrase, number) is heard, or as a whole game.
    """

    def __init__(self, director_class, seed, *, exchanged=(), leaks=(), until=None):
        settings = Settings(step=True, seed=seed)
        house = WatchedHouse(settings, exchanged=exchanged, leaks=leaks)
        with house, contextlib.ExitStack() as stack:
            stack.callback(house.relay.close)
            director = director_class(house)
            house.wait_ready()
            watchers = []
            for kind in (NodeWatcher, LanWatcher, HostWatcher):
                watchers.append(kind(house))
                stack.callback(watchers[-1].close)
            course = Course(director, exchanged, lambda: [each.look() for each in watchers])
            course.begin()
            house.relay.begin()
            course.play(until)
            self.disturbed = course.disturbed or (house.folder / ASKED_AGAIN).exists()
            """The machine stood still for so long that something was said or asked twice."""
            self.node, self.lan, self.host = (each.recording() for each in watchers)
            self.relay, self.moments = house.relay.recording(), house.relay.moments()
            self.room = {"voice": [(said.phrase, said.number) for said in house.stage.heard]}
            self.end = None if until else course.end()

"""The real table killed amid the order of a new game: the old evening or the new game, never half.

Source: RULES 1.17.
"""

import contextlib
import http.client
import sys
from pathlib import Path

import pytest

from table_controller.game import SEATS
from table_controller.rehearsal.house import House, Settings
from tests.e2e.new_game.dying_table import MOMENTS
from tests.e2e.test_console_orders import PIN, TEN, Console

pytestmark = pytest.mark.proof

ROOT = Path(__file__).parents[3]
START = "import sys; sys.path.insert(0, {root!r}); from {module} import main; main()"
OTHERS = [f"Guest {n}" for n in SEATS]
END_S = 30.0
NOT_BEGUN = ("before the journal", "before it is the current one")


class MortalHouse(House):
    """A house whose table dies at a *moment* of a new game, once :meth:`arm` was called."""

    def __init__(self, moment):
        super().__init__(Settings(step=True, seed=1, pin=PIN))
        self.moment = moment

    @property
    def armed(self):
        return self.folder / "armed"

    def table_program(self, name, *arguments):
        child = super().table_program(name, *arguments)
        start = START.format(root=str(ROOT), module="tests.e2e.new_game.dying_table")
        words = child._command[3:]
        child._command = [sys.executable, "-c", start, self.moment, str(self.armed), *words]
        return child

    def arm(self):
        self.armed.touch()

    def start_again(self):
        """Start the table again once it has died."""
        self.stage.until(lambda: self.table.code is not None, END_S, "the death of the table")
        self.armed.unlink(missing_ok=True)
        self.table.start()
        self.table.first_line(END_S)
        self.wait_ready()


@pytest.fixture
def house(find_broker, request):
    with MortalHouse(request.param) as house:
        house.wait_ready()
        yield house


@pytest.fixture
def find_broker(new_house):
    """Skip where there is no broker, as a house of any kind does."""


def order_and_lose(host, do, **fields):
    with contextlib.suppress(http.client.HTTPException, OSError):
        host.post(host.state()["step"], {"do": do, **fields})


def names_at(host):
    return [seat["name"] for seat in host.state()["seats"]]


@pytest.mark.parametrize("house", MOMENTS, indirect=True)
def test_after_a_kill_amid_a_new_game_there_is_the_old_evening_or_the_new_game(
    house, director_class
):
    director, host = director_class(house), Console(house.address)
    host.order("new_game", players=OTHERS, fixed=True, ruleset="default")
    director.scenes("seating")
    host.order("void")
    house.arm()
    order_and_lose(host, "new_game", players=TEN, fixed=True, ruleset="turbo")
    house.start_again()

    host = Console(house.address)
    begun = house.moment not in NOT_BEGUN
    sheet = host.state()
    assert (sheet["phase"], sheet["over"]) == (("seating", False) if begun else ("over", True))
    assert names_at(host) == (TEN if begun else OTHERS)
    games = list((house.folder / "data" / "journal").glob("*.db"))
    assert len(games) <= 2
    if begun:
        assert sheet["paused"]
        assert sheet["game"]["public"]["seats"][0]["living"]
        director.scenes("paused")
        # The next evening begins with those of the game that stands in the journal.
        host.order("void")
    lobby = host.state()["lobby"]
    assert [each["name"] for each in lobby["players"]] == (TEN if begun else OTHERS)
    assert lobby["ruleset"] == ("turbo" if begun else "default")
    host.order("rematch")
    director.scenes("seating")
    assert sorted(names_at(host)) == sorted(TEN if begun else OTHERS)


@pytest.mark.parametrize("house", ["before the journal"], indirect=True)
def test_a_table_killed_in_the_lobby_is_in_the_lobby_again(house, director_class):
    director, host = director_class(house), Console(house.address)
    before = host.state()["lobby"]
    house.table.kill()
    house.start_again()
    host = Console(house.address)
    sheet = host.state()
    assert (sheet["phase"], sheet["game"], sheet["lobby"]) == ("lobby", None, before)
    assert all(seat["online"] for seat in sheet["seats"])
    host.order("new_game", players=TEN, fixed=True, ruleset="default")
    director.scenes("seating")
    assert names_at(host) == TEN

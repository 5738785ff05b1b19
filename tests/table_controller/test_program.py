import queue
import threading
from types import SimpleNamespace

import msgspec
import pytest

from firmware import rehearsal
from firmware.card import ScoreboardCard
from firmware.errors import CardError
from firmware.rehearsal import TableReply
from firmware.rehearsal_socket import AskRefused, RehearsalClient
from firmware.words import catalogue
from table_controller import program
from table_controller.game import actions
from table_controller.host.orders import GoOn, Identify, Place, Practice, SkipReadiness, Swap
from table_controller.placing import PlaceStep
from table_controller.room import Room


@pytest.mark.parametrize("name", ["Anna\x01", "An\x1bna", "x" * 25])
def test_a_name_that_no_screen_can_show_is_refused_before_the_game(tmp_path, name):
    # Each of these letters takes six bytes in a cue, and a list shows ten names.
    players = tmp_path / "players.txt"
    players.write_text("\n".join([name, *"BCDEFGHIJ"]), encoding="utf-8")
    with pytest.raises(CardError, match="letters"):
        program._names(SimpleNamespace(players=()), players, catalogue("en"))


def test_the_host_orders_over_the_rehearsal_socket_and_hears_what_became_of_it(tmp_path):
    inbox, ordered = queue.SimpleQueue(), []

    def table():
        while order := inbox.get():
            ordered.append(order.action)
            order.reply("" if len(ordered) < 8 else "no")

    path = tmp_path / "table"
    loop = threading.Thread(target=table)
    loop.start()
    with Room(path, inbox.put), RehearsalClient(path, TableReply) as client:
        pause = rehearsal.Order(msgspec.Raw(b'{"do":"pause"}'))
        for request in (
            rehearsal.Swap(3, "node-11"),
            rehearsal.GoOn(),
            rehearsal.Identify(3),
            rehearsal.Place("skip"),
            rehearsal.Practice(),
            rehearsal.SkipReadiness(),
            pause,
        ):
            client.ask(request, rehearsal.Done)
        with pytest.raises(AskRefused, match="no"):
            client.ask(pause, rehearsal.Done)
        with pytest.raises(AskRefused, match="nonsense"):
            client.ask(rehearsal.Order(msgspec.Raw(b'{"do":"nonsense"}')), rehearsal.Done)
    inbox.put(None)
    loop.join()
    assert ordered == [
        Swap(3, "node-11"),
        GoOn(),
        Identify(3),
        Place(PlaceStep.SKIP),
        Practice(),
        SkipReadiness(),
        actions.Pause(),
        actions.Pause(),
    ]


@pytest.mark.parametrize(
    ("bind", "names", "address"),
    [
        ("0.0.0.0", (), "http://mafia.local:8080/"),
        ("0.0.0.0", ("table.club.lan", "t1"), "http://table.club.lan:8080/"),
        ("127.0.0.1", (), "http://mafia.local/"),
    ],
)
def test_the_tables_own_screen_tells_phones_a_name_that_they_can_reach(bind, names, address):
    scoreboard = ScoreboardCard(bind=bind, names=names)
    assert program._phones_address(SimpleNamespace(scoreboard=scoreboard)) == address

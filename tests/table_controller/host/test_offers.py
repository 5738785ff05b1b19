"""What the host is offered first, in each phase; names of orders are those that are taken."""

import msgspec
import pytest

from table_controller.game import NORMAL, Countdown, CountdownKind, actions, new_game
from table_controller.game.views import HostView, PublicPhase, host_view
from table_controller.host import orders
from table_controller.host.offers import next_orders, open_orders
from table_controller.host.orders import CONSOLE_ORDERS
from table_controller.readiness import Stage

LOBBY = host_view(new_game(NORMAL))


def view(phase, *clocks, paused=False, voided=False) -> HostView:
    public = msgspec.structs.replace(LOBBY.public, phase=phase, paused=paused, voided=voided)
    running = tuple(
        Countdown(12 + n, kind, 60.0, runs=True, seat=4) for n, kind in enumerate(clocks)
    )
    return HostView(public=public, countdowns=running)


SPEAKER = ["end_countdown", "extend_countdown", "pause"]

TABLE = [
    ("lobby", None, {}, ["rematch"]),
    ("check", view(PublicPhase.SEATING), {"stage": Stage.CHECK}, ["skip_readiness", "practice"]),
    ("practice", view(PublicPhase.SEATING), {"stage": Stage.PRACTICE}, ["skip_readiness"]),
    ("ready", view(PublicPhase.SEATING), {"stage": Stage.READY}, []),
    ("seating", view(PublicPhase.SEATING), {}, []),
    ("look", view(PublicPhase.LOOK), {}, ["pause"]),
    ("nightfall", view(PublicPhase.NIGHT), {}, ["pause"]),
    ("night round", view(PublicPhase.NIGHT), {"calls": True}, ["pause", "call_again"]),
    ("night, a seat is lost", view(PublicPhase.NIGHT, paused=True), {}, ["resume"]),
    ("morning", view(PublicPhase.MORNING, CountdownKind.MORNING), {}, ["pause"]),
    ("speech", view(PublicPhase.SPEECH, CountdownKind.SPEECH), {}, SPEAKER),
    ("silent slot", view(PublicPhase.SPEECH, CountdownKind.SILENT), {}, SPEAKER),
    ("last pick", view(PublicPhase.SPEECH, CountdownKind.PICK), {}, SPEAKER),
    (
        "shout",
        view(PublicPhase.SPEECH, CountdownKind.SPEECH, CountdownKind.SHOUT),
        {},
        ["end_countdown", "pause"],
    ),
    ("speech of a lost seat", view(PublicPhase.SPEECH), {"waits": True}, ["go_on", "pause"]),
    ("gap", view(PublicPhase.SPEECH, CountdownKind.ACCUSATION), {}, ["pause"]),
    ("reading", view(PublicPhase.READING, CountdownKind.READ), {}, ["pause"]),
    ("ballot", view(PublicPhase.BALLOT, CountdownKind.BALLOT), {}, ["pause"]),
    ("counting", view(PublicPhase.COUNTING, CountdownKind.ROLL_CALL), {}, ["pause"]),
    (
        "counting, a seat is lost",
        view(PublicPhase.COUNTING, CountdownKind.ROLL_CALL),
        {"waits": True},
        ["go_on", "pause"],
    ),
    ("tie speech", view(PublicPhase.TIE_SPEECH, CountdownKind.TIE_SPEECH), {}, SPEAKER),
    ("lift", view(PublicPhase.LIFT, CountdownKind.LIFT), {}, ["pause"]),
    ("motion", view(PublicPhase.MOTION, CountdownKind.MOTION), {}, ["pause"]),
    ("farewell", view(PublicPhase.FAREWELL, CountdownKind.FAREWELL), {}, SPEAKER),
    ("picks", view(PublicPhase.FAREWELL_PICKS, CountdownKind.FAREWELL_PICKS), {}, SPEAKER),
    ("paused", view(PublicPhase.SPEECH, CountdownKind.SPEECH, paused=True), {}, ["resume"]),
    (
        "paused, a seat is lost",
        view(PublicPhase.SPEECH, paused=True),
        {"waits": True},
        ["resume"],
    ),
    ("over", view(PublicPhase.OVER), {}, ["rematch"]),
    ("void", view(PublicPhase.OVER, voided=True), {"back": 9}, ["rematch", "undo"]),
]


def names(offered):
    return [order.__struct_config__.tag for order in offered]


@pytest.mark.parametrize(
    ("game", "more", "first"), [row[1:] for row in TABLE], ids=[r[0] for r in TABLE]
)
def test_the_sensible_next_orders(game, more, first):
    assert names(next_orders(game, **more)) == first


def test_no_public_phase_is_left_out_of_the_table():
    assert {row[1].public.phase for row in TABLE if row[1]} == set(PublicPhase)


def test_the_shout_is_ended_before_the_speech_that_stands():
    game = view(PublicPhase.SPEECH, CountdownKind.SPEECH, CountdownKind.SHOUT)
    assert next_orders(game)[0] == actions.EndCountdown(13)


def test_an_end_without_a_result_goes_back_to_right_before_it():
    assert next_orders(view(PublicPhase.OVER), back=9)[1] == orders.Undo(9)


def test_orders_are_named_as_the_page_sends_them():
    offered = open_orders(new_game(NORMAL), (orders.Swap, orders.Practice))
    assert offered == ("pause", "void", "swap", "practice")
    assert set(offered) <= set(CONSOLE_ORDERS)
    assert open_orders(None, (orders.NewGame,)) == ("new_game",)
